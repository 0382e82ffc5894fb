//! How deep grains are in each other and in walls: one measure for all codes, from places and radii, in double precision.

use crate::scene::{Place, Scene};
use serde::Serialize;
use std::collections::HashMap;

/// Surfaces nearer than this count as touching, in the mean over all that touch.
const NEAR: f64 = 0.01;

/// Overlaps over the mean diameter.
#[derive(Clone, Copy, Debug, Default, Serialize)]
pub(crate) struct Overlap {
    /// The largest one.
    pub(crate) largest: f64,
    /// The mean over all pairs that touch, 0 where they do not overlap.
    pub(crate) mean: f64,
    /// By how much the overlap of a pair has grown since the start, where it has grown most.
    pub(crate) added: f64,
}

/// The overlaps of a scene's grains at these places, and what has become of them since they were at others.
pub(crate) fn overlap(scene: &Scene, start: &[Place], places: &[Place]) -> Overlap {
    assert!(places.iter().flatten().all(|number| number.is_finite()), "grains have flown apart");
    let (mut overlap, mut touching) = (Overlap::default(), 0_usize);
    let mut count = |before: f64, now: f64| {
        if now < NEAR {
            let depth = (-now).max(0.0);
            overlap.largest = overlap.largest.max(depth);
            overlap.added = overlap.added.max(depth - (-before).max(0.0));
            overlap.mean += depth;
            touching += 1;
        }
    };
    for (grain, (before, now)) in scene.grains.iter().zip(start.iter().zip(places)) {
        for wall in &scene.walls {
            let gap = |place: &Place| dot(minus(*place, wall.point), wall.normal) - grain.radius;
            count(gap(before), gap(now));
        }
    }
    for (first, second) in close_pairs(scene, places) {
        let radii = scene.grains[first].radius + scene.grains[second].radius;
        let gap = |places: &[Place]| length(minus(places[second], places[first])) - radii;
        count(gap(start), gap(places));
    }
    overlap.mean /= touching.max(1) as f64;
    overlap
}

/// Pairs of grains that may touch: those in neighbouring boxes.
fn close_pairs(scene: &Scene, places: &[Place]) -> Vec<(usize, usize)> {
    let edge = 2.0 * scene.grains.iter().map(|grain| grain.radius).fold(0.0, f64::max) + NEAR;
    #[expect(clippy::cast_possible_truncation, reason = "whole numbers, and grains stay near")]
    let cell = |place: &Place| place.map(|number| (number / edge).floor() as i64);
    let mut boxes = HashMap::<[i64; 3], Vec<usize>>::new();
    for (grain, place) in places.iter().enumerate() {
        boxes.entry(cell(place)).or_default().push(grain);
    }
    let mut pairs = Vec::new();
    for (first, place) in places.iter().enumerate() {
        let centre = cell(place);
        for neighbour in 0..27 {
            let around = [neighbour % 3 - 1, neighbour / 3 % 3 - 1, neighbour / 9 - 1];
            let there = boxes.get(&std::array::from_fn(|axis| centre[axis] + around[axis]));
            pairs.extend(there.into_iter().flatten().filter(|&&second| second > first).map(|&second| (first, second)));
        }
    }
    pairs
}

fn minus(one: Place, other: Place) -> Place {
    std::array::from_fn(|axis| one[axis] - other[axis])
}

fn dot(one: Place, other: Place) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

fn length(vector: Place) -> f64 {
    dot(vector, vector).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scene::{Flat, Round, along};

    #[test]
    fn of_two_discs_and_a_wall() {
        let disc = |x: f64| Round { place: along(0, x), radius: 0.5, push: [0.0; 3] };
        let wall = Flat { point: [0.0; 3], normal: along(0, 1.0) };
        let scene = Scene { axes: 2, gravity: [0.0; 3], grains: vec![disc(0.5), disc(1.5)], walls: vec![wall] };
        let start = [along(0, 0.5), along(0, 1.49)];
        let found = overlap(&scene, &start, &[along(0, 0.48), along(0, 1.45)]);
        let near = |number: f64, expected: f64| assert!((number - expected).abs() < 1e-12, "{number}, not {expected}");
        near(found.largest, 0.03);
        near(found.mean, 0.025);
        near(found.added, 0.02);
    }
}
