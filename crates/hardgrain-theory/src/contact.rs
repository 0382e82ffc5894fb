//! The apparent springs of single contacts, for grains of any size, walls, normal and tangential.
//!
//! Relaxing one contact alone changes its impulse by −u/w, with u its relative velocity and w its inverse mass; spread
//! over N_I sweeps that propagate changes, by −2 q N_I u/w a step. So the reaction R = p/h obeys ∂R/∂t = … − (2 q N_I/w h²) u:
//! a spring of stiffness κ = 2 q N_I/(w h²), and as both terms of the paper's first equation carry the same q N_I, with the
//! damping γ = κ h. Equal grains have w = 2/m, which gives the paper's κ = q m N_I/h²; a wall has w = 1/m and so twice that.

/// κ = 2 q N_I/(w h²), normal or tangential, for a contact of this inverse mass (1/m_a + 1/m_b in the normal direction).
pub fn stiffness(q: f64, sweeps: f64, step: f64, inverse_mass: f64) -> f64 {
    2.0 * q * sweeps / (inverse_mass * step * step)
}

/// γ = κ h = 2 q N_I/(w h).
pub fn damping(q: f64, sweeps: f64, step: f64, inverse_mass: f64) -> f64 {
    stiffness(q, sweeps, step, inverse_mass) * step
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Continuum, SweepOrder};

    #[test]
    fn equal_grains_have_the_springs_of_the_paper() {
        let chain = Continuum { q: SweepOrder::RandomSweep.q(), sweeps: 40.0, step: 0.1, mass: 3.0, diameter: 2.0 };
        let [kappa, gamma] = [stiffness, damping].map(|of| of(chain.q, 40.0, 0.1, 2.0 / 3.0));
        assert!((kappa / chain.stiffness() - 1.0).abs() < 1e-14 && (gamma / chain.damping() - 1.0).abs() < 1e-14);
        // The wall is immobile and counts as a mirror: twice as stiff.
        assert!((stiffness(chain.q, 40.0, 0.1, 1.0 / 3.0) / kappa - 2.0).abs() < 1e-14);
    }
}
