//! Progress on stderr: bars on a terminal, a plain line every ten seconds otherwise.

use hardgrain_run::Progress;
use indicatif::{MultiProgress, ProgressBar, ProgressStyle};
use std::io::{self, IsTerminal};
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{Duration, Instant};

/// Time between lines without a terminal.
const LINE_AFTER: Duration = Duration::from_secs(10);

/// The bars on a terminal, and the clock of what is shown.
pub(crate) struct Display {
    // Empty without a terminal.
    pub bars: Vec<ProgressBar>,
    bar_after: Duration,
    last: Mutex<Instant>,
}

impl Display {
    /// A bar for each of these names on a terminal, shown anew after this time.
    pub(crate) fn new(template: &str, names: &[&str], bar_after: Duration) -> Self {
        let shown = if io::stderr().is_terminal() { names } else { &[] };
        let all = MultiProgress::new();
        let style = ProgressStyle::with_template(template).expect("a template that is right");
        let width = names.iter().map(|name| name.len()).max().unwrap_or(0);
        let bar =
            |name: &&str| all.add(ProgressBar::new(0).with_style(style.clone()).with_prefix(format!("{name:<width$}")));
        Self { bars: shown.iter().map(bar).collect(), bar_after, last: Mutex::new(Instant::now()) }
    }

    /// Prints a message on its own line.
    pub(crate) fn note(&self, note: &str) {
        match self.bars.first() {
            Some(bar) => bar.println(note),
            None => eprintln!("{note}"),
        }
    }

    /// Whether it is time to show something. If another thread holds the clock, that one shows it.
    pub(crate) fn is_due(&self) -> bool {
        let Ok(mut last) = self.last.try_lock() else { return false };
        let due = last.elapsed() >= if self.bars.is_empty() { LINE_AFTER } else { self.bar_after };
        if due {
            *last = Instant::now();
        }
        due
    }
}

impl Drop for Display {
    fn drop(&mut self) {
        self.bars.iter().for_each(ProgressBar::finish_and_clear);
    }
}

/// Shows the progress of an experiment.
pub(crate) struct ProgressBars {
    name: &'static str,
    display: Display,
    total: AtomicU64,
    done: AtomicU64,
}

impl ProgressBars {
    pub(crate) fn new(name: &'static str) -> Self {
        Self::checklist(name, &[name])
    }

    /// One bar for each of these names, which advance together.
    pub(crate) fn checklist(name: &'static str, lines: &[&str]) -> Self {
        let template = "{prefix} [{bar:40}] {pos}/{len} runs, {eta} left {msg}";
        let display = Display::new(template, lines, Duration::from_millis(300));
        Self { name, display, total: AtomicU64::new(0), done: AtomicU64::new(0) }
    }
}

impl Progress for ProgressBars {
    fn begin(&self, runs: u64) {
        let total = self.total.fetch_add(runs, Ordering::Relaxed) + runs;
        self.display.bars.iter().for_each(|bar| bar.set_length(total));
    }

    fn advance(&self) {
        self.done.fetch_add(1, Ordering::Relaxed);
        self.display.bars.iter().for_each(|bar| bar.inc(1));
        self.alive();
    }

    fn alive(&self) {
        self.doing(&String::new);
    }

    fn note(&self, note: &str) {
        self.display.note(note);
    }

    fn doing(&self, what: &dyn Fn() -> String) {
        if !self.display.is_due() {
            return;
        }
        let what = what();
        if let Some(first) = self.display.bars.first() {
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
