//! Sweeps over a general problem, and the problem as an acceleration sees it.

use crate::one::solve_one;
use crate::problem::{Block, FrictionContact, add_product};
use hardgrain::{State, System};

/// A problem while it is swept: reactions, and the velocities they lead to.
#[derive(Clone, Debug)]
pub(crate) struct Swept<'a, const N: usize> {
    pub(crate) problem: &'a FrictionContact<N>,
    pub(crate) reactions: Vec<Block<N>>,
    velocities: Vec<Block<N>>,
}

impl<'a, const N: usize> Swept<'a, N> {
    /// From nothing.
    pub(crate) fn new(problem: &'a FrictionContact<N>) -> Self {
        Self { problem, reactions: vec![[0.0; N]; problem.contacts()], velocities: problem.free().to_vec() }
    }

    /// From these reactions.
    pub(crate) fn from(problem: &'a FrictionContact<N>, reactions: Vec<Block<N>>) -> Self {
        let velocities = problem.velocities(&reactions);
        Self { problem, reactions, velocities }
    }

    fn relax(&mut self, contact: usize) {
        let (own, before) = (&self.problem.own[contact], self.reactions[contact]);
        let mut free = self.velocities[contact];
        add_product(&mut free, own, &before.map(|number| -number));
        let now = solve_one(own, &free, self.problem.friction[contact]);
        self.reactions[contact] = now;
        let change: Block<N> = std::array::from_fn(|axis| now[axis] - before[axis]);
        for (row, block) in self.problem.column(contact) {
            add_product(&mut self.velocities[row], block, &change);
        }
    }
}

impl<const N: usize> System for Swept<'_, N> {
    type Push = Block<N>;

    #[inline(always)]
    fn contacts(&self) -> usize {
        self.reactions.len()
    }

    #[inline(always)]
    fn impulse(&self, contact: usize) -> Block<N> {
        self.reactions[contact]
    }

    #[inline(always)]
    fn set(&mut self, contact: usize, impulse: Block<N>) {
        self.reactions[contact] = impulse;
    }

    fn sweep(&mut self, backwards: bool) {
        let count = self.reactions.len();
        (0..count).for_each(|index| self.relax(if backwards { count - 1 - index } else { index }));
    }

    fn sweep_back(&mut self, mut each: impl FnMut(usize, Block<N>) -> Block<N>) {
        for contact in (0..self.reactions.len()).rev() {
            self.relax(contact);
            self.reactions[contact] = each(contact, self.reactions[contact]);
        }
    }

    fn take(&self, state: &mut State<Block<N>>) {
        state.impulses.clone_from(&self.reactions);
        state.velocities.clear();
        state.velocities.extend(self.velocities.iter().flatten());
    }

    fn put(&mut self, state: &State<Block<N>>) {
        self.reactions.clone_from(&state.impulses);
        self.velocities.iter_mut().flatten().zip(&state.velocities).for_each(|(number, new)| *number = *new);
    }

    fn carry_velocities(&mut self, last: &mut [f64], share: f64) {
        for (now, last) in self.velocities.iter_mut().flatten().zip(last) {
            let before = std::mem::replace(last, *now);
            *now += share * (*now - before);
        }
    }

    fn add_up(&mut self) {
        self.velocities = self.problem.velocities(&self.reactions);
    }

    fn residual(&mut self) -> f64 {
        self.add_up();
        self.problem.mixed_error(&self.reactions)
    }
}
