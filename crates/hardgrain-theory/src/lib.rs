//! Closed forms for the artificial elasticity of Contact Dynamics, each with its equation.
//!
//! A solver that relaxes contact after contact spreads forces like heat. Stopped after N_I sweeps it leaves rigid grains
//! with the stiffness, the sound and the damping of springs. With grains of diameter d and mass m and a time step h, the
//! reaction R and the velocity v of a chain obey, on scales much larger than d,
//!
//! ```text
//! ∂R/∂t = D ∂²R/∂x² − β ∂v/∂x        D = q N_I d²/h      β = q N_I m d/h²
//! ∂v/∂t = −(d/m) ∂R/∂x
//! ```
//!
//! The first says that a sweep moves each reaction towards the mean of its neighbours plus what the closing speed asks
//! for; the second is Newton's law. Together they are a damped wave equation, ∂²R/∂t² = c² ∂²R/∂x² + D ∂²/∂x² ∂R/∂t with
//! c² = β d/m, and a wave exp(i(k x − Ω t)) has Ω² + i D k² Ω − c² k² = 0.

/// q of the parallel update: every contact moves half of the way to the mean of its two neighbours' reactions, so a
/// disturbance spreads by ½ d² per sweep.
pub const PARALLEL: f64 = 0.5;

/// q of the random sweep: (4√e − 5)/2 ≈ 0.797.
///
/// In a random permutation a contact has already felt its neighbour at distance r with probability 1/(r+1)!, since of the
/// (r+1)! orders of the contacts between them just one passes the news on, and each of the r transfers halves it. So the
/// mean change is the parallel one times 1 + 2 Σ 1/(2^r (r+1)!) = 4√e − 5.
pub fn random_sweep() -> f64 {
    (4.0 * 1.0_f64.exp().sqrt() - 5.0) / 2.0
}

/// A chain of equal grains whose contacts are swept a fixed number of times per step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Chain {
    /// q of the order of the sweeps.
    pub q: f64,
    /// Sweeps per step, N_I.
    pub sweeps: f64,
    /// Time step h.
    pub step: f64,
    /// Diameter of a grain, d.
    pub diameter: f64,
}

impl Chain {
    /// D = q N_I d²/h: how fast forces spread.
    pub fn diffusion(&self) -> f64 {
        self.q * self.sweeps * self.diameter * self.diameter / self.step
    }

    /// c = √(q N_I) d/h: infinite for rigid grains, finite for a solver that stops.
    pub fn sound_speed(&self) -> f64 {
        (self.q * self.sweeps).sqrt() * self.diameter / self.step
    }

    /// ω(k) = k √(c² − D²k²/4), the real part of Ω; `None` beyond k_c = 2c/D, where nothing oscillates.
    pub fn frequency(&self, wave_number: f64) -> Option<f64> {
        let (c, damping) = (self.sound_speed(), self.diffusion() * wave_number / 2.0);
        let square = c * c - damping * damping;
        (square >= 0.0).then(|| wave_number * square.sqrt())
    }

    /// τ(k) = 2/(D k²), one over the imaginary part of Ω.
    pub fn damping_time(&self, wave_number: f64) -> f64 {
        2.0 / (self.diffusion() * wave_number * wave_number)
    }
}

/// k = π/(2L): the longest wave of a chain of length L that is held at one end and free at the other.
pub fn quarter_wave(length: f64) -> f64 {
    std::f64::consts::FRAC_PI_2 / length
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_sum_of_the_appendix_is_its_closed_form() {
        let (mut sum, mut term) = (1.0, 1.0);
        for r in 1..30 {
            // 2/(2^r (r+1)!), each from the one before.
            term /= 2.0 * f64::from(r + 1);
            sum += 2.0 * term;
        }
        assert!((sum / 2.0 - random_sweep()).abs() < 1e-15);
    }

    #[test]
    fn frequency_and_damping_solve_the_wave_equation() {
        let chain = Chain { q: random_sweep(), sweeps: 40.0, step: 0.5, diameter: 2.0 };
        let (c, d) = (chain.sound_speed(), chain.diffusion());
        for k in [0.001, 0.01, 0.05] {
            let (omega, decay) = (chain.frequency(k).unwrap(), 1.0 / chain.damping_time(k));
            // Ω = ω − i/τ in Ω² + i D k² Ω − c² k² = 0: real and imaginary part.
            let real = omega * omega - decay * decay + d * k * k * decay - c * c * k * k;
            let imaginary = -2.0 * omega * decay + d * k * k * omega;
            assert!(real.abs() < 1e-12 * c * c * k * k && imaginary.abs() < 1e-12 * omega * omega);
        }
        assert_eq!(chain.frequency(2.1 * c / d), None);
    }
}
