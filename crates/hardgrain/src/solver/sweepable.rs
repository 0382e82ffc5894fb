//! A contact problem as an acceleration sees it: impulses that can be swept, and velocities that are linear in them.

use crate::dimension::Dimension;
use crate::problem::Impulse;
use crate::real::Real;
use crate::vector::Components;

/// The numbers at a contact, or at several in the lanes of wide registers: impulses, or changes of them.
pub trait ContactVector: Copy {
    /// What they are made of.
    type Number: Real;

    /// Multiplied with a number.
    #[must_use]
    fn times(self, factor: Self::Number) -> Self;

    /// The sum.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The difference.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// The inner product at each contact.
    fn dot(self, other: Self) -> Self::Number;
}

impl<D: Dimension, T: Real> ContactVector for Impulse<D, T> {
    type Number = T;

    #[inline(always)]
    fn times(self, factor: T) -> Self {
        Self { normal: self.normal * factor, tangent: self.tangent * factor }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { normal: self.normal + other.normal, tangent: self.tangent + other.tangent }
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        self.since(other)
    }

    #[inline(always)]
    fn dot(self, other: Self) -> T {
        self.normal * other.normal + self.tangent.dot(other.tangent)
    }
}

impl<const N: usize> ContactVector for [f64; N] {
    type Number = f64;

    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        self.map(|number| number * factor)
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        std::array::from_fn(|axis| self[axis] + other[axis])
    }

    #[inline(always)]
    fn minus(self, other: Self) -> Self {
        std::array::from_fn(|axis| self[axis] - other[axis])
    }

    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        (0..N).fold(0.0, |sum, axis| sum + self[axis] * other[axis])
    }
}

/// An iterate: impulses and the velocities they lead to.
#[derive(Clone, Debug, PartialEq)]
pub struct Iterate<P> {
    /// Contact by contact.
    pub impulses: Vec<P>,
    /// Whatever the problem counts as velocities.
    pub velocities: Vec<f64>,
}

impl<P> Default for Iterate<P> {
    fn default() -> Self {
        Self { impulses: Vec::new(), velocities: Vec::new() }
    }
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
        let (change, movement) = (now.minus(self.start), now.minus(self.last));
        pair.change += change.dot(change);
        pair.movement += movement.dot(movement);
        pair.along += change.dot(movement);
        (self.start, self.last) = (now.plus(movement.times(share)), now);
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
    /// Their product.
    pub along: T,
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

    /// Copies the present velocities.
    fn copy_velocities(&self, into: &mut Vec<f64>);

    /// Replaces them.
    fn set_velocities(&mut self, from: &[f64]);

    /// A Gauss–Seidel sweep: solves every contact once, each with what the ones before it have just received.
    fn sweep(&mut self, backwards: bool);

    /// [Extrapolates](Trace::extrapolate) the impulse of every contact, but not the velocities it leads to. If asked to, it makes a
    /// backward sweep in the same pass, replacing the impulse of each contact once that is relaxed: later contacts see velocities only.
    fn extrapolate(&mut self, traces: &mut [Trace<Self::Impulse>], share: f64, with_sweep: bool) -> PairProducts;

    /// Extrapolates the velocities by a share of their change since `last`, which then holds the present ones.
    fn extrapolate_velocities(&mut self, last: &mut [f64], share: f64);

    /// Sums the velocities afresh.
    fn recompute_velocities(&mut self);

    /// How far the present impulses are from an answer, with recomputed velocities.
    fn residual(&mut self) -> f64;

    /// Copies the present impulses and velocities.
    fn save(&self, iterate: &mut Iterate<Self::Impulse>) {
        iterate.impulses.clear();
        iterate.impulses.extend(self.impulses());
        self.copy_velocities(&mut iterate.velocities);
    }

    /// Replaces them.
    fn restore(&mut self, iterate: &Iterate<Self::Impulse>) {
        self.set_impulses(iterate.impulses.iter().copied());
        self.set_velocities(&iterate.velocities);
    }
}
