//! What both interior-point stages have in common: how they go inwards, and who tells them to stop.

use crate::block::Block;

/// A step goes so far towards the edge of the cones.
pub(crate) const NEAR: f64 = 0.995;
/// A step that could go no further than this aims at products that are all the same instead, since some are too small beside others
/// for any step to get on.
pub(crate) const SHORT: f64 = 0.1;
/// The products of changes that are corrected for are no larger than so many gaps.
const CLIP: f64 = 5.0;

/// Products further than this factor from the aim are brought back to it.
const APART: f64 = 10.0;
/// By how much further a step is tried then, and what share of that it has to gain.
pub(crate) const FURTHER: (f64, f64) = (1.5, 0.1);
pub(crate) const GAIN: f64 = 0.1;

/// Is told the reactions after each iteration and the gap that is left, in units of that from nothing; false ends the stage.
pub(crate) trait Judge<const N: usize, T>: FnMut(&mut T, &[Block<N>], f64) -> bool {}
impl<const N: usize, T, F: FnMut(&mut T, &[Block<N>], f64) -> bool> Judge<N, T> for F {}

/// How Mehrotra corrects a guess: the products aimed at, and the part of the products of changes to take off.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Correction {
    aim: f64,
    most: f64,
}

impl Correction {
    /// As far as it can go, the guess would take the gap from `gap` to `after`.
    pub(crate) fn new(gap: f64, after: f64) -> Self {
        Self { aim: (after / gap).powi(3) * gap, most: CLIP * gap }
    }

    /// Towards products that are all as large as the gap is.
    pub(crate) fn even(gap: f64) -> Self {
        Self { aim: gap, most: 0.0 }
    }

    /// A product to aim at, given the plain aim and the product of changes.
    pub(crate) fn of(&self, plain: f64, second: f64) -> f64 {
        plain + self.aim - self.take_off(second)
    }

    /// The same for a whole product of two vectors of a cone.
    pub(crate) fn of_block<const N: usize>(&self, plain: &Block<N>, second: &Block<N>) -> Block<N> {
        std::array::from_fn(|axis| {
            if axis == 0 { self.of(plain[0], second[0]) } else { plain[axis] - self.take_off(second[axis]) }
        })
    }

    /// By how much a product, or one of the two numbers that a product of vectors is made of, is to change so that it is not too far
    /// from the aim.
    pub(crate) fn back(&self, product: f64) -> f64 {
        (product.max(self.aim / APART).min(self.aim * APART) - product).max(-self.aim * APART)
    }

    fn take_off(&self, second: f64) -> f64 {
        second.clamp(-self.most, self.most)
    }
}
