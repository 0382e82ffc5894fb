//! Paths: the instructions with which eight contacts are relaxed at once.

use super::eight::Eight;
use super::simd::LaneWork;
#[cfg(target_arch = "x86_64")]
use super::{avx2, avx512};

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
