//! Eight numbers in one register of AVX-512.
#![allow(
    unsafe_code,
    reason = "the compiler does not find these instructions by itself: coloured sweeps of a thousand grains are 1.4 to 1.7 times as fast with \
              them on a line and in space, 1.9 to 2.7 times in the plane. Numbers of this type are made in `run` only, which is called where \
              the machine has these instructions: that is the SAFETY of all that follows."
)]

use super::eight::{Eight, LANES};
use super::shared::SharedNumbers;
use super::simd::Simd;
use super::wide::{apply, arithmetic, compiled_for, each_lane, one_slot};
use std::arch::x86_64::{
    __m256d, __m512d, _CMP_GT_OQ, _mm256_loadu_pd, _mm256_storeu_pd, _mm512_add_pd, _mm512_castpd_si512,
    _mm512_castpd256_pd512, _mm512_castpd512_pd256, _mm512_castsi512_pd, _mm512_cmp_pd_mask, _mm512_div_pd,
    _mm512_extractf64x4_pd, _mm512_insertf64x4, _mm512_load_pd, _mm512_mask_div_pd, _mm512_maskz_mov_pd, _mm512_max_pd,
    _mm512_min_pd, _mm512_mul_pd, _mm512_permutex2var_pd, _mm512_set_epi64, _mm512_set1_epi64, _mm512_set1_pd,
    _mm512_setzero_pd, _mm512_sqrt_pd, _mm512_store_pd, _mm512_sub_pd, _mm512_unpackhi_pd, _mm512_unpacklo_pd,
    _mm512_xor_si512,
};

/// Eight numbers.
#[derive(Clone, Copy)]
#[repr(transparent)]
pub(super) struct Wide512(__m512d);

compiled_for!("avx512f,avx2", Wide512, run);

arithmetic! {
    Wide512, [0],
    binary: { Add add _mm512_add_pd, Sub sub _mm512_sub_pd, Mul mul _mm512_mul_pd, Div div _mm512_div_pd, },
    negated: negated, larger: _mm512_max_pd, smaller: _mm512_min_pd, root: _mm512_sqrt_pd,
    where_positive: where_positive, shortening: shortening,
}

impl Wide512 {
    #[inline(always)]
    fn all(value: f64) -> Self {
        Self(unsafe { _mm512_set1_pd(value) })
    }
}

impl Simd for Wide512 {
    #[inline(always)]
    fn load(from: &Eight) -> Self {
        Self(unsafe { _mm512_load_pd(from.0.as_ptr()) })
    }

    #[inline(always)]
    fn store(self, into: &mut Eight) {
        unsafe { _mm512_store_pd(into.0.as_mut_ptr(), self.0) }
    }

    #[inline(always)]
    fn gather(numbers: SharedNumbers<'_>, slots: usize, bodies: &[u32; LANES]) -> [Self; 8] {
        let none = Self::default();
        match slots {
            1 => one_slot!(gather numbers, bodies),
            4 => {
                let rows = each_lane!(lane => unsafe { _mm256_loadu_pd(numbers.pointer::<4>(bodies[lane])) });
                let [a, b, c, d] = unsafe { columns_of_four(rows) };
                [Self(a), Self(b), Self(c), Self(d), none, none, none, none]
            }
            _ => unreachable!("eight numbers of a body go through registers of four"),
        }
    }

    #[inline(always)]
    fn scatter(columns: [Self; 8], numbers: SharedNumbers<'_>, slots: usize, bodies: &[u32; LANES]) {
        match slots {
            1 => one_slot!(scatter columns[0], numbers, bodies),
            4 => {
                let rows = unsafe { rows_of_four([columns[0].0, columns[1].0, columns[2].0, columns[3].0]) };
                each_lane!(lane => unsafe { _mm256_storeu_pd(numbers.pointer::<4>(bodies[lane]), rows[lane]) });
            }
            _ => unreachable!("eight numbers of a body go through registers of four"),
        }
    }
}

/// The sign alone: 0 − x would be another zero.
#[inline(always)]
unsafe fn negated(number: __m512d) -> __m512d {
    unsafe { _mm512_castsi512_pd(_mm512_xor_si512(_mm512_castpd_si512(number), _mm512_set1_epi64(i64::MIN))) }
}

#[inline(always)]
unsafe fn where_positive(number: __m512d, condition: __m512d) -> __m512d {
    unsafe { _mm512_maskz_mov_pd(_mm512_cmp_pd_mask::<_CMP_GT_OQ>(condition, _mm512_setzero_pd()), number) }
}

/// Where nothing slides, nothing has to be divided.
#[inline(always)]
unsafe fn shortening(squared_length: __m512d, limit: __m512d) -> __m512d {
    unsafe {
        let one = _mm512_set1_pd(1.0);
        let longer = _mm512_cmp_pd_mask::<_CMP_GT_OQ>(squared_length, _mm512_mul_pd(limit, limit));
        if longer == 0 { one } else { _mm512_mask_div_pd(one, longer, limit, _mm512_sqrt_pd(squared_length)) }
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
