//! The results of an audit.

use super::judge::Judgement;
use super::plan::{LEVELS, RefinedBy};
use super::statistics::Statistic;
use hardgrain_analysis::Estimate;
use serde::Serialize;

/// One statistic of one column.
#[derive(Clone, Debug, Serialize)]
pub struct Observed {
    /// The column.
    pub column: String,
    /// The statistic.
    pub what: Statistic,
    /// Its values and their classification.
    #[serde(flatten)]
    pub judged: Judgement,
    /// Its mean with the rigid solver, over seeds; none where that was not used or did not converge.
    pub rigid: Option<Estimate>,
    /// Whether the limit agrees with the rigid solver within its error.
    pub agrees: Option<bool>,
}

/// A column in which single runs cannot decide.
#[derive(Clone, Debug, Serialize)]
pub struct Undecidable {
    /// The column.
    pub column: String,
    /// Root mean square distance between runs at the two finest levels.
    pub levels: f64,
    /// Root mean square distance between runs with different seeds.
    pub seeds: f64,
}

/// A column that rings only at some levels or with some seeds.
#[derive(Clone, Debug, Serialize)]
pub struct RingsAtTimes {
    /// The column.
    pub column: String,
    /// Number of seeds with which it rings, at each level.
    pub seeds: [usize; LEVELS],
}

impl RingsAtTimes {
    /// Whether it rings with most of `all` seeds at the level of the scene, not more often at finer levels, and with few at the
    /// last one.
    pub fn vanishes(&self, all: usize) -> bool {
        let [first, second, third] = self.seeds;
        2 * first > all && first >= second && second >= third && 2 * third < all
    }
}

/// Convergence of the rigid solver.
#[derive(Clone, Copy, Debug, Serialize)]
pub struct RigidCheck {
    /// Steps made with it.
    pub steps: u64,
    /// Steps that did not converge.
    pub missed: u64,
}

/// The result of an audit.
#[derive(Clone, Debug, Serialize)]
pub struct Audit {
    /// Title of the scene.
    pub title: String,
    /// What was varied.
    pub by: RefinedBy,
    /// Sweeps or time steps of the levels.
    pub levels: [f64; LEVELS],
    /// The first varied stage.
    pub from: String,
    /// Number of seeds.
    pub seeds: u32,
    /// The mean diameter of the grains.
    pub diameter: f64,
    /// Warnings about the numerics of the scene.
    pub warnings: Vec<String>,
    /// Recorded columns about the solver or time, which are not compared.
    pub left_out: Vec<String>,
    /// Statistics, by columns.
    pub observed: Vec<Observed>,
    /// Columns in which single runs cannot decide.
    pub undecidable: Vec<Undecidable>,
    /// Columns that ring only at some levels or with some seeds.
    pub ring_at_times: Vec<RingsAtTimes>,
    /// Convergence of the rigid solver, where it was used.
    pub checked: Option<RigidCheck>,
}
