//! The chain of the paper with a convergence criterion in the place of a fixed number of sweeps: steps end when the residual is
//! small, so that N_I changes from step to step and stiff steps mix with soft ones.

use crate::estimate::{Oscillation, mean};
use crate::flaw::FlawedSweeps;
use crate::line::row;
use crate::settings::{Error, Sampling};
use crate::watch::{Progress, side_by_side};
use hardgrain::{Engine, Order, Stop};
use hardgrain_analysis::Estimate;
use hardgrain_run::theory_order;
use hardgrain_theory::{Continuum, standing_wave};
use std::f64::consts::PI;

/// Residuals at which a step ends, one row of the result each.
const TOLERANCES: [f64; 3] = [1e-3, 3e-4, 1e-4];
/// The paper's chain.
const GRAINS: u32 = 50;
const FORCE: f64 = 0.05;
/// Sweeps after which a step is given up.
const MOST_SWEEPS: u32 = 100_000;
/// Steps of a run.
const STEPS: usize = 3000;
/// The first of them that counts: by then the chain lies at the wall.
pub const FROM: usize = 1000;

/// One tolerance.
#[derive(Clone, Debug, PartialEq)]
pub struct StoppingRow {
    /// The residual at which a step ends.
    pub tolerance: f64,
    /// Sweeps a step: mean over steps and runs, the least, and the most.
    pub sweeps: [f64; 3],
    /// The share of steps with one sweep or none.
    pub idle: f64,
    /// ω h and τ/h of the continuum with that mean.
    pub predicted: Oscillation,
    /// ω h from how often the last grain passes its mean place, mean over runs.
    pub omega: Estimate,
    /// How far it swings, rms in units of d, mean over runs.
    pub swing: Estimate,
    /// The swing in the second half over that in the first, mean over runs.
    pub kept: Estimate,
    /// The same if it faded with τ of the continuum.
    pub kept_predicted: f64,
    /// The first run.
    pub first: StoppingRun,
}

/// One run.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct StoppingRun {
    /// The place of the last grain after each step.
    pub places: Vec<f64>,
    /// Sweeps of each step.
    pub sweeps: Vec<u32>,
}

impl StoppingRun {
    /// The places from some step to another, seen from their mean.
    fn between(&self, from: usize, to: usize) -> Vec<f64> {
        let places = &self.places[from..to];
        let mean = places.iter().sum::<f64>() / places.len() as f64;
        places.iter().map(|place| place - mean).collect()
    }

    fn omega(&self) -> f64 {
        let swing = self.between(FROM, STEPS);
        let passes = swing.windows(2).filter(|pair| (pair[0] < 0.0) != (pair[1] < 0.0)).count();
        PI * passes as f64 / swing.len() as f64
    }

    fn swing(&self, from: usize, to: usize) -> f64 {
        let swing = self.between(from, to);
        (swing.iter().map(|place| place * place).sum::<f64>() / swing.len() as f64).sqrt()
    }
}

/// The result.
#[derive(Clone, Debug, PartialEq)]
pub struct StoppingResult {
    /// One for each tolerance.
    pub rows: Vec<StoppingRow>,
}

/// Runs the experiment.
///
/// # Errors
/// When a setting makes no sense or a step fails.
pub fn run(sampling: &Sampling, watch: &dyn Progress) -> Result<StoppingResult, Error> {
    let seeds = sampling.all();
    let each = TOLERANCES.iter().map(|&tolerance| {
        let runs = side_by_side(&seeds, watch, |&seed| run_seed(tolerance, seed, watch))?;
        Ok(judged(tolerance, runs))
    });
    Ok(StoppingResult { rows: each.collect::<Result<_, Error>>()? })
}

fn run_seed(tolerance: f64, seed: u64, watch: &dyn Progress) -> Result<StoppingRun, Error> {
    let mut packing = row(GRAINS, 1.0, 0.0, FORCE);
    let last = packing.grains.len() - 1;
    let stop = Stop::Tolerance { tolerance, max_sweeps: MOST_SWEEPS };
    let mut engine = FlawedSweeps::new(Order::RandomSweep, stop, None).engine(seed);
    let mut run = StoppingRun { places: vec![packing.grains[last].position.0[0]], sweeps: Vec::new() };
    for _ in 0..STEPS {
        let report = engine.step(&mut packing)?;
        watch.alive();
        run.places.push(packing.grains[last].position.0[0]);
        run.sweeps.push(report.sweeps);
    }
    Ok(run)
}

fn judged(tolerance: f64, mut runs: Vec<StoppingRun>) -> StoppingRow {
    let counts = || runs.iter().flat_map(|run| &run.sweeps[FROM..]).map(|&sweeps| f64::from(sweeps));
    let sweeps = counts().sum::<f64>() / counts().count() as f64;
    let continuum = Continuum { q: theory_order(Order::RandomSweep).q(), sweeps, step: 1.0, mass: 1.0, diameter: 1.0 };
    let k = standing_wave(1, f64::from(GRAINS));
    let of = |value: &dyn Fn(&StoppingRun) -> f64| mean(runs.iter().map(value)).expect("two runs at least");
    let middle = usize::midpoint(FROM, STEPS);
    let kept = of(&|run| run.swing(middle, STEPS) / run.swing(FROM, middle));
    StoppingRow {
        tolerance,
        sweeps: [sweeps, counts().fold(f64::MAX, f64::min), counts().fold(0.0, f64::max)],
        idle: counts().filter(|sweeps| *sweeps <= 1.0).count() as f64 / counts().count() as f64,
        predicted: Oscillation { omega: continuum.frequency(k), tau: Some(continuum.damping_time(k)) },
        omega: of(&StoppingRun::omega),
        swing: of(&|run| run.swing(FROM, STEPS)),
        kept,
        kept_predicted: (-((middle - FROM) as f64) / continuum.damping_time(k)).exp(),
        first: runs.swap_remove(0),
    }
}
