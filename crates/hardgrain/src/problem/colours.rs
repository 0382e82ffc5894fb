//! Colours of contacts: those of one colour share no grain, so that the order among them does not matter.
//!
//! They follow from the list of contacts, and from the curve along which bodies lie, alone. Contacts along the curve are cut into windows
//! that fit into a cache. Inside a window each contact, in that order, gets the first colour that neither of its bodies has yet; and each
//! window gets the first colour that no earlier window with a common body has. A sweep goes through the colours of windows, through the
//! windows of each, and through the colours in it. What cannot be moved hinders nobody. All contacts of a piston share it; they stay
//! together and are visited one after the other, and so is what the colours do not suffice for.

use crate::dimension::Dimension;
use crate::lanes::LANES;
use crate::problem::Problem;
use crate::problem::law::Body;
use crate::problem::morton::sort_by_place;
use std::ops::Range;

/// As many as a mask has bits. A grain with more contacts than these in a window has some that are visited alone.
const MOST: u32 = 64;

/// No contact.
pub(crate) const NONE: u32 = u32::MAX;

/// Marks the place of a body that cannot be moved, until its window gives it one of its own.
const FIXED: u32 = 1 << 31;

/// The contacts of a problem in the order of a coloured sweep.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Colours {
    /// How many contacts make a window.
    pub(crate) window: usize,
    /// Contacts along the curve.
    pub(crate) along: Vec<u32>,
    /// The places of their bodies. Those that cannot be moved have one for each window, so that no two threads write to it.
    pub(crate) links: Vec<[u32; 2]>,
    /// Behind the places of all bodies: copies of which of them; `NONE` is nobody, whom lanes without a contact are between.
    pub(crate) copies: Vec<u32>,
    /// Up to eight contacts of one colour each, by where they are along the curve.
    pub(crate) batches: Vec<[u32; LANES]>,
    /// The windows in the order of a sweep.
    pub(crate) windows: Vec<Window>,
    /// The windows of each colour.
    pub(crate) groups: Vec<Range<usize>>,
    /// Batches of a single contact, which are visited one after the other when the groups are done.
    pub(crate) alone: Window,
    // What all that follows from: the places of bodies of contacts as these are numbered, the contacts of pistons, how many bodies there
    // are and whether along a curve.
    ends: Vec<[u32; 2]>,
    pushed: Vec<(u32, u32)>,
    bodies: usize,
    follows: bool,
    // Whether all that has followed.
    complete: bool,
    // Workspace: the contacts of pistons before, the colours of contacts, the colours of windows, what is known of each body.
    pushed_before: Vec<(u32, u32)>,
    by_piston: Vec<(u32, u32)>,
    is_pushed: Vec<bool>,
    order: Vec<usize>,
    own: Vec<u8>,
    // With the place of nobody in each.
    shades: Vec<(u32, u32)>,
    marks: Vec<Mark>,
    counts: Vec<u32>,
}

/// A window: its batches, and the place of nobody in it.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) struct Window {
    pub(crate) batches: Range<usize>,
    pub(crate) nobody: u32,
}

/// What is known of a body: the last window it was in, its place there if it cannot be moved, the colours that it has there, and
/// the colours of all windows it was in.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
struct Mark {
    window: u32,
    place: u32,
    taken: u64,
    shades: u64,
}

impl Colours {
    /// No contacts yet; `window` of them will make a window.
    pub(crate) fn with_window(window: usize) -> Self {
        Self {
            window,
            along: Vec::new(),
            links: Vec::new(),
            copies: Vec::new(),
            batches: Vec::new(),
            windows: Vec::new(),
            groups: Vec::new(),
            alone: Window::default(),
            ends: Vec::new(),
            pushed: Vec::new(),
            bodies: 0,
            follows: false,
            complete: false,
            pushed_before: Vec::new(),
            by_piston: Vec::new(),
            is_pushed: Vec::new(),
            order: Vec::new(),
            own: Vec::new(),
            shades: Vec::new(),
            marks: Vec::new(),
            counts: Vec::new(),
        }
    }
}

impl Colours {
    /// Finds the colours of a problem's contacts. Returns whether they can be others than before.
    pub(crate) fn find<D: Dimension>(&mut self, problem: &Problem<D>) -> bool {
        if self.are_known(problem) && self.complete {
            return false;
        }
        self.complete = false;
        self.sort(problem);
        let count = self.along.len() - self.pushed.len();
        let alone = self.colour(count, number(problem.bodies.len()));
        self.fill();
        // One after the other, these need no places of their own.
        self.links[count..].iter_mut().flatten().for_each(|end| *end &= !FIXED);
        let alone = alone.into_iter().chain(number(count)..number(self.along.len()));
        let start = self.batches.len();
        self.batches.extend(alone.map(|contact| {
            let mut batch = [NONE; LANES];
            batch[0] = contact;
            batch
        }));
        self.alone = Window { batches: start..self.batches.len(), nobody: 0 };
        let places = number(problem.bodies.len() + self.copies.len());
        assert!(self.links.iter().flatten().all(|end| *end < places), "the curve has a place for each body");
        self.complete = true;
        true
    }

    /// Notes between which places contacts are, and which of them belong to pistons. Returns whether it was the same before.
    fn are_known<D: Dimension>(&mut self, problem: &Problem<D>) -> bool {
        let Self { ends, pushed, pushed_before, .. } = self;
        std::mem::swap(pushed, pushed_before);
        pushed.clear();
        let (bodies, follows) = (problem.bodies.len(), !problem.curve.is_empty());
        let mut same = (ends.len(), self.bodies, self.follows) == (problem.rows.len(), bodies, follows);
        (self.bodies, self.follows) = (bodies, follows);
        ends.resize(problem.rows.len(), [0; 2]);
        for ((row, known), contact) in problem.rows.iter().zip(ends).zip(0..) {
            // Between two pistons it belongs to one of them.
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

    /// Contacts along the curve, then those of pistons, sorted by pistons.
    fn sort<D: Dimension>(&mut self, problem: &Problem<D>) {
        let Self { ends, along, links, counts, pushed, by_piston, is_pushed: alone, .. } = self;
        along.clear();
        if problem.curve.is_empty() {
            along.extend(0..number(ends.len()));
        } else {
            // Whatever is fixed counts as behind all others.
            sort_by_place(ends.iter().map(|ends| ends[0].min(ends[1])), problem.bodies.len(), counts, along);
        }
        if !pushed.is_empty() {
            by_piston.clone_from(pushed);
            by_piston.sort_unstable();
            alone.clear();
            alone.resize(ends.len(), false);
            for (_, contact) in &*by_piston {
                alone[*contact as usize] = true;
            }
            along.retain(|contact| !alone[*contact as usize]);
            along.extend(by_piston.iter().map(|(_, contact)| *contact));
        }
        links.clear();
        links.extend(along.iter().map(|contact| ends[*contact as usize]));
    }

    /// Gives every contact a colour in its window, and every window one. Returns contacts that get none.
    fn colour(&mut self, count: usize, bodies: u32) -> Vec<u32> {
        let Self { window: size, links, own, shades, marks, copies, .. } = self;
        let mut alone = Vec::new();
        marks.clear();
        marks.resize(bodies as usize, Mark { window: NONE, ..Mark::default() });
        copies.clear();
        own.clear();
        shades.clear();
        for (links, window) in links[..count].chunks_mut(*size).zip(0_u32..) {
            let mut near = 0;
            let nobody = bodies + number(copies.len());
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
                if colour == MOST {
                    alone.push(number(own.len()));
                } else {
                    for &end in link.iter().filter(|end| **end < bodies) {
                        marks[end as usize].taken |= 1 << colour;
                    }
                }
                own.push(u8::try_from(colour).expect("at most 64"));
            }
            // Windows that find no colour get one each, behind all others.
            let shade = (!near).trailing_zeros();
            shades.push((if shade == MOST { MOST + window } else { shade }, nobody));
            if shade < MOST {
                for &end in links.iter().flatten().filter(|end| **end < bodies) {
                    marks[end as usize].shades |= 1 << shade;
                }
            }
        }
        alone
    }

    /// Puts contacts into batches, window by window in the order of their colours.
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
            counts.resize(MOST as usize + 1, 0);
            for colour in colours {
                counts[*colour as usize] += 1;
            }
            let mut end = number(start * LANES);
            for count in &mut counts[..MOST as usize] {
                let next = end + count.next_multiple_of(number(LANES));
                *count = end;
                end = next;
            }
            batches.resize(end as usize / LANES, [NONE; LANES]);
            for (&colour, contact) in
                colours.iter().zip(number(first)..).filter(|(colour, _)| u32::from(**colour) < MOST)
            {
                let next = &mut counts[colour as usize];
                batches[*next as usize / LANES][*next as usize % LANES] = contact;
                *next += 1;
            }
            windows.push(Window { batches: start..batches.len(), nobody: shades[window].1 });
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

    /// How many windows there are, with that of contacts that are visited alone, which is the last.
    pub(crate) fn count(&self) -> usize {
        self.windows.len() + 1
    }

    /// One of them.
    pub(crate) fn window(&self, number: usize) -> &Window {
        self.windows.get(number).unwrap_or(&self.alone)
    }

    /// All contacts in the order of a sweep.
    pub(crate) fn visits(&self) -> impl DoubleEndedIterator<Item = u32> {
        let there = self.batches.iter().flatten().filter(|contact| **contact != NONE);
        there.map(|contact| self.along[*contact as usize])
    }
}

/// A piston is pushed, but cannot be turned. On a line it touches no more than a grain does, and is like one.
fn is_piston<D: Dimension>(body: &Body<D>) -> bool {
    !D::CHAIN && body.inverse_mass > 0.0 && body.inverse_inertia <= 0.0
}

fn number(count: usize) -> u32 {
    u32::try_from(count).expect("fewer contacts than 2^32")
}
