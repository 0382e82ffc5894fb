//! Running scenes: stages, records, checkpoints, resuming, and the report on how rigid the grains were.
//!
//! [`start`] prepares a folder and [`resume`] continues in one; both return a [`Run`] whose [`go`](Run::go) makes the steps
//! and ends with a [`Summary`]. A run can be interrupted at any time: resumed, it ends with the same bits.
//! [`run_in_memory`] makes the same steps without a folder.

/// The door from a scene, whose dimension is a number, to code whose dimension is a type: `$value` with the dimension as `$D`.
macro_rules! in_dimension {
    ($scene:expr, $D:ident => $value:expr) => {
        match $scene.dimension {
            1 => {
                type $D = hardgrain::Line;
                $value
            }
            2 => {
                type $D = hardgrain::Plane;
                $value
            }
            _ => {
                type $D = hardgrain::Space;
                $value
            }
        }
    };
}

mod audit;
mod calibration;
mod check;
mod cost;
mod error;
mod folder;
mod forecast;
mod problems;
mod rigidity;
mod simulation;
mod solve;
mod study;

pub use audit::{
    Audit, AuditPlan, AuditProgress, Class, Judgement, LEVELS, Observed, RefinedBy, RigidCheck, RingsAtTimes,
    Statistic, Undecidable, audit,
};
pub use calibration::Calibration;
pub use check::{SceneCheck, SceneItem};
pub use error::RunError;
pub use folder::finished::{FinishedRun, finished_run};
pub use folder::run::{Ended, Resumed, resume, start};
pub use folder::stepping::{Finish, Run};
pub use folder::summary::{RecordShare, Summary};
pub use folder::{FolderLock, Sharing, shown};
pub use forecast::Forecast;
pub use hardgrain_analysis::Estimate;
pub use problems::{check_problems, missed_problems, unmade_problems};
pub use rigidity::{Advice, Basis, BoundaryLoad, Overlap, Rigidity, theory_order};
pub use simulation::energy::EnergyBalance;
pub use simulation::history::Moment;
pub use simulation::in_memory::{InMemoryRun, run_in_memory};
pub use simulation::observer::{Glance, Observer, Unobserved};
pub use simulation::progress::StageDone;
pub use solve::{MethodResult, solve};
pub use study::{
    LOGS, MANY, Observable, RunOutcome, RunQueue, RunRow, RunStatus, Slurm, Study, StudyKind, StudyProgress,
    StudyTable, VariedKey, jobs_and_threads,
};
