//! Colours of contacts: those of one colour share no grain, so that the order among them does not matter.
//!
//! They follow from the list of contacts alone: each contact, in that order, gets the first colour that neither of its bodies has yet. What
//! cannot be moved hinders nobody. All contacts of a piston share it; they stay together and are visited one after the other, and so is
//! what the colours do not suffice for.

use crate::dimension::Dimension;
use crate::law::Body;
use crate::problem::Problem;

/// As many as a mask has bits. A grain with more contacts than these has some that are visited alone.
const MOST: usize = 64;

/// The contacts of a problem in the order of a coloured sweep: the colours, then each piston's, then the rest.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(super) struct Colours {
    /// The contacts of each colour.
    pub(super) free: Vec<Vec<u32>>,
    /// Contacts that are visited one after the other.
    pub(super) alone: Vec<u32>,
    // Workspace: the colours of each body.
    taken: Vec<u64>,
}

impl Colours {
    /// Finds the colours of a problem's contacts.
    pub(super) fn find<D: Dimension>(&mut self, problem: &Problem<D>) {
        let Self { free, alone, taken } = self;
        free.iter_mut().for_each(Vec::clear);
        alone.clear();
        taken.clear();
        taken.resize(problem.bodies.len(), 0);
        let mut pushed = Vec::new();
        let mut rest = Vec::new();
        for (row, contact) in problem.rows.iter().zip(0_u32..) {
            let ends = [row.first as usize, row.second as usize];
            if let Some(piston) = ends.into_iter().find(|end| is_piston(&problem.bodies[*end])) {
                pushed.push((piston, contact));
                continue;
            }
            let mask = |end: usize| if problem.bodies[end].inverse_mass > 0.0 { taken[end] } else { 0 };
            let colour = (!(mask(ends[0]) | mask(ends[1]))).trailing_zeros() as usize;
            if colour == MOST {
                rest.push(contact);
                continue;
            }
            for end in ends {
                taken[end] |= 1 << colour;
            }
            if colour == free.len() {
                free.push(Vec::new());
            }
            free[colour].push(contact);
        }
        // Sorted by pistons; the contacts of each stay in order.
        pushed.sort_by_key(|(piston, _)| *piston);
        alone.extend(pushed.into_iter().map(|(_, contact)| contact));
        alone.append(&mut rest);
    }

    /// All contacts in the order of a sweep.
    #[cfg(test)]
    pub(super) fn visits(&self) -> impl DoubleEndedIterator<Item = u32> {
        self.free.iter().flatten().chain(&self.alone).copied()
    }
}

/// A piston is pushed, but cannot be turned. On a line it touches no more than a grain does, and is like one.
fn is_piston<D: Dimension>(body: &Body<D>) -> bool {
    !D::CHAIN && body.inverse_mass > 0.0 && body.inverse_inertia <= 0.0
}
