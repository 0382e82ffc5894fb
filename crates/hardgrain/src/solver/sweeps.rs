//! Sweeps of exact one-contact solves, in any order: nonlinear Gauss–Seidel, and Jacobi when all contacts are relaxed
//! from the same values.

use super::blocked::Blocked;
use super::coloured::Coloured;
use super::order::{Order, arrange};
use super::together::Together;
use super::{Solution, Solver, Status, Stop};
use crate::dimension::Dimension;
use crate::error::InputError;
use crate::lanes::{Path, ask_for};
use crate::problem::{Body, Problem, Row};
use crate::random::Seed;
use crate::threads::Threads;
use std::ops::Range;

/// The solver of the paper.
#[derive(Clone, Debug)]
pub struct GaussSeidel<D: Dimension> {
    order: Order,
    stop: Stop,
    // Workspace: the velocities with all present impulses in them, the next sweep's visits, and what some orders have of their own.
    bodies: Vec<Body<D>>,
    visits: Vec<u32>,
    together: Together<D>,
    coloured: Coloured<D>,
    blocked: Blocked<D>,
}

impl<D: Dimension> GaussSeidel<D> {
    /// Sweeps in this order until then.
    pub fn new(order: Order, stop: Stop) -> Self {
        Self {
            order,
            stop,
            bodies: Vec::new(),
            visits: Vec::new(),
            together: Together::default(),
            coloured: Coloured::default(),
            blocked: Blocked::default(),
        }
    }

    /// Coloured sweeps go this path instead of the fastest one. The results are the same.
    #[must_use]
    pub fn path(mut self, path: Path) -> Self {
        self.coloured.path = path;
        self
    }

    /// The same on these threads, which changes no bit of the result. Only coloured sweeps use more than one.
    #[must_use]
    pub fn threads(mut self, threads: &Threads) -> Self {
        self.coloured.threads = threads.clone();
        self
    }

    /// Contacts in a window of the coloured order.
    #[cfg(test)]
    pub(super) fn window(mut self, contacts: usize) -> Self {
        self.coloured.make_windows_of(contacts);
        self
    }

    /// The residual, with the velocities added up afresh: over many sweeps the roundings of single changes pile up.
    fn look(&mut self, problem: &mut Problem<D>) -> f64 {
        if self.order == Order::Coloured {
            self.coloured.add_up(problem);
            return self.coloured.measure()[0];
        }
        self.put_back(problem);
        problem.velocities(&mut self.bodies);
        if self.order == Order::RandomBlocks {
            self.blocked.read(problem, &self.bodies);
        }
        problem.residual(&self.bodies)
    }

    /// Adds the velocities up, and gathers what the order keeps in its own way.
    fn gather(&mut self, problem: &Problem<D>) {
        if self.order == Order::Coloured {
            return self.coloured.start(problem);
        }
        problem.velocities(&mut self.bodies);
        match self.order {
            Order::Parallel => self.together.start(problem),
            Order::RandomBlocks => self.blocked.start(problem, &self.bodies),
            _ => self.visits.resize(problem.rows.len(), 0),
        }
    }

    /// Puts the impulses where they belong.
    fn put_back(&self, problem: &mut Problem<D>) {
        match self.order {
            Order::Coloured => self.coloured.write(&mut problem.rows),
            Order::RandomBlocks => self.blocked.write(&mut problem.rows),
            _ => {}
        }
    }

    /// Sweeps with these numbers, of coloured ones many and of others one; the factor by which it was damped.
    fn sweep(&mut self, rows: &mut [Row<D>], (seed, step): (Seed, u64), numbers: Range<u32>) -> f64 {
        let Self { order, bodies, visits, together, coloured, blocked, .. } = self;
        let number = numbers.start;
        match order {
            Order::Parallel => return together.sweep(rows, bodies),
            Order::Coloured => coloured.sweep(numbers.end - numbers.start),
            Order::Symmetric if number % 2 == 1 => sweep(rows.iter_mut().rev(), bodies),
            Order::Forward | Order::Symmetric => sweep(rows.iter_mut(), bodies),
            Order::RandomSweep | Order::RandomSequential => {
                arrange(*order, seed, step, u64::from(number), visits);
                sweep_visits(rows, visits, bodies);
            }
            Order::RandomBlocks => {
                blocked.arrange(seed, step, u64::from(number));
                blocked.sweep();
            }
        }
        1.0
    }
}

impl<D: Dimension> Solver<D> for GaussSeidel<D> {
    #[inline(never)]
    fn solve(&mut self, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution {
        self.gather(problem);
        let mut until = Until::new(self.stop);
        let mut damping = 1.0_f64;
        while until.goes_on(|| self.look(problem)) {
            // Colours go on from sweep to sweep without asking; threads that wait in between would cost more.
            let count = if self.order == Order::Coloured { until.before_the_next_look() } else { 1 };
            damping = damping.min(self.sweep(&mut problem.rows, (seed, step), until.sweeps..until.sweeps + count));
            until.sweeps += count;
        }
        self.put_back(problem);
        let residual = until.residual.unwrap_or_else(|| self.look(problem));
        Solution {
            sweeps: until.sweeps,
            residual,
            status: until.status(),
            damping,
            force_error: None,
            factorisations: 0,
            handed_over: false,
        }
    }

    fn velocities(&mut self, problem: &Problem<D>, into: &mut Vec<Body<D>>) {
        // The last look has added them up, but for colours, which have their own.
        if self.order == Order::Coloured {
            problem.velocities(into);
        } else {
            into.clone_from(&self.bodies);
        }
    }

    fn follows_the_curve(&self) -> bool {
        matches!(self.order, Order::Coloured | Order::RandomBlocks)
    }

    fn check(&self) -> Result<(), InputError> {
        self.stop.check()
    }
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

    /// Sweeps that can be made without a look in between: one at least.
    fn before_the_next_look(&self) -> u32 {
        let until = match self.stop {
            Stop::Sweeps(wanted) => wanted,
            Stop::Tolerance { max_sweeps, .. } => self.next_look.min(max_sweeps),
        };
        until.saturating_sub(self.sweeps).max(1)
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

/// At random places the machine cannot guess what is needed next, but the order is known: contacts are asked for twice so many visits
/// ahead, their bodies so many.
pub(super) const AHEAD: usize = 8;

/// More contacts than these fit into no cache that is near.
const MANY: usize = 4_096;

/// One sweep that visits the contacts in the given order.
pub fn sweep_visits<D: Dimension>(rows: &mut [Row<D>], visits: &[u32], bodies: &mut [Body<D>]) {
    if rows.len() < MANY {
        for &visit in visits {
            relax(&mut rows[visit as usize], bodies);
        }
        return;
    }
    for (index, &visit) in visits.iter().enumerate() {
        if let Some(&next) = visits.get(index + 2 * AHEAD) {
            ask_for(&rows[next as usize]);
        }
        if let Some(&next) = visits.get(index + AHEAD) {
            let row = &rows[next as usize];
            ask_for(&bodies[row.first as usize]);
            ask_for(&bodies[row.second as usize]);
        }
        relax(&mut rows[visit as usize], bodies);
    }
}

#[inline(always)]
pub(super) fn relax<D: Dimension>(row: &mut Row<D>, bodies: &mut [Body<D>]) {
    let impulse = row.relaxed(bodies);
    row.push(impulse.since(row.impulse), bodies);
    row.impulse = impulse;
}
