//! Orders of elimination: approximate minimum degree, and nested dissection.

use super::dissection::{BodyGraph, compressed, dissect, short};
use crate::tuning::Tuning;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::sparse::SymbolicSparseColMatRef;
use faer::sparse::linalg::amd;
use hardgrain::Threads;

/// Nested dissection; sets of bodies that are not divided further are ordered by approximate minimum degree. `None` once these threads are
/// cancelled.
pub(crate) fn nested_dissection(
    bodies: usize,
    pairs: &[(u32, u32)],
    tuning: &Tuning,
    threads: &Threads,
) -> Option<Vec<u32>> {
    let graph = BodyGraph::new(bodies, pairs);
    let mut place = vec![u32::MAX; bodies];
    dissect(&graph, tuning, threads, &mut |leaf: &[u32]| {
        leaf.iter().zip(0..).for_each(|(&body, at)| place[body as usize] = at);
        let inside = leaf.iter().flat_map(|&body| graph.neighbours(body).iter().map(move |&other| (body, other)));
        let inside: Vec<(u32, u32)> = inside
            .filter(|&(body, other)| body < other && place[other as usize] != u32::MAX)
            .map(|(body, other)| (place[body as usize], place[other as usize]))
            .collect();
        for &body in leaf {
            place[body as usize] = u32::MAX;
        }
        minimum_degree(leaf.len(), &inside).into_iter().map(|at| leaf[at as usize]).collect()
    })
}

/// Approximate minimum degree.
pub(crate) fn minimum_degree(bodies: usize, pairs: &[(u32, u32)]) -> Vec<u32> {
    if bodies == 0 {
        return Vec::new();
    }
    let (begin, rows) = compressed(bodies, pairs.iter().map(|&(a, b)| (a.max(b), a.min(b))).collect());
    let graph = SymbolicSparseColMatRef::new_checked(bodies, bodies, &begin, None, &rows);
    let (mut order, mut place) = (vec![0_u32; bodies], vec![0_u32; bodies]);
    let mut memory = MemBuffer::new(amd::order_scratch::<u32>(bodies, rows.len()));
    let ordered = amd::order(&mut order, &mut place, graph, amd::Control::default(), MemStack::new(&mut memory));
    // Only a size beyond 32 bits can fail; then any order is as good.
    if ordered.is_err() {
        order = (0..short(bodies)).collect();
    }
    order
}
