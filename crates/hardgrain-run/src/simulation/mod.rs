//! A simulation: a packing that steps through the stages of a scene, in memory. No file is read or written here unless asked for.

mod change;
pub(crate) mod columns;
pub(crate) mod contacts;
pub(crate) mod drive;
pub(crate) mod energy;
pub(crate) mod history;
pub(crate) mod observer;
pub(crate) mod progress;
mod rest;
mod run;
mod saved;
pub(crate) mod soft;
pub(crate) mod solvers;
mod stages;
pub(crate) mod threads;

pub use run::{Halt, Until};

use crate::error::RunError;
use crate::rigidity::{Rigidity, RunEnd};
use columns::{StepView, wants_balance};
use contacts::Contacts;
use drive::{Drive, Unbegun, begin};
use energy::{EnergyBalance, put_in};
use hardgrain::{CancelToken, Dimension, Engine, InputError, Packing, Part, Problem, StepError, StepReport, Threads};
use hardgrain_io::scene::{Numerics, Scene, SolverKind, StageEnd, StagePlan};
use hardgrain_rigid::Certificate;
use observer::Glance;
use progress::{Ending, RunProgress, StageDone, Totals};
use rest::Balance;
use soft::placed;
use solvers::engine;
use std::time::Instant;

/// A packing on its way through the stages of a scene, in memory. It owns all it needs, and the same scene always gives the same bits:
/// on any number of threads, in one go or in pieces, [saved](Self::save) and [loaded](Self::load) in between.
///
/// A packing made by hand, changed half-way, with a report on how rigid it was:
///
/// ```
/// use hardgrain::{Grain, Order, Packing, Plane, Stop, Wall};
/// use hardgrain_run::{Numerics, Simulation, SolverKind, Until, Unobserved};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut packing = Packing::<Plane>::new();
/// packing.gravity = [0.0, -1.0].into();
/// let floor = packing.labels.named("floor");
/// packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0]).label(floor))?;
/// for i in 0..10 {
///     packing.add(Grain::new([0.0, 0.5 + f64::from(i)], 0.5))?;
/// }
///
/// let sweeps = SolverKind::GaussSeidel(Order::RandomSweep, Stop::Sweeps(10));
/// let mut simulation = Simulation::from_packing(&packing, Numerics::new(0.01, sweeps))?;
/// simulation.run(Until::Steps(200), &mut Unobserved)?;
/// simulation.change(&["solver.sweeps=1000"])?;
/// simulation.run(Until::Steps(200), &mut Unobserved)?;
/// println!("{}", simulation.rigidity().verdict);
/// assert_eq!(simulation.packing().step, 400);
/// # Ok(()) }
/// ```
pub struct Simulation<D: Dimension> {
    pub(crate) scene: Scene,
    pub(crate) packing: Packing<D>,
    pub(crate) progress: RunProgress,
    pub(crate) threads: Threads,
    cancel: CancelToken,
    /// Mean diameter of the grains.
    diameter: f64,
    balance: Balance<D>,
    present: Option<CurrentStage<D>>,
    /// The last step of the present stage.
    last: Option<MadeStep>,
    /// The certificate of the last step of the last finished stage, if the rigid solver made it.
    certificate: Option<Certificate>,
    /// The step after which the packing was changed by hand for the first time.
    edited: Option<u64>,
    is_edited: bool,
    /// Seconds of steps in this sitting.
    seconds: f64,
}

/// The engine and the drive of the current stage.
struct CurrentStage<D: Dimension> {
    engine: Box<dyn Engine<D>>,
    drive: Drive<D>,
    watches: bool,
}

/// A step that was made.
#[derive(Clone, Copy, Debug)]
pub(crate) struct MadeStep {
    /// The number of its stage.
    pub stage: usize,
    pub report: StepReport,
    /// Largest unbalanced force over the mean contact force, where the stage or a column needs it.
    pub unbalanced: Option<f64>,
}

impl<D: Dimension> Simulation<D> {
    /// Places the grains of a scene, before the first step.
    ///
    /// # Errors
    /// When grains cannot be placed, or the scene has another dimension than `D`.
    pub fn new(scene: Scene) -> Result<Self, RunError> {
        if scene.dimension != D::AXES {
            let why = format!("this scene has dimension {}, not {}", scene.dimension, D::AXES);
            return Err(RunError::Input(why));
        }
        let packing = placed::<D>(&scene)?;
        let mut simulation = Self::at(scene, packing, RunProgress::default());
        simulation.first();
        Ok(simulation)
    }

    /// A simulation of a packing made by hand: one stage that goes on until it is stopped or changed. It begins at step 0 and time 0 with
    /// seed 0; for another seed make the [scene](Scene::from_packing) yourself. Grains, walls and pistons are named by their labels.
    ///
    /// # Errors
    /// When the packing or a setting is invalid.
    pub fn from_packing(packing: &Packing<D>, numerics: Numerics) -> Result<Self, RunError> {
        Self::new(Scene::from_packing(packing, &numerics, 0)?)
    }

    /// Goes on from this state.
    pub(crate) fn at(scene: Scene, packing: Packing<D>, progress: RunProgress) -> Self {
        Self {
            scene,
            diameter: mean_diameter(&packing),
            packing,
            progress,
            threads: Threads::default(),
            cancel: CancelToken::new(),
            balance: Balance::default(),
            present: None,
            last: None,
            certificate: None,
            edited: None,
            is_edited: false,
            seconds: 0.0,
        }
    }

    /// The same on this number of threads, which changes no bit; 0 means one for each core.
    ///
    /// # Errors
    /// When they are too many for this machine.
    pub fn threads(self, count: usize) -> Result<Self, RunError> {
        Ok(self.with_threads(threads::threads(count)?))
    }

    pub(crate) fn with_threads(self, count: usize) -> Self {
        let threads = Threads::new(count).cancelled_by(&self.cancel);
        Self { threads, present: None, ..self }
    }

    /// The same, cancelled by this token: a step under way ends within a fraction of a second and changes nothing.
    #[must_use]
    pub fn cancelled_by(self, token: &CancelToken) -> Self {
        Self { threads: self.threads.cancelled_by(token), cancel: token.clone(), present: None, ..self }
    }

    /// Applies the changes of the first stage, before its first step.
    fn first(&mut self) {
        let stage = &self.scene.stages[0];
        begin(&self.scene, stage, &mut self.packing);
        Drive::new(&self.scene, 0).apply(&mut self.packing, stage.numerics.step);
        self.progress.totals.energy = EnergyBalance::open(self.packing.kinetic_energy());
    }

    /// The effective scene: with all changes so far, each as a stage of its own.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// The packing.
    pub fn packing(&self) -> &Packing<D> {
        &self.packing
    }

    /// The packing, to be changed by hand between two steps. It is checked before the next one. From then on its [scene](Self::scene)
    /// alone no longer gives the same bits. Who removes grains must clear the [memory](Packing::memory) of contacts; pistons and walls must
    /// stay, and so must grains to which the scene refers: groups that turn, forces, columns.
    pub fn packing_mut(&mut self) -> &mut Packing<D> {
        self.edited.get_or_insert(self.packing.step);
        self.is_edited = true;
        &mut self.packing
    }

    /// The packing alone.
    pub fn into_packing(self) -> Packing<D> {
        self.packing
    }

    /// The step after which the packing was first changed by hand; `None` if the scene alone gives the same bits.
    pub fn edited_after(&self) -> Option<u64> {
        self.edited
    }

    /// The contact problem of the last step with its answer, if it solved one.
    pub fn problem(&self) -> Option<&Problem<D>> {
        self.present.as_ref()?.engine.problem()
    }

    /// The contacts that carry a load; none if parts were removed by hand and their contacts were not.
    pub fn contacts(&self) -> Contacts<D> {
        if remembers_its_parts(&self.packing).is_err() {
            return Contacts::default();
        }
        Contacts::from_packing(&self.packing)
    }

    /// The present stage; `None` after the last one.
    pub fn stage(&self) -> Option<&StagePlan> {
        self.scene.stages.get(self.progress.stage)
    }

    /// The finished stages.
    pub fn stages_done(&self) -> &[StageDone] {
        &self.progress.stages
    }

    /// Sums over all steps so far.
    pub fn totals(&self) -> &Totals {
        &self.progress.totals
    }

    /// How the simulation ended; `None` while it can make steps.
    pub fn ended(&self) -> Option<&Ending> {
        self.progress.ended.as_ref()
    }

    /// How rigid the grains are, judged by the steps so far. Other solvers are tried on a copy, which may take a second.
    pub fn rigidity(&self) -> Rigidity {
        let certificate = self.last.as_ref().map_or_else(|| self.certificate.clone(), |made| self.certify(made));
        Rigidity::at_end(&self.end(certificate.as_ref(), self.progress.wall_time + self.seconds))
    }

    /// What the report on rigidity is made from.
    fn end<'a>(&'a self, certificate: Option<&'a Certificate>, wall_time: f64) -> RunEnd<'a, D> {
        RunEnd {
            scene: &self.scene,
            packing: &self.packing,
            numerics: self.numerics(),
            totals: &self.progress.totals,
            certificate,
            wall_time,
            threads: Threads::default().cancelled_by(&self.cancel),
            begun: (self.progress.stages.len() + usize::from(self.progress.stage_steps > 0)).max(1),
            restless: self.restless(),
        }
    }

    /// Step and solver of the last step.
    fn numerics(&self) -> &Numerics {
        let RunProgress { stage, stage_steps, .. } = self.progress;
        let last = if stage_steps > 0 { stage } else { stage.saturating_sub(1) };
        let stage = self.scene.stages.get(last).or(self.scene.stages.last());
        &stage.expect("a scene has stages").numerics
    }

    /// Whether its token is cancelled.
    pub(crate) fn is_cancelled(&self) -> bool {
        self.cancel.is_cancelled()
    }

    /// The stage that did not come to rest and ended the run.
    pub(crate) fn restless(&self) -> Option<&str> {
        match &self.progress.ended {
            Some(Ending::NotAtRest(stage)) => Some(stage),
            _ => None,
        }
    }

    /// The report on rigidity at the end of a run that took this many seconds.
    pub(crate) fn rigidity_after(&self, wall_time: f64) -> Rigidity {
        Rigidity::at_end(&self.end(self.certificate.as_ref(), wall_time))
    }

    /// Makes one step. Returns its report, or `None` if all stages are done.
    ///
    /// # Errors
    /// When the packing is invalid, a number is no longer finite, or the step was cancelled: the packing is then as it was before.
    pub fn step(&mut self) -> Result<Option<StepReport>, StepError> {
        let made = self.advance()?;
        if let Some(made) = &made {
            self.conclude(made);
        }
        Ok(made.map(|made| made.report))
    }

    /// Makes one step of the current stage; none if all stages are done. Call [`conclude`](Self::conclude) afterwards.
    pub(crate) fn advance(&mut self) -> Result<Option<MadeStep>, StepError> {
        if self.progress.ended.is_some() {
            return Ok(None);
        }
        let began = Instant::now();
        self.check_edited()?;
        let Some(stage) = self.scene.stages.get(self.progress.stage) else {
            self.progress.ended = Some(Ending::Finished);
            return Ok(None);
        };
        let mut before = None;
        if self.progress.stage_steps == 0 {
            before = Some(Unbegun::take(stage, &self.packing, &self.progress.totals.energy));
            begin(&self.scene, stage, &mut self.packing);
            self.progress.totals.energy.set(self.packing.kinetic_energy());
        }
        let present = self.present.get_or_insert_with(|| CurrentStage {
            engine: match stage.numerics.solver.kind {
                SolverKind::Soft(plan) => {
                    Box::new(soft::engine(&self.scene, (stage.numerics.step, &plan), &self.packing, &self.threads))
                }
                _ => Box::new(engine(&stage.numerics, self.scene.seed, &self.threads)),
            },
            drive: Drive::new(&self.scene, self.progress.stage),
            watches: matches!(stage.end, StageEnd::AtRest { .. }) || wants_balance(&self.scene.record),
        });
        let step = stage.numerics.step;
        present.drive.apply(&mut self.packing, step);
        if present.watches {
            self.balance.before(&self.packing);
        }
        let report = match present.engine.step(&mut self.packing) {
            Ok(report) => report,
            Err(error) => {
                present.drive.undo(&mut self.packing);
                if let Some(before) = before {
                    before.put(&mut self.packing, &mut self.progress.totals.energy);
                }
                // Its problem is half solved.
                self.present = None;
                return Err(error);
            }
        };
        self.progress.stage_steps += 1;
        self.progress.totals.add(&report);
        let RunProgress { totals, history, .. } = &mut self.progress;
        totals.energy.step(put_in(&self.packing, step), report.kinetic_energy);
        history.add(&report, self.packing.time, &totals.energy);
        let unbalanced = if present.watches { self.balance.after(&self.packing, step) } else { None };
        let made = MadeStep { stage: self.progress.stage, report, unbalanced };
        self.last = Some(made);
        self.seconds += began.elapsed().as_secs_f64();
        Ok(Some(made))
    }

    /// Checks a packing that was changed by hand.
    fn check_edited(&mut self) -> Result<(), StepError> {
        if !self.is_edited {
            return Ok(());
        }
        let step = self.packing.step;
        let checked =
            self.packing.check().and_then(|()| remembers_its_parts(&self.packing)).and_then(|()| self.has_its_parts());
        checked.map_err(|error| StepError { step, failure: error.into() })?;
        self.diameter = mean_diameter(&self.packing);
        self.progress.totals.energy.set(self.packing.kinetic_energy());
        self.is_edited = false;
        Ok(())
    }

    /// Refuses a packing that lacks parts to which the scene refers.
    fn has_its_parts(&self) -> Result<(), InputError> {
        let (scene, packing) = (&self.scene, &self.packing);
        let named = !scene.start.as_ref().is_some_and(|start| start.is_whole) || scene.record.series.is_some();
        let needed = [
            ("number of grains", packing.grains.len(), if named { scene.grain_count() } else { 1 }),
            ("number of pistons", packing.pistons.len(), scene.pistons.len()),
            ("number of walls", packing.walls.len(), scene.walls.len()),
        ];
        match needed.into_iter().find(|(_, there, needed)| there < needed) {
            Some((what, there, _)) => Err(InputError::range(what, there as f64, "at least what the scene refers to")),
            None => Ok(()),
        }
    }

    /// The state for columns: after a step, or before the first one. A stage ends only after its last step is seen.
    pub(crate) fn view<'b>(&'b self, made: Option<&'b MadeStep>) -> StepView<'b, D> {
        let stage = self.scene.stages.get(self.progress.stage).map_or("", |stage| stage.name.as_str());
        let (report, unbalanced) = (made.map(|made| &made.report), made.and_then(|made| made.unbalanced));
        StepView { packing: &self.packing, report, stage, unbalanced }
    }

    /// What an observer sees of a step.
    pub(crate) fn glance<'b>(&'b self, made: &'b MadeStep) -> Glance<'b> {
        let Self { scene, packing, progress, .. } = self;
        let stage = &scene.stages[made.stage];
        let later = scene.stages.iter().skip(progress.stage + 1).map(|stage| stage.end.most_steps());
        let most = stage.end.most_steps();
        let left = most.saturating_sub(progress.stage_steps);
        Glance {
            stage: &stage.name,
            step: packing.step,
            stage_steps: (progress.stage_steps, most),
            steps_left: later.fold(left, u64::saturating_add),
            contacts: made.report.contacts,
            residual: made.report.residual,
            overlap: made.report.overlap_max / self.diameter,
            unbalanced: made.unbalanced,
            report: &made.report,
            packing,
        }
    }
}

/// Refuses contacts of parts that are gone.
fn remembers_its_parts<D: Dimension>(packing: &Packing<D>) -> Result<(), InputError> {
    let known = packing.memory.iter().flat_map(|known| [Part::Grain(known.identity.first), known.identity.second()]);
    let gone = known.into_iter().find_map(|part| match part {
        Part::Grain(number) => (number as usize >= packing.grains.len()).then_some(number),
        Part::Piston(number) => (number as usize >= packing.pistons.len()).then_some(number),
        Part::Wall(number) => (number as usize >= packing.walls.len()).then_some(number),
    });
    gone.map_or(Ok(()), |number| {
        let allowed = "the number of one that is there; clear the memory of contacts after removing parts";
        Err(InputError::range("part of a remembered contact", f64::from(number), allowed))
    })
}

fn mean_diameter<D: Dimension>(packing: &Packing<D>) -> f64 {
    packing.grains.iter().fold(0.0, |sum, grain| sum + 2.0 * grain.radius) / packing.grains.len() as f64
}
