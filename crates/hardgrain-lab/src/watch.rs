//! Progress of long experiments, and independent runs in parallel.

use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

/// Observes the progress of an experiment. Called from several threads.
pub trait Watch: Sync {
    /// Announces `runs` more runs.
    fn begin(&self, runs: u64);
    /// A run has ended.
    fn advance(&self);
    /// A run makes progress. Called often.
    fn alive(&self) {}
    /// The same, with a description that is made only if it is shown. Called often.
    fn doing(&self, _what: &dyn Fn() -> String) {
        self.alive();
    }
}

/// Ignores all progress.
pub struct Unwatched;

impl Watch for Unwatched {
    fn begin(&self, _runs: u64) {}
    fn advance(&self) {}
}

/// Runs all items in parallel; the results are in the order of the list.
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
