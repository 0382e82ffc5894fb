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
    #[inline(always)]
    fn contacts(&self) -> usize {
        self.reactions.len()
    }

    #[inline(always)]
    fn width(&self) -> usize {
        N
    }

    #[inline(always)]
    fn friction(&self, contact: usize) -> f64 {
        self.problem.friction[contact]
    }

    fn sweep(&mut self, backwards: bool) {
        let count = self.reactions.len();
        (0..count).for_each(|index| self.relax(if backwards { count - 1 - index } else { index }));
    }

    fn take(&self, state: &mut State) {
        state.impulses.clear();
        state.impulses.extend(self.reactions.iter().flatten());
        state.velocities.clear();
        state.velocities.extend(self.velocities.iter().flatten());
    }

    fn put(&mut self, state: &State) {
        let fill = |blocks: &mut [Block<N>], numbers: &[f64]| {
            blocks.iter_mut().flatten().zip(numbers).for_each(|(number, new)| *number = *new);
        };
        fill(&mut self.reactions, &state.impulses);
        fill(&mut self.velocities, &state.velocities);
    }

    #[inline(always)]
    fn velocity(&self, contact: usize, velocities: &[f64], at: &mut [f64]) {
        at.copy_from_slice(&velocities[contact * N..(contact + 1) * N]);
    }

    #[inline(always)]
    fn target(&self, _: usize) -> f64 {
        0.0
    }

    fn push(&self, contact: usize, change: &[f64], velocities: &mut [f64]) {
        let change: Block<N> = std::array::from_fn(|axis| change[axis]);
        for (row, block) in self.problem.column(contact) {
            let mut moved = [0.0; N];
            add_product(&mut moved, block, &change);
            velocities[row * N..(row + 1) * N].iter_mut().zip(moved).for_each(|(sum, number)| *sum += number);
        }
    }

    fn product(&self, one: &State, other: &State) -> f64 {
        one.impulses.iter().zip(&other.velocities).fold(0.0, |sum, (a, b)| sum + a * b)
    }

    fn residual(&mut self) -> f64 {
        self.velocities = self.problem.velocities(&self.reactions);
        self.problem.mixed_error(&self.reactions)
    }
}
