//! The progress of a run: all of it is state and stands in checkpoints.

use super::energy::EnergyBalance;
use super::history::History;
use hardgrain::{Status, StepReport};
use serde::{Deserialize, Serialize};

/// A step whose relative force error is at most this is called rigid.
pub(crate) const RIGID: f64 = 0.01;

/// Position of a run in its stages, and what it has accumulated.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct RunProgress {
    /// The current stage, and how many of its steps are made.
    pub stage: usize,
    pub stage_steps: u64,
    /// Number of successive steps in which every force was balanced.
    pub calm: u32,
    pub ended: Option<Ending>,
    pub stages: Vec<StageDone>,
    pub totals: Totals,
    pub history: History,
    /// Seconds of all sittings: in total, and for records.
    pub wall_time: f64,
    pub record_time: f64,
    pub record_bytes: u64,
    pub resumed: u32,
}

/// How a run ended.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) enum Ending {
    /// All stages are done.
    Finished,
    /// A stage that should end at rest did not reach it. Later stages were not run.
    NotAtRest(String),
}

/// A finished stage.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageDone {
    /// Its name.
    pub name: String,
    /// Steps made.
    pub steps: u64,
    /// Whether it came to rest, if it should.
    pub at_rest: Option<bool>,
    /// Largest unbalanced force over the mean contact force at its end, if it should come to rest.
    pub unbalanced: Option<f64>,
    /// Rattlers that were stopped at its end.
    pub rattlers_stopped: u64,
}

/// Sums over all steps, and values of the last one.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Totals {
    pub steps: u64,
    pub sweeps: u64,
    pub not_converged: u64,
    pub missed: u64,
    pub overlap_largest: f64,
    pub overlap_max: f64,
    pub overlap_mean: f64,
    pub residual: f64,
    pub residual_largest: f64,
    pub force_error: f64,
    pub damping: f64,
    pub last_sweeps: u32,
    pub factorisations: u64,
    pub fell_back: u64,
    /// Steps with a relative force error of at most 1 %.
    pub right: u64,
    pub energy: EnergyBalance,
}

impl Totals {
    pub(crate) fn add(&mut self, report: &StepReport) {
        self.steps += 1;
        self.sweeps += u64::from(report.sweeps);
        self.not_converged += u64::from(report.status == Status::NotConverged);
        self.factorisations += u64::from(report.factorisations);
        self.fell_back += u64::from(report.fell_back);
        self.missed += report.missed as u64;
        self.right += u64::from(report.force_error <= RIGID);
        self.overlap_largest = self.overlap_largest.max(report.overlap_max);
        self.residual_largest = self.residual_largest.max(report.residual);
        (self.overlap_max, self.overlap_mean) = (report.overlap_max, report.overlap_mean);
        (self.residual, self.force_error) = (report.residual, report.force_error);
        (self.damping, self.last_sweeps) = (report.damping, report.sweeps);
    }
}
