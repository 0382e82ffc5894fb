//! The longest stable step of soft grains.
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
//! one grain's own springs, the neighbours held. A grain of radius R touches at most Z others of the smallest radius r there
//! is: 2 on a line, π(R + r)/r in the plane, and in space as many caps of half-angle α, sin α = r/(R + r), as cover 0.907 of
//! a sphere (for equal grains 2, 6.3 and 13.5). Spread over all directions they make Zκ/D along each axis from normal springs,
//! and from tangential ones Zκ_t (D−1)/D for its place and Zκ_t (D−1) m r²/I for its spin, over D in space (three axes share
//! them). What counts is the grain with the largest Z/m.

use crate::dimension::Dimension;
use crate::packing::{Motion, Packing, Piston};
use crate::soft::spring::{Scale, Spring, SpringLaw, Springs};
use crate::tuning::SoftTuning;

/// The extremes among the grains of a packing.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Worst {
    /// The least mass and radius of a free grain.
    pub mass: f64,
    pub radius: f64,
    // The most neighbours that one can have, and the most for its mass.
    neighbours: f64,
    neighbours_per_mass: f64,
}

impl Worst {
    /// Among all grains of a packing.
    pub(super) fn find<D: Dimension>(packing: &Packing<D>) -> Self {
        let smallest = packing.grains.iter().fold(f64::INFINITY, |least, grain| least.min(grain.radius));
        let mut worst = Self { mass: f64::INFINITY, radius: f64::INFINITY, ..Self::default() };
        for grain in packing.grains.iter().filter(|grain| grain.motion == Motion::Free) {
            let neighbours = most_neighbours::<D>(grain.radius, smallest);
            worst.mass = worst.mass.min(grain.mass);
            worst.radius = worst.radius.min(grain.radius);
            worst.neighbours = worst.neighbours.max(neighbours);
            worst.neighbours_per_mass = worst.neighbours_per_mass.max(neighbours / grain.mass);
        }
        worst
    }
}

/// How many grains of the other radius one can touch.
fn most_neighbours<D: Dimension>(radius: f64, other: f64) -> f64 {
    let sine = other / (radius + other);
    match D::AXES {
        1 => 2.0,
        2 => std::f64::consts::PI / sine,
        _ => 2.0 * 0.9069 / (1.0 - (1.0 - sine * sine).sqrt()),
    }
}

/// The longest stable step of a packing with these springs: from the stiffest of them on the lightest free grain for as many
/// neighbours as it can have. Springs by Hertz's law are taken where they overlap by a hundredth of a radius.
#[inline(never)]
pub fn largest_step<D: Dimension>(packing: &Packing<D>, springs: &Springs) -> f64 {
    before_contact::<D>(springs, Worst::find(packing))
}

/// The longest stable step before contacts are known.
pub(super) fn before_contact<D: Dimension>(springs: &Springs, worst: Worst) -> f64 {
    let root = match springs.law {
        SpringLaw::Linear => 1.0,
        SpringLaw::Hertz => 1.5 * (SoftTuning::DEFAULT.first_overlap * worst.radius).sqrt(),
    };
    among_neighbours::<D>(springs, worst, root)
}

/// The longest stable step with the present contacts: those of a piston act together, with the `sums` of their
/// stiffness and damping, and by Hertz's law the deepest overlap is the stiffest.
pub(super) fn with_contacts<D: Dimension>(
    springs: &Springs,
    worst: Worst,
    (sums, pistons): (&[[f64; 2]], &[Piston<D>]),
    overlap: f64,
) -> f64 {
    // Of the two surfaces the grain's may move as well, so twice.
    let piston_limit =
        |(sums, piston): (&[f64; 2], &Piston<D>)| limit(2.0 * sums[0] / piston.mass, 2.0 * sums[1] / piston.mass);
    let pistons =
        sums.iter().zip(pistons).filter(|(sums, _)| sums[0] > 0.0).map(piston_limit).fold(f64::INFINITY, f64::min);
    match springs.law {
        SpringLaw::Linear => pistons,
        SpringLaw::Hertz if overlap == 0.0 => pistons,
        SpringLaw::Hertz => pistons.min(among_neighbours::<D>(springs, worst, 1.5 * overlap.sqrt())),
    }
}

/// The same for springs that are `root` times as stiff.
fn among_neighbours<D: Dimension>(springs: &Springs, worst: Worst, root: f64) -> f64 {
    let stiffest = springs.all().fold(Spring::default(), Spring::most);
    let axes = D::AXES as f64;
    let turning = if D::AXES == 3 { 2.0 / 3.0 } else { 1.0 } / D::INERTIA;
    let tangential = if D::CHAIN { 0.0 } else { (axes - 1.0) / axes + turning };
    let (normal, tangent) = match springs.scale {
        Scale::Same => (worst.neighbours_per_mass, worst.neighbours_per_mass),
        // Each contact moves at most the mass of the grain along its normal, and along its tangent what w_t says.
        Scale::PerMass => (worst.neighbours, worst.neighbours / (1.0 + 1.0 / D::INERTIA)),
    };
    let both = stiffest.times(root * 2.0 / axes * normal, root * 2.0 * tangential * tangent);
    limit(both.stiffness + both.tangent_stiffness, both.damping + both.tangent_damping)
}

/// The longest step at which a mode with these Ω² and Γ is stable.
fn limit(stiffness: f64, damping: f64) -> f64 {
    4.0 / (damping + (damping * damping + 4.0 * stiffness).sqrt())
}
