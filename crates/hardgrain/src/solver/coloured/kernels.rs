//! The kernels of coloured sweeps, applied to batch after batch: relax, push, measure and extrapolate.

use super::batches::{Batch, Kernel, Sums, load, store};
use crate::dimension::Dimension;
use crate::lanes::{Eight, SharedNumbers, Simd};
use crate::problem::Impulse;
use crate::solver::sweepable::{PairProducts, Trace};

/// Each contact is relaxed with what the ones before it have just received.
#[derive(Clone, Copy)]
pub(super) struct RelaxKernel<const BACKWARDS: bool>;

impl<D: Dimension, const BACKWARDS: bool> Kernel<D> for RelaxKernel<BACKWARDS> {
    const BACKWARDS: bool = BACKWARDS;
    type PerBatch = ();

    #[inline(always)]
    fn apply<T: Simd>(self, mut batch: Batch<'_, D, ()>, numbers: SharedNumbers<'_>, _: &mut Sums<T>) {
        settle::<D, T, ()>(&mut batch, numbers);
    }
}

#[inline(always)]
fn settle<D: Dimension, T: Simd, M>(batch: &mut Batch<'_, D, M>, numbers: SharedNumbers<'_>) -> Impulse<D, T> {
    let (law, now) = (batch.law::<T>(), batch.impulse());
    let (mut first, mut second) = (batch.body(numbers, 0), batch.body(numbers, 1));
    let impulse = law.settle(now, &mut first, &mut second);
    batch.set_impulse(impulse);
    batch.write_velocities(&first, numbers, 0);
    batch.write_velocities(&second, numbers, 1);
    impulse
}

/// The impulses act on the bodies.
#[derive(Clone, Copy)]
pub(super) struct PushKernel;

impl<D: Dimension> Kernel<D> for PushKernel {
    const BACKWARDS: bool = false;
    type PerBatch = ();

    #[inline(always)]
    fn apply<T: Simd>(self, batch: Batch<'_, D, ()>, numbers: SharedNumbers<'_>, _: &mut Sums<T>) {
        let (mut first, mut second) = (batch.body::<T>(numbers, 0), batch.body(numbers, 1));
        batch.law().push(batch.impulse(), &mut first, &mut second);
        batch.write_velocities(&first, numbers, 0);
        batch.write_velocities(&second, numbers, 1);
    }
}

/// Sums the squares of the changes of impulse that relaxing would make, of the impulses, and of the velocities by which contacts violate
/// their laws.
#[derive(Clone, Copy)]
pub(super) struct MeasureKernel;

impl<D: Dimension> Kernel<D> for MeasureKernel {
    const BACKWARDS: bool = false;
    type PerBatch = ();

    #[inline(always)]
    fn apply<T: Simd>(self, batch: Batch<'_, D, ()>, numbers: SharedNumbers<'_>, sums: &mut Sums<T>) {
        let now = batch.impulse::<T>();
        let [change, missed] = batch.law().violation(now, &batch.body(numbers, 0), &batch.body(numbers, 1));
        sums[0] += change;
        sums[1] += now.length_squared();
        sums[2] += missed;
    }
}

/// Each contact is extrapolated, with or without the second sweep of a pair in the same pass.
#[derive(Clone, Copy)]
pub(super) struct ExtrapolateKernel<const WITH_SWEEP: bool> {
    pub(super) share: f64,
}

impl<D: Dimension, const WITH_SWEEP: bool> Kernel<D> for ExtrapolateKernel<WITH_SWEEP> {
    const BACKWARDS: bool = true;
    type PerBatch = Trace<Impulse<D, Eight>>;

    #[inline(always)]
    fn apply<T: Simd>(self, mut batch: Batch<'_, D, Self::PerBatch>, numbers: SharedNumbers<'_>, sums: &mut Sums<T>) {
        let now = if WITH_SWEEP { settle::<D, T, _>(&mut batch, numbers) } else { batch.impulse() };
        let mut trace = Trace { last: load(&batch.extra.last), start: load(&batch.extra.start) };
        let mut products = PairProducts { change: sums[0], movement: sums[1], dot: sums[2] };
        let extrapolated = trace.extrapolate(now, T::splat(self.share), &mut products);
        *sums = [products.change, products.movement, products.dot];
        store(trace.last, &mut batch.extra.last);
        store(trace.start, &mut batch.extra.start);
        batch.set_impulse(extrapolated);
    }
}
