//! The end of a run, from which its report is made.

use super::faults::{NumericalFault, faults};
use crate::simulation::progress::{RIGID, Totals};
use hardgrain::{Dimension, Packing, Threads};
use hardgrain_io::scene::{Numerics, Scene};
use hardgrain_rigid::Certificate;

/// The data at the end of a run.
pub(crate) struct RunEnd<'a, D: Dimension> {
    pub scene: &'a Scene,
    pub packing: &'a Packing<D>,
    pub numerics: &'a Numerics,
    pub totals: &'a Totals,
    pub certificate: Option<&'a Certificate>,
    pub wall_time: f64,
    /// On which other solvers are tried.
    pub threads: Threads,
    /// Number of stages begun.
    pub begun: usize,
    /// The stage that did not come to rest, if there is one.
    pub restless: Option<&'a str>,
}

impl<'a, D: Dimension> RunEnd<'a, D> {
    /// Known faults that showed in the run, each with the names of the begun stages that have it.
    pub(super) fn faults(&self, diameter: f64) -> Vec<(NumericalFault, Vec<&'a str>)> {
        let begun = &self.scene.stages[..self.begun.clamp(1, self.scene.stages.len())];
        let mut all = faults(begun, D::AXES, self.totals.not_converged == 0);
        all.retain(|(fault, _)| fault.is_seen(self.totals, diameter));
        all
    }

    /// The verdict on a known fault of the last stage that showed in the run and is not like springs.
    pub(super) fn spoiled(&self, diameter: f64) -> Option<&'static str> {
        let faults = NumericalFault::find(self.numerics, D::AXES, self.totals.not_converged == 0);
        faults
            .into_iter()
            .filter(|fault| fault.is_seen(self.totals, diameter))
            .find_map(|fault| fault.verdict(self.totals))
    }

    /// Whether more than 1 % of the steps missed their tolerance.
    pub(super) fn often_missed(&self) -> bool {
        self.totals.not_converged as f64 > RIGID * self.totals.steps as f64
    }
}
