//! Threads: how many a run takes. They change no bit of it.

use crate::error::RunError;
use std::thread::available_parallelism;

/// How many threads a run takes; 0 means one for each core.
pub(crate) fn threads(asked: usize) -> Result<usize, RunError> {
    match asked {
        0 => Ok(available_parallelism().map_or(1, usize::from)),
        1..=1024 => Ok(asked),
        _ => Err(RunError::Input(format!("{asked} threads are too many; take at most 1024, or leave --threads out"))),
    }
}
