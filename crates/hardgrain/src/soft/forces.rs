//! The forces of all springs on the bodies: one pass over the list of pairs.

use crate::dimension::Dimension;
use crate::error::{Failure, InputError};
use crate::packing::{Packing, Remembered, grain_arms, recall};
use crate::part::{Part, number};
use crate::problem::{Contact, Impulse};
use crate::soft::list::{ListedPair, PairList};
use crate::soft::placed::{Placed, Wrench};
use crate::soft::spring::{Scale, SpringLaw, SpringReaction, Springs, react};
use crate::threads::{BLOCK, Threads};
use crate::vector::Components;
use std::ops::Range;

/// A bound of rounding errors, in radii: grains placed side by side have such gaps, and bonds are made below it.
const BOND: f64 = 1e-9;

/// The sums of a pass.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub overlap_max: f64,
    pub overlap_sum: f64,
    /// Σ R·u.
    pub power: f64,
    /// Σ R_n.
    pub load: f64,
}

/// The forces, and the contacts they came from.
#[derive(Clone, Debug, Default)]
pub(super) struct SpringForces<D: Dimension> {
    /// On every grain, then on every piston. Walls feel nothing.
    pub wrenches: Vec<Wrench<D>>,
    /// The contacts of the last pass.
    pub memory: Vec<Remembered<D>>,
    /// The sums of stiffness and damping over all contacts of each piston.
    pub pistons: Vec<[f64; 2]>,
    blocks: Vec<ForceBlock<D>>,
    // Whether the blocks hold the stretches of the memory, by the numbers of the list.
    stretches_are_known: bool,
}

/// How far a contact was stretched in the last pass.
#[derive(Clone, Copy, Debug, Default)]
struct HeldStretch<D: Dimension> {
    // Its number in the list.
    index: u32,
    stretch: D::Tangent<f64>,
}

/// The pass over a block of grains.
#[derive(Clone, Debug, Default)]
struct ForceBlock<D: Dimension> {
    // Its contacts, where blocks are spread over threads.
    memory: Vec<Remembered<D>>,
    // Stretches of the last pass, and of this one.
    held: Vec<HeldStretch<D>>,
    stretched: Vec<HeldStretch<D>>,
    // The pairs of the list that touch.
    touching: Vec<Touching<D>>,
    // Wrenches on bodies outside.
    outside: Vec<(u32, Wrench<D>)>,
    // Springs at pistons: piston, stiffness and damping.
    pistons: Vec<(u32, [f64; 2])>,
    tally: Tally,
}

/// The input of a pass.
pub(super) struct Pass<'a, D: Dimension> {
    pub packing: &'a Packing<D>,
    pub list: &'a PairList<D>,
    pub bodies: &'a [Placed<D>],
    pub springs: &'a Springs,
    /// Whether grains that have touched once are bonded.
    pub bonded: bool,
    /// The contacts of the last pass.
    pub memory: &'a [Remembered<D>],
    /// The time for which surfaces have slipped since the last pass.
    pub step: f64,
}

impl<D: Dimension> SpringForces<D> {
    /// The forces that the contacts of the last step exerted, summed as they were then.
    pub(super) fn recall(&mut self, packing: &Packing<D>) {
        self.clear(packing);
        let mut outside = Vec::new();
        for known in &packing.memory {
            let first = known.identity.first as usize;
            let second = packing.body(known.identity.second());
            let arms = packing.arms(known.identity, known.gap);
            let (one, other) = wrenches(known.normal, arms, known.reaction);
            self.wrenches[first].add(one);
            if second < packing.grains.len() && second / BLOCK == first / BLOCK {
                self.wrenches[second].add(other);
            } else {
                outside.push((second, other));
            }
        }
        for (second, wrench) in outside {
            if let Some(sum) = self.wrenches.get_mut(second) {
                sum.add(wrench);
            }
        }
    }

    fn clear(&mut self, packing: &Packing<D>) {
        self.wrenches.clear();
        self.wrenches.resize(packing.body(Part::Wall(0)), Wrench::default());
    }

    /// Called when the list or the memory is no longer the one of the last pass.
    pub(super) fn invalidate(&mut self) {
        self.stretches_are_known = false;
    }

    /// Evaluates all springs where the bodies are now.
    pub(super) fn react(&mut self, pass: &Pass<'_, D>, threads: &Threads) -> Result<Tally, Failure> {
        let grains = pass.packing.grains.len();
        // Each block clears its own.
        self.wrenches.resize(grains + pass.packing.pistons.len(), Wrench::default());
        self.wrenches[grains..].fill(Wrench::default());
        self.blocks.resize(grains.div_ceil(BLOCK), ForceBlock::default());
        if !self.stretches_are_known {
            for (index, block) in self.blocks.iter_mut().enumerate() {
                pass.find_stretches(index * BLOCK..grains.min((index + 1) * BLOCK), &mut block.held);
            }
            self.stretches_are_known = true;
        }
        let chunks = self.wrenches[..grains].chunks_mut(BLOCK).zip(&mut self.blocks);
        if threads.share(grains) {
            threads.try_each(chunks, |(index, (own, block))| {
                let (mut memory, mut count) = (std::mem::take(&mut block.memory), 0);
                let done = pass.block(index * BLOCK, own, block, (&mut memory, &mut count));
                memory.truncate(count);
                block.memory = memory;
                Ok(done?)
            })?;
            self.memory.clear();
            for block in &self.blocks {
                self.memory.extend_from_slice(&block.memory);
            }
        } else {
            // Overwriting is cheaper than clearing and appending.
            let mut count = 0;
            for (index, (own, block)) in chunks.enumerate() {
                pass.block(index * BLOCK, own, block, (&mut self.memory, &mut count))?;
            }
            self.memory.truncate(count);
        }
        Ok(self.gather(pass.packing))
    }

    /// Adds what blocks contribute to each other, in their order.
    fn gather(&mut self, packing: &Packing<D>) -> Tally {
        self.pistons.clear();
        self.pistons.resize(packing.pistons.len(), [0.0; 2]);
        let mut sum = Tally::default();
        for ForceBlock { outside, pistons, tally, .. } in &self.blocks {
            for (body, wrench) in outside {
                self.wrenches[*body as usize].add(*wrench);
            }
            for (piston, [stiffness, damping]) in pistons {
                let sums = &mut self.pistons[*piston as usize];
                *sums = [sums[0] + stiffness, sums[1] + damping];
            }
            sum.overlap_max = sum.overlap_max.max(tally.overlap_max);
            sum.overlap_sum += tally.overlap_sum;
            sum.power += tally.power;
            sum.load += tally.load;
        }
        sum
    }
}

/// The wrenches of a reaction on the first and on the second body.
#[inline(always)]
fn wrenches<D: Dimension>(normal: D::Vector<f64>, arms: [f64; 2], reaction: Impulse<D>) -> (Wrench<D>, Wrench<D>) {
    let force = normal * reaction.normal + D::lift(normal, reaction.tangent);
    let twist = -D::twist(normal, reaction.tangent);
    (Wrench { force: -force, torque: twist * arms[0] }, Wrench { force, torque: twist * arms[1] })
}

/// A pair that touches: its number in the list, and the geometry.
#[derive(Clone, Copy, Debug, Default)]
struct Touching<D: Dimension> {
    separation: D::Vector<f64>,
    // Of grains the square of the distance, of a grain and a wall the gap.
    measure: f64,
    index: u32,
}

/// The geometry of a contact.
#[derive(Clone, Copy)]
struct Meeting<D: Dimension> {
    normal: D::Vector<f64>,
    gap: f64,
    arms: [f64; 2],
}

impl<D: Dimension> Pass<'_, D> {
    /// The contacts of all grains of a block with what comes after them, in the order of their identities.
    fn block(
        &self,
        base: usize,
        own: &mut [Wrench<D>],
        block: &mut ForceBlock<D>,
        (memory, count): (&mut Vec<Remembered<D>>, &mut usize),
    ) -> Result<(), InputError> {
        let ForceBlock { touching, outside, pistons, held, stretched, .. } = block;
        own.fill(Wrench::default());
        outside.clear();
        pistons.clear();
        stretched.clear();
        self.find_touching(base..base + own.len(), touching);
        let mut tally = Tally::default();
        let mut left = held.iter().peekable();
        let moving = self.packing.body(Part::Wall(0));
        let plain = self.springs.scale == Scale::Same && self.springs.law == SpringLaw::Linear;
        for touching in &*touching {
            let (entry, identity) =
                (&self.list.entries[touching.index as usize], &self.list.identities[touching.index as usize]);
            let [one, other] = [entry.first, entry.second].map(|body| &self.bodies[body as usize]);
            let Meeting { normal, gap, arms } = self.meet([one, other], entry, touching)?;
            while left.next_if(|known| known.index < touching.index).is_some() {}
            let known = left.next_if(|known| known.index == touching.index);
            if self.bonded && known.is_none() && gap > BOND * one.radius {
                continue;
            }
            let kind = &self.list.kinds[usize::from(entry.kind)];
            let [first_arm, second_arm] = arms;
            let contact =
                Contact { normal, first_arm, second_arm, friction: kind.surface.friction, ..Contact::default() };
            let mut spring = kind.spring;
            if !plain {
                spring = spring.at(self.springs, &contact, [&one.body, &other.body], gap);
            }
            let stretch = known.map_or(D::Tangent::default(), |known| D::turned_little(known.stretch, normal));
            let touch = react(&spring, (&contact, gap), (&one.body, &other.body), stretch, (self.step, self.bonded));
            let SpringReaction { reaction, stretch, power } = touch;
            if reaction.normal == 0.0 && !self.bonded {
                continue;
            }
            let (on_one, on_other) = wrenches(normal, arms, reaction);
            own[entry.first as usize - base].add(on_one);
            if let Some(wrench) = own.get_mut((entry.second as usize).wrapping_sub(base)) {
                wrench.add(on_other);
            } else if (entry.second as usize) < moving {
                outside.push((entry.second, on_other));
                if let Part::Piston(piston) = identity.second() {
                    pistons.push((piston, [spring.stiffness, spring.damping]));
                }
            }
            tally.add(gap, reaction.normal, power);
            stretched.push(HeldStretch { index: touching.index, stretch });
            let now = Remembered { identity: *identity, normal, gap, reaction, stretch, ..Remembered::default() };
            overwrite(memory, count, now);
        }
        block.tally = tally;
        std::mem::swap(held, stretched);
        Ok(())
    }

    /// Finds the stretches of the contacts of these grains in the memory, in a single pass over it and the list.
    fn find_stretches(&self, grains: Range<usize>, held: &mut Vec<HeldStretch<D>>) {
        held.clear();
        let (all, start) = (self.memory, &self.list.start);
        let memory = &all[all.partition_point(|known| (known.identity.first as usize) < grains.start)..];
        let first = start[grains.start];
        let identities = &self.list.identities[first as usize..start[grains.end] as usize];
        recall(identities.iter(), memory, |place, known| {
            held.push(HeldStretch { index: first + number(place), stretch: known.stretch });
        });
    }

    /// The pairs of these grains that touch, or are bonded. Branches on that would be mispredicted, so there are none: every pair is
    /// written, and one that does not touch is overwritten.
    fn find_touching(&self, grains: Range<usize>, touching: &mut Vec<Touching<D>>) {
        let range = self.list.start[grains.start]..self.list.start[grains.end];
        if touching.len() < range.len() {
            touching.resize(range.len(), Touching::default());
        }
        let entries = &self.list.entries[range.start as usize..range.end as usize];
        let mut count = 0;
        for (entry, index) in entries.iter().zip(range) {
            let [one, other] = [entry.first, entry.second].map(|body| &self.bodies[body as usize]);
            let separation = self.separation(one, other, entry);
            let (measure, reach) = if entry.boundary {
                (self.gap_beside(one, other, entry), 0.0)
            } else {
                (separation.length_squared(), one.radius + other.radius)
            };
            touching[count] = Touching { separation, measure, index };
            count += usize::from((measure <= reach * reach) | self.bonded);
        }
        touching.truncate(count);
    }

    /// The geometry of a pair.
    #[inline(always)]
    fn meet(
        &self,
        [one, other]: [&Placed<D>; 2],
        entry: &ListedPair,
        touching: &Touching<D>,
    ) -> Result<Meeting<D>, InputError> {
        if entry.boundary {
            let gap = touching.measure;
            return Ok(Meeting { normal: self.normal(entry), gap, arms: [one.radius + gap, 0.0] });
        }
        let (distance, reach) = (touching.measure.sqrt(), one.radius + other.radius);
        if distance <= f64::EPSILON * reach {
            return Err(InputError::Coincident { first: entry.first, second: entry.second });
        }
        let gap = distance - reach;
        let normal = touching.separation * (1.0 / distance);
        Ok(Meeting { normal, gap, arms: grain_arms([one.radius, other.radius], gap) })
    }

    /// From one grain to the other.
    #[inline(always)]
    fn separation(&self, one: &Placed<D>, other: &Placed<D>, entry: &ListedPair) -> D::Vector<f64> {
        other.position - one.position + self.list.offsets[usize::from(entry.offset)]
    }

    /// The distance of a grain from a piston or wall.
    #[inline(always)]
    fn gap_beside(&self, one: &Placed<D>, other: &Placed<D>, entry: &ListedPair) -> f64 {
        (other.position - one.position).dot(self.normal(entry)) - one.radius
    }

    #[inline(always)]
    fn normal(&self, entry: &ListedPair) -> D::Vector<f64> {
        self.list.normals[entry.second as usize - self.packing.grains.len()]
    }
}

impl Tally {
    #[inline(always)]
    fn add(&mut self, gap: f64, normal_reaction: f64, power: f64) {
        let overlap = if gap < 0.0 { -gap } else { 0.0 };
        self.overlap_max = if overlap > self.overlap_max { overlap } else { self.overlap_max };
        self.overlap_sum += overlap;
        self.power += power;
        self.load += normal_reaction;
    }
}

/// Overwrites the next element, or appends it.
#[inline(always)]
fn overwrite<T>(all: &mut Vec<T>, count: &mut usize, next: T) {
    match all.get_mut(*count) {
        Some(slot) => *slot = next,
        None => all.push(next),
    }
    *count += 1;
}
