//! Random sweeps of packings that do not fit into a cache: contacts along the Morton curve in blocks, the blocks in random order, and the
//! contacts of each in random order, drawn anew for every sweep. What a block needs is contiguous in memory.

use crate::dimension::Dimension;
use crate::lanes::prefetch;
use crate::part::number;
use crate::problem::{Body, Contact, Impulse, Problem, Row, contacts_in_order};
use crate::random::{Purpose, Seed};
use crate::tuning::SweepTuning;

const AHEAD: usize = SweepTuning::DEFAULT.prefetch_ahead;

/// Contacts in a block.
const fn block<D: Dimension>() -> u32 {
    SweepTuning::DEFAULT.block[if D::AXES < 3 { 0 } else { 1 }]
}

/// What does not change at a contact, apart from the impulses, so that its memory is only read.
#[derive(Clone, Copy, Debug)]
struct BlockContact<D: Dimension> {
    first: u32,
    second: u32,
    law: Contact<D>,
}

/// Sweeps in random blocks. It holds only workspace; [`GaussSeidel`](crate::GaussSeidel) makes steps with it.
#[derive(Clone, Debug, Default)]
pub struct RandomBlocks<D: Dimension> {
    // Contacts, their impulses and bodies along the curve; the numbers of these contacts; the blocks and the contacts of this sweep.
    contacts: Vec<BlockContact<D>>,
    impulses: Vec<Impulse<D>>,
    bodies: Vec<Body<D>>,
    in_order: Vec<u32>,
    blocks: Vec<u32>,
    visits: Vec<u32>,
    counts: Vec<u32>,
    // Whether all contacts are one block.
    whole: bool,
}

impl<D: Dimension> RandomBlocks<D> {
    /// Gathers a problem, and the velocities with all impulses in them.
    pub fn start(&mut self, problem: &Problem<D>, bodies: &[Body<D>]) {
        contacts_in_order(problem, &mut self.counts, &mut self.in_order);
        // Without a curve contacts are few, and neighbours in the list need not be neighbours in the packing, except on a line: all are
        // one block, and the sweep is a true random one.
        self.whole = problem.curve.is_empty() && !D::CHAIN;
        let place = |body: u32| problem.curve.get(body as usize).copied().unwrap_or(body);
        let rows = self.in_order.iter().map(|&contact| &problem.rows[contact as usize]);
        self.contacts.clear();
        self.contacts.extend(rows.clone().map(|row| BlockContact {
            first: place(row.first),
            second: place(row.second),
            law: row.contact,
        }));
        self.impulses.clear();
        self.impulses.extend(rows.map(|row| row.impulse));
        self.read(problem, bodies);
    }

    /// Copies velocities.
    pub(super) fn read(&mut self, problem: &Problem<D>, bodies: &[Body<D>]) {
        self.bodies.clear();
        self.bodies.extend_from_slice(bodies);
        for (body, &place) in bodies.iter().zip(&problem.curve) {
            self.bodies[place as usize] = *body;
        }
    }

    /// Draws the order of a sweep.
    pub fn arrange(&mut self, seed: Seed, step: u64, sweep: u64) {
        let mut stream = seed.stream(Purpose::Order, step, sweep);
        let count = number(self.contacts.len());
        self.blocks.clear();
        let size = if self.whole { u32::MAX } else { block::<D>() };
        self.blocks.extend(0..count.div_ceil(size));
        stream.shuffle(&mut self.blocks);
        self.visits.clear();
        for &block in &self.blocks {
            let start = self.visits.len();
            self.visits.extend(block * size..count.min((block + 1) * size));
            stream.shuffle(&mut self.visits[start..]);
        }
    }

    /// Relaxes every contact once, in the order drawn last.
    #[inline(never)]
    pub fn sweep(&mut self) {
        let Self { contacts, impulses, bodies, visits, .. } = self;
        for (index, &visit) in visits.iter().enumerate() {
            if let Some(&next) = visits.get(index + 2 * AHEAD) {
                prefetch(&contacts[next as usize]);
                prefetch(&impulses[next as usize]);
            }
            if let Some(&next) = visits.get(index + AHEAD) {
                let contact = &contacts[next as usize];
                prefetch(&bodies[contact.first as usize]);
                prefetch(&bodies[contact.second as usize]);
            }
            let (contact, now) = (&contacts[visit as usize], &mut impulses[visit as usize]);
            let (mut first, mut second) = (bodies[contact.first as usize], bodies[contact.second as usize]);
            *now = contact.law.settle(*now, &mut first, &mut second);
            bodies[contact.first as usize] = first;
            bodies[contact.second as usize] = second;
        }
    }

    /// The bytes that a sweep reads and writes.
    pub fn bytes_per_sweep(&self) -> usize {
        size_of_val(self.contacts.as_slice())
            + 2 * (size_of_val(self.impulses.as_slice()) + size_of_val(self.bodies.as_slice()))
    }

    /// Puts the impulses back into the rows of the problem.
    pub fn write(&self, rows: &mut [Row<D>]) {
        for (impulse, &contact) in self.impulses.iter().zip(&self.in_order) {
            rows[contact as usize].impulse = *impulse;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Line, Plane, Space};

    /// The number of blocks for this number of contacts.
    fn blocks<D: Dimension>(contacts: usize, curve: bool) -> usize {
        let row = Row { first: 0, second: 1, contact: Contact::default(), impulse: Impulse::default() };
        let mut problem =
            Problem::<D> { bodies: vec![Body::default(); 2], rows: vec![row; contacts], ..Problem::default() };
        if curve {
            problem.curve = vec![0, 1];
        }
        let mut sweeps = RandomBlocks::default();
        sweeps.start(&problem, &problem.bodies);
        sweeps.arrange(Seed(1), 0, 0);
        assert_eq!(sweeps.visits.len(), contacts);
        sweeps.blocks.len()
    }

    #[test]
    fn only_along_a_curve_there_is_more_than_one_block() {
        assert_eq!([blocks::<Line>(5000, false), blocks::<Line>(5000, true)], [5, 5]);
        assert_eq!([blocks::<Plane>(5000, false), blocks::<Plane>(5000, true)], [1, 5]);
        assert_eq!([blocks::<Space>(70_000, false), blocks::<Space>(70_000, true)], [1, 3]);
    }
}
