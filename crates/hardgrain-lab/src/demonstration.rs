//! What goes wrong in a packing at rest, under its own load, when the solver is not the paper's.

use crate::preparation::height;
use crate::ring_down::sweeping;
use crate::watch::Progress;
use hardgrain::{ContactDynamics, Dimension, Engine, Packing, Shock};
use serde::Serialize;

/// Steps of each demonstration.
const STEPS: usize = 1000;

/// A packing at rest is stepped on under its own load.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Demonstration {
    /// Steps made.
    pub steps: u64,
    /// How far the piston sank, in units of d; negative if it was pushed up.
    pub sunk: f64,
    /// Its speed at the end, averaged over the last third, in units of d/h.
    pub speed: f64,
    /// Share of the contacts that were lost.
    pub contacts_lost: f64,
    /// The share of the force network that is gone: half the sum of all changes of normal forces over the sum of forces.
    pub network_lost: f64,
    /// Largest kinetic energy, over the work of the load along a diameter.
    pub kinetic_energy: f64,
    /// If a step could not be made: why.
    pub broke: Option<String>,
    /// The place of the piston after each step, downwards.
    #[serde(skip)]
    pub places: Vec<f64>,
}

/// All of them, at the same number of sweeps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Demonstrations {
    /// N_I.
    pub sweeps: u32,
    /// The paper's way, for comparison: nothing happens.
    pub warm_start: Demonstration,
    /// Each step starts from zero reactions: the piston sinks.
    pub cold_start: Demonstration,
    /// Overlaps are pushed out within a step: the packing is destroyed.
    pub full_gap: Demonstration,
}

/// Shows them on a packing at rest.
pub(crate) fn demonstrate<D: Dimension>(packing: &Packing<D>, sweeps: u32, watch: &dyn Progress) -> Demonstrations {
    let engine = || sweeping::<D>(sweeps, 1);
    Demonstrations {
        sweeps,
        warm_start: follow(packing, engine(), watch),
        cold_start: follow(packing, engine().cold_start(), watch),
        full_gap: follow(packing, engine().shock(Shock::FullGap), watch),
    }
}

/// Half the sum of all changes of normal forces over the sum of those at first.
fn network_lost<D: Dimension>(before: &Packing<D>, after: &Packing<D>) -> f64 {
    let force = |packing: &Packing<D>, identity| {
        let found = packing.memory.binary_search_by_key(&identity, |known| known.identity);
        found.map_or(0.0, |index| packing.memory[index].reaction.normal)
    };
    let sum = before.memory.iter().fold(0.0, |sum, known| sum + known.reaction.normal);
    let changed =
        before.memory.iter().fold(0.0, |sum, known| sum + (known.reaction.normal - force(after, known.identity)).abs());
    let is_new = |known: &&hardgrain::Remembered<D>| {
        before.memory.binary_search_by_key(&known.identity, |known| known.identity).is_err()
    };
    let new = after.memory.iter().filter(is_new).fold(0.0, |sum, known| sum + known.reaction.normal);
    0.5 * (changed + new) / sum
}

fn follow<D: Dimension>(at_rest: &Packing<D>, mut engine: ContactDynamics<D>, watch: &dyn Progress) -> Demonstration {
    let mut packing = at_rest.clone();
    let start = height(&packing);
    let (mut places, mut energy, mut broke) = (vec![0.0], 0.0_f64, None);
    for _ in 0..STEPS {
        if let Err(error) = engine.step(&mut packing) {
            broke = Some(error.to_string());
            break;
        }
        watch.alive();
        places.push(start - height(&packing));
        energy = energy.max(packing.kinetic_energy());
    }
    let steps = places.len() - 1;
    let third = steps.div_ceil(3).max(1).min(steps);
    let speed = if steps > 0 { (places[steps] - places[steps - third]) / third as f64 } else { 0.0 };
    let kept = |identity| packing.memory.binary_search_by_key(&identity, |known| known.identity).is_ok();
    let lost = at_rest.memory.iter().filter(|known| !kept(known.identity)).count();
    Demonstration {
        steps: steps as u64,
        sunk: places[steps],
        speed,
        contacts_lost: lost as f64 / at_rest.memory.len().max(1) as f64,
        network_lost: network_lost(at_rest, &packing),
        kinetic_energy: energy / at_rest.pistons[0].force,
        broke,
        places,
    }
}
