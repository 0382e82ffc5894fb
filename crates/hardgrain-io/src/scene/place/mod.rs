//! From a scene to a packing: grains are placed, walls and pistons set up, and everything that is wrong with the whole is
//! said with the line that is to blame.

mod lattice;
mod loose;
mod materials;
mod start;

use super::at::Span;
use super::fault::{Fault, Refusal, digits};
use super::plan::{Arrangement, Change, Group, LARGEST_PACKING, Load, MassPlan, Scene};
use super::values::{AXES, Place};
use hardgrain::{
    Components, Dimension, Grain, InputError, Motion, Neighbours, Packing, Part, Piston, Purpose, Seed, Stream,
    Strides, Wall,
};
use materials::Surfaces;

/// The components that this dimension has.
fn vector<D: Dimension>(place: Place) -> D::Vector<f64> {
    D::Vector::from_fn(|axis| place[axis])
}

/// The components of an angular velocity that this dimension has.
fn spin<D: Dimension>(place: Place) -> D::Spin<f64> {
    D::Spin::from_fn(|axis| place[axis])
}

impl Scene {
    /// The packing at the start.
    ///
    /// # Errors
    /// When grains find no place, overlap or lie behind a wall, and whatever else is wrong with the whole.
    ///
    /// # Panics
    /// When `D` is not the dimension of the scene.
    #[inline(never)]
    pub fn packing<D: Dimension>(&self) -> Result<Packing<D>, Refusal> {
        assert_eq!(self.dimension, D::AXES, "the dimension is matched at the door");
        self.place().map_err(|fault| Refusal::new(&self.source, fault))
    }

    fn place<D: Dimension>(&self) -> Result<Packing<D>, Fault> {
        if self.grain_count() > LARGEST_PACKING {
            let span = &self.groups.last().expect("a scene has grains").span;
            return Err(Fault::at(span, format!("more than {LARGEST_PACKING} grains in all")).help("fewer"));
        }
        let blame = |error: InputError| self.blame(&error);
        if let Some(start) = self.start.as_ref().filter(|start| start.is_whole) {
            let packing = start.whole_packing::<D>()?;
            packing.check().map_err(blame)?;
            self.check_pressures(&packing)?;
            return Ok(packing);
        }
        let mut packing = Packing::<D>::new();
        packing.gravity = vector::<D>(self.gravity);
        for &(axis, lower, upper) in &self.periodic {
            packing.cell = packing.cell.periodic(axis, lower, upper).map_err(blame)?;
        }
        let surfaces = Surfaces::new(self, self.contact.surface, &mut packing)?;
        self.add_boundaries(&mut packing, &surfaces).map_err(blame)?;
        match &self.start {
            Some(start) => self.take_over(start, &mut packing, &surfaces)?,
            None => {
                for (index, group) in self.groups.iter().enumerate() {
                    self.add_group(index, group, &mut packing, &surfaces)?;
                }
            }
        }
        for force in &self.forces {
            for grain in &mut packing.grains[force.on.clone()] {
                grain.force += vector::<D>(force.value);
            }
        }
        packing.check().map_err(blame)?;
        if self.start.is_none() {
            self.check_overlaps(&packing)?;
        }
        self.press(&mut packing)?;
        Ok(packing)
    }

    fn add_boundaries<D: Dimension>(&self, packing: &mut Packing<D>, surfaces: &Surfaces) -> Result<(), InputError> {
        for plan in &self.walls {
            let label = packing.labels.named(&plan.label);
            let wall =
                Wall::new(vector::<D>(plan.point), vector::<D>(plan.normal)).velocity(vector::<D>(plan.velocity));
            packing.add_wall(wall.label(label).material(surfaces.material_of(&plan.label, &plan.material)))?;
        }
        for plan in &self.pistons {
            let label = packing.labels.named(&plan.label);
            let piston = Piston::new(vector::<D>(plan.point), vector::<D>(plan.normal), plan.mass).speed(plan.speed);
            packing.add_piston(piston.label(label).material(surfaces.material_of(&plan.label, &plan.material)))?;
        }
        Ok(())
    }

    fn add_group<D: Dimension>(
        &self,
        index: usize,
        group: &Group,
        packing: &mut Packing<D>,
        surfaces: &Surfaces,
    ) -> Result<(), Fault> {
        let stream = |purpose: Purpose| Seed(self.seed).stream(purpose, index as u64, 0);
        let radii = radii(group, &mut stream(Purpose::Draw))?;
        let places = match &group.arrangement {
            Arrangement::Row(row) => lattice::row(row, group.count),
            Arrangement::Grid(grid) => lattice::grid(grid),
            Arrangement::Lattice(grid, plan) => lattice::lattice(grid, *plan),
            Arrangement::Ring(ring) => lattice::ring(ring, group.count),
            Arrangement::File(_, rows) => rows.iter().map(|(place, _)| *place).collect(),
            Arrangement::Start => unreachable!("a whole packing is taken as it is"),
            Arrangement::Loose(bounds) => {
                let places = loose::places(packing, bounds, &radii, &mut stream(Purpose::Place));
                places.map_err(|fault| fault.at(&group.span))?
            }
        };
        let label = packing.labels.named(&group.label);
        let material = surfaces.material_of(&group.label, &group.material);
        packing.grains.reserve(group.count);
        for (place, radius) in places.into_iter().zip(radii) {
            let grain = Grain::new(vector::<D>(place), radius)
                .velocity(vector::<D>(group.velocity))
                .spin(spin::<D>(group.spin));
            let weighed = match group.weight {
                MassPlan::Mass(mass) => grain.mass(mass),
                MassPlan::Density(density) => grain.density(density),
            };
            let mut named = weighed.label(label).material(material);
            named.motion = group.motion;
            packing.add(named).map_err(|error| self.blame(&error))?;
        }
        Ok(())
    }

    /// The group that a grain belongs to, and its number there.
    fn group_of(&self, grain: u32) -> (&Group, usize) {
        let mut number = grain as usize;
        for group in &self.groups {
            if number < group.count {
                return (group, number);
            }
            number -= group.count;
        }
        (self.groups.last().expect("a scene has grains"), number)
    }

    /// A grain as the user knows it.
    fn grain_name(&self, grain: u32) -> String {
        let (group, number) = self.group_of(grain);
        if group.label.is_empty() { format!("grain {grain}") } else { format!("{}[{number}]", group.label) }
    }

    fn part_span(&self, part: Part) -> Span {
        match part {
            Part::Grain(number) => self.group_of(number).0.span.clone(),
            Part::Wall(number) => self.walls[number as usize].span.clone(),
            Part::Piston(number) => self.pistons[number as usize].span.clone(),
        }
    }

    fn part_name(&self, part: Part) -> String {
        let label = match part {
            Part::Grain(number) => return self.grain_name(number),
            Part::Wall(number) => &self.walls[number as usize].label,
            Part::Piston(number) => &self.pistons[number as usize].label,
        };
        if label.is_empty() { part.to_string() } else { label.clone() }
    }

    /// What the engine finds wrong, at the line that is to blame and with the user's names.
    fn blame(&self, error: &InputError) -> Fault {
        let (span, message, help) = match error {
            InputError::Behind { grain, place, depth } => {
                let (name, place, depth) = (self.grain_name(*grain), self.part_name(*place), digits(*depth));
                let message = format!("the centre of {name} lies {depth} behind {place}");
                let help = "move it to the side that the normal points to".into();
                (self.part_span(Part::Grain(*grain)), message, help)
            }
            InputError::Squeezed { grain, between, room, diameter } => {
                let [a, b] = between.map(|part| self.part_name(part));
                let (grain, room, diameter) = (self.grain_name(*grain), digits(*room), digits(*diameter));
                let message = format!("{a} and {b} leave {room} for {grain}, which needs {diameter}");
                (self.part_span(between[0]), message, "move them apart".into())
            }
            InputError::Coincident { first, second } => (
                self.part_span(Part::Grain(*second)),
                format!("{} and {} have the same centre", self.grain_name(*first), self.grain_name(*second)),
                "move one of them".into(),
            ),
            InputError::OutsideCell { grain, axis, value } => {
                let (name, axis_name) = (self.grain_name(*grain), AXES[*axis]);
                let message = format!("{name} lies at {axis_name} = {}, outside the periodic cell", digits(*value));
                let range = self.periodic.iter().find(|(known, ..)| known == axis);
                let inside = range.map_or((0.0, 0.0), |(_, from, to)| (*from, *to));
                let help = format!("the cell goes from {} to {}", digits(inside.0), digits(inside.1));
                (self.part_span(Part::Grain(*grain)), message, help)
            }
            InputError::WallAcrossPeriod { place, axis } => {
                let (name, axis_name) = (self.part_name(*place), AXES[*axis]);
                let help = format!("turn its normal, or take {axis_name} out of cell.periodic");
                (self.part_span(*place), format!("{name} blocks {axis_name}, which is periodic"), help)
            }
            InputError::NarrowCell { axis, width, needed } => {
                let (width, axis_name) = (digits(*width), AXES[*axis]);
                let message = format!(
                    "the cell is {width} wide along {axis_name}: a grain could touch a neighbour from both sides"
                );
                (self.periodic_span.clone(), message, format!("make it wider than {}", digits(*needed)))
            }
            InputError::Range { what, place: Some(place), value, allowed } => {
                let message =
                    format!("{what} of {} is {}; it must be {allowed}", self.part_name(*place), digits(*value));
                (self.part_span(*place), message, "other units, or another size or density".into())
            }
            other => (self.groups[0].span.clone(), other.to_string(), "see what is said of these grains".into()),
        };
        Fault::at(&span, message).help(help)
    }

    /// Refuses grains that lie inside each other or in a wall. What cannot move may lie anywhere.
    fn check_overlaps<D: Dimension>(&self, packing: &Packing<D>) -> Result<(), Fault> {
        let mut pairs = Vec::new();
        let strides = Strides::uniform(packing, 0.0);
        Neighbours::default().detect(packing, &strides, &mut pairs).map_err(|error| self.blame(&error))?;
        let grain = |part: Part| if let Part::Grain(number) = part { Some(number) } else { None };
        let body = |part: Part| grain(part).map(|number| &packing.grains[number as usize]);
        let free = |part: Part| body(part).map_or(matches!(part, Part::Piston(_)), |body| body.motion == Motion::Free);
        let radius = |part: Part| body(part).map_or(f64::INFINITY, |body| body.radius);
        let allowed = |part: Part| grain(part).map_or(0.0, |number| self.group_of(number).0.overlap_allowed);
        let mut worst: Option<(f64, Part, Part)> = None;
        for pair in &pairs {
            let (first, second) = (Part::Grain(pair.identity.first), pair.identity.second());
            let share = -pair.gap / radius(first).min(radius(second));
            let over = share > allowed(first).max(allowed(second)) && (free(first) || free(second));
            if over && worst.is_none_or(|(most, ..)| share > most) {
                worst = Some((share, first, second));
            }
        }
        let Some((share, first, second)) = worst else { return Ok(()) };
        let later = if matches!(second, Part::Grain(_)) { second } else { first };
        let overlap = share * radius(first).min(radius(second));
        let message =
            format!("{} and {} overlap by {}", self.part_name(first), self.part_name(second), digits(overlap));
        let apart = format!("that is {:.2} % of the smaller radius; move them apart", 100.0 * share);
        let allow = format!("{apart}, or allow it: overlap_allowed = {:.3}", share * 1.1);
        let help = if share < 0.45 { allow } else { apart };
        Err(Fault::at(&self.part_span(later), message).help(help))
    }

    /// Forces of pistons at the start. Refuses pressures on faces whose size is unknown.
    fn press<D: Dimension>(&self, packing: &mut Packing<D>) -> Result<(), Fault> {
        for (index, plan) in self.pistons.iter().enumerate() {
            let area = match plan.load {
                Load::Force(_) => Some(1.0),
                Load::Pressure { area, .. } => area.or_else(|| packing.face(index)),
            };
            let Some(area) = area else {
                let help = "walls or periodic axes on all its sides would tell; or say it: area = 10.0";
                return Err(self.unknown_face(index, &plan.span).help(help));
            };
            let (Load::Force(force) | Load::Pressure { pressure: force, .. }) = plan.load;
            packing.pistons[index].force = force * area;
        }
        self.check_pressures(packing)
    }

    /// Refuses stages that press a piston whose face has no known size in this packing.
    ///
    /// # Errors
    /// The first of them.
    pub fn check_faces<D: Dimension>(&self, packing: &Packing<D>) -> Result<(), Refusal> {
        self.check_pressures(packing).map_err(|fault| Refusal::new(&self.source, fault))
    }

    /// A stage may turn a force into a pressure.
    fn check_pressures<D: Dimension>(&self, packing: &Packing<D>) -> Result<(), Fault> {
        for stage in &self.stages {
            for change in &stage.changes {
                let Change::PistonLoad(index, Load::Pressure { area: None, .. }, span) = change else { continue };
                // The area may be set beside it.
                let sized = |change: &Change| matches!(change, Change::PistonLoad(i, Load::Pressure { area: Some(_), .. }, _) if i == index);
                if packing.face(*index).is_none() && !stage.changes.iter().any(sized) {
                    let name = self.piston_name(*index);
                    return Err(self.unknown_face(*index, span).help(format!(
                        "set \"pistons.{name}.area\" beside it; walls or periodic axes on all its sides would tell as well"
                    )));
                }
            }
        }
        Ok(())
    }

    fn piston_name(&self, index: usize) -> String {
        self.part_name(Part::Piston(u32::try_from(index).expect("a scene is a page")))
    }

    fn unknown_face(&self, piston: usize, span: &Span) -> Fault {
        let message = format!("how large is the face of {}?", self.piston_name(piston));
        Fault::at(span, message).label("a pressure needs an area")
    }
}

fn radii(group: &Group, draw: &mut Stream) -> Result<Vec<f64>, Fault> {
    if let Arrangement::File(_, rows) = &group.arrangement
        && group.radii.is_none()
    {
        return Ok(rows.iter().filter_map(|(_, radius)| *radius).collect());
    }
    let radii = group.radii.as_ref().expect("checked: radii are given");
    (0..group.count).map(|_| radii.draw(draw, &group.radius_span)).collect()
}
