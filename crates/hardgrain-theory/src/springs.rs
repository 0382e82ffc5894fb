//! A row of soft grains: springs and dashpots between equal masses, as in molecular dynamics.
//!
//! A grain at x_i = (i − ½) d obeys m ü_i = κ (u_{i+1} − 2u_i + u_{i−1}) + γ (the same of u̇). A wave sin kx of it has
//!
//! ```text
//! Ω² = (4κ/m) sin²(kd/2)        Γ = (4γ/m) sin²(kd/2)        ω = √(Ω² − Γ²/4)        τ = 2/Γ
//! ```
//!
//! exactly. A contact with the wall at 0 of twice the stiffness and damping is the mirror image of the row, so the row of n
//! grains that is held there and free at its other end has k = (2j − 1)π/(2L) with L = n d, like the rigid one.

/// A row of equal soft grains.
///
/// ```
/// use hardgrain_theory::{Continuum, SweepOrder, SpringChain, standing_wave};
/// // The springs of forty sweeps ring like forty sweeps.
/// let rigid = Continuum { q: SweepOrder::RandomSweep.q(), sweeps: 40.0, step: 1.0, mass: 1.0, diameter: 1.0 };
/// let soft = SpringChain { stiffness: rigid.stiffness(), damping: rigid.damping(), mass: 1.0, diameter: 1.0 };
/// let k = standing_wave(1, 50.0);
/// assert!((soft.frequency(k).unwrap() / rigid.frequency(k).unwrap() - 1.0).abs() < 1e-3);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SpringChain {
    /// κ between two grains.
    pub stiffness: f64,
    /// γ between two grains.
    pub damping: f64,
    /// m.
    pub mass: f64,
    /// d.
    pub diameter: f64,
}

impl SpringChain {
    /// c = √(κ/m) d, for long waves.
    pub fn sound_speed(&self) -> f64 {
        (self.stiffness / self.mass).sqrt() * self.diameter
    }

    /// 4 sin²(kd/2)/m.
    fn inverse_mass(&self, wavenumber: f64) -> f64 {
        let sine = (0.5 * wavenumber * self.diameter).sin();
        4.0 * sine * sine / self.mass
    }

    /// ω(k); nothing where the wave is over-damped.
    pub fn frequency(&self, wavenumber: f64) -> Option<f64> {
        let w = self.inverse_mass(wavenumber);
        let (square, half) = (self.stiffness * w, 0.5 * self.damping * w);
        (square > half * half).then(|| (square - half * half).sqrt())
    }

    /// τ(k); nothing without damping.
    pub fn damping_time(&self, wavenumber: f64) -> Option<f64> {
        let rate = self.damping * self.inverse_mass(wavenumber);
        (rate > 0.0).then(|| 2.0 / rate)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::standing_wave;

    #[test]
    fn one_grain_at_a_wall_is_a_pendulum_of_twice_the_spring() {
        let chain = SpringChain { stiffness: 3.0, damping: 0.2, mass: 0.5, diameter: 1.0 };
        let k = standing_wave(1, 1.0);
        // m ü = −2κ u − 2γ u̇.
        let (square, rate) = (2.0 * 3.0 / 0.5, 2.0 * 0.2 / 0.5);
        assert!((chain.frequency(k).unwrap() - f64::sqrt(square - 0.25 * rate * rate)).abs() < 1e-12);
        assert!((chain.damping_time(k).unwrap() - 2.0 / rate).abs() < 1e-12);
        let heavy = SpringChain { damping: 20.0, ..chain };
        assert!(heavy.frequency(k).is_none());
        assert!(SpringChain { damping: 0.0, ..chain }.damping_time(k).is_none());
    }
}
