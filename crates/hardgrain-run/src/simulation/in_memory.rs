//! Runs a scene in memory, without writing files.

use super::Simulation;
use super::observer::Glance;
use super::progress::{Ending, RunProgress, StageDone};
use super::soft::placed;
use crate::error::RunError;
use hardgrain::{Dimension, Packing};
use hardgrain_io::scene::Scene;

/// The result of a run in memory.
#[derive(Clone, Debug)]
pub struct InMemoryRun<D: Dimension> {
    /// The final packing.
    pub packing: Packing<D>,
    /// The finished stages.
    pub stages: Vec<StageDone>,
    /// Whether every stage that asks for rest reached it. If not, later stages were not run.
    pub at_rest: bool,
    /// Steps made.
    pub steps: u64,
    /// Sweeps made.
    pub sweeps: u64,
    /// Contacts that the search missed.
    pub missed: u64,
}

/// Places the grains of a scene and runs all its stages. `observe` is called after every step.
///
/// # Errors
/// When grains cannot be placed, a step fails, or the scene has another dimension.
pub fn run_in_memory<D: Dimension>(
    scene: &Scene,
    observe: &mut dyn FnMut(&Glance<'_>),
) -> Result<InMemoryRun<D>, RunError> {
    if scene.dimension != D::AXES {
        return Err(RunError::Input("this scene has another dimension".into()));
    }
    let packing = placed::<D>(scene)?;
    let mut simulation = Simulation::new(scene, 1, packing, RunProgress::default());
    simulation.run(|_| true, |simulation, made| observe(&simulation.glance(made)))?;
    let Simulation { packing, progress, .. } = simulation;
    Ok(InMemoryRun {
        packing,
        stages: progress.stages,
        at_rest: progress.ended == Some(Ending::Finished),
        steps: progress.totals.steps,
        sweeps: progress.totals.sweeps,
        missed: progress.totals.missed,
    })
}
