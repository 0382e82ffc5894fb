//! The collision of two grains with a spring and a dashpot that never pull: contact time and restitution.
//!
//! With the mass M = 1/w that a contact moves, ω₀² = κ/M and β = γ/(2M), the overlap obeys ξ̈ + 2βξ̇ + ω₀²ξ = 0 from ξ = 0
//! and ξ̇ = v on. The collision does not end when the overlap is gone but earlier, when the force κξ + γξ̇ would begin to
//! pull (Schwager and Pöschel 2007): 2βξ̇ = −ω₀²ξ. With ξ = (v/ω) e^{−βt} sin ωt and ω² = ω₀² − β² that is
//!
//! ```text
//! tan ωt_c = −2βω/(ω² − β²)        e = e^{−β t_c}
//! ```
//!
//! and for β > ω₀, with Ω² = β² − ω₀², t_c = (1/Ω) ln((β + Ω)/(β − Ω)) and the same e.

use std::f64::consts::PI;

/// A spring and a dashpot, divided by the mass they move.
///
/// ```
/// use hardgrain_theory::Collision;
/// let steel = Collision::with(0.9, 1e-3);
/// assert!((steel.restitution() - 0.9).abs() < 1e-12 && (steel.contact_time() - 1e-3).abs() < 1e-15);
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Collision {
    /// κ/M = κ w.
    pub stiffness_per_mass: f64,
    /// γ/M = γ w.
    pub damping_per_mass: f64,
}

impl Collision {
    /// A contact with this stiffness and damping that moves the mass 1/w.
    pub fn new(stiffness: f64, damping: f64, inverse_mass: f64) -> Self {
        Self { stiffness_per_mass: stiffness * inverse_mass, damping_per_mass: damping * inverse_mass }
    }

    /// The one with this restitution, above 0 and not above 1, and this contact time.
    pub fn with(restitution: f64, contact_time: f64) -> Self {
        // e falls with the damping: at β = x ω₀ it is e^{−x T(x)}, T being the contact time in units of 1/ω₀.
        let (mut least, mut most) = (0.0, 1.0);
        while restitution_at(most) > restitution {
            most *= 2.0;
        }
        for _ in 0..200 {
            let middle = 0.5 * (least + most);
            if restitution_at(middle) > restitution {
                least = middle;
            } else {
                most = middle;
            }
        }
        let ratio = if restitution < 1.0 { 0.5 * (least + most) } else { 0.0 };
        let frequency = time_at(ratio) / contact_time;
        Self { stiffness_per_mass: frequency * frequency, damping_per_mass: 2.0 * ratio * frequency }
    }

    /// β/ω₀: 1 is critical.
    fn ratio(&self) -> f64 {
        0.5 * self.damping_per_mass / self.stiffness_per_mass.sqrt()
    }

    /// t_c.
    pub fn contact_time(&self) -> f64 {
        time_at(self.ratio()) / self.stiffness_per_mass.sqrt()
    }

    /// e: speed after over speed before.
    pub fn restitution(&self) -> f64 {
        restitution_at(self.ratio())
    }
}

/// ω₀ t_c at β = x ω₀.
fn time_at(ratio: f64) -> f64 {
    let square = 1.0 - ratio * ratio;
    // Near critical damping both forms are 0/0; there t_c = 2/β.
    if square.abs() < 1e-8 {
        return 2.0;
    }
    let root = square.abs().sqrt();
    if square > 0.0 {
        (PI - (2.0 * ratio * root).atan2(square - ratio * ratio)) / root
    } else {
        2.0 * (root / ratio).atanh() / root
    }
}

fn restitution_at(ratio: f64) -> f64 {
    (-ratio * time_at(ratio)).exp()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The equation of motion in very small steps.
    fn followed(ratio: f64) -> (f64, f64) {
        let (mut overlap, mut speed, mut time, h) = (0.0, 1.0, 0.0, 1e-5);
        loop {
            // The midpoint rule.
            let (x, v) = (overlap + 0.5 * h * speed, speed - 0.5 * h * (overlap + 2.0 * ratio * speed));
            if time > 0.0 && x + 2.0 * ratio * v < 0.0 {
                return (time, -speed);
            }
            overlap += h * v;
            speed -= h * (x + 2.0 * ratio * v);
            time += h;
        }
    }

    #[test]
    fn closed_forms_follow_the_equation_of_motion() {
        for ratio in [0.0, 0.1, 0.5, 0.707, 0.72, 0.99, 1.0, 1.01, 1.5, 4.0] {
            let (time, speed) = followed(ratio);
            assert!((time_at(ratio) / time - 1.0).abs() < 1e-4, "{ratio}: {} {time}", time_at(ratio));
            assert!((restitution_at(ratio) / speed - 1.0).abs() < 1e-4, "{ratio}: {} {speed}", restitution_at(ratio));
        }
    }

    #[test]
    fn wanted_collisions_are_found() {
        for restitution in [1.0, 0.99, 0.7, 0.3, 0.135, 0.05, 0.001] {
            let found = Collision::with(restitution, 0.02);
            assert!((found.restitution() - restitution).abs() < 1e-9, "{found:?}");
            assert!((found.contact_time() / 0.02 - 1.0).abs() < 1e-9, "{found:?}");
        }
        let steel = Collision::new(1000.0, 0.0, 2.0);
        assert!((steel.contact_time() - PI / 2000.0_f64.sqrt()).abs() < 1e-12 && steel.restitution() == 1.0);
    }
}
