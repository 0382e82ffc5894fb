//! The number of threads of a run. It changes no bit of the results.

use crate::error::RunError;
use std::thread::available_parallelism;

/// Most threads per core: threads wait for each other without sleeping.
const FOR_EACH_CORE: usize = 8;

/// The number of threads of a run; 0 means one per core.
pub(crate) fn threads(asked: usize) -> Result<usize, RunError> {
    for_cores(asked, "threads", "--threads")
}

/// The same for anything that keeps a core busy.
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
