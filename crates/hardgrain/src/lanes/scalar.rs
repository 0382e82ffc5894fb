//! One contact alone, in the first lane: for contacts that share a body with all others of their kind.

use super::eight::{Eight, LANES};
use super::shared::SharedNumbers;
use super::simd::Simd;

impl Simd for f64 {
    #[inline(always)]
    fn load(from: &Eight) -> Self {
        from.0[0]
    }

    #[inline(always)]
    fn store(self, into: &mut Eight) {
        into.0[0] = self;
    }

    #[inline(always)]
    fn gather(numbers: SharedNumbers<'_>, slots: usize, bodies: &[u32; LANES]) -> [Self; 8] {
        let mut own = [0.0; 8];
        match slots {
            1 => own[..1].copy_from_slice(&numbers.get::<1>(bodies[0])),
            4 => own[..4].copy_from_slice(&numbers.get::<4>(bodies[0])),
            _ => own = numbers.get(bodies[0]),
        }
        own
    }

    #[inline(always)]
    fn scatter(columns: [Self; 8], numbers: SharedNumbers<'_>, slots: usize, bodies: &[u32; LANES]) {
        let [a, b, c, d, e, f, ..] = columns;
        match slots {
            1 => numbers.set(bodies[0], [a]),
            4 => numbers.set(bodies[0], [a, b, c, d]),
            _ => {
                let [.., g, h] = numbers.get::<8>(bodies[0]);
                numbers.set(bodies[0], [a, b, c, d, e, f, g, h]);
            }
        }
    }
}
