//! How far reactions are from an answer, over all contacts.

use crate::block::{Block, Coupling, miss};

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
