//! The search for pairs of parts that may touch within a step: a cell list (grid, neighbour) behind a Verlet list (candidates), with the
//! strides that say how far to search.

mod candidates;
mod grid;
mod neighbour;
mod stride;

pub(crate) use candidates::Candidates;
pub use neighbour::Neighbours;
pub(crate) use stride::Missed;
pub use stride::Strides;
