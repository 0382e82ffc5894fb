//! What an audit has found.

use super::judge::Judgement;
use super::look::Statistic;
use super::plan::{LEVELS, RefinedBy};
use hardgrain_analysis::Estimate;
use serde::Serialize;

/// One value of one column.
#[derive(Clone, Debug, Serialize)]
pub struct Observed {
    /// The column.
    pub column: String,
    /// What of it.
    pub what: Statistic,
    /// What it is, and why.
    #[serde(flatten)]
    pub judged: Judgement,
    /// With the rigid solver, over seeds; nothing where it was not asked or did not converge.
    pub rigid: Option<Estimate>,
    /// Whether the limit agrees with it, within its error.
    pub agrees: Option<bool>,
}

/// A column in which single runs say nothing.
#[derive(Clone, Debug, Serialize)]
pub struct Undecidable {
    /// The column.
    pub column: String,
    /// How far apart runs at the two finest levels are, root mean square.
    pub levels: f64,
    /// How far apart runs with different seeds are.
    pub seeds: f64,
}

/// A column that rings at some levels, or with some seeds only.
#[derive(Clone, Debug, Serialize)]
pub struct RingsAtTimes {
    /// The column.
    pub column: String,
    /// With how many seeds, at each level.
    pub seeds: [usize; LEVELS],
}

impl RingsAtTimes {
    /// Whether it rings with most of so many seeds where the scene is as it is, not more often at finer levels, and with few at
    /// the last one.
    pub fn vanishes(&self, all: usize) -> bool {
        let [first, second, third] = self.seeds;
        2 * first > all && first >= second && second >= third && 2 * third < all
    }
}

/// How the rigid solver did.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RigidCheck {
    /// Steps made with it.
    pub steps: u64,
    /// Those that did not converge.
    pub missed: u64,
}

/// What an audit found.
#[derive(Clone, Debug, Serialize)]
pub struct Audit {
    /// What the scene says it is.
    pub title: String,
    /// What was varied.
    pub by: RefinedBy,
    /// Sweeps or steps.
    pub levels: [f64; LEVELS],
    /// The stage from which on they were varied.
    pub from: String,
    /// Seeds.
    pub seeds: u32,
    /// The mean diameter of the grains.
    pub diameter: f64,
    /// What is known to go wrong with its numerics, in words.
    pub warnings: Vec<String>,
    /// Recorded columns that say something of the solver or of time, and nothing of the packing.
    pub left_out: Vec<String>,
    /// What was seen, by columns.
    pub observed: Vec<Observed>,
    /// Columns whose single runs say nothing.
    pub undecidable: Vec<Undecidable>,
    /// Columns that ring at some levels, or with some seeds only.
    pub ring_at_times: Vec<RingsAtTimes>,
    /// How the rigid solver did, where it was asked.
    pub checked: Option<RigidCheck>,
}
