//! Conditions for rigid behaviour: the paper's three conditions, the remaining error, and the cost.
//!
//! In a system of length L a step must carry forces from end to end. The paper asks for that in three ways, which agree up
//! to a factor: the sweeps of a step reach L; sound covers L in a step; waves of length L no longer oscillate.

use std::f64::consts::PI;

/// N_I = (L/d)²/q: the reach √(q N_I) d of a step is L, and sound covers L in a step, which is the same.
pub fn sweeps_to_reach(q: f64, grains_long: f64) -> f64 {
    grains_long * grains_long / q
}

/// N_I = (L/d)²/(π² q): the critical wave is as long as the system, λ_c = π √(q N_I) d = L.
pub fn sweeps_to_overdamp(q: f64, grains_long: f64) -> f64 {
    sweeps_to_reach(q, grains_long) / (PI * PI)
}

/// N_I = (4/π²)(L/d)² ln(1/ε)/q: one step's sweeps from zero reactions leave the error ε in the slowest mode of a system
/// held at one end, k = π/(2L), which shrinks like exp(−q N_I k²d²).
pub fn sweeps_for_error(q: f64, grains_long: f64, error: f64) -> f64 {
    4.0 / (PI * PI) * sweeps_to_reach(q, grains_long) * (1.0 / error).ln()
}

/// The force error exp(−(π²/4) q N_I (d/L)²) after `sweeps` sweeps from zero reactions: the inverse of
/// [`sweeps_for_error`].
pub fn error_after(q: f64, grains_long: f64, sweeps: f64) -> f64 {
    (-PI * PI / 4.0 * sweeps / sweeps_to_reach(q, grains_long)).exp()
}

/// The work of a rigid step grows like n to this power: n contacts times N_I ~ (L/d)² ~ n^{2/dimension} sweeps. 3 on the
/// line, 2 in the plane, 5/3 in space; soft grains need n.
pub fn cost_exponent(dimension: u32) -> f64 {
    1.0 + 2.0 / f64::from(dimension)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Continuum, SweepOrder, standing_wave};

    #[test]
    fn the_conditions_are_what_they_say() {
        let q = SweepOrder::RandomSweep.q();
        let chain = |sweeps: f64| Continuum { q, sweeps, step: 0.1, mass: 1.0, diameter: 2.0 };
        let (length, diameter) = (60.0, 2.0);
        let reaching = chain(sweeps_to_reach(q, length / diameter));
        assert!((reaching.reach() / length - 1.0).abs() < 1e-12);
        assert!((reaching.sound_speed() * reaching.step / length - 1.0).abs() < 1e-12);
        let overdamped = chain(sweeps_to_overdamp(q, length / diameter));
        assert!((overdamped.critical_wavelength() / length - 1.0).abs() < 1e-12);
    }

    #[test]
    fn the_error_is_what_diffusion_leaves_of_the_slowest_mode() {
        let (q, grains, sweeps) = (0.5, 40.0, 3000.0);
        let chain = Continuum { q, sweeps, step: 1.0, mass: 1.0, diameter: 1.0 };
        let k = standing_wave(1, grains);
        let left = (-chain.diffusion() * chain.step * k * k).exp();
        assert!((error_after(q, grains, sweeps) / left - 1.0).abs() < 1e-12);
        assert!((sweeps_for_error(q, grains, left) / sweeps - 1.0).abs() < 1e-12);
        // Reaching end to end is not yet exact: about a tenth is missing.
        assert!((error_after(q, grains, sweeps_to_reach(q, grains)) - 0.085).abs() < 0.001);
    }

    #[test]
    fn rigidity_costs_n_squared_in_the_plane_and_n_to_five_thirds_in_space() {
        assert_eq!([1, 2, 3].map(cost_exponent), [3.0, 2.0, 1.0 + 2.0 / 3.0]);
    }
}
