//! The inverse problem: the step and the number of sweeps that mimic given springs.

use crate::contact;
use crate::order::SweepOrder;

/// The springs κ = q m N_I/h² and γ = q m N_I/h, solved for h and N_I: γ/κ = h and γ²/κ = q m N_I.
///
/// ```
/// use hardgrain_theory::{Imitation, SweepOrder};
/// let springs = Imitation::from_springs(1000.0, 40.0, 0.1, SweepOrder::RandomSweep);
/// assert_eq!(springs.step, 0.04);
/// assert!((springs.sweeps - 20.06).abs() < 0.01);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Imitation {
    /// Time step h = γ/κ.
    pub step: f64,
    /// Sweeps a step N_I = γ²/(q m κ), before rounding. Below 1 the springs are damped too weakly to be mimicked.
    pub sweeps: f64,
    mass: f64,
    order: SweepOrder,
}

impl Imitation {
    /// The step and the sweeps that act like springs of this stiffness and damping between grains of this mass.
    pub fn from_springs(stiffness: f64, damping: f64, mass: f64, order: SweepOrder) -> Self {
        let sweeps = damping * damping / (order.q() * mass * stiffness);
        Self { step: damping / stiffness, sweeps, mass, order }
    }

    /// The nearest possible number of sweeps: at least one; even for [parallel](SweepOrder::Parallel) ones, as odd numbers of
    /// them let short waves grow.
    pub fn sweeps_rounded(&self) -> f64 {
        let unit = if self.order == SweepOrder::Parallel { 2.0 } else { 1.0 };
        unit * (self.sweeps / unit).round().max(1.0)
    }

    /// The least damping √(q m κ) that can be mimicked, with one sweep: 0.89 √(mκ) for the random sweep.
    pub fn least_damping(stiffness: f64, mass: f64, order: SweepOrder) -> f64 {
        (order.q() * mass * stiffness).sqrt()
    }

    /// Stiffness and damping with the rounded number of sweeps.
    pub fn springs(&self) -> (f64, f64) {
        let (sweeps, inverse_mass) = (self.sweeps_rounded(), 2.0 / self.mass);
        let of = [contact::stiffness, contact::damping].map(|of| of(self.order.q(), sweeps, self.step, inverse_mass));
        (of[0], of[1])
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Continuum;

    #[test]
    fn imitating_the_springs_of_a_chain_gives_the_chain() {
        let chain = Continuum { q: SweepOrder::RandomSweep.q(), sweeps: 40.0, step: 0.02, mass: 3.0, diameter: 1.0 };
        let found = Imitation::from_springs(chain.stiffness(), chain.damping(), 3.0, SweepOrder::RandomSweep);
        assert!((found.step / 0.02 - 1.0).abs() < 1e-14 && (found.sweeps / 40.0 - 1.0).abs() < 1e-14);
        let (kappa, gamma) = found.springs();
        assert!((kappa / chain.stiffness() - 1.0).abs() < 1e-14 && (gamma / chain.damping() - 1.0).abs() < 1e-14);
    }

    #[test]
    fn the_least_damping_takes_one_sweep() {
        let order = SweepOrder::RandomSweep;
        let least = Imitation::least_damping(500.0, 2.0, order);
        assert!((Imitation::from_springs(500.0, least, 2.0, order).sweeps - 1.0).abs() < 1e-14);
        assert!((least / 1000.0_f64.sqrt() - 0.893).abs() < 1e-3);
        assert_eq!(Imitation::from_springs(500.0, 0.1 * least, 2.0, order).sweeps_rounded(), 1.0);
    }

    #[test]
    fn parallel_sweeps_are_rounded_to_even_numbers() {
        // κ = m = 1: N_I = 2γ².
        for (sweeps, rounded) in [(0.3, 2.0), (3.2, 4.0), (16.9, 16.0), (17.1, 18.0)] {
            let damping = (0.5_f64 * sweeps).sqrt();
            assert_eq!(Imitation::from_springs(1.0, damping, 1.0, SweepOrder::Parallel).sweeps_rounded(), rounded);
        }
    }
}
