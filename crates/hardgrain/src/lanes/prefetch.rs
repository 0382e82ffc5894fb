//! Prefetching: memory is fetched before it is needed.
#![allow(
    unsafe_code,
    reason = "prefetching has no safe interface. Nothing is read and nothing written; random sweeps of a million discs are twice as fast, of spheres four times."
)]

/// Numbers in a cache line.
const LINE: usize = 8;

/// Prefetches all of a value. Machines without the instruction do nothing.
#[inline(always)]
pub(crate) fn prefetch<T>(value: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start: *const i8 = std::ptr::from_ref(value).cast();
        // SAFETY: every such machine has the instruction, and it accepts any address; these lie within `value`.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(start);
            if size_of::<T>() > size_of::<f64>() {
                _mm_prefetch::<_MM_HINT_T0>(start.add(size_of::<T>() - 1));
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = value;
}

/// Prefetches numbers. Machines without the instruction do nothing.
#[inline(always)]
pub fn prefetch_numbers(numbers: &[f64]) {
    numbers.iter().step_by(LINE).for_each(prefetch);
}
