//! Gauss–Seidel sweeps over a general problem, and the problem as accelerated sweeps see it.

use crate::block::{Block, add_product};
use crate::local_solve::solve_one;
use crate::problem::FrictionContact;
use hardgrain::{PairProducts, Sweepable, Trace, Vector};

/// A problem while it is swept: reactions, and their velocities.
#[derive(Clone, Debug)]
pub(crate) struct GeneralSweeps<'a, const N: usize> {
    pub(crate) problem: &'a FrictionContact<N>,
    pub(crate) reactions: Vec<Block<N>>,
    velocities: Vec<Block<N>>,
}

impl<'a, const N: usize> GeneralSweeps<'a, N> {
    /// From zero reactions.
    pub(crate) fn new(problem: &'a FrictionContact<N>) -> Self {
        Self { problem, reactions: vec![[0.0; N]; problem.contacts()], velocities: problem.free().to_vec() }
    }

    /// From these reactions.
    pub(crate) fn from(problem: &'a FrictionContact<N>, reactions: Vec<Block<N>>) -> Self {
        let velocities = problem.velocities(&reactions);
        Self { problem, reactions, velocities }
    }

    /// Solves the local problem of a contact.
    fn relax(&mut self, contact: usize) {
        let (own, before) = (&self.problem.data.diagonal[contact], self.reactions[contact]);
        let mut free = self.velocities[contact];
        add_product(&mut free, own, &before.map(|number| -number));
        let now = solve_one(own, &free, self.problem.data.friction[contact]);
        self.reactions[contact] = now;
        let change: Block<N> = std::array::from_fn(|axis| now[axis] - before[axis]);
        for (row, block) in self.problem.column(contact) {
            add_product(&mut self.velocities[row], block, &change);
        }
    }
}

impl<const N: usize> Sweepable for GeneralSweeps<'_, N> {
    type Impulse = Vector<f64, N>;

    fn contacts(&self) -> usize {
        self.reactions.len()
    }

    fn impulses(&self) -> impl Iterator<Item = Vector<f64, N>> {
        self.reactions.iter().copied().map(Vector)
    }

    fn set_impulses(&mut self, impulses: impl Iterator<Item = Vector<f64, N>>) {
        self.reactions.iter_mut().zip(impulses).for_each(|(reaction, new)| *reaction = new.0);
    }

    fn velocities(&mut self) -> impl Iterator<Item = &mut f64> {
        self.velocities.iter_mut().flatten()
    }

    fn sweep(&mut self, backwards: bool) {
        let count = self.reactions.len();
        (0..count).for_each(|index| self.relax(if backwards { count - 1 - index } else { index }));
    }

    fn extrapolate(&mut self, traces: &mut [Trace<Vector<f64, N>>], share: f64, with_sweep: bool) -> PairProducts {
        let mut pair = PairProducts::default();
        for (contact, trace) in traces.iter_mut().enumerate().rev() {
            if with_sweep {
                self.relax(contact);
            }
            self.reactions[contact] = trace.extrapolate(Vector(self.reactions[contact]), share, &mut pair).0;
        }
        pair
    }

    fn recompute_velocities(&mut self) {
        self.velocities = self.problem.velocities(&self.reactions);
    }

    fn residual(&mut self) -> f64 {
        self.recompute_velocities();
        self.problem.mixed_error(&self.reactions)
    }
}
