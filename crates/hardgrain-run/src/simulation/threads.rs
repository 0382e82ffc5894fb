//! Threads: how many a run takes. They change no bit of it.

use crate::error::RunError;
use std::thread::available_parallelism;

/// More threads than this for each core only stand in each other's way: they wait for each other without sleep.
const FOR_EACH_CORE: usize = 8;

/// How many threads a run takes; 0 means one for each core.
pub(crate) fn threads(asked: usize) -> Result<usize, RunError> {
    for_cores(asked, "threads", "--threads")
}

/// The same for whatever keeps a core busy.
pub(crate) fn for_cores(asked: usize, what: &str, flag: &str) -> Result<usize, RunError> {
    let cores = available_parallelism().map_or(1, usize::from);
    let most = FOR_EACH_CORE * cores;
    match asked {
        0 => Ok(cores),
        asked if asked <= most => Ok(asked),
        _ => Err(RunError::Input(format!(
            "{asked} {what} are too many for {cores} cores; take at most {most}, or leave {flag} out"
        ))),
    }
}
