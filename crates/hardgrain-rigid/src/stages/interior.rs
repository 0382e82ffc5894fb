//! What both interior-point stages have in common: Mehrotra's predictor-corrector.

use crate::block::Block;
use crate::tuning::Tuning;

/// Called after each iteration with the reactions and the gap, relative to the first; returning false ends the stage.
pub(crate) trait IterationCheck<const N: usize, T>: FnMut(&mut T, &[Block<N>], f64) -> bool {}
impl<const N: usize, T, F: FnMut(&mut T, &[Block<N>], f64) -> bool> IterationCheck<N, T> for F {}

/// Mehrotra's corrector: the complementarity product to aim at, and the clip of the second-order terms.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Corrector {
    target: f64,
    clip: f64,
    outliers: f64,
}

impl Corrector {
    /// Where the predictor would take the gap from `gap` to `after`.
    pub(crate) fn new(gap: f64, after: f64, tuning: &Tuning) -> Self {
        let target = (after / gap).powi(tuning.centring_power) * gap;
        Self { target, clip: tuning.second_order_clip * gap, outliers: tuning.outliers }
    }

    /// A centring step: all products aim at the gap.
    pub(crate) fn centring(gap: f64, tuning: &Tuning) -> Self {
        Self { target: gap, clip: 0.0, outliers: tuning.outliers }
    }

    /// The change of a product to aim at, given the predictor's and the second-order term.
    pub(crate) fn correct(&self, predicted: f64, second_order: f64) -> f64 {
        predicted + self.target - self.clipped(second_order)
    }

    /// The same for the Jordan product of two vectors of a cone.
    pub(crate) fn correct_block<const N: usize>(&self, predicted: &Block<N>, second_order: &Block<N>) -> Block<N> {
        std::array::from_fn(|axis| {
            if axis == 0 {
                self.correct(predicted[0], second_order[0])
            } else {
                predicted[axis] - self.clipped(second_order[axis])
            }
        })
    }

    /// Gondzio: the change that brings a product, or an eigenvalue of a Jordan product, back to within a factor of the target.
    pub(crate) fn pull_back(&self, product: f64) -> f64 {
        let nearest = product.max(self.target / self.outliers).min(self.target * self.outliers);
        (nearest - product).max(-self.target * self.outliers)
    }

    fn clipped(&self, second_order: f64) -> f64 {
        second_order.clamp(-self.clip, self.clip)
    }
}
