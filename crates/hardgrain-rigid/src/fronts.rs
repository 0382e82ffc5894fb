//! Sparse factorisation front by front, symmetric or not: the numeric half.
//!
//! A front gathers what its bodies and its children have to say, eliminates its pivots and hands the rest to its parent.
//! Symmetric matrices are factorised as L Lᵀ, others as L U with pivots exchanged inside the front only; what that costs in
//! accuracy the solves of [`Grains`](crate::grains::Grains) win back. One thread, in a fixed order: the same bits every time.

use crate::tree::Tree;
use faer::dyn_stack::{MemBuffer, MemStack, StackReq};
use faer::linalg::cholesky::llt::factor as llt;
use faer::linalg::lu::partial_pivoting::factor as lu;
use faer::linalg::matmul::{matmul, triangular};
use faer::linalg::triangular_solve as solve;
use faer::prelude::{Reborrow, ReborrowMut};
use faer::{Accum, MatMut, Par, Spec};
use std::fmt;

/// A factorised matrix, and workspace.
#[derive(Default)]
pub(crate) struct Fronts {
    symmetric: bool,
    // Of each front, column by column: the pivots with all rows, then, if not symmetric, the rest of the pivots' rows.
    factors: Vec<f64>,
    begin: Vec<usize>,
    // Which rows of the pivots were exchanged.
    exchanged: Vec<u32>,
    // What is left of the front at work, and of those before it, the last one on top.
    rest: Vec<f64>,
    left: Vec<f64>,
    memory: Option<MemBuffer>,
    turned: Turned,
}

/// For exchanging rows.
#[derive(Default)]
struct Turned {
    back: Vec<u32>,
    column: Vec<f64>,
}

impl fmt::Debug for Fronts {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.debug_struct("Fronts").field("symmetric", &self.symmetric).finish_non_exhaustive()
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
    pub(crate) fn part(&mut self, row: usize, column: usize, count: usize) -> &mut [f64] {
        if let Some(column) = column.checked_sub(self.pivots) {
            &mut self.beside[column * self.pivots + row..][..count]
        } else {
            &mut self.columns[column * self.size + row..][..count]
        }
    }

    /// Adds what is left of a child, whose rows are in these places here; what is not the pivots' goes to the rest.
    fn add(&mut self, left: &[f64], places: &[u32], symmetric: bool, rest: &mut [f64]) {
        let rows = self.size - self.pivots;
        let own = places.partition_point(|&place| (place as usize) < self.pivots);
        for (column, (from, &to)) in left.chunks_exact(places.len().max(1)).zip(places).enumerate() {
            let begin = if symmetric { column } else { 0 };
            if column < own {
                let into = &mut self.columns[to as usize * self.size..][..self.size];
                scatter(&from[begin..], &places[begin..], 0, into);
                continue;
            }
            let to = to as usize - self.pivots;
            if begin < own {
                let into = &mut self.beside[to * self.pivots..][..self.pivots];
                scatter(&from[..own], &places[..own], 0, into);
            }
            let begin = begin.max(own);
            scatter(&from[begin..], &places[begin..], self.pivots, &mut rest[to * rows..][..rows]);
        }
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
        let Self { factors, begin, exchanged, rest, left, memory, turned, .. } = self;
        let mut top = 0;
        for (index, front) in tree.fronts.iter().enumerate() {
            let (size, pivots, rows) = (front.size(), front.pivots, front.rows.len());
            let (columns, beside) = factors[begin[index]..].split_at_mut(size * pivots);
            let beside = &mut beside[..if symmetric { 0 } else { pivots * rows }];
            columns.fill(0.0);
            beside.fill(0.0);
            rest.clear();
            rest.resize(rows * rows, 0.0);
            let mut panel = Panel { size, pivots, columns, beside };
            assemble(index, &mut panel);
            for &child in front.children.iter().rev() {
                let places = &tree.fronts[child as usize].in_parent;
                top -= places.len() * places.len();
                panel.add(&left[top..top + places.len() * places.len()], places, symmetric, rest);
            }
            let memory = MemStack::new(memory.as_mut().expect("prepared"));
            let columns = MatMut::from_column_major_slice_mut(columns, size, pivots);
            let below = MatMut::from_column_major_slice_mut(rest, rows, rows);
            let good = if symmetric {
                eliminate_symmetric(columns, below, memory)
            } else {
                let beside = MatMut::from_column_major_slice_mut(beside, pivots, rows);
                let exchanged = &mut exchanged[front.first..front.first + pivots];
                eliminate(columns, beside, below, exchanged, memory, turned)
            };
            if !good {
                return false;
            }
            if left.len() < top + rows * rows {
                left.resize(top + rows * rows, 0.0);
            }
            if symmetric {
                for column in 0..rows {
                    let from = column * rows + column..(column + 1) * rows;
                    left[top + from.start..top + from.end].copy_from_slice(&rest[from]);
                }
            } else {
                left[top..top + rows * rows].copy_from_slice(rest);
            }
            top += rows * rows;
        }
        true
    }

    fn prepare(&mut self, tree: &Tree, symmetric: bool) {
        self.symmetric = symmetric;
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
        let space = StackReq::or(
            llt::cholesky_in_place_scratch::<f64>(largest, Par::Seq, Spec::default()),
            lu::lu_in_place_scratch::<u32, f64>(largest, largest, Par::Seq, Spec::default()),
        );
        self.memory = Some(MemBuffer::new(space));
    }

    /// Solves with the last matrix, in place.
    pub(crate) fn solve(&self, tree: &Tree, vector: &mut [f64]) {
        let mut rows = Vec::new();
        for (index, front) in tree.fronts.iter().enumerate() {
            let (first, pivots, size) = (front.first, front.pivots, front.size());
            let lower = &self.factors[self.begin[index]..self.begin[index] + size * pivots];
            if !self.symmetric {
                rows.clear();
                rows.extend(self.exchanged[first..first + pivots].iter().map(|&from| vector[first + from as usize]));
                vector[first..first + pivots].copy_from_slice(&rows);
            }
            gather(&front.rows, vector, &mut rows);
            let own = &mut vector[first..first + pivots];
            for (pivot, column) in lower.chunks_exact(size).enumerate() {
                let value = if self.symmetric { own[pivot] / column[pivot] } else { own[pivot] };
                own[pivot] = value;
                take_off(&mut own[pivot + 1..], &column[pivot + 1..pivots], value);
            }
            take_off_all(&mut rows, &lower[pivots..], size, own);
            front.rows.iter().zip(&rows).for_each(|(&row, number)| vector[row as usize] = *number);
        }
        for (index, front) in tree.fronts.iter().enumerate().rev() {
            let (first, pivots, size) = (front.first, front.pivots, front.size());
            let (lower, beside) = self.factors[self.begin[index]..].split_at(size * pivots);
            gather(&front.rows, vector, &mut rows);
            let own = &mut vector[first..first + pivots];
            if self.symmetric {
                for (pivot, column) in lower.chunks_exact(size).enumerate().rev() {
                    let known = dot(&column[pivots..], &rows) + dot(&column[pivot + 1..pivots], &own[pivot + 1..]);
                    own[pivot] = (own[pivot] - known) / column[pivot];
                }
            } else {
                take_off_all(own, beside, pivots, &rows);
                for (pivot, column) in lower.chunks_exact(size).enumerate().rev() {
                    own[pivot] /= column[pivot];
                    let value = own[pivot];
                    take_off(&mut own[..pivot], &column[..pivot], value);
                }
            }
        }
    }
}

fn gather(places: &[u32], vector: &[f64], into: &mut Vec<f64>) {
    into.clear();
    into.extend(places.iter().map(|&place| vector[place as usize]));
}

/// x − f c.
fn take_off(numbers: &mut [f64], column: &[f64], factor: f64) {
    numbers.iter_mut().zip(column).for_each(|(number, column)| *number -= factor * column);
}

/// x − F c, where a column of F begins every `stride` numbers. Four columns at a time: x is read and written less often.
fn take_off_all(numbers: &mut [f64], columns: &[f64], stride: usize, factors: &[f64]) {
    let count = numbers.len();
    let column = |index: usize| &columns[index * stride..index * stride + count];
    let fours = factors.len() / 4 * 4;
    for (four, factors) in factors.chunks_exact(4).enumerate() {
        let [a, b, c, d] = std::array::from_fn(|which| column(4 * four + which));
        for (index, number) in numbers.iter_mut().enumerate() {
            *number -=
                (factors[0] * a[index] + factors[1] * b[index]) + (factors[2] * c[index] + factors[3] * d[index]);
        }
    }
    (fours..factors.len()).for_each(|index| take_off(numbers, column(index), factors[index]));
}

/// In four sums, always the same ones.
fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours, others) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest = fours.remainder().iter().zip(others.remainder()).fold(0.0, |sum, (a, b)| sum + a * b);
    for (a, b) in fours.zip(others) {
        (0..4).for_each(|index| sums[index] += a[index] * b[index]);
    }
    (sums[0] + sums[1]) + (sums[2] + sums[3]) + rest
}

fn eliminate_symmetric(columns: MatMut<'_, f64>, rest: MatMut<'_, f64>, memory: &mut MemStack) -> bool {
    let pivots = columns.ncols();
    let (mut top, mut below) = columns.split_at_row_mut(pivots);
    if llt::cholesky_in_place(top.rb_mut(), llt::LltRegularization::default(), Par::Seq, memory, Spec::default())
        .is_err()
    {
        return false;
    }
    solve::solve_lower_triangular_in_place(top.rb(), below.rb_mut().transpose_mut(), Par::Seq);
    let (lower, full) = (triangular::BlockStructure::TriangularLower, triangular::BlockStructure::Rectangular);
    let below = below.rb();
    triangular::matmul(rest, lower, Accum::Add, below, full, below.transpose(), full, -1.0, Par::Seq);
    true
}

fn eliminate(
    columns: MatMut<'_, f64>,
    mut beside: MatMut<'_, f64>,
    rest: MatMut<'_, f64>,
    exchanged: &mut [u32],
    memory: &mut MemStack,
    turned: &mut Turned,
) -> bool {
    let pivots = columns.ncols();
    let Turned { back, column: old } = turned;
    let (mut top, mut below) = columns.split_at_row_mut(pivots);
    back.clear();
    back.resize(pivots, 0);
    lu::lu_in_place(top.rb_mut(), exchanged, back, Par::Seq, memory, Spec::default());
    for column in beside.rb_mut().col_iter_mut() {
        old.clear();
        old.extend(column.as_ref().iter());
        column.iter_mut().zip(&*exchanged).for_each(|(number, &from)| *number = old[from as usize]);
    }
    let top = top.rb();
    solve::solve_unit_lower_triangular_in_place(top, beside.rb_mut(), Par::Seq);
    solve::solve_lower_triangular_in_place(top.transpose(), below.rb_mut().transpose_mut(), Par::Seq);
    matmul(rest, Accum::Add, below.rb(), beside.rb(), -1.0, Par::Seq);
    (0..pivots).all(|pivot| top[(pivot, pivot)].is_finite() && top[(pivot, pivot)] != 0.0)
}
