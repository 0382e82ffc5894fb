//! A run in a folder: makes its steps, writes records and saves checkpoints.

use super::checkpoint::{FileLengths, RunCheckpoint};
use super::records::Records;
use super::summary::Summary;
use super::{RunFolder, SUMMARY};
use crate::error::RunError;
use crate::problems::{missed_problems, problem_name, save, unmade_problems};
use crate::simulation::observer::Observer;
use crate::simulation::progress::RunProgress;
use crate::simulation::soft::placed;
use crate::simulation::{MadeStep, Simulation};
use hardgrain::{Dimension, Packing};
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
    pub(crate) scene: Scene,
    pub(crate) folder: RunFolder,
    pub(crate) threads: usize,
    pub(crate) from: StartingPoint,
    pub(crate) save_problems: Vec<u64>,
}

/// The state from which a run starts.
pub(crate) struct StartingPoint {
    pub packing: PackingState,
    pub progress: RunProgress,
    /// Lengths of the records in a checkpoint; none at the very start.
    pub lengths: Option<FileLengths>,
}

impl StartingPoint {
    /// The initial packing of a scene.
    pub(crate) fn placed(scene: &Scene) -> Result<Self, RunError> {
        let packing = in_dimension!(scene, D => PackingState::from_packing(&placed::<D>(scene)?));
        Ok(Self { packing, progress: RunProgress::default(), lengths: None })
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
    /// The scene that is run.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The step after which it continues.
    pub fn step(&self) -> u64 {
        self.from.progress.totals.steps
    }

    /// Also writes the contact problems of these steps, as `problem_STEP.mtx` in the folder of the run; see
    /// [`check_problems`](crate::check_problems).
    #[must_use]
    pub fn save_problems(self, steps: &[u64]) -> Self {
        Self { save_problems: steps.to_vec(), ..self }
    }

    /// Makes all steps.
    ///
    /// # Errors
    /// When grains cannot be placed, a step fails or a file cannot be written. The last checkpoint is then still there.
    pub fn go(self, observer: &mut dyn Observer) -> Result<Finish, RunError> {
        in_dimension!(self.scene, D => Stepping::<D>::prepare(&self)?.go(observer))
    }
}

/// A run in progress.
pub(crate) struct Stepping<'a, D: Dimension> {
    simulation: Simulation<'a, D>,
    folder: &'a RunFolder,
    records: Records<'a, D>,
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
    /// Takes the packing from the scene or from the checkpoint, and opens the records.
    pub(crate) fn prepare(run: &'a Run) -> Result<Self, RunError> {
        let Run { scene, folder, threads, from, save_problems } = run;
        let began = Instant::now();
        let expected = [scene.grain_count(), scene.walls.len(), scene.pistons.len()];
        let fits =
            |packing: &Packing<D>| [packing.grains.len(), packing.walls.len(), packing.pistons.len()] == expected;
        let packing = from.packing.packing::<D>().filter(fits);
        let packing = packing.ok_or_else(|| RunError::Input("the checkpoint does not fit the scene".into()))?;
        // A file that cannot be continued is found before anything is removed.
        let records = Records::new(folder, &scene.record, from.lengths, *threads)?;
        if from.lengths.is_some() {
            folder.clear_after(packing.step, scene.record.frames)?;
        }
        let clock = RunClock { began, earlier: from.progress.wall_time, saved: began, flushed: began };
        let simulation = Simulation::new(scene, *threads, packing, from.progress.clone());
        let mut stepping = Self { simulation, folder, records, clock, save_problems };
        if from.lengths.is_none() {
            // The initial state is recorded and saved, too.
            stepping.simulation.first();
            stepping.record(None)?;
            stepping.save()?;
        }
        Ok(stepping)
    }

    /// Runs all stages that are left, on the threads of the run.
    pub(crate) fn go(self, observer: &mut dyn Observer) -> Result<Finish, RunError> {
        let threads = self.simulation.threads.clone();
        threads.within(|| self.through(observer))
    }

    fn through(mut self, observer: &mut dyn Observer) -> Result<Finish, RunError> {
        for missed in missed_problems(&self.folder.path, self.save_problems, self.simulation.packing.step) {
            observer.note(&missed);
        }
        while self.simulation.progress.ended.is_none() {
            let Some(made) = self.simulation.step()? else { break };
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
                self.save()?;
                return Ok(Finish::Stopped { step: self.simulation.packing.step });
            }
        }
        self.save()?;
        for unmade in unmade_problems(self.save_problems, self.simulation.packing.step) {
            observer.note(&unmade);
        }
        let summary = Summary::from_simulation(&self.simulation, self.clock.seconds());
        // Includes the time for the report.
        let summary = Summary { wall_time: self.clock.seconds(), ..summary };
        let text = serde_json::to_string_pretty(&summary).expect("a summary has plain keys") + "\n";
        write_whole(&self.folder.file(SUMMARY), text.as_bytes(), true)?;
        Ok(Finish::Over(Box::new(summary)))
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
    fn record(&mut self, made: Option<&MadeStep<'_>>) -> Result<(), RunError> {
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
        saved.write(&self.folder.path, self.simulation.scene)?;
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
