//! All that is compared: the codes, each in several ways.

use crate::ours::{self, Way};
use crate::rapier::{plane_double, plane_single, space_double, space_single};
use crate::scene::{Code, Scene};
use hardgrain::{Dimension, Plane, Space};

/// Rapier's solver iterations: its default, and more.
const ITERATIONS: [u32; 3] = [4, 10, 40];

/// Sweeps of hardgrain: a few, as many as rapier makes by default, and as many as it makes with more iterations.
const SWEEPS: [u32; 5] = [4, 8, 20, 40, 80];

/// Small steps of hardgrain, and sweeps in each: first what rapier makes by default.
const SMALL: [(u32, u32); 4] = [(4, 2), (2, 40), (4, 20), (8, 10)];

/// Accelerated sweeps at most; and where there are few grains, and so time enough, as many as they need.
const ACCELERATED: [u32; 2] = [200, 400];
const FEW: (usize, u32) = (1000, 4000);

/// Factorisations are for chains: in a heap they take seconds a step.
const CHAIN: usize = 100;

/// In the plane.
pub(crate) fn plane(scene: &Scene) -> Vec<Box<dyn Code>> {
    let mut codes = Vec::new();
    codes.extend(ITERATIONS.map(|iterations| plane_single::code(scene, iterations)));
    codes.extend(ITERATIONS.map(|iterations| plane_double::code(scene, iterations)));
    codes.extend(hardgrain::<Plane>(scene));
    codes
}

/// In space.
pub(crate) fn space(scene: &Scene) -> Vec<Box<dyn Code>> {
    let mut codes = Vec::new();
    codes.extend(ITERATIONS.map(|iterations| space_single::code(scene, iterations)));
    codes.extend(ITERATIONS.map(|iterations| space_double::code(scene, iterations)));
    codes.extend(hardgrain::<Space>(scene));
    codes
}

fn hardgrain<D: Dimension>(scene: &Scene) -> impl Iterator<Item = Box<dyn Code>> {
    let coloured = SWEEPS.into_iter().map(|sweeps| Way::Coloured { steps: 1, sweeps });
    let small = SMALL.into_iter().map(|(steps, sweeps)| Way::Coloured { steps, sweeps });
    let mut ways: Vec<Way> = coloured.chain(small).collect();
    ways.extend(ACCELERATED.map(|most| Way::Accelerated { most }));
    if scene.grains.len() <= FEW.0 {
        ways.push(Way::Accelerated { most: FEW.1 });
    }
    if scene.grains.len() <= CHAIN {
        ways.push(Way::Rigid);
    }
    ways.into_iter().map(|way| ours::code::<D>(scene, way))
}
