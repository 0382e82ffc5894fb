//! A packing as it lies in a checkpoint: the same for every dimension, every bit kept.

use hardgrain::{
    Components, Dimension, Grain, Identity, Impulse, Label, Material, Motion, Packing, Part, Piston, Remembered,
    Surface, Wall,
};
use serde::{Deserialize, Serialize};

type Triple = [f64; 3];

/// All that is in a packing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackingState {
    axes: usize,
    step: u64,
    time: f64,
    gravity: Triple,
    /// Periodic axes: which, from, how wide.
    cell: Vec<(usize, f64, f64)>,
    labels: Vec<String>,
    materials: Vec<String>,
    surface: (f64, f64),
    pairs: Vec<(u16, u16, f64, f64)>,
    grains: Vec<GrainState>,
    walls: Vec<WallState>,
    pistons: Vec<PistonState>,
    memory: Vec<RememberedState>,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct GrainState {
    position: Triple,
    velocity: Triple,
    spin: Triple,
    orientation: [f64; 4],
    turns: [i32; 3],
    radius: f64,
    mass: f64,
    force: Triple,
    material: u16,
    label: u32,
    motion: u8,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct WallState {
    point: Triple,
    normal: Triple,
    velocity: Triple,
    material: u16,
    label: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PistonState {
    point: Triple,
    normal: Triple,
    speed: f64,
    mass: f64,
    force: f64,
    material: u16,
    label: u32,
}

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct RememberedState {
    first: u32,
    second: (u8, u32),
    image: [i32; 3],
    normal: Triple,
    reaction: f64,
    tangent: Triple,
    approach: Triple,
    taken: f64,
    gap: f64,
    stretch: Triple,
}

fn triple(values: &[f64]) -> Triple {
    std::array::from_fn(|axis| values.get(axis).copied().unwrap_or(0.0))
}

fn back<V: Components<f64>>(values: Triple) -> V {
    V::from_fn(|axis| values[axis])
}

impl PackingState {
    /// The state of a packing.
    #[inline(never)]
    pub fn of<D: Dimension>(packing: &Packing<D>) -> Self {
        let materials = &packing.materials;
        let numbers =
            || (0..materials.names().len()).map(|index| u16::try_from(index).expect("at most 1000 materials"));
        let pairs = numbers().flat_map(|a| numbers().filter(move |&b| a <= b).map(move |b| (a, b)));
        let own = |(a, b)| materials.own_pair(Material(a), Material(b)).map(|s| (a, b, s.friction, s.restitution));
        let surface = materials.default_surface();
        Self {
            axes: D::AXES,
            step: packing.step,
            time: packing.time,
            gravity: triple(packing.gravity.as_slice()),
            cell: packing.cell.periodic_axes().map(|(axis, width)| (axis, packing.cell.lower(axis), width)).collect(),
            labels: packing.labels.names().to_vec(),
            materials: materials.names().to_vec(),
            surface: (surface.friction, surface.restitution),
            pairs: pairs.filter_map(own).collect(),
            grains: packing.grains.iter().map(GrainState::of).collect(),
            walls: packing.walls.iter().map(WallState::of).collect(),
            pistons: packing.pistons.iter().map(PistonState::of).collect(),
            memory: packing.memory.iter().map(RememberedState::of).collect(),
        }
    }

    /// The packing of a state; nothing if it makes no sense or has another dimension. One that [`PackingState::of`] made of a
    /// packing of this dimension does.
    #[inline(never)]
    pub fn packing<D: Dimension>(&self) -> Option<Packing<D>> {
        if self.axes != D::AXES || !self.memory.iter().all(|known| self.has(known)) {
            return None;
        }
        let mut packing = Packing::<D>::new();
        (packing.step, packing.time, packing.gravity) = (self.step, self.time, back(self.gravity));
        for &(axis, lower, width) in &self.cell {
            packing.cell = packing.cell.with_period(axis, lower, width).ok()?;
        }
        for name in &self.labels {
            packing.labels.named(name);
        }
        for name in &self.materials {
            packing.materials.named(name).ok()?;
        }
        let surface = |friction, restitution| Surface { friction, restitution };
        packing.materials.set_default(surface(self.surface.0, self.surface.1)).ok()?;
        for &(a, b, friction, restitution) in &self.pairs {
            packing.materials.set_pair(Material(a), Material(b), surface(friction, restitution)).ok()?;
        }
        packing.grains = self.grains.iter().map(GrainState::grain).collect();
        packing.walls = self.walls.iter().map(WallState::wall).collect();
        packing.pistons = self.pistons.iter().map(PistonState::piston).collect();
        packing.memory = self.memory.iter().map(RememberedState::remembered).collect();
        Some(packing)
    }

    /// Whether both sides of a contact are there.
    fn has(&self, known: &RememberedState) -> bool {
        let (kind, index) = known.second;
        let count = match kind {
            0 => self.grains.len(),
            1 => self.pistons.len(),
            _ => self.walls.len(),
        };
        (known.first as usize) < self.grains.len() && (index as usize) < count
    }
}

impl GrainState {
    fn of<D: Dimension>(grain: &Grain<D>) -> Self {
        let turned = grain.orientation.as_ref();
        Self {
            position: triple(grain.position.as_slice()),
            velocity: triple(grain.velocity.as_slice()),
            spin: triple(grain.spin.as_slice()),
            orientation: std::array::from_fn(|i| turned.get(i).copied().unwrap_or(0.0)),
            turns: grain.turns,
            radius: grain.radius,
            mass: grain.mass,
            force: triple(grain.force.as_slice()),
            material: grain.material.0,
            label: grain.label.0,
            motion: match grain.motion {
                Motion::Free => 0,
                Motion::Fixed => 1,
                Motion::Prescribed => 2,
            },
        }
    }

    fn grain<D: Dimension>(&self) -> Grain<D> {
        let mut orientation = D::upright();
        for (component, saved) in orientation.as_mut().iter_mut().zip(self.orientation) {
            *component = saved;
        }
        Grain {
            position: back(self.position),
            velocity: back(self.velocity),
            spin: back(self.spin),
            orientation,
            turns: self.turns,
            radius: self.radius,
            mass: self.mass,
            force: back(self.force),
            material: Material(self.material),
            label: Label(self.label),
            motion: match self.motion {
                0 => Motion::Free,
                1 => Motion::Fixed,
                _ => Motion::Prescribed,
            },
        }
    }
}

impl WallState {
    fn of<D: Dimension>(wall: &Wall<D>) -> Self {
        Self {
            point: triple(wall.point.as_slice()),
            normal: triple(wall.normal.as_slice()),
            velocity: triple(wall.velocity.as_slice()),
            material: wall.material.0,
            label: wall.label.0,
        }
    }

    fn wall<D: Dimension>(&self) -> Wall<D> {
        Wall {
            point: back(self.point),
            normal: back(self.normal),
            velocity: back(self.velocity),
            material: Material(self.material),
            label: Label(self.label),
        }
    }
}

impl PistonState {
    fn of<D: Dimension>(piston: &Piston<D>) -> Self {
        Self {
            point: triple(piston.point.as_slice()),
            normal: triple(piston.normal.as_slice()),
            speed: piston.speed,
            mass: piston.mass,
            force: piston.force,
            material: piston.material.0,
            label: piston.label.0,
        }
    }

    fn piston<D: Dimension>(&self) -> Piston<D> {
        Piston {
            point: back(self.point),
            normal: back(self.normal),
            speed: self.speed,
            mass: self.mass,
            force: self.force,
            material: Material(self.material),
            label: Label(self.label),
        }
    }
}

impl RememberedState {
    fn of<D: Dimension>(known: &Remembered<D>) -> Self {
        Self {
            first: known.identity.first,
            second: match known.identity.second {
                Part::Grain(index) => (0, index),
                Part::Piston(index) => (1, index),
                Part::Wall(index) => (2, index),
            },
            image: known.identity.image,
            normal: triple(known.normal.as_slice()),
            reaction: known.reaction.normal,
            tangent: triple(known.reaction.tangent.as_slice()),
            approach: triple(known.approach.as_slice()),
            taken: known.taken,
            gap: known.gap,
            stretch: triple(known.stretch.as_slice()),
        }
    }

    fn remembered<D: Dimension>(&self) -> Remembered<D> {
        let second = match self.second {
            (0, index) => Part::Grain(index),
            (1, index) => Part::Piston(index),
            (_, index) => Part::Wall(index),
        };
        Remembered {
            identity: Identity { first: self.first, second, image: self.image },
            normal: back(self.normal),
            reaction: Impulse { normal: self.reaction, tangent: back(self.tangent) },
            approach: back(self.approach),
            taken: self.taken,
            gap: self.gap,
            stretch: back(self.stretch),
        }
    }
}
