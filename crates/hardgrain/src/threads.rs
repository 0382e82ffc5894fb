//! Work on one thread or several, whose number changes no bit of it. Grains are taken in blocks of a fixed size; what is summed is summed
//! within each block and then over the blocks in order. Contacts are taken in windows that share no grain.

use crate::error::Failure;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::ops::Range;
use std::slice;
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

    /// Does the same with every block; the first of them that fails, in the order of the blocks, is what fails.
    pub(crate) fn try_each<T: Send>(
        &self,
        blocks: impl ExactSizeIterator<Item = T>,
        act: impl Fn((usize, T)) -> Result<(), Failure> + Sync,
    ) -> Result<(), Failure> {
        if self.alone(blocks.len()) {
            return blocks.enumerate().try_for_each(act);
        }
        self.each(blocks, act).into_iter().collect()
    }

    /// Does the same with every block; the results are in the order of the blocks.
    pub(crate) fn each<T: Send, R: Send>(
        &self,
        blocks: impl ExactSizeIterator<Item = T>,
        act: impl Fn((usize, T)) -> R + Sync,
    ) -> Vec<R> {
        let count = blocks.len();
        if self.alone(count) {
            return blocks.enumerate().map(act).collect();
        }
        let parts = blocks.map(|block| (Some(block), None));
        let done = self.in_turns(parts, slice::from_ref(&(0..count)), 1, |(block, result), number| {
            *result = block.take().map(|block| act((number, block)));
        });
        done.into_iter().map(|(_, result)| result.expect("each is worked on")).collect()
    }

    /// Does something with all parts, so many times, and gives them back: turn by turn, in each of which neighbours may be worked on at
    /// once. A thread has the same parts each time, so that they lie in its cache, and takes those of others when it is done with its own.
    ///
    /// A part takes microseconds, and to wake a thread takes a hundred. So the thread that asks begins at once, the others join it when
    /// they are awake, and nobody goes to sleep while there is something to wait for.
    pub(crate) fn in_turns<T: Send>(
        &self,
        parts: impl Iterator<Item = T>,
        turns: &[Range<usize>],
        times: u32,
        act: impl Fn(&mut T, usize) + Sync,
    ) -> Vec<T> {
        let parts: Vec<Mutex<Share<T>>> = parts.map(|part| Mutex::new(Share { part, times: 0 })).collect();
        let done = AtomicUsize::new(0);
        let work = |thread: usize, threads: usize| {
            let mut before = 0;
            for (time, turn) in (0..times).flat_map(|time| turns.iter().map(move |turn| (time, turn))) {
                if !wait(&done, before) {
                    return;
                }
                let border = |thread: usize| turn.start + turn.len() * thread / threads;
                let own = border(thread)..border(thread + 1);
                for number in own.clone().chain((own.end..turn.end).rev()).chain((turn.start..own.start).rev()) {
                    if let Some(mut part) = free(&parts[number]).filter(|part| part.times == time) {
                        part.times += 1;
                        let _done = Done(&done);
                        act(&mut part.part, number);
                    }
                }
                before += turn.len();
            }
            // Whoever asked may use the parts only when all are done.
            wait(&done, before);
        };
        match &self.0 {
            None => work(0, 1),
            Some(pool) => pool.in_place_scope(|scope| {
                let (work, threads) = (&work, pool.current_num_threads());
                (1..threads).for_each(|thread| scope.spawn(move |_| work(thread, threads)));
                work(0, threads);
            }),
        }
        parts.into_iter().map(|part| part.into_inner().unwrap_or_else(PoisonError::into_inner).part).collect()
    }
}

/// A part, and how many times it has been worked on.
struct Share<T> {
    part: T,
    times: u32,
}

/// The part, if no other thread has it. Such a one works on it, or sees that it is done, or is still looking for what was left in an earlier
/// turn: then it comes by again in this one, as every thread looks at all parts of every turn.
fn free<T>(part: &Mutex<Share<T>>) -> Option<MutexGuard<'_, Share<T>>> {
    match part.try_lock() {
        Ok(part) => Some(part),
        Err(TryLockError::Poisoned(part)) => Some(part.into_inner()),
        Err(TryLockError::WouldBlock) => None,
    }
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

/// More than can ever be done: what a thread that panics leaves undone is not waited for.
const PANIC: usize = usize::MAX / 2;

/// Counts when it goes.
struct Done<'a>(&'a AtomicUsize);

impl Drop for Done<'_> {
    fn drop(&mut self) {
        let count = if std::thread::panicking() { PANIC } else { 1 };
        self.0.fetch_add(count, Ordering::Release);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Part;
    use std::panic::{AssertUnwindSafe, catch_unwind};

    #[test]
    fn turns_follow_each_other_and_every_part_has_its_own() {
        for count in [1, 2, 3, 7] {
            let threads = Threads::new(count);
            let (turns, clock) = ([0..5, 5..6, 6..20], AtomicUsize::new(0));
            let parts = threads.in_turns((0..20).map(|_| Vec::new()), &turns, 50, |part: &mut Vec<usize>, _| {
                part.push(clock.fetch_add(1, Ordering::Relaxed));
            });
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
            assert!(threads.each(10_usize..110, |(number, block)| block - number).iter().all(|first| *first == 10));
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
                        threads.in_turns(0..8, &[0..3, 3..8], 20, |_, number| {
                            // Without a message, of which there would be thousands.
                            if number == round % 8 {
                                std::panic::resume_unwind(Box::new(number));
                            }
                        });
                    });
                    assert!(catch_unwind(panics).is_err());
                }
                assert_eq!(threads.each(0..30, |(_, block)| block).len(), 30, "they still work");
            }
            tell.send(()).unwrap();
        };
        std::thread::spawn(panics);
        told.recv_timeout(std::time::Duration::from_secs(120)).expect("nobody hangs");
    }
}
