//! Progress of long work, for whoever wants to show it; and independent runs side by side.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

/// Someone who watches an experiment. Called from several threads.
pub trait Watch: Sync {
    /// So many runs are to come.
    fn begin(&self, runs: u64);
    /// One of them is done.
    fn advance(&self);
    /// One of them still goes on. Called often.
    fn alive(&self) {}
    /// The same, with what it does, for whoever shows it now. Called often.
    fn doing(&self, _what: &dyn Fn() -> String) {
        self.alive();
    }
}

/// Nobody watches.
pub struct Unwatched;

impl Watch for Unwatched {
    fn begin(&self, _runs: u64) {}
    fn advance(&self) {}
}

/// Runs all of them, in parallel; the results are in the order of the list.
pub(crate) fn side_by_side<T: Sync, R: Send, E: Send>(
    list: &[T],
    watch: &dyn Watch,
    run: impl Fn(&T) -> Result<R, E> + Sync,
) -> Result<Vec<R>, E> {
    watch.begin(list.len() as u64);
    let each = list.par_iter().with_max_len(1).map(|item| {
        let result = run(item);
        watch.advance();
        result
    });
    // Collected first: the error that is reported is the first of the list, not the first in time.
    each.collect::<Vec<_>>().into_iter().collect()
}
