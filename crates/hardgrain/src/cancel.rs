//! A request to stop, from another thread: long work looks at it and ends early. A cancelled step changes nothing.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

/// Cancels work, from any thread. Copies share the request. [`Threads`](crate::Threads) carry it to solvers and engines.
///
/// ```
/// use hardgrain::{Accelerated, CancelToken, ContactDynamics, Engine, Grain, Line, Packing, Stop, Threads};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut packing = Packing::<Line>::new();
/// packing.add(Grain::new([0.0], 0.5).velocity([1.0]))?;
/// let token = CancelToken::new();
/// let threads = Threads::new(1).cancelled_by(&token);
/// let mut engine = ContactDynamics::new(0.1, Accelerated::new(Stop::Sweeps(100)).threads(&threads)).threads(&threads);
///
/// token.cancel();
/// assert!(engine.step(&mut packing).is_err_and(|error| error.is_cancelled()) && packing.step == 0);
/// token.reset();
/// engine.step(&mut packing)?;
/// # Ok(()) }
/// ```
// The number of times that it was cancelled or reset, odd while it is cancelled: work that has ended early knows so even after a reset.
#[derive(Clone, Debug, Default)]
pub struct CancelToken(Arc<AtomicUsize>);

impl CancelToken {
    /// A token of its own, not cancelled.
    #[must_use]
    pub fn new() -> Self {
        Self::default()
    }

    /// Asks all work that looks at this token to end.
    pub fn cancel(&self) {
        self.0.fetch_or(1, Ordering::Relaxed);
    }

    /// Whether work is to end.
    #[must_use]
    pub fn is_cancelled(&self) -> bool {
        self.changes() % 2 == 1
    }

    /// Lets new work begin. Steps that were under way fail even now, though those that have not looked in the meantime do not end early.
    pub fn reset(&self) {
        let even = |changes: usize| Some(changes.wrapping_add(changes % 2));
        // It never fails: there always is a next value.
        let _ = self.0.fetch_update(Ordering::Relaxed, Ordering::Relaxed, even);
    }

    /// The number of times that it was cancelled or reset.
    pub(crate) fn changes(&self) -> usize {
        self.0.load(Ordering::Relaxed)
    }
}
