//! A general problem for the stages: the Delassus operator W is all that is given, so the compliances of springs are added to its
//! diagonal blocks, and the sum is factorised.

use crate::block::{Block, Coupling, add_product, multiply};
use crate::factor::cost::FactorisationCost;
use crate::factor::multifrontal::{MultifrontalFactor, Panel};
use crate::factor::short;
use crate::factor::symbolic::EliminationTree;
use crate::network::{ContactSpring, Network, Refinement, SpringSystem, Symmetry};
use crate::problem::FrictionContact;
use crate::residuals::ContactData;
use crate::sweeps::GeneralSweeps;
use crate::tuning::Tuning;
use hardgrain::{Momentum, Threads, accelerate};

/// A block of W and its row and column in a front.
#[derive(Clone, Copy, Debug)]
struct BlockEntry {
    block: u32,
    place: (u32, u32),
}

/// A general problem, with springs.
#[derive(Debug)]
pub(crate) struct DelassusSystem<'a, const N: usize> {
    problem: &'a FrictionContact<N>,
    blocks: Vec<(usize, usize, Coupling<N>)>,
    tuning: &'a Tuning,
    springs: Vec<ContactSpring<N>>,
    tree: EliminationTree,
    entries: Vec<Vec<BlockEntry>>,
    factor: MultifrontalFactor,
    factorisations: u32,
}

impl<'a, const N: usize> DelassusSystem<'a, N> {
    pub(crate) fn new(problem: &'a FrictionContact<N>, tuning: &'a Tuning) -> Self {
        let blocks: Vec<_> = problem.blocks().map(|(row, column, block)| (row, column, *block)).collect();
        let pairs: Vec<(u32, u32)> =
            blocks.iter().filter(|(row, column, _)| row != column).map(|&(a, b, _)| (short(a), short(b))).collect();
        let tree = EliminationTree::new(&vec![N; problem.contacts()], &pairs, tuning, &Threads::default());
        let mut entries = vec![Vec::new(); tree.fronts.len()];
        for (index, &(row, column, _)) in blocks.iter().enumerate() {
            let (row, column) = (tree.start[row], tree.start[column]);
            let front = tree.front[row.min(column)] as usize;
            let place = |number: usize| tree.place(&tree.fronts[front], number);
            entries[front].push(BlockEntry { block: short(index), place: (place(row), place(column)) });
        }
        let (springs, factor) = (Vec::new(), MultifrontalFactor::default());
        Self { problem, blocks, tuning, springs, tree, entries, factor, factorisations: 0 }
    }

    /// The numbers of all contacts in the order of elimination.
    fn in_order(&self, blocks: &[Block<N>]) -> Vec<f64> {
        let mut numbers = vec![0.0; self.tree.dofs()];
        for (start, block) in self.tree.start.iter().zip(blocks) {
            numbers[*start..*start + N].copy_from_slice(block);
        }
        numbers
    }
}

impl<const N: usize> SpringSystem<N> for DelassusSystem<'_, N> {
    fn data(&self) -> &ContactData<N> {
        &self.problem.data
    }

    fn tuning(&self) -> &Tuning {
        self.tuning
    }

    fn velocities(&self, reactions: &[Block<N>], velocities: &mut Vec<Block<N>>) {
        *velocities = self.problem.velocities(reactions);
    }

    /// W may be slightly unsymmetric, so L U in any case.
    fn put_springs(&mut self, springs: &[ContactSpring<N>], _: Symmetry) -> bool {
        self.springs.clear();
        self.springs.extend_from_slice(springs);
        self.factorisations += 1;
        let Self { blocks, entries, factor, tree, .. } = self;
        let assemble = |front: usize, panel: &mut Panel<'_>| {
            for entry in &entries[front] {
                let (row, column, block) = &blocks[entry.block as usize];
                (0..N).for_each(|j| {
                    let into = panel.part(entry.place.0 as usize, entry.place.1 as usize + j, N);
                    for (i, into) in into.iter_mut().enumerate() {
                        let compliance = if row == column { springs[*row].compliance[i][j] } else { 0.0 };
                        *into += block[i][j] + compliance;
                    }
                });
            }
        };
        factor.factorise(tree, false, &Threads::default(), assemble)
    }

    /// (compliance + W) r = c, with iterative refinement.
    fn solve(&mut self, wanted: &[Block<N>], left: &mut Vec<Block<N>>, refinement: Refinement) {
        let mut reactions = vec![[0.0; N]; wanted.len()];
        let mut residual = wanted.to_vec();
        for _ in 0..refinement as u32 {
            let mut numbers = self.in_order(&residual);
            self.factor.solve(&self.tree, &mut numbers);
            for (start, reaction) in self.tree.start.iter().zip(&mut reactions) {
                reaction.iter_mut().zip(&numbers[*start..]).for_each(|(sum, number)| *sum += number);
            }
            residual.copy_from_slice(wanted);
            left.clear();
            left.extend(self.springs.iter().zip(&reactions).map(|(spring, r)| multiply(&spring.compliance, r)));
            let pairs = residual.iter_mut().zip(&*left);
            pairs.for_each(|(residual, left)| (0..N).for_each(|axis| residual[axis] -= left[axis]));
            for (column, reaction) in reactions.iter().enumerate() {
                for (row, block) in self.problem.column(column) {
                    add_product(&mut residual[row], block, &reaction.map(|number| -number));
                }
            }
        }
    }

    fn is_cancelled(&self) -> bool {
        false
    }
}

impl<const N: usize> Network<N> for DelassusSystem<'_, N> {
    fn sweep(&mut self, reactions: &mut Vec<Block<N>>, sweeps: u32, tolerance: f64) -> u32 {
        let mut swept = GeneralSweeps::from(self.problem, std::mem::take(reactions));
        let (made, _) = accelerate(&mut swept, &mut Momentum::default(), sweeps, |swept, _| {
            self.error(&swept.reactions) / tolerance
        });
        *reactions = swept.reactions;
        made
    }

    fn stop_gradients(&mut self) -> bool {
        false
    }

    fn cost(&self) -> FactorisationCost {
        FactorisationCost::new(
            2.0 * self.tree.multiplications(),
            self.blocks.len(),
            self.tuning.cost_in_plain_sweeps,
            self.tuning,
        )
    }

    /// The larger of both errors: the mixed one becomes small beside reactions that grow without limit, where there is no answer.
    fn error(&self, reactions: &[Block<N>]) -> f64 {
        let (mixed, natural) = (self.problem.mixed_error(reactions), self.problem.natural_error(reactions));
        if mixed > natural { mixed } else { natural }
    }

    fn factorisations(&self) -> u32 {
        self.factorisations
    }
}
