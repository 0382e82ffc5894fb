//! A contact problem as an acceleration sees it: impulses, and the velocities that follow from them linearly.

use super::sweeps::relax;
use crate::dimension::Dimension;
use crate::law::{Body, Impulse};
use crate::problem::Problem;
use crate::vector::Components;

/// The numbers at a contact: an impulse, or a change of one.
pub trait AtContact: Copy {
    /// Multiplied with a number.
    #[must_use]
    fn times(self, factor: f64) -> Self;

    /// The sum.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The difference.
    #[must_use]
    fn minus(self, other: Self) -> Self;

    /// The inner product.
    fn dot(self, other: Self) -> f64;
}

impl<D: Dimension> AtContact for Impulse<D> {
    #[inline(always)]
    fn times(self, factor: f64) -> Self {
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
    fn dot(self, other: Self) -> f64 {
        self.normal * other.normal + self.tangent.dot(other.tangent)
    }
}

impl<const N: usize> AtContact for [f64; N] {
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
    /// What there is at a contact.
    type Push: AtContact;

    /// How many contacts there are.
    fn contacts(&self) -> usize;

    /// The present impulse at a contact.
    fn impulse(&self, contact: usize) -> Self::Push;

    /// Replaces it, not the velocities it leads to.
    fn set(&mut self, contact: usize, impulse: Self::Push);

    /// Solves every contact once, each with what the ones before it have just received.
    fn sweep(&mut self, backwards: bool);

    /// The same backwards, replacing the impulse of each contact that is done, not the velocities it leads to: the contacts after it
    /// do not notice.
    fn sweep_back(&mut self, each: impl FnMut(usize, Self::Push) -> Self::Push);

    /// Copies the present impulses and velocities.
    fn take(&self, state: &mut State<Self::Push>);

    /// Replaces them.
    fn put(&mut self, state: &State<Self::Push>);

    /// Carries the velocities on by a share of what they have changed since `last`, which then holds the present ones.
    fn carry_velocities(&mut self, last: &mut [f64], share: f64);

    /// Adds the velocities up afresh.
    fn add_up(&mut self);

    /// How far the present impulses are from an answer, with the velocities added up afresh.
    fn residual(&mut self) -> f64;
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
        let mut bodies = Vec::new();
        problem.velocities(&mut bodies);
        Self { problem, bodies }
    }
}

/// How many numbers the velocity and the spin of a body have.
#[inline(always)]
fn each<D: Dimension>() -> usize {
    D::AXES + D::Spin::<f64>::default().as_slice().len()
}

impl<D: Dimension> System for Sweeping<'_, D> {
    type Push = Impulse<D>;

    #[inline(always)]
    fn contacts(&self) -> usize {
        self.problem.rows.len()
    }

    #[inline(always)]
    fn impulse(&self, contact: usize) -> Impulse<D> {
        self.problem.rows[contact].impulse
    }

    #[inline(always)]
    fn set(&mut self, contact: usize, impulse: Impulse<D>) {
        self.problem.rows[contact].impulse = impulse;
    }

    fn sweep(&mut self, backwards: bool) {
        let rows = &mut self.problem.rows;
        if backwards {
            super::sweep(rows.iter_mut().rev(), &mut self.bodies);
        } else {
            super::sweep(rows.iter_mut(), &mut self.bodies);
        }
    }

    fn sweep_back(&mut self, mut each: impl FnMut(usize, Impulse<D>) -> Impulse<D>) {
        for (contact, row) in self.problem.rows.iter_mut().enumerate().rev() {
            relax(row, &mut self.bodies);
            row.impulse = each(contact, row.impulse);
        }
    }

    fn take(&self, state: &mut State<Impulse<D>>) {
        state.impulses.clear();
        state.impulses.extend(self.problem.rows.iter().map(|row| row.impulse));
        state.velocities.clear();
        for body in &self.bodies {
            state.velocities.extend(body.velocity.as_slice().iter().chain(body.spin.as_slice()));
        }
    }

    fn put(&mut self, state: &State<Impulse<D>>) {
        for (row, impulse) in self.problem.rows.iter_mut().zip(&state.impulses) {
            row.impulse = *impulse;
        }
        for (body, own) in self.bodies.iter_mut().zip(state.velocities.chunks_exact(each::<D>())) {
            body.velocity = D::Vector::from_fn(|axis| own[axis]);
            body.spin = D::Spin::from_fn(|axis| own[D::AXES + axis]);
        }
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
