//! Loads on walls and pistons, compared with the applied load.

use crate::simulation::columns::force_on;
use crate::simulation::drive::group_ranges;
use hardgrain::{Components, Dimension, Motion, Packing, Part};
use hardgrain_io::scene::{Group, Scene, Subject};
use hardgrain_rigid::Certificate;
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// A resultant below this fraction of the sum of all loads has no direction.
const CANCELLED: f64 = 1e-6;

/// The load on a wall or piston at the end.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct BoundaryLoad {
    /// Its label.
    pub label: String,
    /// Normal force on it; for fixed or driven grains the magnitude of the whole force.
    pub load: f64,
    /// Tangential force on it, by friction.
    #[serde(rename = "along")]
    pub tangential: f64,
    /// Force applied to a piston, its weight included.
    pub pressed: Option<f64>,
    /// Uncertainty of load and friction together; none where unknown.
    pub doubt: Option<f64>,
}

/// The loads on all touched walls and pistons. The rigid solver gives uncertainties as impulses.
pub(super) fn boundaries<D: Dimension>(
    scene: &Scene,
    packing: &Packing<D>,
    step: f64,
    certificate: Option<&Certificate>,
) -> Vec<BoundaryLoad> {
    let pistons = scene.pistons.iter().map(|piston| &piston.label).zip((0..).map(Part::Piston));
    let walls = scene.walls.iter().map(|wall| &wall.label).zip((0..).map(Part::Wall));
    let carried = |(label, part): (&String, Part)| {
        let touching = || packing.memory.iter().filter(|known| known.identity.second() == part);
        touching().next()?;
        let tangential =
            touching().fold(D::Vector::default(), |sum, known| sum + D::lift(known.normal, known.reaction.tangent));
        let pressed = match part {
            Part::Piston(number) => {
                let piston = &packing.pistons[number as usize];
                Some(piston.force + piston.mass * packing.gravity.dot(piston.normal))
            }
            _ => None,
        };
        let known = certificate
            .and_then(|known| known.boundaries.iter().find(|known| known.body as usize == packing.body(part)));
        let doubt = known.and_then(|known| known.uncertainty).map(|doubt| doubt / step);
        Some(BoundaryLoad {
            label: label.clone(),
            load: packing.load_on(part),
            tangential: tangential.length(),
            pressed,
            doubt,
        })
    };
    let plates = pistons.chain(walls).filter_map(carried);
    plates.chain(held_grains(scene, packing)).collect()
}

/// The loads on groups of fixed or driven grains: floors, drums.
fn held_grains<D: Dimension>(scene: &Scene, packing: &Packing<D>) -> Vec<BoundaryLoad> {
    let held = |(group, range): (&Group, Range<usize>)| {
        let load = force_on(packing, &Subject::Grains(range))?.length();
        let label = format!("{} (sum over its grains)", group.label);
        Some(BoundaryLoad { label, load, tangential: 0.0, pressed: None, doubt: None })
    };
    group_ranges(scene).filter(|(group, _)| group.motion != Motion::Free).filter_map(held).collect()
}

/// The fraction of the applied load that walls and fixed grains carry. The load is that of all free grains and pistons; none where
/// it cancels.
pub(super) fn carried<D: Dimension>(packing: &Packing<D>) -> Option<f64> {
    let mut load = D::Vector::default();
    let mut all = 0.0;
    let mut pull = |force: D::Vector<f64>| {
        load += force;
        all += force.length();
    };
    let is_free = |number: u32| packing.grains[number as usize].motion == Motion::Free;
    packing.grains.iter().filter(|grain| grain.motion == Motion::Free).for_each(|grain| {
        pull(packing.gravity * grain.mass + grain.force);
    });
    for piston in &packing.pistons {
        pull(piston.normal * (piston.force + piston.mass * packing.gravity.dot(piston.normal)));
    }
    let square = load.length_squared();
    if square <= CANCELLED * CANCELLED * all * all {
        return None;
    }
    let held = packing.memory.iter().fold(0.0, |sum, known| {
        let projection = known.force().dot(load);
        match known.identity.second() {
            Part::Wall(_) => sum + projection,
            Part::Grain(second) if is_free(known.identity.first) && !is_free(second) => sum + projection,
            Part::Grain(second) if is_free(second) && !is_free(known.identity.first) => sum - projection,
            Part::Piston(_) if !is_free(known.identity.first) => sum - projection,
            _ => sum,
        }
    });
    Some(held / square)
}
