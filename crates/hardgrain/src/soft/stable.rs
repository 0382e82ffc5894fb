//! The longest step that soft grains bear.
//!
//! With λ = Ω² the largest eigenvalue of M⁻¹K and Γ that of M⁻¹C, both integrators make of every mode
//!
//! ```text
//! z² − (2 − hΓ − h²Ω²) z + 1 − hΓ = 0
//! ```
//!
//! at worst, which stays inside the unit circle for h²Ω² + 2hΓ < 4, that is h < 4/(Γ + √(Γ² + 4Ω²)).
//!
//! Two surfaces move apart by no more than twice what each of them does, so λ is at most twice the largest eigenvalue of
//! one grain's own springs, the neighbours held. A grain touches at most as many of its size as the kissing number Z says,
//! 2, 6 or 12, spread over all directions: Zκ/D along each axis from normal springs, and from tangential ones Zκ_t (D−1)/D
//! for its place and Zκ_t (D−1) m r²/I for its spin, over D in space (three axes share them).

use crate::dimension::Dimension;
use crate::grain::{Grain, Motion};
use crate::packing::Packing;
use crate::real::Real;
use crate::soft::spring::{Scale, Spring, SpringLaw, Springs};
use crate::wall::Piston;

/// By Hertz's law stiffness grows with the overlap. Before anything touches, this share of the smallest radius is assumed.
const OVERLAP: f64 = 0.01;

/// The lightest and the smallest free grain.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Least {
    pub mass: f64,
    pub radius: f64,
}

impl Default for Least {
    fn default() -> Self {
        Self { mass: f64::INFINITY, radius: f64::INFINITY }
    }
}

impl Least {
    /// Of all grains of a packing.
    pub(super) fn of_all<D: Dimension>(packing: &Packing<D>) -> Self {
        packing.grains.iter().map(Self::grain).fold(Self::default(), Self::of)
    }

    fn grain<D: Dimension>(grain: &Grain<D>) -> Self {
        if grain.motion == Motion::Free { Self { mass: grain.mass, radius: grain.radius } } else { Self::default() }
    }

    /// The least of both.
    fn of(self, other: Self) -> Self {
        Self { mass: self.mass.smaller(other.mass), radius: self.radius.smaller(other.radius) }
    }
}

/// The longest stable step of a packing with these springs: from the stiffest of them on the lightest free grain, among
/// as many neighbours as there can be. Springs by Hertz's law are taken where they overlap by a hundredth of a radius.
pub fn largest_step<D: Dimension>(packing: &Packing<D>, springs: &Springs) -> f64 {
    before_contact::<D>(springs, Least::of_all(packing))
}

/// The longest stable step before it is known what touches.
pub(super) fn before_contact<D: Dimension>(springs: &Springs, least: Least) -> f64 {
    let root = match springs.law {
        SpringLaw::Linear => 1.0,
        SpringLaw::Hertz => 1.5 * (OVERLAP * least.radius).sqrt(),
    };
    among_neighbours::<D>(springs, least.mass, root)
}

/// The longest stable step with what touches: all contacts of a piston act together, `lids` being the sums of their
/// stiffness and damping, and by Hertz's law the deepest overlap is the stiffest.
pub(super) fn with_contacts<D: Dimension>(
    springs: &Springs,
    least: Least,
    (lids, pistons): (&[[f64; 2]], &[Piston<D>]),
    overlap: f64,
) -> f64 {
    // Of the two surfaces the grain's may move as well, so twice.
    let lid = |(sums, piston): (&[f64; 2], &Piston<D>)| limit(2.0 * sums[0] / piston.mass, 2.0 * sums[1] / piston.mass);
    let lids = lids.iter().zip(pistons).filter(|(sums, _)| sums[0] > 0.0).map(lid).fold(f64::INFINITY, f64::min);
    match springs.law {
        SpringLaw::Linear => lids,
        SpringLaw::Hertz if overlap == 0.0 => lids,
        SpringLaw::Hertz => lids.min(among_neighbours::<D>(springs, least.mass, 1.5 * overlap.sqrt())),
    }
}

/// The same for springs that are `root` times as stiff.
fn among_neighbours<D: Dimension>(springs: &Springs, mass: f64, root: f64) -> f64 {
    let stiffest = springs.all().fold(Spring::default(), Spring::most);
    let axes = D::AXES as f64;
    let kissing = [0.0, 2.0, 6.0, 12.0][D::AXES];
    let turning = if D::AXES == 3 { 2.0 / 3.0 } else { 1.0 } / D::INERTIA;
    let aside = if D::CHAIN { 0.0 } else { kissing * ((axes - 1.0) / axes + turning) };
    let (normal, tangent) = match springs.scale {
        Scale::Same => (1.0 / mass, 1.0 / mass),
        // Each contact moves at most the mass of the grain along its normal, and along its tangent what w_t says.
        Scale::PerMass => (1.0, 1.0 / (1.0 + 1.0 / D::INERTIA)),
    };
    let both = stiffest.times(root * 2.0 * kissing / axes * normal, root * 2.0 * aside * tangent);
    limit(both.stiffness + both.tangent_stiffness, both.damping + both.tangent_damping)
}

/// The longest step at which a mode with these Ω² and Γ is stable.
fn limit(stiffness: f64, damping: f64) -> f64 {
    4.0 / (damping + (damping * damping + 4.0 * stiffness).sqrt())
}
