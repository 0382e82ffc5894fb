//! A contact problem as an acceleration sees it: impulses, and the velocities that follow from them linearly.

use crate::dimension::Dimension;
use crate::law::{Body, Impulse};
use crate::problem::Problem;
use crate::vector::Components;

/// Impulses and the velocities they lead to, as plain numbers; or a change of both.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct State {
    /// Contact by contact, the normal one first.
    pub impulses: Vec<f64>,
    /// Whatever the system counts as velocities.
    pub velocities: Vec<f64>,
}

/// A contact problem that can be swept, and whose velocities are linear in its impulses.
pub trait System {
    /// How many contacts there are.
    fn contacts(&self) -> usize;

    /// How many numbers the impulse of a contact has, the normal one first.
    fn width(&self) -> usize;

    /// μ of a contact.
    fn friction(&self, contact: usize) -> f64;

    /// Solves every contact once, each with what the ones before it have just received.
    fn sweep(&mut self, backwards: bool);

    /// Copies the present impulses and velocities.
    fn take(&self, state: &mut State);

    /// Replaces them.
    fn put(&mut self, state: &State);

    /// The velocity at a contact.
    fn velocity(&self, contact: usize, velocities: &[f64], at: &mut [f64]);

    /// What has to be added to the normal velocity at a contact, so that a closed one has 0 there.
    fn target(&self, contact: usize) -> f64;

    /// Lets a change of the impulse at a contact act.
    fn push(&self, contact: usize, change: &[f64], velocities: &mut [f64]);

    /// Σ d·W e over all contacts, for two changes d and e.
    fn product(&self, one: &State, other: &State) -> f64;

    /// How far the present impulses are from an answer, with the velocities added up afresh.
    fn residual(&mut self) -> f64;
}

/// The problem of a step while it is swept.
pub struct Sweeping<'a, D: Dimension> {
    /// Its impulses are the present ones.
    pub problem: &'a mut Problem<D>,
    /// With all present impulses in them.
    pub bodies: Vec<Body<D>>,
    // Mass and moment of inertia of each, 0 for what cannot be moved or turned.
    inertia: Vec<[f64; 2]>,
}

impl<'a, D: Dimension> Sweeping<'a, D> {
    /// Adds the velocities up.
    pub fn new(problem: &'a mut Problem<D>) -> Self {
        let mut bodies = Vec::new();
        problem.velocities(&mut bodies);
        let of = |inverse: f64| if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
        let inertia = bodies.iter().map(|body| [of(body.inverse_mass), of(body.inverse_inertia)]).collect();
        Self { problem, bodies, inertia }
    }

    #[inline(always)]
    fn body(&self, number: u32, velocities: &[f64]) -> Body<D> {
        let place = number as usize * (D::AXES + spins::<D>());
        let Body { inverse_mass, inverse_inertia, .. } = self.problem.bodies[number as usize];
        let velocity = D::Vector::from_fn(|axis| velocities[place + axis]);
        let spin = D::Spin::from_fn(|axis| velocities[place + D::AXES + axis]);
        Body { velocity, spin, inverse_mass, inverse_inertia }
    }

    #[inline(always)]
    fn impulse(numbers: &[f64]) -> Impulse<D> {
        Impulse { normal: numbers[0], tangent: D::Tangent::from_fn(|axis| numbers[1 + axis]) }
    }
}

/// How many numbers a spin has.
#[inline(always)]
fn spins<D: Dimension>() -> usize {
    D::Spin::<f64>::default().as_slice().len()
}

impl<D: Dimension> System for Sweeping<'_, D> {
    #[inline(always)]
    fn contacts(&self) -> usize {
        self.problem.rows.len()
    }

    #[inline(always)]
    fn width(&self) -> usize {
        1 + D::Tangent::<f64>::default().as_slice().len()
    }

    #[inline(always)]
    fn friction(&self, contact: usize) -> f64 {
        self.problem.rows[contact].contact.friction
    }

    fn sweep(&mut self, backwards: bool) {
        let rows = &mut self.problem.rows;
        if backwards {
            super::sweep(rows.iter_mut().rev(), &mut self.bodies);
        } else {
            super::sweep(rows.iter_mut(), &mut self.bodies);
        }
    }

    fn take(&self, state: &mut State) {
        state.impulses.clear();
        for row in &self.problem.rows {
            state.impulses.push(row.impulse.normal);
            state.impulses.extend_from_slice(row.impulse.tangent.as_slice());
        }
        state.velocities.clear();
        for body in &self.bodies {
            state.velocities.extend_from_slice(body.velocity.as_slice());
            state.velocities.extend_from_slice(body.spin.as_slice());
        }
    }

    fn put(&mut self, state: &State) {
        let width = self.width();
        for (row, numbers) in self.problem.rows.iter_mut().zip(state.impulses.chunks_exact(width)) {
            row.impulse = Self::impulse(numbers);
        }
        for number in 0..self.bodies.len() {
            let index = u32::try_from(number).expect("parts are counted in 32 bits");
            self.bodies[number] = self.body(index, &state.velocities);
        }
    }

    #[inline(always)]
    fn velocity(&self, contact: usize, velocities: &[f64], at: &mut [f64]) {
        let row = &self.problem.rows[contact];
        let (first, second) = (self.body(row.first, velocities), self.body(row.second, velocities));
        let (normal, tangent) = row.contact.relative_velocity(&first, &second);
        at[0] = normal;
        at[1..].copy_from_slice(tangent.as_slice());
    }

    #[inline(always)]
    fn target(&self, contact: usize) -> f64 {
        self.problem.rows[contact].contact.target
    }

    #[inline(always)]
    fn push(&self, contact: usize, change: &[f64], velocities: &mut [f64]) {
        let row = &self.problem.rows[contact];
        let (mut first, mut second) = (self.body(row.first, velocities), self.body(row.second, velocities));
        row.contact.push(Self::impulse(change), &mut first, &mut second);
        for (number, body) in [(row.first, first), (row.second, second)] {
            let place = number as usize * (D::AXES + spins::<D>());
            velocities[place..place + D::AXES].copy_from_slice(body.velocity.as_slice());
            velocities[place + D::AXES..][..spins::<D>()].copy_from_slice(body.spin.as_slice());
        }
    }

    /// Σ m v·v′ + I ω·ω′: what moves is what was pushed.
    fn product(&self, one: &State, other: &State) -> f64 {
        let each = D::AXES + spins::<D>();
        let pairs = one.velocities.chunks_exact(each).zip(other.velocities.chunks_exact(each));
        let mut sum = 0.0;
        for ([mass, moment], (v, w)) in self.inertia.iter().zip(pairs) {
            let dot = |range: std::ops::Range<usize>| range.fold(0.0, |sum, axis| sum + v[axis] * w[axis]);
            sum += mass * dot(0..D::AXES) + moment * dot(D::AXES..each);
        }
        sum
    }

    fn residual(&mut self) -> f64 {
        self.problem.velocities(&mut self.bodies);
        self.problem.residual(&self.bodies)
    }
}
