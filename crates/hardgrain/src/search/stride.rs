//! Strides: how far each part may move within a step, and the contacts that a search with these strides misses.
//!
//! Two parts can touch within a step only if their gap is below the sum of their strides. Each stride follows from the free
//! velocity of its part, so one fast grain does not widen the search for all. Contacts can make a grain faster than that; then
//! the step searches again with wider strides.

use crate::dimension::Dimension;
use crate::packing::{Boundary, Packing, Pair, Remembered};
use crate::part::Part;
use crate::problem::Body;
use crate::tuning::StepTuning;
use crate::vector::Components;

const FACTOR: f64 = StepTuning::DEFAULT.stride_factor;

/// A bound of rounding errors, in radii. Gaps below it are always searched: a loaded contact may be open by as much.
const ROUNDING: f64 = 1e-9;

/// The stride of every grain, piston and wall.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Strides {
    // Grains first, then pistons, then walls, and the numbers of the first two.
    all: Vec<f64>,
    grains: usize,
    pistons: usize,
}

impl Strides {
    /// The same stride for every grain, 0 for pistons and walls: a search finds pairs of grains with gaps below two strides.
    pub fn uniform<D: Dimension>(packing: &Packing<D>, stride: f64) -> Self {
        let mut strides = Self::everywhere(packing, stride);
        strides.all[packing.grains.len()..].fill(0.0);
        strides
    }

    /// The same stride for every part: a search finds pairs with gaps below two strides.
    pub(crate) fn everywhere<D: Dimension>(packing: &Packing<D>, stride: f64) -> Self {
        let mut strides = Self::default();
        strides.set(packing, packing.parts().map(|_| stride));
        strides
    }

    /// Takes the strides of others, each mapped with its part.
    pub(crate) fn map_from<D: Dimension>(
        &mut self,
        others: &Self,
        packing: &Packing<D>,
        change: impl Fn(f64, Part) -> f64,
    ) {
        self.set(packing, others.all.iter().zip(packing.parts()).map(|(&stride, part)| change(stride, part)));
    }

    /// Replaces all strides.
    fn set<D: Dimension>(&mut self, packing: &Packing<D>, strides: impl Iterator<Item = f64>) {
        self.all.clear();
        self.all.extend(strides);
        (self.grains, self.pistons) = (packing.grains.len(), packing.pistons.len());
    }

    /// The stride of a part.
    #[inline]
    pub fn stride_of(&self, part: Part) -> f64 {
        match part {
            Part::Grain(index) => self.all[index as usize],
            Part::Piston(index) => self.all[self.grains + index as usize],
            Part::Wall(index) => self.all[self.grains + self.pistons + index as usize],
        }
    }

    /// The strides that follow from the free velocities, the mean speed and the bounces that are still to come. Velocities are
    /// relative to their mean, so the result is the same in every inertial frame.
    pub fn predict<D: Dimension>(&mut self, packing: &Packing<D>, bodies: &[Body<D>], step: f64) {
        self.set_by_velocities(packing, bodies, FACTOR * step);
        // Each grain counts for its diameter at most: a very fast one must not widen the search for all.
        let bounded = self.all.iter().zip(&packing.grains).map(|(stride, grain)| stride.min(2.0 * grain.radius));
        let mean = bounded.fold(0.0, |sum, stride| sum + stride) / packing.grains.len() as f64;
        for (stride, grain) in self.all.iter_mut().zip(&packing.grains) {
            *stride += mean + ROUNDING * grain.radius;
        }
        for known in packing.memory.iter().filter(|known| known.approach.length_squared() > 0.0) {
            self.add_bounce(known, FACTOR * step);
        }
    }

    /// The distance that every part moves in the given time relative to the mean velocity of the grains. Boundaries approach
    /// along their normal only.
    fn set_by_velocities<D: Dimension>(&mut self, packing: &Packing<D>, bodies: &[Body<D>], time: f64) {
        let (grains, boundaries) = bodies.split_at(packing.grains.len());
        let mean = mean_velocity(grains);
        let grains = grains.iter().map(|body| time * (body.velocity - mean).length());
        let approach = |(body, (_, _, normal)): (&Body<D>, _)| time * (body.velocity - mean).dot(normal).abs();
        self.set(packing, grains.chain(boundaries.iter().zip(packing.boundaries()).map(approach)));
    }

    /// Restitution may return the whole speed of approach. Parts that no longer exist are skipped.
    fn add_bounce<D: Dimension>(&mut self, known: &Remembered<D>, time: f64) {
        let bounce = time * known.approach.length();
        let (grains, boundaries) = self.all.split_at_mut(self.grains);
        let second = match known.identity.second() {
            Part::Grain(index) => grains.get_mut(index as usize),
            Part::Piston(index) => boundaries[..self.pistons].get_mut(index as usize),
            Part::Wall(_) => None,
        };
        if let Some(stride) = second {
            *stride += bounce;
        }
        if let Some(stride) = grains.get_mut(known.identity.first as usize) {
            *stride += bounce;
        }
    }

    /// Whether every part moves clearly less than its stride: a quick test without square roots that most steps pass.
    fn suffice<D: Dimension>(&self, packing: &Packing<D>, velocities: &[Body<D>], time: f64) -> bool {
        let (grains, boundaries) = velocities.split_at(packing.grains.len());
        let mean = mean_velocity(grains);
        // Below 1 by more than rounding: what is closer is measured exactly.
        let within = |(body, stride): (&Body<D>, &f64)| {
            (body.velocity - mean).length_squared() * (time * time) < 0.999 * stride * stride
        };
        let normal_within = |((body, (_, _, normal)), stride): ((&Body<D>, Boundary<D>), &f64)| {
            time * (body.velocity - mean).dot(normal).abs() <= *stride
        };
        let (own, others) = self.all.split_at(packing.grains.len());
        grains.iter().zip(own).all(within) && boundaries.iter().zip(packing.boundaries()).zip(others).all(normal_within)
    }

    /// Whether some part moves farther than its stride. Then these become strides that are long enough.
    pub fn widen<D: Dimension>(
        &mut self,
        strides: &Self,
        packing: &Packing<D>,
        velocities: &[Body<D>],
        step: f64,
    ) -> bool {
        if strides.suffice(packing, velocities, step) {
            return false;
        }
        self.set_by_velocities(packing, velocities, step);
        let mut outrun = false;
        for (wider, &stride) in self.all.iter_mut().zip(&strides.all) {
            outrun |= *wider > stride;
            *wider = if *wider > stride { FACTOR * *wider } else { stride };
        }
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

/// Counts pairs that a search which has found `seen` has missed and that meet within the step at these velocities, among the pairs of a
/// wider search, which are given in order.
pub fn undetected<'a, D: Dimension>(
    packing: &'a Packing<D>,
    seen: &'a [Pair<D>],
    velocities: &'a [Body<D>],
    step: f64,
) -> impl FnMut(&[Pair<D>]) -> usize {
    let mut seen = seen.iter().peekable();
    move |wider| {
        let missed = |pair: &&Pair<D>| {
            while seen.next_if(|seen| seen.identity < pair.identity).is_some() {}
            seen.peek().is_none_or(|seen| seen.identity != pair.identity) && meets(packing, pair, velocities, step)
        };
        wider.iter().filter(missed).count()
    }
}

/// Whether two parts in uniform motion overlap at any time within the step.
fn meets<D: Dimension>(packing: &Packing<D>, pair: &Pair<D>, velocities: &[Body<D>], step: f64) -> bool {
    let first = &packing.grains[pair.identity.first as usize];
    let second = &velocities[packing.body(pair.identity.second())];
    let motion = (second.velocity - velocities[pair.identity.first as usize].velocity) * step;
    let Part::Grain(other) = pair.identity.second() else {
        return pair.gap + motion.dot(pair.normal) < -ROUNDING * first.radius;
    };
    let touching = first.radius + packing.grains[other as usize].radius;
    let separation = pair.normal * (pair.gap + touching);
    // The time of closest approach, in units of the step.
    let (approach, square) = (-separation.dot(motion), motion.length_squared());
    let time = if square > 0.0 { (approach / square).clamp(0.0, 1.0) } else { 0.0 };
    (separation + motion * time).length() < touching * (1.0 - ROUNDING)
}
