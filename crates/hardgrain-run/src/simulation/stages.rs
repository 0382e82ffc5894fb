//! How stages end.

use super::progress::{Ending, StageDone};
use super::rest::{stop_all, stop_rattlers};
use super::{MadeStep, Simulation};
use hardgrain::{Dimension, Packing};
use hardgrain_io::scene::{REST_STEPS, SolverKind, StageEnd};
use hardgrain_rigid::Certificate;

/// Whether `steps` is `first` times a power of two.
fn stops(steps: u64, first: u64) -> bool {
    steps.is_multiple_of(first) && (steps / first).is_power_of_two()
}

impl<D: Dimension> Simulation<D> {
    /// Ends the stage if this step was its last.
    pub(crate) fn conclude(&mut self, made: &MadeStep) {
        let steps = self.progress.stage_steps;
        match self.scene.stages[made.stage].end {
            StageEnd::Steps(most) if steps < most => {}
            StageEnd::Steps(_) => self.end_stage(made, None),
            StageEnd::AtRest { limit, max_steps, stop_after, goes_on } => {
                let calm = made.unbalanced.is_some_and(|force| force < limit);
                self.progress.calm = if calm { self.progress.calm + 1 } else { 0 };
                let is_last = steps >= max_steps;
                if self.progress.calm >= REST_STEPS {
                    self.end_stage(made, Some(true));
                } else if is_last && !goes_on {
                    self.progress.ended = Some(Ending::NotAtRest(self.scene.stages[made.stage].name.clone()));
                    self.end_stage(made, Some(false));
                } else {
                    if stop_after.is_some_and(|first| stops(steps, first)) && self.progress.calm == 0 {
                        self.stopping(|packing| stop_all(packing));
                    }
                    if is_last {
                        self.end_stage(made, Some(false));
                    }
                }
            }
        }
    }

    /// Stops grains by hand, and books the energy lost.
    fn stopping<T>(&mut self, stop: impl FnOnce(&mut Packing<D>) -> T) -> T {
        let stopped = stop(&mut self.packing);
        self.progress.totals.energy.stop(self.packing.kinetic_energy());
        stopped
    }

    /// Ends the stage whose last step this is.
    pub(super) fn end_stage(&mut self, made: &MadeStep, at_rest: Option<bool>) {
        self.certificate = self.certify(made);
        self.leave_stage(made.unbalanced.filter(|_| at_rest.is_some()), at_rest);
    }

    /// Goes on to the next stage.
    pub(super) fn leave_stage(&mut self, unbalanced: Option<f64>, at_rest: Option<bool>) {
        let rattlers_stopped = if at_rest == Some(true) { self.stopping(stop_rattlers) } else { 0 };
        let (name, steps) = (self.scene.stages[self.progress.stage].name.clone(), self.progress.stage_steps);
        self.progress.stages.push(StageDone { name, steps, at_rest, unbalanced, rattlers_stopped });
        self.progress.stage += 1;
        (self.progress.stage_steps, self.progress.calm) = (0, 0);
        (self.present, self.last) = (None, None);
    }

    /// The certificate of a step, if the rigid solver made it.
    pub(super) fn certify(&self, made: &MadeStep) -> Option<Certificate> {
        let SolverKind::Rigid { .. } = self.scene.stages[made.stage].numerics.solver.kind else { return None };
        let certificate = self.problem().map(Certificate::compute);
        // Without convergence the error estimate, a first-order one, does not hold.
        certificate.map(|known| if made.report.converged() == Some(false) { known.unsure() } else { known })
    }
}
