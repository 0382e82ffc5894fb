//! Threads. The sweeps of this version run on one; the others encode frames beside each other.

use crate::error::RunError;
use rayon::{ThreadPool, ThreadPoolBuilder};

/// A pool of so many threads; 0 means one for each core.
pub(crate) fn pool(threads: usize) -> Result<ThreadPool, RunError> {
    if threads > 1024 {
        return Err(RunError::Input(format!(
            "{threads} threads are too many; take at most 1024, or leave --threads out"
        )));
    }
    let pool = ThreadPoolBuilder::new().num_threads(threads).build();
    pool.map_err(|error| RunError::Input(format!("no pool of {threads} threads: {error}")))
}
