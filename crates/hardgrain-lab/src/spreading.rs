//! A disturbance of one reaction, sweep by sweep: it spreads like heat.
//!
//! In a chain in its exact forces one reaction is made a little larger. Sweeps hand the surplus on from contact to contact;
//! on average over orders nothing of it is lost until it reaches an end, and the mean square of the distance grows as 2 q N d².

use crate::estimate::exponent;
use crate::order::Bench;
use crate::settings::{Error, Sampling};
use crate::watch::{Progress, side_by_side};
use hardgrain::{Order, Seed, Solver};
use hardgrain_analysis::Estimate;
use hardgrain_run::theory_order;

/// Numbers of sweeps after which the profile is recorded.
const SWEEPS: [u32; 5] = [4, 8, 16, 32, 64];
/// The order of the sweeps.
pub const ORDER: Order = Order::RandomSweep;
/// Samples of a batch, whose mean profile gives one width.
const BATCH: u64 = 50;
/// Least length of the chain over the width of the widest profile.
const ROOM: f64 = 12.0;
/// The surplus.
const SURPLUS: f64 = 1e-3;

/// The surplus after some sweeps.
#[derive(Clone, Debug, PartialEq)]
pub struct Spread {
    /// Sweeps made.
    pub sweeps: u32,
    /// 2 q N: the predicted mean square of the distance, in units of d².
    pub predicted: f64,
    /// The mean square of the distance.
    pub measured: Estimate,
    /// The share of the surplus by distance along the chain: (distance, share).
    pub profile: Vec<(f64, f64)>,
}

/// The result.
#[derive(Clone, Debug, PartialEq)]
pub struct SpreadingResult {
    /// q of the order, in the long run.
    pub q: f64,
    /// One for each number of sweeps.
    pub rows: Vec<Spread>,
    /// The width grows as sweeps to this power: ½ if it spreads like heat.
    pub exponent: Option<Estimate>,
}

/// Runs the experiment with a batch of samples for each seed; their random numbers are those of the first one.
///
/// # Errors
/// When a setting makes no sense.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a length that fits")]
pub fn run(sampling: &Sampling, watch: &dyn Progress) -> Result<SpreadingResult, Error> {
    let q = theory_order(ORDER).q();
    let most = f64::from(SWEEPS[SWEEPS.len() - 1]);
    let contacts = (ROOM * (2.0 * q * most).sqrt()).max(80.0).ceil() as u32;
    let bench = Bench::new(ORDER, contacts, sampling.flaw)?;
    let batches: Vec<u64> = (0..u64::from(sampling.seeds)).collect();
    let profiles = side_by_side(&batches, watch, |&batch| {
        Ok::<_, Error>(bench.profiles(sampling.seed, batch * BATCH..(batch + 1) * BATCH))
    })?;
    let middle = bench.from_wall.len() / 2;
    let distance = |contact: usize| contact as f64 - middle as f64;
    let rows: Vec<Spread> = SWEEPS
        .iter()
        .enumerate()
        .map(|(index, &sweeps)| {
            let width = |profile: &[f64]| {
                let squares = profile.iter().enumerate().map(|(i, share)| distance(i) * distance(i) * share);
                squares.sum::<f64>() / profile.iter().sum::<f64>()
            };
            let widths: Vec<f64> = profiles.iter().map(|batch| width(&batch[index])).collect();
            let measured = Estimate::mean(&widths).expect("one batch at least");
            let sum = |contact: usize| profiles.iter().map(|batch| batch[index][contact]).sum::<f64>();
            let mean = |contact: usize| (distance(contact), sum(contact) / profiles.len() as f64);
            let profile = (0..bench.from_wall.len()).map(mean).collect();
            Spread { sweeps, predicted: 2.0 * q * f64::from(sweeps), measured, profile }
        })
        .collect();
    let width = |row: &Spread| {
        let width = row.measured.value.sqrt();
        (f64::from(row.sweeps), Estimate { value: width, error: 0.5 * row.measured.error / width })
    };
    Ok(SpreadingResult { q, exponent: exponent(rows.iter().map(width)), rows })
}

impl Bench {
    /// The mean surplus after each number of sweeps, by contact, of these samples.
    fn profiles(&self, seed: u64, samples: std::ops::Range<u64>) -> Vec<Vec<f64>> {
        let count = (samples.end - samples.start) as f64;
        let mut sums = vec![vec![0.0; self.from_wall.len()]; SWEEPS.len()];
        for sample in samples {
            let mut problem = self.start.clone();
            problem.rows[self.from_wall[self.from_wall.len() / 2]].impulse.normal += SURPLUS;
            let mut made = 0;
            for (sum, &sweeps) in sums.iter_mut().zip(&SWEEPS) {
                self.sweeps(sweeps - made).solve(&mut problem, Seed(seed), (sample << 32) + u64::from(made));
                made = sweeps;
                for (sum, &row) in sum.iter_mut().zip(&self.from_wall) {
                    *sum += (problem.rows[row].impulse.normal - 1.0) / (SURPLUS * count);
                }
            }
        }
        sums
    }
}
