//! A contact problem as an acceleration sees it: impulses, and the velocities that follow from them linearly.

use super::momentum::{Carried, Trace};
use super::sweeps::relax;
use crate::dimension::Dimension;
use crate::problem::{Body, Impulse, Problem};
use crate::real::Real;
use crate::vector::Components;

/// The numbers at a contact, or at several abreast: impulses, or changes of them.
pub trait AtContact: Copy {
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

impl<D: Dimension, T: Real> AtContact for Impulse<D, T> {
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

impl<const N: usize> AtContact for [f64; N] {
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

/// Impulses and the velocities they lead to.
#[derive(Clone, Debug, PartialEq)]
pub struct State<P> {
    /// Contact by contact.
    pub impulses: Vec<P>,
    /// Whatever the system counts as velocities.
    pub velocities: Vec<f64>,
}

impl<P> Default for State<P> {
    fn default() -> Self {
        Self { impulses: Vec::new(), velocities: Vec::new() }
    }
}

/// A contact problem that can be swept, and whose velocities are linear in its impulses.
pub trait System {
    /// What there is at a contact, or at those that are relaxed abreast.
    type Push: AtContact;

    /// How many contacts there are.
    fn contacts(&self) -> usize;

    /// The present impulses.
    fn impulses(&self) -> impl Iterator<Item = Self::Push>;

    /// Replaces them, not the velocities they lead to.
    fn set(&mut self, impulses: impl Iterator<Item = Self::Push>);

    /// Copies the present velocities.
    fn velocities(&self, into: &mut Vec<f64>);

    /// Replaces them.
    fn set_velocities(&mut self, from: &[f64]);

    /// Solves every contact once, each with what the ones before it have just received.
    fn sweep(&mut self, backwards: bool);

    /// Carries the impulse of every contact [beyond](Trace::beyond), not the velocities it leads to. If it is asked to, it sweeps backwards
    /// on the way, replacing the impulse of each contact that is done: the contacts after it do not notice.
    fn carry_on(&mut self, traces: &mut [Trace<Self::Push>], share: f64, with_sweep: bool) -> Carried;

    /// Carries the velocities on by a share of what they have changed since `last`, which then holds the present ones.
    fn carry_velocities(&mut self, last: &mut [f64], share: f64);

    /// Adds the velocities up afresh.
    fn add_up(&mut self);

    /// How far the present impulses are from an answer, with the velocities added up afresh.
    fn residual(&mut self) -> f64;

    /// Copies the present impulses and velocities.
    fn take(&self, state: &mut State<Self::Push>) {
        state.impulses.clear();
        state.impulses.extend(self.impulses());
        self.velocities(&mut state.velocities);
    }

    /// Replaces them.
    fn put(&mut self, state: &State<Self::Push>) {
        self.set(state.impulses.iter().copied());
        self.set_velocities(&state.velocities);
    }
}

/// The problem of a step while it is swept.
pub struct Sweeping<'a, D: Dimension> {
    /// Its impulses are the present ones.
    pub problem: &'a mut Problem<D>,
    /// With all present impulses in them.
    pub bodies: Vec<Body<D>>,
}

impl<'a, D: Dimension> Sweeping<'a, D> {
    /// Adds the velocities up.
    pub fn new(problem: &'a mut Problem<D>) -> Self {
        Self::within(problem, Vec::new())
    }

    /// The same in memory that is there.
    pub(super) fn within(problem: &'a mut Problem<D>, mut bodies: Vec<Body<D>>) -> Self {
        problem.velocities(&mut bodies);
        Self { problem, bodies }
    }

    /// The [residual](Problem::residual) and the [violation](Problem::violation), with the velocities added up afresh.
    #[inline(never)]
    pub fn measure(&mut self) -> [f64; 2] {
        let residual = self.residual();
        [residual, self.problem.violation(&self.bodies)]
    }
}

/// How many numbers the velocity and the spin of a body have.
#[inline(always)]
fn each<D: Dimension>() -> usize {
    D::AXES + D::Spin::<f64>::default().as_slice().len()
}

impl<D: Dimension> System for Sweeping<'_, D> {
    type Push = Impulse<D>;

    fn contacts(&self) -> usize {
        self.problem.rows.len()
    }

    fn impulses(&self) -> impl Iterator<Item = Impulse<D>> {
        self.problem.rows.iter().map(|row| row.impulse)
    }

    fn set(&mut self, impulses: impl Iterator<Item = Impulse<D>>) {
        self.problem.rows.iter_mut().zip(impulses).for_each(|(row, impulse)| row.impulse = impulse);
    }

    fn velocities(&self, into: &mut Vec<f64>) {
        into.clear();
        for body in &self.bodies {
            into.extend(body.velocity.as_slice().iter().chain(body.spin.as_slice()));
        }
    }

    fn set_velocities(&mut self, from: &[f64]) {
        for (body, own) in self.bodies.iter_mut().zip(from.chunks_exact(each::<D>())) {
            body.velocity = D::Vector::from_fn(|axis| own[axis]);
            body.spin = D::Spin::from_fn(|axis| own[D::AXES + axis]);
        }
    }

    #[inline(never)]
    fn sweep(&mut self, backwards: bool) {
        let rows = &mut self.problem.rows;
        if backwards {
            super::sweep(rows.iter_mut().rev(), &mut self.bodies);
        } else {
            super::sweep(rows.iter_mut(), &mut self.bodies);
        }
    }

    #[inline(never)]
    fn carry_on(&mut self, traces: &mut [Trace<Impulse<D>>], share: f64, with_sweep: bool) -> Carried {
        let mut pair = Carried::default();
        for (row, trace) in self.problem.rows.iter_mut().zip(traces).rev() {
            if with_sweep {
                relax(row, &mut self.bodies);
            }
            row.impulse = trace.beyond(row.impulse, share, &mut pair);
        }
        pair
    }

    fn carry_velocities(&mut self, last: &mut [f64], share: f64) {
        for (body, last) in self.bodies.iter_mut().zip(last.chunks_exact_mut(each::<D>())) {
            let numbers = body.velocity.as_mut_slice().iter_mut().chain(body.spin.as_mut_slice());
            for (now, last) in numbers.zip(last) {
                let before = std::mem::replace(last, *now);
                *now += share * (*now - before);
            }
        }
    }

    fn add_up(&mut self) {
        self.problem.velocities(&mut self.bodies);
    }

    fn residual(&mut self) -> f64 {
        self.add_up();
        self.problem.residual(&self.bodies)
    }
}
