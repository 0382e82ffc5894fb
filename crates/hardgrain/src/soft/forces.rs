//! What all springs together do to the bodies: one pass over the list.

use crate::cell::Cell;
use crate::contact::{Identity, Part, Remembered};
use crate::dimension::Dimension;
use crate::error::InputError;
use crate::law::{Contact, Impulse};
use crate::packing::Packing;
use crate::problem::body_number;
use crate::soft::Placed;
use crate::soft::blocks::{BLOCK, Threads};
use crate::soft::list::{Entry, List};
use crate::soft::spring::{Spring, Springs, Touch, react};
use crate::vector::Components;

/// Bonds are made at gaps below this share of a radius: grains that are put side by side miss each other by rounding.
const BOND: f64 = 1e-9;

/// Force and torque on a body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Push<D: Dimension> {
    pub force: D::Vector<f64>,
    pub torque: D::Spin<f64>,
}

/// What a pass says of itself.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Tally {
    pub overlap_max: f64,
    pub overlap_sum: f64,
    /// Σ R·u.
    pub power: f64,
    /// Σ R².
    pub squares: f64,
}

/// The forces, and the contacts they came from.
#[derive(Clone, Debug, Default)]
pub(super) struct Forces<D: Dimension> {
    /// On every grain, then on every piston. Walls feel nothing.
    pub pushes: Vec<Push<D>>,
    /// The contacts of the last pass.
    pub memory: Vec<Remembered<D>>,
    /// Stiffness and damping that all contacts of each piston add up to.
    pub lids: Vec<[f64; 2]>,
    blocks: Vec<Block<D>>,
}

/// What a block of grains has to say to others.
#[derive(Clone, Debug, Default)]
struct Block<D: Dimension> {
    // Its contacts, where blocks are spread over threads.
    memory: Vec<Remembered<D>>,
    // Pushes on bodies outside.
    away: Vec<(u32, Push<D>)>,
    // Springs at pistons: which, stiffness, damping.
    lids: Vec<(u32, [f64; 2])>,
    tally: Tally,
}

/// All that a pass looks at.
pub(super) struct Pass<'a, D: Dimension> {
    pub packing: &'a Packing<D>,
    pub list: &'a List<D>,
    pub bodies: &'a [Placed<D>],
    pub springs: &'a Springs,
    /// Whether grains that have touched once hold on to each other.
    pub bonded: bool,
    /// The contacts as they were when they were asked last.
    pub memory: &'a [Remembered<D>],
    /// For how long surfaces have slipped since they were asked last.
    pub step: f64,
}

impl<D: Dimension> Forces<D> {
    /// The forces that the contacts of the last step exerted.
    pub(super) fn recall(&mut self, packing: &Packing<D>) {
        self.clear(packing);
        for known in &packing.memory {
            let first = known.identity.first as usize;
            let radius = packing.grains[first].radius;
            let second = body_number(packing, known.identity.second);
            let arms = match known.identity.second {
                Part::Grain(other) => between(radius, packing.grains[other as usize].radius, known.gap),
                Part::Piston(_) | Part::Wall(_) => [radius + known.gap, 0.0],
            };
            let (one, other) = pushes(known.normal, arms, known.reaction);
            self.pushes[first].add(one);
            if let Some(push) = self.pushes.get_mut(second) {
                push.add(other);
            }
        }
    }

    fn clear(&mut self, packing: &Packing<D>) {
        self.pushes.clear();
        self.pushes.resize(packing.grains.len() + packing.pistons.len(), Push::default());
    }

    /// Asks all springs for their forces where the bodies are now.
    pub(super) fn react(&mut self, pass: &Pass<'_, D>, threads: &Threads) -> Result<Tally, InputError> {
        self.clear(pass.packing);
        self.memory.clear();
        let grains = pass.packing.grains.len();
        self.blocks.resize(grains.div_ceil(BLOCK), Block::default());
        let chunks = self.pushes[..grains].chunks_mut(BLOCK).zip(&mut self.blocks);
        if threads.several() {
            let done = threads.each(chunks, |(index, (own, block))| {
                let mut memory = std::mem::take(&mut block.memory);
                memory.clear();
                let done = pass.block(index * BLOCK, own, block, &mut memory);
                block.memory = memory;
                done
            });
            done.into_iter().collect::<Result<(), _>>()?;
            for block in &self.blocks {
                self.memory.extend_from_slice(&block.memory);
            }
        } else {
            for (index, (own, block)) in chunks.enumerate() {
                pass.block(index * BLOCK, own, block, &mut self.memory)?;
            }
        }
        Ok(self.gather(pass.packing))
    }

    /// What blocks have to say to each other, in their order.
    fn gather(&mut self, packing: &Packing<D>) -> Tally {
        self.lids.clear();
        self.lids.resize(packing.pistons.len(), [0.0; 2]);
        let mut sum = Tally::default();
        for Block { away, lids, tally, .. } in &self.blocks {
            for (body, push) in away {
                self.pushes[*body as usize].add(*push);
            }
            for (piston, [stiffness, damping]) in lids {
                let lid = &mut self.lids[*piston as usize];
                *lid = [lid[0] + stiffness, lid[1] + damping];
            }
            sum.overlap_max = sum.overlap_max.max(tally.overlap_max);
            sum.overlap_sum += tally.overlap_sum;
            sum.power += tally.power;
            sum.squares += tally.squares;
        }
        sum
    }
}

impl<D: Dimension> Push<D> {
    #[inline(always)]
    fn add(&mut self, other: Self) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

/// From the centres to the middle of the gap.
#[inline(always)]
fn between(one: f64, other: f64, gap: f64) -> [f64; 2] {
    [one + 0.5 * gap, other + 0.5 * gap]
}

/// What a reaction does to the first and to the second body.
#[inline(always)]
fn pushes<D: Dimension>(normal: D::Vector<f64>, arms: [f64; 2], reaction: Impulse<D>) -> (Push<D>, Push<D>) {
    let force = normal * reaction.normal + D::lift(normal, reaction.tangent);
    let twist = -D::twist(normal, reaction.tangent);
    (Push { force: -force, torque: twist * arms[0] }, Push { force, torque: twist * arms[1] })
}

/// Where two surfaces are.
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
        own: &mut [Push<D>],
        block: &mut Block<D>,
        memory: &mut Vec<Remembered<D>>,
    ) -> Result<(), InputError> {
        block.away.clear();
        block.lids.clear();
        let mut tally = Tally::default();
        let all = self.memory;
        let mut remembered = &all[all.partition_point(|known| (known.identity.first as usize) < base)..];
        let grains = self.packing.grains.len();
        for first in base..base + own.len() {
            let one = &self.bodies[first];
            let mut all_on_one = own[first - base];
            for index in self.list.start[first] as usize..self.list.start[first + 1] as usize {
                let entry = self.list.entries[index];
                let Some(meeting) = self.meet(one, &entry, index)? else { continue };
                let identity = self.list.identities[index];
                let known = recall(&mut remembered, &identity);
                if self.bonded && known.is_none() && meeting.gap > BOND * one.radius {
                    continue;
                }
                let second = entry.second as usize;
                let (touch, spring) = self.touch([one, &self.bodies[second]], &entry, &meeting, known);
                let Touch { reaction, stretch, power } = touch;
                if reaction.normal == 0.0 && !self.bonded {
                    continue;
                }
                let Meeting { normal, gap, arms } = meeting;
                let (on_one, on_other) = pushes(normal, arms, reaction);
                all_on_one.add(on_one);
                if let Some(push) = own.get_mut(second.wrapping_sub(base)) {
                    push.add(on_other);
                } else if second < grains + self.packing.pistons.len() {
                    block.away.push((entry.second, on_other));
                    if let Part::Piston(piston) = identity.second {
                        block.lids.push((piston, [spring.stiffness, spring.damping]));
                    }
                }
                tally.add(gap, reaction, power);
                memory.push(Remembered { identity, normal, gap, reaction, stretch, ..Remembered::default() });
            }
            own[first - base] = all_on_one;
        }
        block.tally = tally;
        Ok(())
    }

    /// Where a pair meets, if it does.
    #[inline(always)]
    fn meet(&self, one: &Placed<D>, entry: &Entry, index: usize) -> Result<Option<Meeting<D>>, InputError> {
        let other = &self.bodies[entry.second as usize];
        let mut separation = other.position - one.position;
        if !entry.boundary {
            if entry.shift != [0; 3] {
                separation = shifted(&self.packing.cell, separation, entry.shift);
            }
            let (squared, touching) = (separation.length_squared(), one.radius + other.radius);
            if squared > touching * touching && !self.bonded {
                return Ok(None);
            }
            let distance = squared.sqrt();
            if distance <= f64::EPSILON * touching {
                let first = self.list.identities[index].first;
                return Err(InputError::Coincident { first, second: entry.second });
            }
            let gap = distance - touching;
            let normal = separation * (1.0 / distance);
            return Ok(Some(Meeting { normal, gap, arms: between(one.radius, other.radius, gap) }));
        }
        let normal = self.list.normals[entry.second as usize - self.packing.grains.len()];
        let gap = separation.dot(normal) - one.radius;
        let touches = gap <= 0.0 || self.bonded;
        Ok(touches.then_some(Meeting { normal, gap, arms: [one.radius + gap, 0.0] }))
    }

    /// What the contact does, and its spring.
    #[inline(always)]
    fn touch(
        &self,
        [one, other]: [&Placed<D>; 2],
        entry: &Entry,
        meeting: &Meeting<D>,
        known: Option<&Remembered<D>>,
    ) -> (Touch<D>, Spring) {
        let kind = &self.list.kinds[usize::from(entry.kind)];
        let Meeting { normal, gap, arms: [first_arm, second_arm] } = *meeting;
        let contact = Contact { normal, first_arm, second_arm, friction: kind.friction, ..Contact::default() };
        let spring = kind.spring.at(self.springs, &contact, [&one.body, &other.body], gap);
        let stretch = known.map_or(D::Tangent::default(), |known| D::turned(known.stretch, normal));
        (react(spring, (&contact, gap), (&one.body, &other.body), stretch, (self.step, self.bonded)), spring)
    }
}

impl Tally {
    #[inline(always)]
    fn add<D: Dimension>(&mut self, gap: f64, reaction: Impulse<D>, power: f64) {
        let overlap = if gap < 0.0 { -gap } else { 0.0 };
        self.overlap_max = if overlap > self.overlap_max { overlap } else { self.overlap_max };
        self.overlap_sum += overlap;
        self.power += power;
        self.squares += reaction.length_squared();
    }
}

/// Looks up a contact among those that are left; what comes before it is passed over.
#[inline(always)]
fn recall<'a, D: Dimension>(left: &mut &'a [Remembered<D>], identity: &Identity) -> Option<&'a Remembered<D>> {
    while let [known, rest @ ..] = *left {
        if known.identity == *identity {
            *left = rest;
            return Some(known);
        }
        if known.identity > *identity {
            break;
        }
        *left = rest;
    }
    None
}

#[cold]
fn shifted<D: Dimension>(cell: &Cell<D>, separation: D::Vector<f64>, shift: [i8; 3]) -> D::Vector<f64> {
    cell.shifted(separation, shift.map(i32::from))
}
