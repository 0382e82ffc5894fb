//! Graph colouring of the contacts: contacts of one colour share no movable body, so their order does not matter.
//!
//! The colours depend on the list of contacts and on the Morton curve alone. Contacts along the curve are cut into windows that fit into a
//! cache. Greedy colouring: inside a window each contact gets the first colour that neither of its bodies has yet, and each window gets the
//! first colour that no earlier window with a common body has. A sweep visits one colour of windows after the other, the windows of each
//! colour, and in each window one colour of contacts after the other. Fixed bodies are shared freely. All contacts of a piston share it;
//! they stay together and are visited one by one, as are contacts for which there is no colour left.

use crate::dimension::Dimension;
use crate::lanes::LANES;
use crate::part::number;
use crate::problem::Problem;
use crate::problem::law::Body;
use crate::problem::morton::sort_by_place;
use std::ops::Range;

/// As many colours as a mask has bits. A grain with more contacts in a window has some that are visited one by one.
const MAX_COLOURS: u32 = 64;

/// No contact.
pub(crate) const NONE: u32 = u32::MAX;

/// Marks the place of a fixed body until its window gives it one of its own.
const FIXED: u32 = 1 << 31;

/// The contacts of a problem in the order of a coloured sweep.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Colours {
    /// How many contacts make a window.
    pub(crate) window: usize,
    /// Contacts along the curve.
    pub(crate) in_order: Vec<u32>,
    /// The places of their bodies. Fixed bodies have one for each window, so that no two threads write to the same place.
    pub(crate) links: Vec<[u32; 2]>,
    /// The places after those of all bodies hold copies of these bodies. `NONE` is the dummy body of lanes without a contact.
    pub(crate) copies: Vec<u32>,
    /// Up to eight contacts of one colour each, as indices into `in_order`.
    pub(crate) batches: Vec<[u32; LANES]>,
    /// The windows in the order of a sweep.
    pub(crate) windows: Vec<Window>,
    /// The windows of each colour.
    pub(crate) groups: Vec<Range<usize>>,
    /// Batches of a single contact, which are visited one by one after the groups.
    pub(crate) alone: Window,
    // The input of the colouring, to see whether it has changed: the places of the bodies of each contact, the contacts of pistons, the
    // number of bodies and whether there is a curve.
    ends: Vec<[u32; 2]>,
    pushed: Vec<(u32, u32)>,
    bodies: usize,
    follows: bool,
    // Whether the colouring belongs to this input: false where it has panicked half-way.
    complete: bool,
    // Workspace: the previous contacts of pistons, the colours of contacts, the colours of windows, marks of bodies.
    pushed_before: Vec<(u32, u32)>,
    by_piston: Vec<(u32, u32)>,
    is_pushed: Vec<bool>,
    order: Vec<usize>,
    own: Vec<u8>,
    // Each with the place of its dummy body.
    shades: Vec<(u32, u32)>,
    marks: Vec<BodyMark>,
    counts: Vec<u32>,
}

/// A window: its batches, and the place of its dummy body.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) batches: Range<usize>,
    pub(crate) dummy: u32,
}

/// What the colouring knows of a body: the last window it was in, its place there if it is fixed, the colours of its contacts there, and
/// the colours of all its windows.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct BodyMark {
    window: u32,
    place: u32,
    taken: u64,
    shades: u64,
}

impl Colours {
    /// No contacts yet; `window` of them will make a window.
    pub(crate) fn with_window(window: usize) -> Self {
        Self { window, ..Self::default() }
    }

    /// Colours the contacts of a problem. Returns whether the colours may have changed.
    pub(crate) fn find<D: Dimension>(&mut self, problem: &Problem<D>) -> bool {
        if self.are_known(problem) && self.complete {
            return false;
        }
        self.complete = false;
        self.sort(problem);
        let count = self.in_order.len() - self.pushed.len();
        let alone = self.colour(count, number(problem.bodies.len()));
        self.fill();
        // Visited one by one, the contacts of pistons need no copies of fixed bodies.
        self.links[count..].iter_mut().flatten().for_each(|end| *end &= !FIXED);
        let alone = alone.into_iter().chain(number(count)..number(self.in_order.len()));
        let start = self.batches.len();
        self.batches.extend(alone.map(|contact| {
            let mut batch = [NONE; LANES];
            batch[0] = contact;
            batch
        }));
        self.alone = Window { batches: start..self.batches.len(), dummy: 0 };
        let places = number(problem.bodies.len() + self.copies.len());
        assert!(self.links.iter().flatten().all(|end| *end < places), "the curve has a place for each body");
        self.complete = true;
        true
    }

    /// Stores the places of the bodies of each contact, and the contacts of pistons. Returns whether they are the same as before.
    fn are_known<D: Dimension>(&mut self, problem: &Problem<D>) -> bool {
        let Self { ends, pushed, pushed_before, .. } = self;
        std::mem::swap(pushed, pushed_before);
        pushed.clear();
        let (bodies, follows) = (problem.bodies.len(), !problem.curve.is_empty());
        let mut same = (ends.len(), self.bodies, self.follows) == (problem.rows.len(), bodies, follows);
        (self.bodies, self.follows) = (bodies, follows);
        ends.resize(problem.rows.len(), [0; 2]);
        for ((row, known), contact) in problem.rows.iter().zip(ends).zip(0..) {
            // A contact of two pistons belongs to one of them.
            let piston = [row.first, row.second].into_iter().find(|end| is_piston(&problem.bodies[*end as usize]));
            pushed.extend(piston.map(|piston| (piston, contact)));
            let places = [row.first, row.second].map(|end| {
                let body = &problem.bodies[end as usize];
                let place = problem.curve.get(end as usize).copied().unwrap_or(end);
                if body.inverse_mass > 0.0 { place } else { place | FIXED }
            });
            same &= *known == places;
            *known = places;
        }
        same && self.pushed == self.pushed_before
    }

    /// Sorts contacts along the curve, and behind them those of pistons by piston.
    fn sort<D: Dimension>(&mut self, problem: &Problem<D>) {
        let Self { ends, in_order, links, counts, pushed, by_piston, is_pushed: alone, .. } = self;
        in_order.clear();
        if problem.curve.is_empty() {
            in_order.extend(0..number(ends.len()));
        } else {
            // Fixed bodies count as last on the curve.
            sort_by_place(ends.iter().map(|ends| ends[0].min(ends[1])), problem.bodies.len(), counts, in_order);
        }
        if !pushed.is_empty() {
            by_piston.clone_from(pushed);
            by_piston.sort_unstable();
            alone.clear();
            alone.resize(ends.len(), false);
            for (_, contact) in &*by_piston {
                alone[*contact as usize] = true;
            }
            in_order.retain(|contact| !alone[*contact as usize]);
            in_order.extend(by_piston.iter().map(|(_, contact)| *contact));
        }
        links.clear();
        links.extend(in_order.iter().map(|contact| ends[*contact as usize]));
    }

    /// Colours the contacts of every window, and the windows. Returns the contacts that no colour is left for.
    fn colour(&mut self, count: usize, bodies: u32) -> Vec<u32> {
        let Self { window: size, links, own, shades, marks, copies, .. } = self;
        let mut alone = Vec::new();
        marks.clear();
        marks.resize(bodies as usize, BodyMark { window: NONE, ..BodyMark::default() });
        copies.clear();
        own.clear();
        shades.clear();
        for (links, window) in links[..count].chunks_mut(*size).zip(0_u32..) {
            let mut near = 0;
            let dummy = bodies + number(copies.len());
            copies.push(NONE);
            for link in links.iter_mut() {
                let mut taken = 0;
                for end in link.iter_mut() {
                    let mark = &mut marks[(*end & !FIXED) as usize];
                    if mark.window != window {
                        (mark.window, mark.taken, mark.place) = (window, 0, *end);
                        if *end & FIXED != 0 {
                            mark.place = bodies + number(copies.len());
                            copies.push(*end & !FIXED);
                        }
                    }
                    if *end & FIXED == 0 {
                        taken |= mark.taken;
                        near |= mark.shades;
                    } else {
                        *end = mark.place;
                    }
                }
                let colour = (!taken).trailing_zeros();
                if colour == MAX_COLOURS {
                    alone.push(number(own.len()));
                } else {
                    for &end in link.iter().filter(|end| **end < bodies) {
                        marks[end as usize].taken |= 1 << colour;
                    }
                }
                own.push(u8::try_from(colour).expect("at most 64"));
            }
            // Windows for which no colour is left get one each, after all others.
            let shade = (!near).trailing_zeros();
            shades.push((if shade == MAX_COLOURS { MAX_COLOURS + window } else { shade }, dummy));
            if shade < MAX_COLOURS {
                for &end in links.iter().flatten().filter(|end| **end < bodies) {
                    marks[end as usize].shades |= 1 << shade;
                }
            }
        }
        alone
    }

    /// Puts contacts into batches, window by window in the order of the colours.
    fn fill(&mut self) {
        let Self { window: size, batches, windows, groups, own, shades, counts, order, .. } = self;
        order.clear();
        order.extend(0..shades.len());
        order.sort_unstable_by_key(|&window| (shades[window].0, window));
        batches.clear();
        windows.clear();
        groups.clear();
        for (place, &window) in order.iter().enumerate() {
            let first = window * *size;
            let colours = &own[first..own.len().min(first + *size)];
            let start = batches.len();
            // How many contacts each colour has, then where its next one goes.
            counts.clear();
            counts.resize(MAX_COLOURS as usize + 1, 0);
            for colour in colours {
                counts[*colour as usize] += 1;
            }
            let mut end = number(start * LANES);
            for count in &mut counts[..MAX_COLOURS as usize] {
                let next = end + count.next_multiple_of(number(LANES));
                *count = end;
                end = next;
            }
            batches.resize(end as usize / LANES, [NONE; LANES]);
            for (&colour, contact) in
                colours.iter().zip(number(first)..).filter(|(colour, _)| u32::from(**colour) < MAX_COLOURS)
            {
                let next = &mut counts[colour as usize];
                batches[*next as usize / LANES][*next as usize % LANES] = contact;
                *next += 1;
            }
            windows.push(Window { batches: start..batches.len(), dummy: shades[window].1 });
            if place == 0 || shades[window].0 != shades[order[place - 1]].0 {
                groups.push(place..place);
            }
            groups.last_mut().expect("just pushed").end = place + 1;
        }
    }

    /// The windows that may be worked on at once, in the order of a sweep.
    pub(crate) fn turns(&self, backwards: bool) -> impl Iterator<Item = Range<usize>> + Clone + Sync {
        let last = self.groups.len();
        (0..=last).map(move |turn| {
            let group = self.groups.get(if backwards { last - turn } else { turn });
            group.cloned().unwrap_or(self.windows.len()..self.count())
        })
    }

    /// The number of windows. The last one is that of the contacts that are visited one by one.
    pub(crate) fn count(&self) -> usize {
        self.windows.len() + 1
    }

    /// One of them.
    pub(crate) fn window(&self, number: usize) -> &Window {
        self.windows.get(number).unwrap_or(&self.alone)
    }

    /// All contacts in the order of a sweep.
    pub(crate) fn visits(&self) -> impl DoubleEndedIterator<Item = u32> {
        let contacts = self.batches.iter().flatten().filter(|contact| **contact != NONE);
        contacts.map(|contact| self.in_order[*contact as usize])
    }
}

/// A piston can be moved but not turned. On a line it has no more contacts than a grain and is treated like one.
fn is_piston<D: Dimension>(body: &Body<D>) -> bool {
    !D::CHAIN && body.inverse_mass > 0.0 && body.inverse_inertia <= 0.0
}
