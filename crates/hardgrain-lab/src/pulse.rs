//! Sound: a long row of rigid grains is pushed at its end, and the push arrives grain by grain.
//!
//! The row rests in its static forces when the load on its last grain grows a little. Behind the front all contacts carry the
//! new load, ahead of it the old one. The place where half of it has arrived moves with the speed of sound.

use crate::flaw::Flaw;
use crate::line::{Theory, pressed_row, sweeping};
use crate::settings::{Error, Validate, by_name, each_within, within};
use crate::watch::{Watch, side_by_side};
use hardgrain::{Engine, Line, Order, Packing, Part};
use hardgrain_analysis::{Estimate, PowerLaw};
use serde::Serialize;

/// Grains overlap by this at first: gaps never open.
const OVERLAP: f64 = 0.01;
/// By which share of the load it grows.
const PUSH: f64 = 0.01;
/// The front is timed between these shares of the row, counted from the pushed end.
const TIMED: [f64; 2] = [0.15, 0.8];

/// What to run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PulseSettings {
    /// Grains of the row.
    pub grains: u32,
    /// N_I, one row of the result each.
    pub sweeps: Vec<u32>,
    /// The order of the sweeps.
    #[serde(serialize_with = "by_name")]
    pub order: Order,
    /// The first seed.
    pub seed: u64,
    /// How many seeds.
    pub seeds: u32,
    /// A slip on purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flaw: Option<Flaw>,
}

impl Default for PulseSettings {
    fn default() -> Self {
        let (order, sweeps) = (Order::RandomSweep, vec![10, 20, 40, 80]);
        Self { grains: 400, sweeps, order, seed: 1, seeds: 10, flaw: None }
    }
}

impl Validate for PulseSettings {
    fn check(&self) -> Result<(), Error> {
        within("grains", self.grains, 50, crate::line::GRAINS_MAX)?;
        within("seeds", self.seeds, 2, crate::line::SEEDS_MAX)?;
        each_within("sweeps", &self.sweeps, 1, 10_000)
    }
}

/// The speed at one number of sweeps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PulseRow {
    /// N_I.
    pub sweeps: u32,
    /// c = √(q N_I), in units of d/h.
    pub predicted: f64,
    /// The speed of the front.
    pub measured: Option<f64>,
    /// Its standard error over seeds.
    pub stderr: Option<f64>,
    /// How far the front has come after each step, in the first run: (time, distance).
    #[serde(skip)]
    pub way: Vec<(f64, f64)>,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PulseResult {
    /// What was asked.
    pub settings: PulseSettings,
    /// One for each number of sweeps.
    pub rows: Vec<PulseRow>,
    /// c ~ N_I to this power.
    pub exponent: Option<f64>,
    /// Its standard error.
    pub exponent_stderr: Option<f64>,
}

/// Runs the experiment.
///
/// # Errors
/// When a setting makes no sense or a step fails.
pub fn run(settings: &PulseSettings, watch: &dyn Watch) -> Result<PulseResult, Error> {
    settings.check()?;
    let seeds: Vec<u64> = (0..u64::from(settings.seeds)).map(|i| settings.seed.wrapping_add(i)).collect();
    let mut rows = Vec::new();
    for &sweeps in &settings.sweeps {
        let theory = Theory { order: settings.order, sweeps, grains: settings.grains };
        let predicted = theory.continuum().sound_speed();
        let mut ways = side_by_side(&seeds, watch, |&seed| way(settings, sweeps, seed, watch))?;
        let speeds: Vec<f64> = ways.iter().filter_map(|way| speed(way, settings.grains)).collect();
        let found = Estimate::mean(&speeds).filter(|_| speeds.len() == seeds.len());
        let (measured, stderr) = (found.map(|found| found.value), found.map(|found| found.error));
        rows.push(PulseRow { sweeps, predicted, measured, stderr, way: ways.swap_remove(0) });
    }
    let points: Vec<_> =
        rows.iter().filter_map(|row| Some((f64::from(row.sweeps), row.measured?, row.stderr?))).collect();
    let law = PowerLaw::fit(&points).ok();
    let (exponent, exponent_stderr) = (law.map(|law| law.exponent), law.map(|law| law.exponent_error));
    Ok(PulseResult { settings: settings.clone(), rows, exponent, exponent_stderr })
}

/// How far the front is from the pushed end after each step, until it comes near the wall. Given up when sound would have
/// been there three times.
fn way(settings: &PulseSettings, sweeps: u32, seed: u64, watch: &dyn Watch) -> Result<Vec<(f64, f64)>, Error> {
    let mut packing = pressed_row(settings.grains, OVERLAP, 1.0);
    let last = packing.grains.len() - 1;
    packing.grains[last].force = [-1.0 - PUSH].into();
    let mut engine = sweeping(settings.order, sweeps, seed, settings.flaw);
    let theory = Theory { order: settings.order, sweeps, grains: settings.grains };
    let patience = crate::line::steps(3.0 * f64::from(settings.grains) / theory.continuum().sound_speed());
    let mut way = vec![(0.0, 0.0)];
    for step in 1..=patience {
        engine.step(&mut packing)?;
        watch.alive();
        let Some(front) = front(&packing) else { break };
        way.push((step as f64, front));
        if front > TIMED[1] * f64::from(settings.grains) {
            break;
        }
    }
    Ok(way)
}

/// The distance from the pushed end at which half of the push has arrived.
fn front(packing: &Packing<Line>) -> Option<f64> {
    let last = packing.grains.len() - 1;
    // From the pushed end on: what each contact has got, over the push.
    let mut arrived = vec![0.0; last];
    for known in &packing.memory {
        if let Part::Grain(_) = known.identity.second {
            arrived[last - 1 - known.identity.first as usize] = (known.reaction.normal - 1.0) / PUSH;
        }
    }
    let beyond = arrived.iter().rposition(|&share| share >= 0.5)?;
    let next = arrived.get(beyond + 1)?;
    Some(beyond as f64 + 1.0 + (arrived[beyond] - 0.5) / (arrived[beyond] - next))
}

/// The slope of the way against the time, by least squares.
fn speed(way: &[(f64, f64)], grains: u32) -> Option<f64> {
    let [from, to] = TIMED.map(|share| share * f64::from(grains));
    let timed: Vec<&(f64, f64)> = way.iter().filter(|(_, front)| (from..to).contains(front)).collect();
    let count = timed.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| timed.iter().map(|point| of(point)).sum::<f64>() / count;
    let (time, place) = (mean(|point| point.0), mean(|point| point.1));
    let across: f64 = timed.iter().map(|point| (point.0 - time) * (point.1 - place)).sum();
    let along: f64 = timed.iter().map(|point| (point.0 - time) * (point.0 - time)).sum();
    (timed.len() > 2).then(|| across / along)
}
