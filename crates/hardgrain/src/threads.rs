//! Work on one thread or several, whose number changes no bit of it. Grains are taken in blocks of a fixed size; what is summed is summed
//! within each block and then over the blocks in order. Contacts are taken in windows that share no grain.

use crate::error::Failure;
use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

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

    /// Does something that spreads itself, by [`halves`](Self::halves), over these threads.
    pub(crate) fn run<R: Send>(&self, act: impl FnOnce() -> R + Send) -> R {
        match &self.0 {
            None => act(),
            Some(pool) => pool.install(act),
        }
    }

    /// Does two things, at once if there are threads for it.
    pub(crate) fn halves(&self, one: impl FnOnce() + Send, other: impl FnOnce() + Send) {
        if self.0.is_some() {
            rayon::join(one, other);
        } else {
            one();
            other();
        }
    }

    /// Whether so many grains are spread over more than one.
    pub(crate) fn share(&self, grains: usize) -> bool {
        self.0.is_some() && grains > BLOCK
    }

    /// Does the same with every block; the first of them that fails, in the order of the blocks, is what fails.
    pub(crate) fn try_each<T: Send>(
        &self,
        blocks: impl ExactSizeIterator<Item = T>,
        act: impl Fn((usize, T)) -> Result<(), Failure> + Sync + Send,
    ) -> Result<(), Failure> {
        match self.0.as_ref().filter(|_| blocks.len() > 1) {
            None => blocks.enumerate().try_for_each(act),
            Some(pool) => {
                let blocks: Vec<T> = blocks.collect();
                let fails = || blocks.into_par_iter().enumerate().find_map_first(|block| act(block).err());
                pool.install(fails).map_or(Ok(()), Err)
            }
        }
    }

    /// Does the same with every block; the results are in the order of the blocks.
    pub(crate) fn each<T: Send, R: Send>(
        &self,
        blocks: impl ExactSizeIterator<Item = T>,
        act: impl Fn((usize, T)) -> R + Sync + Send,
    ) -> Vec<R> {
        match self.0.as_ref().filter(|_| blocks.len() > 1) {
            None => blocks.enumerate().map(act).collect(),
            Some(pool) => {
                let blocks: Vec<T> = blocks.collect();
                pool.install(|| blocks.into_par_iter().enumerate().map(act).collect())
            }
        }
    }
}
