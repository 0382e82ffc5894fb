//! Grains are taken in blocks of a fixed size, on one thread or several. What is summed is summed within each block and
//! then over the blocks in order, so the number of threads changes no bit.

use rayon::prelude::*;
use rayon::{ThreadPool, ThreadPoolBuilder};
use std::sync::Arc;

/// How many grains make a block.
pub(super) const BLOCK: usize = 1024;

/// The threads that blocks are spread over.
#[derive(Clone, Debug, Default)]
pub(super) struct Threads(Option<Arc<ThreadPool>>);

impl Threads {
    /// So many; one does without, and so does a machine that has no more to give.
    pub(super) fn new(count: usize) -> Self {
        Self(if count > 1 { ThreadPoolBuilder::new().num_threads(count).build().ok().map(Arc::new) } else { None })
    }

    /// Whether so many grains are spread over more than one.
    pub(super) fn share(&self, grains: usize) -> bool {
        self.0.is_some() && grains > BLOCK
    }

    /// Does the same with every block; the results are in the order of the blocks.
    pub(super) fn each<T: Send, R: Send>(
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
