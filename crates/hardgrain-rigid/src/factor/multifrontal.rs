//! Sparse factorisation front by front, symmetric or not: the numeric half.
//!
//! A front gathers what its bodies and its children have to say, eliminates its pivots and hands the rest to its parent.
//! Symmetric matrices are factorised as L Lᵀ, others as L U with pivots exchanged inside the front only; what that costs in
//! accuracy the solves of [`Grains`](crate::grains::Grains) win back. One thread, in a fixed order: the same bits every time.

use crate::factor::elimination::{
    FEW, Few, Turned, backwards, eliminate, eliminate_symmetric, forwards, memory_for, take_off, take_off_all,
};
use crate::factor::order::{Front, Tree};
use faer::MatMut;
use faer::dyn_stack::{MemBuffer, MemStack};
use faer::traits::pulp::{Arch, Simd, WithSimd};
use hardgrain::prefetch_numbers;
use std::fmt;

/// Solves ask for factors so many numbers before they need them, and for so many at most: fronts are too short for the machine to see
/// by itself what comes next, and where factors are more than its caches hold it would wait for each.
const AHEAD: usize = 4096;
const AT_ONCE: usize = 512;

/// A factorised matrix, and workspace.
#[derive(Default)]
pub(crate) struct Fronts {
    symmetric: bool,
    // Of each front, column by column: the pivots with all rows, then, if not symmetric, the rest of the pivots' rows. On the
    // diagonal is what to multiply by instead of dividing.
    factors: Vec<f64>,
    begin: Vec<usize>,
    // Which rows of the pivots were exchanged.
    exchanged: Vec<u32>,
    piles: Piles,
    memory: Option<MemBuffer>,
    turned: Turned,
    machine: Arch,
}

impl fmt::Debug for Fronts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Fronts").field("symmetric", &self.symmetric).finish_non_exhaustive()
    }
}

/// What is left of fronts that their parents still wait for, the last one on top: those with an even number of fronts above them, and
/// the others. So a front and its children never lie on the same pile.
#[derive(Default)]
struct Piles {
    left: [Vec<f64>; 2],
    tops: [usize; 2],
}

impl Piles {
    /// What is left of the children of a front, one after the other, and room for what will be left of itself.
    fn take(&mut self, tree: &Tree, front: &Front) -> (&[f64], &mut [f64]) {
        let Self { left: [even, odd], tops } = self;
        let (own, other) = if front.odd { (odd, even) } else { (even, odd) };
        let waiting: usize = tree.children(front).map(Front::left).sum();
        let (now, then) = (tops[usize::from(!front.odd)], tops[usize::from(front.odd)]);
        tops[usize::from(!front.odd)] = now - waiting;
        tops[usize::from(front.odd)] = then + front.left();
        if own.len() < then + front.left() {
            own.resize(then + front.left(), 0.0);
        }
        (&other[now - waiting..now], &mut own[then..then + front.left()])
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
    /// So many numbers of a column from this row on. One of the two is a pivot's.
    #[inline]
    pub(crate) fn part(&mut self, row: usize, column: usize, count: usize) -> &mut [f64] {
        if let Some(column) = column.checked_sub(self.pivots) {
            &mut self.beside[column * self.pivots + row..][..count]
        } else {
            &mut self.columns[column * self.size + row..][..count]
        }
    }

    /// Adds what is left of a child, whose rows are in these places here, as far as it is the pivots'.
    fn add(&mut self, left: &[f64], places: &[u32], symmetric: bool) {
        let own = places.partition_point(|&place| (place as usize) < self.pivots);
        for (column, (from, &to)) in left.chunks_exact(places.len().max(1)).zip(places).enumerate() {
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

/// Adds to what is left of a front with so many pivots and rows what is left of a child, as far as it is not the pivots'.
fn pass_on(left: &[f64], places: &[u32], symmetric: bool, (pivots, rows): (usize, usize), rest: &mut [f64]) {
    let own = places.partition_point(|&place| (place as usize) < pivots);
    for (column, (from, &to)) in left.chunks_exact(places.len().max(1)).zip(places).enumerate().skip(own) {
        let begin = if symmetric { column } else { own };
        let into = &mut rest[(to as usize - pivots) * rows..][..rows];
        scatter(&from[begin..], &places[begin..], pivots, into);
    }
}

/// Adds numbers at their places, which begin with this one.
fn scatter(numbers: &[f64], places: &[u32], first: usize, into: &mut [f64]) {
    for (number, &place) in numbers.iter().zip(places) {
        into[place as usize - first] += number;
    }
}

impl Fronts {
    /// Factorises. `assemble` adds to a front, whose number and panel it is given, what belongs to its pivots; all of it,
    /// or in the symmetric case its lower half. False where a pivot is not positive or not a number.
    pub(crate) fn factorise(
        &mut self,
        tree: &Tree,
        symmetric: bool,
        mut assemble: impl FnMut(usize, &mut Panel<'_>),
    ) -> bool {
        self.prepare(tree, symmetric);
        let Self { factors, begin, exchanged, piles, memory, turned, machine, .. } = self;
        for (index, front) in tree.fronts.iter().enumerate() {
            let (size, pivots, rows) = (front.size(), front.pivots, front.rows());
            let (columns, beside) = factors[begin[index]..].split_at_mut(size * pivots);
            let beside = &mut beside[..if symmetric { 0 } else { pivots * rows }];
            columns.fill(0.0);
            beside.fill(0.0);
            let mut panel = Panel { size, pivots, columns, beside };
            assemble(index, &mut panel);
            let (of_children, rest) = piles.take(tree, front);
            let children = || {
                tree.children(front).scan(of_children, |waiting, child| {
                    let (left, others) = waiting.split_at(child.left());
                    *waiting = others;
                    Some((left, tree.in_parent(child)))
                })
            };
            children().for_each(|(left, places)| panel.add(left, places, symmetric));
            let Panel { columns, beside, .. } = panel;
            let good = if symmetric && pivots <= FEW {
                machine.dispatch(Few { columns, size, pivots, rest })
            } else {
                let memory = MemStack::new(memory.as_mut().expect("prepared"));
                let columns = MatMut::from_column_major_slice_mut(columns, size, pivots);
                let below = MatMut::from_column_major_slice_mut(rest, rows, rows);
                if symmetric {
                    eliminate_symmetric(columns, below, memory)
                } else {
                    let beside = MatMut::from_column_major_slice_mut(beside, pivots, rows);
                    let exchanged = &mut exchanged[front.first..front.first + pivots];
                    eliminate(columns, beside, below, exchanged, memory, turned)
                }
            };
            if !good {
                return false;
            }
            children().for_each(|(left, places)| pass_on(left, places, symmetric, (pivots, rows), rest));
        }
        true
    }

    fn prepare(&mut self, tree: &Tree, symmetric: bool) {
        self.symmetric = symmetric;
        self.piles.tops = [0; 2];
        self.begin.clear();
        let (mut total, mut largest) = (0, 0);
        for front in &tree.fronts {
            self.begin.push(total);
            let (size, pivots) = (front.size(), front.pivots);
            total += size * pivots + if symmetric { 0 } else { (size - pivots) * pivots };
            largest = largest.max(pivots);
        }
        self.factors.resize(total, 0.0);
        self.exchanged.resize(tree.numbers(), 0);
        self.memory = Some(MemBuffer::new(memory_for(largest)));
    }

    /// Solves with the last matrix, in place.
    pub(crate) fn solve(&self, tree: &Tree, vector: &mut [f64]) {
        self.machine.dispatch(Solve { factorised: self, tree, vector });
    }

    /// Asks for factors from here on.
    #[inline(always)]
    fn prefetch(&self, from: usize, count: usize) {
        let end = from.saturating_add(count.min(AT_ONCE)).min(self.factors.len());
        prefetch_numbers(self.factors.get(from..end).unwrap_or_default());
    }

    #[inline(always)]
    fn solve_here<S: Simd>(&self, tree: &Tree, vector: &mut [f64]) {
        let mut numbers = Vec::new();
        for (front, &begin) in tree.fronts.iter().zip(&self.begin) {
            let (first, pivots, size) = (front.first, front.pivots, front.size());
            self.prefetch(begin + AHEAD, size * pivots);
            let lower = &self.factors[begin..begin + size * pivots];
            let rows = tree.rows(front);
            numbers.clear();
            if self.symmetric {
                numbers.extend_from_slice(&vector[first..first + pivots]);
                gather(rows, vector, &mut numbers);
                forwards::<S>(lower, size, pivots, &mut numbers);
            } else {
                let exchanged = &self.exchanged[first..first + pivots];
                numbers.extend(exchanged.iter().map(|&from| vector[first + from as usize]));
                gather(rows, vector, &mut numbers);
                let (own, others) = numbers.split_at_mut(pivots);
                for (pivot, column) in lower.chunks_exact(size).enumerate() {
                    let value = own[pivot];
                    take_off::<S>(&mut own[pivot + 1..], &column[pivot + 1..pivots], value);
                }
                take_off_all::<S>(others, &lower[pivots..], size, own, false);
            }
            vector[first..first + pivots].copy_from_slice(&numbers[..pivots]);
            for (&row, number) in rows.iter().zip(&numbers[pivots..]) {
                vector[row as usize] = *number;
            }
        }
        for (front, &begin) in tree.fronts.iter().zip(&self.begin).rev() {
            let (first, pivots, size) = (front.first, front.pivots, front.size());
            self.prefetch(begin.saturating_sub(AHEAD), size * pivots);
            let (lower, beside) = self.factors[begin..].split_at(size * pivots);
            numbers.clear();
            numbers.extend_from_slice(&vector[first..first + pivots]);
            gather(tree.rows(front), vector, &mut numbers);
            if self.symmetric {
                backwards::<S>(lower, size, pivots, &mut numbers);
            } else {
                let (own, others) = numbers.split_at_mut(pivots);
                take_off_all::<S>(own, beside, pivots, others, false);
                for (pivot, column) in lower.chunks_exact(size).enumerate().rev() {
                    own[pivot] *= column[pivot];
                    let value = own[pivot];
                    take_off::<S>(&mut own[..pivot], &column[..pivot], value);
                }
            }
            vector[first..first + pivots].copy_from_slice(&numbers[..pivots]);
        }
    }
}

/// A solve, compiled for the machine.
struct Solve<'a> {
    factorised: &'a Fronts,
    tree: &'a Tree,
    vector: &'a mut [f64],
}

impl WithSimd for Solve<'_> {
    type Output = ();

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) {
        self.factorised.solve_here::<S>(self.tree, self.vector);
    }
}

/// Adds the numbers at these places to a list.
#[inline(always)]
fn gather(places: &[u32], vector: &[f64], into: &mut Vec<f64>) {
    into.extend(places.iter().map(|&place| vector[place as usize]));
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Discs on a square lattice, with springs between neighbours that are not symmetric if `lopsided`: for each pair of bodies that
    /// couple, and each body with itself, the number in this row and column.
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
        let tree = Tree::new(&vec![3; all as usize], &pairs);
        assert!(
            tree.fronts.iter().any(|front| front.pivots <= FEW) && tree.fronts.iter().any(|front| front.pivots > FEW)
        );
        let both = pairs.iter().flat_map(|&(a, b)| [(a, b), (b, a)]).chain((0..all).map(|body| (body, body)));
        let both: Vec<(u32, u32)> = both.collect();
        let start = |body: u32| tree.start[body as usize];
        for symmetric in [true, false] {
            let mut fronts = Fronts::default();
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
            assert!(fronts.factorise(&tree, symmetric, assemble));
            let wanted: Vec<f64> = (0..tree.numbers()).map(|number| 1.0 - 0.1 * (number % 17) as f64).collect();
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
            assert!(!fronts.factorise(&tree, symmetric, nothing) && !fronts.factorise(&tree, symmetric, |_, _| ()));
        }
    }
}
