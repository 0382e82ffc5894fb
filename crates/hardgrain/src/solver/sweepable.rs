//! A contact problem as an acceleration sees it: impulses that can be swept, and velocities that are linear in them.

use crate::dimension::Dimension;
use crate::problem::Impulse;
use crate::real::Real;
use crate::vector::{Components, Vector};
use std::ops::{Add, Mul, Sub};

/// The numbers at a contact, or at several in the lanes of wide registers: impulses, or changes of them.
pub trait ContactVector:
    Copy + Default + Add<Output = Self> + Sub<Output = Self> + Mul<<Self as ContactVector>::Number, Output = Self>
{
    /// What they are made of.
    type Number: Real;

    /// The inner product at each contact.
    fn dot(self, other: Self) -> Self::Number;
}

impl<D: Dimension, T: Real> ContactVector for Impulse<D, T> {
    type Number = T;

    #[inline(always)]
    fn dot(self, other: Self) -> T {
        self.normal * other.normal + self.tangent.dot(other.tangent)
    }
}

impl<T: Real, const N: usize> ContactVector for Vector<T, N> {
    type Number = T;

    #[inline(always)]
    fn dot(self, other: Self) -> T {
        Components::dot(self, other)
    }
}

/// An iterate: impulses and the velocities they lead to.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Iterate<P> {
    /// Contact by contact.
    pub impulses: Vec<P>,
    /// Whatever the problem counts as velocities.
    pub velocities: Vec<f64>,
}

/// The last two iterates of a contact: where the last pair of sweeps ended, and where the next one starts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trace<P> {
    /// The impulse after the last pair.
    pub last: P,
    /// The impulse before the next one.
    pub start: P,
}

impl<P: ContactVector> Trace<P> {
    /// Nesterov's extrapolation of one contact: `now` plus a share β of its movement since the pair before.
    #[inline(always)]
    pub fn extrapolate(&mut self, now: P, share: P::Number, pair: &mut PairProducts<P::Number>) -> P {
        let (change, movement) = (now - self.start, now - self.last);
        pair.change += change.dot(change);
        pair.movement += movement.dot(movement);
        pair.dot += change.dot(movement);
        (self.start, self.last) = (now + movement * share, now);
        self.start
    }
}

/// What a pair of sweeps has done, as inner products: its change x − y, and the movement x − `x_last` since the pair before it.
#[derive(Clone, Copy, Debug, Default)]
pub struct PairProducts<T = f64> {
    /// The square of the change.
    pub change: T,
    /// The square of the movement.
    pub movement: T,
    /// Their dot product.
    pub dot: T,
}

/// A contact problem that can be swept, and whose velocities are linear in its impulses.
pub trait Sweepable {
    /// The impulse at a contact, or at those that are relaxed at once.
    type Impulse: ContactVector;

    /// The number of contacts.
    fn contacts(&self) -> usize;

    /// The present impulses.
    fn impulses(&self) -> impl Iterator<Item = Self::Impulse>;

    /// Replaces them, but not the velocities they lead to.
    fn set_impulses(&mut self, impulses: impl Iterator<Item = Self::Impulse>);

    /// The numbers of the present velocities.
    fn velocities(&mut self) -> impl Iterator<Item = &mut f64>;

    /// A Gauss–Seidel sweep: solves every contact once, each with what the ones before it have just received.
    fn sweep(&mut self, backwards: bool);

    /// [Extrapolates](Trace::extrapolate) the impulse of every contact, but not the velocities it leads to. If asked to, it makes a
    /// backward sweep in the same pass, replacing the impulse of each contact once that is relaxed: later contacts see velocities only.
    fn extrapolate(&mut self, traces: &mut [Trace<Self::Impulse>], share: f64, with_sweep: bool) -> PairProducts;

    /// Extrapolates the velocities by a share of their change since `last`, which then holds the present ones.
    fn extrapolate_velocities(&mut self, last: &mut [f64], share: f64) {
        extrapolate_numbers(self.velocities(), last, share);
    }

    /// Sums the velocities afresh.
    fn recompute_velocities(&mut self);

    /// How far the present impulses are from an answer, with recomputed velocities.
    fn residual(&mut self) -> f64;

    /// Whether sweeps are to end, as the work is cancelled.
    fn is_cancelled(&self) -> bool {
        false
    }

    /// Copies the present velocities.
    fn copy_velocities(&mut self, into: &mut Vec<f64>) {
        into.clear();
        into.extend(self.velocities().map(|number| *number));
    }

    /// Copies the present impulses and velocities.
    fn save(&mut self, iterate: &mut Iterate<Self::Impulse>) {
        iterate.impulses.clear();
        iterate.impulses.extend(self.impulses());
        self.copy_velocities(&mut iterate.velocities);
    }

    /// Replaces them.
    fn restore(&mut self, iterate: &Iterate<Self::Impulse>) {
        self.set_impulses(iterate.impulses.iter().copied());
        self.velocities().zip(&iterate.velocities).for_each(|(number, saved)| *number = *saved);
    }
}

/// Extrapolates numbers by a share of their change since `last`, which then holds the present ones.
#[inline(always)]
pub(super) fn extrapolate_numbers<'a>(numbers: impl Iterator<Item = &'a mut f64>, last: &mut [f64], share: f64) {
    for (now, last) in numbers.zip(last) {
        let before = std::mem::replace(last, *now);
        *now += share * (*now - before);
    }
}
