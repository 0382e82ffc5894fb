//! Work on one thread or several, whose number changes no bit of it. Grains are taken in blocks of a fixed size; what is summed is summed
//! within each block and then over the blocks in order. Contacts are taken in windows that share no grain.

use crate::error::Failure;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::fmt;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, TryLockError};

/// How many grains make a block.
pub(crate) const BLOCK: usize = 1024;

/// The number of the first grain of a block.
pub(crate) fn first_of(block: usize) -> u32 {
    u32::try_from(block * BLOCK).expect("parts are counted in 32 bits")
}

/// The threads that work is spread over. Copies of it share them.
#[derive(Clone, Debug, Default)]
pub struct Threads(Option<Arc<ThreadPool>>);

impl Threads {
    /// So many; one does without, and so does a machine that has no more to give.
    pub fn new(count: usize) -> Self {
        Self(if count > 1 { ThreadPoolBuilder::new().num_threads(count).build().ok().map(Arc::new) } else { None })
    }

    /// How many there are.
    pub fn count(&self) -> usize {
        self.0.as_ref().map_or(1, |pool| pool.current_num_threads())
    }

    /// These threads where there is work enough for them: some pieces for each.
    pub(crate) fn for_pieces(&self, count: usize) -> Self {
        if count >= 4 { self.clone() } else { Self::default() }
    }

    /// Whether so many grains are spread over more than one.
    pub(crate) fn share(&self, grains: usize) -> bool {
        self.0.is_some() && grains > BLOCK
    }

    /// Whether nobody else would help with so many blocks.
    fn alone(&self, blocks: usize) -> bool {
        self.0.is_none() || blocks < 2
    }

    /// Does this on one of them. Steps that are made in there share their work without asking for memory.
    pub fn within<R: Send>(&self, act: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            None => act(),
            Some(pool) => pool.install(act),
        }
    }

    /// Does something on all of them at once; each is told its number and how many there are.
    ///
    /// A piece of work takes microseconds, and to wake a thread takes a hundred. So the thread that asks begins at once, and the
    /// others join it when they are awake: whoever comes must be able to do all there is, and find it done.
    fn together(&self, work: impl Fn(usize, usize) + Sync) {
        match &self.0 {
            None => work(0, 1),
            Some(pool) if pool.current_thread_index().is_some() => split(&work, 0, self.count()),
            Some(pool) => pool.in_place_scope(|scope| {
                let (work, threads) = (&work, self.count());
                (1..threads).for_each(|thread| scope.spawn(move |_| work(thread, threads)));
                work(0, threads);
            }),
        }
    }

    /// Does the same with every block; the first of them that fails, in the order of the blocks, is what fails.
    pub(crate) fn try_each<T: Send>(
        &self,
        blocks: impl ExactSizeIterator<Item = T> + Send,
        act: impl Fn((usize, T)) -> Result<(), Failure> + Sync,
    ) -> Result<(), Failure> {
        if self.alone(blocks.len()) {
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

    /// Does the same with every block: whoever is free takes the next.
    pub(crate) fn each<T: Send>(
        &self,
        blocks: impl ExactSizeIterator<Item = T> + Send,
        act: impl Fn((usize, T)) + Sync,
    ) {
        if self.alone(blocks.len()) {
            return blocks.enumerate().for_each(act);
        }
        let blocks = Mutex::new(blocks.enumerate());
        let next = || blocks.lock().unwrap_or_else(PoisonError::into_inner).next();
        self.together(|_, _| std::iter::from_fn(next).for_each(&act));
    }

    /// The same, and what comes of each block is kept in their order.
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

    /// Does something with all parts, so many times: turn by turn, in each of which neighbours may be worked on at once. A thread has the
    /// same parts each time, so that they lie in its cache, and takes those of others when it is done with its own. Nobody goes to sleep
    /// while there is something to wait for.
    pub(crate) fn in_turns<T: Send>(
        &self,
        parts: &[Share<T>],
        turns: &(impl Iterator<Item = Range<usize>> + Clone + Sync),
        times: u32,
        act: impl Fn(&mut T, usize) + Sync,
    ) {
        let done = AtomicUsize::new(0);
        let all = turns.clone().fold(0, |all, turn| all + turn.len()) * times as usize;
        self.together(|thread: usize, threads: usize| {
            let mut before = 0;
            let all_turns = (0..times).flat_map(|time| turns.clone().map(move |turn| (time, turn)));
            for (time, turn) in all_turns.take_while(|_| done.load(Ordering::Acquire) < all) {
                if !wait(&done, before) {
                    return;
                }
                let border = |thread: usize| turn.start + turn.len() * thread / threads;
                let own = border(thread)..border(thread + 1);
                for number in own.clone().chain((own.end..turn.end).rev()).chain((turn.start..own.start).rev()) {
                    if let Some(mut part) = parts[number].free().filter(|part| part.1 == time) {
                        part.1 += 1;
                        let _done = Done(&done);
                        act(&mut part.0, number);
                    }
                }
                before += turn.len();
            }
        });
    }
}

/// The work of all threads from this one on, of which others take some if they are awake.
fn split(work: &(impl Fn(usize, usize) + Sync), thread: usize, threads: usize) {
    if thread + 1 < threads {
        rayon::join(|| work(thread, threads), || split(work, thread + 1, threads));
    } else {
        work(thread, threads);
    }
}

/// A part, and how many times it has been worked on.
pub(crate) struct Share<T>(Mutex<(T, u32)>);

impl<T> Share<T> {
    pub(crate) fn new(part: T) -> Self {
        Self(Mutex::new((part, 0)))
    }

    /// The part, if no other thread has it. Such a one works on it, or sees that it is done, or is still looking for what was left in an
    /// earlier turn: then it comes by again in this one, as every thread looks at all parts of every turn.
    fn free(&self) -> Option<MutexGuard<'_, (T, u32)>> {
        match self.0.try_lock() {
            Ok(part) => Some(part),
            Err(TryLockError::Poisoned(part)) => Some(part.into_inner()),
            Err(TryLockError::WouldBlock) => None,
        }
    }
}

/// Memory for shares of the work, from one time to the next: what is shared lives shorter than that.
pub(crate) struct Shares<T>(Vec<Share<T>>);

impl<T> Shares<T> {
    /// This memory, empty, for parts that may live shorter or be of another kind. It is the same if those are as large.
    pub(crate) fn take<U>(&mut self) -> Vec<Share<U>> {
        recycled(std::mem::take(&mut self.0))
    }

    /// Gives it back.
    pub(crate) fn keep<U>(&mut self, parts: Vec<Share<U>>) {
        self.0 = recycled(parts);
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

/// Nothing of it is worth copying.
impl<T> Clone for Shares<T> {
    fn clone(&self) -> Self {
        Self::default()
    }
}

/// Empty memory of another type: what is collected from a vector lies in that vector's memory where it fits.
fn recycled<A, B>(mut memory: Vec<A>) -> Vec<B> {
    memory.clear();
    memory.into_iter().map(|_| unreachable!("none is left")).collect()
}

/// Looks so often before it lets others have the processor.
const LOOKS: u32 = 1000;

/// Waits until so many are done. Returns whether it is worth going on: not when a thread has panicked.
fn wait(done: &AtomicUsize, count: usize) -> bool {
    let mut looks = 0;
    loop {
        let done = done.load(Ordering::Acquire);
        if done >= count {
            return done < PANIC;
        }
        looks += 1;
        if looks < LOOKS {
            std::hint::spin_loop();
        } else {
            std::thread::yield_now();
        }
    }
}

/// This bit is more than can ever be done: what a thread that panics leaves undone is not waited for.
const PANIC: usize = 1 << (usize::BITS - 1);

/// Counts when it goes.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        // Several may panic at once.
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
    fn turns_follow_each_other_and_every_part_has_its_own() {
        for (count, inside) in [1, 2, 3, 7].into_iter().flat_map(|count| [(count, false), (count, true)]) {
            let threads = Threads::new(count);
            let (turns, clock) = ([0..5, 5..6, 6..20], AtomicUsize::new(0));
            let parts: Vec<_> = (0..20).map(|_| Share::new(Vec::new())).collect();
            let act = |part: &mut Vec<usize>, _| part.push(clock.fetch_add(1, Ordering::Relaxed));
            let go = || threads.in_turns(&parts, &turns.iter().cloned(), 50, act);
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
                        threads.in_turns(&parts, &[0..3, 3..8].into_iter(), 20, |_, number| {
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
