//! The packing: the whole state, which a step starts from and changes, and which is saved and loaded.

mod cell;
mod check;
mod contact;
mod face;
mod grain;
mod hash;
mod material;
mod memory;
mod touch;
mod wall;

pub use cell::Cell;
pub(crate) use contact::recall;
pub use contact::{Identity, Pair, Remembered};
pub use grain::{Grain, Label, Labels, Motion};
pub use material::{Material, Materials, Surface};
pub use memory::Memory;
pub use touch::Touch;
pub(crate) use touch::{boundary_gap, grain_arms};
pub use wall::{Piston, Wall};

use crate::dimension::Dimension;
use crate::part::Part;
use crate::vector::Components;

/// The state of a system of grains, pistons and walls.
///
/// ```
/// use hardgrain::{Grain, Line, Packing, Wall};
/// # fn main() -> Result<(), hardgrain::InputError> {
/// let mut packing = Packing::<Line>::new();
/// packing.add_wall(Wall::new([0.0], [1.0]))?;
/// packing.add(Grain::new([0.5], 0.5).mass(1.0).velocity([-1.0]))?;
/// assert_eq!(packing.kinetic_energy(), 0.5);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Packing<D: Dimension> {
    /// The grains, in the user's numbering. Removing one renumbers others, so the memory has to be cleared.
    pub grains: Vec<Grain<D>>,
    /// The pistons.
    pub pistons: Vec<Piston<D>>,
    /// The walls.
    pub walls: Vec<Wall<D>>,
    /// Open or periodic.
    pub cell: Cell<D>,
    /// Friction and restitution.
    pub materials: Materials,
    /// Names of grains, pistons and walls.
    pub labels: Labels,
    /// Acceleration of every free grain and, along its normal, of every piston.
    pub gravity: D::Vector<f64>,
    /// The contacts that carried a load in the last step, sorted by identity.
    pub memory: Memory<D>,
    /// The number of steps made.
    pub step: u64,
    /// The time that has passed.
    pub time: f64,
}

impl<D: Dimension> Packing<D> {
    /// An empty packing: an open cell, no gravity.
    pub fn new() -> Self {
        Self::default()
    }

    /// The number of a part among the bodies of a contact problem: grains first, then pistons, then walls.
    #[inline]
    pub fn body(&self, part: Part) -> usize {
        match part {
            Part::Grain(index) => index as usize,
            Part::Piston(index) => self.grains.len() + index as usize,
            Part::Wall(index) => self.grains.len() + self.pistons.len() + index as usize,
        }
    }

    /// All parts: grains, then pistons, then walls.
    pub(crate) fn parts(&self) -> impl Iterator<Item = Part> {
        let grains = (0..).map(Part::Grain).take(self.grains.len());
        grains
            .chain((0..).map(Part::Piston).take(self.pistons.len()))
            .chain((0..).map(Part::Wall).take(self.walls.len()))
    }

    /// Pistons and walls.
    pub(crate) fn boundaries(&self) -> impl Iterator<Item = Boundary<D>> {
        let pistons = self.pistons.iter().zip(0..).map(|(p, i)| (Part::Piston(i), p.point, p.normal));
        pistons.chain(self.walls.iter().zip(0..).map(|(w, i)| (Part::Wall(i), w.point, w.normal)))
    }

    /// ½ Σ (m v² + I ω²) over free grains and pistons.
    pub fn kinetic_energy(&self) -> f64 {
        let free = self.grains.iter().filter(|grain| grain.motion == Motion::Free);
        let grains = free.map(|g| 0.5 * (g.mass * g.velocity.length_squared() + g.inertia() * g.spin.length_squared()));
        let pistons = self.pistons.iter().map(|p| 0.5 * p.mass * p.speed * p.speed);
        grains.chain(pistons).fold(0.0, |sum, energy| sum + energy)
    }

    /// A piston or wall.
    pub(crate) fn boundary(&self, part: Part) -> Boundary<D> {
        match part {
            Part::Piston(index) => (part, self.pistons[index as usize].point, self.pistons[index as usize].normal),
            Part::Wall(index) => (part, self.walls[index as usize].point, self.walls[index as usize].normal),
            Part::Grain(_) => unreachable!("a grain is no boundary"),
        }
    }

    /// Friction and restitution between the two parts of a pair.
    #[inline(always)]
    pub fn surface(&self, identity: Identity) -> Surface {
        self.materials.pair(self.grains[identity.first as usize].material, self.material_of(identity.second()))
    }

    /// The material of a part.
    pub(crate) fn material_of(&self, part: Part) -> Material {
        match part {
            Part::Grain(index) => self.grains[index as usize].material,
            Part::Piston(index) => self.pistons[index as usize].material,
            Part::Wall(index) => self.walls[index as usize].material,
        }
    }

    /// The sum of the normal reactions on a part in the last step, Σ R_n: the force with which the grains press on a piston or wall.
    pub fn load_on(&self, part: Part) -> f64 {
        let belongs = |r: &&Remembered<D>| r.identity.second() == part || Part::Grain(r.identity.first) == part;
        self.memory.iter().filter(belongs).fold(0.0, |sum, r| sum + r.reaction.normal)
    }
}

/// A piston or wall, a point on its surface, its normal.
pub(crate) type Boundary<D> = (Part, <D as Dimension>::Vector<f64>, <D as Dimension>::Vector<f64>);
