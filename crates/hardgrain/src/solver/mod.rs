//! Solvers of the contact problem. A solver is called once per step; not converging is a status, not an error.

mod pooling;
mod sweeps;

pub use pooling::Pooling;
pub use sweeps::{GaussSeidel, sweep, sweep_visits};

use crate::dimension::Dimension;
use crate::problem::Problem;
use crate::random::Seed;
use std::fmt::Debug;

/// Finds the impulses of a contact problem.
pub trait Solver<D: Dimension>: Debug + Send {
    /// Improves the impulses in `problem`, starting from those that are there. `step` and `seed` key its random numbers.
    fn solve(&mut self, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution;
}

/// When an iteration ends.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Stop {
    /// After this many sweeps, whatever they have reached: N_I of the paper.
    Sweeps(u32),
    /// When the residual is below the tolerance, or at the cap.
    Tolerance {
        /// The residual to reach.
        tolerance: f64,
        /// Give up after this many sweeps.
        max_sweeps: u32,
    },
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The tolerance was reached.
    Converged,
    /// The tolerance was not reached.
    NotConverged,
    /// No tolerance was asked for: the sweeps were made.
    FixedSweeps,
}

/// What a solver says of its answer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Solution {
    /// Sweeps made.
    pub sweeps: u32,
    /// The residual of the answer; see [`Problem::residual`].
    pub residual: f64,
    /// Converged or not.
    pub status: Status,
    /// The factor by which each change was damped: 1 but for [`Order::Parallel`](crate::Order::Parallel) in the plane and
    /// in space, where q is that much smaller.
    pub damping: f64,
}
