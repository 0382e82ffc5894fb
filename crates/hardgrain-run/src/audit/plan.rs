//! What an audit varies, and what it says while it works.

use serde::Serialize;

/// Each level has twice the sweeps of the one before, or half its step.
pub const LEVELS: usize = 3;

/// What is varied.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefinedBy {
    /// The number of sweeps: N, 2N, 4N.
    Sweeps,
    /// The time step: h, h/2, h/4.
    Step,
}

/// What an audit is to do.
#[derive(Clone, Debug)]
pub struct AuditPlan {
    /// What to vary; nothing leaves it to the scene: sweeps where a fixed number of them is made, else the step.
    pub by: Option<RefinedBy>,
    /// The stage from which on it is varied; the last one if none is named.
    pub from: Option<String>,
    /// How many seeds, the scene's own being the first.
    pub seeds: u32,
    /// Whether what changes is held against the rigid solver.
    pub check: bool,
}

/// What an audit tells while it works. From several threads.
#[derive(Clone, Copy, Debug)]
pub enum AuditProgress<'a> {
    /// So many runs are to come.
    Begin(u64),
    /// One of them is done.
    Done,
    /// What one of them does.
    Doing {
        /// Its seed.
        seed: u64,
        /// Its stage.
        stage: &'a str,
        /// Steps made, in all.
        step: u64,
    },
}
