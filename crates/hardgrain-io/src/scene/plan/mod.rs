//! The checked scene: groups, walls, pistons, stages and records whose every value makes sense.

mod grains;
mod parts;
mod scene;
mod stage;

pub use grains::{
    Arrangement, GridPlan, Group, LARGEST_PACKING, LatticePlan, LoosePlan, MassPlan, RingPlan, RotationPlan, RowPlan,
};
pub use parts::{ContactPlan, ForcePlan, Load, PairPlan, PistonPlan, WallPlan};
pub use scene::{FramePlan, RecordPlan, Scene, SeriesPlan, Start};
pub use stage::{Change, Numerics, REST_STEPS, SoftPlan, SolverKind, SolverPlan, SpringPlan, StageEnd, StagePlan};
