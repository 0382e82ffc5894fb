//! A disturbance of one reaction, sweep by sweep: it spreads like heat.
//!
//! In a chain in its exact forces one reaction is made a little larger. Sweeps hand the surplus on from contact to contact;
//! on average over orders nothing of it is lost until it reaches an end, and the mean square of the distance grows as 2 q N d².

use crate::flaw::Flaw;
use crate::order::Bench;
use crate::settings::{Error, Validate, by_name, within};
use crate::watch::{Watch, side_by_side};
use hardgrain::{Order, Seed, Solver};
use hardgrain_analysis::{Estimate, PowerLaw};
use hardgrain_run::theory_order;
use serde::Serialize;

/// Samples of a batch, whose mean profile gives one width.
const BATCH: u64 = 50;
/// A chain is so many times longer than the widest profile, at least.
const ROOM: f64 = 12.0;
/// The surplus.
const SURPLUS: f64 = 1e-3;

/// What to measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpreadingSettings {
    /// The order of the sweeps.
    #[serde(serialize_with = "by_name")]
    pub order: Order,
    /// Numbers of sweeps after which the profile is looked at, growing.
    pub sweeps: Vec<u32>,
    /// How many batches of fifty samples.
    pub batches: u32,
    /// The seed of random orders.
    pub seed: u64,
    /// A slip on purpose.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flaw: Option<Flaw>,
}

impl Default for SpreadingSettings {
    fn default() -> Self {
        Self { order: Order::RandomSweep, sweeps: vec![4, 8, 16, 32, 64], batches: 10, seed: 1, flaw: None }
    }
}

impl Validate for SpreadingSettings {
    fn check(&self) -> Result<(), Error> {
        within("batches", self.batches, 2, 10_000)?;
        if !self.sweeps.is_sorted_by(|a, b| a < b) {
            return Err(Error::Setting { name: "sweeps", wrong: "the numbers must grow".into() });
        }
        crate::settings::each_within("sweeps", &self.sweeps, 1, 100_000)
    }
}

/// The surplus after some sweeps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Spread {
    /// Sweeps made.
    pub sweeps: u32,
    /// 2 q N: the predicted mean square of the distance, in units of d².
    pub predicted: f64,
    /// The mean square of the distance.
    pub measured: f64,
    /// Its standard error.
    pub stderr: f64,
    /// The share of the surplus by distance along the chain: (distance, share).
    #[serde(skip)]
    pub profile: Vec<(f64, f64)>,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SpreadingResult {
    /// What was asked.
    pub settings: SpreadingSettings,
    /// q of the order, in the long run.
    pub q: f64,
    /// One for each number of sweeps.
    pub rows: Vec<Spread>,
    /// The width grows as sweeps to this power: ½ if it spreads like heat.
    pub exponent: Option<f64>,
    /// Its standard error.
    pub exponent_stderr: Option<f64>,
}

/// Runs the experiment.
///
/// # Errors
/// When a setting makes no sense.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a length that fits")]
pub fn run(settings: &SpreadingSettings, watch: &dyn Watch) -> Result<SpreadingResult, Error> {
    settings.check()?;
    let q = theory_order(settings.order).q();
    let most = f64::from(settings.sweeps.last().copied().unwrap_or(1));
    let contacts = (ROOM * (2.0 * q * most).sqrt()).max(80.0).ceil() as u32;
    let bench = Bench::new(settings.order, contacts, settings.flaw)?;
    let count = if settings.order.is_random() { u64::from(settings.batches) } else { 1 };
    let batches: Vec<u64> = (0..count).collect();
    let samples = if settings.order.is_random() { BATCH } else { 1 };
    let profiles = side_by_side(&batches, watch, |&batch| {
        Ok::<_, Error>(bench.profiles(settings, batch * samples..(batch + 1) * samples))
    })?;
    let middle = bench.along.len() / 2;
    let distance = |contact: usize| contact as f64 - middle as f64;
    let rows: Vec<Spread> = settings
        .sweeps
        .iter()
        .enumerate()
        .map(|(index, &sweeps)| {
            let width = |profile: &[f64]| {
                let squares = profile.iter().enumerate().map(|(i, share)| distance(i) * distance(i) * share);
                squares.sum::<f64>() / profile.iter().sum::<f64>()
            };
            let widths: Vec<f64> = profiles.iter().map(|batch| width(&batch[index])).collect();
            let found = Estimate::mean(&widths).expect("one batch at least");
            let mean = |contact: usize| profiles.iter().map(|batch| batch[index][contact]).sum::<f64>() / count as f64;
            Spread {
                sweeps,
                predicted: 2.0 * q * f64::from(sweeps),
                measured: found.value,
                stderr: if count > 1 { found.error } else { 0.0 },
                profile: (0..bench.along.len()).map(|contact| (distance(contact), mean(contact))).collect(),
            }
        })
        .collect();
    let points: Vec<(f64, f64, f64)> = rows
        .iter()
        .map(|row| (f64::from(row.sweeps), row.measured.sqrt(), 0.5 * row.stderr / row.measured.sqrt()))
        .collect();
    let law = PowerLaw::fit(&points).ok();
    Ok(SpreadingResult {
        settings: settings.clone(),
        q,
        rows,
        exponent: law.map(|law| law.exponent),
        exponent_stderr: law.map(|law| law.exponent_error),
    })
}

impl Bench {
    /// The mean surplus after each number of sweeps, by contact, of these samples.
    fn profiles(&self, settings: &SpreadingSettings, samples: std::ops::Range<u64>) -> Vec<Vec<f64>> {
        let count = (samples.end - samples.start) as f64;
        let mut sums = vec![vec![0.0; self.along.len()]; settings.sweeps.len()];
        for sample in samples {
            let mut problem = self.start.clone();
            problem.rows[self.along[self.along.len() / 2]].impulse.normal += SURPLUS;
            let mut made = 0;
            for (sum, &sweeps) in sums.iter_mut().zip(&settings.sweeps) {
                self.sweeps(sweeps - made).solve(&mut problem, Seed(settings.seed), (sample << 32) + u64::from(made));
                made = sweeps;
                for (sum, &row) in sum.iter_mut().zip(&self.along) {
                    *sum += (problem.rows[row].impulse.normal - 1.0) / (SURPLUS * count);
                }
            }
        }
        sums
    }
}
