//! Eight numbers in one register of AVX-512.
#![allow(
    unsafe_code,
    reason = "the compiler does not find these instructions by itself: coloured sweeps of a thousand grains are 1.4 to 1.7 times as fast with \
              them on a line and in space, 1.9 to 2.7 times in the plane. Numbers of this type are made in `go` only, which is called where the \
              machine has been asked."
)]

use super::{Abreast, Eight, LANES, Numbers, Work};
use crate::real::Real;
use std::arch::x86_64::{
    __m256d, __m512d, _CMP_GT_OQ, _mm256_loadu_pd, _mm256_storeu_pd, _mm512_add_pd, _mm512_castpd_si512,
    _mm512_castpd256_pd512, _mm512_castpd512_pd256, _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_div_pd,
    _mm512_extractf64x4_pd, _mm512_insertf64x4, _mm512_load_pd, _mm512_mask_div_pd, _mm512_maskz_mov_pd, _mm512_max_pd,
    _mm512_min_pd, _mm512_mul_pd, _mm512_permutex2var_pd, _mm512_set_epi64, _mm512_set1_epi64, _mm512_set1_pd,
    _mm512_setzero_pd, _mm512_sqrt_pd, _mm512_store_pd, _mm512_sub_pd, _mm512_unpackhi_pd, _mm512_unpacklo_pd,
    _mm512_xor_si512,
};
use std::fmt;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// Eight numbers.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Wide(__m512d);

/// Does some work. To be called where [`Path::Avx512`](super::Path::Avx512) is here.
#[inline]
pub(super) fn go(work: impl Work) {
    #[target_feature(enable = "avx512f,avx2")]
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
        Self(unsafe { _mm512_setzero_pd() })
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
        Self(unsafe { _mm512_add_pd(self.0, other.0) })
    }
}

impl Sub for Wide {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self(unsafe { _mm512_sub_pd(self.0, other.0) })
    }
}

impl Mul for Wide {
    type Output = Self;
    #[inline(always)]
    fn mul(self, other: Self) -> Self {
        Self(unsafe { _mm512_mul_pd(self.0, other.0) })
    }
}

impl Div for Wide {
    type Output = Self;
    #[inline(always)]
    fn div(self, other: Self) -> Self {
        Self(unsafe { _mm512_div_pd(self.0, other.0) })
    }
}

impl Neg for Wide {
    type Output = Self;
    #[inline(always)]
    fn neg(self) -> Self {
        // The sign alone: 0 − x would be another zero.
        Self(unsafe { _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(self.0), _mm512_set1_epi64(i64::MIN))) })
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
        Self(unsafe { _mm512_set1_pd(value) })
    }

    // Where either is not a number these two give the second, as they should.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        Self(unsafe { _mm512_max_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        Self(unsafe { _mm512_min_pd(self.0, other.0) })
    }

    #[inline(always)]
    fn root(self) -> Self {
        Self(unsafe { _mm512_sqrt_pd(self.0) })
    }

    #[inline(always)]
    fn where_positive(self, condition: Self) -> Self {
        Self(unsafe {
            let positive = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(condition.0, _mm512_setzero_pd());
            _mm512_maskz_mov_pd(positive, self.0)
        })
    }

    // Where nothing slides, nothing has to be divided.
    #[inline(always)]
    fn shortening(squared_length: Self, limit: Self) -> Self {
        Self(unsafe {
            let one = _mm512_set1_pd(1.0);
            let longer = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(squared_length.0, _mm512_mul_pd(limit.0, limit.0));
            if longer == 0 { one } else { _mm512_mask_div_pd(one, longer, limit.0, _mm512_sqrt_pd(squared_length.0)) }
        })
    }

    #[inline(always)]
    fn total(self) -> f64 {
        Eight(self.lanes()).total()
    }
}

impl Abreast for Wide {
    #[inline(always)]
    fn load(from: &Eight) -> Self {
        Self(unsafe { _mm512_load_pd(from.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, into: &mut Eight) {
        unsafe { _mm512_store_pd(into.0.as_mut_ptr(), self.0) }
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
                    let [a, b, c, d] = columns_of_four(rows);
                    [Self(a), Self(b), Self(c), Self(d), none, none, none, none]
                }
                _ => unreachable!("eight numbers of a body go through registers of four"),
            }
        }
    }

    #[inline(always)]
    fn scatter(columns: [Self; 8], numbers: Numbers<'_>, slots: usize, bodies: &[u32; LANES]) {
        unsafe {
            match slots {
                1 => {
                    let mut lanes = Eight::default();
                    columns[0].store(&mut lanes);
                    each_lane!(lane => numbers.set(bodies[lane], [lanes.0[lane]]));
                }
                4 => {
                    let rows = rows_of_four([columns[0].0, columns[1].0, columns[2].0, columns[3].0]);
                    each_lane!(lane => _mm256_storeu_pd(numbers.pointer::<4>(bodies[lane]), rows[lane]));
                }
                _ => unreachable!("eight numbers of a body go through registers of four"),
            }
        }
    }
}

/// Four rows that lie beside four others become columns, or columns rows.
#[inline(always)]
unsafe fn mixed(a: __m512d, b: __m512d, c: __m512d, d: __m512d) -> [__m512d; 4] {
    unsafe {
        let low = _mm512_set_epi64(13, 12, 5, 4, 9, 8, 1, 0);
        let high = _mm512_set_epi64(15, 14, 7, 6, 11, 10, 3, 2);
        let (even, odd) = (_mm512_unpacklo_pd(a, b), _mm512_unpackhi_pd(a, b));
        let (even_too, odd_too) = (_mm512_unpacklo_pd(c, d), _mm512_unpackhi_pd(c, d));
        [
            _mm512_permutex2var_pd(even, low, even_too),
            _mm512_permutex2var_pd(odd, low, odd_too),
            _mm512_permutex2var_pd(even, high, even_too),
            _mm512_permutex2var_pd(odd, high, odd_too),
        ]
    }
}

#[inline(always)]
unsafe fn columns_of_four([a, b, c, d, e, f, g, h]: [__m256d; 8]) -> [__m512d; 4] {
    unsafe {
        mixed(
            _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(a), e),
            _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(b), f),
            _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(c), g),
            _mm512_insertf64x4::<1>(_mm512_castpd256_pd512(d), h),
        )
    }
}

#[inline(always)]
unsafe fn rows_of_four([a, b, c, d]: [__m512d; 4]) -> [__m256d; 8] {
    unsafe {
        let [p, q, r, s] = mixed(a, b, c, d);
        [
            _mm512_castpd512_pd256(p),
            _mm512_castpd512_pd256(q),
            _mm512_castpd512_pd256(r),
            _mm512_castpd512_pd256(s),
            _mm512_extractf64x4_pd::<1>(p),
            _mm512_extractf64x4_pd::<1>(q),
            _mm512_extractf64x4_pd::<1>(r),
            _mm512_extractf64x4_pd::<1>(s),
        ]
    }
}
