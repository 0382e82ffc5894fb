//! What the interior-point stages need of a contact problem: its velocities, and springs put into its contacts.

use crate::price::Price;
use crate::problem::{Block, Coupling, miss};

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

/// How far reactions are from an answer: the natural map with the step 1/w of each contact, in velocities and in impulses. One
/// that hardly weighs anything may be so fast that beside it every velocity is small; of its impulses none is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Misses {
    pub(crate) velocities: f64,
    pub(crate) impulses: f64,
}

impl Misses {
    /// What there is to be solved: what all reactions 0 miss. Velocities are no more than those that the impulses would lead to at
    /// most contacts, or they would be those of one that hardly weighs anything.
    pub(crate) fn at_nothing<const N: usize>(friction: &[f64], own: &[Coupling<N>], free: &[Block<N>]) -> Self {
        let Self { velocities, impulses } = misses(friction, own, &vec![[0.0; N]; free.len()], free);
        // With the mean of 1/w: where all would move alike that is no less than they do.
        let heavy = own.iter().fold(0.0, |sum, own| sum + 1.0 / give(own)) / own.len() as f64;
        Self { velocities: velocities.min(impulses / heavy), impulses }
    }

    /// The larger of the two, over what it is where all reactions are 0, if that is anything.
    pub(crate) fn over(self, nothing: Self) -> f64 {
        let over = |now: f64, nothing: f64| if nothing > 0.0 { now / nothing } else { now };
        let impulses = over(self.impulses, nothing.impulses);
        let velocities = over(self.velocities, nothing.velocities);
        if velocities <= impulses { impulses } else { velocities }
    }
}

/// What reactions miss.
pub(crate) fn misses<const N: usize>(
    friction: &[f64],
    own: &[Coupling<N>],
    reactions: &[Block<N>],
    velocities: &[Block<N>],
) -> Misses {
    let (mut in_velocities, mut in_impulses) = (0.0, 0.0);
    for (contact, (reaction, velocity)) in reactions.iter().zip(velocities).enumerate() {
        let w = give(&own[contact]);
        let missed = miss(friction[contact], reaction, velocity, 1.0 / w);
        in_velocities += w * w * missed;
        in_impulses += missed;
    }
    Misses { velocities: in_velocities.sqrt(), impulses: in_impulses.sqrt() }
}

/// The largest number on the diagonal.
pub(crate) fn give<const N: usize>(own: &Coupling<N>) -> f64 {
    (0..N).map(|axis| own[axis][axis]).fold(0.0, f64::max)
}

/// The largest free velocity: the unit in which stages measure.
pub(crate) fn largest<const N: usize>(free: &[Block<N>]) -> f64 {
    free.iter().flatten().fold(0.0, |most, number| number.abs().max(most))
}
