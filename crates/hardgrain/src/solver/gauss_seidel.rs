//! Nonlinear Gauss–Seidel: sweeps of exact one-contact solves in any order; damped Jacobi sweeps where all contacts are relaxed from the
//! same values.

use super::coloured::Coloured;
use super::in_sequence::{sweep, sweep_carried, sweep_visits};
use super::jacobi::Jacobi;
use super::order::{Order, arrange};
use super::random_blocks::RandomBlocks;
use super::{Solution, Solver, Status, Stop};
use crate::dimension::Dimension;
use crate::error::InputError;
use crate::lanes::Path;
use crate::problem::{Body, Problem};
use crate::random::Seed;
use crate::threads::Threads;
use crate::tuning::SweepTuning;
use std::ops::Range;

/// The solver of the paper.
#[derive(Clone, Debug)]
#[must_use]
pub struct GaussSeidel<D: Dimension> {
    order: Order,
    stop: Stop,
    // Workspace: the velocities with all present impulses in them, the next sweep's visits, and that of some orders.
    bodies: Vec<Body<D>>,
    visits: Vec<u32>,
    jacobi: Jacobi<D>,
    coloured: Coloured<D>,
    random_blocks: RandomBlocks<D>,
}

impl<D: Dimension> GaussSeidel<D> {
    /// Sweeps in this order until `stop`.
    pub fn new(order: Order, stop: Stop) -> Self {
        Self {
            order,
            stop,
            bodies: Vec::new(),
            visits: Vec::new(),
            jacobi: Jacobi::default(),
            coloured: Coloured::default(),
            random_blocks: RandomBlocks::default(),
        }
    }

    /// Coloured sweeps cut the contacts into windows of this number, not [the usual one](crate::SweepTuning::window). That is another
    /// order, with other bits.
    pub fn windows_of(mut self, contacts: usize) -> Self {
        self.coloured.cut_into_windows(contacts);
        self
    }

    /// Coloured sweeps take this path instead of the fastest one. The results are the same.
    pub fn path(mut self, path: Path) -> Self {
        self.coloured.path = path;
        self
    }

    /// The same on these threads, which changes no bit of the result. Only coloured sweeps use more than one; all end once they are
    /// cancelled.
    pub fn threads(mut self, threads: &Threads) -> Self {
        self.coloured.threads = threads.clone();
        self
    }

    /// The residual, with recomputed velocities: over many sweeps the rounding errors of single changes accumulate.
    fn measure(&mut self, problem: &mut Problem<D>) -> f64 {
        if self.order == Order::Coloured {
            self.coloured.recompute_velocities(problem);
            return self.coloured.measure()[0];
        }
        self.write(problem);
        problem.velocities(&mut self.bodies);
        if self.order == Order::RandomBlocks {
            self.random_blocks.read(problem, &self.bodies);
        }
        problem.residual(&self.bodies)
    }

    /// Sums the velocities and fills the workspace of the order.
    fn gather(&mut self, problem: &Problem<D>) {
        if self.order == Order::Coloured {
            return self.coloured.start(problem);
        }
        problem.velocities(&mut self.bodies);
        match self.order {
            Order::Parallel => self.jacobi.start(problem),
            Order::RandomBlocks => self.random_blocks.start(problem, &self.bodies),
            _ => self.visits.resize(problem.rows.len(), 0),
        }
    }

    /// Writes the impulses into the rows.
    fn write(&self, problem: &mut Problem<D>) {
        match self.order {
            Order::Coloured => self.coloured.write(&mut problem.rows),
            Order::RandomBlocks => self.random_blocks.write(&mut problem.rows),
            _ => {}
        }
    }

    /// The sweeps with these numbers, one unless they are coloured; returns the damping factor.
    fn sweep(&mut self, problem: &mut Problem<D>, (seed, step): (Seed, u64), numbers: Range<u32>) -> f64 {
        let number = numbers.start;
        if !problem.surface_velocities.is_empty() {
            self.sweep_carried(problem, (seed, step), number);
            return 1.0;
        }
        let Self { order, bodies, visits, jacobi, coloured, random_blocks, .. } = self;
        let rows = &mut problem.rows[..];
        match order {
            Order::Parallel => return jacobi.sweep(rows, bodies),
            Order::Coloured => coloured.sweep(numbers.end - numbers.start),
            Order::Symmetric if number % 2 == 1 => sweep(rows.iter_mut().rev(), bodies),
            Order::Forward | Order::Symmetric => sweep(rows.iter_mut(), bodies),
            Order::RandomSweep | Order::RandomSequential => {
                arrange(*order, seed, step, u64::from(number), visits);
                sweep_visits(rows, visits, bodies);
            }
            Order::RandomBlocks => {
                random_blocks.arrange(seed, step, u64::from(number));
                random_blocks.sweep();
            }
        }
        1.0
    }

    /// The sweep with this number, where surfaces move on their bodies.
    fn sweep_carried(&mut self, problem: &mut Problem<D>, (seed, step): (Seed, u64), number: u32) {
        let contacts = 0..problem.rows.len();
        match self.order {
            Order::Symmetric if number % 2 == 1 => sweep_carried(problem, contacts.rev(), &mut self.bodies),
            Order::Forward | Order::Symmetric => sweep_carried(problem, contacts, &mut self.bodies),
            Order::RandomSweep | Order::RandomSequential => {
                arrange(self.order, seed, step, u64::from(number), &mut self.visits);
                sweep_carried(problem, self.visits.iter().map(|visit| *visit as usize), &mut self.bodies);
            }
            Order::Parallel | Order::Coloured | Order::RandomBlocks => unreachable!("refused"),
        }
    }
}

impl<D: Dimension> Solver<D> for GaussSeidel<D> {
    #[inline(never)]
    fn solve(&mut self, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution {
        let cancellations = self.coloured.threads.cancellations();
        self.gather(problem);
        let mut until = StoppingRule::new(self.stop);
        let mut damping = 1.0_f64;
        while until.goes_on(|| self.measure(problem)) && !self.coloured.threads.is_cancelled() {
            // Several coloured sweeps in one call: threads would wait in between.
            let coloured = || until.before_the_next_inspection().min(self.coloured.sweeps_per_call());
            let count = if self.order == Order::Coloured { coloured() } else { 1 };
            damping = damping.min(self.sweep(problem, (seed, step), until.sweeps..until.sweeps + count));
            until.sweeps += count;
        }
        self.write(problem);
        let residual = until.residual.unwrap_or_else(|| self.measure(problem));
        let cancelled = self.coloured.threads.cancelled_since(cancellations);
        Solution { damping, cancelled, ..Solution::new(until.sweeps, residual, until.status()) }
    }

    fn velocities(&mut self, problem: &Problem<D>, into: &mut Vec<Body<D>>) {
        // The last measurement has summed them, except for coloured sweeps, which have velocities of their own.
        if self.order == Order::Coloured {
            problem.velocities(into);
        } else {
            into.clone_from(&self.bodies);
        }
    }

    fn follows_the_curve(&self) -> bool {
        matches!(self.order, Order::Coloured | Order::RandomBlocks)
    }

    fn takes(&self, problem: &Problem<D>) -> Result<(), InputError> {
        match self.order {
            Order::Parallel => problem.refuse_moving_surfaces("the parallel order"),
            Order::Coloured => problem.refuse_moving_surfaces("the coloured order"),
            Order::RandomBlocks => problem.refuse_moving_surfaces("the order of random blocks"),
            Order::Forward | Order::Symmetric | Order::RandomSweep | Order::RandomSequential => Ok(()),
        }
    }

    fn check(&self) -> Result<(), InputError> {
        self.stop.check()
    }
}

/// Counts sweeps and decides whether another one is needed.
struct StoppingRule {
    stop: Stop,
    sweeps: u32,
    next_inspection: u32,
    residual: Option<f64>,
}

impl StoppingRule {
    fn new(stop: Stop) -> Self {
        Self { stop, sweeps: 0, next_inspection: 0, residual: None }
    }

    fn goes_on(&mut self, residual: impl FnOnce() -> f64) -> bool {
        match self.stop {
            Stop::Sweeps(wanted) => self.sweeps < wanted,
            Stop::Tolerance { tolerance, max_sweeps } => {
                if self.sweeps >= self.next_inspection || self.sweeps >= max_sweeps {
                    // It costs about a sweep: inspect often at first, then after every further tenth of the sweeps.
                    self.next_inspection = self.sweeps + 1 + self.sweeps / SweepTuning::DEFAULT.inspections;
                    self.residual = Some(residual());
                }
                self.residual.is_none_or(|residual| residual > tolerance) && self.sweeps < max_sweeps
            }
        }
    }

    /// Sweeps before the next inspection: one at least.
    fn before_the_next_inspection(&self) -> u32 {
        let until = match self.stop {
            Stop::Sweeps(wanted) => wanted,
            Stop::Tolerance { max_sweeps, .. } => self.next_inspection.min(max_sweeps),
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
