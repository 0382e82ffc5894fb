//! A packing as it lies in a checkpoint: the same for every dimension, every bit kept.

use hardgrain::{
    Components, Dimension, Grain, Identity, Impulse, Label, Material, Motion, Packing, Part, Piston, Remembered,
    Surface, Wall,
};
use serde::{Deserialize, Serialize};
use std::convert::identity;

type Triple = [f64; 3];

/// All that is in a packing.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct PackingState {
    round: RoundState,
    /// Which features of its parts each remembered contact is at; empty if all are 0, as between round grains.
    features: Vec<[u32; 2]>,
}

/// All that is in a packing of round grains. Its bytes are those of format 4, and the hash of a scene depends on them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub(crate) struct RoundState {
    axes: usize,
    step: u64,
    time: f64,
    gravity: Triple,
    /// Periodic axes: which, from, how wide.
    cell: Vec<(usize, f64, f64)>,
    labels: Vec<String>,
    materials: Vec<String>,
    surface: SurfaceState,
    pairs: Vec<PairState>,
    grains: Vec<GrainState>,
    walls: Vec<WallState>,
    pistons: Vec<PistonState>,
    memory: Vec<RememberedState>,
}

/// The law of contacts.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct SurfaceState {
    friction: f64,
    restitution: f64,
}

/// The law of two materials.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct PairState {
    first: u16,
    second: u16,
    surface: SurfaceState,
}

/// Whose a remembered contact is.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
struct IdentityState {
    first: u32,
    /// 0 a grain, 1 a piston, 2 a wall; and its number.
    second: (u8, u32),
    image: [i32; 3],
}

/// Declares what a file keeps of grains, walls, pistons and contacts, in this order: each field with its type in the file and
/// the functions that lead there and back.
macro_rules! states {
    ($($state:ident of $part:ident<$d:ident> { $($field:ident: $kind:ty = $save:expr, $restore:expr;)* })*) => {$(
        #[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
        struct $state {
            $($field: $kind,)*
        }

        impl $state {
            fn from_part<$d: Dimension>(part: &$part<$d>) -> Self {
                Self { $($field: $save(part.$field),)* }
            }

            fn restored<$d: Dimension>(&self) -> $part<$d> {
                $part { $($field: $restore(self.$field),)* }
            }
        }
    )*};
}

states! {
    GrainState of Grain<D> {
        position: Triple = triple, vector;
        velocity: Triple = triple, vector;
        spin: Triple = triple, vector;
        orientation: [f64; 4] = orientation_state::<D>, orientation::<D>;
        turns: [i32; 3] = identity, identity;
        radius: f64 = identity, identity;
        mass: f64 = identity, identity;
        force: Triple = triple, vector;
        material: u16 = material_state, Material;
        label: u32 = label_state, Label;
        motion: u8 = motion_state, motion;
    }
    WallState of Wall<D> {
        point: Triple = triple, vector;
        normal: Triple = triple, vector;
        velocity: Triple = triple, vector;
        material: u16 = material_state, Material;
        label: u32 = label_state, Label;
    }
    PistonState of Piston<D> {
        point: Triple = triple, vector;
        normal: Triple = triple, vector;
        speed: f64 = identity, identity;
        mass: f64 = identity, identity;
        force: f64 = identity, identity;
        material: u16 = material_state, Material;
        label: u32 = label_state, Label;
    }
    RememberedState of Remembered<D> {
        identity: IdentityState = identity_state, contact_identity;
        normal: Triple = triple, vector;
        reaction: (f64, Triple) = reaction_state, reaction;
        approach: Triple = triple, vector;
        taken: f64 = identity, identity;
        gap: f64 = identity, identity;
        stretch: Triple = triple, vector;
    }
}

/// A vector in space, with zeros where the dimension has no axis.
pub(crate) fn triple(components: impl Components<f64>) -> Triple {
    std::array::from_fn(|axis| components.as_slice().get(axis).copied().unwrap_or(0.0))
}

fn vector<V: Components<f64>>(values: Triple) -> V {
    V::from_fn(|axis| values[axis])
}

fn orientation_state<D: Dimension>(orientation: D::Orientation) -> [f64; 4] {
    std::array::from_fn(|i| orientation.as_ref().get(i).copied().unwrap_or(0.0))
}

fn orientation<D: Dimension>(saved: [f64; 4]) -> D::Orientation {
    let mut orientation = D::UPRIGHT;
    orientation.as_mut().iter_mut().zip(saved).for_each(|(component, saved)| *component = saved);
    orientation
}

fn material_state(material: Material) -> u16 {
    material.0
}

fn label_state(label: Label) -> u32 {
    label.0
}

fn motion_state(motion: Motion) -> u8 {
    motion as u8
}

fn motion(number: u8) -> Motion {
    [Motion::Free, Motion::Fixed, Motion::Prescribed][usize::from(number).min(2)]
}

fn identity_state(identity: Identity) -> IdentityState {
    // Features are 0 in this format.
    let second = match identity.second() {
        Part::Grain(index) => (0, index),
        Part::Piston(index) => (1, index),
        Part::Wall(index) => (2, index),
    };
    IdentityState { first: identity.first, second, image: identity.image }
}

fn contact_identity(saved: IdentityState) -> Identity {
    let IdentityState { first, second: (kind, index), image } = saved;
    let part = [Part::Grain, Part::Piston, Part::Wall][usize::from(kind).min(2)];
    Identity::new(first, part(index), image)
}

fn surface_state(surface: Surface) -> SurfaceState {
    SurfaceState { friction: surface.friction, restitution: surface.restitution }
}

fn surface(saved: &SurfaceState) -> Surface {
    Surface { friction: saved.friction, restitution: saved.restitution }
}

fn reaction_state<D: Dimension>(reaction: Impulse<D>) -> (f64, Triple) {
    (reaction.normal, triple(reaction.tangent))
}

fn reaction<D: Dimension>((normal, tangent): (f64, Triple)) -> Impulse<D> {
    Impulse { normal, tangent: vector(tangent) }
}

impl PackingState {
    /// The state of a packing.
    #[inline(never)]
    pub fn from_packing<D: Dimension>(packing: &Packing<D>) -> Self {
        let materials = &packing.materials;
        let numbers =
            || (0..materials.names().len()).map(|index| u16::try_from(index).expect("at most 1000 materials"));
        let pairs = numbers().flat_map(|a| numbers().filter(move |&b| a <= b).map(move |b| (a, b)));
        let own = |(first, second)| {
            let surface = materials.own_pair(Material(first), Material(second)).map(surface_state)?;
            Some(PairState { first, second, surface })
        };
        let features = packing.memory.iter().map(|known| known.identity.features());
        let are_round = features.clone().all(|features| features == [0; 2]);
        let round = RoundState {
            axes: D::AXES,
            step: packing.step,
            time: packing.time,
            gravity: triple(packing.gravity),
            cell: packing.cell.periodic_axes().map(|(axis, width)| (axis, packing.cell.lower(axis), width)).collect(),
            labels: packing.labels.names().to_vec(),
            materials: materials.names().to_vec(),
            surface: surface_state(materials.default_surface()),
            pairs: pairs.filter_map(own).collect(),
            grains: packing.grains.iter().map(GrainState::from_part).collect(),
            walls: packing.walls.iter().map(WallState::from_part).collect(),
            pistons: packing.pistons.iter().map(PistonState::from_part).collect(),
            memory: packing.memory.iter().map(RememberedState::from_part).collect(),
        };
        Self { round, features: if are_round { Vec::new() } else { features.collect() } }
    }

    /// That of a packing of round grains.
    pub(crate) fn from_round(round: RoundState) -> Self {
        Self { round, features: Vec::new() }
    }

    /// What the hash of a scene that starts from it depends on.
    pub(crate) fn hashed(&self) -> Vec<u8> {
        let features = self.features.iter().flatten().flat_map(|feature| feature.to_le_bytes());
        postcard::to_stdvec(&self.round).expect("a state is plain data").into_iter().chain(features).collect()
    }

    /// The packing of a state; `None` if it makes no sense or has another dimension. One that [`PackingState::from_packing`] made of a
    /// packing of this dimension does.
    #[inline(never)]
    pub fn packing<D: Dimension>(&self) -> Option<Packing<D>> {
        let saved = &self.round;
        let features_fit = self.features.is_empty() || self.features.len() == saved.memory.len();
        let is_known = |feature: &u32| *feature <= Identity::LAST_FEATURE;
        if saved.axes != D::AXES
            || !saved.memory.iter().all(|known| saved.has(known))
            || !(features_fit && self.features.iter().flatten().all(is_known))
        {
            return None;
        }
        let mut packing = Packing::<D>::new();
        (packing.step, packing.time, packing.gravity) = (saved.step, saved.time, vector(saved.gravity));
        for &(axis, lower, width) in &saved.cell {
            packing.cell = packing.cell.with_period(axis, lower, width).ok()?;
        }
        for name in &saved.labels {
            packing.labels.named(name);
        }
        for name in &saved.materials {
            packing.materials.named(name).ok()?;
        }
        packing.materials.set_default(surface(&saved.surface)).ok()?;
        for pair in &saved.pairs {
            packing.materials.set_pair(Material(pair.first), Material(pair.second), surface(&pair.surface)).ok()?;
        }
        packing.grains = saved.grains.iter().map(GrainState::restored).collect();
        packing.walls = saved.walls.iter().map(WallState::restored).collect();
        packing.pistons = saved.pistons.iter().map(PistonState::restored).collect();
        packing.memory = saved.memory.iter().map(RememberedState::restored).collect();
        if !self.features.is_empty() {
            for (known, features) in packing.memory.iter_mut().zip(&self.features) {
                known.identity = known.identity.with_features(*features);
            }
        }
        Some(packing)
    }
}

impl RoundState {
    /// Whether both sides of a contact are there.
    fn has(&self, known: &RememberedState) -> bool {
        let IdentityState { first, second: (kind, index), .. } = known.identity;
        let count = match kind {
            0 => self.grains.len(),
            1 => self.pistons.len(),
            _ => self.walls.len(),
        };
        (first as usize) < self.grains.len() && (index as usize) < count
    }
}
