//! Checks of a packing: of everything that is added to it, and of the whole.

use crate::dimension::Dimension;
use crate::error::InputError;
use crate::packing::grain::{Grain, Motion};
use crate::packing::material::Material;
use crate::packing::wall::{Piston, Wall};
use crate::packing::{Boundary, Packing};
use crate::part::Part;
use crate::vector::Components;

impl<D: Dimension> Packing<D> {
    /// Adds a grain and returns its number.
    ///
    /// # Errors
    /// When a value is not finite, or radius or mass is not above 0.
    pub fn add(&mut self, grain: Grain<D>) -> Result<u32, InputError> {
        let number = next_number(self.grains.len())?;
        check_grain(self, number, &grain)?;
        self.grains.push(grain);
        Ok(number)
    }

    /// Adds a wall and returns its number.
    ///
    /// # Errors
    /// When a value is not finite, the normal has no direction or a grain lies behind it.
    pub fn add_wall(&mut self, wall: Wall<D>) -> Result<u32, InputError> {
        let number = next_number(self.walls.len())?;
        check_wall(self, number, &wall)?;
        check_behind(&self.grains, (Part::Wall(number), wall.point, wall.normal))?;
        self.walls.push(wall);
        Ok(number)
    }

    /// Adds a piston and returns its number.
    ///
    /// # Errors
    /// When a value is not finite, the mass is not above 0, the normal has no direction or a grain lies behind it.
    pub fn add_piston(&mut self, piston: Piston<D>) -> Result<u32, InputError> {
        let number = next_number(self.pistons.len())?;
        check_piston(self, number, &piston)?;
        check_behind(&self.grains, (Part::Piston(number), piston.point, piston.normal))?;
        self.pistons.push(piston);
        Ok(number)
    }

    /// Checks the whole packing. Grains may overlap: after a solver that stopped early they do.
    ///
    /// # Errors
    /// The first thing found wrong.
    #[inline(never)]
    pub fn check(&self) -> Result<(), InputError> {
        self.check_parts()?;
        self.check_room()
    }

    /// The checks of every step. They leave out the room between boundaries, which only the first step needs: later overlaps are a
    /// matter of the report.
    pub(crate) fn check_parts(&self) -> Result<(), InputError> {
        if self.grains.is_empty() {
            return Err(InputError::Empty);
        }
        finite("gravity", None, self.gravity.as_slice())?;
        for (grain, number) in self.grains.iter().zip(0..) {
            if !is_sound(self, grain) {
                check_grain(self, number, grain)?;
            }
        }
        for (wall, number) in self.walls.iter().zip(0..) {
            check_wall(self, number, wall)?;
        }
        for (piston, number) in self.pistons.iter().zip(0..) {
            check_piston(self, number, piston)?;
        }
        self.check_cell()
    }

    fn check_cell(&self) -> Result<(), InputError> {
        let widest = self.grains.iter().map(|grain| grain.radius).fold(0.0, f64::max);
        for (axis, width) in self.cell.periodic_axes() {
            let needed = 4.0 * widest;
            if width <= needed {
                return Err(InputError::NarrowCell { axis, width, needed });
            }
            for (place, _, normal) in self.boundaries() {
                // The normal of a wall along the axis has no component there, except for rounding.
                if normal.as_slice()[axis].abs() > 1e-12 {
                    return Err(InputError::WallAcrossPeriod { place, axis });
                }
            }
        }
        Ok(())
    }

    fn check_room(&self) -> Result<(), InputError> {
        for boundary in self.boundaries() {
            check_behind(&self.grains, boundary)?;
        }
        for (a, point_a, normal_a) in self.boundaries() {
            for (b, point_b, normal_b) in self.boundaries().filter(|other| other.0 > a) {
                if normal_a.dot(normal_b) < -1.0 + 1e-9 {
                    self.check_squeezed([a, b], (point_b - point_a).dot(normal_a))?;
                }
            }
        }
        Ok(())
    }

    /// Refuses opposite boundaries whose distance is below 99 % of a diameter. The overlaps after a run with soft grains are far below
    /// 1 %.
    fn check_squeezed(&self, between: [Part; 2], room: f64) -> Result<(), InputError> {
        let squeezed = |grain: &Grain<D>| grain.motion == Motion::Free && room < 0.99 * 2.0 * grain.radius;
        match self.grains.iter().zip(0..).find(|(grain, _)| squeezed(grain)) {
            Some((found, grain)) => Err(InputError::Squeezed { grain, between, room, diameter: 2.0 * found.radius }),
            None => Ok(()),
        }
    }
}

/// Refuses free grains whose centre lies behind a boundary.
fn check_behind<D: Dimension>(grains: &[Grain<D>], boundary: Boundary<D>) -> Result<(), InputError> {
    let (place, point, normal) = boundary;
    for (grain, number) in grains.iter().zip(0..) {
        let depth = -(grain.position - point).dot(normal);
        if depth > 0.0 && grain.motion == Motion::Free {
            return Err(InputError::Behind { grain: number, place, depth });
        }
    }
    Ok(())
}

fn finite(what: &'static str, place: Option<Part>, values: &[f64]) -> Result<(), InputError> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(&value) => Err(InputError::Range { what, place, value, allowed: "a finite number" }),
        None => Ok(()),
    }
}

fn positive(what: &'static str, place: Part, value: f64) -> Result<(), InputError> {
    if value > 0.0 && value.is_finite() && (1.0 / value).is_finite() {
        return Ok(());
    }
    Err(InputError::Range { what, place: Some(place), value, allowed: "finite and above 0" })
}

/// A quick test that every good grain of usual size passes, since every step tests every grain. [`check_grain`] finds the fault of the others.
fn is_sound<D: Dimension>(packing: &Packing<D>, grain: &Grain<D>) -> bool {
    let (size, zero) = (grain.radius.min(grain.mass).min(grain.inertia()), |numbers: &[f64]| {
        // 0 times a finite number is 0; 0 times infinity or NaN is NaN.
        numbers.iter().fold(0.0, |zero, number| zero + 0.0 * number)
    });
    let zero = zero(grain.position.as_slice())
        + zero(grain.velocity.as_slice())
        + zero(grain.spin.as_slice())
        + zero(grain.orientation.as_ref())
        + zero(grain.force.as_slice())
        + zero(&[grain.radius, grain.mass, grain.inertia()]);
    // Smaller sizes may be valid too, but testing that takes a division.
    zero == 0.0 && size > 1e-300 && packing.materials.has(grain.material) && packing.cell.holds(grain.position)
}

fn check_grain<D: Dimension>(packing: &Packing<D>, number: u32, grain: &Grain<D>) -> Result<(), InputError> {
    let place = Part::Grain(number);
    finite("position", Some(place), grain.position.as_slice())?;
    finite("velocity", Some(place), grain.velocity.as_slice())?;
    finite("spin", Some(place), grain.spin.as_slice())?;
    finite("orientation", Some(place), grain.orientation.as_ref())?;
    finite("force", Some(place), grain.force.as_slice())?;
    positive("radius", place, grain.radius)?;
    positive("mass", place, grain.mass)?;
    positive("moment of inertia", place, grain.inertia())?;
    check_material(packing, place, grain.material)?;
    if !packing.cell.holds(grain.position) {
        let outside = |&(axis, period): &(usize, f64)| {
            let place = grain.position.as_slice()[axis] - packing.cell.lower(axis);
            !(0.0..=period).contains(&place)
        };
        let (axis, _) = packing.cell.periodic_axes().find(outside).expect("the cell does not hold it");
        return Err(InputError::OutsideCell { grain: number, axis, value: grain.position.as_slice()[axis] });
    }
    Ok(())
}

fn check_wall<D: Dimension>(packing: &Packing<D>, number: u32, wall: &Wall<D>) -> Result<(), InputError> {
    let place = Part::Wall(number);
    finite("point", Some(place), wall.point.as_slice())?;
    finite("velocity", Some(place), wall.velocity.as_slice())?;
    check_material(packing, place, wall.material)?;
    check_normal::<D>(place, wall.normal)
}

fn check_piston<D: Dimension>(packing: &Packing<D>, number: u32, piston: &Piston<D>) -> Result<(), InputError> {
    let place = Part::Piston(number);
    finite("point", Some(place), piston.point.as_slice())?;
    finite("speed", Some(place), &[piston.speed])?;
    finite("force", Some(place), &[piston.force])?;
    positive("mass", place, piston.mass)?;
    check_material(packing, place, piston.material)?;
    check_normal::<D>(place, piston.normal)
}

fn check_normal<D: Dimension>(place: Part, normal: D::Vector<f64>) -> Result<(), InputError> {
    let right = (normal.length_squared() - 1.0).abs() < 1e-9;
    if right { Ok(()) } else { Err(InputError::NoDirection { place }) }
}

fn check_material<D: Dimension>(packing: &Packing<D>, place: Part, material: Material) -> Result<(), InputError> {
    if packing.materials.has(material) {
        return Ok(());
    }
    let (what, value) = ("material", f64::from(material.0));
    Err(InputError::Range { what, place: Some(place), value, allowed: "one that the packing knows" })
}

fn next_number(count: usize) -> Result<u32, InputError> {
    u32::try_from(count).ok().filter(|&number| number < 1 << 31).ok_or(InputError::TooMany)
}
