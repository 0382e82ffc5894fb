//! The numbers of bodies, shared among threads: each reads and writes those of bodies that no other thread has at that time.
#![allow(
    unsafe_code,
    reason = "which bodies a thread has follows from the colours of contacts, which the compiler cannot know. Without, threads would need a \
              copy of all bodies each, or locks. Indices are checked in debug builds; checked everywhere, a coloured sweep of discs takes 1.4 times as long, of beads on a line 2.5 times."
)]

use super::eight::{Eight, LANES};
use std::marker::PhantomData;

/// Numbers of bodies, `S` of each.
#[derive(Clone, Copy)]
pub(crate) struct SharedNumbers<'a> {
    start: *mut f64,
    count: usize,
    lent: PhantomData<&'a mut [Eight]>,
}

// SAFETY: see `SharedNumbers::new`.
unsafe impl Send for SharedNumbers<'_> {}
// SAFETY: the same.
unsafe impl Sync for SharedNumbers<'_> {}

impl<'a> SharedNumbers<'a> {
    /// Shares numbers among threads.
    ///
    /// # Safety
    /// No two threads may have the same body at the same time, and every body asked for must exist.
    pub(crate) unsafe fn new(eights: &'a mut [Eight]) -> Self {
        Self { start: eights.as_mut_ptr().cast(), count: eights.len() * LANES, lent: PhantomData }
    }

    /// Where the numbers of a body are, by the index of the first.
    #[inline(always)]
    fn place<const S: usize>(self, first: u32) -> *mut [f64; S] {
        let first = first as usize;
        debug_assert!(first.is_multiple_of(S) && first + S <= self.count, "number {first} of {}", self.count);
        // SAFETY: it exists; the caller of `new` has promised it.
        unsafe { self.start.add(first).cast() }
    }

    /// The numbers of a body.
    #[inline(always)]
    pub(crate) fn get<const S: usize>(self, first: u32) -> [f64; S] {
        // SAFETY: nobody writes to it meanwhile; the caller of `new` has promised it.
        unsafe { self.place::<S>(first).read() }
    }

    /// Replaces them.
    #[inline(always)]
    pub(crate) fn set<const S: usize>(self, first: u32, numbers: [f64; S]) {
        // SAFETY: nobody else has it meanwhile; the caller of `new` has promised it.
        unsafe { self.place::<S>(first).write(numbers) }
    }

    /// Where they start, for paths that read several at once.
    #[inline(always)]
    pub(super) fn pointer<const S: usize>(self, first: u32) -> *mut f64 {
        self.place::<S>(first).cast()
    }
}
