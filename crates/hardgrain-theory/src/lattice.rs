//! The same chain without the continuum: grain by grain, step by step.

use crate::order::SweepOrder;

/// A chain of equal grains, its contacts swept a whole number of times a step. All formulas need only the phase k d
/// between neighbours and the step h; the mass does not enter.
///
/// ```
/// use hardgrain_theory::{Lattice, SweepOrder, standing_wave};
/// let chain = Lattice { order: SweepOrder::RandomSweep, sweeps: 40, step: 1.0, diameter: 1.0 };
/// let k = standing_wave(1, 50.0);
/// assert!((chain.frequency(k).unwrap() - 0.17696).abs() < 1e-5);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Lattice {
    /// The order of the sweeps.
    pub order: SweepOrder,
    /// Sweeps a step, N_I.
    pub sweeps: u32,
    /// Time step h.
    pub step: f64,
    /// Diameter of a grain, d.
    pub diameter: f64,
}

impl Lattice {
    /// s = ρ^{N_I}: what a step's sweeps leave of a force error of this wave number.
    pub fn survival(&self, wavenumber: f64) -> f64 {
        let (sign, log) = self.log_survival(wavenumber);
        sign * log.exp()
    }

    /// The sign of s and ln |s|, which many sweeps do not underflow.
    fn log_survival(&self, wavenumber: f64) -> (f64, f64) {
        let left = self.order.survival(wavenumber * self.diameter);
        let sign = if left < 0.0 && self.sweeps % 2 == 1 { -1.0 } else { 1.0 };
        (sign, f64::from(self.sweeps) * left.abs().ln())
    }

    /// ln s where 0 < s < 1, where there is something that oscillates.
    fn oscillating(&self, wavenumber: f64) -> Option<f64> {
        let (sign, log) = self.log_survival(wavenumber);
        (sign > 0.0 && log.is_finite() && log < 0.0).then_some(log)
    }

    /// ω = arccos(√s)/h; `None` where nothing oscillates, s ≤ 0.
    pub fn frequency(&self, wavenumber: f64) -> Option<f64> {
        // sin² = 1 − s keeps its digits where s is close to 1.
        let turn = |log: f64| (-log.exp_m1()).sqrt().atan2((0.5 * log).exp());
        self.oscillating(wavenumber).map(|log| turn(log) / self.step)
    }

    /// τ = −2h/ln s; `None` where nothing oscillates, s ≤ 0.
    pub fn damping_time(&self, wavenumber: f64) -> Option<f64> {
        self.oscillating(wavenumber).map(|log| -2.0 * self.step / log)
    }

    /// The modulus of what a step multiplies a mode by: √s, and |s| + √(s² − s) where s < 0. Above 1 the mode grows.
    pub fn growth(&self, wavenumber: f64) -> f64 {
        let s = self.survival(wavenumber);
        if s < 0.0 { -s + (s * s - s).sqrt() } else { s.sqrt() }
    }

    /// How far the free end of a row of n grains at a wall moves when the load on it is raised by one and all is at rest
    /// again, in units of h²/m; springs would give (n − ½)/κ.
    ///
    /// A load changes all reactions alike. As a sum of standing waves cos(k d i), half of the first contact belonging to the
    /// mirror, and with s/(1 − s) for what a wave moves until its reactions carry the load, that is
    ///
    /// ```text
    /// (2/n) Σ_k cos²(kd/2) s/(1 − s)
    /// ```
    ///
    /// For long waves s/(1 − s) is the spring's 1/(q N_I k²d²); short ones are carried within a step and give way to nothing.
    pub fn compliance(&self, grains: u32) -> f64 {
        let length = f64::from(grains) * self.diameter;
        let way = |mode: u32| {
            let k = crate::standing_wave(mode, length);
            let (sign, log) = self.log_survival(k);
            let moved = if sign > 0.0 { 1.0 / (-log).exp_m1() } else { -1.0 / ((-log).exp() + 1.0) };
            (0.5 * k * self.diameter).cos().powi(2) * moved
        };
        2.0 / f64::from(grains) * (1..=grains).map(way).sum::<f64>()
    }

    /// Whether no standing wave of a chain of `grains` grains grows.
    pub fn is_stable(&self, grains: u32) -> bool {
        let length = f64::from(grains) * self.diameter;
        (1..=grains).all(|mode| self.growth(crate::standing_wave(mode, length)) <= 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Continuum, standing_wave};

    fn chain(order: SweepOrder, sweeps: u32) -> Lattice {
        Lattice { order, sweeps, step: 0.5, diameter: 2.0 }
    }

    /// Eigenvalue by brute force: the two-by-two map of a step, many times.
    fn iterate(s: f64, steps: i32) -> (f64, f64) {
        (0..steps).fold((0.3, 1.0), |(r, exact), _| (s * r + (1.0 - s) * exact, s * (exact - r)))
    }

    /// Three grains at a wall, all contacts swept at once, step by step: the overlaps when a load of one has come to rest.
    #[test]
    fn the_compliance_is_that_of_a_row_of_three() {
        let lattice = chain(SweepOrder::Parallel, 2);
        // Contacts: wall, first, second. What relaxing all of them at once makes of reactions that should be r*.
        let sweep = |r: [f64; 3], exact: [f64; 3]| {
            let e = [r[0] - exact[0], r[1] - exact[1], r[2] - exact[2]];
            [exact[0] + e[1], exact[1] + 0.5 * (e[0] + e[2]), exact[2] + 0.5 * e[1]]
        };
        let (mut r, mut exact, mut way) = ([0.0; 3], [1.0; 3], 0.0);
        for _ in 0..10_000 {
            r = sweep(sweep(r, exact), exact);
            let left: [f64; 3] = std::array::from_fn(|i| exact[i] - r[i]);
            // W times what is missing: the last grain moves by the sum of all overlaps, which is what its own contact lacks.
            way += left[2];
            exact = left.map(|left| 1.0 + left);
        }
        assert!((lattice.compliance(3) / way - 1.0).abs() < 1e-10, "{} {way}", lattice.compliance(3));
    }

    #[test]
    fn frequency_and_damping_are_those_of_the_map() {
        let lattice = chain(SweepOrder::RandomSweep, 10);
        let k = 0.1;
        let s = lattice.survival(k);
        let (turn, decay) = (lattice.frequency(k).unwrap() * 0.5, (-0.5 / lattice.damping_time(k).unwrap()).exp());
        // x(t) = decay^t cos(turn t + φ) obeys x(t+1) = 2 decay cos(turn) x(t) − decay² x(t−1).
        let [a, b, c] = [5, 6, 7].map(|t| iterate(s, t).0);
        assert!((c - 2.0 * decay * turn.cos() * b + decay * decay * a).abs() < 1e-14);
        assert!((lattice.growth(k) - decay).abs() < 1e-14);
    }

    #[test]
    fn long_waves_are_the_continuum() {
        for order in [
            SweepOrder::Parallel,
            SweepOrder::RandomSweep,
            SweepOrder::RandomSequential,
            SweepOrder::Forward,
            SweepOrder::Symmetric,
            SweepOrder::Coloured,
        ] {
            let lattice = chain(order, 20);
            let continuum = Continuum { q: order.q(), sweeps: 20.0, step: 0.5, mass: 1.0, diameter: 2.0 };
            let k = 1e-3;
            let ratio = lattice.frequency(k).unwrap() / continuum.frequency(k).unwrap();
            assert!((ratio - 1.0).abs() < 1e-4, "{order:?}: {ratio}");
            let ratio = lattice.damping_time(k).unwrap() / continuum.damping_time(k);
            assert!((ratio - 1.0).abs() < 1e-4, "{order:?}: {ratio}");
        }
    }

    #[test]
    fn near_the_critical_wave_the_frequency_goes_to_a_quarter_turn_a_step() {
        let lattice = chain(SweepOrder::RandomSweep, 100);
        let continuum =
            Continuum { q: SweepOrder::RandomSweep.q(), sweeps: 100.0, step: 0.5, mass: 1.0, diameter: 2.0 };
        let k_c = continuum.critical_wavenumber();
        let error =
            |share: f64| continuum.frequency(share * k_c).unwrap() / lattice.frequency(share * k_c).unwrap() - 1.0;
        for (share, expected) in [(0.2, -0.008), (1.0 / 3.0, -0.02), (0.5, -0.06), (0.86, -0.35)] {
            assert!((error(share) / expected - 1.0).abs() < 0.25, "{share}: {}", error(share));
        }
        assert!((lattice.frequency(2.0 * k_c).unwrap() * 0.5 / std::f64::consts::FRAC_PI_2 - 1.0).abs() < 0.01);
        // The paper's damping time holds.
        let tau = lattice.damping_time(0.86 * k_c).unwrap() / continuum.damping_time(0.86 * k_c);
        assert!((tau - 1.0).abs() < 0.01, "{tau}");
    }

    #[test]
    fn an_odd_number_of_parallel_sweeps_lets_short_waves_grow() {
        assert!(chain(SweepOrder::Parallel, 40).is_stable(50));
        let odd = chain(SweepOrder::Parallel, 41);
        assert!(!odd.is_stable(50));
        let k = standing_wave(50, 100.0);
        assert!(odd.frequency(k).is_none() && odd.growth(k) > 2.0);
        let (s, steps) = (odd.survival(k), 40);
        let ratio = iterate(s, steps + 1).0 / iterate(s, steps).0;
        assert!((ratio + odd.growth(k)).abs() < 1e-9, "{ratio}");
        for order in [
            SweepOrder::RandomSweep,
            SweepOrder::RandomSequential,
            SweepOrder::Forward,
            SweepOrder::Symmetric,
            SweepOrder::Coloured,
        ] {
            assert!(chain(order, 1).is_stable(50) && chain(order, 41).is_stable(50));
        }
    }
}
