//! How far a run is: all of it is state and lies in checkpoints.

use crate::history::History;
use crate::rigidity::RIGID;
use hardgrain::{Status, StepReport};
use hardgrain_io::State;
use serde::{Deserialize, Serialize};

/// What a checkpoint holds.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct Saved {
    pub packing: State,
    pub progress: Progress,
    pub lengths: Lengths,
}

/// How long the growing files were.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Lengths {
    pub series: u64,
    pub grains: u64,
    pub contacts: u64,
}

/// Where a run is and what it has seen.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Progress {
    /// The present stage, and how many of its steps are made.
    pub stage: usize,
    pub stage_steps: u64,
    /// For how many steps everything has been in balance.
    pub calm: u32,
    pub ended: Option<Ending>,
    pub stages: Vec<StageDone>,
    pub totals: Totals,
    pub history: History,
    /// Seconds of earlier sittings and this one, in all and for records.
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
    /// A stage that was to end at rest did not come to rest. Later stages were not run.
    NotAtRest(String),
}

/// A stage that is over.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StageDone {
    /// Its name.
    pub name: String,
    /// Steps made.
    pub steps: u64,
    /// Whether it came to rest, if it was to.
    pub at_rest: Option<bool>,
    /// Largest unbalanced force over the mean contact force at its end, if it was to come to rest.
    pub unbalanced: Option<f64>,
    /// Rattlers that were stopped at its end.
    pub rattlers_stopped: u64,
}

/// Sums over all steps, and the last one.
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
    pub handed_over: u64,
    /// Steps in which forces were right to a percent.
    pub right: u64,
    pub energy: Account,
}

/// A difference of energies that is so small a share of them is none.
const ROUNDING: f64 = 1e-14;

/// Where energy went.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct Account {
    /// Kinetic energy before the first step, and now.
    pub first: f64,
    pub now: f64,
    /// What loads and driven walls have put in.
    pub put_in: f64,
    /// What contacts took, and gave back, in steps in which they did.
    pub taken: f64,
    pub given_back: f64,
    /// What was lost when grains were stopped by hand.
    pub stopped: f64,
}

impl Account {
    /// Before the first step.
    pub(crate) fn open(kinetic: f64) -> Self {
        Self { first: kinetic, now: kinetic, ..Self::default() }
    }

    /// After a step in which so much was put in.
    pub(crate) fn step(&mut self, put_in: f64, kinetic: f64) {
        let taken = put_in - (kinetic - self.now);
        // What flies freely costs contacts nothing but rounding.
        let is_rounding = taken.abs() <= ROUNDING * (put_in.abs() + kinetic + self.now);
        let taken = if is_rounding { 0.0 } else { taken };
        self.put_in += put_in;
        self.taken += taken.max(0.0);
        self.given_back += (-taken).max(0.0);
        self.now = kinetic;
    }

    /// When a stage has given new velocities.
    pub(crate) fn set(&mut self, kinetic: f64) {
        self.put_in += kinetic - self.now;
        self.now = kinetic;
    }

    /// When grains were stopped.
    pub(crate) fn stop(&mut self, kinetic: f64) {
        self.stopped += self.now - kinetic;
        self.now = kinetic;
    }
}

impl Totals {
    pub(crate) fn add(&mut self, report: &StepReport) {
        self.steps += 1;
        self.sweeps += u64::from(report.sweeps);
        self.not_converged += u64::from(report.status == Status::NotConverged);
        self.factorisations += u64::from(report.factorisations);
        self.handed_over += u64::from(report.handed_over);
        self.missed += report.missed as u64;
        self.right += u64::from(report.force_error <= RIGID);
        self.overlap_largest = self.overlap_largest.max(report.overlap_max);
        self.residual_largest = self.residual_largest.max(report.residual);
        (self.overlap_max, self.overlap_mean) = (report.overlap_max, report.overlap_mean);
        (self.residual, self.force_error) = (report.residual, report.force_error);
        (self.damping, self.last_sweeps) = (report.damping, report.sweeps);
    }
}
