//! How far each part may come within a step, and what that leaves unseen.
//!
//! Two parts can touch within a step only if their gap is below the sum of their strides. Strides are taken from the free
//! velocities, each part's own, so one fast grain does not make everybody look far. Contacts can make a grain faster than
//! that; then the step looks again with wider strides.

use crate::dimension::Dimension;
use crate::packing::{Boundary, Packing, Pair, Remembered};
use crate::part::Part;
use crate::problem::Body;
use crate::vector::Components;
use std::iter::Peekable;
use std::slice;

/// Room for what contacts add to the free velocity.
const SPARE: f64 = 2.0;

/// Gaps below this share of a radius are always looked at: a loaded contact may be open by a rounding error.
const SKIN: f64 = 1e-9;

/// The stride of every grain, piston and wall.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strides {
    grains: Vec<f64>,
    pistons: Vec<f64>,
    walls: Vec<f64>,
}

impl Strides {
    /// The same stride for every grain, none for pistons and walls: pairs with a gap below two strides are found.
    pub fn uniform<D: Dimension>(packing: &Packing<D>, stride: f64) -> Self {
        let still = |count: usize| vec![0.0; count];
        Self {
            grains: vec![stride; packing.grains.len()],
            pistons: still(packing.pistons.len()),
            walls: still(packing.walls.len()),
        }
    }

    /// The same stride for everything: pairs with a gap below two strides are found.
    pub(crate) fn everywhere<D: Dimension>(packing: &Packing<D>, stride: f64) -> Self {
        let same = |count: usize| vec![stride; count];
        Self {
            grains: same(packing.grains.len()),
            pistons: same(packing.pistons.len()),
            walls: same(packing.walls.len()),
        }
    }

    /// Becomes what others are changed to, each by the part that it belongs to.
    pub(crate) fn change_from(&mut self, others: &Self, change: impl Fn(f64, Part) -> f64) {
        let each = |own: &mut Vec<f64>, others: &[f64], part: fn(u32) -> Part| {
            own.clear();
            own.extend(others.iter().zip(0..).map(|(&stride, number)| change(stride, part(number))));
        };
        each(&mut self.grains, &others.grains, Part::Grain);
        each(&mut self.pistons, &others.pistons, Part::Piston);
        each(&mut self.walls, &others.walls, Part::Wall);
    }

    /// The stride of a part.
    #[inline]
    pub fn of(&self, part: Part) -> f64 {
        match part {
            Part::Grain(index) => self.grains[index as usize],
            Part::Piston(index) => self.pistons[index as usize],
            Part::Wall(index) => self.walls[index as usize],
        }
    }

    /// What these velocities, the mean of all speeds and the bounces that are still to come lead to. Everything is
    /// measured from the mean velocity, so it is the same for every observer.
    pub(crate) fn expect<D: Dimension>(&mut self, packing: &Packing<D>, bodies: &[Body<D>], step: f64) {
        let strides = self;
        strides.follow(packing, bodies, SPARE * step);
        // No grain counts for more than its diameter: one that is very fast must not make everybody look far.
        let bounded = strides.grains.iter().zip(&packing.grains).map(|(stride, grain)| stride.min(2.0 * grain.radius));
        let mean = bounded.fold(0.0, |sum, stride| sum + stride) / packing.grains.len() as f64;
        for (stride, grain) in strides.grains.iter_mut().zip(&packing.grains) {
            *stride += mean + SKIN * grain.radius;
        }
        for known in packing.memory.iter().filter(|known| known.approach.length_squared() > 0.0) {
            strides.add_bounce(known, SPARE * step);
        }
    }

    /// How far every part would come in the given time at its velocity, measured from the mean velocity of the grains.
    /// Boundaries come nearer along their normal only.
    fn follow<D: Dimension>(&mut self, packing: &Packing<D>, bodies: &[Body<D>], time: f64) {
        let (grains, boundaries) = bodies.split_at(packing.grains.len());
        let mean = mean_velocity(grains);
        let along = |(body, (_, _, normal)): (&Body<D>, _)| time * (body.velocity - mean).dot(normal).abs();
        let mut along = boundaries.iter().zip(packing.boundaries()).map(along);
        self.grains.clear();
        self.grains.extend(grains.iter().map(|body| time * (body.velocity - mean).length()));
        self.pistons.clear();
        self.pistons.extend(along.by_ref().take(packing.pistons.len()));
        self.walls.clear();
        self.walls.extend(along);
    }

    /// Restitution may turn the whole approach into speed. Parts that are gone are passed over.
    fn add_bounce<D: Dimension>(&mut self, known: &Remembered<D>, time: f64) {
        let bounce = time * known.approach.length();
        let second = match known.identity.second {
            Part::Grain(index) => self.grains.get_mut(index as usize),
            Part::Piston(index) => self.pistons.get_mut(index as usize),
            Part::Wall(_) => None,
        };
        if let Some(stride) = second {
            *stride += bounce;
        }
        if let Some(stride) = self.grains.get_mut(known.identity.first as usize) {
            *stride += bounce;
        }
    }

    /// Whether no part comes nearly as far as its stride at these velocities: most steps end here, without a root.
    fn suffice<D: Dimension>(&self, packing: &Packing<D>, velocities: &[Body<D>], time: f64) -> bool {
        let (grains, boundaries) = velocities.split_at(packing.grains.len());
        let mean = mean_velocity(grains);
        let slowly = |(body, stride): (&Body<D>, &f64)| {
            (body.velocity - mean).length_squared() * (time * time) < 0.999 * stride * stride
        };
        let along = |((body, (_, _, normal)), stride): ((&Body<D>, Boundary<D>), &f64)| {
            time * (body.velocity - mean).dot(normal).abs() <= *stride
        };
        grains.iter().zip(&self.grains).all(slowly)
            && boundaries.iter().zip(packing.boundaries()).zip(self.pistons.iter().chain(&self.walls)).all(along)
    }

    /// Whether some part has come farther than its stride; then these become strides that are wide enough.
    pub(crate) fn widen<D: Dimension>(
        &mut self,
        strides: &Self,
        packing: &Packing<D>,
        velocities: &[Body<D>],
        step: f64,
    ) -> bool {
        if strides.suffice(packing, velocities, step) {
            return false;
        }
        self.follow(packing, velocities, step);
        let mut outrun = false;
        let mut widen = |wider: &mut [f64], strides: &[f64]| {
            for (wider, &stride) in wider.iter_mut().zip(strides) {
                outrun |= *wider > stride;
                *wider = if *wider > stride { SPARE * *wider } else { stride };
            }
        };
        widen(&mut self.grains, &strides.grains);
        widen(&mut self.pistons, &strides.pistons);
        widen(&mut self.walls, &strides.walls);
        outrun
    }
}

fn mean_velocity<D: Dimension>(grains: &[Body<D>]) -> D::Vector<f64> {
    let mut sum = D::Vector::default();
    for body in grains {
        sum += body.velocity;
    }
    sum * (1.0 / grains.len() as f64)
}

/// Counts the pairs that were not looked at and meet within the step, at these velocities.
pub(crate) struct Unseen<'a, D: Dimension> {
    packing: &'a Packing<D>,
    seen: Peekable<slice::Iter<'a, Pair<D>>>,
    velocities: &'a [Body<D>],
    step: f64,
    pub(crate) count: usize,
}

impl<'a, D: Dimension> Unseen<'a, D> {
    pub(crate) fn new(packing: &'a Packing<D>, seen: &'a [Pair<D>], velocities: &'a [Body<D>], step: f64) -> Self {
        Self { packing, seen: seen.iter().peekable(), velocities, step, count: 0 }
    }

    /// Looks at some of all pairs, which follow each other in order.
    pub(crate) fn add(&mut self, pairs: &[Pair<D>]) {
        for pair in pairs {
            while self.seen.next_if(|seen| seen.identity < pair.identity).is_some() {}
            let new = self.seen.peek().is_none_or(|seen| seen.identity != pair.identity);
            self.count += usize::from(new && meets(self.packing, pair, self.velocities, self.step));
        }
    }
}

/// Whether two parts overlap at any time of the step, moving straight on.
fn meets<D: Dimension>(packing: &Packing<D>, pair: &Pair<D>, velocities: &[Body<D>], step: f64) -> bool {
    let first = &packing.grains[pair.identity.first as usize];
    let second = &velocities[packing.body(pair.identity.second)];
    let way = (second.velocity - velocities[pair.identity.first as usize].velocity) * step;
    let Part::Grain(other) = pair.identity.second else {
        return pair.gap + way.dot(pair.normal) < -SKIN * first.radius;
    };
    let touching = first.radius + packing.grains[other as usize].radius;
    let separation = pair.normal * (pair.gap + touching);
    // The time of closest approach, within the step.
    let (along, square) = (-separation.dot(way), way.length_squared());
    let time = if square > 0.0 { (along / square).clamp(0.0, 1.0) } else { 0.0 };
    (separation + way * time).length() < touching * (1.0 - SKIN)
}
