//! How an interior-point stage goes: whether it gets on, and when it may be near enough for sweeps to finish it.

use crate::network::Network;

/// A stage's error below which it is tried to finish at once: this for each sweep that a factorisation costs, since as many are made,
/// and within these limits.
const TRIAL: f64 = 1e-7;
const TRIALS: (f64, f64) = (1e-4, 1e-2);
/// A stage is stuck when so many iterations leave more than this share of the error.
const STUCK: (usize, f64) = (10, 0.7);
/// Or so many more than this share of the gap.
const STANDS: (usize, f64) = (5, 0.9);
/// It is time to solve exactly when an iteration leaves more than this share of it.
const RISES: f64 = 1.0;
/// The convex stage is exhausted when over so many iterations errors fall by less than the eighth root of what the gap does.
const EXHAUSTED: usize = 4;

/// How a stage goes: its errors and gaps so far, and the error below which sweeps are tried.
pub(crate) struct Course {
    errors: Vec<f64>,
    gaps: Vec<f64>,
    pub(crate) trial: f64,
}

impl Course {
    pub(crate) fn of<const N: usize>(net: &impl Network<N>) -> Self {
        let trial = (TRIAL * net.price().sweeps()).clamp(TRIALS.0, TRIALS.1);
        Self { errors: Vec::new(), gaps: Vec::new(), trial }
    }

    /// Whether errors, or the gap, have stopped falling.
    pub(crate) fn stuck(&mut self, error: f64, gap: f64) -> bool {
        self.errors.push(error);
        self.gaps.push(gap);
        let leave = |of: &[f64], (back, share): (usize, f64)| {
            let then = of.len().checked_sub(1 + back);
            then.is_some_and(|then| of[of.len() - 1] > share * of[then])
        };
        !error.is_finite() || leave(&self.errors, STUCK) || leave(&self.gaps, STANDS)
    }

    /// Whether the last iteration has done nearly nothing, or harm.
    pub(crate) fn rises(&self) -> bool {
        let count = self.errors.len();
        count > 1 && self.errors[count - 1] > RISES * self.errors[count - 2]
    }

    pub(crate) fn forget(&mut self) {
        self.errors.clear();
        self.gaps.clear();
    }

    /// Whether errors have stopped falling with the gap: what is left of them is not for this stage to find.
    pub(crate) fn exhausted(&self) -> bool {
        let Some(then) = self.errors.len().checked_sub(1 + EXHAUSTED) else { return false };
        let falls = |of: &[f64]| of.last().map_or(1.0, |now| of[then] / now);
        let gap = falls(&self.gaps);
        gap > 1.0 && falls(&self.errors) < gap.sqrt().sqrt().sqrt()
    }
}
