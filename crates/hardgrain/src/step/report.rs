//! What a step says of itself.

use crate::solver::{Solution, Status, hidden_by};

/// The report of one step. Lengths, energies and so on are in the units of the packing.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport {
    /// Pairs near enough to touch within the step.
    pub pairs: usize,
    /// Pairs that carry a load: contacts.
    pub contacts: usize,
    /// Sweeps that led to the answer. More than were asked for in steps whose bounces had to be slowed down.
    pub sweeps: u32,
    /// The relative change another relaxation of all contacts would make; see
    /// [`Problem::residual`](crate::Problem::residual).
    pub residual: f64,
    /// The relative error of the forces. Sweeps do not know theirs; then this is what the residual may hide: if all of it
    /// sits in the mode that relaxes slowest, residual × (8/π²)(L/d)². Accelerated sweeps tell a bound instead, the most it was
    /// ever seen to hide where contacts slide (45 or 150 times that), unless they have seen how much forces still change: the
    /// same forces may have a larger error there. Above 1 the forces are unknown.
    pub force_error: f64,
    /// Converged or not.
    pub status: Status,
    /// Factorisations that led to the answer; sweeps make none.
    pub factorisations: u32,
    /// Whether the solver could not do it in its own way and handed over to accelerated sweeps.
    pub handed_over: bool,
    /// The factor by which a parallel update was damped; 1 otherwise.
    pub damping: f64,
    /// Largest overlap after the step; 0 where nothing overlaps.
    pub overlap_max: f64,
    /// Mean overlap of the contacts after the step.
    pub overlap_mean: f64,
    /// Pairs that meet within the step though nobody looked at them: contacts made grains faster than the search allowed
    /// for, again and again. Their overlap stays.
    pub missed: usize,
    /// Kinetic energy of free grains and pistons after the step.
    pub kinetic_energy: f64,
    /// Work of the contacts, below 0 where they dissipate; see [`Problem::work`](crate::Problem::work).
    pub contact_work: f64,
}

impl StepReport {
    /// Whether the step reached the tolerance it was asked for. A fixed number of sweeps asks for none.
    pub fn converged(&self) -> Option<bool> {
        match self.status {
            Status::Converged => Some(true),
            Status::NotConverged => Some(false),
            Status::FixedSweeps => None,
        }
    }

    /// What the solver says of the error of its forces, or else what its residual may hide.
    pub(crate) fn force_error(solution: &Solution, span: f64) -> f64 {
        solution.force_error.unwrap_or_else(|| hidden_by(solution.residual, span))
    }
}
