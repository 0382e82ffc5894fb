//! SIMD: eight contacts at once, one in each lane of wide registers. The one-contact law is written over these numbers.
//!
//! Every lane does what a single `f64` would do, operation by operation and without fusing any, so that all paths give the same bits.

#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod portable;
mod prefetch;
mod scalar;
mod shared;
mod wide;

use crate::real::Real;
pub(crate) use prefetch::prefetch;
pub use prefetch::prefetch_numbers;
pub(crate) use shared::SharedNumbers;

/// Lanes, on every path.
pub(crate) const LANES: usize = 8;

/// How eight contacts are relaxed at once.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Path {
    /// On any machine.
    Portable,
    /// Four numbers in a register, on most machines of the last ten years.
    Avx2,
    /// Eight numbers in a register.
    Avx512,
}

impl Path {
    /// All paths.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// Whether this machine has the instructions.
    pub fn is_available(self) -> bool {
        match self {
            Self::Portable => true,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 => is_x86_feature_detected!("avx2"),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 => {
                is_x86_feature_detected!("avx512f")
                    && is_x86_feature_detected!("avx512vl")
                    && is_x86_feature_detected!("avx2")
            }
            #[cfg(not(target_arch = "x86_64"))]
            Self::Avx2 | Self::Avx512 => false,
        }
    }

    /// The fastest on this machine.
    pub fn best() -> Self {
        Self::ALL.into_iter().rev().find(|path| path.is_available()).unwrap_or(Self::Portable)
    }

    /// Does some work on this path, or on the portable one where it is not available.
    #[inline]
    pub(crate) fn run<W: LaneWork>(self, work: W) {
        match self {
            // Transposing eight numbers of eight bodies takes 24 shuffles each way in registers of eight; registers of four are a fifth
            // faster.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if W::SLOTS == 8 && self.is_available() => avx2::run_with_more_registers(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if self.is_available() => avx512::run(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 if self.is_available() => avx2::run(work),
            _ => work.with::<Eight>(),
        }
    }
}

/// Work that is written over lanes, whatever registers a path has.
pub(crate) trait LaneWork {
    /// How many numbers a body has.
    const SLOTS: usize;

    fn with<T: Simd>(self);
}

/// Eight numbers as they lie in memory; and the portable path.
#[derive(Clone, Copy)]
#[repr(C, align(64))]
pub struct Eight(pub(crate) [f64; LANES]);

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
