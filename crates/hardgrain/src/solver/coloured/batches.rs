//! Eight contacts at a time, as they lie in memory, and passes through all of them.
//!
//! Memory holds what a sweep needs in the order in which it needs it. Of each eight contacts: the bodies, the parameters of the
//! law, and the impulses, which alone are written. Of each body: velocity and spin, 1/m and 1/I as far as its slots have
//! room for them.

use crate::dimension::Dimension;
use crate::lanes::{Eight, LANES, LaneWork, Path, SharedNumbers, Simd};
use crate::problem::{Body, Colours, Contact, Impulse, Window};
use crate::vector::Components;
use std::ops::Range;

/// Slots of a body: numbers that registers gather at once.
pub(super) const fn slots<D: Dimension>() -> usize {
    match D::AXES {
        1 => 1,
        2 => 4,
        _ => 8,
    }
}

/// Columns of a batch: the law of a contact, and of its bodies what their slots have no room for.
pub(super) const fn width<D: Dimension>() -> usize {
    match D::AXES {
        1 => 5,
        2 => 10,
        _ => 9,
    }
}

/// The bodies of a batch, first and second, by the index of the first of their numbers.
pub(super) type Ends = [[u32; LANES]; 2];

/// What a kernel sums in a window.
pub(super) type Sums<T = Eight> = [T; 3];

/// An operation on every batch, one after the other.
pub(super) trait Kernel<D: Dimension>: Copy + Send + Sync {
    /// Whether from the last batch to the first.
    const BACKWARDS: bool;

    /// Further data of a batch that it reads and writes.
    type PerBatch: Send;

    fn apply<T: Simd>(self, batch: Batch<'_, D, Self::PerBatch>, numbers: SharedNumbers<'_>, sums: &mut Sums<T>);
}

/// Eight contacts that share no body that moves, or one.
pub(super) struct Batch<'a, D: Dimension, M> {
    ends: &'a Ends,
    columns: &'a [Eight],
    impulse: &'a mut Impulse<D, Eight>,
    pub(super) extra: &'a mut M,
}

impl<D: Dimension, M> Batch<'_, D, M> {
    /// The contacts; on a line nothing turns or rubs.
    #[inline(always)]
    pub(super) fn law<T: Simd>(&self) -> Contact<D, T> {
        let column = |index: usize| T::load(&self.columns[D::AXES + index]);
        let tangential = |index: usize| if D::CHAIN { T::default() } else { column(index) };
        Contact {
            normal: D::Vector::from_fn(|axis| T::load(&self.columns[axis])),
            normal_mass: column(0),
            target: column(1),
            first_arm: tangential(2),
            second_arm: tangential(3),
            tangent_mass: tangential(4),
            friction: tangential(5),
        }
    }

    #[inline(always)]
    pub(super) fn impulse<T: Simd>(&self) -> Impulse<D, T> {
        load(self.impulse)
    }

    #[inline(always)]
    pub(super) fn set_impulse<T: Simd>(&mut self, impulse: Impulse<D, T>) {
        store(impulse, self.impulse);
    }

    /// The first or second bodies.
    #[inline(always)]
    pub(super) fn body<T: Simd>(&self, numbers: SharedNumbers<'_>, which: usize) -> Body<D, T> {
        let own = T::gather(numbers, slots::<D>(), &self.ends[which]);
        let (inverse_mass, inverse_inertia) = match D::AXES {
            1 => (T::load(&self.columns[3 + which]), T::default()),
            2 => (own[3], T::load(&self.columns[8 + which])),
            _ => (own[6], own[7]),
        };
        Body {
            velocity: D::Vector::from_fn(|axis| own[axis]),
            spin: D::Spin::from_fn(|axis| own[D::AXES + axis]),
            inverse_mass,
            inverse_inertia,
        }
    }

    /// Writes velocities and spins.
    #[inline(always)]
    pub(super) fn write_velocities<T: Simd>(&self, body: &Body<D, T>, numbers: SharedNumbers<'_>, which: usize) {
        let mut own = [T::default(); 8];
        own[..D::AXES].copy_from_slice(body.velocity.as_slice());
        let spin = body.spin.as_slice();
        own[D::AXES..D::AXES + spin.len()].copy_from_slice(spin);
        if D::AXES == 2 {
            own[3] = body.inverse_mass;
        }
        T::scatter(own, numbers, slots::<D>(), &self.ends[which]);
    }
}

#[inline(always)]
pub(super) fn load<D: Dimension, T: Simd>(from: &Impulse<D, Eight>) -> Impulse<D, T> {
    let tangent = from.tangent.as_slice();
    Impulse { normal: T::load(&from.normal), tangent: D::Tangent::from_fn(|axis| T::load(&tangent[axis])) }
}

#[inline(always)]
pub(super) fn store<D: Dimension, T: Simd>(impulse: Impulse<D, T>, into: &mut Impulse<D, Eight>) {
    impulse.normal.store(&mut into.normal);
    let tangent = into.tangent.as_mut_slice().iter_mut();
    tangent.zip(impulse.tangent.as_slice()).for_each(|(into, number)| number.store(into));
}

/// Windows follow each other and together are all batches.
pub(super) const ENOUGH: &str = "as much memory as there are batches";

/// A kernel and the batches it is applied to, one after the other, and sums for each of their windows.
pub(super) struct Batches<'a, D: Dimension, K: Kernel<D>> {
    pub(super) kernel: &'a K,
    pub(super) ends: &'a [Ends],
    pub(super) columns: &'a [Eight],
    pub(super) impulses: &'a mut [Impulse<D, Eight>],
    pub(super) extra: &'a mut [K::PerBatch],
    pub(super) sums: &'a mut [Sums],
    pub(super) numbers: SharedNumbers<'a>,
}

impl<D: Dimension, K: Kernel<D>> Batches<'_, D, K> {
    /// Those of one window, with its number.
    pub(super) fn part(&mut self, window: &Window, number: usize) -> Batches<'_, D, K> {
        let Range { start, end } = window.batches;
        Batches {
            kernel: self.kernel,
            ends: &self.ends[start..end],
            columns: &self.columns[start * width::<D>()..end * width::<D>()],
            impulses: &mut self.impulses[start..end],
            extra: &mut self.extra[start..end],
            sums: &mut self.sums[number..=number],
            numbers: self.numbers,
        }
    }

    /// One for each window.
    pub(super) fn by_windows(self, colours: &Colours) -> impl Iterator<Item = Self> {
        let (kernel, numbers) = (self.kernel, self.numbers);
        let Self { mut ends, mut columns, mut impulses, mut extra, mut sums, .. } = self;
        (0..colours.count()).map(move |number| {
            let count = colours.window(number).batches.len();
            Self {
                kernel,
                ends: ends.split_off(..count).expect(ENOUGH),
                columns: columns.split_off(..count * width::<D>()).expect(ENOUGH),
                impulses: impulses.split_off_mut(..count).expect(ENOUGH),
                extra: extra.split_off_mut(..count).expect(ENOUGH),
                sums: sums.split_off_mut(..1).expect(ENOUGH),
                numbers,
            }
        })
    }

    /// Runs through batches of a single contact, which is the first, or through full ones on this path.
    pub(super) fn run(&mut self, path: Path, alone: bool) {
        if alone {
            self.with::<f64>();
        } else {
            path.run(self);
        }
    }
}

impl<D: Dimension, K: Kernel<D>> LaneWork for &mut Batches<'_, D, K> {
    const SLOTS: usize = slots::<D>();

    #[inline(always)]
    fn with<T: Simd>(self) {
        let Batches { kernel, ends, columns, impulses, extra, sums, numbers } = self;
        let memory = columns.chunks_exact(width::<D>()).zip(impulses.iter_mut()).zip(extra.iter_mut());
        let batches = ends.iter().zip(memory);
        let totals = if K::BACKWARDS {
            apply_all::<D, K, T>(batches.rev(), **kernel, *numbers)
        } else {
            apply_all(batches, **kernel, *numbers)
        };
        if let Some(sums) = sums.first_mut() {
            totals.into_iter().zip(&mut *sums).for_each(|(total, sum)| total.store(sum));
        }
    }
}

/// The memory of a batch.
type BatchMemory<'a, D, M> = (&'a Ends, ((&'a [Eight], &'a mut Impulse<D, Eight>), &'a mut M));

/// Applies a kernel to one batch after the other.
#[inline(always)]
fn apply_all<'a, D: Dimension, K: Kernel<D, PerBatch: 'a>, T: Simd>(
    batches: impl Iterator<Item = BatchMemory<'a, D, K::PerBatch>>,
    kernel: K,
    numbers: SharedNumbers<'_>,
) -> Sums<T> {
    let mut sums = [T::default(); 3];
    for (ends, ((columns, impulse), extra)) in batches {
        kernel.apply(Batch { ends, columns, impulse, extra }, numbers, &mut sums);
    }
    sums
}
