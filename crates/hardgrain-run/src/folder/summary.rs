//! The summary of a finished run: run.json.

use crate::rigidity::Rigidity;
use crate::simulation::Simulation;
use crate::simulation::progress::{StageDone, Totals};
use hardgrain::Dimension;
use serde::{Deserialize, Serialize};

/// The summary of a run. Lengths, energies and so on are in the units of the scene, computing times in seconds.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Summary {
    /// The version of hardgrain.
    pub version: String,
    /// Title of the scene.
    pub title: String,
    /// 1, 2 or 3.
    pub dimension: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Threads of the last sitting.
    pub threads: usize,
    /// Whether rest and tolerances were reached wherever the scene asks for them.
    pub fulfilled: bool,
    /// How it ended, in words.
    pub ending: String,
    /// Steps made.
    pub steps: u64,
    /// Simulated time.
    pub time: f64,
    /// Seconds of computing, over all sittings.
    pub wall_time: f64,
    /// Number of times it was resumed.
    pub resumed: u32,
    /// Hash of the final state, 16 hexadecimal digits.
    pub state_hash: String,
    /// Number of grains.
    pub grains: usize,
    /// Number of contacts at the end.
    pub contacts: usize,
    /// Kinetic energy at the end.
    pub kinetic_energy: f64,
    /// Largest overlap at the end.
    pub overlap_max: f64,
    /// Largest overlap of the whole run.
    pub overlap_largest: f64,
    /// Steps that did not reach their tolerance.
    pub steps_not_converged: u64,
    /// Steps in which the rigid solver fell back to accelerated sweeps.
    #[serde(rename = "steps_handed_over")]
    pub steps_fell_back: u64,
    /// Factorisations of the rigid solver.
    pub factorisations: u64,
    /// Contacts that the search missed.
    pub contacts_missed: u64,
    /// The finished stages.
    pub stages: Vec<StageDone>,
    /// The cost of writing.
    pub records: RecordShare,
    /// How rigid the grains were.
    pub rigidity: Rigidity,
}

/// The cost of writing records and checkpoints.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct RecordShare {
    /// Seconds.
    pub seconds: f64,
    /// Fraction of the computing time.
    pub share: f64,
    /// Bytes in frames.
    pub frame_bytes: u64,
}

/// The keys of run.json, each a field of [`Summary`].
pub(crate) const KEYS: &str = "version, title, dimension, seed, threads, fulfilled, ending, steps, time, wall_time, \
    resumed, state_hash, grains, contacts, kinetic_energy, overlap_max, overlap_largest, \
    steps_not_converged, steps_handed_over, factorisations, contacts_missed, stages, records, rigidity";

impl Summary {
    pub(crate) fn from_simulation<D: Dimension>(simulation: &Simulation<D>, wall_time: f64) -> Self {
        let Simulation { scene, packing, progress, threads, .. } = simulation;
        let totals = &progress.totals;
        let restless = simulation.restless();
        Self {
            version: env!("CARGO_PKG_VERSION").into(),
            title: scene.title.clone(),
            dimension: scene.dimension,
            seed: scene.seed,
            threads: threads.count(),
            fulfilled: restless.is_none() && totals.not_converged == 0,
            ending: ending(restless, totals),
            steps: totals.steps,
            time: packing.time,
            wall_time,
            resumed: progress.resumed,
            state_hash: format!("{:016x}", packing.state_hash()),
            grains: packing.grains.len(),
            contacts: packing.memory.len(),
            kinetic_energy: packing.kinetic_energy(),
            overlap_max: totals.overlap_max,
            overlap_largest: totals.overlap_largest,
            steps_not_converged: totals.not_converged,
            steps_fell_back: totals.fell_back,
            factorisations: totals.factorisations,
            contacts_missed: totals.missed,
            stages: progress.stages.clone(),
            records: RecordShare {
                seconds: progress.record_time,
                share: if wall_time > 0.0 { progress.record_time / wall_time } else { 0.0 },
                frame_bytes: progress.record_bytes,
            },
            rigidity: simulation.rigidity_after(wall_time),
        }
    }
}

/// How a run ended, in words.
fn ending(restless: Option<&str>, totals: &Totals) -> String {
    let mut text = restless.map_or_else(
        || "all stages are done".into(),
        |stage| format!("stage {stage} did not come to rest; later stages were not run"),
    );
    if totals.fell_back > 0 {
        let many = format!("{} of {} steps were handed over", totals.fell_back, totals.steps);
        text = format!("{text}; {many} to accelerated sweeps");
    }
    if totals.not_converged > 0 {
        text = format!("{text}; {} of {} steps missed the tolerance", totals.not_converged, totals.steps);
    }
    text
}
