//! The exact stage: an interior point for Signorini's and Coulomb's law side by side.
//!
//! ```text
//! r_N ≥ 0,  u_N ≥ 0,  r_N u_N = 0                          Signorini
//! (μ r_N, r_T) and (κ, u_T) in the cone, complementary     Coulomb: κ becomes |u_T|, and friction works against it
//! ```
//!
//! On the way both products are t instead of 0. Nothing is convex here, and the springs in the contacts are not symmetric: the
//! way may turn back before t is 0. A *pull* towards given reactions, u + ε d (r − r_given), straightens it: contacts that give
//! way. With a weak pull, of all reactions that lead to the same velocities those next to the given ones are found.

use crate::block::{Block, Coupling, dot, inverse, length, multiply};
use crate::network::{Care, Network, Spring, Which};
use crate::residuals::{give, largest};
use crate::stages::cone::{Scaling, product, quotient, reach};
use crate::stages::interior::{Correction, Judge, NEAR, SHORT};

/// The first guess is inside the cones by so many times the largest free velocity.
const INSIDE: f64 = 3.0;
/// From reactions that are nearly right the way begins so far inside, in units of the largest free velocity.
const WARM: f64 = 0.01;

/// Reactions, and how strongly a contact is pulled towards its own, in units of what it gives way by.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Pull<'a, const N: usize> {
    pub(crate) towards: &'a [Block<N>],
    pub(crate) strength: f64,
}

impl<const N: usize> Pull<'_, N> {
    /// Velocities with the pull added.
    pub(crate) fn add(&self, own: &[Coupling<N>], reactions: &[Block<N>], velocities: &mut [Block<N>]) {
        for (contact, velocity) in velocities.iter_mut().enumerate() {
            let strength = self.strength * give(&own[contact]);
            for (axis, number) in velocity.iter_mut().enumerate() {
                *number += strength * (reactions[contact][axis] - self.towards[contact][axis]);
            }
        }
    }
}

/// Goes inwards from nothing, or, with a pull, from what that is towards; at most so many iterations.
pub(crate) fn split<const N: usize, T: Network<N>>(
    net: &mut T,
    pull: Option<Pull<'_, N>>,
    most: u32,
    mut judge: impl Judge<N, T>,
) {
    let friction = net.friction().to_vec();
    let mut all = pull.map_or_else(|| cold(net), |pull| warm(net, pull.towards));
    let strength: Vec<f64> = net.own().iter().map(|own| pull.map_or(0.0, |pull| pull.strength * give(own))).collect();
    // Products that become t: one of each contact, and one more where there is friction.
    let terms = friction.iter().map(|mu| if rubs::<N>(*mu) { 2.0 } else { 1.0 }).sum::<f64>();
    let gap_of = |all: &[At<N>]| all.iter().zip(&friction).fold(0.0, |sum, (at, &mu)| sum + at.gap(mu)) / terms;
    let first = gap_of(&all);
    let (mut reactions, mut velocities, mut left) = (Vec::new(), Vec::new(), Vec::new());
    for iteration in 0..=most {
        reactions.clear();
        reactions.extend(all.iter().map(|at| at.reaction));
        let gap = gap_of(&all);
        if !judge(net, &reactions, gap / first) || iteration == most {
            return;
        }
        net.velocities(&reactions, &mut velocities);
        if let Some(pull) = pull {
            pull.add(net.own(), &reactions, &mut velocities);
        }
        let linear: Vec<Linear<N>> = (0..all.len())
            .map(|contact| Linear::of(&all[contact], &velocities[contact], friction[contact], strength[contact]))
            .collect();
        let springs: Vec<Spring<N>> = linear.iter().map(|linear| linear.bound).collect();
        if !net.put_springs(&springs, Which::Any) {
            return;
        }
        let mut direction = |aims: &[Aim<N>], care: Care| -> Vec<At<N>> {
            let wanted: Vec<Block<N>> = linear.iter().zip(aims).map(|(linear, aim)| linear.wanted(aim)).collect();
            net.solve(&wanted, &mut left, care);
            let each = linear.iter().zip(aims).enumerate();
            each.map(|(contact, (linear, aim))| linear.change(aim, &wanted[contact], &left[contact])).collect()
        };
        let plain: Vec<Aim<N>> = linear.iter().map(Linear::plain).collect();
        let guess = direction(&plain, Care::Once);
        let step = reach_of(&all, &guess, &friction);
        let ahead: Vec<At<N>> = all.iter().zip(&guess).map(|(at, change)| at.plus(change, step)).collect();
        let mut corrected = |correction: &Correction| {
            let change = direction(&aims(&linear, &plain, &guess, correction), Care::Twice);
            let reach = reach_of(&all, &change, &friction);
            (change, reach)
        };
        let (mut best, mut reach) = corrected(&Correction::new(gap, gap_of(&ahead)));
        if reach < SHORT {
            let even = corrected(&Correction::even(gap));
            if even.1 > reach {
                (best, reach) = even;
            }
        }
        let step = (NEAR * reach).min(1.0);
        all.iter_mut().zip(&best).for_each(|(at, change)| *at = at.plus(change, step));
    }
}

/// What a corrected guess aims at.
fn aims<const N: usize>(
    linear: &[Linear<N>],
    plain: &[Aim<N>],
    guess: &[At<N>],
    correction: &Correction,
) -> Vec<Aim<N>> {
    let correct = |((linear, plain), guess): ((&Linear<N>, &Aim<N>), &At<N>)| {
        let second = linear.second(guess);
        Aim {
            normal: correction.of(plain.normal, second.normal),
            aside: correction.of_block(&plain.aside, &second.aside),
        }
    };
    linear.iter().zip(plain).zip(guess).map(correct).collect()
}

/// Whether there is anything to rub.
fn rubs<const N: usize>(mu: f64) -> bool {
    mu > 0.0 && N > 1
}

/// A contact on the way: its reaction, what u_N becomes, and what (|u_T|, u_T) becomes. Also changes of these.
#[derive(Clone, Copy, Debug)]
struct At<const N: usize> {
    reaction: Block<N>,
    open: f64,
    slip: Block<N>,
}

impl<const N: usize> At<N> {
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
        self.reaction[0] * self.open + if rubs::<N>(mu) { dot(&self.limit(mu), &self.slip) } else { 0.0 }
    }
}

fn cold<const N: usize>(net: &impl Network<N>) -> Vec<At<N>> {
    let size = INSIDE * largest(net.free());
    let start = |(own, mu): (&Coupling<N>, &f64)| {
        let mut at = At { reaction: [0.0; N], open: size, slip: [0.0; N] };
        at.reaction[0] = size / give(own);
        at.slip[0] = if *mu > 0.0 { size / mu } else { 0.0 };
        at
    };
    net.own().iter().zip(net.friction()).map(start).collect()
}

fn warm<const N: usize>(net: &impl Network<N>, from: &[Block<N>]) -> Vec<At<N>> {
    let by = WARM * largest(net.free());
    let mut velocities = Vec::new();
    net.velocities(from, &mut velocities);
    let start = |contact: usize| {
        let (velocity, mut reaction) = (velocities[contact], from[contact]);
        reaction[0] = reaction[0].max(0.0) + by / give(&net.own()[contact]);
        // Strictly inside.
        let (aside, limit) = (length(&reaction[1..]), net.friction()[contact] * reaction[0]);
        let inwards = if aside > NEAR * limit { NEAR * limit / aside } else { 1.0 };
        reaction[1..].iter_mut().for_each(|number| *number *= inwards);
        let mut slip = velocity;
        slip[0] = length(&velocity[1..]) + by;
        At { reaction, open: velocity[0].max(0.0) + by, slip }
    };
    (0..from.len()).map(start).collect()
}

/// How far changes may go, at most as far as they are.
fn reach_of<const N: usize>(all: &[At<N>], changes: &[At<N>], friction: &[f64]) -> f64 {
    let mut most = 1.0;
    for ((at, change), &mu) in all.iter().zip(changes).zip(friction) {
        most = reach(&[at.open], &[change.open], most);
        most = reach(&[at.reaction[0]], &[change.reaction[0]], most);
        if rubs::<N>(mu) {
            most = reach(&at.limit(mu), &change.limit(mu), most);
            most = reach(&at.slip, &change.slip, most);
        }
    }
    most
}

/// By how much products are to change, scaled ones aside.
#[derive(Clone, Copy, Debug)]
struct Aim<const N: usize> {
    normal: f64,
    aside: Block<N>,
}

/// A contact, linearised.
struct Linear<const N: usize> {
    at: At<N>,
    mu: f64,
    // By how much (u_N, u_T) is not what it should become.
    off: Block<N>,
    // Of (μ r_N, r_T) and (κ, u_T), with its square.
    scaling: Option<(Scaling<N>, Coupling<N>)>,
    // The spring with the pull.
    bound: Spring<N>,
    strength: f64,
    // The inverse of the spring aside.
    aside: Coupling<N>,
}

impl<const N: usize> Linear<N> {
    fn of(at: &At<N>, velocity: &Block<N>, mu: f64, strength: f64) -> Self {
        let off = std::array::from_fn(|axis| velocity[axis] - if axis == 0 { at.open } else { at.slip[axis] });
        let mut stiff = [[0.0; N]; N];
        let mut soft = [[0.0; N]; N];
        (stiff[0][0], soft[0][0]) = (at.reaction[0] / at.open, at.open / at.reaction[0]);
        let mut scaling = None;
        let mut aside = [[0.0; N]; N];
        if rubs::<N>(mu) {
            let own = Scaling::of(&at.limit(mu), &at.slip);
            let square = own.squared();
            let (stiff_aside, soft_aside) = own.aside();
            for i in 1..N {
                // More of a load, more of a limit: friction follows the normal reaction, and not the other way round.
                stiff[i][0] = mu * square[i][0] / square[0][0] * stiff[0][0];
                stiff[i][1..].copy_from_slice(&stiff_aside[i][1..]);
                soft[i][1..].copy_from_slice(&soft_aside[i][1..]);
                soft[i][0] = -(1..N).fold(0.0, |sum, j| sum + soft_aside[i][j] * mu * square[j][0] / square[0][0]);
            }
            aside = soft_aside;
            scaling = Some((own, square));
        } else {
            // Nothing holds aside.
            (1..N).for_each(|axis| soft[axis][axis] = f64::MAX.sqrt());
        }
        if strength > 0.0 {
            (0..N).for_each(|axis| soft[axis][axis] += strength);
            stiff = bound(&stiff, strength);
        }
        Self { at: *at, mu, off, scaling, bound: Spring { stiff, soft }, strength, aside }
    }

    fn plain(&self) -> Aim<N> {
        let both = self.scaling.as_ref().map_or([0.0; N], |(scaling, _)| scaling.squared_length());
        Aim { normal: -self.at.reaction[0] * self.at.open, aside: both.map(|number| -number) }
    }

    fn second(&self, guess: &At<N>) -> Aim<N> {
        let aside = self.scaling.as_ref().map_or([0.0; N], |(scaling, _)| {
            product(&scaling.divide(&guess.limit(self.mu)), &scaling.times(&guess.slip))
        });
        Aim { normal: guess.reaction[0] * guess.open, aside }
    }

    /// What (μ dr_N, dr_T) would be without d(κ, u_T).
    fn pushed(scaling: &Scaling<N>, aim: &Aim<N>) -> Block<N> {
        scaling.times(&quotient(&aim.aside, &scaling.both))
    }

    /// c, with dr = stiff (c − du).
    fn wanted(&self, aim: &Aim<N>) -> Block<N> {
        let mut wanted = [0.0; N];
        wanted[0] = aim.normal / self.at.reaction[0] - self.off[0];
        if let Some((scaling, square)) = &self.scaling {
            let pushed = Self::pushed(scaling, aim);
            // What κ leaves of the push.
            let rest: Block<N> = std::array::from_fn(|j| pushed[j] - square[j][0] / square[0][0] * pushed[0]);
            for (i, wanted) in wanted.iter_mut().enumerate().skip(1) {
                *wanted = (1..N).fold(-self.off[i], |sum, j| sum + self.aside[i][j] * rest[j]);
            }
        }
        wanted
    }

    fn change(&self, aim: &Aim<N>, wanted: &Block<N>, left: &Block<N>) -> At<N> {
        let reaction = multiply(&self.bound.stiff, left);
        let moved: Block<N> =
            std::array::from_fn(|axis| wanted[axis] - left[axis] + self.strength * reaction[axis] + self.off[axis]);
        let mut slip = moved;
        slip[0] = 0.0;
        if let Some((scaling, square)) = &self.scaling {
            let pushed = Self::pushed(scaling, aim);
            let taken = (1..N).fold(self.mu * reaction[0], |sum, j| sum + square[0][j] * slip[j]);
            slip[0] = (pushed[0] - taken) / square[0][0];
        }
        At { reaction, open: moved[0], slip }
    }
}

/// A spring with a softer one behind it: E (1 + s E)⁻¹.
fn bound<const N: usize>(stiff: &Coupling<N>, strength: f64) -> Coupling<N> {
    let one = |i: usize, j: usize| if i == j { 1.0 } else { 0.0 };
    let soft: Coupling<N> = std::array::from_fn(|i| std::array::from_fn(|j| one(i, j) + strength * stiff[i][j]));
    let inverse = inverse(&soft);
    std::array::from_fn(|i| std::array::from_fn(|j| (0..N).fold(0.0, |sum, k| sum + stiff[i][k] * inverse[k][j])))
}
