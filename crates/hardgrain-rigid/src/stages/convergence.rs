//! Whether an interior-point stage still makes progress, and when sweeps may finish it.

use crate::network::Network;
use crate::tuning::Tuning;

/// The errors and gaps of a stage so far, and the error below which sweeps try to finish it.
pub(crate) struct Convergence {
    tuning: Tuning,
    errors: Vec<f64>,
    gaps: Vec<f64>,
    pub(crate) trial: f64,
}

impl Convergence {
    pub(crate) fn new<const N: usize>(net: &impl Network<N>) -> Self {
        let tuning = *net.tuning();
        let trial = (tuning.trial * net.cost().sweeps).clamp(tuning.trial_limits.0, tuning.trial_limits.1);
        Self { tuning, errors: Vec::new(), gaps: Vec::new(), trial }
    }

    /// Whether errors, or the gap, have stopped falling.
    pub(crate) fn stalled(&mut self, error: f64, gap: f64) -> bool {
        self.errors.push(error);
        self.gaps.push(gap);
        let leaves = |values: &[f64], (back, share): (usize, f64)| {
            let then = values.len().checked_sub(1 + back);
            then.is_some_and(|then| values[values.len() - 1] > share * values[then])
        };
        let Tuning { stalled_error, stalled_gap, .. } = self.tuning;
        !error.is_finite() || leaves(&self.errors, stalled_error) || leaves(&self.gaps, stalled_gap)
    }

    /// Whether the last iteration has gained next to nothing, or done harm.
    pub(crate) fn rises(&self) -> bool {
        let count = self.errors.len();
        count > 1 && self.errors[count - 1] > self.tuning.gradients_rise * self.errors[count - 2]
    }

    pub(crate) fn forget(&mut self) {
        self.errors.clear();
        self.gaps.clear();
    }

    /// Whether errors have stopped falling with the gap: this stage cannot remove the rest.
    pub(crate) fn exhausted(&self) -> bool {
        let Some(then) = self.errors.len().checked_sub(1 + self.tuning.exhausted) else { return false };
        let falls = |values: &[f64]| values.last().map_or(1.0, |now| values[then] / now);
        let gap = falls(&self.gaps);
        gap > 1.0 && falls(&self.errors) < gap.sqrt().sqrt().sqrt()
    }
}
