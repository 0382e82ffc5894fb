//! A run in a folder: makes its steps, writes records and saves checkpoints.

use super::checkpoint::{FileLengths, RunCheckpoint};
use super::records::Records;
use super::summary::Summary;
use super::{RunFolder, SUMMARY};
use crate::error::RunError;
use crate::problems::{missed_problems, problem_name, save, unmade_problems};
use crate::simulation::observer::Observer;
use crate::simulation::{MadeStep, Simulation};
use hardgrain::{CancelToken, Dimension};
use hardgrain_io::PackingState;
use hardgrain_io::record::write_whole;
use hardgrain_io::scene::Scene;
use std::time::{Duration, Instant};

/// Time between checkpoints where the scene gives no interval.
const CHECKPOINT_AFTER: Duration = Duration::from_secs(30);

/// Time between flushes of series.csv, so that others can follow.
const FLUSH_AFTER: Duration = Duration::from_secs(1);

/// A run that is ready to make steps.
pub struct Run {
    steps: Box<dyn Steps>,
    save_problems: Vec<u64>,
}

/// A simulation and the folder it writes to, before the records are opened.
pub(super) struct Ready<D: Dimension> {
    pub simulation: Simulation<D>,
    pub folder: RunFolder,
    /// Lengths of the records in a checkpoint; none at the very start.
    pub lengths: Option<FileLengths>,
}

/// A run of any dimension.
trait Steps {
    fn scene(&self) -> &Scene;
    fn step(&self) -> u64;
    fn cancelled_by(self: Box<Self>, token: &CancelToken) -> Box<dyn Steps>;
    fn go(self: Box<Self>, save_problems: &[u64], observer: &mut dyn Observer) -> Result<Finish, RunError>;
}

impl<D: Dimension> Steps for Ready<D> {
    fn scene(&self) -> &Scene {
        &self.simulation.scene
    }

    fn step(&self) -> u64 {
        self.simulation.progress.totals.steps
    }

    fn cancelled_by(self: Box<Self>, token: &CancelToken) -> Box<dyn Steps> {
        let Self { simulation, folder, lengths } = *self;
        Box::new(Self { simulation: simulation.cancelled_by(token), folder, lengths })
    }

    fn go(self: Box<Self>, save_problems: &[u64], observer: &mut dyn Observer) -> Result<Finish, RunError> {
        Stepping::prepare(*self, save_problems)?.go(observer)
    }
}

/// How a sitting ended.
#[derive(Clone, Debug)]
pub enum Finish {
    /// The run is finished.
    Over(Box<Summary>),
    /// It was stopped after this step; a checkpoint is written.
    Stopped {
        /// The step.
        step: u64,
    },
}

impl Run {
    pub(super) fn new<D: Dimension>(ready: Ready<D>) -> Self {
        Self { steps: Box::new(ready), save_problems: Vec::new() }
    }

    /// The scene that is run.
    pub fn scene(&self) -> &Scene {
        self.steps.scene()
    }

    /// The step after which it continues.
    pub fn step(&self) -> u64 {
        self.steps.step()
    }

    /// Also writes the contact problems of these steps, as `problem_STEP.mtx` in the folder of the run; see
    /// [`check_problems`](crate::check_problems).
    #[must_use]
    pub fn save_problems(self, steps: &[u64]) -> Self {
        Self { save_problems: steps.to_vec(), ..self }
    }

    /// Stops when this token is cancelled: a step under way ends within a fraction of a second, and a checkpoint is written.
    #[must_use]
    pub fn cancelled_by(self, token: &CancelToken) -> Self {
        Self { steps: self.steps.cancelled_by(token), ..self }
    }

    /// Makes all steps.
    ///
    /// # Errors
    /// When grains cannot be placed, a step fails or a file cannot be written. The last checkpoint is then still there.
    pub fn go(self, observer: &mut dyn Observer) -> Result<Finish, RunError> {
        self.steps.go(&self.save_problems, observer)
    }
}

/// A run in progress.
struct Stepping<'a, D: Dimension> {
    simulation: Simulation<D>,
    folder: RunFolder,
    records: Records<D>,
    clock: RunClock,
    save_problems: &'a [u64],
}

/// Times of the last actions.
struct RunClock {
    // Start of this sitting, and the seconds of earlier ones.
    began: Instant,
    earlier: f64,
    saved: Instant,
    flushed: Instant,
}

impl<'a, D: Dimension> Stepping<'a, D> {
    /// Opens the records.
    fn prepare(ready: Ready<D>, save_problems: &'a [u64]) -> Result<Self, RunError> {
        let began = Instant::now();
        let Ready { simulation, folder, lengths } = ready;
        let plan = &simulation.scene.record;
        // A file that cannot be continued is found before anything is removed.
        let records = Records::new(&folder, plan.clone(), lengths, simulation.threads.count())?;
        if lengths.is_some() {
            folder.clear_after(simulation.packing.step, plan.frames)?;
        }
        let clock = RunClock { began, earlier: simulation.progress.wall_time, saved: began, flushed: began };
        let mut stepping = Self { simulation, folder, records, clock, save_problems };
        if lengths.is_none() {
            // The initial state is recorded and saved, too.
            stepping.record(None)?;
            stepping.save()?;
        }
        Ok(stepping)
    }

    /// Runs all stages that are left, on the threads of the run.
    fn go(self, observer: &mut dyn Observer) -> Result<Finish, RunError> {
        let threads = self.simulation.threads.clone();
        threads.within(|| self.through(observer))
    }

    fn through(mut self, observer: &mut dyn Observer) -> Result<Finish, RunError> {
        for missed in missed_problems(&self.folder.path, self.save_problems, self.simulation.packing.step) {
            observer.note(&missed);
        }
        while self.simulation.progress.ended.is_none() {
            let made = match self.simulation.advance() {
                Ok(Some(made)) => made,
                Ok(None) => break,
                Err(error) if error.is_cancelled() => return self.stopped(),
                Err(error) => return Err(error.into()),
            };
            self.record(Some(&made))?;
            if self.save_problems.contains(&self.simulation.packing.step) {
                self.save_problem(observer)?;
            }
            observer.observe(&self.simulation.glance(&made));
            self.simulation.conclude(&made);
            if self.due() {
                self.save()?;
            }
            if observer.stop() && self.simulation.progress.ended.is_none() {
                return self.stopped();
            }
        }
        self.save()?;
        for unmade in unmade_problems(self.save_problems, self.simulation.packing.step) {
            observer.note(&unmade);
        }
        let summary = Summary::from_simulation(&self.simulation, self.clock.seconds());
        if self.simulation.is_cancelled() {
            // The report is not complete; resuming makes it again.
            return self.stopped();
        }
        // Includes the time for the report.
        let summary = Summary { wall_time: self.clock.seconds(), ..summary };
        let text = serde_json::to_string_pretty(&summary).expect("a summary has plain keys") + "\n";
        write_whole(&self.folder.file(SUMMARY), text.as_bytes(), true)?;
        Ok(Finish::Over(Box::new(summary)))
    }

    fn stopped(&mut self) -> Result<Finish, RunError> {
        self.save()?;
        Ok(Finish::Stopped { step: self.simulation.packing.step })
    }

    /// Writes the contact problem of the current step.
    fn save_problem(&self, observer: &mut dyn Observer) -> Result<(), RunError> {
        let step = self.simulation.packing.step;
        let path = self.folder.file(&problem_name(step));
        let saved = self.simulation.problem().map_or(Ok(false), |problem| save(problem, &path))?;
        let note = if saved {
            format!("wrote the contact problem of step {step}: {}", path.display())
        } else {
            format!("step {step} has no contact problem: nothing touches, or its grains are soft")
        };
        observer.note(&note);
        Ok(())
    }

    /// Writes the records that are due, and measures the time this takes.
    fn record(&mut self, made: Option<&MadeStep>) -> Result<(), RunError> {
        let began = Instant::now();
        self.records.write(&self.simulation.view(made))?;
        if self.clock.flushed.elapsed() > FLUSH_AFTER {
            self.records.flush()?;
            self.clock.flushed = Instant::now();
        }
        self.simulation.progress.record_time += began.elapsed().as_secs_f64();
        Ok(())
    }

    fn due(&self) -> bool {
        match self.simulation.scene.record.checkpoint {
            Some(every) => self.simulation.packing.step.is_multiple_of(every),
            None => self.clock.saved.elapsed() > CHECKPOINT_AFTER,
        }
    }

    /// Writes a checkpoint, after syncing the files whose lengths it holds.
    fn save(&mut self) -> Result<(), RunError> {
        let began = Instant::now();
        let lengths = self.records.sync()?;
        self.simulation.progress.record_bytes += std::mem::take(&mut self.records.frame_bytes);
        self.simulation.progress.wall_time = self.clock.seconds();
        let saved = RunCheckpoint {
            packing: PackingState::from_packing(&self.simulation.packing),
            progress: self.simulation.progress.clone(),
            lengths,
        };
        saved.write(&self.folder.path, &self.simulation.scene)?;
        self.simulation.progress.record_time += began.elapsed().as_secs_f64();
        self.clock.saved = Instant::now();
        Ok(())
    }
}

impl RunClock {
    /// Seconds of all sittings.
    fn seconds(&self) -> f64 {
        self.earlier + self.began.elapsed().as_secs_f64()
    }
}
