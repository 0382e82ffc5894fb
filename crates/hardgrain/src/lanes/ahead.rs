//! Asking for memory before it is needed.
#![allow(
    unsafe_code,
    reason = "there is no other way to say it. Nothing is read and nothing written; random sweeps of a million discs are twice as fast, of spheres four times."
)]

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
            _mm_prefetch::<_MM_HINT_T0>(start.add(size_of::<T>() - 1));
        }
    }
    #[cfg(not(target_arch = "x86_64"))]
    let _ = what;
}
