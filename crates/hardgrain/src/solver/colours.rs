//! Colours of contacts: those of one colour share no grain, so that the order among them does not matter.
//!
//! They follow from the list of contacts, and from the curve along which bodies lie, alone. Contacts along the curve are cut into windows
//! that fit into a cache. Inside a window each contact, in that order, gets the first colour that neither of its bodies has yet; and each
//! window gets the first colour that no earlier window with a common body has. A sweep goes through the colours of windows, through the
//! windows of each, and through the colours in it. What cannot be moved hinders nobody. All contacts of a piston share it; they stay
//! together and are visited one after the other, and so is what the colours do not suffice for.

use crate::curve::contacts;
use crate::dimension::Dimension;
use crate::lanes::LANES;
use crate::law::Body;
use crate::problem::Problem;
use std::ops::Range;

/// As many as a mask has bits. A grain with more contacts than these in a window has some that are visited alone.
const MOST: u32 = 64;

/// Contacts in a window: they and their bodies take a quarter of a megabyte in the plane, half of one in space.
const WINDOW: usize = 2048;

/// No contact.
pub(super) const NONE: u32 = u32::MAX;

/// The contacts of a problem in the order of a coloured sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Colours {
    /// How many contacts make a window.
    pub(super) window: usize,
    /// Up to eight contacts of one colour each.
    pub(super) batches: Vec<[u32; LANES]>,
    /// The batches of each window.
    pub(super) windows: Vec<Range<usize>>,
    /// The windows of each colour.
    pub(super) groups: Vec<Range<usize>>,
    /// Batches of a single contact, which are visited one after the other when the groups are done.
    pub(super) alone: Range<usize>,
    // Workspace: contacts along the curve, their colours, the colours of windows, what is known of each body.
    along: Vec<u32>,
    own: Vec<u8>,
    shades: Vec<u32>,
    marks: Vec<Mark>,
    counts: Vec<u32>,
}

/// What is known of a body: the last window it was in, the colours that it has there, and the colours of all windows it was in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mark {
    window: u32,
    taken: u64,
    shades: u64,
}

impl Default for Colours {
    fn default() -> Self {
        Self {
            window: WINDOW,
            batches: Vec::new(),
            windows: Vec::new(),
            groups: Vec::new(),
            alone: 0..0,
            along: Vec::new(),
            own: Vec::new(),
            shades: Vec::new(),
            marks: Vec::new(),
            counts: Vec::new(),
        }
    }
}

impl Colours {
    /// Finds the colours of a problem's contacts.
    pub(super) fn find<D: Dimension>(&mut self, problem: &Problem<D>) {
        let mut alone = self.sort(problem);
        self.colour(problem, &mut alone);
        self.fill();
        let start = self.batches.len();
        self.batches.extend(alone.into_iter().map(|contact| {
            let mut batch = [NONE; LANES];
            batch[0] = contact;
            batch
        }));
        self.alone = start..self.batches.len();
    }

    /// Contacts along the curve; and those of pistons, sorted by pistons.
    fn sort<D: Dimension>(&mut self, problem: &Problem<D>) -> Vec<u32> {
        let pistons = problem.bodies.iter().any(is_piston);
        let piston = |contact: u32| {
            let row = &problem.rows[contact as usize];
            [row.first, row.second].into_iter().find(|&end| is_piston(&problem.bodies[end as usize]))
        };
        contacts(problem, &mut self.counts, &mut self.along);
        let mut alone = Vec::new();
        if pistons {
            alone.extend(self.along.iter().copied().filter(|&contact| piston(contact).is_some()));
            alone.sort_by_key(|&contact| (piston(contact), contact));
            self.along.retain(|&contact| piston(contact).is_none());
        }
        alone
    }

    /// Gives every contact a colour in its window, and every window one. Contacts that get none are added to the ones alone.
    fn colour<D: Dimension>(&mut self, problem: &Problem<D>, alone: &mut Vec<u32>) {
        let Self { window: size, along, own, shades, marks, .. } = self;
        marks.clear();
        marks.resize(problem.bodies.len(), Mark { window: NONE, taken: 0, shades: 0 });
        own.clear();
        shades.clear();
        for (contacts, window) in along.chunks(*size).zip(0_u32..) {
            let mut near = 0;
            for &contact in contacts {
                let row = &problem.rows[contact as usize];
                let mut taken = 0;
                let ends = [row.first as usize, row.second as usize];
                for end in ends {
                    let mark = &mut marks[end];
                    if mark.window != window {
                        (mark.window, mark.taken) = (window, 0);
                    }
                    if problem.bodies[end].inverse_mass > 0.0 {
                        taken |= mark.taken;
                        near |= mark.shades;
                    }
                }
                let colour = (!taken).trailing_zeros();
                if colour == MOST {
                    alone.push(contact);
                } else {
                    for end in ends {
                        marks[end].taken |= 1 << colour;
                    }
                }
                own.push(u8::try_from(colour).expect("at most 64"));
            }
            // Windows that find no colour get one each, behind all others.
            let shade = (!near).trailing_zeros();
            shades.push(if shade == MOST { MOST + window } else { shade });
            if shade < MOST {
                for &contact in contacts {
                    let row = &problem.rows[contact as usize];
                    marks[row.first as usize].shades |= 1 << shade;
                    marks[row.second as usize].shades |= 1 << shade;
                }
            }
        }
    }

    /// Puts contacts into batches, window by window in the order of their colours.
    fn fill(&mut self) {
        let Self { window: size, batches, windows, groups, along, own, shades, counts, .. } = self;
        let mut order: Vec<usize> = (0..shades.len()).collect();
        order.sort_by_key(|&window| shades[window]);
        batches.clear();
        windows.clear();
        groups.clear();
        for (place, &window) in order.iter().enumerate() {
            let contacts = along.chunks(*size).nth(window).expect("a window");
            let colours = &own[window * *size..][..contacts.len()];
            let start = batches.len();
            // How many contacts each colour has, then where its next one goes.
            counts.clear();
            counts.resize(MOST as usize, 0);
            colours.iter().filter(|&&colour| u32::from(colour) < MOST).for_each(|&colour| counts[colour as usize] += 1);
            let mut end = u32::try_from(start * LANES).expect("fewer contacts than 2^32");
            for count in counts.iter_mut() {
                let next = end + count.next_multiple_of(u32::try_from(LANES).expect("eight"));
                *count = end;
                end = next;
            }
            batches.resize(end as usize / LANES, [NONE; LANES]);
            for (&contact, &colour) in contacts.iter().zip(colours).filter(|(_, colour)| u32::from(**colour) < MOST) {
                let next = &mut counts[colour as usize];
                batches[*next as usize / LANES][*next as usize % LANES] = contact;
                *next += 1;
            }
            windows.push(start..batches.len());
            if place == 0 || shades[window] != shades[order[place - 1]] {
                groups.push(place..place);
            }
            groups.last_mut().expect("just pushed").end = place + 1;
        }
    }

    /// All contacts in the order of a sweep.
    #[cfg(test)]
    pub(super) fn visits(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.batches.iter().flatten().copied().filter(|&contact| contact != NONE)
    }
}

/// A piston is pushed, but cannot be turned. On a line it touches no more than a grain does, and is like one.
fn is_piston<D: Dimension>(body: &Body<D>) -> bool {
    !D::CHAIN && body.inverse_mass > 0.0 && body.inverse_inertia <= 0.0
}
