//! Eight numbers in two registers of AVX2.
#![allow(
    unsafe_code,
    reason = "the compiler does not find these instructions by itself: coloured sweeps of a thousand grains are 1.3 to 1.6 times as fast with \
              them. Numbers of this type are made in `go` only, which is called where the machine has been asked."
)]

use super::{Abreast, Eight, LANES, Numbers, Work};
use crate::real::Real;
use std::arch::x86_64::{
    __m128d, __m256d, _CMP_GT_OQ, _mm_storeu_pd, _mm256_add_pd, _mm256_and_pd, _mm256_blendv_pd,
    _mm256_castpd256_pd128, _mm256_cmp_pd, _mm256_div_pd, _mm256_extractf128_pd, _mm256_loadu_pd, _mm256_max_pd,
    _mm256_min_pd, _mm256_movemask_pd, _mm256_mul_pd, _mm256_permute2f128_pd, _mm256_set1_pd, _mm256_setzero_pd,
    _mm256_sqrt_pd, _mm256_storeu_pd, _mm256_sub_pd, _mm256_unpackhi_pd, _mm256_unpacklo_pd, _mm256_xor_pd,
};
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Eight numbers: the first four, and the others.
#[derive(Clone, Copy)]
pub(super) struct Wide(__m256d, __m256d);

/// Does some work. To be called where [`Path::Avx2`](super::Path::Avx2) is here.
#[inline]
pub(super) fn go(work: impl Work) {
    #[target_feature(enable = "avx2")]
    fn inner(work: impl Work) {
        work.with::<Wide>();
    }
    debug_assert!(super::Path::Avx2.here());
    // SAFETY: the machine has these instructions: the one caller has asked.
    unsafe { inner(work) }
}

/// The same where [`Path::Avx512`](super::Path::Avx512) is here: there are twice as many registers then.
#[inline]
pub(super) fn go_with_more_registers(work: impl Work) {
    #[target_feature(enable = "avx2,avx512f,avx512vl")]
    fn inner(work: impl Work) {
        work.with::<Wide>();
    }
    debug_assert!(super::Path::Avx512.here());
    // SAFETY: the machine has these instructions: the one caller has asked.
    unsafe { inner(work) }
}

impl fmt::Debug for Wide {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.lanes().fmt(out)
    }
}

impl PartialEq for Wide {
    fn eq(&self, other: &Self) -> bool {
        self.lanes() == other.lanes()
    }
}

impl Default for Wide {
    #[inline(always)]
    fn default() -> Self {
        // SAFETY: see the head of this file, here and in all that follows.
        unsafe { Self(_mm256_setzero_pd(), _mm256_setzero_pd()) }
    }
}

impl Wide {
    fn lanes(self) -> [f64; LANES] {
        let mut eight = Eight::default();
        self.store(&mut eight);
        eight.0
    }
}

impl Add for Wide {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        unsafe { Self(_mm256_add_pd(self.0, other.0), _mm256_add_pd(self.1, other.1)) }
    }
}

impl Sub for Wide {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        unsafe { Self(_mm256_sub_pd(self.0, other.0), _mm256_sub_pd(self.1, other.1)) }
    }
}

impl Mul for Wide {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        unsafe { Self(_mm256_mul_pd(self.0, other.0), _mm256_mul_pd(self.1, other.1)) }
    }
}

impl Div for Wide {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        unsafe { Self(_mm256_div_pd(self.0, other.0), _mm256_div_pd(self.1, other.1)) }
    }
}

impl Neg for Wide {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // The sign alone: 0 − x would be another zero.
        let sign = Self::splat(-0.0);
        unsafe { Self(_mm256_xor_pd(self.0, sign.0), _mm256_xor_pd(self.1, sign.1)) }
    }
}

impl AddAssign for Wide {
    #[inline(always)]
    fn add_assign(&mut self, other: Self) {
        *self = *self + other;
    }
}

impl SubAssign for Wide {
    #[inline(always)]
    fn sub_assign(&mut self, other: Self) {
        *self = *self - other;
    }
}

impl Real for Wide {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        unsafe { Self(_mm256_set1_pd(value), _mm256_set1_pd(value)) }
    }

    // Where either is not a number these two give the second, as they should.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        unsafe { Self(_mm256_max_pd(self.0, other.0), _mm256_max_pd(self.1, other.1)) }
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        unsafe { Self(_mm256_min_pd(self.0, other.0), _mm256_min_pd(self.1, other.1)) }
    }

    #[inline(always)]
    fn root(self) -> Self {
        unsafe { Self(_mm256_sqrt_pd(self.0), _mm256_sqrt_pd(self.1)) }
    }

    #[inline(always)]
    fn where_positive(self, condition: Self) -> Self {
        unsafe { Self(where_positive(self.0, condition.0), where_positive(self.1, condition.1)) }
    }

    // Where nothing slides, nothing has to be divided.
    #[inline(always)]
    fn shortening(squared_length: Self, limit: Self) -> Self {
        unsafe { Self(shortening(squared_length.0, limit.0), shortening(squared_length.1, limit.1)) }
    }

    #[inline(always)]
    fn total(self) -> f64 {
        Eight(self.lanes()).total()
    }
}

impl Abreast for Wide {
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
    fn gather(numbers: Numbers<'_>, slots: usize, bodies: &[u32; LANES]) -> [Self; 8] {
        let none = Self::default();
        unsafe {
            match slots {
                1 => {
                    let own = Eight(each_lane!(lane => numbers.of::<1>(bodies[lane])[0]));
                    [Self::load(&own), none, none, none, none, none, none, none]
                }
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
    fn scatter(columns: [Self; 8], numbers: Numbers<'_>, slots: usize, bodies: &[u32; LANES]) {
        let [a, b, c, d, e, f, ..] = columns;
        unsafe {
            match slots {
                1 => {
                    let mut lanes = Eight::default();
                    a.store(&mut lanes);
                    each_lane!(lane => numbers.set(bodies[lane], [lanes.0[lane]]));
                }
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

#[inline(always)]
unsafe fn where_positive(number: __m256d, condition: __m256d) -> __m256d {
    unsafe { _mm256_and_pd(number, _mm256_cmp_pd::<_CMP_GT_OQ>(condition, _mm256_setzero_pd())) }
}

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
unsafe fn columns([a, b, c, d, e, f, g, h]: [__m256d; LANES]) -> [Wide; 4] {
    let (low, high) = unsafe { (transposed(a, b, c, d), transposed(e, f, g, h)) };
    [Wide(low[0], high[0]), Wide(low[1], high[1]), Wide(low[2], high[2]), Wide(low[3], high[3])]
}

#[inline(always)]
unsafe fn rows(a: Wide, b: Wide, c: Wide, d: Wide) -> [__m256d; LANES] {
    let ([p, q, r, s], [t, u, v, w]) = unsafe { (transposed(a.0, b.0, c.0, d.0), transposed(a.1, b.1, c.1, d.1)) };
    [p, q, r, s, t, u, v, w]
}

/// Two columns become rows of two.
#[inline(always)]
unsafe fn pairs(a: Wide, b: Wide) -> [__m128d; LANES] {
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
