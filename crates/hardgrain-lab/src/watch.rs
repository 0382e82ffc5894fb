//! Independent runs in parallel, while someone may watch.

pub use hardgrain_run::{Progress, Unwatched};
use rayon::iter::{IndexedParallelIterator, IntoParallelRefIterator, ParallelIterator};

/// Runs all items in parallel; the results are in the order of the list.
pub(crate) fn side_by_side<T: Sync, R: Send, E: Send>(
    list: &[T],
    watch: &dyn Progress,
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
