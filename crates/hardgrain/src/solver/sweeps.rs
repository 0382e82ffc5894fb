//! Sweeps of exact one-contact solves, in any order: nonlinear Gauss–Seidel, and Jacobi when all contacts are relaxed
//! from the same values.

use super::{Solution, Solver, Status, Stop};
use crate::dimension::Dimension;
use crate::error::InputError;
use crate::law::{Body, Impulse};
use crate::order::{Order, arrange};
use crate::problem::{Problem, Row};
use crate::random::Seed;

/// The solver of the paper.
#[derive(Clone, Debug)]
pub struct GaussSeidel<D: Dimension> {
    order: Order,
    stop: Stop,
    // Workspace: the velocities with all present impulses in them, the next sweep's visits, the parallel order's changes.
    bodies: Vec<Body<D>>,
    visits: Vec<u32>,
    changes: Vec<Impulse<D>>,
}

impl<D: Dimension> GaussSeidel<D> {
    /// Sweeps in this order until then.
    pub fn new(order: Order, stop: Stop) -> Self {
        Self { order, stop, bodies: Vec::new(), visits: Vec::new(), changes: Vec::new() }
    }

    fn sweep(&mut self, rows: &mut [Row<D>], damping: f64, number: u32) {
        let Self { order, bodies, visits, changes, .. } = self;
        match order {
            Order::Parallel => relax_together(rows, bodies, changes, damping),
            Order::Symmetric if number % 2 == 1 => sweep(rows.iter_mut().rev(), bodies),
            Order::Forward | Order::Symmetric => sweep(rows.iter_mut(), bodies),
            Order::RandomSweep | Order::RandomSequential => sweep_visits(rows, visits, bodies),
        }
    }
}

impl<D: Dimension> Solver<D> for GaussSeidel<D> {
    fn solve(&mut self, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution {
        let damping = if self.order == Order::Parallel { stable_damping(problem) } else { 1.0 };
        problem.velocities(&mut self.bodies);
        self.visits.resize(problem.rows.len(), 0);
        let mut until = Until::new(self.stop);
        while until.goes_on(|| look(problem, &mut self.bodies)) {
            arrange(self.order, seed, step, u64::from(until.sweeps), &mut self.visits);
            self.sweep(&mut problem.rows, damping, until.sweeps);
            until.sweeps += 1;
        }
        let residual = until.residual.unwrap_or_else(|| look(problem, &mut self.bodies));
        Solution { sweeps: until.sweeps, residual, status: until.status(), damping }
    }

    fn check(&self) -> Result<(), InputError> {
        self.stop.check()
    }
}

/// The residual, with the velocities added up afresh: over many sweeps the roundings of single changes pile up.
fn look<D: Dimension>(problem: &Problem<D>, bodies: &mut Vec<Body<D>>) -> f64 {
    problem.velocities(bodies);
    problem.residual(bodies)
}

/// Counts sweeps and decides whether another one is needed.
struct Until {
    stop: Stop,
    sweeps: u32,
    next_look: u32,
    residual: Option<f64>,
}

impl Until {
    fn new(stop: Stop) -> Self {
        Self { stop, sweeps: 0, next_look: 0, residual: None }
    }

    fn goes_on(&mut self, residual: impl FnOnce() -> f64) -> bool {
        match self.stop {
            Stop::Sweeps(wanted) => self.sweeps < wanted,
            Stop::Tolerance { tolerance, max_sweeps } => {
                if self.sweeps >= self.next_look || self.sweeps >= max_sweeps {
                    // A look costs about a sweep: look often at first, then after every tenth of the sweeps made.
                    self.next_look = self.sweeps + 1 + self.sweeps / 10;
                    self.residual = Some(residual());
                }
                self.residual.is_none_or(|residual| residual > tolerance) && self.sweeps < max_sweeps
            }
        }
    }

    fn status(&self) -> Status {
        match self.stop {
            Stop::Sweeps(_) => Status::FixedSweeps,
            Stop::Tolerance { tolerance, .. } if self.residual.is_some_and(|r| r <= tolerance) => Status::Converged,
            Stop::Tolerance { .. } => Status::NotConverged,
        }
    }
}

/// One sweep: each contact is relaxed with the impulses that the ones before it have just received. `bodies` hold the
/// velocities with all present impulses in them.
pub fn sweep<'a, D: Dimension>(rows: impl Iterator<Item = &'a mut Row<D>>, bodies: &mut [Body<D>]) {
    for row in rows {
        relax(row, bodies);
    }
}

/// One sweep that visits the contacts in the given order.
pub fn sweep_visits<D: Dimension>(rows: &mut [Row<D>], visits: &[u32], bodies: &mut [Body<D>]) {
    for &index in visits {
        relax(&mut rows[index as usize], bodies);
    }
}

#[inline(always)]
fn relax<D: Dimension>(row: &mut Row<D>, bodies: &mut [Body<D>]) {
    let impulse = row.relaxed(bodies);
    row.push(impulse.since(row.impulse), bodies);
    row.impulse = impulse;
}

/// All contacts from the same values; the changes act afterwards.
fn relax_together<D: Dimension>(
    rows: &mut [Row<D>],
    bodies: &mut [Body<D>],
    changes: &mut Vec<Impulse<D>>,
    damping: f64,
) {
    changes.clear();
    changes.extend(rows.iter().map(|row| row.relaxed(bodies).since(row.impulse).times(damping)));
    for (row, &change) in rows.iter_mut().zip(changes.iter()) {
        row.push(change, bodies);
        row.impulse.normal += change.normal;
        row.impulse.tangent += change.tangent;
    }
}

/// The largest damping factor that keeps the parallel update stable.
///
/// Relaxing all contacts together multiplies an error by 1 − θ D⁻¹W, with D the diagonal of W = Hᵀ M⁻¹ H. A body that
/// touches z others spreads the impulse of each to all z, and by Cauchy and Schwarz the eigenvalues of D⁻¹W stay below
/// λ = max over contacts of (z_a w_a + z_b w_b)/(w_a + w_b), where w_a + w_b = w are the shares of the two bodies. The
/// update is stable for θ λ ≤ 2. In a chain z = 2, so θ = 1: the paper's update needs no damping.
fn stable_damping<D: Dimension>(problem: &Problem<D>) -> f64 {
    let mut touches = vec![0.0; problem.bodies.len()];
    for row in &problem.rows {
        touches[row.first as usize] += 1.0;
        touches[row.second as usize] += 1.0;
    }
    let spread = |row: &Row<D>| {
        let (first, second) = (row.first as usize, row.second as usize);
        let (a, b, contact) = (&problem.bodies[first], &problem.bodies[second], &row.contact);
        // Written as a quotient of sums, which is exactly 2 in a chain.
        let ratio = |of_a: f64, of_b: f64| (touches[first] * of_a + touches[second] * of_b) / (of_a + of_b);
        let aside = |inverse_mass: f64, body: &Body<D>, arm: f64| inverse_mass + arm * arm * body.inverse_inertia;
        let along = ratio(a.inverse_mass, b.inverse_mass);
        // Without tangents (on the line) or friction only the normal counts.
        if contact.friction > 0.0 && contact.tangent_mass > 0.0 && !D::CHAIN {
            let of_a = aside(a.inverse_mass, a, contact.first_arm);
            along.max(ratio(of_a, aside(contact.second_aside, b, contact.second_arm)))
        } else {
            along
        }
    };
    2.0 / problem.rows.iter().map(spread).fold(2.0, f64::max)
}
