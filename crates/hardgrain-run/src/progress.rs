//! Progress of long work.

/// Watches long work: runs of an audit, a study or an experiment. Called from several threads.
pub trait Progress: Sync {
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
    /// A message for the user.
    fn note(&self, _note: &str) {}
}

/// Ignores all progress.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unwatched;

impl Progress for Unwatched {
    fn begin(&self, _runs: u64) {}
    fn advance(&self) {}
}
