//! Progress on stderr: a bar on a terminal, a plain line every ten seconds otherwise.

use hardgrain_lab::Watch;
use indicatif::{ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_secs(10);
const OFTEN: Duration = Duration::from_millis(300);

/// Someone who shows how far an experiment is.
pub(crate) struct Progress {
    name: &'static str,
    bar: Option<ProgressBar>,
    total: AtomicU64,
    done: AtomicU64,
    last: Mutex<Instant>,
}

impl Progress {
    pub(crate) fn new(name: &'static str) -> Self {
        let bar = io::stderr().is_terminal().then(|| {
            let style = ProgressStyle::with_template("{prefix} [{bar:40}] {pos}/{len} runs, {eta} left {msg}");
            let bar = ProgressBar::new(0).with_style(style.expect("a template that is right"));
            bar.with_prefix(name)
        });
        Self { name, bar, total: AtomicU64::new(0), done: AtomicU64::new(0), last: Mutex::new(Instant::now()) }
    }
}

impl Drop for Progress {
    fn drop(&mut self) {
        if let Some(bar) = &self.bar {
            bar.finish_and_clear();
        }
    }
}

impl Watch for Progress {
    fn begin(&self, runs: u64) {
        let total = self.total.fetch_add(runs, Ordering::Relaxed) + runs;
        if let Some(bar) = &self.bar {
            bar.set_length(total);
        }
    }

    fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        if let Some(bar) = &self.bar {
            bar.inc(1);
        }
        self.alive();
    }

    fn alive(&self) {
        self.doing(&String::new);
    }

    fn doing(&self, what: &dyn Fn() -> String) {
        // Whoever finds the clock in use need not look at it.
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.elapsed() < if self.bar.is_some() { OFTEN } else { EVERY } {
            return;
        }
        *last = Instant::now();
        let what = what();
        if let Some(bar) = &self.bar {
            if !what.is_empty() {
                bar.set_message(what);
            }
            return;
        }
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        let what = if what.is_empty() { what } else { format!("; {what}") };
        eprintln!("{}: {done} of {total} runs{what}", self.name);
    }
}
