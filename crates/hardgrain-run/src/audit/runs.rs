//! The runs of an audit: the same stages at several levels of accuracy from the same state, in memory.

use super::plan::{LEVELS, RefinedBy};
use crate::error::RunError;
use crate::progress::Progress;
use crate::simulation::columns::StepView;
use crate::simulation::progress::{Ending, RunProgress};
use crate::simulation::{MadeStep, Simulation};
use hardgrain::{Dimension, Packing};
use hardgrain_io::scene::{Column, Scene, SolverKind, StageEnd, StagePlan};
use rayon::iter::{IndexedParallelIterator, IntoParallelIterator, ParallelIterator};

/// Steps between two reports of progress.
const REPORT_INTERVAL: u64 = 50;

/// Largest number of sweeps of the rigid solver in a step.
const MAX_SWEEPS: u32 = 20_000;

/// Tolerance of the rigid solver.
const TOLERANCE: f64 = 1e-8;

/// Columns over time; the first row is the initial state, the same at all levels.
#[derive(Clone, Debug, Default)]
pub(super) struct Traces {
    /// Time between rows.
    pub step: f64,
    /// By columns, then by rows.
    pub columns: Vec<Vec<f64>>,
    /// Steps made, and those that missed their tolerance.
    pub steps: u64,
    pub missed: u64,
    /// Whether every stage that asks for rest reached it.
    pub at_rest: bool,
}

/// The accuracy of a run.
#[derive(Clone, Copy, Debug)]
pub(super) enum Level {
    /// Finer by a factor of two for each level.
    Finer(u32),
    /// With the rigid solver.
    Rigid,
}

/// The settings shared by all runs of an audit.
pub(super) struct AuditRuns<'a> {
    pub by: RefinedBy,
    /// The first stage whose numerics are varied.
    pub from: usize,
    pub columns: &'a [Column],
    /// Steps of the scene between rows.
    pub every: u64,
    pub watch: &'a dyn Progress,
}

impl AuditRuns<'_> {
    /// Runs the stages before the first varied one.
    pub(super) fn prepared<D: Dimension>(&self, scene: &Scene) -> Result<Packing<D>, RunError> {
        let mut simulation = Simulation::<D>::new(scene.clone())?;
        let before = |progress: &RunProgress| progress.stage < self.from;
        simulation.run_while(before, |simulation, made| self.doing(simulation, made))?;
        match &simulation.progress.ended {
            Some(Ending::NotAtRest(stage)) => Err(RunError::Input(format!(
                "with seed {} the stage `{stage}` does not come to rest, so there is no state to start from",
                scene.seed
            ))),
            _ => Ok(simulation.packing),
        }
    }

    /// Runs the varied stages from this state.
    pub(super) fn run<D: Dimension>(
        &self,
        scene: &Scene,
        level: Level,
        packing: Packing<D>,
    ) -> Result<Traces, RunError> {
        let scene = varied(scene, self.from, self.by, level);
        let every = match (self.by, level) {
            (RefinedBy::Step, Level::Finer(level)) => self.every << level,
            _ => self.every,
        };
        let progress = RunProgress { stage: self.from, ..RunProgress::default() };
        let mut simulation = Simulation::at(scene, packing, progress);
        let mut traces = Traces { columns: vec![Vec::new(); self.columns.len()], ..Traces::default() };
        traces.add(self.columns, &simulation.view(None));
        let began = simulation.packing.time;
        let see = |simulation: &Simulation<D>, made: &MadeStep| {
            traces.steps += 1;
            traces.missed += u64::from(made.report.converged() == Some(false));
            if traces.steps.is_multiple_of(every) {
                traces.add(self.columns, &simulation.view(Some(made)));
                if traces.steps == every {
                    traces.step = simulation.packing.time - began;
                }
            }
            self.doing(simulation, made);
        };
        simulation.run_while(|_| true, see)?;
        traces.at_rest = simulation.progress.stages.iter().all(|stage| stage.at_rest != Some(false));
        Ok(traces)
    }

    fn doing<D: Dimension>(&self, simulation: &Simulation<D>, made: &MadeStep) {
        let (scene, step) = (&simulation.scene, simulation.packing.step);
        if step.is_multiple_of(REPORT_INTERVAL) {
            let stage = &scene.stages[made.stage].name;
            self.watch.doing(&|| format!("seed {}, {stage}: step {step}", scene.seed));
        }
    }
}

impl Traces {
    fn add<D: Dimension>(&mut self, columns: &[Column], seen: &StepView<'_, D>) {
        for (own, column) in self.columns.iter_mut().zip(columns) {
            own.push(seen.value(&column.quantity).unwrap_or(f64::NAN));
        }
    }
}

/// The scene with other numerics from a stage on.
fn varied(scene: &Scene, from: usize, by: RefinedBy, level: Level) -> Scene {
    let mut scene = scene.clone();
    for stage in &mut scene.stages[from..] {
        match level {
            Level::Finer(level) => refine(stage, by, 1 << level),
            Level::Rigid => {
                let solver = &mut stage.numerics.solver;
                (solver.kind, solver.warm) = (SolverKind::Rigid { tolerance: TOLERANCE, max_sweeps: MAX_SWEEPS }, true);
            }
        }
    }
    scene
}

fn refine(stage: &mut StagePlan, by: RefinedBy, factor: u32) {
    match by {
        RefinedBy::Sweeps => {
            if let Some(sweeps) = stage.numerics.solver.kind.fixed_sweeps_mut() {
                *sweeps = sweeps.saturating_mul(factor);
            }
        }
        RefinedBy::Step => {
            stage.numerics.step /= f64::from(factor);
            match &mut stage.end {
                StageEnd::Steps(steps) => *steps *= u64::from(factor),
                StageEnd::AtRest { max_steps, stop_after, .. } => {
                    *max_steps = max_steps.saturating_mul(factor.into());
                    *stop_after = stop_after.map(|steps| steps.saturating_mul(factor.into()));
                }
            }
        }
    }
}

/// The default: sweeps where all varied stages make a fixed number of them, else the step.
pub(super) fn default_refinement(scene: &Scene, from: usize) -> RefinedBy {
    let counts = |stage: &StagePlan| stage.numerics.solver.kind.fixed_sweeps().is_some();
    if scene.stages[from..].iter().all(counts) { RefinedBy::Sweeps } else { RefinedBy::Step }
}

/// The sweeps or time steps of all levels, in the last stage.
pub(super) fn levels(scene: &Scene, by: RefinedBy) -> [f64; LEVELS] {
    let numerics = scene.stages.last().expect("at least one").numerics;
    let factors = std::array::from_fn(|level| f64::from(1_u32 << level));
    match by {
        RefinedBy::Step => factors.map(|factor| numerics.step / factor),
        RefinedBy::Sweeps => {
            let sweeps = numerics.solver.kind.fixed_sweeps().map_or(f64::NAN, f64::from);
            factors.map(|factor| sweeps * factor)
        }
    }
}

/// Runs all in parallel, and tells of each that is done; the results are in order, and the first error in that order is returned.
pub(super) fn in_parallel<R: Send>(
    count: usize,
    watch: &dyn Progress,
    run: impl Fn(usize) -> Result<R, RunError> + Sync + Send,
) -> Result<Vec<R>, RunError> {
    let done = |number| run(number).inspect(|_| watch.advance());
    let each = (0..count).into_par_iter().with_max_len(1).map(done);
    each.collect::<Vec<_>>().into_iter().collect()
}
