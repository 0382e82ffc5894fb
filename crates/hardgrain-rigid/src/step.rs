//! The problem of a step, as the stages see it.

use crate::block::Block;
use crate::convert::{TangentAxes, tangent_axes};
use crate::factor::cost::FactorisationCost;
use crate::grains::GrainSystem;
use crate::network::{ContactSpring, Network, Refinement, SpringSystem, Symmetry};
use crate::residuals::{ContactData, Residuals};
use crate::tuning::Tuning;
use hardgrain::{
    Coloured, Components, Dimension, Eight, Impulse, InColours, InSequence, Momentum, Problem, accelerate,
};

/// What sweeps work with: in colours, on a line as contacts are numbered.
#[derive(Debug, Default)]
pub(crate) struct StepSweeps<D: Dimension> {
    pub(crate) coloured: Coloured<D>,
    in_colours: Momentum<Impulse<D, Eight>>,
    on_line: Momentum<Impulse<D>>,
}

/// The problem of a step, by its bodies for solves and by its contacts for sweeps.
pub(crate) struct StepNetwork<'a, D: Dimension, const N: usize, const K: usize> {
    grains: &'a mut GrainSystem<N, K>,
    pub(crate) problem: &'a mut Problem<D>,
    sweeps: &'a mut StepSweeps<D>,
    axes: Vec<TangentAxes<D>>,
    // The residuals of zero reactions, also as sweeps measure them.
    zero: Residuals,
    zero_violation: f64,
    // Iterations and factorisations before this problem.
    before: (u32, u32),
}

impl<'a, D: Dimension, const N: usize, const K: usize> StepNetwork<'a, D, N, K> {
    pub(crate) fn new(
        grains: &'a mut GrainSystem<N, K>,
        sweeps: &'a mut StepSweeps<D>,
        problem: &'a mut Problem<D>,
    ) -> Self {
        grains.take(problem);
        let axes = problem.rows.iter().map(|row| tangent_axes::<D>(row.contact.normal)).collect();
        let zero = grains.data.residuals_of_zero();
        let before = (grains.iterations, grains.factorisations);
        let zero_violation = problem.violation_of_nothing();
        Self { grains, problem, sweeps, axes, zero, zero_violation, before }
    }

    /// The step's number of each contact.
    pub(crate) fn order(&self) -> &[u32] {
        &self.grains.assembly.order
    }

    /// Iterations of conjugate gradients made for this problem.
    pub(crate) fn gradient_iterations(&self) -> u32 {
        self.grains.iterations - self.before.0
    }

    /// Puts reactions into the problem.
    pub(crate) fn put(&mut self, reactions: &[Block<N>]) {
        for (&contact, reaction) in self.grains.assembly.order.iter().zip(reactions) {
            let (row, axes) = (&mut self.problem.rows[contact as usize], &self.axes[contact as usize]);
            let tangent = axes.iter().zip(&reaction[1..]);
            let tangent = tangent.fold(D::Tangent::default(), |sum, (axis, number)| sum + *axis * *number);
            row.impulse = Impulse { normal: reaction[0], tangent };
        }
    }
}

/// The reactions in a problem, in this order.
pub(crate) fn reactions<D: Dimension, const N: usize>(problem: &Problem<D>, order: &[u32]) -> Vec<Block<N>> {
    let rows = order.iter().map(|&contact| &problem.rows[contact as usize]);
    rows.map(|row| block::<D, N>(&row.impulse, &tangent_axes::<D>(row.contact.normal))).collect()
}

fn block<D: Dimension, const N: usize>(impulse: &Impulse<D>, axes: &TangentAxes<D>) -> Block<N> {
    std::array::from_fn(|axis| if axis == 0 { impulse.normal } else { impulse.tangent.dot(axes[axis - 1]) })
}

impl<D: Dimension, const N: usize, const K: usize> SpringSystem<N> for StepNetwork<'_, D, N, K> {
    fn data(&self) -> &ContactData<N> {
        &self.grains.data
    }

    fn tuning(&self) -> &Tuning {
        &self.grains.tuning
    }

    fn velocities(&self, reactions: &[Block<N>], velocities: &mut Vec<Block<N>>) {
        self.grains.velocities(reactions, velocities);
    }

    fn put_springs(&mut self, springs: &[ContactSpring<N>], symmetry: Symmetry) -> bool {
        self.grains.put_springs(springs, symmetry)
    }

    fn solve(&mut self, wanted: &[Block<N>], left: &mut Vec<Block<N>>, refinement: Refinement) {
        self.grains.solve(wanted, left, refinement);
    }

    fn is_cancelled(&self) -> bool {
        self.grains.is_cancelled()
    }
}

impl<D: Dimension, const N: usize, const K: usize> Network<N> for StepNetwork<'_, D, N, K> {
    fn sweep(&mut self, reactions: &mut Vec<Block<N>>, sweeps: u32, tolerance: f64) -> u32 {
        self.put(reactions);
        let Self { grains, problem, sweeps: own, axes, zero, zero_violation, .. } = self;
        let order = &grains.assembly.order;
        let mut place = vec![0; order.len()];
        order.iter().enumerate().for_each(|(at, &contact)| place[contact as usize] = at);
        let mut take = |impulses: &mut dyn Iterator<Item = Impulse<D>>| {
            for ((impulse, axes), &at) in impulses.zip(&*axes).zip(&place) {
                reactions[at] = block::<D, N>(&impulse, axes);
            }
            grains.error(reactions, *zero) / tolerance
        };
        // Far from the tolerance the measure of sweeps is enough.
        let far_factor = grains.tuning.far;
        let far = |[_, violation]: [f64; 2]| {
            let excess = violation / *zero_violation / tolerance;
            Some(excess).filter(|excess| *zero_violation > 0.0 && *excess > far_factor)
        };
        if D::CHAIN {
            let mut system = InSequence::new(problem).threads(&grains.threads);
            let (made, _) = accelerate(&mut system, &mut own.on_line, sweeps, |system, _| {
                far(system.measure()).unwrap_or_else(|| take(&mut system.problem.rows.iter().map(|row| row.impulse)))
            });
            take(&mut problem.rows.iter().map(|row| row.impulse));
            return made;
        }
        let mut system = InColours::new(problem, &mut own.coloured);
        let (made, _) = accelerate(&mut system, &mut own.in_colours, sweeps, |system, _| {
            far(system.measure()).unwrap_or_else(|| take(&mut system.by_contact()))
        });
        take(&mut system.by_contact());
        made
    }

    fn stop_gradients(&mut self) -> bool {
        self.grains.stop_gradients()
    }

    fn cost(&self) -> FactorisationCost {
        self.grains.cost()
    }

    fn error(&self, reactions: &[Block<N>]) -> f64 {
        self.grains.error(reactions, self.zero)
    }

    fn factorisations(&self) -> u32 {
        self.grains.factorisations - self.before.1
    }
}
