//! What the interior-point stages need of a contact problem: its velocities, and springs put into its contacts.

use crate::block::{Block, Coupling};
use crate::factor::price::Price;

/// A spring in a contact: r = stiff · (velocity that is left to it), and the inverse of that, each known without cancellation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Spring<const N: usize> {
    pub(crate) stiff: Coupling<N>,
    pub(crate) soft: Coupling<N>,
}

/// A contact problem that springs can be put into.
pub(crate) trait Springs<const N: usize> {
    /// q.
    fn free(&self) -> &[Block<N>];

    /// μ.
    fn friction(&self) -> &[f64];

    /// The diagonal blocks of W.
    fn own(&self) -> &[Coupling<N>];

    /// u = q + W r.
    fn velocities(&self, reactions: &[Block<N>], velocities: &mut Vec<Block<N>>);

    /// Prepares for [`Springs::solve`] with these springs in the contacts. False where that cannot be done.
    fn put_springs(&mut self, springs: &[Spring<N>], which: Which) -> bool;

    /// With r = stiff (c − W r), finds c − W r, the velocities that are left to the springs.
    fn solve(&mut self, wanted: &[Block<N>], left: &mut Vec<Block<N>>, care: Care);
}

/// Which springs there are, and what for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Which {
    /// Symmetric ones, for the next step of a stage: what a solve leaves is made up for later.
    Approached,
    /// Symmetric ones.
    Symmetric,
    /// Any.
    Any,
}

/// How exact a solve is to be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Care {
    /// As good as one solve makes it: enough where only the next guess depends on it.
    Once,
    /// Once more for what the first answer leaves, if that is much.
    Twice,
}

impl Care {
    pub(crate) fn times(self) -> u32 {
        match self {
            Self::Once => 1,
            Self::Twice => 2,
        }
    }
}

/// A contact problem with all that a search for its answer needs.
pub(crate) trait Network<const N: usize>: Springs<N> {
    /// Makes so many accelerated sweeps from these reactions, or fewer if their error is at the tolerance before. How many.
    fn sweep(&mut self, reactions: &mut Vec<Block<N>>, sweeps: u32, tolerance: f64) -> u32;

    /// No more conjugate gradients for springs, since what they leave has become too much. False if there were none.
    fn solve_exactly(&mut self) -> bool;

    /// What a factorisation costs.
    fn price(&self) -> Price;

    /// How far reactions are from an answer, in the measure that the tolerance is meant for.
    fn error(&self, reactions: &[Block<N>]) -> f64;

    /// Factorisations made so far.
    fn factorisations(&self) -> u32;
}
