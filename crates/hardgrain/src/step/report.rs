//! The report of a step.

use crate::solver::{Solution, Status, hidden_by};

/// The report of one step, in the units of the packing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct StepReport {
    /// Pairs that may touch within the step.
    pub pairs: usize,
    /// Pairs that carry a load: contacts.
    pub contacts: usize,
    /// The number of sweeps. It is larger than the setting in steps whose bounces had to be slowed down.
    pub sweeps: u32,
    /// The residual of the answer; see [`Problem::residual`](crate::Problem::residual).
    pub residual: f64,
    /// The relative error of the forces. Plain sweeps give an upper estimate, residual × (8/π²)(L/d)², which holds if the whole
    /// residual belongs to the slowest mode. Accelerated sweeps estimate it from the changes of the forces or, where these are
    /// unknown, give the largest multiple of that estimate (45 or 150 times) that was observed with sliding contacts: the same
    /// forces may have a larger error there. Above 1 the forces are unknown.
    pub force_error: f64,
    /// Converged or not.
    pub status: Status,
    /// The number of factorisations; sweeps make none.
    pub factorisations: u32,
    /// Whether the solver failed and fell back on accelerated sweeps.
    pub fell_back: bool,
    /// The factor by which Jacobi sweeps were damped; 1 for other orders.
    pub damping: f64,
    /// Largest overlap after the step; 0 where nothing overlaps.
    pub overlap_max: f64,
    /// Mean overlap of the contacts after the step.
    pub overlap_mean: f64,
    /// Pairs that meet within the step undetected, because contacts made grains faster than the last search allowed for. Their
    /// overlaps remain.
    pub missed: usize,
    /// Kinetic energy of free grains and pistons after the step.
    pub kinetic_energy: f64,
    /// Work of the contacts, negative where they dissipate; see [`Problem::work`](crate::Problem::work).
    pub contact_work: f64,
}

impl StepReport {
    /// Whether the step reached the required tolerance; `None` for a fixed number of sweeps.
    pub fn converged(&self) -> Option<bool> {
        match self.status {
            Status::Converged => Some(true),
            Status::NotConverged => Some(false),
            Status::FixedSweeps => None,
        }
    }

    /// The solver's estimate of the relative error of the forces, or else what the residual may hide.
    pub(crate) fn force_error(solution: &Solution, span: f64) -> f64 {
        solution.force_error.unwrap_or_else(|| hidden_by(solution.residual, span))
    }
}
