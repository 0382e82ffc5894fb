//! A 64-bit fingerprint of a packing: equal states have equal hashes, on any machine.

use crate::contact::{Part, Remembered};
use crate::dimension::Dimension;
use crate::grain::{Grain, Motion};
use crate::packing::Packing;
use crate::vector::Components;
use crate::wall::{Piston, Wall};

/// Digests words one after the other. The finaliser of the splitmix generator mixes every bit into every other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digest(u64);

impl Digest {
    fn word(&mut self, word: u64) {
        let mut x = (self.0 ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = x ^ (x >> 31);
    }

    pub(crate) fn numbers(&mut self, numbers: &[f64]) {
        for number in numbers {
            self.word(number.to_bits());
        }
    }

    pub(crate) fn counts(&mut self, counts: &[usize]) {
        for &count in counts {
            self.word(count as u64);
        }
    }

    fn whole(&mut self, numbers: [i32; 3]) {
        for number in numbers {
            self.word(u64::from(number.cast_unsigned()));
        }
    }

    fn grain<D: Dimension>(&mut self, grain: &Grain<D>) {
        self.numbers(grain.position.as_slice());
        self.numbers(grain.velocity.as_slice());
        self.numbers(grain.spin.as_slice());
        self.numbers(grain.orientation.as_ref());
        self.whole(grain.turns);
        self.numbers(&[grain.radius, grain.mass]);
        self.numbers(grain.force.as_slice());
        let motion = match grain.motion {
            Motion::Free => 0,
            Motion::Fixed => 1,
            Motion::Prescribed => 2,
        };
        self.counts(&[motion, grain.material.0.into(), grain.label.0 as usize]);
    }

    fn piston<D: Dimension>(&mut self, piston: &Piston<D>) {
        self.numbers(piston.point.as_slice());
        self.numbers(piston.normal.as_slice());
        self.numbers(&[piston.speed, piston.mass, piston.force]);
        self.counts(&[piston.material.0.into(), piston.label.0 as usize]);
    }

    fn wall<D: Dimension>(&mut self, wall: &Wall<D>) {
        self.numbers(wall.point.as_slice());
        self.numbers(wall.normal.as_slice());
        self.numbers(wall.velocity.as_slice());
        self.counts(&[wall.material.0.into(), wall.label.0 as usize]);
    }

    fn remembered<D: Dimension>(&mut self, known: &Remembered<D>) {
        let (kind, index) = match known.identity.second {
            Part::Grain(index) => (0, index),
            Part::Piston(index) => (1, index),
            Part::Wall(index) => (2, index),
        };
        self.counts(&[known.identity.first as usize, kind, index as usize]);
        self.whole(known.identity.image);
        self.numbers(known.normal.as_slice());
        self.numbers(&[known.gap, known.reaction.normal, known.taken]);
        self.numbers(known.reaction.tangent.as_slice());
        self.numbers(known.approach.as_slice());
        self.numbers(known.stretch.as_slice());
    }
}

impl<D: Dimension> Packing<D> {
    /// A 64-bit fingerprint of the whole packing: everything that can change a later bit.
    #[inline(never)]
    pub fn state_hash(&self) -> u64 {
        let mut digest = Digest(0x9e37_79b9_7f4a_7c15);
        digest.word(self.step);
        digest.numbers(&[self.time]);
        digest.numbers(self.gravity.as_slice());
        self.cell.digest(&mut digest);
        self.materials.digest(&mut digest);
        digest.counts(&[self.grains.len(), self.pistons.len(), self.walls.len(), self.memory.len()]);
        self.grains.iter().for_each(|grain| digest.grain(grain));
        self.pistons.iter().for_each(|piston| digest.piston(piston));
        self.walls.iter().for_each(|wall| digest.wall(wall));
        self.memory.iter().for_each(|known| digest.remembered(known));
        digest.0
    }
}
