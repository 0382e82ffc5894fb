//! Nested dissection: a vertex separator divides the graph of bodies in two; it comes last, and each part is divided in the same way.
//! Elimination in one part never fills the other.
//!
//! Candidates for the separator come from heights: how much farther each body is from one end of the packing than from another,
//! counted in contacts and smoothed over neighbours. For each two ends the [smallest separator](super::separator) between a
//! lower and an upper part is computed, and the smallest of all is taken. The order depends on who touches whom alone, not on
//! positions.

use super::separator::{Separated, separate};
use crate::tuning::Tuning;
use hardgrain::Threads;
use std::collections::VecDeque;

/// Outside of every set.
const OUT: u32 = u32::MAX;

/// A count or an index in 32 bits.
pub(crate) fn short(number: usize) -> u32 {
    u32::try_from(number).expect("a packing is counted in 32 bits")
}

/// Compressed sparse columns: where each column begins among the rows of all, and these, sorted and each once. `places` are columns and
/// rows.
pub(super) fn compressed(columns: usize, mut places: Vec<(u32, u32)>) -> (Vec<u32>, Vec<u32>) {
    places.sort_unstable();
    places.dedup();
    let begin = |column: usize| short(places.partition_point(|place| (place.0 as usize) < column));
    ((0..=columns).map(begin).collect(), places.into_iter().map(|(_, row)| row).collect())
}

/// The graph of bodies that touch.
pub(crate) struct BodyGraph {
    begin: Vec<u32>,
    others: Vec<u32>,
}

impl BodyGraph {
    pub(crate) fn new(bodies: usize, pairs: &[(u32, u32)]) -> Self {
        let (begin, others) = compressed(bodies, pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect());
        Self { begin, others }
    }

    pub(crate) fn neighbours(&self, body: u32) -> &[u32] {
        &self.others[self.begin[body as usize] as usize..self.begin[body as usize + 1] as usize]
    }

    fn bodies(&self) -> usize {
        self.begin.len() - 1
    }

    /// A body with more neighbours than this is a hub.
    fn hub(&self, factor: usize) -> usize {
        factor * (self.others.len() / self.bodies().max(1)).max(4)
    }
}

/// The order in which to eliminate bodies; `leaf` orders sets that are not divided further. `None` once these threads are cancelled.
pub(crate) fn dissect(
    graph: &BodyGraph,
    tuning: &Tuning,
    threads: &Threads,
    leaf: &mut dyn FnMut(&[u32]) -> Vec<u32>,
) -> Option<Vec<u32>> {
    let bodies = graph.bodies();
    let many = graph.hub(tuning.dissection_hub);
    let (hubs, rest): (Vec<u32>, Vec<u32>) = (0..short(bodies)).partition(|&body| graph.neighbours(body).len() > many);
    let mut dissection = Dissection { graph, tuning, threads, set: vec![OUT; bodies], place: vec![0; bodies], sets: 0 };
    let mut order = Vec::with_capacity(bodies);
    dissection.divide(&rest, leaf, &mut order);
    order.extend(hubs);
    (order.len() == bodies).then_some(order)
}

struct Dissection<'a> {
    graph: &'a BodyGraph,
    tuning: &'a Tuning,
    threads: &'a Threads,
    // The set of each body now, and its place there.
    set: Vec<u32>,
    place: Vec<u32>,
    sets: u32,
}

impl Dissection<'_> {
    fn divide(&mut self, bodies: &[u32], leaf: &mut dyn FnMut(&[u32]) -> Vec<u32>, order: &mut Vec<u32>) {
        let &Tuning { dissection_leaf, dissection_ends, dissection_smoothing, dissection_side, .. } = self.tuning;
        let bodies_of = |places: Vec<usize>| -> Vec<u32> { places.into_iter().map(|at| bodies[at]).collect() };
        if bodies.len() <= dissection_leaf {
            order.extend(leaf(bodies));
            return;
        }
        let near = self.neighbours(bodies);
        let Some(heights) = heights(&near, dissection_ends, dissection_smoothing) else {
            for component in components(&near) {
                self.divide(&bodies_of(component), leaf, order);
            }
            return;
        };
        let candidates = heights.into_iter().take_while(|_| !self.threads.is_cancelled()).map(|heights| {
            let mut sorted: Vec<usize> = (0..bodies.len()).collect();
            sorted.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]).then(a.cmp(&b)));
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
            let side = (dissection_side * bodies.len() as f64) as usize;
            separate(&near, &sorted, side)
        });
        let smallest = candidates.min_by_key(|candidate| candidate.separator.len());
        // There are two ends at least.
        let Some(Separated { low, high, separator }) = smallest else { return };
        if separator.len() as f64 > self.tuning.dissection_separator * bodies.len() as f64 {
            order.extend(leaf(bodies));
            return;
        }
        self.divide(&bodies_of(low), leaf, order);
        self.divide(&bodies_of(high), leaf, order);
        order.extend(bodies_of(separator));
    }

    /// The neighbours of each body in this set: their places in it.
    fn neighbours(&mut self, bodies: &[u32]) -> Vec<Vec<usize>> {
        let own = self.sets;
        self.sets += 1;
        for (&body, place) in bodies.iter().zip(0..) {
            self.set[body as usize] = own;
            self.place[body as usize] = place;
        }
        let near = |&body: &u32| -> Vec<usize> {
            let inside = self.graph.neighbours(body).iter().filter(|&&other| self.set[other as usize] == own);
            inside.map(|&other| self.place[other as usize] as usize).collect()
        };
        bodies.iter().map(near).collect()
    }
}

/// How much farther each body is from one end than from another, for each two ends; `None` where the graph is not connected. Each end is
/// as far as possible from those before it.
fn heights(near: &[Vec<usize>], count: usize, smoothing: u32) -> Option<Vec<Vec<f64>>> {
    let mut nearest = distances(near, 0);
    let mut ends: Vec<Vec<f64>> = Vec::with_capacity(count);
    while ends.len() < count {
        let end = distances(near, farthest(&nearest)?);
        if ends.is_empty() {
            nearest.clone_from(&end);
        }
        nearest.iter_mut().zip(&end).for_each(|(nearest, distance)| *nearest = nearest.min(*distance));
        ends.push(end);
    }
    let farther =
        |(a, b): (usize, usize)| ends[a].iter().zip(&ends[b]).map(|(from_a, from_b)| from_a - from_b).collect();
    let two = (0..count).flat_map(|a| (0..a).map(move |b| (a, b)));
    Some(two.map(|two| smoothed(near, farther(two), smoothing)).collect())
}

/// Heights averaged over neighbours.
fn smoothed(near: &[Vec<usize>], mut heights: Vec<f64>, steps: u32) -> Vec<f64> {
    let mut next = heights.clone();
    for _ in 0..steps {
        for (at, near) in near.iter().enumerate() {
            let mean = near.iter().map(|&near| heights[near]).sum::<f64>() / near.len() as f64;
            next[at] = 0.5 * (heights[at] + mean);
        }
        std::mem::swap(&mut heights, &mut next);
    }
    heights
}

/// Contacts on the shortest way from one body to each other: breadth-first search.
fn distances(near: &[Vec<usize>], from: usize) -> Vec<f64> {
    let mut distances = vec![f64::INFINITY; near.len()];
    distances[from] = 0.0;
    let mut front = VecDeque::from([from]);
    while let Some(at) = front.pop_front() {
        for &next in &near[at] {
            if distances[next].is_infinite() {
                distances[next] = distances[at] + 1.0;
                front.push_back(next);
            }
        }
    }
    distances
}

/// The farthest body; `None` where one cannot be reached.
fn farthest(distances: &[f64]) -> Option<usize> {
    let (at, &most) = distances.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    most.is_finite().then_some(at)
}

/// The connected components.
fn components(near: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; near.len()];
    let mut components = Vec::new();
    for start in 0..near.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut component = vec![start];
        let mut next = 0;
        while let Some(&at) = component.get(next) {
            next += 1;
            component.extend(near[at].iter().filter(|&&near| !std::mem::replace(&mut seen[near], true)));
        }
        components.push(component);
    }
    components
}
