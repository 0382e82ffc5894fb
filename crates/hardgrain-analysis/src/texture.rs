//! What a packing looks like inside: who touches whom, how the load is spread, and in which directions.

use hardgrain::{Components, Dimension, Motion, Packing, Part, Remembered};
use nalgebra::{Matrix3, SymmetricEigen};
use serde::Serialize;

/// Bins of the force distribution, in units of the mean normal force, and how many.
const BIN: f64 = 0.25;
const BINS: usize = 24;

/// A contact slides when its tangential force is as large as friction allows, up to this share.
const SLIDES: f64 = 1e-6;

/// The inside of a packing. Contacts are those that carry a load; lengths, forces and so on are in its own units.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Texture {
    /// Free grains.
    pub grains: usize,
    /// Grains with fewer than two contacts: they carry no load.
    pub rattlers: usize,
    /// Contacts, those with walls and pistons included.
    pub contacts: usize,
    /// Contacts with walls and pistons among them.
    pub wall_contacts: usize,
    /// Volume of the grains over that of the container.
    pub solid_fraction: f64,
    /// Contacts of a grain, on average over all.
    pub coordination: f64,
    /// The same without rattlers.
    pub coordination_backbone: Option<f64>,
    /// Fraction of the contacts that slide: their friction is at the Coulomb limit.
    pub sliding: f64,
    /// Mean overlap of contacts over the mean diameter.
    pub overlap_mean: f64,
    /// Largest overlap over the mean diameter.
    pub overlap_max: f64,
    /// The distribution of the normal forces.
    pub forces: ForceDistribution,
    /// Stress σ_ij = Σ f_i ℓ_j / V over contacts, ℓ from centre to centre; pressure counts positive.
    pub stress: Vec<Vec<f64>>,
    /// A third (in the plane: half) of the trace of the stress.
    pub pressure: f64,
    /// (σ₁ − σ₃)/(σ₁ + σ₃) with the largest and the smallest principal stress: 0 in a liquid.
    pub stress_anisotropy: Option<f64>,
    /// The same of the fabric tensor ⟨n n⟩: 0 where contacts point in all directions alike.
    pub fabric_anisotropy: Option<f64>,
}

/// The distribution of normal forces f.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct ForceDistribution {
    /// ⟨f⟩.
    pub mean: f64,
    /// Largest f over ⟨f⟩.
    pub largest: f64,
    /// Share of the contacts with f < ⟨f⟩.
    pub weak: f64,
    /// ⟨f²⟩/⟨f⟩²: 1 if all are equal, 2 for an exponential distribution.
    pub second_moment: f64,
    /// Width of a bin of f/⟨f⟩.
    pub bin: f64,
    /// Probability density of f/⟨f⟩ in each bin, from 0 on; the last one holds all beyond.
    pub density: Vec<f64>,
}

impl Texture {
    /// The share of the contacts of a packing that slide.
    pub fn sliding<D: Dimension>(packing: &Packing<D>) -> f64 {
        let slides = |known: &&Remembered<D>| {
            let friction = packing.surface(known.identity).friction;
            slides(friction, known.reaction.normal, known.reaction.tangent.length_squared().sqrt())
        };
        packing.memory.iter().filter(slides).count() as f64 / packing.memory.len().max(1) as f64
    }

    /// Measures a packing in a container of this volume.
    #[inline(never)]
    pub fn measure<D: Dimension>(packing: &Packing<D>, volume: f64) -> Self {
        let touching = touching(packing);
        let free = |index: usize| packing.grains[index].motion == Motion::Free;
        let is_rattler = |index: usize| free(index) && touching[index] < 2;
        let grains = (0..packing.grains.len()).filter(|&index| free(index)).count();
        let rattlers = (0..packing.grains.len()).filter(|&index| is_rattler(index)).count();
        // Contacts of the backbone are those between grains of it, and of those with walls.
        let ends = |known: &Remembered<D>, counts: &dyn Fn(usize) -> bool| {
            let first = known.identity.first as usize;
            let second = match known.identity.second() {
                Part::Grain(index) => Some(index as usize),
                Part::Piston(_) | Part::Wall(_) => None,
            };
            let all = counts(first) && second.is_none_or(counts);
            if all { usize::from(free(first)) + usize::from(second.is_some_and(free)) } else { 0 }
        };
        let all = packing.memory.iter().fold(0, |sum, known| sum + ends(known, &|_| true));
        let held = packing.memory.iter().fold(0, |sum, known| sum + ends(known, &|index| !is_rattler(index)));
        let solid = packing.grains.iter().fold(0.0, |sum, grain| sum + D::volume(grain.radius));
        let contacts = packing.memory.len();
        let is_wall = |known: &&Remembered<D>| !matches!(known.identity.second(), Part::Grain(_));
        let share = |count: usize, of: usize| if of > 0 { count as f64 / of as f64 } else { 0.0 };
        let (stress, fabric) = tensors(packing, volume);
        let (overlap_mean, overlap_max) = overlaps(packing);
        let forces: Vec<f64> = packing.memory.iter().map(|known| known.reaction.normal).collect();
        Self {
            grains,
            rattlers,
            contacts,
            wall_contacts: packing.memory.iter().filter(is_wall).count(),
            solid_fraction: solid / volume,
            coordination: share(all, grains),
            coordination_backbone: (grains > rattlers).then(|| share(held, grains - rattlers)),
            sliding: Self::sliding(packing),
            overlap_mean,
            overlap_max,
            forces: ForceDistribution::from_forces(&forces),
            pressure: stress.trace() / D::AXES as f64,
            stress_anisotropy: anisotropy::<D>(&stress),
            fabric_anisotropy: anisotropy::<D>(&fabric),
            stress: (0..D::AXES).map(|i| (0..D::AXES).map(|j| stress[(i, j)]).collect()).collect(),
        }
    }
}

/// Whether friction is at the Coulomb limit; false without friction.
fn slides(friction: f64, normal: f64, tangent: f64) -> bool {
    friction > 0.0 && tangent >= friction * normal * (1.0 - SLIDES)
}

/// How many loaded contacts each grain has. One with fewer than two is a rattler.
pub fn touching<D: Dimension>(packing: &Packing<D>) -> Vec<u32> {
    let mut touching = vec![0; packing.grains.len()];
    for known in &packing.memory {
        touching[known.identity.first as usize] += 1;
        if let Part::Grain(second) = known.identity.second() {
            touching[second as usize] += 1;
        }
    }
    touching
}

/// Stress, and the fabric ⟨n n⟩.
fn tensors<D: Dimension>(packing: &Packing<D>, volume: f64) -> (Matrix3<f64>, Matrix3<f64>) {
    let (mut stress, mut fabric) = (Matrix3::zeros(), Matrix3::zeros());
    let weight = 1.0 / packing.memory.len().max(1) as f64;
    for known in &packing.memory {
        let (force, way) = (known.force(), known.touch(packing).branch);
        for i in 0..D::AXES {
            for j in 0..D::AXES {
                stress[(i, j)] += force.as_slice()[i] * way.as_slice()[j] / volume;
                fabric[(i, j)] += weight * known.normal.as_slice()[i] * known.normal.as_slice()[j];
            }
        }
    }
    (stress, fabric)
}

/// The difference of the largest and the smallest principal value over their sum.
fn anisotropy<D: Dimension>(tensor: &Matrix3<f64>) -> Option<f64> {
    let symmetric = (tensor + tensor.transpose()) * 0.5;
    let values = SymmetricEigen::new(symmetric.view((0, 0), (D::AXES, D::AXES)).into_owned()).eigenvalues;
    let (low, high) = (values.min(), values.max());
    (low + high > 0.0).then(|| (high - low) / (high + low))
}

/// Mean and largest overlap of contacts over the mean diameter.
fn overlaps<D: Dimension>(packing: &Packing<D>) -> (f64, f64) {
    let (sum, largest) = packing.memory.iter().fold((0.0, 0.0_f64), |(sum, largest), known| {
        let overlap = (-packing.touch(known.identity).gap).max(0.0);
        (sum + overlap, largest.max(overlap))
    });
    let diameters = packing.grains.iter().fold(0.0, |sum, grain| sum + 2.0 * grain.radius);
    let diameter = diameters / packing.grains.len().max(1) as f64;
    (sum / packing.memory.len().max(1) as f64 / diameter, largest / diameter)
}

impl ForceDistribution {
    /// The distribution of these forces.
    pub fn from_forces(forces: &[f64]) -> Self {
        if forces.is_empty() {
            return Self::default();
        }
        let count = forces.len() as f64;
        let mean = forces.iter().sum::<f64>() / count;
        let mut density = vec![0.0; BINS];
        for force in forces {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "forces are not below 0")]
            let bin = ((force / mean / BIN) as usize).min(BINS - 1);
            density[bin] += 1.0 / (count * BIN);
        }
        Self {
            mean,
            largest: forces.iter().copied().fold(0.0, f64::max) / mean,
            weak: forces.iter().filter(|&&force| force < mean).count() as f64 / count,
            second_moment: forces.iter().map(|force| force * force).sum::<f64>() / count / (mean * mean),
            bin: BIN,
            density,
        }
    }
}
