//! A scene becomes a run: stages one after the other, records, checkpoints, resuming, and how rigid it was.
//!
//! [`start`] prepares a folder and [`resume`] goes on in one; both give a [`Run`] whose [`go`](Run::go) makes the steps
//! and ends with a [`Summary`]. Whatever happens on the way, the folder can be resumed and ends with the same bits.

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
    Audit, AuditPlan, By, Checked, Class, Judged, LEVELS, Number, Observed, RingsAtTimes, Told, Undecidable, What,
    audit,
};
pub use calibration::Calibration;
pub use check::{Check, Thing};
pub use error::RunError;
pub use folder::finished::{Kept, kept};
pub use folder::run::{Ended, Resumed, resume, start};
pub use folder::stepping::{Finish, Run};
pub use folder::summary::{RecordShare, Summary};
pub use folder::{Held, Sharing, shown};
pub use forecast::Forecast;
pub use problems::{check_problems, missed_problems, unmade_problems};
pub use rigidity::{Advice, Basis, Boundary, Energy, Overlap, Rigidity, in_theory};
pub use simulation::history::Moment;
pub use simulation::in_memory::{Seen, Settled, settle};
pub use simulation::observer::{Glance, Observer, Unobserved};
pub use simulation::progress::StageDone;
pub use solve::{Answer, solve};
pub use study::{
    Cell, Gathered, Kind, LOGS, Line, MANY, Observable, Outcome, Slurm, Status, Study, StudyTold, Varied, Work,
    together,
};
