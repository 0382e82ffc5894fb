//! Sweeps over a general problem, and the problem as an acceleration sees it.

use crate::one::solve_one;
use crate::problem::{Block, FrictionContact, add_product};
use hardgrain::{AtContact, Products, State, System};

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
    type Push = Block<N>;

    #[inline(always)]
    fn contacts(&self) -> usize {
        self.reactions.len()
    }

    #[inline(always)]
    fn friction(&self, contact: usize) -> f64 {
        self.problem.friction[contact]
    }

    #[inline(always)]
    fn impulse(&self, contact: usize) -> Block<N> {
        self.reactions[contact]
    }

    fn sweep(&mut self, backwards: bool) {
        let count = self.reactions.len();
        (0..count).for_each(|index| self.relax(if backwards { count - 1 - index } else { index }));
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

    fn since(&self, earlier: &[f64], change: &mut Vec<f64>) {
        change.clear();
        change.extend(self.velocities.iter().flatten().zip(earlier).map(|(now, earlier)| now - earlier));
    }

    #[inline(always)]
    fn velocity(&self, contact: usize, velocities: &[f64]) -> Block<N> {
        std::array::from_fn(|axis| velocities[contact * N + axis])
    }

    fn push(&self, contact: usize, change: Block<N>, velocities: &mut [f64]) {
        for (row, block) in self.problem.column(contact) {
            let mut moved = [0.0; N];
            add_product(&mut moved, block, &change);
            velocities[row * N..(row + 1) * N].iter_mut().zip(moved).for_each(|(sum, number)| *sum += number);
        }
    }

    fn products<const K: usize>(&self, changes: [&State<Block<N>>; K], state: &State<Block<N>>) -> Products<K> {
        let (mut table, mut with) = ([[0.0; K]; K], [0.0; K]);
        for contact in 0..self.reactions.len() {
            let now = self.velocity(contact, &state.velocities);
            let moved = changes.map(|change| self.velocity(contact, &change.velocities));
            for i in 0..K {
                let own = changes[i].impulses[contact];
                with[i] += own.dot(now);
                for j in 0..K {
                    table[i][j] += own.dot(moved[j]);
                }
            }
        }
        (table, with)
    }

    fn residual(&mut self) -> f64 {
        self.velocities = self.problem.velocities(&self.reactions);
        self.problem.mixed_error(&self.reactions)
    }
}
