//! What a scene means: its groups, walls, pistons, stages and records, checked.

use super::at::Span;
use super::column::Column;
use super::distribution::Radii;
use super::values::Place;
use crate::State;
use hardgrain::soft::{Integrator, Scale, Spring, SpringLaw};
use hardgrain::{Motion, Order, Shock, Stop, Surface};
use std::ops::Range;

/// A group of grains.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name; empty for none.
    pub label: String,
    /// How many grains.
    pub count: usize,
    /// Their radii; nothing where a file has them.
    pub radii: Option<Radii>,
    /// What they weigh.
    pub weight: Weight,
    /// Velocity at the start.
    pub velocity: Place,
    /// Angular velocity at the start.
    pub spin: Place,
    /// Free, fixed or prescribed.
    pub motion: Motion,
    /// Prescribed rotation of the whole group.
    pub rotation: Option<Rotation>,
    /// What they are made of; empty for nothing special.
    pub material: String,
    /// Overlap at the start that is let pass, over the smaller radius.
    pub overlap_allowed: f64,
    /// Where they are.
    pub arrangement: Arrangement,
    /// Where that was typed.
    pub span: Span,
    /// Where the radius was typed.
    pub radius_span: Span,
}

/// What grains weigh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Weight {
    /// Each this much.
    Mass(f64),
    /// So much per length, area or volume.
    Density(f64),
}

/// A rotation of a whole group about a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    /// The point.
    pub centre: Place,
    /// Angular velocity: the first component in the plane, all three in space.
    pub rate: Place,
}

/// Where grains are.
#[derive(Clone, Debug)]
pub enum Arrangement {
    /// One behind the other.
    Row(Row),
    /// In rows and columns.
    Grid(Grid),
    /// On a lattice.
    Lattice(Grid, LatticePlan),
    /// By chance, without overlap.
    Loose(Loose),
    /// On a circle.
    Ring(Ring),
    /// As a file says: its name, and a place and radius for each.
    File(String, Vec<(Place, Option<f64>)>),
}

/// One behind the other.
#[derive(Clone, Copy, Debug)]
pub struct Row {
    /// The first centre.
    pub first: Place,
    /// From one to the next.
    pub spacing: Place,
}

/// In rows and columns.
#[derive(Clone, Copy, Debug)]
pub struct Grid {
    /// How many along each axis.
    pub counts: [usize; 3],
    /// The first centre.
    pub first: Place,
    /// Distance along each axis.
    pub spacing: Place,
}

/// Which lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatticePlan {
    /// Rows upon each other.
    Square,
    /// Every other row moved by half a distance.
    Triangular,
    /// Cubes with a grain in the middle of each face.
    Fcc,
}

/// By chance, without overlap, inside bounds.
#[derive(Clone, Copy, Debug)]
pub struct Loose {
    /// Lower corner.
    pub lower: Place,
    /// Upper corner.
    pub upper: Place,
}

/// On a circle.
#[derive(Clone, Copy, Debug)]
pub struct Ring {
    /// Its centre.
    pub centre: Place,
    /// Its radius.
    pub radius: f64,
}

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

/// A part of a run.
#[derive(Clone, Debug)]
pub struct Stage {
    /// Its name.
    pub name: String,
    /// When it ends.
    pub end: End,
    /// Step and solver.
    pub numerics: Numerics,
    /// Where the step was typed.
    pub step_span: Span,
    /// What changes in the packing when it begins.
    pub changes: Vec<Change>,
}

/// A packing to start from.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The file it was read from, as it was typed.
    pub path: String,
    /// The packing.
    pub state: State,
    pub(crate) span: Span,
}

/// When a stage ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum End {
    /// After so many steps.
    Steps(u64),
    /// When everything rests.
    AtRest {
        /// Largest unbalanced force over the mean contact force.
        limit: f64,
        /// When it has not come to rest by then, the run ends.
        max_steps: u64,
        /// Everything is stopped after so many steps, twice as many, four times as many and so on.
        stop_after: Option<u64>,
    },
}

impl End {
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

/// A solver with its settings.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum SolverKind {
    /// Sweeps over the contacts.
    GaussSeidel(Order, Stop),
    /// Accelerated sweeps; a tolerance is one on the force error.
    Accelerated(Stop),
    /// To the rigid limit, by factorisation.
    Rigid {
        /// What the contacts may miss of their laws, over what there is to be solved.
        tolerance: f64,
        /// Accelerated sweeps that help at most, and as many again where it is handed over to them.
        max_sweeps: u32,
    },
    /// Exact, on a line.
    Pooling,
    /// No solver: soft grains.
    Soft(SoftPlan),
}

/// How soft grains meet and go on.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftPlan {
    /// Their springs.
    pub strength: Strength,
    /// How positions and velocities go on.
    pub integrator: Integrator,
    /// Whether those that have touched once hold on to each other.
    pub bonded: bool,
    /// Whether a step that is too long is made all the same.
    pub allow_unstable: bool,
}

/// How the springs of soft grains are given.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Strength {
    /// By their numbers.
    Springs {
        /// Stiffness and damping.
        spring: Spring,
        /// What they are counted in.
        scale: Scale,
        /// How the reaction grows with the overlap.
        law: SpringLaw,
    },
    /// By how long a collision takes; what is left of its speed is the restitution of each pair.
    Collisions {
        /// How long.
        contact_time: f64,
    },
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

/// What is written down.
#[derive(Clone, Debug, Default)]
pub struct Record {
    /// series.csv.
    pub series: Option<SeriesPlan>,
    /// Frames for ParaView.
    pub frames: Option<FramePlan>,
    /// A checkpoint every so many steps; otherwise by the clock.
    pub checkpoint: Option<u64>,
}

/// The table series.csv.
#[derive(Clone, Debug)]
pub struct SeriesPlan {
    /// A row every so many steps.
    pub every: u64,
    /// Its columns.
    pub columns: Vec<Column>,
}

/// Frames for ParaView.
#[derive(Clone, Copy, Debug)]
pub struct FramePlan {
    /// One every so many steps.
    pub every: u64,
    /// With contacts.
    pub contacts: bool,
}
