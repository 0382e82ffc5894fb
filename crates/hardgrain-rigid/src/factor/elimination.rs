//! Elimination inside one front: a dense matrix, column by column, of which the first columns belong to pivots.
//!
//! Large fronts and all unsymmetric ones go to the dense kernels of faer. Most fronts of a packing are small, with the degrees of
//! freedom of one or two bodies as pivots; for those the kernels' preparations would take longer than the work.

use crate::tuning::Tuning;
use faer::dyn_stack::{MemStack, StackReq};
use faer::linalg::cholesky::llt::factor as llt;
use faer::linalg::lu::partial_pivoting::factor as lu;
use faer::linalg::matmul::{matmul, triangular};
use faer::linalg::triangular_solve as solve;
use faer::prelude::{Reborrow, ReborrowMut};
use faer::traits::pulp::{Simd, WithSimd};
use faer::{Accum, MatMut, Par, Spec};

pub(crate) const SMALL_FRONT: usize = Tuning::DEFAULT.small_front;

/// Workspace for exchanging rows.
#[derive(Default)]
pub(crate) struct PivotScratch {
    back: Vec<u32>,
    column: Vec<f64>,
}

/// The elimination of a small symmetric front, compiled for the processor.
pub(crate) struct SmallFront<'a> {
    pub(crate) columns: &'a mut [f64],
    pub(crate) size: usize,
    pub(crate) pivots: usize,
    pub(crate) complement: &'a mut [f64],
}

impl WithSimd for SmallFront<'_> {
    type Output = bool;

    #[inline(always)]
    fn with_simd<S: Simd>(self, _: S) -> bool {
        eliminate_small::<S>(self.columns, self.size, self.pivots, self.complement)
    }
}

/// The workspace of the kernels for this number of pivots.
pub(crate) fn memory_for(pivots: usize) -> StackReq {
    StackReq::or(
        llt::cholesky_in_place_scratch::<f64>(pivots, Par::Seq, Spec::default()),
        lu::lu_in_place_scratch::<u32, f64>(pivots, pivots, Par::Seq, Spec::default()),
    )
}

/// a b + c, rounded once where the processor does that as fast.
#[inline(always)]
fn multiply_add<S: Simd>(a: f64, b: f64, c: f64) -> f64 {
    if S::IS_SCALAR { a * b + c } else { a.mul_add(b, c) }
}

/// x − f c.
#[inline(always)]
pub(crate) fn subtract_column<S: Simd>(numbers: &mut [f64], column: &[f64], factor: f64) {
    for (number, column) in numbers.iter_mut().zip(column) {
        *number = multiply_add::<S>(-factor, *column, *number);
    }
}

/// x − F c, where a column of F begins every `stride` numbers. Three columns at a time, the degrees of freedom of a disc, so that x is
/// read and written less often. If `fresh`, x counts as 0.
#[inline(always)]
pub(crate) fn subtract_columns<S: Simd>(
    numbers: &mut [f64],
    columns: &[f64],
    stride: usize,
    factors: &[f64],
    mut fresh: bool,
) {
    let count = numbers.len();
    let mut index = 0;
    while index + 3 <= factors.len() {
        let (a, b) = (&columns[index * stride..][..count], &columns[(index + 1) * stride..][..count]);
        let c = &columns[(index + 2) * stride..][..count];
        let (fa, fb, fc) = (-factors[index], -factors[index + 1], -factors[index + 2]);
        if fresh {
            for at in 0..count {
                numbers[at] = multiply_add::<S>(fa, a[at], multiply_add::<S>(fb, b[at], fc * c[at]));
            }
        } else {
            for at in 0..count {
                numbers[at] = multiply_add::<S>(
                    fa,
                    a[at],
                    multiply_add::<S>(fb, b[at], multiply_add::<S>(fc, c[at], numbers[at])),
                );
            }
        }
        fresh = false;
        index += 3;
    }
    if fresh {
        numbers.fill(0.0);
    }
    while index < factors.len() {
        subtract_column::<S>(numbers, &columns[index * stride..][..count], factors[index]);
        index += 1;
    }
}

/// Solves with the columns of a front's L, pivot after pivot: the numbers are those of its pivots and rows. Three pivots at a time.
#[inline(always)]
pub(crate) fn forward_substitution<S: Simd>(lower: &[f64], size: usize, pivots: usize, numbers: &mut [f64]) {
    let mut pivot = 0;
    while pivot + 3 <= pivots {
        let (a, b, c) = three(lower, size, pivot);
        let (own, others) = numbers[pivot..].split_at_mut(3);
        own[0] *= a[0];
        own[1] = (own[1] - own[0] * a[1]) * b[1];
        own[2] = (own[2] - (own[0] * a[2] + own[1] * b[2])) * c[2];
        let (fa, fb, fc) = (-own[0], -own[1], -own[2]);
        let (a, b, c) = (&a[3..][..others.len()], &b[3..][..others.len()], &c[3..][..others.len()]);
        for at in 0..others.len() {
            others[at] =
                multiply_add::<S>(fa, a[at], multiply_add::<S>(fb, b[at], multiply_add::<S>(fc, c[at], others[at])));
        }
        pivot += 3;
    }
    while pivot < pivots {
        let column = &lower[pivot * size..][..size];
        numbers[pivot] *= column[pivot];
        let value = numbers[pivot];
        subtract_column::<S>(&mut numbers[pivot + 1..], &column[pivot + 1..], value);
        pivot += 1;
    }
}

/// Solves with the rows of Lᵀ, the last pivot first.
#[inline(always)]
pub(crate) fn back_substitution<S: Simd>(lower: &[f64], size: usize, pivots: usize, numbers: &mut [f64]) {
    let mut pivot = pivots;
    while !pivot.is_multiple_of(3) {
        pivot -= 1;
        let column = &lower[pivot * size..][..size];
        let mut left = numbers[pivot];
        for (number, other) in column[pivot + 1..].iter().zip(&numbers[pivot + 1..]) {
            left -= number * other;
        }
        numbers[pivot] = left * column[pivot];
    }
    while pivot > 0 {
        pivot -= 3;
        let (a, b, c) = three(lower, size, pivot);
        let (own, others) = numbers[pivot..].split_at_mut(3);
        let known = dots::<S>(&a[3..], &b[3..], &c[3..], others);
        own[2] = (own[2] - known[2]) * c[2];
        own[1] = (own[1] - (known[1] + own[2] * b[2])) * b[1];
        own[0] = (own[0] - (known[0] + own[1] * a[1] + own[2] * a[2])) * a[0];
    }
}

/// The column of a pivot and the next two, each from that pivot's row on.
#[inline(always)]
fn three(lower: &[f64], size: usize, pivot: usize) -> (&[f64], &[f64], &[f64]) {
    let column = |pivot: usize, row: usize| &lower[pivot * size + row..(pivot + 1) * size];
    (column(pivot, pivot), column(pivot + 1, pivot), column(pivot + 2, pivot))
}

/// The dot products of three columns with numbers, each in four partial sums, always the same ones.
#[inline(always)]
fn dots<S: Simd>(a: &[f64], b: &[f64], c: &[f64], numbers: &[f64]) -> [f64; 3] {
    let (a, rest_a) = a.as_chunks::<4>();
    let (b, rest_b) = b.as_chunks::<4>();
    let (c, rest_c) = c.as_chunks::<4>();
    let (fours, rest) = numbers.as_chunks::<4>();
    let (mut with_a, mut with_b, mut with_c) = ([0.0; 4], [0.0; 4], [0.0; 4]);
    for (((a, b), c), four) in a.iter().zip(b).zip(c).zip(fours) {
        for lane in 0..4 {
            with_a[lane] = multiply_add::<S>(a[lane], four[lane], with_a[lane]);
            with_b[lane] = multiply_add::<S>(b[lane], four[lane], with_b[lane]);
            with_c[lane] = multiply_add::<S>(c[lane], four[lane], with_c[lane]);
        }
    }
    let sum = |[a, b, c, d]: [f64; 4]| (a + b) + (c + d);
    let mut products = [sum(with_a), sum(with_b), sum(with_c)];
    for (((a, b), c), number) in rest_a.iter().zip(rest_b).zip(rest_c).zip(rest) {
        products[0] += a * number;
        products[1] += b * number;
        products[2] += c * number;
    }
    products
}

/// [`eliminate_symmetric`] for few pivots.
#[inline(always)]
fn eliminate_small<S: Simd>(columns: &mut [f64], size: usize, pivots: usize, rest: &mut [f64]) -> bool {
    for pivot in 0..pivots {
        let (done, others) = columns.split_at_mut((pivot + 1) * size);
        let column = &mut done[pivot * size..];
        let square = column[pivot];
        if !(square > 0.0 && square.is_finite()) {
            return false;
        }
        let scale = 1.0 / square.sqrt();
        column[pivot] = scale;
        column[pivot + 1..].iter_mut().for_each(|number| *number *= scale);
        for (other, numbers) in others[..(pivots - pivot - 1) * size].chunks_exact_mut(size).enumerate() {
            let other = pivot + 1 + other;
            subtract_column::<S>(&mut numbers[other..], &column[other..], column[other]);
        }
    }
    let rows = size - pivots;
    let mut factors = [0.0; SMALL_FRONT];
    for (column, rest) in rest.chunks_exact_mut(rows.max(1)).enumerate() {
        let at = pivots + column;
        factors.iter_mut().zip(columns[at..].iter().step_by(size)).for_each(|(factor, number)| *factor = *number);
        subtract_columns::<S>(&mut rest[column..], &columns[at..], size, &factors[..pivots], true);
    }
    true
}

/// Cholesky elimination: L of the pivots and rows, and the lower half of the Schur complement. False where a pivot is not positive.
pub(crate) fn eliminate_symmetric(columns: MatMut<'_, f64>, rest: MatMut<'_, f64>, memory: &mut MemStack) -> bool {
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
    triangular::matmul(rest, lower, Accum::Replace, below, full, below.transpose(), full, -1.0, Par::Seq);
    (0..pivots).for_each(|pivot| top[(pivot, pivot)] = 1.0 / top[(pivot, pivot)]);
    true
}

/// LU elimination with pivoting among the pivots' rows, and the Schur complement. False where a pivot has no inverse.
pub(crate) fn eliminate(
    columns: MatMut<'_, f64>,
    mut beside: MatMut<'_, f64>,
    rest: MatMut<'_, f64>,
    exchanged: &mut [u32],
    memory: &mut MemStack,
    scratch: &mut PivotScratch,
) -> bool {
    let pivots = columns.ncols();
    let PivotScratch { back, column: old } = scratch;
    let (mut top, mut below) = columns.split_at_row_mut(pivots);
    back.clear();
    back.resize(pivots, 0);
    lu::lu_in_place(top.rb_mut(), exchanged, back, Par::Seq, memory, Spec::default());
    for column in beside.rb_mut().col_iter_mut() {
        old.clear();
        old.extend(column.as_ref().iter());
        column.iter_mut().zip(&*exchanged).for_each(|(number, &from)| *number = old[from as usize]);
    }
    solve::solve_unit_lower_triangular_in_place(top.rb(), beside.rb_mut(), Par::Seq);
    solve::solve_lower_triangular_in_place(top.rb().transpose(), below.rb_mut().transpose_mut(), Par::Seq);
    matmul(rest, Accum::Replace, below.rb(), beside.rb(), -1.0, Par::Seq);
    let mut good = true;
    for pivot in 0..pivots {
        let number = &mut top[(pivot, pivot)];
        let inverse = 1.0 / *number;
        good &= number.is_finite() && inverse.is_finite();
        *number = inverse;
    }
    good
}
