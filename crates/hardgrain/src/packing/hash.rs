//! A 64-bit fingerprint of a packing: equal states have equal hashes, on any machine.

use crate::digest::Digest;
use crate::dimension::Dimension;
use crate::packing::Packing;
use crate::packing::contact::Remembered;
use crate::packing::grain::Grain;
use crate::packing::wall::{Piston, Wall};
use crate::vector::Components;

impl<D: Dimension> Packing<D> {
    /// A 64-bit fingerprint of the whole packing: everything that can change a later bit.
    #[inline(never)]
    pub fn state_hash(&self) -> u64 {
        let mut digest = Digest::default();
        digest.word(self.step);
        digest.numbers(&[self.time]);
        digest.numbers(self.gravity.as_slice());
        self.cell.digest(&mut digest);
        self.materials.digest(&mut digest);
        digest.counts(&[self.grains.len(), self.pistons.len(), self.walls.len(), self.memory.len()]);
        self.grains.iter().for_each(|grain| add_grain(&mut digest, grain));
        self.pistons.iter().for_each(|piston| add_piston(&mut digest, piston));
        self.walls.iter().for_each(|wall| add_wall(&mut digest, wall));
        self.memory.iter().for_each(|known| add_contact(&mut digest, known));
        digest.finish()
    }
}

fn add_grain<D: Dimension>(digest: &mut Digest, grain: &Grain<D>) {
    digest.numbers(grain.position.as_slice());
    digest.numbers(grain.velocity.as_slice());
    digest.numbers(grain.spin.as_slice());
    digest.numbers(grain.orientation.as_ref());
    digest.integers(grain.turns);
    digest.numbers(&[grain.radius, grain.mass]);
    digest.numbers(grain.force.as_slice());
    digest.counts(&[grain.motion as usize, grain.material.0.into(), grain.label.0 as usize]);
}

fn add_piston<D: Dimension>(digest: &mut Digest, piston: &Piston<D>) {
    digest.numbers(piston.point.as_slice());
    digest.numbers(piston.normal.as_slice());
    digest.numbers(&[piston.speed, piston.mass, piston.force]);
    digest.counts(&[piston.material.0.into(), piston.label.0 as usize]);
}

fn add_wall<D: Dimension>(digest: &mut Digest, wall: &Wall<D>) {
    digest.numbers(wall.point.as_slice());
    digest.numbers(wall.normal.as_slice());
    digest.numbers(wall.velocity.as_slice());
    digest.counts(&[wall.material.0.into(), wall.label.0 as usize]);
}

fn add_contact<D: Dimension>(digest: &mut Digest, known: &Remembered<D>) {
    let [kind, index] = known.identity.second().kind_and_index();
    digest.counts(&[known.identity.first, kind, index].map(|number| number as usize));
    digest.integers(known.identity.image);
    // Round grains have none, and the hashes that they always had.
    if known.identity.features() != [0, 0] {
        digest.counts(&known.identity.features().map(|feature| feature as usize));
    }
    digest.numbers(known.normal.as_slice());
    digest.numbers(&[known.gap, known.reaction.normal, known.taken]);
    digest.numbers(known.reaction.tangent.as_slice());
    digest.numbers(known.approach.as_slice());
    digest.numbers(known.stretch.as_slice());
}
