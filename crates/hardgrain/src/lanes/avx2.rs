//! Eight numbers in two registers of AVX2.
#![allow(
    unsafe_code,
    reason = "the compiler does not find these instructions by itself: coloured sweeps of a thousand grains are 1.3 to 1.6 times as fast with \
              them. Numbers of this type are made in the two functions `run` only, which are called where the machine has these instructions: \
              that is the SAFETY of all that follows."
)]

use super::eight::{Eight, LANES};
use super::shared::SharedNumbers;
use super::simd::Simd;
use super::wide::{apply, arithmetic, compiled_for, each_lane, one_slot};
use std::arch::x86_64::{
    __m128d, __m256d, _CMP_GT_OQ, _mm_storeu_pd, _mm256_add_pd, _mm256_and_pd, _mm256_blendv_pd,
    _mm256_castpd256_pd128, _mm256_cmp_pd, _mm256_div_pd, _mm256_extractf128_pd, _mm256_loadu_pd, _mm256_max_pd,
    _mm256_min_pd, _mm256_movemask_pd, _mm256_mul_pd, _mm256_permute2f128_pd, _mm256_set1_pd, _mm256_setzero_pd,
    _mm256_sqrt_pd, _mm256_storeu_pd, _mm256_sub_pd, _mm256_unpackhi_pd, _mm256_unpacklo_pd, _mm256_xor_pd,
};

/// Eight numbers: the first four, and the others.
#[derive(Clone, Copy)]
pub(super) struct Wide256(__m256d, __m256d);

compiled_for!("avx2", Wide256, run);
// AVX-512 has twice as many registers.
compiled_for!("avx2,avx512f,avx512vl", Wide256, run_with_more_registers);

arithmetic! {
    Wide256, [0 1],
    binary: { Add add _mm256_add_pd, Sub sub _mm256_sub_pd, Mul mul _mm256_mul_pd, Div div _mm256_div_pd, },
    negated: negated, larger: _mm256_max_pd, smaller: _mm256_min_pd, root: _mm256_sqrt_pd,
    where_positive: where_positive, shortening: shortening,
}

impl Wide256 {
    #[inline(always)]
    fn all(value: f64) -> Self {
        unsafe { Self(_mm256_set1_pd(value), _mm256_set1_pd(value)) }
    }
}

impl Simd for Wide256 {
    #[inline(always)]
    fn load(from: &Eight) -> Self {
        let (low, high) = from.0.split_at(4);
        unsafe { Self(_mm256_loadu_pd(low.as_ptr()), _mm256_loadu_pd(high.as_ptr())) }
    }

    #[inline(always)]
    fn store(self, into: &mut Eight) {
        let (low, high) = into.0.split_at_mut(4);
        unsafe {
            _mm256_storeu_pd(low.as_mut_ptr(), self.0);
            _mm256_storeu_pd(high.as_mut_ptr(), self.1);
        }
    }

    #[inline(always)]
    fn gather(numbers: SharedNumbers<'_>, slots: usize, bodies: &[u32; LANES]) -> [Self; 8] {
        let none = Self::default();
        unsafe {
            match slots {
                1 => one_slot!(gather numbers, bodies),
                4 => {
                    let rows = each_lane!(lane => _mm256_loadu_pd(numbers.pointer::<4>(bodies[lane])));
                    let [a, b, c, d] = columns(rows);
                    [a, b, c, d, none, none, none, none]
                }
                _ => {
                    let first = each_lane!(lane => _mm256_loadu_pd(numbers.pointer::<8>(bodies[lane])));
                    let second = each_lane!(lane => _mm256_loadu_pd(numbers.pointer::<8>(bodies[lane]).add(4)));
                    let ([a, b, c, d], [e, f, g, h]) = (columns(first), columns(second));
                    [a, b, c, d, e, f, g, h]
                }
            }
        }
    }

    #[inline(always)]
    fn scatter(columns: [Self; 8], numbers: SharedNumbers<'_>, slots: usize, bodies: &[u32; LANES]) {
        let [a, b, c, d, e, f, ..] = columns;
        unsafe {
            match slots {
                1 => one_slot!(scatter a, numbers, bodies),
                4 => {
                    let rows = rows(a, b, c, d);
                    each_lane!(lane => _mm256_storeu_pd(numbers.pointer::<4>(bodies[lane]), rows[lane]));
                }
                _ => {
                    let (low, high) = (rows(a, b, c, d), pairs(e, f));
                    each_lane!(lane => {
                        let own = numbers.pointer::<8>(bodies[lane]);
                        _mm256_storeu_pd(own, low[lane]);
                        _mm_storeu_pd(own.add(4), high[lane]);
                    });
                }
            }
        }
    }
}

/// The sign alone: 0 − x would be another zero.
#[inline(always)]
unsafe fn negated(number: __m256d) -> __m256d {
    unsafe { _mm256_xor_pd(number, _mm256_set1_pd(-0.0)) }
}

#[inline(always)]
unsafe fn where_positive(number: __m256d, condition: __m256d) -> __m256d {
    unsafe { _mm256_and_pd(number, _mm256_cmp_pd::<_CMP_GT_OQ>(condition, _mm256_setzero_pd())) }
}

/// Where nothing slides, nothing has to be divided.
#[inline(always)]
unsafe fn shortening(squared_length: __m256d, limit: __m256d) -> __m256d {
    unsafe {
        let one = _mm256_set1_pd(1.0);
        let longer = _mm256_cmp_pd::<_CMP_GT_OQ>(squared_length, _mm256_mul_pd(limit, limit));
        if _mm256_movemask_pd(longer) == 0 {
            one
        } else {
            _mm256_blendv_pd(one, _mm256_div_pd(limit, _mm256_sqrt_pd(squared_length)), longer)
        }
    }
}

/// Four rows of four become columns.
#[inline(always)]
unsafe fn transposed(a: __m256d, b: __m256d, c: __m256d, d: __m256d) -> [__m256d; 4] {
    unsafe {
        let (even, odd) = (_mm256_unpacklo_pd(a, b), _mm256_unpackhi_pd(a, b));
        let (even_too, odd_too) = (_mm256_unpacklo_pd(c, d), _mm256_unpackhi_pd(c, d));
        [
            _mm256_permute2f128_pd::<0x20>(even, even_too),
            _mm256_permute2f128_pd::<0x20>(odd, odd_too),
            _mm256_permute2f128_pd::<0x31>(even, even_too),
            _mm256_permute2f128_pd::<0x31>(odd, odd_too),
        ]
    }
}

#[inline(always)]
unsafe fn columns([a, b, c, d, e, f, g, h]: [__m256d; LANES]) -> [Wide256; 4] {
    let (low, high) = unsafe { (transposed(a, b, c, d), transposed(e, f, g, h)) };
    [Wide256(low[0], high[0]), Wide256(low[1], high[1]), Wide256(low[2], high[2]), Wide256(low[3], high[3])]
}

#[inline(always)]
unsafe fn rows(a: Wide256, b: Wide256, c: Wide256, d: Wide256) -> [__m256d; LANES] {
    let ([p, q, r, s], [t, u, v, w]) = unsafe { (transposed(a.0, b.0, c.0, d.0), transposed(a.1, b.1, c.1, d.1)) };
    [p, q, r, s, t, u, v, w]
}

/// Two columns become rows of two.
#[inline(always)]
unsafe fn pairs(a: Wide256, b: Wide256) -> [__m128d; LANES] {
    unsafe {
        let low = (_mm256_unpacklo_pd(a.0, b.0), _mm256_unpackhi_pd(a.0, b.0));
        let high = (_mm256_unpacklo_pd(a.1, b.1), _mm256_unpackhi_pd(a.1, b.1));
        [
            _mm256_castpd256_pd128(low.0),
            _mm256_castpd256_pd128(low.1),
            _mm256_extractf128_pd::<1>(low.0),
            _mm256_extractf128_pd::<1>(low.1),
            _mm256_castpd256_pd128(high.0),
            _mm256_castpd256_pd128(high.1),
            _mm256_extractf128_pd::<1>(high.0),
            _mm256_extractf128_pd::<1>(high.1),
        ]
    }
}
