//! Solvers of the contact problem. A solver is called once per step; not converging is a status, not an error.

mod accelerated;
mod coloured;
mod gauss_seidel;
mod in_sequence;
mod jacobi;
mod momentum;
mod order;
mod pooling;
mod race;
mod random_blocks;
mod sweepable;

pub use accelerated::Accelerated;
pub use coloured::{Coloured, InColours};
pub use gauss_seidel::GaussSeidel;
pub use in_sequence::{InSequence, sweep, sweep_visits};
pub use momentum::Momentum;
pub use order::Order;
pub use pooling::Pooling;
pub use race::{Inspection, SweepLimits, accelerate, linear_size};
pub use random_blocks::RandomBlocks;
pub use sweepable::{ContactVector, Iterate, PairProducts, Sweepable, Trace};

use crate::dimension::Dimension;
use crate::error::InputError;
use crate::problem::{Body, Problem};
use crate::random::Seed;
use crate::threads::Threads;
use std::fmt::Debug;

/// Finds the impulses of a contact problem.
pub trait Solver<D: Dimension>: Debug + Send {
    /// Improves the impulses in `problem`, starting from those that are there. `step` and `seed` key its random numbers. Once its threads are
    /// [cancelled](Threads::cancelled_by) it returns what it has, which the solution says.
    fn solve(&mut self, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution;

    /// The same, given the threads of the engine, for a solver that has none of its own.
    fn solve_on(&mut self, _: &Threads, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution {
        self.solve(problem, seed, step)
    }

    /// The velocities of the answer to this problem, which was solved last: those of [`Problem::velocities`], bit by bit.
    fn velocities(&mut self, problem: &Problem<D>, into: &mut Vec<Body<D>>) {
        problem.velocities(into);
    }

    /// Whether it visits neighbours together: then a problem of many bodies has a [curve](Problem::curve).
    fn follows_the_curve(&self) -> bool {
        false
    }

    /// Whether it knows all that this problem asks for. The engine asks before each solve, so that nothing is silently left out.
    ///
    /// # Errors
    /// What it does not know, and which solver to use instead.
    fn takes(&self, _problem: &Problem<D>) -> Result<(), InputError> {
        Ok(())
    }

    /// Whether its settings make sense. Asked before every step.
    ///
    /// # Errors
    /// The first setting that does not.
    fn check(&self) -> Result<(), InputError> {
        Ok(())
    }
}

/// When an iteration ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// After this many sweeps, whatever they have reached: N_I of the paper.
    Sweeps(u32),
    /// When the residual is at the tolerance or below, or at the cap. For [`Accelerated`] it is the estimated force error.
    Tolerance {
        /// What to reach; 0 asks for all that rounding allows.
        tolerance: f64,
        /// Give up after this many sweeps.
        max_sweeps: u32,
    },
}

impl Stop {
    fn check(self) -> Result<(), InputError> {
        let (Self::Sweeps(most) | Self::Tolerance { max_sweeps: most, .. }) = self;
        if most == 0 {
            return Err(InputError::range("number of sweeps", 0.0, "1 or more"));
        }
        match self {
            Self::Tolerance { tolerance, .. } if !(0.0..1.0).contains(&tolerance) => {
                Err(InputError::range("tolerance", tolerance, "0 or more and below 1"))
            }
            _ => Ok(()),
        }
    }
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Status {
    /// The tolerance was reached.
    Converged,
    /// The tolerance was not reached.
    NotConverged,
    /// A fixed number of sweeps was made.
    #[default]
    FixedSweeps,
}

/// The result of a solve.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution {
    /// Sweeps, and iterations that take as long.
    pub sweeps: u32,
    /// The residual of the answer; see [`Problem::residual`].
    pub residual: f64,
    /// Converged or not.
    pub status: Status,
    /// The smallest factor by which a sweep was damped: 1 except for Jacobi sweeps ([`Order::Parallel`](crate::Order::Parallel)) in the plane
    /// and in space, where q is that much smaller.
    pub damping: f64,
    /// The relative error of the forces as the solver estimates it, if it does.
    pub force_error: Option<f64>,
    /// Factorisations made, by a solver that makes any.
    pub factorisations: u32,
    /// Whether it fell back to accelerated sweeps.
    pub fell_back: bool,
    /// Whether it was cancelled: then this is no answer.
    pub cancelled: bool,
}

impl Solution {
    /// After this number of sweeps: nothing was damped, factorised, given up or cancelled, and the force error is unknown.
    pub fn new(sweeps: u32, residual: f64, status: Status) -> Self {
        Self {
            sweeps,
            residual,
            status,
            damping: 1.0,
            force_error: None,
            factorisations: 0,
            fell_back: false,
            cancelled: false,
        }
    }
}

/// The error of the forces that a residual may hide in a system `span` grains long.
///
/// Relaxing all contacts at once takes the share 1 − cos kd ≈ (kd)²/2 off an error of wave number k, so an error is
/// 2/(kd)² times the change; the slowest mode of a system held at one end has k = π/(2L).
pub(crate) fn hidden_by(residual: f64, span: f64) -> f64 {
    let slowest = std::f64::consts::FRAC_PI_2 / span.max(1.0);
    residual * 2.0 / (slowest * slowest)
}
