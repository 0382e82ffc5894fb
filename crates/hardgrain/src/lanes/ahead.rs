//! Asking for memory before it is needed.
#![allow(
    unsafe_code,
    reason = "there is no other way to say it. Nothing is read and nothing written; random sweeps of a million discs are twice as fast, of spheres four times."
)]

/// Machines fetch about so many numbers at once.
const LINE: usize = 8;

/// Asks for all of something that will be needed soon. Where the machine does not know how, nothing happens.
#[inline(always)]
pub(crate) fn ask_for<T>(what: &T) {
    #[cfg(target_arch = "x86_64")]
    {
        use std::arch::x86_64::{_MM_HINT_T0, _mm_prefetch};
        let start: *const i8 = std::ptr::from_ref(what).cast();
        // SAFETY: every machine of this kind has the instruction, and no address is wrong for it; these lie within `what`.
        unsafe {
            _mm_prefetch::<_MM_HINT_T0>(start);
            if size_of::<T>() > size_of::<f64>() {
                _mm_prefetch::<_MM_HINT_T0>(start.add(size_of::<T>() - 1));
            }
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = what;
}

/// Asks for numbers that will be needed soon. Where the machine does not know how, nothing happens.
#[inline(always)]
pub fn ask_for_numbers(numbers: &[f64]) {
    numbers.iter().step_by(LINE).for_each(ask_for);
}
