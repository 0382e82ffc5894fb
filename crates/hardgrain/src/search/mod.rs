//! The search for pairs of parts that may touch within a step: a cell list (grid, neighbour) behind a Verlet list (candidates, valid until its snapshot is too old), and the
//! strides that limit how far to search.

mod candidates;
mod grid;
mod neighbour;
mod snapshot;
mod stride;

pub use candidates::Candidates;
pub use neighbour::Neighbours;
pub(crate) use snapshot::Snapshot;
pub use stride::{Strides, undetected};
