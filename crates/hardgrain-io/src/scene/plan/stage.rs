//! Stages: when each ends, with which step and solver it is computed, and what it changes.

use super::parts::Load;
use super::solver::SolverKind;
use crate::scene::at::Span;
use crate::scene::values::Place;
use hardgrain::{Shock, Surface};

/// A packing is at rest after this many steps in balance.
pub const REST_STEPS: u32 = 100;

/// A part of a run.
#[derive(Clone, Debug)]
pub struct StagePlan {
    /// Its name.
    pub name: String,
    /// When it ends.
    pub end: StageEnd,
    /// Step and solver.
    pub numerics: Numerics,
    /// Where the step was typed.
    pub step_span: Span,
    /// What changes in the packing when it begins.
    pub changes: Vec<Change>,
}

/// When a stage ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum StageEnd {
    /// After this number of steps.
    Steps(u64),
    /// When everything rests.
    AtRest {
        /// Largest unbalanced force over the mean contact force.
        limit: f64,
        /// When it has not come to rest by then, the stage ends, and the run with it unless it goes on.
        max_steps: u64,
        /// Grains and pistons are stopped after this number of steps, after twice and four times as many, and so on.
        stop_after: Option<u64>,
        /// Whether the run goes on with the next stage where it has not come to rest.
        goes_on: bool,
    },
}

impl StageEnd {
    /// The most steps it can take.
    pub fn most_steps(self) -> u64 {
        match self {
            Self::Steps(steps) => steps,
            Self::AtRest { max_steps, .. } => max_steps,
        }
    }
}

/// Step and solver.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Numerics {
    /// The time step h.
    pub step: f64,
    /// How contact forces are found.
    pub solver: SolverPlan,
    /// Below this speed nothing bounces.
    pub rest_speed: f64,
}

impl Numerics {
    /// Steps of this length with this solver: quasi-inelastic shocks, each step from the reactions of the last, bounces at any speed.
    pub fn new(step: f64, kind: SolverKind) -> Self {
        Self { step, solver: SolverPlan { kind, shock: Shock::QuasiInelastic, warm: true }, rest_speed: 0.0 }
    }
}

/// How contact forces are found.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SolverPlan {
    /// Which solver.
    pub kind: SolverKind,
    /// What happens to overlaps.
    pub shock: Shock,
    /// Whether a step starts from the reactions of the last one.
    pub warm: bool,
}

/// Something that a stage changes in the packing.
#[derive(Clone, Debug, PartialEq)]
pub enum Change {
    /// Gravity.
    Gravity(Place),
    /// Friction and restitution of pairs without their own.
    Surface(Surface),
    /// The value of a force, by its number.
    Force(usize, Place),
    /// The velocity of a wall, by its number.
    WallVelocity(usize, Place),
    /// What presses a piston, by its number, and where that was typed.
    PistonLoad(usize, Load, Span),
    /// The mass of a piston, by its number.
    PistonMass(usize, f64),
    /// The speed of a piston, by its number.
    PistonSpeed(usize, f64),
}
