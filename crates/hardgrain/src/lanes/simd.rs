//! Eight numbers in registers, and work that is written over them.

use super::eight::{Eight, LANES};
use super::shared::SharedNumbers;
use crate::real::Real;

/// Work that is written over lanes, whatever registers a path has.
pub(crate) trait LaneWork {
    /// How many numbers a body has.
    const SLOTS: usize;

    fn with<T: Simd>(self);
}

/// Eight numbers in registers.
pub(crate) trait Simd: Real {
    fn load(from: &Eight) -> Self;

    fn store(self, into: &mut Eight);

    /// The first, second … numbers of eight bodies, which have `slots` of them each: 1, 4 or 8. A body is given by the index of its first.
    fn gather(numbers: SharedNumbers<'_>, slots: usize, bodies: &[u32; LANES]) -> [Self; 8];

    /// Writes the first, second … numbers back, all but the last two of eight, which never change. Of a body that occurs more than once,
    /// the last lane counts.
    fn scatter(columns: [Self; 8], numbers: SharedNumbers<'_>, slots: usize, bodies: &[u32; LANES]);
}
