//! Running scenes: stages, records, checkpoints, resuming, and the report on how rigid the grains were.
//!
//! A [`Simulation`] is a packing that steps through the stages of a scene, in memory. [`start`] prepares a folder and [`resume`]
//! continues in one; both return a [`Run`] whose [`go`](Run::go) makes the steps of such a simulation, writes its records and ends with a
//! [`Summary`]. Either can be interrupted at any time: continued, it ends with the same bits.

mod audit;
mod calibration;
mod check;
mod cost;
mod error;
mod folder;
mod forecast;
mod problems;
mod progress;
mod rigidity;
mod simulation;
mod solve;
mod study;

pub use audit::{
    Audit, AuditPlan, Class, Judgement, LEVELS, Observed, RefinedBy, RigidCheck, RingsAtTimes, Statistic, Undecidable,
    audit,
};
pub use calibration::Calibration;
pub use check::{SceneCheck, SceneItem};
pub use error::RunError;
pub use folder::finished::{FinishedRun, finished_run};
pub use folder::run::{Ended, Resumed, resume, start, write_scene};
pub use folder::stepping::{Finish, Run};
pub use folder::summary::{RecordShare, Summary};
pub use folder::{FolderLock, Sharing, shown};
pub use forecast::Forecast;
pub use hardgrain_analysis::Estimate;
pub use hardgrain_io::scene::{Numerics, SolverKind, SolverPlan};
pub use problems::{check_problems, missed_problems, unmade_problems};
pub use progress::{Progress, Unwatched};
pub use rigidity::{Advice, Basis, BoundaryLoad, Overlap, Rigidity, theory_order};
pub use simulation::contacts::Contacts;
pub use simulation::energy::EnergyBalance;
pub use simulation::history::Moment;
pub use simulation::observer::{Glance, Observer, Unobserved};
pub use simulation::progress::{Ending, StageDone, Totals};
pub use simulation::{Halt, Simulation, Until};
pub use solve::{MethodResult, solve};
pub use study::{
    LOGS, MANY, Observable, RunOutcome, RunQueue, RunRow, RunStatus, Slurm, Study, StudyKind, StudyTable, VariedKey,
    jobs_and_threads,
};

/// The programs in the README are compiled and run with the tests.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
