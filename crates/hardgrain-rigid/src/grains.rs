//! The problem of a step of round grains, with its bodies kept: their velocities are fewer than contacts and couple to neighbours only,
//! so that M + H E Hᵀ is sparse where the Delassus operator W = Hᵀ M⁻¹ H couples all contacts of every body.

use crate::assembly::{Assembly, ContactEnds};
use crate::block::{Block, Coupling, matrix, multiply};
use crate::convert::tangent_axes;
use crate::factor::cost::FactorisationCost;
use crate::factor::gradients::ConjugateGradients;
use crate::factor::multifrontal::{MultifrontalFactor, Panel};
use crate::factor::short;
use crate::factor::symbolic::EliminationTree;
use crate::jacobian::{add_reaction, body, body_mut, relative_velocity};
use crate::network::{ContactSpring, Refinement, SpringSystem, Symmetry};
use crate::residuals::{ContactData, Residuals};
use crate::tuning::Tuning;
use hardgrain::{Body, Components, Dimension, Problem, Threads};

/// How the present springs have been factorised.
#[derive(Clone, Copy, Debug)]
struct Factorised {
    symmetric: bool,
    // Whether a first solve was so accurate that the next ones need no refinement.
    accurate: bool,
}

/// A step's problem, with springs. A body has at most K degrees of freedom.
#[derive(Debug, Default)]
pub(crate) struct GrainSystem<const N: usize, const K: usize> {
    pub(crate) data: ContactData<N>,
    pub(crate) tuning: Tuning,
    /// What cancels the work, which is done on one thread.
    pub(crate) threads: Threads,
    contacts: Vec<ContactEnds<N, K>>,
    // The stiffnesses of springs.
    springs: Vec<Coupling<N>>,
    // Who touches whom in the step, with how many degrees of freedom, and what follows from that alone.
    pairs: Vec<(u32, u32)>,
    counts: Vec<usize>,
    tree: EliminationTree,
    // Whether the order was found while the work was cancelled, and may be another than it should be.
    order_is_hasty: bool,
    pub(crate) assembly: Assembly,
    factor: MultifrontalFactor,
    // How the present springs have been factorised, if they have.
    factorised: Option<Factorised>,
    gradients: ConjugateGradients<N, K>,
    // Whether the present springs are solved for by gradients, whether the next ones should be, and the iterations left.
    by_gradients: bool,
    gradients_pay: bool,
    iterations_left: u32,
    /// Iterations of conjugate gradients made.
    pub(crate) iterations: u32,
    /// Factorisations made, and orders of elimination found.
    pub(crate) factorisations: u32,
    pub(crate) orders: u32,
}

impl<const N: usize, const K: usize> GrainSystem<N, K> {
    /// Takes a step's problem. What follows from who touches whom is kept if that is still the same.
    pub(crate) fn take<D: Dimension>(&mut self, step: &Problem<D>) {
        let spins = D::Spin::<f64>::default().as_slice().len();
        let count = |body: &Body<D>| match () {
            () if body.inverse_mass <= 0.0 => 0,
            // What cannot be turned moves along the normal of its contacts only.
            () if body.inverse_inertia <= 0.0 => 1,
            () => D::AXES + spins,
        };
        let counts: Vec<usize> = step.bodies.iter().map(count).collect();
        let moves = |end: u32| counts[end as usize] > 0;
        let pairs: Vec<(u32, u32)> = step.rows.iter().map(|row| (row.first, row.second)).collect();
        if pairs != self.pairs || counts != self.counts || self.order_is_hasty {
            let cancellations = self.threads.cancellations();
            let coupled = pairs.iter().filter(|&&(first, second)| first != second && moves(first) && moves(second));
            let coupled: Vec<(u32, u32)> = coupled.copied().collect();
            self.tree = EliminationTree::new(&counts, &coupled, &self.tuning, &self.threads);
            self.assembly = Assembly::new(&self.tree, &pairs, &counts);
            (self.pairs, self.counts) = (pairs, counts);
            self.order_is_hasty = self.threads.cancelled_since(cancellations);
            self.orders += 1;
        }
        let ContactData { free, friction, diagonal } = &mut self.data;
        free.clear();
        friction.clear();
        diagonal.clear();
        self.contacts.clear();
        for &contact in &self.assembly.order {
            let row = &step.rows[contact as usize];
            let tangents = tangent_axes::<D>(row.contact.normal);
            let see = |bodies: [&Body<D>; 2]| -> Block<N> {
                let (normal, tangent) = row.contact.relative_velocity(bodies[0], bodies[1]);
                std::array::from_fn(|axis| if axis == 0 { normal } else { tangent.dot(tangents[axis - 1]) })
            };
            let bodies = [row.first, row.second];
            let mut velocity = see(bodies.map(|body| &step.bodies[body as usize]));
            velocity[0] += row.contact.target;
            let mut ends = ContactEnds { starts: [0; 2], counts: [0; 2], jacobian: [[[0.0; K]; 2]; N] };
            for (end, &number) in bodies.iter().enumerate() {
                let (body, count) = (&step.bodies[number as usize], self.counts[number as usize]);
                for axis in 0..count {
                    let seen = see(moved(body, axis, row.contact.normal, end).each_ref());
                    ends.jacobian.iter_mut().zip(seen).for_each(|(row, number)| row[end][axis] = number);
                }
                // Fixed bodies are in the room behind all others.
                let start = if count > 0 { self.tree.start[number as usize] } else { self.tree.dofs() };
                (ends.starts[end], ends.counts[end]) = (short(start), short(count));
            }
            diagonal.push(matrix(|i, j| {
                let both = ends.jacobian[i].as_flattened().iter().zip(ends.jacobian[j].as_flattened());
                both.fold(0.0, |sum, (a, b)| sum + a * b)
            }));
            free.push(velocity);
            friction.push(row.contact.friction);
            self.contacts.push(ends);
        }
        self.factorised = None;
        self.gradients_pay = self.cost().is_expensive;
    }

    /// Uses no more conjugate gradients until the next problem. False if none were used anyway.
    pub(crate) fn stop_gradients(&mut self) -> bool {
        std::mem::take(&mut self.gradients_pay)
    }

    /// What a factorisation costs.
    pub(crate) fn cost(&self) -> FactorisationCost {
        let tuning = &self.tuning;
        FactorisationCost::new(
            self.tree.multiplications(),
            self.data.free.len(),
            tuning.cost_in_coloured_sweeps,
            tuning,
        )
    }

    /// The error, relative to the residuals of zero reactions.
    pub(crate) fn error(&self, reactions: &[Block<N>], zero: Residuals) -> f64 {
        let mut velocities = Vec::new();
        self.velocities(reactions, &mut velocities);
        self.data.residuals(reactions, &velocities).relative_to(zero)
    }

    fn factorise(&mut self, symmetric: bool) -> bool {
        self.factorisations += 1;
        let Self { springs, contacts, assembly, factor, tree, threads, .. } = self;
        let assemble = |front: usize, panel: &mut Panel<'_>| {
            assembly.assemble((front, tree.fronts[front].pivots), panel, symmetric, (contacts, springs));
        };
        let good = factor.factorise(tree, symmetric, threads, assemble);
        self.factorised = good.then_some(Factorised { symmetric, accurate: false });
        good
    }

    /// Prepares conjugate gradients for the present springs.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of iterations")]
    fn prepare_gradients(&mut self) {
        let Self { tree, counts, pairs, assembly, contacts, springs, gradients, .. } = self;
        let start = |body: usize| if counts[body] > 0 { tree.start[body] } else { tree.dofs() };
        let bodies = (0..counts.len()).map(|body| (start(body), counts[body]));
        let contacts = assembly.order.iter().zip(&*contacts).zip(&*springs).map(|((&contact, ends), spring)| {
            let (first, second) = pairs[contact as usize];
            ([first as usize, second as usize], &ends.jacobian, spring)
        });
        gradients.put(tree.dofs(), bodies, contacts);
        self.iterations_left = (self.tuning.gradients_longest * self.cost().iterations) as u32;
    }

    /// Solves by conjugate gradients. False where that takes too long; then, and if the next springs will probably take too long, they are
    /// given up.
    fn solve_by_gradients(&mut self, dofs: &mut [f64], refinement: Refinement) -> bool {
        let Tuning { gradients_tolerance, gradients_share, gradients_longest, .. } = self.tuning;
        let tolerance = match refinement {
            Refinement::None => gradients_tolerance.0,
            Refinement::Once => gradients_tolerance.1,
        };
        let (iterations, converged) = self.gradients.solve(dofs, tolerance, self.iterations_left, &self.threads);
        self.iterations += iterations;
        self.iterations_left -= iterations;
        let enough = gradients_share * gradients_longest * self.cost().iterations;
        self.gradients_pay = converged && f64::from(self.iterations_left) > enough;
        self.by_gradients = converged;
        self.by_gradients
    }

    /// H r.
    fn add_reactions(&self, reactions: &[Block<N>], dofs: &mut Vec<f64>) {
        dofs.clear();
        dofs.resize(self.tree.dofs() + K, 0.0);
        for (ContactEnds { starts, jacobian, .. }, reaction) in self.contacts.iter().zip(reactions) {
            (0..2).for_each(|end| add_reaction(jacobian, end, reaction, body_mut(dofs, starts[end] as usize)));
        }
    }

    /// Hᵀ y of one contact.
    fn relative_velocity(&self, contact: usize, dofs: &[f64]) -> Block<N> {
        let ContactEnds { starts, jacobian, .. } = &self.contacts[contact];
        relative_velocity(jacobian, starts.map(|start| body(dofs, start as usize)))
    }
}

/// Two bodies at rest but for one degree of freedom of this one, which is the first or second: that, times the root of the mass, is 1.
fn moved<D: Dimension>(body: &Body<D>, axis: usize, normal: D::Vector<f64>, which: usize) -> [Body<D>; 2] {
    let mut both = [Body::<D>::default(); 2];
    let moved = &mut both[which];
    if body.inverse_inertia <= 0.0 {
        moved.velocity = normal * body.inverse_mass.sqrt();
    } else if axis < D::AXES {
        moved.velocity.as_mut_slice()[axis] = body.inverse_mass.sqrt();
    } else {
        moved.spin.as_mut_slice()[axis - D::AXES] = body.inverse_inertia.sqrt();
    }
    both
}

impl<const N: usize, const K: usize> SpringSystem<N> for GrainSystem<N, K> {
    fn data(&self) -> &ContactData<N> {
        &self.data
    }

    fn tuning(&self) -> &Tuning {
        &self.tuning
    }

    fn velocities(&self, reactions: &[Block<N>], velocities: &mut Vec<Block<N>>) {
        let mut dofs = Vec::new();
        self.add_reactions(reactions, &mut dofs);
        velocities.clear();
        for (contact, free) in self.data.free.iter().enumerate() {
            let change = self.relative_velocity(contact, &dofs);
            velocities.push(std::array::from_fn(|axis| free[axis] + change[axis]));
        }
    }

    fn put_springs(&mut self, springs: &[ContactSpring<N>], symmetry: Symmetry) -> bool {
        if self.is_cancelled() {
            return false;
        }
        let symmetric = symmetry != Symmetry::General;
        self.by_gradients = symmetry == Symmetry::Inexact && self.gradients_pay;
        if !self.by_gradients
            && self.factorised.is_some_and(|factorised| factorised.symmetric == symmetric)
            && springs.iter().map(|spring| &spring.stiffness).eq(&self.springs)
        {
            return true;
        }
        self.factorised = None;
        self.springs.clear();
        self.springs.extend(springs.iter().map(|spring| spring.stiffness));
        if self.by_gradients {
            self.prepare_gradients();
            return true;
        }
        self.factorise(symmetric)
    }

    /// Solves y = H E (c − Hᵀ y), with iterative refinement. The first solution is right but for rounding, which stiff springs amplify;
    /// c − Hᵀ y is then a small number with a small rounding error, so that the second solve, for the residual, has none of that.
    fn solve(&mut self, wanted: &[Block<N>], left: &mut Vec<Block<N>>, refinement: Refinement) {
        let mut reactions: Vec<Block<N>> = Vec::with_capacity(wanted.len());
        let mut dofs = Vec::new();
        let mut total = vec![0.0; self.tree.dofs() + K];
        left.clear();
        left.extend_from_slice(wanted);
        let mut first = 0.0;
        let enough = self.tuning.solve_residual * self.tuning.solve_residual;
        let accurate = self.factorised.is_some_and(|factorised| factorised.accurate);
        for time in 0..if accurate { 1 } else { refinement as u32 } {
            reactions.clear();
            reactions.extend(self.springs.iter().zip(&*left).map(|(spring, left)| multiply(spring, left)));
            self.add_reactions(&reactions, &mut dofs);
            dofs.iter_mut().zip(&total).for_each(|(number, total)| *number -= total);
            let residual = dofs.iter().fold(0.0, |sum, number| sum + number * number);
            if time == 0 {
                first = residual;
            } else if residual <= enough * first {
                self.factorised.iter_mut().for_each(|factorised| factorised.accurate = true);
                break;
            }
            let factorised =
                !self.by_gradients || self.solve_by_gradients(&mut dofs, refinement) || self.factorise(true);
            if !factorised || self.is_cancelled() {
                left.fill([f64::NAN; N]);
                return;
            }
            if !self.by_gradients {
                self.factor.solve(&self.tree, &mut dofs);
            }
            total.iter_mut().zip(&dofs).for_each(|(total, number)| *total += number);
            for (contact, left) in left.iter_mut().enumerate() {
                let change = self.relative_velocity(contact, &dofs);
                left.iter_mut().zip(change).for_each(|(left, change)| *left -= change);
            }
            if self.by_gradients {
                return;
            }
        }
    }

    fn is_cancelled(&self) -> bool {
        self.threads.is_cancelled()
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, ContactSpring, GrainSystem, Refinement, SpringSystem, Symmetry, Tuning};
    use hardgrain::{ContactDynamics, Engine, GaussSeidel, Grain, Order, Packing, Piston, Problem, Space, Stop, Wall};

    /// A column of spheres between a wall and a piston, and one beside it.
    fn column() -> Problem<Space> {
        let mut packing = Packing::<Space>::new();
        packing.add_wall(Wall::new([0.0, 0.0, 0.0], [0.0, 0.0, 1.0])).unwrap();
        for height in [0.5, 1.5, 2.5] {
            packing.add(Grain::new([0.0, 0.0, height], 0.5).mass(1.0)).unwrap();
        }
        packing.add(Grain::new([0.8, 0.6, 1.5], 0.5).mass(2.0)).unwrap();
        packing.add_piston(Piston::new([0.0, 0.0, 3.0], [0.0, 0.0, -1.0], 3.0).force(5.0)).unwrap();
        let mut engine = ContactDynamics::new(0.1, GaussSeidel::new(Order::Forward, Stop::Sweeps(1)));
        engine.step(&mut packing).unwrap();
        engine.problem().clone()
    }

    #[test]
    fn gradients_and_factorisations_agree_and_the_one_follows_on_the_other() {
        let problem = column();
        let mut grains = GrainSystem::<3, 6>::default();
        grains.take(&problem);
        let contacts = problem.rows.len();
        assert!(contacts >= 5);
        let spring = |contact: usize| {
            let stiffness =
                std::array::from_fn(|i| std::array::from_fn(|j| f64::from(u8::from(i == j)) * (contact + 1) as f64));
            ContactSpring { stiffness, compliance: stiffness }
        };
        let springs: Vec<ContactSpring<3>> = (0..contacts).map(spring).collect();
        let wanted: Vec<Block<3>> = (0..contacts).map(|contact| [1.0, 0.3 * contact as f64, -0.5]).collect();
        let solve = |grains: &mut GrainSystem<3, 6>| {
            let mut left = Vec::new();
            grains.solve(&wanted, &mut left, Refinement::Once);
            left.into_iter().flatten().collect::<Vec<f64>>()
        };
        assert!(grains.put_springs(&springs, Symmetry::Symmetric));
        let right = solve(&mut grains);
        // The same springs once more are there already.
        assert!(grains.put_springs(&springs, Symmetry::Symmetric) && grains.factorisations == 1);
        assert_eq!(solve(&mut grains), right);
        let near = |left: &[f64]| {
            left.iter().zip(&right).all(|(a, b)| (a - b).abs() < 10.0 * Tuning::DEFAULT.gradients_tolerance.1)
        };
        grains.gradients_pay = true;
        assert!(grains.put_springs(&springs, Symmetry::Inexact));
        grains.iterations_left = 100;
        assert!(near(&solve(&mut grains)));
        assert!(grains.factorisations == 1 && grains.iterations > 0 && grains.by_gradients);
        // Too few iterations.
        grains.gradients_pay = true;
        assert!(grains.put_springs(&springs, Symmetry::Inexact));
        grains.iterations_left = 1;
        assert!(near(&solve(&mut grains)));
        assert!(grains.factorisations == 2 && !grains.by_gradients && !grains.gradients_pay);
        // Springs that are no numbers.
        let broken = vec![ContactSpring { stiffness: [[f64::NAN; 3]; 3], compliance: [[f64::NAN; 3]; 3] }; contacts];
        grains.gradients_pay = true;
        assert!(grains.put_springs(&broken, Symmetry::Inexact));
        assert!(solve(&mut grains).iter().all(|number| number.is_nan()));
    }
}
