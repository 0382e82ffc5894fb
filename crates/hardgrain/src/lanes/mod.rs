//! Eight contacts abreast: numbers that the one law is written over, as the machine has them.
//!
//! Every lane does what a single `f64` would do, operation by operation and without fusing any, so that all paths lead to the same bits.

/// An array with one element for each lane. Written out: what goes through closures is not always compiled for the path.
macro_rules! each_lane {
    ($lane:ident => $what:expr) => {
        [
            {
                let $lane = 0;
                $what
            },
            {
                let $lane = 1;
                $what
            },
            {
                let $lane = 2;
                $what
            },
            {
                let $lane = 3;
                $what
            },
            {
                let $lane = 4;
                $what
            },
            {
                let $lane = 5;
                $what
            },
            {
                let $lane = 6;
                $what
            },
            {
                let $lane = 7;
                $what
            },
        ]
    };
}
mod ahead;
#[cfg(target_arch = "x86_64")]
mod avx2;
#[cfg(target_arch = "x86_64")]
mod avx512;
mod numbers;
mod one;
mod portable;

use crate::real::Real;
pub(crate) use ahead::ask_for;
pub use ahead::ask_for_numbers;
pub(crate) use numbers::Numbers;

/// How many are abreast, on every path.
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
    /// All there are.
    pub const ALL: [Self; 3] = [Self::Portable, Self::Avx2, Self::Avx512];

    /// Whether this machine can go it.
    pub fn here(self) -> bool {
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
        Self::ALL.into_iter().rev().find(|path| path.here()).unwrap_or(Self::Portable)
    }

    /// Does some work on this path, or on the portable one where this machine cannot go it.
    #[inline]
    pub(crate) fn go<W: Work>(self, work: W) {
        match self {
            // Eight numbers of a body through registers of eight are 24 shuffles each way, which only one unit of a core can do.
            // Through registers of four, spheres are a fifth faster.
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if W::SLOTS == 8 && self.here() => avx2::go_with_more_registers(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx512 if self.here() => avx512::go(work),
            #[cfg(target_arch = "x86_64")]
            Self::Avx2 if self.here() => avx2::go(work),
            _ => work.with::<Eight>(),
        }
    }
}

/// Something to be done with whatever numbers a path has.
pub(crate) trait Work {
    /// How many numbers a body has.
    const SLOTS: usize;

    fn with<T: Abreast>(self);
}

/// Eight numbers as they lie in memory; and the portable path.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[repr(C, align(64))]
pub struct Eight(pub(crate) [f64; LANES]);

/// Eight numbers abreast.
pub(crate) trait Abreast: Real {
    fn load(from: &Eight) -> Self;

    fn store(self, into: &mut Eight);

    /// The first, second … numbers of eight bodies, which have `slots` of them each: 1, 4 or 8. Bodies are told by the index of the first.
    fn gather(numbers: Numbers<'_>, slots: usize, bodies: &[u32; LANES]) -> [Self; 8];

    /// Puts the first, second … numbers back, all but the last two of eight, which never change. Where a body is there more than once, the
    /// last one counts.
    fn scatter(columns: [Self; 8], numbers: Numbers<'_>, slots: usize, bodies: &[u32; LANES]);
}
