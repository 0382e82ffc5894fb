//! Eight numbers in memory.

/// Lanes, on every path.
pub(crate) const LANES: usize = 8;

/// Eight numbers as they lie in memory; and the portable path.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Eight(pub(crate) [f64; LANES]);
