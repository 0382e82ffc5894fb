//! The exact stage: a primal-dual interior-point method for Signorini's and Coulomb's law side by side.
//!
//! ```text
//! r_N ≥ 0,  u_N ≥ 0,  r_N u_N = 0                          Signorini
//! (μ r_N, r_T) and (κ, u_T) in the cone, complementary     Coulomb: κ becomes |u_T|, and friction opposes slip
//! ```
//!
//! On the path both products are t instead of 0. The problem is not convex and its springs are not symmetric: the path may turn
//! back before t is 0. A *proximal term* ε d (r − r_centre), added to the velocities, straightens it, as if contacts were compliant.
//! A weak one selects, of all reactions with the same velocities, those nearest to the centre.

use super::cone::{NesterovTodd, product, quotient, reach};
use super::interior::{Corrector, IterationCheck};
use crate::block::{Block, Coupling, dot, identity, inverse, length, matrix, multiply};
use crate::network::{ContactSpring, Network, Refinement, Symmetry};
use crate::residuals::{ContactData, compliance};

/// A proximal term: its centre and its strength, in units of the compliance of each contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Proximal<'a, const N: usize> {
    pub(crate) centre: &'a [Block<N>],
    pub(crate) strength: f64,
}

impl<const N: usize> Proximal<'_, N> {
    /// Adds it to velocities.
    pub(crate) fn add(&self, data: &ContactData<N>, reactions: &[Block<N>], velocities: &mut [Block<N>]) {
        for (contact, velocity) in velocities.iter_mut().enumerate() {
            let strength = self.strength * compliance(&data.diagonal[contact]);
            for (axis, number) in velocity.iter_mut().enumerate() {
                *number += strength * (reactions[contact][axis] - self.centre[contact][axis]);
            }
        }
    }
}

/// Follows the path from zero reactions or, with a proximal term, from its centre.
pub(crate) fn exact<const N: usize, T: Network<N>>(
    net: &mut T,
    proximal: Option<Proximal<'_, N>>,
    mut check: impl IterationCheck<N, T>,
) {
    let tuning = *net.tuning();
    let friction = net.data().friction.clone();
    let mut all = proximal.map_or_else(|| cold(net), |proximal| warm(net, proximal.centre));
    let strength = |own: &Coupling<N>| proximal.map_or(0.0, |proximal| proximal.strength * compliance(own));
    let strength: Vec<f64> = net.data().diagonal.iter().map(strength).collect();
    // Products that become t: one of each contact, and one more where there is friction.
    let terms = friction.iter().map(|mu| if has_friction::<N>(*mu) { 2.0 } else { 1.0 }).sum::<f64>();
    let gap_of = |all: &[ExactPoint<N>]| all.iter().zip(&friction).fold(0.0, |sum, (at, &mu)| sum + at.gap(mu)) / terms;
    let first = gap_of(&all);
    let (mut reactions, mut velocities, mut left) = (Vec::new(), Vec::new(), Vec::new());
    for iteration in 0..=tuning.stage_iterations {
        reactions.clear();
        reactions.extend(all.iter().map(|at| at.reaction));
        let gap = gap_of(&all);
        if !check(net, &reactions, gap / first) || iteration == tuning.stage_iterations {
            return;
        }
        net.velocities(&reactions, &mut velocities);
        if let Some(proximal) = proximal {
            proximal.add(net.data(), &reactions, &mut velocities);
        }
        let each = all.iter().zip(&velocities).zip(friction.iter().zip(&strength));
        let linear: Vec<Linearised<N>> =
            each.map(|((at, velocity), (&mu, &strength))| Linearised::new(at, velocity, mu, strength)).collect();
        let springs: Vec<ContactSpring<N>> = linear.iter().map(|linear| linear.spring).collect();
        if !net.put_springs(&springs, Symmetry::General) {
            return;
        }
        let mut direction = |targets: &[ProductTarget<N>], refinement: Refinement| -> Vec<ExactPoint<N>> {
            let wanted: Vec<Block<N>> =
                linear.iter().zip(targets).map(|(linear, target)| linear.wanted(target)).collect();
            net.solve(&wanted, &mut left, refinement);
            let each = linear.iter().zip(targets).enumerate();
            each.map(|(contact, (linear, target))| linear.change(target, &wanted[contact], &left[contact])).collect()
        };
        let affine: Vec<ProductTarget<N>> = linear.iter().map(Linearised::affine).collect();
        let predictor = direction(&affine, Refinement::None);
        let step = reach_of(&all, &predictor, &friction);
        let ahead: Vec<ExactPoint<N>> = all.iter().zip(&predictor).map(|(at, change)| at.plus(change, step)).collect();
        let mut corrected = |corrector: &Corrector| {
            let change = direction(&targets(&linear, &affine, &predictor, corrector), Refinement::Once);
            let reach = reach_of(&all, &change, &friction);
            (change, reach)
        };
        let (mut best, mut reach) = corrected(&Corrector::new(gap, gap_of(&ahead), &tuning));
        if reach < tuning.short_step {
            let centring = corrected(&Corrector::centring(gap, &tuning));
            if centring.1 > reach {
                (best, reach) = centring;
            }
        }
        let step = (tuning.step_length * reach).min(1.0);
        all.iter_mut().zip(&best).for_each(|(at, change)| *at = at.plus(change, step));
    }
}

/// The targets of the corrector.
fn targets<const N: usize>(
    linear: &[Linearised<N>],
    affine: &[ProductTarget<N>],
    predictor: &[ExactPoint<N>],
    corrector: &Corrector,
) -> Vec<ProductTarget<N>> {
    let correct = |((linear, affine), predictor): ((&Linearised<N>, &ProductTarget<N>), &ExactPoint<N>)| {
        let second_order = linear.second_order(predictor);
        ProductTarget {
            normal: corrector.correct(affine.normal, second_order.normal),
            friction: corrector.correct_block(&affine.friction, &second_order.friction),
        }
    };
    linear.iter().zip(affine).zip(predictor).map(correct).collect()
}

/// Whether a contact has a friction cone.
fn has_friction<const N: usize>(mu: f64) -> bool {
    mu > 0.0 && N > 1
}

/// An iterate of one contact: its reaction, the variable that becomes u_N, and the one that becomes (|u_T|, u_T). Also changes of these.
#[derive(Clone, Copy, Debug)]
struct ExactPoint<const N: usize> {
    reaction: Block<N>,
    open: f64,
    slip: Block<N>,
}

impl<const N: usize> ExactPoint<N> {
    /// (μ r_N, r_T).
    fn limit(&self, mu: f64) -> Block<N> {
        std::array::from_fn(|axis| if axis == 0 { mu * self.reaction[0] } else { self.reaction[axis] })
    }

    fn plus(&self, change: &Self, step: f64) -> Self {
        let sum = |a: &Block<N>, b: &Block<N>| -> Block<N> { std::array::from_fn(|axis| a[axis] + step * b[axis]) };
        Self {
            reaction: sum(&self.reaction, &change.reaction),
            open: self.open + step * change.open,
            slip: sum(&self.slip, &change.slip),
        }
    }

    fn gap(&self, mu: f64) -> f64 {
        self.reaction[0] * self.open + if has_friction::<N>(mu) { dot(&self.limit(mu), &self.slip) } else { 0.0 }
    }
}

/// From zero reactions.
fn cold<const N: usize>(net: &impl Network<N>) -> Vec<ExactPoint<N>> {
    let data = net.data();
    let size = net.tuning().exact_start * data.largest_free();
    let start = |(compliance, mu): (f64, &f64)| {
        let mut at = ExactPoint { reaction: [0.0; N], open: size, slip: [0.0; N] };
        at.reaction[0] = size / compliance;
        at.slip[0] = if *mu > 0.0 { size / mu } else { 0.0 };
        at
    };
    data.compliances().zip(&data.friction).map(start).collect()
}

/// From reactions that are nearly right.
fn warm<const N: usize>(net: &impl Network<N>, from: &[Block<N>]) -> Vec<ExactPoint<N>> {
    let (tuning, data) = (net.tuning(), net.data());
    let by = tuning.exact_warm_start * data.largest_free();
    let mut velocities = Vec::new();
    net.velocities(from, &mut velocities);
    let start = |contact: usize| {
        let (velocity, mut reaction) = (velocities[contact], from[contact]);
        reaction[0] = reaction[0].max(0.0) + by / compliance(&data.diagonal[contact]);
        // Strictly inside.
        let (tangential, limit) = (length(&reaction[1..]), data.friction[contact] * reaction[0]);
        let most = tuning.step_length * limit;
        let inwards = if tangential > most { most / tangential } else { 1.0 };
        reaction[1..].iter_mut().for_each(|number| *number *= inwards);
        let mut slip = velocity;
        slip[0] = length(&velocity[1..]) + by;
        ExactPoint { reaction, open: velocity[0].max(0.0) + by, slip }
    };
    (0..from.len()).map(start).collect()
}

/// The share of changes that stays in the cones, at most 1.
fn reach_of<const N: usize>(all: &[ExactPoint<N>], changes: &[ExactPoint<N>], friction: &[f64]) -> f64 {
    let mut most = 1.0;
    for ((at, change), &mu) in all.iter().zip(changes).zip(friction) {
        most = reach(&[at.open], &[change.open], most);
        most = reach(&[at.reaction[0]], &[change.reaction[0]], most);
        if has_friction::<N>(mu) {
            most = reach(&at.limit(mu), &change.limit(mu), most);
            most = reach(&at.slip, &change.slip, most);
        }
    }
    most
}

/// The changes of complementarity products to aim at; that of friction is scaled.
#[derive(Clone, Copy, Debug)]
struct ProductTarget<const N: usize> {
    normal: f64,
    friction: Block<N>,
}

/// A contact, linearised.
struct Linearised<const N: usize> {
    at: ExactPoint<N>,
    mu: f64,
    // (u_N, u_T) minus the variables that become it.
    residual: Block<N>,
    // Of (μ r_N, r_T) and (κ, u_T), with its square.
    scaling: Option<(NesterovTodd<N>, Coupling<N>)>,
    // With the proximal term.
    spring: ContactSpring<N>,
    strength: f64,
    // The tangential compliance without it.
    tangential: Coupling<N>,
}

impl<const N: usize> Linearised<N> {
    fn new(at: &ExactPoint<N>, velocity: &Block<N>, mu: f64, strength: f64) -> Self {
        let residual = std::array::from_fn(|axis| velocity[axis] - if axis == 0 { at.open } else { at.slip[axis] });
        let (mut stiffness, mut compliance) = ([[0.0; N]; N], [[0.0; N]; N]);
        (stiffness[0][0], compliance[0][0]) = (at.reaction[0] / at.open, at.open / at.reaction[0]);
        let mut scaling = None;
        let mut tangential = [[0.0; N]; N];
        if has_friction::<N>(mu) {
            let own = NesterovTodd::new(&at.limit(mu), &at.slip);
            let square = own.squared();
            let (stiff, soft) = own.tangential();
            for i in 1..N {
                // Friction follows the normal reaction, and not the other way round.
                stiffness[i][0] = mu * square[i][0] / square[0][0] * stiffness[0][0];
                stiffness[i][1..].copy_from_slice(&stiff[i][1..]);
                compliance[i][1..].copy_from_slice(&soft[i][1..]);
                compliance[i][0] = -(1..N).fold(0.0, |sum, j| sum + soft[i][j] * mu * square[j][0] / square[0][0]);
            }
            tangential = soft;
            scaling = Some((own, square));
        } else {
            // Nothing holds along the tangents.
            (1..N).for_each(|axis| compliance[axis][axis] = f64::MAX.sqrt());
        }
        if strength > 0.0 {
            (0..N).for_each(|axis| compliance[axis][axis] += strength);
            stiffness = in_series(&stiffness, strength);
        }
        let spring = ContactSpring { stiffness, compliance };
        Self { at: *at, mu, residual, scaling, spring, strength, tangential }
    }

    /// The predictor's target: all products vanish.
    fn affine(&self) -> ProductTarget<N> {
        let squared = self.scaling.as_ref().map_or([0.0; N], |(scaling, _)| scaling.squared_lambda());
        ProductTarget { normal: -self.at.reaction[0] * self.at.open, friction: squared.map(|number| -number) }
    }

    /// The second-order terms of a change.
    fn second_order(&self, change: &ExactPoint<N>) -> ProductTarget<N> {
        let friction = self.scaling.as_ref().map_or([0.0; N], |(scaling, _)| {
            product(&scaling.divide(&change.limit(self.mu)), &scaling.times(&change.slip))
        });
        ProductTarget { normal: change.reaction[0] * change.open, friction }
    }

    /// (μ dr_N, dr_T) if (κ, u_T) did not change.
    fn pushed(scaling: &NesterovTodd<N>, target: &ProductTarget<N>) -> Block<N> {
        scaling.times(&quotient(&target.friction, &scaling.lambda))
    }

    /// c, with dr = stiffness (c − du).
    fn wanted(&self, target: &ProductTarget<N>) -> Block<N> {
        let mut wanted = [0.0; N];
        wanted[0] = target.normal / self.at.reaction[0] - self.residual[0];
        if let Some((scaling, square)) = &self.scaling {
            let pushed = Self::pushed(scaling, target);
            // With κ eliminated.
            let rest: Block<N> = std::array::from_fn(|j| pushed[j] - square[j][0] / square[0][0] * pushed[0]);
            for (i, wanted) in wanted.iter_mut().enumerate().skip(1) {
                *wanted = (1..N).fold(-self.residual[i], |sum, j| sum + self.tangential[i][j] * rest[j]);
            }
        }
        wanted
    }

    /// The change of the iterate that a solve has found.
    fn change(&self, target: &ProductTarget<N>, wanted: &Block<N>, left: &Block<N>) -> ExactPoint<N> {
        let reaction = multiply(&self.spring.stiffness, left);
        let moved: Block<N> = std::array::from_fn(|axis| {
            wanted[axis] - left[axis] + self.strength * reaction[axis] + self.residual[axis]
        });
        let mut slip = moved;
        slip[0] = 0.0;
        if let Some((scaling, square)) = &self.scaling {
            let pushed = Self::pushed(scaling, target);
            let taken = (1..N).fold(self.mu * reaction[0], |sum, j| sum + square[0][j] * slip[j]);
            slip[0] = (pushed[0] - taken) / square[0][0];
        }
        ExactPoint { reaction, open: moved[0], slip }
    }
}

/// A spring in series with one of this compliance: E (1 + s E)⁻¹.
fn in_series<const N: usize>(stiffness: &Coupling<N>, strength: f64) -> Coupling<N> {
    let one = identity::<N>();
    let inverse: Coupling<N> = inverse(&matrix(|i, j| one[i][j] + strength * stiffness[i][j]));
    matrix(|i, j| (0..N).fold(0.0, |sum, k| sum + stiffness[i][k] * inverse[k][j]))
}
