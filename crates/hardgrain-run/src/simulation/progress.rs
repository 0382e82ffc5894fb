//! The progress of a run: all of it is state and stands in checkpoints.

use super::energy::EnergyBalance;
use super::history::History;
use hardgrain::{Status, StepReport};
use hardgrain_io::checkpoint::SectionKind;
use serde::{Deserialize, Serialize};

/// The section of a checkpoint that holds it.
pub(crate) const PROGRESS: SectionKind = SectionKind::optional("progress", 1);

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
pub enum Ending {
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

/// Sums over all steps, and values of the last one. Its fields stand in checkpoints in this order.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Totals {
    /// Steps made.
    pub steps: u64,
    /// Sweeps made.
    pub sweeps: u64,
    /// Steps that missed their tolerance.
    pub not_converged: u64,
    /// Contacts that the search missed.
    pub missed: u64,
    /// Largest overlap of all steps.
    pub overlap_largest: f64,
    /// Largest overlap of the last step.
    pub overlap_max: f64,
    /// Mean overlap of the contacts of the last step.
    pub overlap_mean: f64,
    /// Residual of the last step.
    pub residual: f64,
    /// Largest residual of all steps.
    pub residual_largest: f64,
    /// Relative force error of the last step.
    pub force_error: f64,
    /// The factor by which the last step's sweeps were damped.
    pub damping: f64,
    /// Sweeps of the last step.
    pub last_sweeps: u32,
    /// Factorisations of the rigid solver.
    pub factorisations: u64,
    /// Steps in which the rigid solver fell back to accelerated sweeps.
    pub fell_back: u64,
    /// Steps with a relative force error of at most 1 %.
    pub right: u64,
    /// The energy balance.
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
