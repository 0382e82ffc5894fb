//! SIMD: eight contacts at once, one in each lane of wide registers. The one-contact law is written over these numbers.
//!
//! Every lane does what a single `f64` would do, operation by operation and without fusing any, so that all paths give the same bits.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod eight;
mod path;
mod portable;
mod prefetch;
mod scalar;
mod shared;
mod simd;
mod wide;

pub use eight::Eight;
pub(crate) use eight::LANES;
pub use path::Path;
pub(crate) use prefetch::prefetch;
pub use prefetch::prefetch_numbers;
pub(crate) use shared::SharedNumbers;
pub(crate) use simd::{LaneWork, Simd};
