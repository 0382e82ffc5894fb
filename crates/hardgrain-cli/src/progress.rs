//! Progress on stderr: a bar on a terminal, a plain line every ten seconds otherwise.

use hardgrain_lab::Watch;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

const EVERY: Duration = Duration::from_secs(10);
const OFTEN: Duration = Duration::from_millis(300);

/// Shows the progress of an experiment.
pub(crate) struct ProgressBars {
    name: &'static str,
    // Empty without a terminal.
    bars: Vec<ProgressBar>,
    total: AtomicU64,
    done: AtomicU64,
    last: Mutex<Instant>,
}

impl ProgressBars {
    pub(crate) fn new(name: &'static str) -> Self {
        Self::checklist(name, &[name])
    }

    /// One bar for each of these names, which advance together.
    pub(crate) fn checklist(name: &'static str, lines: &[&str]) -> Self {
        let shown = if io::stderr().is_terminal() { lines } else { &[] };
        let all = MultiProgress::new();
        let width = lines.iter().map(|line| line.len()).max().unwrap_or(0);
        let style = ProgressStyle::with_template("{prefix} [{bar:40}] {pos}/{len} runs, {eta} left {msg}");
        let style = style.expect("a template that is right");
        let bar =
            |line: &&str| all.add(ProgressBar::new(0).with_style(style.clone()).with_prefix(format!("{line:<width$}")));
        let (total, done) = (AtomicU64::new(0), AtomicU64::new(0));
        Self { name, bars: shown.iter().map(bar).collect(), total, done, last: Mutex::new(Instant::now()) }
    }

    /// Prints a message on its own line.
    pub(crate) fn note(&self, note: &str) {
        match self.bars.first() {
            Some(bar) => bar.println(note),
            None => eprintln!("{note}"),
        }
    }
}

impl Drop for ProgressBars {
    fn drop(&mut self) {
        self.bars.iter().for_each(ProgressBar::finish_and_clear);
    }
}

impl Watch for ProgressBars {
    fn begin(&self, runs: u64) {
        let total = self.total.fetch_add(runs, Ordering::Relaxed) + runs;
        self.bars.iter().for_each(|bar| bar.set_length(total));
    }

    fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.bars.iter().for_each(|bar| bar.inc(1));
        self.alive();
    }

    fn alive(&self) {
        self.doing(&String::new);
    }

    fn doing(&self, what: &dyn Fn() -> String) {
        // If another thread holds the clock, it prints.
        let Ok(mut last) = self.last.try_lock() else { return };
        if last.elapsed() < if self.bars.is_empty() { EVERY } else { OFTEN } {
            return;
        }
        *last = Instant::now();
        let what = what();
        if let Some(first) = self.bars.first() {
            if !what.is_empty() {
                first.set_message(what);
            }
            return;
        }
        let (done, total) = (self.done.load(Ordering::Relaxed), self.total.load(Ordering::Relaxed));
        let what = if what.is_empty() { what } else { format!("; {what}") };
        eprintln!("{}: {done} of {total} runs{what}", self.name);
    }
}
