//! Gathers from a problem what sweeps need, in the order in which they need it.

use super::batches::{ENOUGH, Ends, slots, width};
use crate::dimension::Dimension;
use crate::lanes::Eight;
use crate::problem::{Body, Colours, Impulse, NONE, Problem, Row, Window};
use crate::threads::Threads;
use crate::vector::Components;

/// The source.
pub(super) struct Gather<'a, D: Dimension> {
    pub(super) problem: &'a Problem<D>,
    pub(super) colours: &'a Colours,
}

/// The memory of some batches.
pub(super) struct GatheredBatches<'a, D: Dimension> {
    pub(super) ends: &'a mut [Ends],
    pub(super) columns: &'a mut [Eight],
    pub(super) impulses: &'a mut [Impulse<D, Eight>],
}

impl<D: Dimension> GatheredBatches<'_, D> {
    /// The memory of each window.
    fn by_windows(self, colours: &Colours) -> impl ExactSizeIterator<Item = Self> {
        let Self { mut ends, mut columns, mut impulses } = self;
        (0..colours.count()).map(move |number| {
            let count = colours.window(number).batches.len();
            Self {
                ends: ends.split_off_mut(..count).expect(ENOUGH),
                columns: columns.split_off_mut(..count * width::<D>()).expect(ENOUGH),
                impulses: impulses.split_off_mut(..count).expect(ENOUGH),
            }
        })
    }
}

impl<D: Dimension> Gather<'_, D> {
    /// All windows, each on one thread.
    pub(super) fn all(&self, into: GatheredBatches<'_, D>, threads: &Threads) {
        let windows = into.by_windows(self.colours);
        threads.each(windows, |(number, into)| self.window(self.colours.window(number), into));
    }

    fn window(&self, window: &Window, into: GatheredBatches<'_, D>) {
        let batches = self.colours.batches[window.batches.clone()].iter().zip(into.ends);
        let memory = into.columns.chunks_exact_mut(width::<D>()).zip(into.impulses);
        for ((contacts, ends), (columns, impulses)) in batches.zip(memory) {
            for (lane, &contact) in contacts.iter().enumerate() {
                if contact == NONE {
                    empty_lane(lane, window.dummy, ends, columns, impulses);
                } else {
                    self.contact(lane, contact as usize, ends, columns, impulses);
                }
            }
        }
    }

    /// A contact, by its place along the curve.
    #[inline(always)]
    fn contact(
        &self,
        lane: usize,
        contact: usize,
        ends: &mut Ends,
        columns: &mut [Eight],
        impulses: &mut Impulse<D, Eight>,
    ) {
        let Row { contact: law, impulse, first, second } = &self.problem.rows[self.colours.in_order[contact] as usize];
        let link = self.colours.links[contact];
        (ends[0][lane], ends[1][lane]) = (link[0] * step::<D>(), link[1] * step::<D>());
        let (masses, tangential) =
            ([law.normal_mass, law.target], [law.first_arm, law.second_arm, law.tangent_mass, law.friction]);
        let mut put = |index: usize, number: f64| columns[index].0[lane] = number;
        law.normal.as_slice().iter().enumerate().for_each(|(axis, number)| put(axis, *number));
        masses.into_iter().zip(D::AXES..).for_each(|(number, index)| put(index, number));
        if !D::CHAIN {
            tangential.into_iter().zip(D::AXES + 2..).for_each(|(number, index)| put(index, number));
        }
        // 1/m on a line, 1/I in the plane; in space bodies have room for both.
        if D::AXES < 3 {
            for (end, index) in [first, second].into_iter().zip(width::<D>() - 2..) {
                let body = &self.problem.bodies[*end as usize];
                put(index, if D::CHAIN { body.inverse_mass } else { body.inverse_inertia });
            }
        }
        impulses.normal.0[lane] = impulse.normal;
        let tangents = impulses.tangent.as_mut_slice().iter_mut().zip(impulse.tangent.as_slice());
        tangents.for_each(|(column, number)| column.0[lane] = *number);
    }
}

/// A lane without a contact.
fn empty_lane<D: Dimension>(
    lane: usize,
    place: u32,
    ends: &mut Ends,
    columns: &mut [Eight],
    impulses: &mut Impulse<D, Eight>,
) {
    for end in ends {
        end[lane] = place * step::<D>();
    }
    impulses.normal.0[lane] = 0.0;
    for column in columns.iter_mut().chain(impulses.tangent.as_mut_slice()) {
        column.0[lane] = 0.0;
    }
}

/// The distance from one body to the next.
#[allow(clippy::cast_possible_truncation)]
const fn step<D: Dimension>() -> u32 {
    slots::<D>() as u32
}

/// Writes a body into its slots.
#[inline(always)]
pub(super) fn write_body<D: Dimension>(own: &mut [f64], body: &Body<D>) {
    let moves = body.velocity.as_slice().iter().chain(body.spin.as_slice());
    let ease = [&body.inverse_mass, &body.inverse_inertia];
    own.iter_mut().zip(moves.chain(ease)).for_each(|(slot, number)| *slot = *number);
}
