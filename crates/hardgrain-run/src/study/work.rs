//! Runs of a study, several at a time. Each is an ordinary run: it can be killed and resumed, and locks its own folder.

use super::gather::summary_in;
use super::{FAILURE, RUNS, Study};
use crate::error::RunError;
use crate::folder::run::{Resumed, resume, start};
use crate::folder::stepping::Finish;
use crate::folder::{LOCK, SCENE, SUMMARY, shown};
use crate::progress::Progress;
use crate::simulation::observer::Glance;
use crate::simulation::threads::{for_cores, threads};
use hardgrain::CancelToken;
use hardgrain_io::record::write_whole;
use std::fs;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

/// The outcome of a run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum RunOutcome {
    /// It was finished before.
    Known,
    /// It is finished.
    Done,
    /// It failed, and why.
    Failed(String),
    /// Another program is running it.
    Busy,
    /// It was stopped and can be resumed.
    Stopped,
}

/// Runs waiting to be made.
pub struct RunQueue<'a> {
    /// Their study.
    pub study: &'a Study,
    /// Their numbers.
    pub runs: &'a [usize],
    /// Number of simultaneous runs.
    pub jobs: usize,
    /// Threads of each run.
    pub threads: usize,
    /// Watches them.
    pub watch: &'a dyn Progress,
    /// Stops them all.
    pub cancel: &'a CancelToken,
}

/// The number of simultaneous runs and of threads of each; 0 means one per core.
///
/// # Errors
/// When the machine has too few cores.
pub fn jobs_and_threads(jobs: usize, threads_per_run: usize) -> Result<(usize, usize), RunError> {
    Ok((for_cores(jobs, "runs at a time", "--jobs")?, threads(threads_per_run)?))
}

impl RunQueue<'_> {
    /// Makes the runs and returns their outcomes in order.
    pub fn go(&self) -> Vec<RunOutcome> {
        self.watch.begin(self.runs.len() as u64);
        let next = AtomicUsize::new(0);
        let one_after_the_other = || {
            let mut made = Vec::new();
            loop {
                let place = next.fetch_add(1, Ordering::Relaxed);
                let Some(&number) = self.runs.get(place) else { return made };
                let outcome = if self.cancel.is_cancelled() { RunOutcome::Stopped } else { self.one(number) };
                if let RunOutcome::Failed(why) = &outcome {
                    self.watch.note(&format!("{}: failed: {why}", self.study.name(number)));
                }
                self.watch.advance();
                made.push((place, outcome));
            }
        };
        let mut made: Vec<(usize, RunOutcome)> = thread::scope(|scope| {
            let workers: Vec<_> =
                (0..self.jobs.clamp(1, self.runs.len().max(1))).map(|_| scope.spawn(one_after_the_other)).collect();
            workers.into_iter().flat_map(|worker| worker.join().expect("failures of runs are caught")).collect()
        });
        made.sort_unstable_by_key(|(place, _)| *place);
        made.into_iter().map(|(_, outcome)| outcome).collect()
    }

    fn one(&self, number: usize) -> RunOutcome {
        let folder = self.study.run_folder(number);
        if summary_in(&folder).is_some() {
            return RunOutcome::Known;
        }
        // A damaged summary is written again, from the last checkpoint.
        drop(fs::remove_file(folder.join(SUMMARY)));
        let outcome = catch_unwind(AssertUnwindSafe(|| self.make(number, &folder))).unwrap_or_else(|panic| {
            let said = panic.downcast_ref::<String>().map(String::as_str).or(panic.downcast_ref::<&str>().copied());
            RunOutcome::Failed(format!("it broke: {}", said.unwrap_or("nobody knows why")))
        });
        // A failure that cannot be written down is still returned.
        match &outcome {
            RunOutcome::Failed(why) => drop(note(&folder, why)),
            RunOutcome::Done => drop(fs::remove_file(folder.join(FAILURE))),
            _ => {}
        }
        outcome
    }

    fn make(&self, number: usize, folder: &Path) -> RunOutcome {
        let begun = folder.join(SCENE).exists() && folder.join(LOCK).exists();
        let run = if begun {
            resume(folder, false, self.threads)
        } else {
            let scene = self.study.scene(number);
            scene.and_then(|scene| Ok(Resumed::Run(Box::new(start(&scene, folder, false, self.threads)?))))
        };
        let mut show = |glance: &Glance<'_>| {
            self.watch.doing(&|| format!("{}, {}: step {}", self.study.name(number), glance.stage, glance.step));
        };
        let finish = run.and_then(|run| match run {
            Resumed::Run(run) => run.cancelled_by(self.cancel).go(&mut show).map(Some),
            Resumed::Over(_) => Ok(None),
        });
        match finish {
            Ok(Some(Finish::Over(_)) | None) => RunOutcome::Done,
            Ok(Some(Finish::Stopped { .. })) => RunOutcome::Stopped,
            Err(RunError::Busy(_)) => RunOutcome::Busy,
            // Messages do not depend on the place of the study.
            Err(error) => RunOutcome::Failed(
                error.to_string().replace(&shown(folder), &format!("{RUNS}/{}", self.study.name(number))),
            ),
        }
    }
}

/// Writes down why a run failed.
fn note(folder: &Path, why: &str) -> Result<(), RunError> {
    fs::create_dir_all(folder)
        .map_err(|error| RunError::Input(format!("{} cannot be made: {error}", shown(folder))))?;
    Ok(write_whole(&folder.join(FAILURE), format!("{why}\n").as_bytes(), true)?)
}
