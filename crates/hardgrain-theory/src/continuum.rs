//! The paper's continuum: a chain of equal grains on scales much larger than a grain and a step.

/// A chain of equal grains whose contacts are swept a fixed number of times a step.
///
/// ```
/// use hardgrain_theory::{Continuum, SweepOrder, standing_wave};
/// // The experiment of the paper: fifty grains, forty sweeps, in units of grain and step.
/// let chain = Continuum { q: SweepOrder::RandomSweep.q(), sweeps: 40.0, step: 1.0, mass: 1.0, diameter: 1.0 };
/// let k = standing_wave(1, 50.0);
/// assert!((chain.frequency(k).unwrap() - 0.1767).abs() < 1e-4);
/// assert!((chain.damping_time(k) - 63.5).abs() < 0.1);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Continuum {
    /// q of the order of the sweeps.
    pub q: f64,
    /// Sweeps a step, N_I.
    pub sweeps: f64,
    /// Time step h.
    pub step: f64,
    /// Mass of a grain, m.
    pub mass: f64,
    /// Diameter of a grain, d.
    pub diameter: f64,
}

impl Continuum {
    /// D = q N_I d²/h: how fast forces spread.
    pub fn diffusion(&self) -> f64 {
        self.q * self.sweeps * self.diameter * self.diameter / self.step
    }

    /// β = q N_I m d/h²: how strongly a closing speed drives them.
    pub fn drive(&self) -> f64 {
        self.q * self.sweeps * self.mass * self.diameter / (self.step * self.step)
    }

    /// c = √(β d/m) = √(q N_I) d/h: infinite for rigid grains, finite for a solver that stops.
    pub fn sound_speed(&self) -> f64 {
        (self.q * self.sweeps).sqrt() * self.diameter / self.step
    }

    /// k_c = 2c/D = 2/(√(q N_I) d): shorter waves do not oscillate, says the continuum.
    pub fn critical_wavenumber(&self) -> f64 {
        2.0 * self.sound_speed() / self.diffusion()
    }

    /// λ_c = 2π/k_c = π √(q N_I) d.
    pub fn critical_wavelength(&self) -> f64 {
        std::f64::consts::TAU / self.critical_wavenumber()
    }

    /// ω(k) = k √(c² − D²k²/4), the real part of Ω; `None` beyond k_c, where nothing oscillates.
    pub fn frequency(&self, wavenumber: f64) -> Option<f64> {
        let (c, damping) = (self.sound_speed(), self.diffusion() * wavenumber / 2.0);
        let square = c * c - damping * damping;
        (square >= 0.0).then(|| wavenumber * square.sqrt())
    }

    /// τ(k) = 2/(D k²), one over the imaginary part of Ω.
    pub fn damping_time(&self, wavenumber: f64) -> f64 {
        2.0 / (self.diffusion() * wavenumber * wavenumber)
    }

    /// κ = q m N_I/h². Springs R = −κ ξ − γ dξ/dt between the grains obey, in the continuum,
    /// ∂R/∂t = (γ d²/m) ∂²R/∂x² − κ d ∂v/∂x: equal to the sweeps' law if γ d²/m = D and κ d = β.
    pub fn stiffness(&self) -> f64 {
        self.drive() / self.diameter
    }

    /// γ = q m N_I/h: the dashpot beside the spring κ; see [`stiffness`](Self::stiffness).
    pub fn damping(&self) -> f64 {
        self.diffusion() * self.mass / (self.diameter * self.diameter)
    }

    /// √(D h) = √(q N_I) d: how far one step's sweeps carry a force.
    pub fn reach(&self) -> f64 {
        (self.diffusion() * self.step).sqrt()
    }
}

/// k = (2j − 1)π/(2L): the standing wave number j = 1, 2, … of a chain of length L that is held at one end and free at the
/// other. For n grains L = n d.
pub fn standing_wave(mode: u32, length: f64) -> f64 {
    (2.0 * f64::from(mode) - 1.0) * std::f64::consts::FRAC_PI_2 / length
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::SweepOrder;

    const CHAIN: Continuum = Continuum { q: 0.8, sweeps: 40.0, step: 0.5, mass: 3.0, diameter: 2.0 };

    #[test]
    fn frequency_and_damping_solve_the_wave_equation() {
        let (c, d) = (CHAIN.sound_speed(), CHAIN.diffusion());
        for k in [0.001, 0.01, 0.05] {
            let (omega, decay) = (CHAIN.frequency(k).unwrap(), 1.0 / CHAIN.damping_time(k));
            // Ω = ω − i/τ in Ω² + i D k² Ω − c² k² = 0: real and imaginary part.
            let real = omega * omega - decay * decay + d * k * k * decay - c * c * k * k;
            let imaginary = -2.0 * omega * decay + d * k * k * omega;
            assert!(real.abs() < 1e-12 * c * c * k * k && imaginary.abs() < 1e-12 * omega * omega);
        }
        let k_c = CHAIN.critical_wavenumber();
        assert!(CHAIN.frequency(0.999 * k_c).is_some() && CHAIN.frequency(1.001 * k_c).is_none());
    }

    #[test]
    fn springs_and_sweeps_have_the_same_wave_equation() {
        let Continuum { mass, diameter, step, .. } = CHAIN;
        let (kappa, gamma) = (CHAIN.stiffness(), CHAIN.damping());
        assert!((kappa - CHAIN.q * mass * CHAIN.sweeps / (step * step)).abs() < 1e-12 * kappa);
        assert!((gamma - CHAIN.q * mass * CHAIN.sweeps / step).abs() < 1e-12 * gamma);
        // A chain of springs has c = d √(κ/m).
        assert!((CHAIN.sound_speed() - diameter * (kappa / mass).sqrt()).abs() < 1e-12 * CHAIN.sound_speed());
        assert!((CHAIN.drive() * diameter / mass - CHAIN.sound_speed().powi(2)).abs() < 1e-9);
    }

    #[test]
    fn sound_covers_the_reach_in_a_step_and_the_critical_wave_is_pi_of_them() {
        let chain = Continuum { q: SweepOrder::RandomSweep.q(), ..CHAIN };
        assert!((chain.sound_speed() * chain.step / chain.reach() - 1.0).abs() < 1e-14);
        assert!((chain.critical_wavelength() / chain.reach() / std::f64::consts::PI - 1.0).abs() < 1e-14);
    }
}
