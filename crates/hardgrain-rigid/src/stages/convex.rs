//! The convex stage: an interior point for the problem in which contacts that slide also open.
//!
//! With x = (r_N, r_T/μ) and z = (u_N, μ u_T) both are in the cone |x₁| ≤ x₀, and complementary: the condition for the least
//! of a convex function. Coulomb's law has u_N + μ|u_T| instead of u_N. Where hardly anything slides that makes no difference,
//! and elsewhere the answer is a good first guess.

use crate::block::{Block, Coupling, dot, inverse, length, multiply};
use crate::network::{Care, Network, Spring, Which};
use crate::residuals::largest;
use crate::stages::cone::{Scaling, determinant, product, quotient, reach};
use crate::stages::interior::{Correction, FURTHER, GAIN, Judge, NEAR, SHORT};

/// From nothing, x and z are inside the cones by so many times what leads to the largest free velocity, and by so many times that.
const BEGINS: (f64, f64) = (3.0, 0.1);
/// A pull of this strength towards nothing, in units of what a contact gives way by: without it springs would have no limit.
const PULL: f64 = 1e-12;
/// A vector is clearly inside its cone if its determinant is this share of the square of its length.
const CLEAR: f64 = 1e-12;

/// Where to begin: at reactions, and so far inside the cones from there, in units of the largest free velocity.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Begin<'a, const N: usize> {
    pub(crate) reactions: &'a [Block<N>],
    pub(crate) inside: f64,
}

/// Goes inwards from there or from nothing, at most so many iterations.
pub(crate) fn convex<const N: usize, T: Network<N>>(
    net: &mut T,
    begin: Option<Begin<'_, N>>,
    most: u32,
    mut judge: impl Judge<N, T>,
) {
    let mut inside = Inside::new(net);
    let first = inside.at.gap();
    if let Some(begin) = begin {
        inside.begin(net, begin);
    }
    let (mut reactions, mut velocities) = (Vec::new(), Vec::new());
    for iteration in 0..=most {
        reactions.clear();
        reactions.extend(inside.at.x.iter().zip(&inside.friction).map(|(x, &mu)| scaled(x, mu)));
        let gap = inside.at.gap();
        if !judge(net, &reactions, gap / first) || iteration == most {
            return;
        }
        net.velocities(&reactions, &mut velocities);
        inside.linearise(&velocities);
        if !net.put_springs(&inside.springs, Which::Approached) {
            return;
        }
        let plain: Vec<Block<N>> = inside.scalings.iter().map(|scaling| minus(&scaling.squared_length())).collect();
        let guess = inside.direction(net, &plain, Care::Once);
        let step = inside.at.reach(&guess);
        let after = inside.at.gap_after(&guess, step);
        if !after.is_finite() {
            return;
        }
        let correction = Correction::new(gap, after);
        let second = |contact: usize| {
            let scaling = &inside.scalings[contact];
            product(&scaling.divide(&guess.x[contact]), &scaling.times(&guess.z[contact]))
        };
        let corrected = |correction: &Correction| -> Vec<Block<N>> {
            plain.iter().enumerate().map(|(contact, plain)| correction.of_block(plain, &second(contact))).collect()
        };
        let products = corrected(&correction);
        let mut best = inside.direction(net, &products, Care::Twice);
        let mut reach = inside.go_further(net, &mut best, products, &correction);
        if reach < SHORT {
            let even = inside.direction(net, &corrected(&Correction::even(gap)), Care::Twice);
            let then = inside.at.reach(&even);
            if then > reach {
                (best, reach) = (even, then);
            }
        }
        let step = (NEAR * reach).min(1.0);
        inside.at.go(&best, step);
    }
}

/// x and z, or changes of them.
struct Pair<const N: usize> {
    x: Vec<Block<N>>,
    z: Vec<Block<N>>,
}

/// Where the stage is, and what it is like there.
struct Inside<const N: usize> {
    friction: Vec<f64>,
    // ε d.
    pull: Vec<f64>,
    at: Pair<N>,
    scalings: Vec<Scaling<N>>,
    // The springs of x, and of r.
    inner: Vec<Coupling<N>>,
    springs: Vec<Spring<N>>,
    // By how much z is not what x leads to.
    off: Vec<Block<N>>,
}

impl<const N: usize> Inside<N> {
    fn new(net: &impl Network<N>) -> Self {
        let size = largest(net.free());
        let friction = net.friction().to_vec();
        let gives =
            |(own, mu): (&Coupling<N>, &f64)| (1..N).fold(own[0][0], |most, axis| most.max(mu * mu * own[axis][axis]));
        let give: Vec<f64> = net.own().iter().zip(&friction).map(gives).collect();
        let along = |size: f64| -> Block<N> { std::array::from_fn(|axis| if axis == 0 { size } else { 0.0 }) };
        let x = give.iter().map(|give| along(BEGINS.0 * size / give)).collect();
        let z = vec![along(BEGINS.1 * size); friction.len()];
        Self {
            pull: give.iter().map(|give| PULL * give).collect(),
            at: Pair { x, z },
            friction,
            scalings: Vec::new(),
            inner: Vec::new(),
            springs: Vec::new(),
            off: Vec::new(),
        }
    }

    /// From reactions and what they lead to, with both moved into the cones.
    fn begin(&mut self, net: &impl Network<N>, begin: Begin<'_, N>) {
        let mut velocities = Vec::new();
        net.velocities(begin.reactions, &mut velocities);
        let by = begin.inside * largest(net.free());
        let into = |mut x: Block<N>, by: f64| {
            x[0] = x[0].max(length(&x[1..])) + by;
            x
        };
        for (contact, (reaction, velocity)) in begin.reactions.iter().zip(&velocities).enumerate() {
            let (mu, give) = (self.friction[contact], self.pull[contact] / PULL);
            let (x, z) = (into(unscaled(reaction, mu), by / give), into(scaled(velocity, mu), by));
            // Where one is beyond all measure, nothing is as good a beginning.
            let clear = |x: &Block<N>| determinant(x) > CLEAR * x[0] * x[0];
            if clear(&x) && clear(&z) {
                (self.at.x[contact], self.at.z[contact]) = (x, z);
            }
        }
    }

    fn linearise(&mut self, velocities: &[Block<N>]) {
        self.scalings.clear();
        self.inner.clear();
        self.springs.clear();
        self.off.clear();
        for (contact, velocity) in velocities.iter().enumerate() {
            let (x, z, mu, pull) =
                (&self.at.x[contact], &self.at.z[contact], self.friction[contact], self.pull[contact]);
            let scaling = Scaling::of(x, z);
            let mut soft = scaling.inverse_squared();
            (0..N).for_each(|axis| soft[axis][axis] += pull);
            let inner = inverse(&soft);
            let factor = |axis: usize| if axis == 0 { 1.0 } else { mu };
            // Without friction nothing holds aside, or next to nothing.
            let divisor = |axis: usize| factor(axis).max(1e-100);
            let stiff = std::array::from_fn(|i| std::array::from_fn(|j| factor(i) * inner[i][j] * factor(j)));
            let soft = std::array::from_fn(|i| std::array::from_fn(|j| soft[i][j] / divisor(i) / divisor(j)));
            let given = scaled(velocity, mu);
            self.off.push(std::array::from_fn(|axis| given[axis] + pull * x[axis] - z[axis]));
            self.springs.push(Spring { stiff, soft });
            self.inner.push(inner);
            self.scalings.push(scaling);
        }
    }

    /// The products that are left far from the aim by a step that goes further hinder it: corrected for them it may go there. Each time
    /// costs one more solve, next to nothing where factorisations are dear. How far it may go.
    fn go_further(
        &self,
        net: &mut impl Network<N>,
        best: &mut Pair<N>,
        mut products: Vec<Block<N>>,
        correction: &Correction,
    ) -> f64 {
        let mut now = self.at.reach(best);
        for _ in 0..net.price().corrections() {
            if now >= 1.0 {
                break;
            }
            let further = (FURTHER.0 * now + FURTHER.1).min(1.0);
            let corrected: Vec<Block<N>> = products
                .iter()
                .enumerate()
                .map(|(contact, products)| {
                    let back = self.back(contact, best, further, correction);
                    std::array::from_fn(|axis| products[axis] + back[axis])
                })
                .collect();
            let other = self.direction(net, &corrected, Care::Twice);
            let then = self.at.reach(&other);
            if then <= now + GAIN * (further - now) {
                break;
            }
            (*best, products, now) = (other, corrected, then);
        }
        now
    }

    /// By how much the products of a contact are to change that a step so far would leave too far from the aim.
    fn back(&self, contact: usize, best: &Pair<N>, further: f64, correction: &Correction) -> Block<N> {
        let scaling = &self.scalings[contact];
        let ahead =
            |change: Block<N>| -> Block<N> { std::array::from_fn(|axis| scaling.both[axis] + further * change[axis]) };
        let there = product(&ahead(scaling.divide(&best.x[contact])), &ahead(scaling.times(&best.z[contact])));
        let aside = length(&there[1..]);
        let (more, less) = (correction.back(there[0] + aside), correction.back(there[0] - aside));
        let along = if aside > 0.0 { 0.5 * (more - less) / aside } else { 0.0 };
        std::array::from_fn(|axis| if axis == 0 { 0.5 * (more + less) } else { along * there[axis] })
    }

    /// The change after which products are changed by these, to first order.
    fn direction(&self, net: &mut impl Network<N>, products: &[Block<N>], care: Care) -> Pair<N> {
        let aim = |(contact, products): (usize, &Block<N>)| -> Block<N> {
            let scaling = &self.scalings[contact];
            let aim = scaling.divide(&quotient(products, &scaling.both));
            std::array::from_fn(|axis| aim[axis] - self.off[contact][axis])
        };
        let aims: Vec<Block<N>> = products.iter().enumerate().map(aim).collect();
        let wanted: Vec<Block<N>> = aims.iter().zip(&self.friction).map(|(aim, &mu)| unscaled(aim, mu)).collect();
        let mut left = Vec::new();
        net.solve(&wanted, &mut left, care);
        let mut change = Pair { x: Vec::with_capacity(left.len()), z: Vec::with_capacity(left.len()) };
        for (contact, left) in left.iter().enumerate() {
            let rest = scaled(left, self.friction[contact]);
            let dx = multiply(&self.inner[contact], &rest);
            let (off, aim, pull) = (&self.off[contact], &aims[contact], self.pull[contact]);
            change.z.push(std::array::from_fn(|axis| off[axis] + aim[axis] - rest[axis] + pull * dx[axis]));
            change.x.push(dx);
        }
        change
    }
}

fn minus<const N: usize>(x: &Block<N>) -> Block<N> {
    x.map(|number| -number)
}

/// (x_N, μ x_T).
fn scaled<const N: usize>(x: &Block<N>, mu: f64) -> Block<N> {
    std::array::from_fn(|axis| if axis == 0 { x[0] } else { mu * x[axis] })
}

/// (x_N, x_T/μ); without friction there is nothing aside.
fn unscaled<const N: usize>(x: &Block<N>, mu: f64) -> Block<N> {
    std::array::from_fn(|axis| match axis {
        0 => x[0],
        _ if mu > 0.0 => x[axis] / mu,
        _ => 0.0,
    })
}

impl<const N: usize> Pair<N> {
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

    /// How far a change may go, at most as far as it is.
    fn reach(&self, change: &Self) -> f64 {
        let x = self.x.iter().zip(&change.x);
        let z = self.z.iter().zip(&change.z);
        x.chain(z).fold(1.0, |most, (x, dx)| reach(x, dx, most))
    }

    fn go(&mut self, change: &Self, step: f64) {
        let x = self.x.iter_mut().zip(&change.x);
        let z = self.z.iter_mut().zip(&change.z);
        x.chain(z).for_each(|(x, dx)| x.iter_mut().zip(dx).for_each(|(x, dx)| *x += step * dx));
    }
}
