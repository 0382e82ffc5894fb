//! The random sweep for packings that do not fit into a cache: contacts along the curve in blocks, the blocks in random order, and the
//! contacts of each in random order. All of it is drawn anew for every sweep. What a block needs is together in memory.

use crate::dimension::Dimension;
use crate::lanes::ask_for;
use crate::problem::{Body, Contact, Impulse, Problem, Row, contacts};
use crate::random::{Purpose, Seed};
use crate::solver::sweeps::AHEAD;

/// Contacts in a block. Within a sweep, what leaves a block does not come back into it before the next; true random sweeps know no such
/// borders. Of discs too few contacts lie at them to be noticed, and a block of these fits into a cache of a hundred kilobytes. Blocks of
/// spheres have so much surface that 1024 contacts would make q one per cent smaller; of these it is a quarter of a per cent.
const fn block<D: Dimension>() -> u32 {
    if D::AXES < 3 { 1024 } else { 32_768 }
}

/// What does not change at a contact, apart from the impulses: memory is read, but not written again.
#[derive(Clone, Copy, Debug)]
struct Tie<D: Dimension> {
    first: u32,
    second: u32,
    contact: Contact<D>,
}

/// Sweeps in random blocks. It holds only workspace; [`GaussSeidel`](crate::GaussSeidel) makes steps with it.
#[derive(Clone, Debug)]
pub struct Blocked<D: Dimension> {
    // Contacts, their impulses and bodies along the curve; which contacts they are; the blocks and the contacts of this sweep.
    ties: Vec<Tie<D>>,
    impulses: Vec<Impulse<D>>,
    bodies: Vec<Body<D>>,
    along: Vec<u32>,
    blocks: Vec<u32>,
    visits: Vec<u32>,
    counts: Vec<u32>,
    // Contacts in a block.
    size: u32,
}

impl<D: Dimension> Default for Blocked<D> {
    fn default() -> Self {
        let none = Vec::new;
        Self {
            ties: Vec::new(),
            impulses: Vec::new(),
            bodies: Vec::new(),
            along: none(),
            blocks: none(),
            visits: none(),
            counts: none(),
            size: block::<D>(),
        }
    }
}

impl<D: Dimension> Blocked<D> {
    /// Gathers a problem, and the velocities with all impulses in them.
    pub fn start(&mut self, problem: &Problem<D>, bodies: &[Body<D>]) {
        contacts(problem, &mut self.counts, &mut self.along);
        // Without a curve they are few, and neighbours in the list need not be neighbours in the packing: all are one block, and
        // the sweep is a true random one. On a line they are neighbours.
        self.size = if problem.curve.is_empty() && !D::CHAIN { u32::MAX } else { block::<D>() };
        let place = |body: u32| problem.curve.get(body as usize).copied().unwrap_or(body);
        let rows = self.along.iter().map(|&contact| &problem.rows[contact as usize]);
        self.ties.clear();
        self.ties.extend(rows.clone().map(|row| Tie {
            first: place(row.first),
            second: place(row.second),
            contact: row.contact,
        }));
        self.impulses.clear();
        self.impulses.extend(rows.map(|row| row.impulse));
        self.read(problem, bodies);
    }

    /// Takes velocities over.
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
        let count = u32::try_from(self.ties.len()).expect("fewer contacts than 2^32");
        self.blocks.clear();
        let size = self.size;
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
    pub fn sweep(&mut self) {
        let Self { ties, impulses, bodies, visits, .. } = self;
        for (index, &visit) in visits.iter().enumerate() {
            if let Some(&next) = visits.get(index + 2 * AHEAD) {
                ask_for(&ties[next as usize]);
                ask_for(&impulses[next as usize]);
            }
            if let Some(&next) = visits.get(index + AHEAD) {
                let tie = &ties[next as usize];
                ask_for(&bodies[tie.first as usize]);
                ask_for(&bodies[tie.second as usize]);
            }
            let (tie, now) = (&ties[visit as usize], &mut impulses[visit as usize]);
            let (mut first, mut second) = (bodies[tie.first as usize], bodies[tie.second as usize]);
            *now = tie.contact.settle(*now, &mut first, &mut second);
            bodies[tie.first as usize] = first;
            bodies[tie.second as usize] = second;
        }
    }

    /// What a sweep reads and writes, in bytes.
    pub fn bytes_per_sweep(&self) -> usize {
        size_of_val(self.ties.as_slice())
            + 2 * (size_of_val(self.impulses.as_slice()) + size_of_val(self.bodies.as_slice()))
    }

    /// Puts the impulses back into the rows of the problem.
    pub fn write(&self, rows: &mut [Row<D>]) {
        for (impulse, &contact) in self.impulses.iter().zip(&self.along) {
            rows[contact as usize].impulse = *impulse;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Line, Plane, Space};

    /// How many blocks so many contacts are in.
    fn blocks<D: Dimension>(contacts: usize, curve: bool) -> usize {
        let row = Row { first: 0, second: 1, contact: Contact::default(), impulse: Impulse::default() };
        let mut problem =
            Problem::<D> { bodies: vec![Body::default(); 2], rows: vec![row; contacts], ..Problem::default() };
        if curve {
            problem.curve = vec![0, 1];
        }
        let mut blocked = Blocked::default();
        blocked.start(&problem, &problem.bodies);
        blocked.arrange(Seed(1), 0, 0);
        assert_eq!(blocked.visits.len(), contacts);
        blocked.blocks.len()
    }

    #[test]
    fn only_along_a_curve_there_is_more_than_one_block() {
        assert_eq!([blocks::<Line>(5000, false), blocks::<Line>(5000, true)], [5, 5]);
        assert_eq!([blocks::<Plane>(5000, false), blocks::<Plane>(5000, true)], [1, 5]);
        assert_eq!([blocks::<Space>(70_000, false), blocks::<Space>(70_000, true)], [1, 3]);
    }
}
