//! The stages of the rigid solver.

pub(crate) mod best;
pub(crate) mod cascade;
mod cone;
mod convergence;
mod convex;
mod exact;
mod interior;
pub(crate) mod refine;
