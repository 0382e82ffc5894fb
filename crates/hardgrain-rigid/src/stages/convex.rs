//! The convex stage: a primal-dual interior-point method for the problem in which sliding contacts also open.
//!
//! With x = (r_N, r_T/μ) and z = (u_N, μ u_T) both are in the cone |x₁| ≤ x₀, and complementary: the optimality condition of a
//! second-order cone program. Coulomb's law has u_N + μ|u_T| instead of u_N. Where hardly anything slides that makes no
//! difference, and elsewhere the answer is a good first guess.

use super::cone::{NesterovTodd, determinant, product, quotient, reach};
use super::interior::{Corrector, IterationCheck};
use crate::block::{Block, Coupling, dot, inverse, length, matrix, multiply};
use crate::network::{ContactSpring, Network, Refinement, Symmetry};
use crate::tuning::Tuning;

/// Reactions to start from, and how far inside the cones, in units of the largest free velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct WarmStart<'a, const N: usize> {
    pub(crate) reactions: &'a [Block<N>],
    pub(crate) margin: f64,
}

/// Follows the central path from there or from zero reactions.
pub(crate) fn convex<const N: usize, T: Network<N>>(
    net: &mut T,
    start: Option<WarmStart<'_, N>>,
    mut check: impl IterationCheck<N, T>,
) {
    let tuning = *net.tuning();
    let mut point = ConvexPoint::new(net);
    let first = point.at.gap();
    if let Some(start) = start {
        point.start(net, start);
    }
    let (mut reactions, mut velocities) = (Vec::new(), Vec::new());
    for iteration in 0..=tuning.stage_iterations {
        reactions.clear();
        reactions.extend(point.at.x.iter().zip(&point.friction).map(|(x, &mu)| scaled(x, mu)));
        let gap = point.at.gap();
        if !check(net, &reactions, gap / first) || iteration == tuning.stage_iterations {
            return;
        }
        net.velocities(&reactions, &mut velocities);
        point.linearise(&velocities);
        if !net.put_springs(&point.springs, Symmetry::Inexact) {
            return;
        }
        let affine: Vec<Block<N>> =
            point.scalings.iter().map(|scaling| scaling.squared_lambda().map(|number| -number)).collect();
        let predictor = point.direction(net, &affine, Refinement::None);
        let step = point.at.reach(&predictor);
        let after = point.at.gap_after(&predictor, step);
        if !after.is_finite() {
            return;
        }
        let corrector = Corrector::new(gap, after, &tuning);
        let corrected = |corrector: &Corrector| -> Vec<Block<N>> {
            let each = affine.iter().zip(&point.scalings).zip(predictor.x.iter().zip(&predictor.z));
            let second_order = |scaling: &NesterovTodd<N>, (x, z)| product(&scaling.divide(x), &scaling.times(z));
            each.map(|((affine, scaling), change)| corrector.correct_block(affine, &second_order(scaling, change)))
                .collect()
        };
        let products = corrected(&corrector);
        let mut best = point.direction(net, &products, Refinement::Once);
        let mut reach = point.correct_further(net, &mut best, products, &corrector);
        if reach < tuning.short_step {
            let centring = point.direction(net, &corrected(&Corrector::centring(gap, &tuning)), Refinement::Once);
            let then = point.at.reach(&centring);
            if then > reach {
                (best, reach) = (centring, then);
            }
        }
        let step = (tuning.step_length * reach).min(1.0);
        point.at.advance(&best, step);
    }
}

/// x and z, or changes of them.
struct PrimalDual<const N: usize> {
    x: Vec<Block<N>>,
    z: Vec<Block<N>>,
}

/// An iterate, and the linearisation there.
struct ConvexPoint<const N: usize> {
    tuning: Tuning,
    friction: Vec<f64>,
    // The unit of length in the cones, and the proximal term of each contact.
    unit: f64,
    proximal: Vec<f64>,
    at: PrimalDual<N>,
    scalings: Vec<NesterovTodd<N>>,
    // The springs of x, and of r.
    inner: Vec<Coupling<N>>,
    springs: Vec<ContactSpring<N>>,
    // The dual residual: velocities of x minus z.
    residual: Vec<Block<N>>,
}

impl<const N: usize> ConvexPoint<N> {
    fn new(net: &impl Network<N>) -> Self {
        let (tuning, data) = (*net.tuning(), net.data());
        let unit = data.largest_free();
        let friction = data.friction.clone();
        let compliance =
            |(own, mu): (&Coupling<N>, &f64)| (1..N).fold(own[0][0], |most, axis| most.max(mu * mu * own[axis][axis]));
        let compliance: Vec<f64> = data.diagonal.iter().zip(&friction).map(compliance).collect();
        let axis = |size: f64| -> Block<N> { std::array::from_fn(|axis| if axis == 0 { size } else { 0.0 }) };
        let (primal, dual) = tuning.convex_start;
        let x = compliance.iter().map(|compliance| axis(primal * unit / compliance)).collect();
        let z = vec![axis(dual * unit); friction.len()];
        Self {
            tuning,
            unit,
            proximal: compliance.iter().map(|compliance| tuning.convex_proximal * compliance).collect(),
            at: PrimalDual { x, z },
            friction,
            scalings: Vec::new(),
            inner: Vec::new(),
            springs: Vec::new(),
            residual: Vec::new(),
        }
    }

    /// Starts from reactions and their velocities, both moved into the cones.
    fn start(&mut self, net: &impl Network<N>, start: WarmStart<'_, N>) {
        let mut velocities = Vec::new();
        net.velocities(start.reactions, &mut velocities);
        let by = start.margin * self.unit;
        let into = |mut x: Block<N>, by: f64| {
            x[0] = x[0].max(length(&x[1..])) + by;
            x
        };
        for (contact, (reaction, velocity)) in start.reactions.iter().zip(&velocities).enumerate() {
            let (mu, compliance) = (self.friction[contact], self.proximal[contact] / self.tuning.convex_proximal);
            let (x, z) = (into(unscaled(reaction, mu), by / compliance), into(scaled(velocity, mu), by));
            // Beyond the precision of the cone, zero reactions start as well.
            let clear = |x: &Block<N>| determinant(x) > self.tuning.clearly_inside * x[0] * x[0];
            if clear(&x) && clear(&z) {
                (self.at.x[contact], self.at.z[contact]) = (x, z);
            }
        }
    }

    /// Scalings, springs and the residual at this point.
    fn linearise(&mut self, velocities: &[Block<N>]) {
        self.scalings.clear();
        self.inner.clear();
        self.springs.clear();
        self.residual.clear();
        for (contact, velocity) in velocities.iter().enumerate() {
            let (x, z) = (&self.at.x[contact], &self.at.z[contact]);
            let (mu, proximal) = (self.friction[contact], self.proximal[contact]);
            let scaling = NesterovTodd::new(x, z);
            let mut outer = scaling.inverse_squared();
            (0..N).for_each(|axis| outer[axis][axis] += proximal);
            let inner = inverse(&outer);
            let factor = |axis: usize| if axis == 0 { 1.0 } else { mu };
            // Without friction nothing, or next to nothing, holds along the tangents: a guard against division by 0.
            let divisor = |axis: usize| factor(axis).max(1e-100);
            let stiffness = matrix(|i, j| factor(i) * inner[i][j] * factor(j));
            let compliance = matrix(|i, j| outer[i][j] / divisor(i) / divisor(j));
            let given = scaled(velocity, mu);
            self.residual.push(std::array::from_fn(|axis| given[axis] + proximal * x[axis] - z[axis]));
            self.springs.push(ContactSpring { stiffness, compliance });
            self.inner.push(inner);
            self.scalings.push(scaling);
        }
    }

    /// Gondzio's multiple centrality correctors: products that a longer step would leave far from the target limit it; corrected for them
    /// it may go there. Each costs one more solve, cheap where factorisations are expensive. Returns the length of the step.
    fn correct_further(
        &self,
        net: &mut impl Network<N>,
        best: &mut PrimalDual<N>,
        mut products: Vec<Block<N>>,
        corrector: &Corrector,
    ) -> f64 {
        let Tuning { longer_step, correction_gain, .. } = self.tuning;
        let mut now = self.at.reach(best);
        for _ in 0..net.cost().corrections {
            if now >= 1.0 {
                break;
            }
            let longer = (longer_step.0 * now + longer_step.1).min(1.0);
            let add = |(contact, products): (usize, &Block<N>)| -> Block<N> {
                let change = self.pull_back(contact, best, longer, corrector);
                std::array::from_fn(|axis| products[axis] + change[axis])
            };
            let corrected: Vec<Block<N>> = products.iter().enumerate().map(add).collect();
            let other = self.direction(net, &corrected, Refinement::Once);
            let then = self.at.reach(&other);
            if then <= now + correction_gain * (longer - now) {
                break;
            }
            (*best, products, now) = (other, corrected, then);
        }
        now
    }

    /// The change of a contact's product that brings its eigenvalues after a step of this length back towards the target.
    fn pull_back(&self, contact: usize, best: &PrimalDual<N>, step: f64, corrector: &Corrector) -> Block<N> {
        let scaling = &self.scalings[contact];
        let ahead =
            |change: Block<N>| -> Block<N> { std::array::from_fn(|axis| scaling.lambda[axis] + step * change[axis]) };
        let there = product(&ahead(scaling.divide(&best.x[contact])), &ahead(scaling.times(&best.z[contact])));
        let tangential = length(&there[1..]);
        let (more, less) = (corrector.pull_back(there[0] + tangential), corrector.pull_back(there[0] - tangential));
        let scale = if tangential > 0.0 { 0.5 * (more - less) / tangential } else { 0.0 };
        std::array::from_fn(|axis| if axis == 0 { 0.5 * (more + less) } else { scale * there[axis] })
    }

    /// The Newton direction that changes products by these, to first order.
    fn direction(&self, net: &mut impl Network<N>, products: &[Block<N>], refinement: Refinement) -> PrimalDual<N> {
        let aim = |(contact, products): (usize, &Block<N>)| -> Block<N> {
            let scaling = &self.scalings[contact];
            let aim = scaling.divide(&quotient(products, &scaling.lambda));
            std::array::from_fn(|axis| aim[axis] - self.residual[contact][axis])
        };
        let aims: Vec<Block<N>> = products.iter().enumerate().map(aim).collect();
        let wanted: Vec<Block<N>> = aims.iter().zip(&self.friction).map(|(aim, &mu)| unscaled(aim, mu)).collect();
        let mut left = Vec::new();
        net.solve(&wanted, &mut left, refinement);
        let mut change = PrimalDual { x: Vec::with_capacity(left.len()), z: Vec::with_capacity(left.len()) };
        for (contact, left) in left.iter().enumerate() {
            let left = scaled(left, self.friction[contact]);
            let dx = multiply(&self.inner[contact], &left);
            let (residual, aim, proximal) = (&self.residual[contact], &aims[contact], self.proximal[contact]);
            let dz = |axis: usize| residual[axis] + aim[axis] - left[axis] + proximal * dx[axis];
            change.z.push(std::array::from_fn(dz));
            change.x.push(dx);
        }
        change
    }
}

/// (x_N, μ x_T).
fn scaled<const N: usize>(x: &Block<N>, mu: f64) -> Block<N> {
    std::array::from_fn(|axis| if axis == 0 { x[0] } else { mu * x[axis] })
}

/// (x_N, x_T/μ); without friction x_T is 0.
fn unscaled<const N: usize>(x: &Block<N>, mu: f64) -> Block<N> {
    std::array::from_fn(|axis| match axis {
        0 => x[0],
        _ if mu > 0.0 => x[axis] / mu,
        _ => 0.0,
    })
}

impl<const N: usize> PrimalDual<N> {
    /// The mean of x·z.
    fn gap(&self) -> f64 {
        self.x.iter().zip(&self.z).fold(0.0, |sum, (x, z)| sum + dot(x, z)) / self.x.len() as f64
    }

    fn gap_after(&self, change: &Self, step: f64) -> f64 {
        let after = |now: &Block<N>, change: &Block<N>| -> Block<N> {
            std::array::from_fn(|axis| now[axis] + step * change[axis])
        };
        let each = (0..self.x.len()).map(|contact| {
            let x = after(&self.x[contact], &change.x[contact]);
            dot(&x, &after(&self.z[contact], &change.z[contact]))
        });
        each.fold(0.0, |sum, product| sum + product) / self.x.len() as f64
    }

    /// The share of a change that stays in the cones, at most 1.
    fn reach(&self, change: &Self) -> f64 {
        let x = self.x.iter().zip(&change.x);
        let z = self.z.iter().zip(&change.z);
        x.chain(z).fold(1.0, |most, (x, dx)| reach(x, dx, most))
    }

    fn advance(&mut self, change: &Self, step: f64) {
        let x = self.x.iter_mut().zip(&change.x);
        let z = self.z.iter_mut().zip(&change.z);
        x.chain(z).for_each(|(x, dx)| x.iter_mut().zip(dx).for_each(|(x, dx)| *x += step * dx));
    }
}
