//! The search for pairs of parts that may touch within a step.

mod candidates;
mod grid;
mod neighbour;
mod stride;

pub(crate) use candidates::Candidates;
pub use neighbour::Neighbours;
pub use stride::Strides;
pub(crate) use stride::Unseen;
