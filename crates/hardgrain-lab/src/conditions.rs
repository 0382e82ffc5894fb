//! The paper's three conditions for a rigid step, each found in its own way for chains of several lengths.
//!
//! - *Forces reach from end to end*: sweeps from nothing until the wall carries nine tenths of the load.
//! - *Sound does, within a step*: from the speed of fronts in a long row, c ~ N_I^b, the number of sweeps with c h = L.
//! - *No wave oscillates*: sweeps until a step leaves e^−4 of the longest standing wave, which is critical in the continuum.

use crate::estimate::{exponent, mean, power_law, unsure};
use crate::order::Bench;
use crate::pulse::PulseResult;
use crate::settings::{Error, Sampling};
use crate::watch::{Progress, side_by_side};
use hardgrain::{Line, Order, Problem, Seed, Solver};
use hardgrain_analysis::Estimate;
use hardgrain_run::theory_order;
use hardgrain_theory::{rigidity, standing_wave};

/// Forces reach the wall when all but this share of the load has arrived there in a step from zero reactions.
const REACHED: f64 = 0.1;
/// A wave whose share e^−4 is left after a step has the critical wave number of the continuum.
const CRITICAL: f64 = 4.0;

/// One condition at one length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Condition {
    /// The paper's number of sweeps.
    pub predicted: f64,
    /// Sweeps, mean over seeds.
    pub measured: Estimate,
}

/// One length.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct ConditionRow {
    /// L/d.
    pub length: u32,
    /// Forces reach from end to end; sound does, within a step (its error is that of the speeds); no standing wave oscillates.
    pub conditions: [Condition; 3],
}

/// The result.
#[derive(Clone, Debug, PartialEq)]
pub struct ConditionResult {
    /// One for each length.
    pub rows: Vec<ConditionRow>,
    /// N_I ~ L to this power: reach, sound, over-damped.
    pub exponents: [Option<Estimate>; 3],
}

/// Runs the experiment for chains of these lengths, in grains, with the speed of sound from this one.
///
/// # Errors
/// When a setting makes no sense.
pub fn run(
    lengths: &[u32],
    sampling: &Sampling,
    pulse: &PulseResult,
    watch: &dyn Progress,
) -> Result<ConditionResult, Error> {
    let q = theory_order(Order::RandomSweep).q();
    let seeds = sampling.all();
    let mut rows = Vec::new();
    for &length in lengths {
        let bench = Bench::new(Order::RandomSweep, length, None)?;
        let found = side_by_side(&seeds, watch, |&seed| Ok::<_, Error>(bench.conditions(seed)))?;
        let long = f64::from(length);
        let condition = |index: usize, predicted: f64| {
            let measured = mean(found.iter().map(|found| found[index])).expect("two seeds at least");
            Condition { predicted, measured }
        };
        let conditions = [
            condition(0, rigidity::sweeps_to_reach(q, long)),
            sound(pulse, rigidity::sweeps_to_reach(q, long), long),
            // The longest standing wave is four times as long as the chain.
            condition(1, rigidity::sweeps_to_overdamp(q, 4.0 * long)),
        ];
        rows.push(ConditionRow { length, conditions });
    }
    let exponents =
        [0, 1, 2].map(|index| exponent(rows.iter().map(|row| (f64::from(row.length), row.conditions[index].measured))));
    Ok(ConditionResult { rows, exponents })
}

/// The sweeps with which sound covers a length in a step, by the speeds that were measured.
fn sound(pulse: &PulseResult, predicted: f64, length: f64) -> Condition {
    let points: Vec<_> = pulse.rows.iter().filter_map(|row| Some((f64::from(row.sweeps), row.measured?))).collect();
    let Some(law) = power_law(points.iter().copied()) else {
        return Condition { predicted, measured: unsure(f64::NAN) };
    };
    // c = c₁ N^b, taken at a speed in the middle of those that were measured.
    let (middle, speed) = (points[points.len() / 2].0, law.at(points[points.len() / 2].0));
    let factor = (length / speed).ln();
    let value = middle * (factor / law.exponent).exp();
    let error = value * factor.abs() * law.exponent_error / (law.exponent * law.exponent);
    Condition { predicted, measured: Estimate { value, error } }
}

impl Bench {
    /// Sweeps until forces reach the wall, and until the longest wave is critical.
    fn conditions(&self, seed: u64) -> [f64; 2] {
        let phase = standing_wave(1, self.from_wall.len() as f64);
        let missing = |problem: &Problem<_>| 1.0 - problem.rows[self.from_wall[0]].impulse.normal;
        let shape: Vec<f64> = (0..self.from_wall.len()).map(|contact| (phase * contact as f64).cos()).collect();
        let wave = |problem: &Problem<_>| {
            let each = shape.iter().zip(&self.from_wall);
            each.map(|(shape, &row)| shape * (problem.rows[row].impulse.normal - 1.0)).sum::<f64>()
        };
        let nothing = vec![0.0; shape.len()];
        let swing: Vec<f64> = shape.iter().map(|shape| 1.0 + 0.1 * shape).collect();
        let mut start = None;
        [
            self.until(seed, &nothing, |problem| missing(problem) < REACHED),
            self.until(seed, &swing, |problem| {
                let now = wave(problem);
                now < (-CRITICAL).exp() * *start.get_or_insert(now)
            }),
        ]
    }

    /// Sweeps from these impulses until that.
    fn until(&self, seed: u64, impulses: &[f64], mut is_over: impl FnMut(&Problem<Line>) -> bool) -> f64 {
        let mut problem = self.start.clone();
        for (&impulse, &row) in impulses.iter().zip(&self.from_wall) {
            problem.rows[row].impulse.normal = impulse;
        }
        let mut solver = self.sweeps(1);
        let mut sweeps = 0_u64;
        while !is_over(&problem) {
            solver.solve(&mut problem, Seed(seed), sweeps);
            sweeps += 1;
        }
        sweeps as f64
    }
}
