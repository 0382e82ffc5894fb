//! The time series of a run for its report, in at most a few hundred moments: when they are full, neighbours are merged.

use super::energy::EnergyBalance;
use hardgrain::{Status, StepReport};
use serde::{Deserialize, Serialize};

/// Largest number of moments; even.
const MOST: usize = 512;

/// Several successive steps, merged. Lengths, energies and so on are in the units of the scene.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Moment {
    /// Number of steps.
    pub steps: u64,
    /// The time at their end.
    pub time: f64,
    /// Kinetic energy at their end.
    pub kinetic_energy: f64,
    /// Energy dissipated by contacts since the start of the run.
    pub taken: f64,
    /// Energy returned by contacts since then.
    pub given_back: f64,
    /// Work of loads and driven walls since then.
    pub put_in: f64,
    /// Largest residual.
    pub residual: f64,
    /// Largest relative force error: reported by the solver, or bounded by the residual.
    pub force_error: f64,
    /// Largest overlap.
    pub overlap_max: f64,
    /// Largest mean overlap of contacts.
    pub overlap_mean: f64,
    /// Sweeps in total.
    pub sweeps: u64,
    /// Contacts at their end.
    pub contacts: u64,
    /// Steps that missed their tolerance.
    pub not_converged: u64,
}

impl Moment {
    fn from_report(report: &StepReport, time: f64, energy: &EnergyBalance) -> Self {
        Self {
            steps: 1,
            time,
            kinetic_energy: report.kinetic_energy,
            taken: energy.taken,
            given_back: energy.given_back,
            put_in: energy.put_in,
            residual: report.residual,
            force_error: report.force_error,
            overlap_max: report.overlap_max,
            overlap_mean: report.overlap_mean,
            sweeps: u64::from(report.sweeps),
            contacts: report.contacts as u64,
            not_converged: u64::from(report.status == Status::NotConverged),
        }
    }

    /// Merges this moment with the one after it.
    fn and(self, later: Self) -> Self {
        Self {
            steps: self.steps + later.steps,
            residual: self.residual.max(later.residual),
            force_error: self.force_error.max(later.force_error),
            overlap_max: self.overlap_max.max(later.overlap_max),
            overlap_mean: self.overlap_mean.max(later.overlap_mean),
            sweeps: self.sweeps + later.sweeps,
            not_converged: self.not_converged + later.not_converged,
            ..later
        }
    }
}

/// All moments. Each but the last has the same number of steps, a power of two.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct History {
    doublings: u32,
    pub(crate) moments: Vec<Moment>,
}

impl History {
    /// Adds a step.
    pub(crate) fn add(&mut self, report: &StepReport, time: f64, energy: &EnergyBalance) {
        let step = Moment::from_report(report, time, energy);
        if let Some(last) = self.moments.last_mut().filter(|last| last.steps < 1 << self.doublings) {
            *last = last.and(step);
            return;
        }
        if self.moments.len() == MOST {
            self.moments = self.moments.chunks(2).map(|pair| pair[0].and(pair[1])).collect();
            self.doublings += 1;
        }
        self.moments.push(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn report(number: u32) -> StepReport {
        StepReport {
            pairs: 0,
            contacts: number as usize,
            sweeps: 3,
            residual: f64::from(number % 7),
            force_error: 0.0,
            status: Status::FixedSweeps,
            factorisations: 0,
            fell_back: false,
            damping: 1.0,
            overlap_max: 0.0,
            overlap_mean: 0.0,
            missed: 0,
            kinetic_energy: 0.0,
            contact_work: 0.0,
        }
    }

    #[test]
    fn however_long_it_is_told_in_as_few_moments_and_nothing_is_lost() {
        for steps in [1, 511, 512, 513, 1024, 1025, 30_000] {
            let mut history = History::default();
            for step in 1..=steps {
                history.add(&report(step), f64::from(step), &EnergyBalance::default());
            }
            let moments = history.moments;
            assert!(moments.len() <= MOST && moments.len() >= (steps as usize).min(MOST / 2), "{}", moments.len());
            assert_eq!(moments.iter().map(|moment| moment.steps).sum::<u64>(), u64::from(steps));
            assert_eq!(moments.iter().map(|moment| moment.sweeps).sum::<u64>(), 3 * u64::from(steps));
            assert!(moments.windows(2).all(|pair| pair[0].time < pair[1].time && pair[0].steps >= pair[1].steps));
            let last = moments.last().unwrap();
            assert_eq!((last.time, last.contacts), (f64::from(steps), u64::from(steps)));
            let largest = moments.iter().map(|moment| moment.residual).fold(0.0, f64::max);
            assert_eq!(largest, f64::from(steps.min(6)));
        }
    }
}
