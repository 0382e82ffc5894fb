//! Walls, pistons, forces, friction and restitution.

use crate::scene::at::Span;
use crate::scene::values::Place;
use hardgrain::Surface;
use std::ops::Range;

/// A wall.
#[derive(Clone, Debug)]
pub struct WallPlan {
    /// Its name; empty for none.
    pub label: String,
    /// A point on it.
    pub point: Place,
    /// Towards the grains.
    pub normal: Place,
    /// Prescribed velocity.
    pub velocity: Place,
    /// What it is made of.
    pub material: String,
    /// Where it was typed.
    pub span: Span,
}

/// A piston.
#[derive(Clone, Debug)]
pub struct PistonPlan {
    /// Its name; empty for none.
    pub label: String,
    /// A point on it.
    pub point: Place,
    /// Towards the grains.
    pub normal: Place,
    /// Its mass.
    pub mass: f64,
    /// What presses it.
    pub load: Load,
    /// Its speed along the normal at the start.
    pub speed: f64,
    /// What it is made of.
    pub material: String,
    /// Where it was typed.
    pub span: Span,
}

/// What presses a piston.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Load {
    /// A force.
    Force(f64),
    /// A pressure on a known area, or on what the walls around leave.
    Pressure {
        /// Force over area.
        pressure: f64,
        /// The area, if it was given.
        area: Option<f64>,
    },
}

/// A force on grains.
#[derive(Clone, Debug)]
pub struct ForcePlan {
    /// Its name; empty for none.
    pub label: String,
    /// On which grains, by number.
    pub on: Range<usize>,
    /// The force on each.
    pub value: Place,
}

/// Friction and restitution.
#[derive(Clone, Debug)]
pub struct ContactPlan {
    /// For all pairs without a value of their own.
    pub surface: Surface,
    /// Values of their own.
    pub pairs: Vec<PairPlan>,
}

/// How two materials or labels meet.
#[derive(Clone, Debug)]
pub struct PairPlan {
    /// Their names.
    pub between: [String; 2],
    /// Friction; that of all pairs if it has none of its own.
    pub friction: Option<f64>,
    /// Restitution; that of all pairs if it has none of its own.
    pub restitution: Option<f64>,
    /// Stiffness of soft contacts; that of the solver if it has none of its own.
    pub stiffness: Option<f64>,
    /// Damping of soft contacts; that of the solver if it has none of its own.
    pub damping: Option<f64>,
}

impl PairPlan {
    /// How they meet when all other pairs meet like this.
    pub fn surface(&self, base: Surface) -> Surface {
        Surface {
            friction: self.friction.unwrap_or(base.friction),
            restitution: self.restitution.unwrap_or(base.restitution),
        }
    }
}
