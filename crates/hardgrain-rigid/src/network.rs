//! What the stages need of a contact problem: its velocities, and a linear solve with springs put into its contacts.

use crate::block::{Block, Coupling};
use crate::factor::cost::FactorisationCost;
use crate::residuals::ContactData;
use crate::tuning::Tuning;

/// A spring in a contact: r = stiffness · velocity, and the inverse of that, each computed without cancellation.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct ContactSpring<const N: usize> {
    pub(crate) stiffness: Coupling<N>,
    pub(crate) compliance: Coupling<N>,
}

/// A contact problem that springs can be put into: the linear systems of the stages.
pub(crate) trait SpringSystem<const N: usize> {
    /// q, μ and the diagonal blocks of W.
    fn data(&self) -> &ContactData<N>;

    /// The constants of the solver.
    fn tuning(&self) -> &Tuning;

    /// u = q + W r.
    fn velocities(&self, reactions: &[Block<N>], velocities: &mut Vec<Block<N>>);

    /// Prepares for [`SpringSystem::solve`] with these springs in the contacts. False where that is impossible, or cancelled.
    fn put_springs(&mut self, springs: &[ContactSpring<N>], symmetry: Symmetry) -> bool;

    /// With r = stiffness (c − W r), finds c − W r, the velocities that are left to the springs.
    fn solve(&mut self, wanted: &[Block<N>], left: &mut Vec<Block<N>>, refinement: Refinement);

    /// Whether the work is cancelled: then no sweep, factorisation or iteration follows, and stages end.
    fn is_cancelled(&self) -> bool;
}

/// The symmetry of springs, and so which method may solve for them.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Symmetry {
    /// Symmetric, for a step of a stage that corrects inexact solves later: conjugate gradients may do.
    Inexact,
    /// Symmetric: L Lᵀ.
    Symmetric,
    /// Unsymmetric: L U.
    General,
}

/// Iterative refinement of a solve: the number of solves.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Refinement {
    /// None: enough for a predictor.
    None = 1,
    /// One more solve for the residual, unless that is small.
    Once = 2,
}

/// A contact problem with all that the stages need.
pub(crate) trait Network<const N: usize>: SpringSystem<N> {
    /// Makes at most `sweeps` accelerated sweeps from these reactions, fewer if their error reaches the tolerance. Returns their number.
    fn sweep(&mut self, reactions: &mut Vec<Block<N>>, sweeps: u32, tolerance: f64) -> u32;

    /// Uses no more conjugate gradients for this problem. False if none were used anyway.
    fn stop_gradients(&mut self) -> bool;

    /// What a factorisation costs.
    fn cost(&self) -> FactorisationCost;

    /// How far reactions are from an answer, in the measure of the tolerance.
    fn error(&self, reactions: &[Block<N>]) -> f64;

    /// Factorisations made for this problem.
    fn factorisations(&self) -> u32;
}
