//! Sound: a long row of rigid grains is pushed at its end, and the push arrives grain by grain.
//!
//! The row rests in its static forces when the load on its last grain grows a little. Behind the front all contacts carry the
//! new load, ahead of it the old one. The place where half of it has arrived moves with the speed of sound.

use crate::estimate::exponent;
use crate::flaw::Flaw;
use crate::line::{Theory, pressed_row, sweeping};
use crate::settings::{Error, Sampling};
use crate::watch::{Progress, side_by_side};
use hardgrain::{Engine, Line, Order, Packing, Part};
use hardgrain_analysis::Estimate;

/// Grains of the row.
pub const GRAINS: u32 = 400;
/// N_I, one row of the result each.
const SWEEPS: [u32; 4] = [10, 20, 40, 80];
/// The order of the sweeps.
pub const ORDER: Order = Order::RandomSweep;
/// Grains overlap by this at first: gaps never open.
const OVERLAP: f64 = 0.01;
/// By which share of the load it grows.
const PUSH: f64 = 0.01;
/// The front is timed between these shares of the row, counted from the pushed end.
const TIMED: [f64; 2] = [0.15, 0.8];

/// The speed at one number of sweeps.
#[derive(Clone, Debug, PartialEq)]
pub struct PulseRow {
    /// N_I.
    pub sweeps: u32,
    /// c = √(q N_I), in units of d/h.
    pub predicted: f64,
    /// The speed of the front, with its error over seeds.
    pub measured: Option<Estimate>,
    /// How far the front has come after each step, in the first run: (time, distance).
    pub way: Vec<(f64, f64)>,
}

/// The result.
#[derive(Clone, Debug, PartialEq)]
pub struct PulseResult {
    /// One for each number of sweeps.
    pub rows: Vec<PulseRow>,
    /// c ~ N_I to this power.
    pub exponent: Option<Estimate>,
}

/// Runs the experiment.
///
/// # Errors
/// When a step fails.
pub fn run(sampling: &Sampling, watch: &dyn Progress) -> Result<PulseResult, Error> {
    let seeds = sampling.all();
    let mut rows = Vec::new();
    for &sweeps in &SWEEPS {
        let theory = Theory { order: ORDER, sweeps, grains: GRAINS };
        let predicted = theory.continuum().sound_speed();
        let mut ways = side_by_side(&seeds, watch, |&seed| way(sampling.flaw, sweeps, seed, watch))?;
        let speeds: Option<Vec<f64>> = ways.iter().map(|way| speed(way)).collect();
        let measured = speeds.and_then(|speeds| Estimate::mean(&speeds));
        rows.push(PulseRow { sweeps, predicted, measured, way: ways.swap_remove(0) });
    }
    let exponent = exponent(rows.iter().filter_map(|row| Some((f64::from(row.sweeps), row.measured?))));
    Ok(PulseResult { rows, exponent })
}

/// How far the front is from the pushed end after each step, until it comes near the wall. Given up when sound would have
/// been there three times.
fn way(flaw: Option<Flaw>, sweeps: u32, seed: u64, watch: &dyn Progress) -> Result<Vec<(f64, f64)>, Error> {
    let mut packing = pressed_row(GRAINS, OVERLAP, 1.0);
    let last = packing.grains.len() - 1;
    packing.grains[last].force = [-1.0 - PUSH].into();
    let mut engine = sweeping(ORDER, sweeps, seed, flaw);
    let theory = Theory { order: ORDER, sweeps, grains: GRAINS };
    let patience = crate::line::steps(3.0 * f64::from(GRAINS) / theory.continuum().sound_speed());
    let mut way = vec![(0.0, 0.0)];
    for step in 1..=patience {
        engine.step(&mut packing)?;
        watch.alive();
        let Some(front) = front(&packing) else { break };
        way.push((step as f64, front));
        if front > TIMED[1] * f64::from(GRAINS) {
            break;
        }
    }
    Ok(way)
}

/// The distance from the pushed end at which half of the push has arrived.
fn front(packing: &Packing<Line>) -> Option<f64> {
    let last = packing.grains.len() - 1;
    // From the pushed end: the change of the force at each contact, relative to the push.
    let mut arrived = vec![0.0; last];
    for known in &packing.memory {
        if let Part::Grain(_) = known.identity.second() {
            arrived[last - 1 - known.identity.first as usize] = (known.reaction.normal - 1.0) / PUSH;
        }
    }
    let beyond = arrived.iter().rposition(|&share| share >= 0.5)?;
    let next = arrived.get(beyond + 1)?;
    Some(beyond as f64 + 1.0 + (arrived[beyond] - 0.5) / (arrived[beyond] - next))
}

/// The front speed, by least squares.
fn speed(way: &[(f64, f64)]) -> Option<f64> {
    let [from, to] = TIMED.map(|share| share * f64::from(GRAINS));
    let timed: Vec<&(f64, f64)> = way.iter().filter(|(_, front)| (from..to).contains(front)).collect();
    let count = timed.len() as f64;
    let mean = |of: fn(&(f64, f64)) -> f64| timed.iter().map(|point| of(point)).sum::<f64>() / count;
    let (time, place) = (mean(|point| point.0), mean(|point| point.1));
    let covariance: f64 = timed.iter().map(|point| (point.0 - time) * (point.1 - place)).sum();
    let variance: f64 = timed.iter().map(|point| (point.0 - time) * (point.0 - time)).sum();
    (timed.len() > 2).then(|| covariance / variance)
}
