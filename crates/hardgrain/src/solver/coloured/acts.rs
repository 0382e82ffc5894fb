//! What is done with batches: they are relaxed, pushed, looked at and carried on.

use super::batches::{Act, Batch, Sums, load, store};
use crate::dimension::Dimension;
use crate::lanes::{Abreast, Eight, Numbers};
use crate::problem::Impulse;
use crate::solver::momentum::{Carried, Trace};

/// Each contact is relaxed with what the ones before it have just received.
#[derive(Clone, Copy)]
pub(super) struct Relax<const BACKWARDS: bool>;

impl<D: Dimension, const BACKWARDS: bool> Act<D> for Relax<BACKWARDS> {
    const BACKWARDS: bool = BACKWARDS;
    type More = ();

    #[inline(always)]
    fn on<T: Abreast>(self, mut batch: Batch<'_, D, ()>, numbers: Numbers<'_>, _: &mut Sums<T>) {
        settle::<D, T, ()>(&mut batch, numbers);
    }
}

#[inline(always)]
fn settle<D: Dimension, T: Abreast, M>(batch: &mut Batch<'_, D, M>, numbers: Numbers<'_>) -> Impulse<D, T> {
    let (law, now) = (batch.law::<T>(), batch.impulse());
    let (mut first, mut second) = (batch.body(numbers, 0), batch.body(numbers, 1));
    let impulse = law.settle(now, &mut first, &mut second);
    batch.set_impulse(impulse);
    batch.put_back(&first, numbers, 0);
    batch.put_back(&second, numbers, 1);
    impulse
}

/// The impulses act on the bodies.
#[derive(Clone, Copy)]
pub(super) struct Push;

impl<D: Dimension> Act<D> for Push {
    const BACKWARDS: bool = false;
    type More = ();

    #[inline(always)]
    fn on<T: Abreast>(self, batch: Batch<'_, D, ()>, numbers: Numbers<'_>, _: &mut Sums<T>) {
        let (mut first, mut second) = (batch.body::<T>(numbers, 0), batch.body(numbers, 1));
        batch.law().push(batch.impulse(), &mut first, &mut second);
        batch.put_back(&first, numbers, 0);
        batch.put_back(&second, numbers, 1);
    }
}

/// The squares of what relaxing every contact again would change, of the impulses, and of the velocities by which contacts miss their laws.
#[derive(Clone, Copy)]
pub(super) struct Measure;

impl<D: Dimension> Act<D> for Measure {
    const BACKWARDS: bool = false;
    type More = ();

    #[inline(always)]
    fn on<T: Abreast>(self, batch: Batch<'_, D, ()>, numbers: Numbers<'_>, sums: &mut Sums<T>) {
        let now = batch.impulse::<T>();
        let [change, missed] = batch.law().unrest(now, &batch.body(numbers, 0), &batch.body(numbers, 1));
        sums[0] += change;
        sums[1] += now.length_squared();
        sums[2] += missed;
    }
}

/// Each contact is carried beyond what it has been led to, with or without the second sweep of a pair on the way.
#[derive(Clone, Copy)]
pub(super) struct CarryOn<const WITH_SWEEP: bool> {
    pub(super) share: f64,
}

impl<D: Dimension, const WITH_SWEEP: bool> Act<D> for CarryOn<WITH_SWEEP> {
    const BACKWARDS: bool = true;
    type More = Trace<Impulse<D, Eight>>;

    #[inline(always)]
    fn on<T: Abreast>(self, mut batch: Batch<'_, D, Self::More>, numbers: Numbers<'_>, sums: &mut Sums<T>) {
        let now = if WITH_SWEEP { settle::<D, T, _>(&mut batch, numbers) } else { batch.impulse() };
        let mut trace = Trace { last: load(&batch.more.last), start: load(&batch.more.start) };
        let mut carried = Carried { change: sums[0], movement: sums[1], along: sums[2] };
        let beyond = trace.beyond(now, T::splat(self.share), &mut carried);
        *sums = [carried.change, carried.movement, carried.along];
        store(trace.last, &mut batch.more.last);
        store(trace.start, &mut batch.more.start);
        batch.set_impulse(beyond);
    }
}
