//! Multifrontal factorisation, symmetric or not: the numeric half.
//!
//! A front assembles what its bodies add and the Schur complements of its children, eliminates its pivots and passes its own Schur
//! complement on to its parent. Symmetric matrices are factorised as L Lᵀ, others as L U with pivoting inside the front only;
//! iterative refinement recovers the accuracy that costs. One thread, in a fixed order: the same bits every time.

use super::elimination::{
    PivotScratch, SMALL_FRONT, SmallFront, back_substitution, eliminate, eliminate_symmetric, forward_substitution,
    memory_for, subtract_column, subtract_columns,
};
use super::symbolic::{EliminationTree, Front};
use crate::tuning::Tuning;
use faer::MatMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::traits::pulp::{Arch, Simd, WithSimd};
use hardgrain::{Threads, prefetch_numbers};
use std::fmt;

const PREFETCH_AHEAD: usize = Tuning::DEFAULT.prefetch_ahead;
const PREFETCH_COUNT: usize = Tuning::DEFAULT.prefetch_count;

/// A factorised matrix, and workspace.
#[derive(Default)]
pub(crate) struct MultifrontalFactor {
    symmetric: bool,
    // Of each front, column by column: the pivots with all rows, then, if not symmetric, the rest of the pivots' rows. The diagonal holds
    // inverses.
    factors: Vec<f64>,
    begin: Vec<usize>,
    // Row exchanges among the pivots.
    exchanged: Vec<u32>,
    complements: ComplementStacks,
    memory: Option<MemBuffer>,
    scratch: PivotScratch,
    machine: Arch,
}

impl fmt::Debug for MultifrontalFactor {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("MultifrontalFactor").field("symmetric", &self.symmetric).finish_non_exhaustive()
    }
}

/// Schur complements of fronts that their parents still wait for, on two stacks: fronts with an even number of ancestors, and the others.
/// So a front and its children are never on the same one.
#[derive(Default)]
struct ComplementStacks {
    numbers: [Vec<f64>; 2],
    tops: [usize; 2],
}

impl ComplementStacks {
    /// The Schur complements of the children of a front, one after the other, and room for its own.
    fn take(&mut self, tree: &EliminationTree, front: &Front) -> (&[f64], &mut [f64]) {
        let Self { numbers: [even, odd], tops } = self;
        let (own, other) = if front.odd { (odd, even) } else { (even, odd) };
        let waiting: usize = tree.children(front).map(Front::complement).sum();
        let (now, then) = (tops[usize::from(!front.odd)], tops[usize::from(front.odd)]);
        tops[usize::from(!front.odd)] = now - waiting;
        tops[usize::from(front.odd)] = then + front.complement();
        if own.len() < then + front.complement() {
            own.resize(then + front.complement(), 0.0);
        }
        (&other[now - waiting..now], &mut own[then..then + front.complement()])
    }
}

/// The part of a front that belongs to its pivots: their columns with all rows and, if not symmetric, the rest of their rows.
pub(crate) struct Panel<'a> {
    size: usize,
    pivots: usize,
    columns: &'a mut [f64],
    beside: &'a mut [f64],
}

impl Panel<'_> {
    /// `count` numbers of a column from this row on. Row or column is a pivot's.
    #[inline]
    pub(crate) fn part(&mut self, row: usize, column: usize, count: usize) -> &mut [f64] {
        if let Some(column) = column.checked_sub(self.pivots) {
            &mut self.beside[column * self.pivots + row..][..count]
        } else {
            &mut self.columns[column * self.size + row..][..count]
        }
    }

    /// Extend-add of the Schur complement of a child, whose rows are in these places here: the part of the pivots.
    fn add(&mut self, complement: &[f64], places: &[u32], symmetric: bool) {
        let own = places.partition_point(|&place| (place as usize) < self.pivots);
        for (column, (from, &to)) in complement.chunks_exact(places.len().max(1)).zip(places).enumerate() {
            if column < own {
                let begin = if symmetric { column } else { 0 };
                let into = &mut self.columns[to as usize * self.size..][..self.size];
                scatter(&from[begin..], &places[begin..], 0, into);
            } else if symmetric {
                return;
            } else {
                let into = &mut self.beside[(to as usize - self.pivots) * self.pivots..][..self.pivots];
                scatter(&from[..own], &places[..own], 0, into);
            }
        }
    }
}

/// Extend-add of the Schur complement of a child to that of its parent, which has these numbers of pivots and rows.
fn pass_on(child: &[f64], places: &[u32], symmetric: bool, (pivots, rows): (usize, usize), parent: &mut [f64]) {
    let own = places.partition_point(|&place| (place as usize) < pivots);
    for (column, (from, &to)) in child.chunks_exact(places.len().max(1)).zip(places).enumerate().skip(own) {
        let begin = if symmetric { column } else { own };
        let into = &mut parent[(to as usize - pivots) * rows..][..rows];
        scatter(&from[begin..], &places[begin..], pivots, into);
    }
}

/// Adds numbers at their places, counted from `first`.
fn scatter(numbers: &[f64], places: &[u32], first: usize, into: &mut [f64]) {
    for (number, &place) in numbers.iter().zip(places) {
        into[place as usize - first] += number;
    }
}

impl MultifrontalFactor {
    /// Factorises. `assemble` is given the index and the panel of a front and adds what belongs to its pivots: all of it, or in the
    /// symmetric case the lower half. False where a pivot is not positive or not a number, or once these threads are cancelled.
    pub(crate) fn factorise(
        &mut self,
        tree: &EliminationTree,
        symmetric: bool,
        threads: &Threads,
        mut assemble: impl FnMut(usize, &mut Panel<'_>),
    ) -> bool {
        self.prepare(tree, symmetric);
        let Self { factors, begin, exchanged, complements, memory, scratch, machine, .. } = self;
        for (index, front) in tree.fronts.iter().enumerate() {
            let (size, pivots, rows) = (front.size(), front.pivots, front.rows());
            let (columns, beside) = factors[begin[index]..].split_at_mut(size * pivots);
            let beside = &mut beside[..if symmetric { 0 } else { pivots * rows }];
            columns.fill(0.0);
            beside.fill(0.0);
            let mut panel = Panel { size, pivots, columns, beside };
            assemble(index, &mut panel);
            let (of_children, own) = complements.take(tree, front);
            let children = || {
                tree.children(front).scan(of_children, |waiting, child| {
                    let (complement, others) = waiting.split_at(child.complement());
                    *waiting = others;
                    Some((complement, tree.in_parent(child)))
                })
            };
            children().for_each(|(complement, places)| panel.add(complement, places, symmetric));
            let Panel { columns, beside, .. } = panel;
            let good = if symmetric && pivots <= SMALL_FRONT {
                machine.dispatch(SmallFront { columns, size, pivots, complement: own })
            } else {
                let memory = MemStack::new(memory.as_mut().expect("prepared"));
                let columns = MatMut::from_column_major_slice_mut(columns, size, pivots);
                let complement = MatMut::from_column_major_slice_mut(own, rows, rows);
                if symmetric {
                    eliminate_symmetric(columns, complement, memory)
                } else {
                    let beside = MatMut::from_column_major_slice_mut(beside, pivots, rows);
                    let exchanged = &mut exchanged[front.first..front.first + pivots];
                    eliminate(columns, beside, complement, exchanged, memory, scratch)
                }
            };
            if !good || threads.is_cancelled() {
                return false;
            }
            children().for_each(|(complement, places)| pass_on(complement, places, symmetric, (pivots, rows), own));
        }
        true
    }

    fn prepare(&mut self, tree: &EliminationTree, symmetric: bool) {
        self.symmetric = symmetric;
        self.complements.tops = [0; 2];
        self.begin.clear();
        let (mut total, mut largest) = (0, 0);
        for front in &tree.fronts {
            self.begin.push(total);
            let (size, pivots) = (front.size(), front.pivots);
            total += size * pivots + if symmetric { 0 } else { (size - pivots) * pivots };
            largest = largest.max(pivots);
        }
        self.factors.resize(total, 0.0);
        self.exchanged.resize(tree.dofs(), 0);
        self.memory = Some(MemBuffer::new(memory_for(largest)));
    }

    /// Solves with the factorised matrix, in place.
    pub(crate) fn solve(&self, tree: &EliminationTree, vector: &mut [f64]) {
        self.machine.dispatch(TriangularSolve { factor: self, tree, vector });
    }

    /// Prefetches factors from here on.
    #[inline(always)]
    fn prefetch(&self, from: usize, count: usize) {
        let end = from.saturating_add(count.min(PREFETCH_COUNT)).min(self.factors.len());
        prefetch_numbers(self.factors.get(from..end).unwrap_or_default());
    }

    #[inline(always)]
    fn solve_here<S: Simd>(&self, tree: &EliminationTree, vector: &mut [f64]) {
        let mut numbers = Vec::new();
        for (front, &begin) in tree.fronts.iter().zip(&self.begin) {
            let (first, pivots, size) = (front.first, front.pivots, front.size());
            self.prefetch(begin + PREFETCH_AHEAD, size * pivots);
            let lower = &self.factors[begin..begin + size * pivots];
            let rows = tree.rows(front);
            numbers.clear();
            if self.symmetric {
                numbers.extend_from_slice(&vector[first..first + pivots]);
                gather(rows, vector, &mut numbers);
                forward_substitution::<S>(lower, size, pivots, &mut numbers);
            } else {
                let exchanged = &self.exchanged[first..first + pivots];
                numbers.extend(exchanged.iter().map(|&from| vector[first + from as usize]));
                gather(rows, vector, &mut numbers);
                let (own, others) = numbers.split_at_mut(pivots);
                for (pivot, column) in lower.chunks_exact(size).enumerate() {
                    let value = own[pivot];
                    subtract_column::<S>(&mut own[pivot + 1..], &column[pivot + 1..pivots], value);
                }
                subtract_columns::<S>(others, &lower[pivots..], size, own, false);
            }
            vector[first..first + pivots].copy_from_slice(&numbers[..pivots]);
            for (&row, number) in rows.iter().zip(&numbers[pivots..]) {
                vector[row as usize] = *number;
            }
        }
        for (front, &begin) in tree.fronts.iter().zip(&self.begin).rev() {
            let (first, pivots, size) = (front.first, front.pivots, front.size());
            self.prefetch(begin.saturating_sub(PREFETCH_AHEAD), size * pivots);
            let (lower, beside) = self.factors[begin..].split_at(size * pivots);
            numbers.clear();
            numbers.extend_from_slice(&vector[first..first + pivots]);
            gather(tree.rows(front), vector, &mut numbers);
            if self.symmetric {
                back_substitution::<S>(lower, size, pivots, &mut numbers);
            } else {
                let (own, others) = numbers.split_at_mut(pivots);
                subtract_columns::<S>(own, beside, pivots, others, false);
                for (pivot, column) in lower.chunks_exact(size).enumerate().rev() {
                    own[pivot] *= column[pivot];
                    let value = own[pivot];
                    subtract_column::<S>(&mut own[..pivot], &column[..pivot], value);
                }
            }
            vector[first..first + pivots].copy_from_slice(&numbers[..pivots]);
        }
    }
}

/// Both triangular solves, compiled for the processor.
struct TriangularSolve<'a> {
    factor: &'a MultifrontalFactor,
    tree: &'a EliminationTree,
    vector: &'a mut [f64],
}

impl WithSimd for TriangularSolve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.factor.solve_here::<S>(self.tree, self.vector);
    }
}

/// Appends the numbers at these places.
#[inline(always)]
fn gather(places: &[u32], vector: &[f64], into: &mut Vec<f64>) {
    into.extend(places.iter().map(|&place| vector[place as usize]));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Discs on a square lattice, with springs between neighbours that are unsymmetric if `lopsided`: for each pair of bodies that couple,
    /// and each body with itself, the number in this row and column.
    fn spring(a: u32, b: u32, row: usize, column: usize, lopsided: bool) -> f64 {
        let odd = if lopsided { 0.3 * row as f64 - 0.2 * column as f64 } else { 0.0 };
        match a == b {
            true if row == column => 9.0 + f64::from(a % 5),
            true => 0.5 + odd,
            false => 0.1 * f64::from((a + b) % 7) - 0.2 + 0.1 * (row + column) as f64 + odd,
        }
    }

    #[test]
    fn fronts_of_every_size_solve_what_was_put_in() {
        const EDGE: u32 = 24;
        let all = EDGE * EDGE;
        let right = (0..all).filter(|body| body % EDGE + 1 < EDGE).map(|body| (body, body + 1));
        let pairs: Vec<(u32, u32)> = right.chain((0..all - EDGE).map(|body| (body, body + EDGE))).collect();
        let threads = Threads::default();
        let tree = EliminationTree::new(&vec![3; all as usize], &pairs, &Tuning::DEFAULT, &threads);
        assert!(
            tree.fronts.iter().any(|front| front.pivots <= SMALL_FRONT)
                && tree.fronts.iter().any(|front| front.pivots > SMALL_FRONT)
        );
        let both = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).chain((0..all).map(|body| (body, body)));
        let both: Vec<(u32, u32)> = both.collect();
        let start = |body: u32| tree.start[body as usize];
        for symmetric in [true, false] {
            let mut fronts = MultifrontalFactor::default();
            let assemble = |index: usize, panel: &mut Panel<'_>| {
                let front = &tree.fronts[index];
                let here = both.iter().filter(|(a, b)| tree.front[start(*a).min(start(*b))] as usize == index);
                for (&(a, b), (row, column)) in here.flat_map(|pair| (0..9).map(move |at| (pair, (at / 3, at % 3)))) {
                    let (at, beside) = (tree.place(front, start(a)) as usize, tree.place(front, start(b)) as usize);
                    if !symmetric || at + row >= beside + column {
                        panel.part(at + row, beside + column, 1)[0] += spring(a, b, row, column, !symmetric);
                    }
                }
            };
            assert!(fronts.factorise(&tree, symmetric, &threads, assemble));
            let wanted: Vec<f64> = (0..tree.dofs()).map(|number| 1.0 - 0.1 * (number % 17) as f64).collect();
            let mut found = wanted.clone();
            fronts.solve(&tree, &mut found);
            let mut left = wanted;
            for &(a, b) in &both {
                for (row, column) in (0..9).map(|at| (at / 3, at % 3)) {
                    left[start(a) + row] -= spring(a, b, row, column, !symmetric) * found[start(b) + column];
                }
            }
            assert!(left.iter().all(|number| number.abs() < 1e-11), "{symmetric}");
            // What has no root, and what is no number.
            let nothing = |_: usize, panel: &mut Panel<'_>| panel.part(0, 0, 1)[0] = f64::NAN;
            assert!(!fronts.factorise(&tree, symmetric, &threads, nothing));
            assert!(!fronts.factorise(&tree, symmetric, &threads, |_, _| ()));
        }
    }
}
