//! Runs with output for a terminal: Ctrl-C, a progress bar or lines, and a summary at the end.

use crate::failure::CliError;
use crate::output::{document, print};
use crate::progress::Display;
use crate::rigidity_lines::lines;
use crate::table::{counted, number};
use hardgrain::CancelToken;
use hardgrain_run::{Ended, Finish, Glance, Observer, Run, RunError, Summary, shown};
use std::path::Path;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// A process has one handler of signals, however many commands it carries.
static CANCELLED: LazyLock<CancelToken> = LazyLock::new(|| {
    let token = CancelToken::new();
    let cancelled = token.clone();
    let handler = move || {
        // Who does not look at the token is ended at once.
        if cancelled.is_cancelled() || !LISTENING.load(Ordering::Relaxed) {
            std::process::exit(130);
        }
        cancelled.cancel();
    };
    // Fails where the process has a handler of its own; a run without ours is still resumable.
    let _ = ctrlc::set_handler(handler);
    token
});

/// Whether the present command looks at the token.
static LISTENING: AtomicBool = AtomicBool::new(false);

/// The command that looked at the token is over.
pub(crate) fn no_longer_cancelled_by_user() {
    LISTENING.store(false, Ordering::Relaxed);
}

/// A token that Ctrl-C or a signal of a scheduler cancels. A second signal exits at once; the last checkpoints remain.
pub(crate) fn cancelled_by_user() -> CancelToken {
    // What stopped an earlier command does not stop this one.
    CANCELLED.reset();
    LISTENING.store(true, Ordering::Relaxed);
    CANCELLED.clone()
}

/// Shows a run.
struct TerminalObserver {
    display: Display,
    began: Instant,
    first: u64,
}

impl TerminalObserver {
    fn new(first: u64) -> Self {
        let display = Display::new("{prefix} [{bar:30}] {msg}", &[""], Duration::from_millis(100));
        Self { display, began: Instant::now(), first }
    }

    fn line(&self, glance: &Glance<'_>) -> String {
        let seconds = self.began.elapsed().as_secs_f64();
        let speed = (glance.step - self.first) as f64 / seconds.max(1e-9);
        let left = duration(glance.steps_left as f64 / speed.max(1e-9));
        let most = if glance.unbalanced.is_some() { " at most" } else { "" };
        let balance = glance.unbalanced.map_or(String::new(), |force| format!(", unbalanced {force:.1e}"));
        format!(
            "step {}, {speed:.0} steps/s, {left} left{most}, {} contacts, residual {:.1e}, overlap {:.1e} d{balance}",
            glance.step, glance.contacts, glance.residual, glance.overlap
        )
    }
}

impl Observer for TerminalObserver {
    fn observe(&mut self, glance: &Glance<'_>) {
        if !self.display.is_due() {
            return;
        }
        let (line, (done, most)) = (self.line(glance), glance.stage_steps);
        if let Some(bar) = self.display.bars.first() {
            bar.set_prefix(glance.stage.to_owned());
            bar.set_length(most);
            bar.set_position(done);
            bar.set_message(line);
        } else {
            eprintln!("{} {done}/{most}: {line}", glance.stage);
        }
    }

    fn note(&mut self, note: &str) {
        self.display.note(note);
    }
}

/// A time in the unit that fits.
pub(crate) fn duration(seconds: f64) -> String {
    match seconds {
        s if s < 1.0 => "a second or less".into(),
        s if s < 120.0 => format!("{s:.0} s"),
        s if s < 7200.0 => format!("{:.0} min", s / 60.0),
        s if s < 172_800.0 => format!("{:.1} h", s / 3600.0),
        s if s < 3.2e9 => format!("{:.0} days", s / 86_400.0),
        _ => "more than a lifetime".into(),
    }
}

/// Makes the steps of a run, and prints how it ended.
pub(crate) fn follow(run: Run, folder: &Path, json: bool) -> Result<(), CliError> {
    let finish = {
        let mut follower = TerminalObserver::new(run.step());
        run.cancelled_by(&cancelled_by_user()).go(&mut follower)
    };
    let place = shown(folder);
    match finish.map_err(|error| advised(error, folder))? {
        Finish::Stopped { step } => Err(CliError::Stopped(format!(
            "stopped after step {step}, checkpoint written; `hardgrain resume {place}` goes on"
        ))),
        Finish::Over(summary) => {
            print(&if json { document(&summary) } else { summary_text(&summary, folder) })?;
            // A run that missed rest or a tolerance has its own exit code.
            if summary.fulfilled { Ok(()) } else { Err(CliError::Missed(summary.ending)) }
        }
    }
}

/// An error during a run, with advice on how to continue.
fn advised(error: RunError, folder: &Path) -> CliError {
    let place = shown(folder);
    match error {
        RunError::File(trouble) if trouble.act == "go on with" => CliError::Failed(format!(
            "{trouble}\nit was changed after the run; `hardgrain run {place}/scene.toml -o ELSEWHERE` runs the scene again"
        )),
        RunError::File(trouble) => CliError::Failed(format!(
            "{trouble}\nthe last checkpoint is good: once that is mended, `hardgrain resume {place}` goes on"
        )),
        RunError::Step(error) => {
            CliError::Failed(format!("{error}\n{place} holds what came before; going on would end the same way"))
        }
        other => other.into(),
    }
}

/// The message for a run that is finished already.
pub(crate) fn over(ended: &Ended, folder: &Path) -> Result<(), CliError> {
    let Ended { fulfilled, ending, steps } = ended;
    let place = folder.display();
    if *fulfilled {
        eprintln!("{place} is finished: {steps} steps; nothing to do. Its results are in {place}/run.json");
        return Ok(());
    }
    Err(CliError::Missed(format!("{place} is over after {steps} steps: {ending}. Its results are in {place}/run.json")))
}

/// The summary of a run in a few lines.
pub(crate) fn summary_text(summary: &Summary, folder: &Path) -> String {
    let Summary { steps, wall_time, grains, contacts, records, .. } = summary;
    let mut text = String::new();
    let mut line = |said: String| text = format!("{text}{said}\n");
    if !summary.title.is_empty() {
        line(summary.title.clone());
    }
    line(format!(
        "{} in {wall_time:.1} s, time {}, {}, {}, kinetic energy {}",
        counted(*steps, "step"),
        number(Some(summary.time)),
        counted(*grains as u64, "grain"),
        counted(*contacts as u64, "contact"),
        number(Some(summary.kinetic_energy))
    ));
    for stage in &summary.stages {
        let rest = match (stage.at_rest, stage.unbalanced) {
            (Some(true), Some(force)) => {
                let rattlers = match stage.rattlers_stopped {
                    0 => String::new(),
                    stopped => format!("; {} stopped", counted(stopped, "rattler")),
                };
                format!(", at rest (unbalanced force {force:.1e} of the mean contact force){rattlers}")
            }
            (Some(false), force) => {
                let force = force.map_or("no contact carries a load".into(), |force| {
                    format!("unbalanced force {force:.1e} of the mean")
                });
                format!(", not at rest ({force})")
            }
            _ => String::new(),
        };
        line(format!("stage {}: {}{rest}", stage.name, counted(stage.steps, "step")));
    }
    if summary.factorisations > 0 {
        let each = summary.factorisations as f64 / summary.steps.max(1) as f64;
        let over = summary.steps_fell_back;
        line(format!("factorisations {each:.1} a step, {over} steps handed over to accelerated sweeps"));
    }
    line(format!("records took {:.1} % of the time", 100.0 * records.share));
    lines(summary).into_iter().for_each(&mut line);
    line(format!("state {} in {}", summary.state_hash, folder.display()));
    text
}
