//! The plan of an audit.

use serde::Serialize;

/// Number of levels; each has twice the sweeps of the one before, or half its step.
pub const LEVELS: usize = 3;

/// What differs between levels.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum RefinedBy {
    /// The number of sweeps: N, 2N, 4N.
    Sweeps,
    /// The time step: h, h/2, h/4.
    Step,
}

/// The plan of an audit.
#[derive(Clone, Debug)]
pub struct AuditPlan {
    /// What to vary; by default sweeps where their number is fixed, else the step.
    pub by: Option<RefinedBy>,
    /// The first varied stage; the last one by default.
    pub from: Option<String>,
    /// Number of seeds, the scene's own being the first.
    pub seeds: u32,
    /// Whether limits are compared with the rigid solver.
    pub check: bool,
}
