//! A contact problem as an acceleration sees it: impulses, and the velocities that follow from them linearly.

use crate::dimension::Dimension;
use crate::law::{Body, Impulse};
use crate::problem::Problem;
use crate::vector::Components;

/// Sums over velocities are made in so many parts, which a processor can do side by side.
const LANES: usize = 4;

/// The numbers at a contact, the normal one first: an impulse, a velocity, or a change of one.
pub trait AtContact: Copy + PartialEq {
    /// All 0.
    fn nothing() -> Self;

    /// The normal one.
    fn normal(self) -> f64;

    /// The same without it.
    #[must_use]
    fn aside(self) -> Self;

    /// Multiplied with a number.
    #[must_use]
    fn times(self, factor: f64) -> Self;

    /// The sum.
    #[must_use]
    fn plus(self, other: Self) -> Self;

    /// The inner product.
    fn dot(self, other: Self) -> f64;
}

impl<D: Dimension> AtContact for Impulse<D> {
    #[inline(always)]
    fn nothing() -> Self {
        Self::default()
    }

    #[inline(always)]
    fn normal(self) -> f64 {
        self.normal
    }

    #[inline(always)]
    fn aside(self) -> Self {
        Self { normal: 0.0, ..self }
    }

    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        Self { normal: self.normal * factor, tangent: self.tangent * factor }
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        Self { normal: self.normal + other.normal, tangent: self.tangent + other.tangent }
    }

    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        self.normal * other.normal + self.tangent.dot(other.tangent)
    }
}

impl<const N: usize> AtContact for [f64; N] {
    #[inline(always)]
    fn nothing() -> Self {
        [0.0; N]
    }

    #[inline(always)]
    fn normal(self) -> f64 {
        self[0]
    }

    #[inline(always)]
    fn aside(mut self) -> Self {
        self[0] = 0.0;
        self
    }

    #[inline(always)]
    fn times(self, factor: f64) -> Self {
        self.map(|number| number * factor)
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        std::array::from_fn(|axis| self[axis] + other[axis])
    }

    #[inline(always)]
    fn dot(self, other: Self) -> f64 {
        (0..N).fold(0.0, |sum, axis| sum + self[axis] * other[axis])
    }
}

/// Impulses and the velocities they lead to; or a change of both.
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

/// Σ d_i·W d_j for some changes d, and Σ d_i·u for the velocities u at the contacts in some state.
pub type Products<const K: usize> = ([[f64; K]; K], [f64; K]);

/// A contact problem that can be swept, and whose velocities are linear in its impulses.
pub trait System {
    /// What there is at a contact.
    type Push: AtContact;

    /// How many contacts there are.
    fn contacts(&self) -> usize;

    /// μ of a contact.
    fn friction(&self, contact: usize) -> f64;

    /// The present impulse at a contact.
    fn impulse(&self, contact: usize) -> Self::Push;

    /// Solves every contact once, each with what the ones before it have just received.
    fn sweep(&mut self, backwards: bool);

    /// Copies the present impulses and velocities.
    fn take(&self, state: &mut State<Self::Push>);

    /// Replaces them.
    fn put(&mut self, state: &State<Self::Push>);

    /// The present velocities less some earlier ones.
    fn since(&self, earlier: &[f64], change: &mut Vec<f64>);

    /// The velocity at a contact.
    fn velocity(&self, contact: usize, velocities: &[f64]) -> Self::Push;

    /// Lets a change of the impulse at a contact act.
    fn push(&self, contact: usize, change: Self::Push, velocities: &mut [f64]);

    /// What some changes do to each other, and with the velocities of a state. A normal velocity is 0 where a closed contact
    /// has what it should have.
    fn products<const K: usize>(&self, changes: [&State<Self::Push>; K], state: &State<Self::Push>) -> Products<K>;

    /// How far the present impulses are from an answer, with the velocities added up afresh.
    fn residual(&mut self) -> f64;
}

/// The problem of a step while it is swept.
pub struct Sweeping<'a, D: Dimension> {
    /// Its impulses are the present ones.
    pub problem: &'a mut Problem<D>,
    /// With all present impulses in them.
    pub bodies: Vec<Body<D>>,
    // Mass or moment of inertia for each number of the velocities, 0 for what cannot be moved or turned.
    inertia: Vec<f64>,
}

impl<'a, D: Dimension> Sweeping<'a, D> {
    /// Adds the velocities up.
    pub fn new(problem: &'a mut Problem<D>) -> Self {
        let mut bodies = Vec::new();
        problem.velocities(&mut bodies);
        let of = |inverse: f64| if inverse > 0.0 { 1.0 / inverse } else { 0.0 };
        let mut inertia = Vec::with_capacity(bodies.len() * each::<D>());
        for body in &bodies {
            inertia.extend((0..D::AXES).map(|_| of(body.inverse_mass)));
            inertia.extend((D::AXES..each::<D>()).map(|_| of(body.inverse_inertia)));
        }
        pad(&mut inertia);
        Self { problem, bodies, inertia }
    }

    #[inline(always)]
    fn body(&self, number: u32, velocities: &[f64]) -> Body<D> {
        let own = &velocities[number as usize * each::<D>()..][..each::<D>()];
        let Body { inverse_mass, inverse_inertia, .. } = self.problem.bodies[number as usize];
        let velocity = D::Vector::from_fn(|axis| own[axis]);
        let spin = D::Spin::from_fn(|axis| own[D::AXES + axis]);
        Body { velocity, spin, inverse_mass, inverse_inertia }
    }
}

/// How many numbers the velocity and the spin of a body have.
#[inline(always)]
fn each<D: Dimension>() -> usize {
    D::AXES + D::Spin::<f64>::default().as_slice().len()
}

/// Makes the number of velocities one that can be cut into lanes.
fn pad(velocities: &mut Vec<f64>) {
    velocities.resize(velocities.len().next_multiple_of(LANES), 0.0);
}

/// Σ weight × own × other, for each of the others. All have been padded.
#[inline(always)]
fn weighted<const K: usize>(weights: &[f64], own: &[f64], others: [&Vec<f64>; K]) -> [f64; K] {
    let (weights, _) = weights.as_chunks::<LANES>();
    let (own, _) = own.as_chunks::<LANES>();
    let own = &own[..weights.len()];
    let others = others.map(|other| &other.as_chunks::<LANES>().0[..weights.len()]);
    let mut sums = [[0.0; LANES]; K];
    for at in 0..weights.len() {
        let momentum: [f64; LANES] = std::array::from_fn(|lane| weights[at][lane] * own[at][lane]);
        for (sum, other) in sums.iter_mut().zip(others) {
            for lane in 0..LANES {
                sum[lane] += momentum[lane] * other[at][lane];
            }
        }
    }
    sums.map(|lanes| lanes.iter().fold(0.0, |sum, lane| sum + lane))
}

/// Velocity and spin of each body as plain numbers.
#[inline(always)]
fn numbers<D: Dimension>(body: &Body<D>) -> impl Iterator<Item = f64> {
    body.velocity.as_slice().iter().chain(body.spin.as_slice()).copied()
}

impl<D: Dimension> System for Sweeping<'_, D> {
    type Push = Impulse<D>;

    #[inline(always)]
    fn contacts(&self) -> usize {
        self.problem.rows.len()
    }

    #[inline(always)]
    fn friction(&self, contact: usize) -> f64 {
        self.problem.rows[contact].contact.friction
    }

    #[inline(always)]
    fn impulse(&self, contact: usize) -> Impulse<D> {
        self.problem.rows[contact].impulse
    }

    fn sweep(&mut self, backwards: bool) {
        let rows = &mut self.problem.rows;
        if backwards {
            super::sweep(rows.iter_mut().rev(), &mut self.bodies);
        } else {
            super::sweep(rows.iter_mut(), &mut self.bodies);
        }
    }

    fn take(&self, state: &mut State<Impulse<D>>) {
        state.impulses.clear();
        state.impulses.extend(self.problem.rows.iter().map(|row| row.impulse));
        state.velocities.clear();
        for body in &self.bodies {
            state.velocities.extend(numbers(body));
        }
        pad(&mut state.velocities);
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

    fn since(&self, earlier: &[f64], change: &mut Vec<f64>) {
        change.resize(earlier.len(), 0.0);
        let each = each::<D>();
        let pairs = earlier.chunks_exact(each).zip(change.chunks_exact_mut(each));
        for (body, (earlier, change)) in self.bodies.iter().zip(pairs) {
            let (velocity, spin) = (body.velocity.as_slice(), body.spin.as_slice());
            for axis in 0..each {
                let now = if axis < D::AXES { velocity[axis] } else { spin[axis - D::AXES] };
                change[axis] = now - earlier[axis];
            }
        }
    }

    #[inline(always)]
    fn velocity(&self, contact: usize, velocities: &[f64]) -> Impulse<D> {
        let row = &self.problem.rows[contact];
        let (first, second) = (self.body(row.first, velocities), self.body(row.second, velocities));
        let (normal, tangent) = row.contact.relative_velocity(&first, &second);
        Impulse { normal, tangent }
    }

    #[inline(always)]
    fn push(&self, contact: usize, change: Impulse<D>, velocities: &mut [f64]) {
        let row = &self.problem.rows[contact];
        let (mut first, mut second) = (self.body(row.first, velocities), self.body(row.second, velocities));
        row.contact.push(change, &mut first, &mut second);
        for (number, body) in [(row.first, first), (row.second, second)] {
            let own = &mut velocities[number as usize * each::<D>()..][..each::<D>()];
            own.iter_mut().zip(numbers(&body)).for_each(|(own, number)| *own = number);
        }
    }

    /// Σ m v·v′ + I ω·ω′: what moves is what was pushed.
    fn products<const K: usize>(&self, changes: [&State<Impulse<D>>; K], state: &State<Impulse<D>>) -> Products<K> {
        let (mut table, mut with) = ([[0.0; K]; K], [0.0; K]);
        for i in 0..K {
            let own = &changes[i].velocities;
            // The last of the states before it is taken twice where their number is odd.
            for j in (0..=i).step_by(2) {
                let next = (j + 1).min(i);
                let others = [&changes[j].velocities, &changes[next].velocities];
                let [one, other] = weighted(&self.inertia, own, others);
                (table[i][j], table[j][i]) = (one, one);
                (table[i][next], table[next][i]) = (other, other);
            }
        }
        // Not over bodies: what contacts still miss is lost in the rounding of fast ones.
        let impulses = changes.map(|change| &change.impulses[..self.problem.rows.len()]);
        for (at, row) in self.problem.rows.iter().enumerate() {
            let mut velocity = self.velocity(at, &state.velocities);
            velocity.normal += row.contact.target;
            for i in 0..K {
                with[i] += impulses[i][at].dot(velocity);
            }
        }
        (table, with)
    }

    fn residual(&mut self) -> f64 {
        self.problem.velocities(&mut self.bodies);
        self.problem.residual(&self.bodies)
    }
}
