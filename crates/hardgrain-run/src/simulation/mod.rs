//! A simulation: a packing that steps through the stages of a scene. No file is read or written here.

pub(crate) mod columns;
pub(crate) mod drive;
pub(crate) mod energy;
pub(crate) mod history;
pub(crate) mod in_memory;
pub(crate) mod observer;
pub(crate) mod progress;
mod rest;
pub(crate) mod soft;
pub(crate) mod solvers;
pub(crate) mod threads;

use columns::{StepView, wants_balance};
use drive::{Drive, begin};
use energy::{EnergyBalance, put_in};
use hardgrain::{Dimension, Engine, Packing, Problem, StepError, StepReport, Threads};
use hardgrain_io::scene::{REST_STEPS, Scene, SolverKind, StageEnd, StagePlan};
use hardgrain_rigid::Certificate;
use observer::Glance;
use progress::{Ending, RunProgress, StageDone};
use rest::{Balance, stop_all, stop_rattlers};
use solvers::engine;

/// A packing on its way through the stages of a scene.
pub(crate) struct Simulation<'a, D: Dimension> {
    pub scene: &'a Scene,
    pub packing: Packing<D>,
    pub progress: RunProgress,
    pub(crate) threads: Threads,
    /// Mean diameter of the grains.
    diameter: f64,
    balance: Balance<D>,
    present: Option<CurrentStage<D>>,
    /// Certificate of the last step of the last finished stage, if the rigid solver made it.
    pub certificate: Option<Certificate>,
}

/// The engine and the drive of the current stage.
struct CurrentStage<D: Dimension> {
    engine: Box<dyn Engine<D>>,
    drive: Drive,
    watches: bool,
}

/// Whether `steps` is `first` times a power of two.
fn stops(steps: u64, first: u64) -> bool {
    steps.is_multiple_of(first) && (steps / first).is_power_of_two()
}

/// A step that was made.
pub(crate) struct MadeStep<'a> {
    pub stage: &'a StagePlan,
    pub report: StepReport,
    /// Largest unbalanced force over the mean contact force, where the stage or a column needs it.
    pub unbalanced: Option<f64>,
}

impl<'a, D: Dimension> Simulation<'a, D> {
    /// Begins or continues a simulation. The number of threads changes no bit of the results.
    pub(crate) fn new(scene: &'a Scene, threads: usize, packing: Packing<D>, progress: RunProgress) -> Self {
        let diameters = packing.grains.iter().fold(0.0, |sum, grain| sum + 2.0 * grain.radius);
        let diameter = diameters / packing.grains.len() as f64;
        let (threads, balance) = (Threads::new(threads), Balance::default());
        Self { scene, packing, progress, threads, diameter, balance, present: None, certificate: None }
    }

    /// Applies the changes of the first stage, before its first step.
    pub(crate) fn first(&mut self) {
        let stage = &self.scene.stages[0];
        begin(self.scene, stage, &mut self.packing);
        Drive::new(self.scene, 0).apply(&mut self.packing, stage.numerics.step);
        self.progress.totals.energy = EnergyBalance::open(self.packing.kinetic_energy());
    }

    /// Makes one step of the current stage; none if all stages are done. Call [`conclude`](Self::conclude) afterwards.
    pub(crate) fn step(&mut self) -> Result<Option<MadeStep<'a>>, StepError> {
        let Some(stage) = self.scene.stages.get(self.progress.stage) else {
            self.progress.ended = Some(Ending::Finished);
            return Ok(None);
        };
        if self.progress.stage_steps == 0 {
            begin(self.scene, stage, &mut self.packing);
            self.progress.totals.energy.set(self.packing.kinetic_energy());
        }
        let present = self.present.get_or_insert_with(|| CurrentStage {
            engine: match stage.numerics.solver.kind {
                SolverKind::Soft(plan) => {
                    Box::new(soft::engine(self.scene, (stage.numerics.step, &plan), &self.packing, &self.threads))
                }
                _ => Box::new(engine(&stage.numerics, self.scene.seed, &self.threads)),
            },
            drive: Drive::new(self.scene, self.progress.stage),
            watches: matches!(stage.end, StageEnd::AtRest { .. }) || wants_balance(&self.scene.record),
        });
        let step = stage.numerics.step;
        present.drive.apply(&mut self.packing, step);
        if present.watches {
            self.balance.before(&self.packing);
        }
        let report = present.engine.step(&mut self.packing)?;
        self.progress.stage_steps += 1;
        self.progress.totals.add(&report);
        let RunProgress { totals, history, .. } = &mut self.progress;
        totals.energy.step(put_in(&self.packing, step), report.kinetic_energy);
        history.add(&report, self.packing.time, &totals.energy);
        let unbalanced = if present.watches { self.balance.after(&self.packing, step) } else { None };
        Ok(Some(MadeStep { stage, report, unbalanced }))
    }

    /// Makes steps until all stages are done, or until `wanted` is false. `see` is shown each of them before its stage may end.
    pub(crate) fn run(
        &mut self,
        wanted: impl Fn(&RunProgress) -> bool,
        mut see: impl FnMut(&Self, &MadeStep<'a>),
    ) -> Result<(), StepError> {
        while self.progress.ended.is_none() && wanted(&self.progress) {
            let Some(made) = self.step()? else { break };
            see(self, &made);
            self.conclude(&made);
        }
        Ok(())
    }

    /// The state for columns: after a step, or before the first one. A stage ends only after its last step is seen.
    pub(crate) fn view<'b>(&'b self, made: Option<&'b MadeStep<'_>>) -> StepView<'b, D> {
        let stage = self.scene.stages.get(self.progress.stage).map_or("", |stage| stage.name.as_str());
        let (report, unbalanced) = (made.map(|made| &made.report), made.and_then(|made| made.unbalanced));
        StepView { packing: &self.packing, report, stage, unbalanced }
    }

    /// What an observer sees of a step.
    pub(crate) fn glance<'b>(&self, made: &MadeStep<'b>) -> Glance<'b> {
        let Self { scene, packing, progress, .. } = self;
        let later = scene.stages.iter().skip(progress.stage + 1).map(|stage| stage.end.most_steps());
        let most = made.stage.end.most_steps();
        let left = most.saturating_sub(progress.stage_steps);
        Glance {
            stage: &made.stage.name,
            step: packing.step,
            stage_steps: (progress.stage_steps, most),
            steps_left: later.fold(left, u64::saturating_add),
            contacts: made.report.contacts,
            residual: made.report.residual,
            overlap: made.report.overlap_max / self.diameter,
            unbalanced: made.unbalanced,
        }
    }

    /// The contact problem of the last step, if it solved one.
    pub(crate) fn problem(&self) -> Option<&Problem<D>> {
        self.present.as_ref()?.engine.problem()
    }

    /// Ends the stage if this step was its last.
    pub(crate) fn conclude(&mut self, made: &MadeStep<'_>) {
        let steps = self.progress.stage_steps;
        match made.stage.end {
            StageEnd::Steps(most) if steps < most => {}
            StageEnd::Steps(_) => self.done(made, None),
            StageEnd::AtRest { limit, max_steps, stop_after } => {
                let calm = made.unbalanced.is_some_and(|force| force < limit);
                self.progress.calm = if calm { self.progress.calm + 1 } else { 0 };
                if self.progress.calm >= REST_STEPS {
                    self.done(made, Some(true));
                } else if steps >= max_steps {
                    self.done(made, Some(false));
                    self.progress.ended = Some(Ending::NotAtRest(made.stage.name.clone()));
                } else if stop_after.is_some_and(|first| stops(steps, first)) && self.progress.calm == 0 {
                    self.stopping(|packing| stop_all(packing));
                }
            }
        }
    }

    /// Stops grains by hand, and books the energy lost.
    fn stopping<T>(&mut self, stop: impl FnOnce(&mut Packing<D>) -> T) -> T {
        let stopped = stop(&mut self.packing);
        self.progress.totals.energy.stop(self.packing.kinetic_energy());
        stopped
    }

    fn done(&mut self, made: &MadeStep<'_>, at_rest: Option<bool>) {
        let rattlers_stopped = if at_rest == Some(true) { self.stopping(stop_rattlers) } else { 0 };
        let (name, steps) = (made.stage.name.clone(), self.progress.stage_steps);
        let unbalanced = made.unbalanced.filter(|_| at_rest.is_some());
        self.progress.stages.push(StageDone { name, steps, at_rest, unbalanced, rattlers_stopped });
        self.certificate = match made.stage.numerics.solver.kind {
            SolverKind::Rigid { .. } => {
                let certificate = self.problem().map(Certificate::compute);
                // Without convergence the error estimate, a first-order one, does not hold.
                certificate.map(|known| if made.report.converged() == Some(false) { known.unsure() } else { known })
            }
            _ => None,
        };
        self.progress.stage += 1;
        (self.progress.stage_steps, self.progress.calm) = (0, 0);
        self.present = None;
    }
}
