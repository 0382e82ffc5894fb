//! Work on one thread or several, whose number changes no bit of the result. Grains are processed in blocks of a fixed size, and sums are
//! taken within each block and then over the blocks in order. Contacts are processed in windows that share no grain. With the threads goes the
//! token that cancels the work on them.

use crate::cancel::CancelToken;
use crate::error::Failure;
use crate::part::number;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// The number of grains in a block. Sums are made block by block, so that another number would give other bits.
pub(crate) const BLOCK: usize = 1024;

/// The number of the first grain of a block.
pub(crate) fn first_of(block: usize) -> u32 {
    number(block * BLOCK)
}

/// The threads that share the work: a thread pool, which copies share, and what cancels the work.
#[derive(Clone, Debug, Default)]
pub struct Threads {
    pool: Option<Arc<ThreadPool>>,
    token: Option<CancelToken>,
}

impl Threads {
    /// A pool of `count` threads. There is none for one thread, or if the machine cannot start it: then work is serial.
    pub fn new(count: usize) -> Self {
        let pool =
            if count > 1 { ThreadPoolBuilder::new().num_threads(count).build().ok().map(Arc::new) } else { None };
        Self { pool, token: None }
    }

    /// The same threads; work on them ends early once this token is cancelled.
    #[must_use]
    pub fn cancelled_by(self, token: &CancelToken) -> Self {
        Self { token: Some(token.clone()), ..self }
    }

    /// Whether work on these threads is to end.
    pub fn is_cancelled(&self) -> bool {
        self.token.as_ref().is_some_and(CancelToken::is_cancelled)
    }

    /// The number of times that work on these threads was cancelled or allowed again, for [`Threads::cancelled_since`].
    pub fn cancellations(&self) -> usize {
        self.token.as_ref().map_or(0, CancelToken::changes)
    }

    /// Whether work may have ended early that began when there were this many [cancellations](Threads::cancellations), even if the token
    /// was reset in the meantime.
    pub fn cancelled_since(&self, cancellations: usize) -> bool {
        self.is_cancelled() || self.cancellations() != cancellations
    }

    /// Whether anybody can cancel the work.
    pub(crate) fn can_be_cancelled(&self) -> bool {
        self.token.is_some()
    }

    /// Fails once the work is cancelled.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.is_cancelled() { Err(Failure::Cancelled) } else { Ok(()) }
    }

    /// The number of threads.
    pub fn count(&self) -> usize {
        self.pool.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    /// The number of threads that share work on this number of pieces: one where there are fewer than 4.
    pub(crate) fn count_for(&self, pieces: usize) -> usize {
        if pieces >= 4 { self.count() } else { 1 }
    }

    /// These threads, or serial work where there are fewer than 4 pieces.
    pub(crate) fn for_pieces(&self, count: usize) -> Self {
        Self { pool: self.pool.as_ref().filter(|_| count >= 4).cloned(), token: self.token.clone() }
    }

    /// Whether the work on this number of grains is shared.
    pub(crate) fn share(&self, grains: usize) -> bool {
        self.pool.is_some() && grains > BLOCK
    }

    /// Whether the work on this number of blocks is serial.
    fn is_serial(&self, blocks: usize) -> bool {
        self.pool.is_none() || blocks < 2
    }

    /// Runs `act` on one of the threads. Work shared from within there allocates no memory.
    pub fn within<R: Send>(&self, act: impl FnOnce() -> R + Send) -> R {
        match &self.pool {
            None => act(),
            Some(pool) => pool.install(act),
        }
    }

    /// Runs `work` on all threads at once, with the number of the thread and the number of threads.
    ///
    /// A piece of work takes microseconds, and waking a thread a hundred. So the calling thread begins at once and the others join when
    /// they are awake: `work` must be able to do everything on any one thread, and to find it done.
    fn broadcast(&self, work: impl Fn(usize, usize) + Sync) {
        match &self.pool {
            None => work(0, 1),
            Some(pool) if pool.current_thread_index().is_some() => split(&work, 0, self.count()),
            Some(pool) => pool.in_place_scope(|scope| {
                let (work, threads) = (&work, self.count());
                (1..threads).for_each(|thread| scope.spawn(move |_| work(thread, threads)));
                work(0, threads);
            }),
        }
    }

    /// Runs `act` on every block. Of several failures it returns that of the first block.
    pub(crate) fn try_each<T: Send>(
        &self,
        blocks: impl ExactSizeIterator<Item = T> + Send,
        act: impl Fn((usize, T)) -> Result<(), Failure> + Sync,
    ) -> Result<(), Failure> {
        if self.is_serial(blocks.len()) {
            return blocks.enumerate().try_for_each(act);
        }
        let first: Mutex<Option<(usize, Failure)>> = Mutex::new(None);
        self.each(blocks, |(number, block)| {
            if let Err(failure) = act((number, block)) {
                let mut first = first.lock().unwrap_or_else(PoisonError::into_inner);
                if first.as_ref().is_none_or(|(before, _)| number < *before) {
                    *first = Some((number, failure));
                }
            }
        });
        let first = first.into_inner().unwrap_or_else(PoisonError::into_inner);
        first.map_or(Ok(()), |(_, failure)| Err(failure))
    }

    /// Runs `act` on every block: a free thread takes the next.
    pub(crate) fn each<T: Send>(
        &self,
        blocks: impl ExactSizeIterator<Item = T> + Send,
        act: impl Fn((usize, T)) + Sync,
    ) {
        if self.is_serial(blocks.len()) {
            return blocks.enumerate().for_each(act);
        }
        let blocks = Mutex::new(blocks.enumerate());
        let next = || blocks.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.broadcast(|_, _| std::iter::from_fn(next).for_each(&act));
    }

    /// The same, with the results in the order of the blocks.
    pub(crate) fn each_into<T: Send, R: Send + Default>(
        &self,
        results: &mut Vec<R>,
        blocks: impl ExactSizeIterator<Item = T> + Send,
        act: impl Fn((usize, T)) -> R + Sync,
    ) {
        results.clear();
        results.resize_with(blocks.len(), R::default);
        self.each(blocks.zip(results), |(number, (block, result))| *result = act((number, block)));
    }

    /// Runs `act` on all shares, `times` times, phase by phase with a barrier after each: a phase is a range of shares that may be processed
    /// at the same time. A thread prefers the same shares each time, so that they stay in its cache, and then takes those of others. Threads
    /// spin at the barriers.
    pub(crate) fn in_phases<T: Send>(
        &self,
        shares: &[Share<T>],
        phases: &(impl Iterator<Item = Range<usize>> + Clone + Sync),
        times: u32,
        act: impl Fn(&mut T, usize) + Sync,
    ) {
        let done = AtomicUsize::new(0);
        let all = phases.clone().fold(0, |all, phase| all + phase.len()) * times as usize;
        self.broadcast(|thread: usize, threads: usize| {
            let mut before = 0;
            let all_phases = (0..times).flat_map(|time| phases.clone().map(move |phase| (time, phase)));
            for (time, phase) in all_phases.take_while(|_| done.load(Ordering::Acquire) < all) {
                if !wait(&done, before) {
                    return;
                }
                let border = |thread: usize| phase.start + phase.len() * thread / threads;
                let own = border(thread)..border(thread + 1);
                for number in own.clone().chain((own.end..phase.end).rev()).chain((phase.start..own.start).rev()) {
                    if let Some(mut share) = shares[number].free().filter(|share| share.1 == time) {
                        share.1 += 1;
                        let _done = Done(&done);
                        act(&mut share.0, number);
                    }
                }
                before += phase.len();
            }
        });
    }
}

/// The work of this thread and all later ones, which others take if they are awake.
fn split(work: &(impl Fn(usize, usize) + Sync), thread: usize, threads: usize) {
    if thread + 1 < threads {
        rayon::join(|| work(thread, threads), || split(work, thread + 1, threads));
    } else {
        work(thread, threads);
    }
}

/// A share of the work, and the number of times it was processed.
pub(crate) struct Share<T>(Mutex<(T, u32)>);

impl<T> Share<T> {
    pub(crate) fn new(share: T) -> Self {
        Self(Mutex::new((share, 0)))
    }

    /// The share, unless another thread holds it. That thread processes it, or finds it done, or is still in an earlier phase: then it will
    /// come to this share again, since every thread visits all shares of every phase.
    fn free(&self) -> Option<MutexGuard<'_, (T, u32)>> {
        match self.0.try_lock() {
            Ok(share) => Some(share),
            Err(TryLockError::Poisoned(share)) => Some(share.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// Memory for shares of the work that outlives the shares themselves, so that it is allocated once.
pub(crate) struct Shares<T>(Vec<Share<T>>);

impl<T> Shares<T> {
    /// This memory, empty, for shares of another lifetime or type. It is reused if those have the same size.
    pub(crate) fn take<U>(&mut self) -> Vec<Share<U>> {
        recycled(std::mem::take(&mut self.0))
    }

    /// Puts the memory back.
    pub(crate) fn keep<U>(&mut self, shares: Vec<Share<U>>) {
        self.0 = recycled(shares);
    }
}

impl<T> Default for Shares<T> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<T> fmt::Debug for Shares<T> {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Shares({})", self.0.capacity())
    }
}

/// A clone is empty: it is only memory.
impl<T> Clone for Shares<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Empty memory of another type: collecting from a vector reuses its allocation if the elements have the same size.
fn recycled<A, B>(mut memory: Vec<A>) -> Vec<B> {
    memory.clear();
    memory.into_iter().map(|_| unreachable!("none is left")).collect()
}

/// The number of spins before a thread yields the processor.
const SPINS: u32 = 1000;

/// Waits until `count` shares are done. Returns false when a thread has panicked.
fn wait(done: &AtomicUsize, count: usize) -> bool {
    let mut spins = 0;
    loop {
        let done = done.load(Ordering::Acquire);
        if done >= count {
            return done < PANIC;
        }
        spins += 1;
        if spins < SPINS {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

/// Set in the count by a thread that panics: the count then exceeds any other, and no thread waits for work that will never be done.
const PANIC: usize = 1 << (usize::BITS - 1);

/// Counts a share as done when it is dropped.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        // An or, since several threads may panic at once.
        if std::thread::panicking() {
            self.0.fetch_or(PANIC, Ordering::Release);
        } else {
            self.0.fetch_add(1, Ordering::Release);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Part;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn a_cancel_that_was_taken_back_is_known() {
        let token = CancelToken::new();
        let threads = Threads::new(2).cancelled_by(&token);
        let before = threads.cancellations();
        assert!(!threads.is_cancelled() && !threads.cancelled_since(before));
        token.cancel();
        token.reset();
        assert!(!threads.is_cancelled() && threads.cancelled_since(before));
        assert!(!threads.cancelled_since(threads.cancellations()));
    }

    #[test]
    fn turns_follow_each_other_and_every_part_has_its_own() {
        for (count, inside) in [1, 2, 3, 7].into_iter().flat_map(|count| [(count, false), (count, true)]) {
            let threads = Threads::new(count);
            let (turns, clock) = ([0..5, 5..6, 6..20], AtomicUsize::new(0));
            let parts: Vec<_> = (0..20).map(|_| Share::new(Vec::new())).collect();
            let act = |part: &mut Vec<usize>, _| part.push(clock.fetch_add(1, Ordering::Relaxed));
            let go = || threads.in_phases(&parts, &turns.iter().cloned(), 50, act);
            if inside {
                threads.within(go);
            } else {
                go();
            }
            let parts: Vec<Vec<usize>> = parts.into_iter().map(|part| part.0.into_inner().unwrap().0).collect();
            for time in 0..50 {
                for turn in &turns {
                    let expected = 20 * time + turn.start..20 * time + turn.end;
                    assert!(parts[turn.clone()].iter().all(|part| expected.contains(&part[time])), "{count} {turn:?}");
                }
            }
            assert!(parts.iter().all(|part| part.len() == 50));
        }
    }

    #[test]
    fn results_are_in_order_and_the_first_failure_counts() {
        for count in [1, 2, 7] {
            let threads = Threads::new(count);
            let mut results = Vec::new();
            let act = |(number, block)| (number, block - number);
            threads.each_into(&mut results, 10_usize..110, act);
            assert!(results.drain(..).eq((0..100).map(|number| (number, 10))));
            threads.within(|| threads.each_into(&mut results, 10_usize..110, act));
            assert!(results.into_iter().eq((0..100).map(|number| (number, 10))));
            let fails = |(_, grain)| {
                if grain < 30 { Ok(()) } else { Err(Failure::NotFinite { what: "mass", place: Part::Grain(grain) }) }
            };
            assert!(
                matches!(threads.try_each(10..110, fails), Err(Failure::NotFinite { place: Part::Grain(30), .. })),
                "{count}"
            );
            assert!(threads.try_each(10..30, fails).is_ok());
        }
    }

    #[test]
    fn a_panic_on_one_thread_stops_nobody_for_ever() {
        let (tell, told) = std::sync::mpsc::channel();
        let panics = move || {
            for count in [1, 2, 3, 7] {
                let threads = Threads::new(count);
                for round in 0..2000 {
                    let panics = AssertUnwindSafe(|| {
                        let parts: Vec<_> = (0..8).map(Share::new).collect();
                        threads.in_phases(&parts, &[0..3, 3..8].into_iter(), 20, |_, number| {
                            // Without a message, of which there would be thousands.
                            // And now and then on all of them at once.
                            if number == round % 8 || round % 5 == 0 && number > 2 {
                                std::panic::resume_unwind(Box::new(number));
                            }
                        });
                    });
                    let inside = round % 3 == 0;
                    let caught = if inside { threads.within(|| catch_unwind(panics)) } else { catch_unwind(panics) };
                    assert!(caught.is_err());
                }
                let sum = AtomicUsize::new(0);
                threads.each(0..30, |(_, block)| {
                    sum.fetch_add(block, Ordering::Relaxed);
                });
                assert_eq!(sum.into_inner(), 435, "they still work");
            }
            tell.send(()).unwrap();
        };
        std::thread::spawn(panics);
        told.recv_timeout(std::time::Duration::from_secs(120)).expect("nobody hangs");
    }
}
