//! Eight contacts at a time, as they lie in memory, and ways through all of them.
//!
//! Memory holds what a sweep needs in the order in which it needs it. Of each eight contacts: between which bodies, what the law
//! has to know, and the impulses, which alone are written. Of each body: velocity and spin, 1/m and 1/I as far as a register has
//! room for them.

use crate::dimension::Dimension;
use crate::lanes::{Abreast, Eight, LANES, Numbers, Path, Work};
use crate::problem::{Body, Colours, Contact, Impulse, Window};
use crate::vector::Components;
use std::ops::Range;

/// Numbers of a body: as many as a register can gather at once.
pub(super) const fn slots<D: Dimension>() -> usize {
    match D::AXES {
        1 => 1,
        2 => 4,
        _ => 8,
    }
}

/// Columns of a batch: what the law needs of a contact, and of its bodies what their slots have no room for.
pub(super) const fn width<D: Dimension>() -> usize {
    match D::AXES {
        1 => 5,
        2 => 10,
        _ => 9,
    }
}

/// The bodies of a batch, first and second, by the index of the first of their numbers.
pub(super) type Ends = [[u32; LANES]; 2];

/// What an act adds up in a window.
pub(super) type Sums<T = Eight> = [T; 3];

/// Something done with every batch in turn.
pub(super) trait Act<D: Dimension>: Copy + Send + Sync {
    /// Whether from the last batch to the first.
    const BACKWARDS: bool;

    /// What it needs of a batch besides.
    type More: Send;

    fn on<T: Abreast>(self, batch: Batch<'_, D, Self::More>, numbers: Numbers<'_>, sums: &mut Sums<T>);
}

/// Eight contacts that share no body that moves, or one.
pub(super) struct Batch<'a, D: Dimension, M> {
    ends: &'a Ends,
    columns: &'a [Eight],
    impulse: &'a mut Impulse<D, Eight>,
    pub(super) more: &'a mut M,
}

impl<D: Dimension, M> Batch<'_, D, M> {
    /// The contacts; on a line what turns or rubs is not there.
    #[inline(always)]
    pub(super) fn law<T: Abreast>(&self) -> Contact<D, T> {
        let column = |index: usize| T::load(&self.columns[D::AXES + index]);
        let aside = |index: usize| if D::CHAIN { T::default() } else { column(index) };
        Contact {
            normal: D::Vector::from_fn(|axis| T::load(&self.columns[axis])),
            normal_mass: column(0),
            target: column(1),
            first_arm: aside(2),
            second_arm: aside(3),
            tangent_mass: aside(4),
            friction: aside(5),
        }
    }

    #[inline(always)]
    pub(super) fn impulse<T: Abreast>(&self) -> Impulse<D, T> {
        load(self.impulse)
    }

    #[inline(always)]
    pub(super) fn set_impulse<T: Abreast>(&mut self, impulse: Impulse<D, T>) {
        store(impulse, self.impulse);
    }

    /// The first or second bodies.
    #[inline(always)]
    pub(super) fn body<T: Abreast>(&self, numbers: Numbers<'_>, which: usize) -> Body<D, T> {
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

    /// Puts velocities and spins back.
    #[inline(always)]
    pub(super) fn put_back<T: Abreast>(&self, body: &Body<D, T>, numbers: Numbers<'_>, which: usize) {
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
pub(super) fn load<D: Dimension, T: Abreast>(from: &Impulse<D, Eight>) -> Impulse<D, T> {
    let tangent = from.tangent.as_slice();
    Impulse { normal: T::load(&from.normal), tangent: D::Tangent::from_fn(|axis| T::load(&tangent[axis])) }
}

#[inline(always)]
pub(super) fn store<D: Dimension, T: Abreast>(impulse: Impulse<D, T>, into: &mut Impulse<D, Eight>) {
    impulse.normal.store(&mut into.normal);
    let tangent = into.tangent.as_mut_slice().iter_mut();
    tangent.zip(impulse.tangent.as_slice()).for_each(|(into, number)| number.store(into));
}

/// What lies in windows behind each other is all there is.
pub(super) const ENOUGH: &str = "as much memory as there are batches";

/// Some batches, with which something is to be done one after the other, and a sum for each of their windows.
pub(super) struct Batches<'a, D: Dimension, A: Act<D>> {
    pub(super) act: &'a A,
    pub(super) ends: &'a [Ends],
    pub(super) columns: &'a [Eight],
    pub(super) impulses: &'a mut [Impulse<D, Eight>],
    pub(super) more: &'a mut [A::More],
    pub(super) sums: &'a mut [Sums],
    pub(super) numbers: Numbers<'a>,
}

impl<D: Dimension, A: Act<D>> Batches<'_, D, A> {
    /// The same for a while.
    pub(super) fn again(&mut self) -> Batches<'_, D, A> {
        Batches {
            act: self.act,
            ends: self.ends,
            columns: self.columns,
            impulses: self.impulses,
            more: self.more,
            sums: self.sums,
            numbers: self.numbers,
        }
    }

    /// Those of one window, of which it is told which one it is.
    pub(super) fn part(&mut self, window: &Window, number: usize) -> Batches<'_, D, A> {
        let Range { start, end } = window.batches;
        Batches {
            act: self.act,
            ends: &self.ends[start..end],
            columns: &self.columns[start * width::<D>()..end * width::<D>()],
            impulses: &mut self.impulses[start..end],
            more: &mut self.more[start..end],
            sums: &mut self.sums[number..=number],
            numbers: self.numbers,
        }
    }

    /// One for each window, which lie behind each other.
    pub(super) fn by_windows(self, colours: &Colours) -> impl Iterator<Item = Self> {
        let (act, numbers) = (self.act, self.numbers);
        let Self { mut ends, mut columns, mut impulses, mut more, mut sums, .. } = self;
        (0..colours.count()).map(move |number| {
            let count = colours.window(number).batches.len();
            Self {
                act,
                ends: ends.split_off(..count).expect(ENOUGH),
                columns: columns.split_off(..count * width::<D>()).expect(ENOUGH),
                impulses: impulses.split_off_mut(..count).expect(ENOUGH),
                more: more.split_off_mut(..count).expect(ENOUGH),
                sums: sums.split_off_mut(..1).expect(ENOUGH),
                numbers,
            }
        })
    }

    /// Goes through contacts that are the first of their batch, and the only one; or through full ones on this path.
    pub(super) fn go(self, path: Path, alone: bool) {
        if alone {
            self.with::<f64>();
        } else {
            path.go(self);
        }
    }
}

impl<D: Dimension, A: Act<D>> Work for Batches<'_, D, A> {
    const SLOTS: usize = slots::<D>();

    #[inline(always)]
    fn with<T: Abreast>(self) {
        let Self { act, numbers, sums, .. } = self;
        let memory = self.columns.chunks_exact(width::<D>()).zip(self.impulses).zip(self.more);
        let batches = self.ends.iter().zip(memory);
        let totals =
            if A::BACKWARDS { all::<D, A, T>(batches.rev(), *act, numbers) } else { all(batches, *act, numbers) };
        if let Some(sums) = sums.first_mut() {
            totals.into_iter().zip(sums).for_each(|(total, sum)| total.store(sum));
        }
    }
}

/// What is there of a batch.
type Parts<'a, D, M> = (&'a Ends, ((&'a [Eight], &'a mut Impulse<D, Eight>), &'a mut M));

/// One after the other.
#[inline(always)]
fn all<'a, D: Dimension, A: Act<D, More: 'a>, T: Abreast>(
    batches: impl Iterator<Item = Parts<'a, D, A::More>>,
    act: A,
    numbers: Numbers<'_>,
) -> Sums<T> {
    let mut sums = [T::default(); 3];
    for (ends, ((columns, impulse), more)) in batches {
        act.on(Batch { ends, columns, impulse, more }, numbers, &mut sums);
    }
    sums
}
