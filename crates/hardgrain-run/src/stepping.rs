//! The steps of a run, stage by stage.

use crate::columns::Seen;
use crate::drive::{Drive, begin};
use crate::error::RunError;
use crate::folder::{Folder, SUMMARY};
use crate::progress::{Ending, Progress, Saved, StageDone};
use crate::records::Records;
use crate::rest::{Balance, stop_rattlers};
use crate::run::{Finish, From, Glance, Observer, Run};
use crate::summary::Summary;
use hardgrain::{ContactDynamics, Dimension, Engine, GaussSeidel, Line, Packing, Pooling, StepReport};
use hardgrain_io::record::write_whole;
use hardgrain_io::scene::{CALM, End, Numerics, Scene, Stage, Way};
use hardgrain_io::{State, checkpoint};
use std::time::{Duration, Instant};

/// Without a plan for checkpoints there is one by the clock.
const CHECKPOINT_AFTER: Duration = Duration::from_secs(30);

/// How often rows are handed to the system, so that others can follow.
const FLUSH_AFTER: Duration = Duration::from_secs(1);

/// A run that makes steps.
pub(crate) struct Stepping<'a, D: Dimension> {
    make: Make<D>,
    scene: &'a Scene,
    folder: &'a Folder,
    threads: usize,
    packing: Packing<D>,
    progress: Progress,
    records: Records<'a, D>,
    balance: Balance<D>,
    diameter: f64,
    clock: Clock,
}

/// When things were done last.
struct Clock {
    // Of this sitting, with the seconds of earlier ones.
    began: Instant,
    earlier: f64,
    saved: Instant,
    flushed: Instant,
}

/// How a stage went on after a step.
enum Next {
    Step,
    Stage,
    End(Ending),
}

impl<'a, D: Dimension> Stepping<'a, D> {
    /// Places the grains, or takes them from the checkpoint.
    pub(crate) fn prepare(run: &'a Run, make: Make<D>) -> Result<Self, RunError> {
        let Run { scene, folder, threads, from } = run;
        let began = Instant::now();
        let packing = |state: &State| {
            let damaged = || RunError::Input("the checkpoint does not fit the scene".into());
            let packing = state.packing::<D>().ok_or_else(damaged)?;
            let counts = [packing.grains.len(), packing.walls.len(), packing.pistons.len()];
            let expected = [scene.grain_count(), scene.walls.len(), scene.pistons.len()];
            if counts == expected { Ok(packing) } else { Err(damaged()) }
        };
        let (packing, progress, records) = match from {
            From::Checkpoint(saved) => {
                let packing = packing(&saved.packing)?;
                let progress = Progress { resumed: saved.progress.resumed + 1, ..saved.progress.clone() };
                // What cannot be gone on with is found before anything is removed.
                let records = Records::new(folder, &scene.record, Some(saved.lengths), *threads)?;
                folder.clear_after(packing.step, scene.record.frames)?;
                (packing, progress, records)
            }
            From::Start(placed) => {
                (packing(placed)?, Progress::default(), Records::new(folder, &scene.record, None, *threads)?)
            }
        };
        let diameters = packing.grains.iter().fold(0.0, |sum, grain| sum + 2.0 * grain.radius);
        let diameter = diameters / packing.grains.len() as f64;
        let clock = Clock { began, earlier: progress.wall_time, saved: began, flushed: began };
        let (balance, threads) = (Balance::new(), *threads);
        let mut stepping = Self { make, scene, folder, threads, packing, progress, records, balance, diameter, clock };
        if let From::Start(_) = from {
            stepping.first()?;
        }
        Ok(stepping)
    }

    /// The state before the first step is written down, and saved.
    fn first(&mut self) -> Result<(), RunError> {
        let stage = &self.scene.stages[0];
        begin(self.scene, stage, &mut self.packing);
        Drive::new(self.scene, 0).apply(&mut self.packing, stage.numerics.step);
        self.record(None, None)?;
        self.save()
    }

    /// All stages that are left.
    pub(crate) fn go(mut self, observer: &mut dyn Observer) -> Result<Finish, RunError> {
        while self.progress.ended.is_none() {
            let Some(stage) = self.scene.stages.get(self.progress.stage) else {
                self.progress.ended = Some(Ending::Finished);
                break;
            };
            if self.stage(stage, observer)? {
                self.save()?;
                return Ok(Finish::Stopped { step: self.packing.step });
            }
        }
        self.save()?;
        let summary = self.summary();
        let text = serde_json::to_string_pretty(&summary).expect("a summary has plain keys") + "\n";
        write_whole(&self.folder.file(SUMMARY), text.as_bytes(), true)?;
        Ok(Finish::Over(Box::new(summary)))
    }

    /// One stage, from where it is to its end; says whether the run was stopped on the way.
    fn stage(&mut self, stage: &Stage, observer: &mut dyn Observer) -> Result<bool, RunError> {
        if self.progress.stage_steps == 0 {
            begin(self.scene, stage, &mut self.packing);
        }
        let drive = Drive::new(self.scene, self.progress.stage);
        let mut engine = engine(self.make, &stage.numerics, self.scene.seed);
        let watches = matches!(stage.end, End::AtRest { .. }) || Records::<D>::wants_balance(&self.scene.record);
        loop {
            let (report, unbalanced) = self.step(&mut *engine, &drive, stage.numerics.step, watches)?;
            self.record(Some(&report), unbalanced)?;
            observer.look(&self.glance(stage, &report, unbalanced));
            let next = self.next(stage, unbalanced);
            let over = !matches!(next, Next::Step);
            if let Next::End(ending) = next {
                self.progress.ended = Some(ending);
            }
            if self.due() {
                self.save()?;
            }
            if observer.stop() && self.progress.ended.is_none() {
                return Ok(true);
            }
            if over {
                return Ok(false);
            }
        }
    }

    fn step(
        &mut self,
        engine: &mut dyn Engine<D>,
        drive: &Drive,
        step: f64,
        watches: bool,
    ) -> Result<(StepReport, Option<f64>), RunError> {
        drive.apply(&mut self.packing, step);
        if watches {
            self.balance.before(&self.packing);
        }
        let report = engine.step(&mut self.packing)?;
        self.progress.stage_steps += 1;
        self.progress.totals.add(&report);
        let unbalanced = if watches { self.balance.after(&self.packing, step) } else { None };
        Ok((report, unbalanced))
    }

    /// Whether the stage is over, and how.
    fn next(&mut self, stage: &Stage, unbalanced: Option<f64>) -> Next {
        let steps = self.progress.stage_steps;
        match stage.end {
            End::Steps(most) if steps < most => Next::Step,
            End::Steps(_) => self.done(stage, None, None),
            End::AtRest { limit, max_steps } => {
                let calm = unbalanced.is_some_and(|force| force < limit);
                self.progress.calm = if calm { self.progress.calm + 1 } else { 0 };
                if self.progress.calm >= CALM {
                    return self.done(stage, Some(true), unbalanced);
                }
                if steps < max_steps {
                    return Next::Step;
                }
                self.done(stage, Some(false), unbalanced);
                Next::End(Ending::NotAtRest(stage.name.clone()))
            }
        }
    }

    /// Ends a stage.
    fn done(&mut self, stage: &Stage, at_rest: Option<bool>, unbalanced: Option<f64>) -> Next {
        let rattlers_stopped = if at_rest == Some(true) { stop_rattlers(&mut self.packing) } else { 0 };
        let (name, steps) = (stage.name.clone(), self.progress.stage_steps);
        self.progress.stages.push(StageDone { name, steps, at_rest, unbalanced, rattlers_stopped });
        self.progress.stage += 1;
        (self.progress.stage_steps, self.progress.calm) = (0, 0);
        Next::Stage
    }

    fn glance<'b>(&self, stage: &'b Stage, report: &StepReport, unbalanced: Option<f64>) -> Glance<'b> {
        let later = self.scene.stages.iter().skip(self.progress.stage + 1).map(|stage| stage.end.most_steps());
        let most = stage.end.most_steps();
        let left = most.saturating_sub(self.progress.stage_steps);
        Glance {
            stage: &stage.name,
            step: self.packing.step,
            stage_steps: (self.progress.stage_steps, most),
            steps_left: later.fold(left, u64::saturating_add),
            contacts: report.contacts,
            residual: report.residual,
            overlap: report.overlap_max / self.diameter,
            unbalanced,
        }
    }

    /// Writes down what is due, and keeps the time it takes.
    fn record(&mut self, report: Option<&StepReport>, unbalanced: Option<f64>) -> Result<(), RunError> {
        let began = Instant::now();
        // The stage to which the step belongs is the present one: it ends only after this.
        let stage = self.scene.stages.get(self.progress.stage).map_or("", |stage| stage.name.as_str());
        let seen = Seen { packing: &self.packing, report, stage, unbalanced };
        self.records.write(&seen)?;
        if self.clock.flushed.elapsed() > FLUSH_AFTER {
            self.records.flush()?;
            self.clock.flushed = Instant::now();
        }
        self.progress.record_time += began.elapsed().as_secs_f64();
        Ok(())
    }

    fn due(&self) -> bool {
        match self.scene.record.checkpoint {
            Some(every) => self.packing.step.is_multiple_of(every),
            None => self.clock.saved.elapsed() > CHECKPOINT_AFTER,
        }
    }

    /// Writes a checkpoint: first everything that it counts on.
    fn save(&mut self) -> Result<(), RunError> {
        let began = Instant::now();
        let lengths = self.records.sync()?;
        self.progress.record_bytes += std::mem::take(&mut self.records.frame_bytes);
        self.progress.wall_time = self.clock.earlier + self.clock.began.elapsed().as_secs_f64();
        let saved = Saved { packing: State::of(&self.packing), progress: self.progress.clone(), lengths };
        checkpoint::write(&self.folder.path, self.scene.hash(), &saved)?;
        self.progress.record_time += began.elapsed().as_secs_f64();
        self.clock.saved = Instant::now();
        Ok(())
    }

    fn summary(&self) -> Summary {
        let wall_time = self.clock.earlier + self.clock.began.elapsed().as_secs_f64();
        Summary::of(self.scene, &self.packing, &self.progress, self.threads, wall_time)
    }
}

/// Makes an engine for a step of this length and this way of solving.
pub(crate) type Make<D> = fn(f64, Way) -> ContactDynamics<D>;

/// Sweeps, in any dimension.
pub(crate) fn sweeping<D: Dimension>(step: f64, way: Way) -> ContactDynamics<D> {
    match way {
        Way::GaussSeidel(order, stop) => ContactDynamics::new(step, GaussSeidel::new(order, stop)),
        Way::Pooling => unreachable!("a scene that pools off the line is refused"),
    }
}

/// On a line there is an exact solver as well.
pub(crate) fn on_line(step: f64, way: Way) -> ContactDynamics<Line> {
    match way {
        Way::Pooling => ContactDynamics::new(step, Pooling),
        sweeps @ Way::GaussSeidel(..) => sweeping(step, sweeps),
    }
}

/// The engine of a stage.
fn engine<D: Dimension>(make: Make<D>, numerics: &Numerics, seed: u64) -> Box<dyn Engine<D>> {
    let mut engine = make(numerics.step, numerics.solver.way).seed(seed).shock(numerics.solver.shock);
    engine.warm_start = numerics.solver.warm;
    engine.rest_speed = numerics.rest_speed;
    Box::new(engine)
}
