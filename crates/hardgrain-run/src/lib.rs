//! A scene becomes a run: stages one after the other, records, checkpoints, resuming, and how rigid it was.
//!
//! [`start`] prepares a folder and [`resume`] goes on in one; both give a [`Run`] whose [`go`](Run::go) makes the steps
//! and ends with a [`Summary`]. Whatever happens on the way, the folder can be resumed and ends with the same bits.

mod audit;
mod calibration;
mod check;
mod columns;
mod cost;
mod course;
mod drive;
mod energy;
mod error;
mod folder;
mod forecast;
mod frames;
mod history;
mod kept;
mod problems;
mod progress;
mod records;
mod rest;
mod rigidity;
mod run;
mod settle;
mod soft;
mod solve;
mod stepping;
mod study;
mod summary;
mod threads;

pub use audit::{
    Audit, AuditPlan, By, Checked, Class, Judged, LEVELS, Number, Observed, RingsAtTimes, Told, Undecidable, What,
    audit,
};
pub use calibration::Calibration;
pub use check::{Check, Thing};
pub use error::RunError;
pub use folder::{Held, Sharing, shown};
pub use forecast::Forecast;
pub use history::Moment;
pub use kept::{Kept, kept};
pub use problems::{check_problems, missed_problems, unmade_problems};
pub use progress::StageDone;
pub use rigidity::{Advice, Basis, Boundary, Energy, Overlap, Rigidity, in_theory};
pub use run::{Ended, Finish, Glance, Observer, Resumed, Run, Unobserved, resume, start};
pub use settle::{Seen, Settled, settle};
pub use solve::{Answer, solve};
pub use study::{
    Cell, Gathered, Kind, LOGS, Line, MANY, Observable, Outcome, Slurm, Status, Study, StudyTold, Varied, Work,
    together,
};
pub use summary::{RecordShare, Summary};
