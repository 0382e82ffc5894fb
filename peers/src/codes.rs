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

/// Limits of accelerated sweeps, and a limit that is hardly ever reached for scenes small enough.
const ACCELERATED: [u32; 2] = [200, 400];
const UNLIMITED: u32 = 4000;
const SMALL_SCENE: usize = 1000;

/// Factorisations are for chains: in a heap they take seconds a step.
const CHAIN: usize = 100;

/// In the plane.
pub(crate) fn plane(scene: &Scene) -> Vec<Box<dyn Code>> {
    all::<Plane>(scene, [plane_single::code, plane_double::code])
}

/// In space.
pub(crate) fn space(scene: &Scene) -> Vec<Box<dyn Code>> {
    all::<Space>(scene, [space_single::code, space_double::code])
}

/// Makes a code of a scene and a number of solver iterations.
type Peer = fn(&Scene, u32) -> Box<dyn Code>;

fn all<D: Dimension>(scene: &Scene, peers: [Peer; 2]) -> Vec<Box<dyn Code>> {
    let peers = peers.into_iter().flat_map(|peer| ITERATIONS.map(|iterations| peer(scene, iterations)));
    peers.chain(hardgrain::<D>(scene)).collect()
}

fn hardgrain<D: Dimension>(scene: &Scene) -> impl Iterator<Item = Box<dyn Code>> {
    let coloured = SWEEPS.into_iter().map(|sweeps| Way::Coloured { steps: 1, sweeps });
    let small = SMALL.into_iter().map(|(steps, sweeps)| Way::Coloured { steps, sweeps });
    let mut ways: Vec<Way> = coloured.chain(small).collect();
    ways.extend(ACCELERATED.map(|most| Way::Accelerated { most }));
    if scene.grains.len() <= SMALL_SCENE {
        ways.push(Way::Accelerated { most: UNLIMITED });
    }
    if scene.grains.len() <= CHAIN {
        ways.push(Way::Rigid);
    }
    ways.into_iter().map(|way| ours::code::<D>(scene, way))
}
