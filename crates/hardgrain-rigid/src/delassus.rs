//! A general problem for the interior-point stages: W is all there is, so the springs' own compliance is added to it, contact by
//! contact, and the sum is factorised.

use crate::block::{Block, Coupling, add_product, multiply};
use crate::factor::multifrontal::{Fronts, Panel};
use crate::factor::order::Tree;
use crate::factor::price::{Price, Visits};
use crate::network::{Care, Network, Spring, Springs, Which};
use crate::problem::FrictionContact;
use crate::sweeps::Swept;
use hardgrain::{Momentum, accelerate};

/// Which block of W, and where it goes: row and column.
#[derive(Clone, Copy, Debug)]
struct Part {
    block: u32,
    place: (u32, u32),
}

/// A general problem, with springs.
#[derive(Debug)]
pub(crate) struct Delassus<'a, const N: usize> {
    problem: &'a FrictionContact<N>,
    blocks: Vec<(usize, usize, Coupling<N>)>,
    springs: Vec<Spring<N>>,
    tree: Tree,
    parts: Vec<Vec<Part>>,
    fronts: Fronts,
    factorisations: u32,
}

impl<'a, const N: usize> Delassus<'a, N> {
    pub(crate) fn new(problem: &'a FrictionContact<N>) -> Self {
        let blocks: Vec<_> = problem.blocks().map(|(row, column, block)| (row, column, *block)).collect();
        let short = |number: usize| u32::try_from(number).expect("contacts are counted in 32 bits");
        let pairs: Vec<(u32, u32)> =
            blocks.iter().filter(|(row, column, _)| row != column).map(|&(a, b, _)| (short(a), short(b))).collect();
        let tree = Tree::new(&vec![N; problem.contacts()], &pairs);
        let mut parts = vec![Vec::new(); tree.fronts.len()];
        for (index, &(row, column, _)) in blocks.iter().enumerate() {
            let (row, column) = (tree.start[row], tree.start[column]);
            let front = tree.front[row.min(column)] as usize;
            let place = |number: usize| tree.place(&tree.fronts[front], number);
            parts[front].push(Part { block: short(index), place: (place(row), place(column)) });
        }
        let (springs, fronts) = (Vec::new(), Fronts::default());
        Self { problem, blocks, springs, tree, parts, fronts, factorisations: 0 }
    }

    /// The numbers of a front are those of its contacts, in the order of the tree.
    fn in_order(&self, blocks: &[Block<N>]) -> Vec<f64> {
        let mut numbers = vec![0.0; self.tree.numbers()];
        for (start, block) in self.tree.start.iter().zip(blocks) {
            numbers[*start..*start + N].copy_from_slice(block);
        }
        numbers
    }
}

impl<const N: usize> Springs<N> for Delassus<'_, N> {
    fn free(&self) -> &[Block<N>] {
        self.problem.free()
    }

    fn friction(&self) -> &[f64] {
        self.problem.friction()
    }

    fn own(&self) -> &[Coupling<N>] {
        &self.problem.own
    }

    fn velocities(&self, reactions: &[Block<N>], velocities: &mut Vec<Block<N>>) {
        *velocities = self.problem.velocities(reactions);
    }

    /// W may be slightly unsymmetric, so nothing is taken for symmetric.
    fn put_springs(&mut self, springs: &[Spring<N>], _: Which) -> bool {
        self.springs.clear();
        self.springs.extend_from_slice(springs);
        self.factorisations += 1;
        let Self { blocks, parts, fronts, tree, .. } = self;
        let assemble = |front: usize, panel: &mut Panel<'_>| {
            for part in &parts[front] {
                let (row, column, block) = &blocks[part.block as usize];
                (0..N).for_each(|j| {
                    let into = panel.part(part.place.0 as usize, part.place.1 as usize + j, N);
                    for (i, into) in into.iter_mut().enumerate() {
                        let soft = if row == column { springs[*row].soft[i][j] } else { 0.0 };
                        *into += block[i][j] + soft;
                    }
                });
            }
        };
        fronts.factorise(tree, false, assemble)
    }

    /// (soft + W) r = c, and with care once more for what that leaves.
    fn solve(&mut self, wanted: &[Block<N>], left: &mut Vec<Block<N>>, care: Care) {
        let mut reactions = vec![[0.0; N]; wanted.len()];
        let mut rest = wanted.to_vec();
        for _ in 0..care.times() {
            let mut numbers = self.in_order(&rest);
            self.fronts.solve(&self.tree, &mut numbers);
            for (start, reaction) in self.tree.start.iter().zip(&mut reactions) {
                reaction.iter_mut().zip(&numbers[*start..]).for_each(|(sum, number)| *sum += number);
            }
            rest.copy_from_slice(wanted);
            left.clear();
            left.extend(self.springs.iter().zip(&reactions).map(|(spring, r)| multiply(&spring.soft, r)));
            rest.iter_mut().zip(&*left).for_each(|(rest, left)| (0..N).for_each(|axis| rest[axis] -= left[axis]));
            for (column, reaction) in reactions.iter().enumerate() {
                for (row, block) in self.problem.column(column) {
                    add_product(&mut rest[row], block, &reaction.map(|number| -number));
                }
            }
        }
    }
}

impl<const N: usize> Network<N> for Delassus<'_, N> {
    fn sweep(&mut self, reactions: &mut Vec<Block<N>>, sweeps: u32, tolerance: f64) -> u32 {
        let mut swept = Swept::from(self.problem, std::mem::take(reactions));
        let (made, _) = accelerate(&mut swept, &mut Momentum::default(), sweeps, |swept, _| {
            self.error(&swept.reactions) / tolerance
        });
        *reactions = swept.reactions;
        made
    }

    fn solve_exactly(&mut self) -> bool {
        false
    }

    fn price(&self) -> Price {
        Price::new(2.0 * self.tree.work(), self.blocks.len(), Visits::OneByOne)
    }

    /// The mixed error, or the natural one, which is not small only because reactions are large, as they become where there is no answer.
    fn error(&self, reactions: &[Block<N>]) -> f64 {
        let (mixed, natural) = (self.problem.mixed_error(reactions), self.problem.natural_error(reactions));
        if mixed > natural { mixed } else { natural }
    }

    fn factorisations(&self) -> u32 {
        self.factorisations
    }
}
