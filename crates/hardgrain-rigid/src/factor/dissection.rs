//! Nested dissection: a few bodies are found without which the others fall apart into two parts; these come last, and each part is
//! treated in the same way. What one part fills the other one never sees.
//!
//! Each body is given a height, in several ways: how much farther it is from one end of the packing than from another one, counted in
//! contacts, which neighbours then even out. Of the bodies between a lower and an upper part the [fewest](crate::factor::separator) that
//! separate these do so, in the way in which they are fewest. Where bodies are is not asked for, so that nothing but who touches whom
//! decides about the order.

use crate::factor::separator::{Separated, separate};
use std::collections::VecDeque;

/// So few bodies are not divided any more.
const FEW: usize = 200;
/// Ends of a packing.
const ENDS: usize = 4;
/// How often neighbours even out their heights.
const EVENS: u32 = 40;
/// This share of the bodies at least is the lower part, or the upper one, and what separates them.
const PART: f64 = 0.38;
/// What separates bodies is no more than this share of them.
const THIN: f64 = 1.0 / 3.0;
/// A body that touches so many times more others than most do belongs to no part.
const MANY: usize = 8;
/// No part.
const OUT: u32 = u32::MAX;

/// Who touches whom.
pub(crate) struct Graph {
    begin: Vec<usize>,
    others: Vec<u32>,
}

impl Graph {
    /// Of so many bodies and the pairs that touch.
    pub(crate) fn new(bodies: usize, pairs: &[(u32, u32)]) -> Self {
        let mut both: Vec<(u32, u32)> = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).collect();
        both.sort_unstable();
        both.dedup();
        let mut begin = vec![0; bodies + 1];
        for &(body, _) in &both {
            begin[body as usize + 1] += 1;
        }
        (0..bodies).for_each(|body| begin[body + 1] += begin[body]);
        Self { begin, others: both.into_iter().map(|(_, other)| other).collect() }
    }

    pub(crate) fn of(&self, body: u32) -> &[u32] {
        &self.others[self.begin[body as usize]..self.begin[body as usize + 1]]
    }

    fn bodies(&self) -> usize {
        self.begin.len() - 1
    }

    /// More others than this are many.
    fn many(&self) -> usize {
        MANY * (self.others.len() / self.bodies().max(1)).max(4)
    }
}

/// The order in which to eliminate bodies; `few` orders what is not divided any more.
pub(crate) fn dissect(graph: &Graph, few: &mut dyn FnMut(&[u32]) -> Vec<u32>) -> Vec<u32> {
    let bodies = graph.bodies();
    let number = |body: usize| u32::try_from(body).expect("bodies are counted in 32 bits");
    let many = graph.many();
    let (heavy, rest): (Vec<u32>, Vec<u32>) = (0..bodies).map(number).partition(|&body| graph.of(body).len() > many);
    let mut work = Dissection { graph, part: vec![OUT; bodies], place: vec![0; bodies], parts: 0 };
    let mut order = Vec::with_capacity(bodies);
    work.divide(&rest, few, &mut order);
    order.extend(heavy);
    order
}

struct Dissection<'a> {
    graph: &'a Graph,
    // To which set of bodies each one belongs now, and where it is in that.
    part: Vec<u32>,
    place: Vec<u32>,
    parts: u32,
}

impl Dissection<'_> {
    fn divide(&mut self, bodies: &[u32], few: &mut dyn FnMut(&[u32]) -> Vec<u32>, order: &mut Vec<u32>) {
        if bodies.len() <= FEW {
            order.extend(few(bodies));
            return;
        }
        let near = self.neighbours(bodies);
        let Some(heights) = heights(&near) else {
            let of = |piece: Vec<usize>| -> Vec<u32> { piece.into_iter().map(|at| bodies[at]).collect() };
            for piece in pieces(&near) {
                self.divide(&of(piece), few, order);
            }
            return;
        };
        let ways = heights.into_iter().map(|heights| {
            let mut sorted: Vec<usize> = (0..bodies.len()).collect();
            sorted.sort_by(|&a, &b| heights[a].total_cmp(&heights[b]).then(a.cmp(&b)));
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of a count")]
            let part = (PART * bodies.len() as f64) as usize;
            separate(&near, &sorted, part)
        });
        let Separated { low, high, between } = ways.min_by_key(|way| way.between.len()).expect("there is one way");
        if between.len() as f64 > THIN * bodies.len() as f64 {
            order.extend(few(bodies));
            return;
        }
        let of = |part: Vec<usize>| -> Vec<u32> { part.into_iter().map(|at| bodies[at]).collect() };
        self.divide(&of(low), few, order);
        self.divide(&of(high), few, order);
        order.extend(of(between));
    }

    /// The neighbours of each body in the same set: where they are in it.
    fn neighbours(&mut self, bodies: &[u32]) -> Vec<Vec<usize>> {
        let own = self.parts;
        self.parts += 1;
        for (&body, place) in bodies.iter().zip(0..) {
            self.part[body as usize] = own;
            self.place[body as usize] = place;
        }
        let near = |&body: &u32| -> Vec<usize> {
            let inside = self.graph.of(body).iter().filter(|&&other| self.part[other as usize] == own);
            inside.map(|&other| self.place[other as usize] as usize).collect()
        };
        bodies.iter().map(near).collect()
    }
}

/// How much farther each body is from one end than from another, for all two of them; nothing where bodies do not hang together. An end
/// is as far as possible from those before it.
fn heights(near: &[Vec<usize>]) -> Option<Vec<Vec<f64>>> {
    let mut nearest = distances(near, 0);
    let mut ends: Vec<Vec<f64>> = Vec::with_capacity(ENDS);
    while ends.len() < ENDS {
        let end = distances(near, farthest(&nearest)?);
        if ends.is_empty() {
            nearest.clone_from(&end);
        }
        nearest.iter_mut().zip(&end).for_each(|(nearest, distance)| *nearest = nearest.min(*distance));
        ends.push(end);
    }
    let farther =
        |(a, b): (usize, usize)| ends[a].iter().zip(&ends[b]).map(|(from_a, from_b)| from_a - from_b).collect();
    let two = (0..ENDS).flat_map(|a| (0..a).map(move |b| (a, b)));
    Some(two.map(|two| evened(near, farther(two))).collect())
}

/// Heights that neighbours have evened out.
fn evened(near: &[Vec<usize>], mut heights: Vec<f64>) -> Vec<f64> {
    let mut next = heights.clone();
    for _ in 0..EVENS {
        for (at, near) in near.iter().enumerate() {
            let mean = near.iter().map(|&near| heights[near]).sum::<f64>() / near.len() as f64;
            next[at] = 0.5 * (heights[at] + mean);
        }
        std::mem::swap(&mut heights, &mut next);
    }
    heights
}

/// Contacts on the way from one body to each.
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

/// The body that is farthest away; none where one cannot be reached.
fn farthest(distances: &[f64]) -> Option<usize> {
    let (at, &most) = distances.iter().enumerate().max_by(|a, b| a.1.total_cmp(b.1))?;
    most.is_finite().then_some(at)
}

/// The sets of bodies that hang together.
fn pieces(near: &[Vec<usize>]) -> Vec<Vec<usize>> {
    let mut seen = vec![false; near.len()];
    let mut pieces = Vec::new();
    for start in 0..near.len() {
        if std::mem::replace(&mut seen[start], true) {
            continue;
        }
        let mut piece = vec![start];
        let mut next = 0;
        while let Some(&at) = piece.get(next) {
            next += 1;
            piece.extend(near[at].iter().filter(|&&near| !std::mem::replace(&mut seen[near], true)));
        }
        pieces.push(piece);
    }
    pieces
}
