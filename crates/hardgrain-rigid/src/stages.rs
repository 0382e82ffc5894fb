//! The stages together: from reactions that may be anything to an answer.
//!
//! 1. The reactions of the last step may be right already, or a few sweeps may make them so: no more than a factorisation costs.
//! 2. From the last reactions: the exact stage with a weak pull towards them. Of the many reactions that lead to the same
//!    velocities this selects the ones nearest to the last, so that forces do not jump from step to step.
//!    From nothing: the convex stage first where friction is strong, since then hardly anything slides; the exact one first
//!    where it is weak; then the other one.
//! 3. Contacts that give way: the exact stage with a strong pull, towards what the last round has found, which becomes weaker
//!    as long as there is an answer, and stronger when there is none. Where much slides this goes on when all else is stuck.
//! 4. Accelerated sweeps, as if nothing had been tried.
//!
//! Between the stages sweeps rid the answer of what is wrong locally.

use crate::convex::convex;
use crate::network::{Network, misses};
use crate::problem::{Block, project};
use crate::split::{Pull, split};

/// The pull that selects, in units of what a contact gives way by.
const SELECTS: f64 = 1e-8;
/// Below this friction the exact stage is the first.
const WEAK: f64 = 0.15;
/// Most iterations of a stage.
const MOST: u32 = 60;
/// A stage's error below which sweeps are tried; if they leave less than the second share of it they go on; they
/// are tried again at the third.
const TRIAL: f64 = 1e-4;
const READY: f64 = 0.05;
const AGAIN: f64 = 0.1;
/// The gap at which a stage has nothing left to find.
const CLOSED: f64 = 1e-20;
/// A stage is stuck when so many iterations leave more than this share of the error.
const STUCK: (usize, f64) = (10, 0.7);
/// Sweeps between the stages, in blocks; the next one is made if the last one left no more than this share of the error.
const BLOCK: u32 = 600;
const BLOCKS: u32 = 5;
const GAINS: f64 = 0.2;
/// The first strong pull, the factor by which it changes, and how many rounds there are.
const STRONG: f64 = 1e-2;
const FACTOR: f64 = 4.0;
const ROUNDS: u32 = 12;
/// A round is good if it leaves this share of the error, and ends at that one.
const ROUND: (f64, f64) = (0.3, 0.05);

/// What led to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Nothing had to be done: the reactions at the start were right.
    AtOnce,
    /// A few sweeps.
    Sweeps,
    /// The interior-point stages.
    Interior,
    /// None of these: the answer, right or not, is what accelerated sweeps have left, or the best there was if that is better.
    HandedOver,
}

/// What was found.
#[derive(Clone, Debug)]
pub(crate) struct Found<const N: usize> {
    pub(crate) reactions: Vec<Block<N>>,
    pub(crate) error: f64,
    pub(crate) sweeps: u32,
    pub(crate) way: Way,
}

/// A stage, given the reactions at the start.
type Stage<const N: usize, T> = fn(&mut Search<N>, &mut T, &[Block<N>]);

/// Looks for reactions whose error is at the tolerance, from these.
pub(crate) fn find<const N: usize>(
    net: &mut impl Network<N>,
    last: &[Block<N>],
    tolerance: f64,
    max_sweeps: u32,
) -> Found<N> {
    let mut search = Search { tolerance, found: Found::at(net, last) };
    if search.done() {
        return search.found;
    }
    search.found.way = Way::Sweeps;
    let warm = last.iter().flatten().any(|number| *number != 0.0);
    if warm {
        search.sweep(net, few(net).min(max_sweeps));
    }
    if search.done() {
        return search.found;
    }
    search.found.way = Way::Interior;
    let friction = net.friction();
    let weak = friction.iter().sum::<f64>() < WEAK * friction.len() as f64;
    let stages: &[Stage<N, _>] = match (warm, weak) {
        (true, _) => &[Search::near, Search::polish, Search::give_way],
        (false, true) => &[Search::exact, Search::polish, Search::convex, Search::polish, Search::give_way],
        (false, false) => &[Search::convex, Search::polish, Search::exact, Search::polish, Search::give_way],
    };
    for stage in stages {
        stage(&mut search, net, last);
        if search.done() {
            return search.found;
        }
    }
    search.found.way = Way::HandedOver;
    let mut reactions = last.to_vec();
    search.found.sweeps += net.sweep(&mut reactions, max_sweeps, tolerance);
    search.offer(net, &reactions);
    search.found
}

impl<const N: usize> Found<N> {
    fn at(net: &impl Network<N>, reactions: &[Block<N>]) -> Self {
        let reactions = inside(net, reactions);
        let error = net.error(&reactions);
        Self { error: if error.is_nan() { f64::INFINITY } else { error }, reactions, sweeps: 0, way: Way::AtOnce }
    }
}

/// Sweeps that take as long as a factorisation.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of sweeps")]
fn few<const N: usize>(net: &impl Network<N>) -> u32 {
    net.sweeps_per_factorisation() as u32
}

/// The nearest reactions that friction allows.
fn inside<const N: usize>(net: &impl Network<N>, reactions: &[Block<N>]) -> Vec<Block<N>> {
    reactions.iter().zip(net.friction()).map(|(reaction, &mu)| project(*reaction, mu)).collect()
}

/// The best so far.
struct Search<const N: usize> {
    tolerance: f64,
    found: Found<N>,
}

/// How a stage goes: its errors so far, and the one below which sweeps are tried.
struct Course {
    errors: Vec<f64>,
    trial: f64,
}

impl Default for Course {
    fn default() -> Self {
        Self { errors: Vec::new(), trial: TRIAL }
    }
}

impl Course {
    /// Whether errors have stopped falling.
    fn stuck(&mut self, error: f64) -> bool {
        self.errors.push(error);
        let (back, share) = STUCK;
        let count = self.errors.len();
        !error.is_finite() || count > back && error > share * self.errors[count - 1 - back]
    }
}

impl<const N: usize> Search<N> {
    fn done(&self) -> bool {
        self.found.error <= self.tolerance
    }

    /// Takes reactions if they are better. Their error.
    fn offer(&mut self, net: &impl Network<N>, reactions: &[Block<N>]) -> f64 {
        let reactions = inside(net, reactions);
        let error = net.error(&reactions);
        if error < self.found.error {
            self.found.error = error;
            self.found.reactions = reactions;
        }
        error
    }

    fn sweep(&mut self, net: &mut impl Network<N>, sweeps: u32) {
        let mut reactions = self.found.reactions.clone();
        self.found.sweeps += net.sweep(&mut reactions, sweeps, self.tolerance);
        self.offer(net, &reactions);
    }

    fn polish(&mut self, net: &mut impl Network<N>, _: &[Block<N>]) {
        for _ in 0..BLOCKS {
            let before = self.found.error;
            self.sweep(net, BLOCK);
            if self.done() || self.found.error > GAINS * before {
                return;
            }
        }
    }

    /// One iteration of a stage has led to these.
    fn goes_on(&mut self, net: &mut impl Network<N>, reactions: &[Block<N>], gap: f64, course: &mut Course) -> bool {
        let error = self.offer(net, reactions);
        if error < course.trial {
            // What a stage still misses may be wrong only locally; then sweeps are the quickest way.
            course.trial = AGAIN * error;
            self.sweep(net, few(net));
            if !self.done() && self.found.error < READY * error {
                self.polish(net, &[]);
            }
        }
        !self.done() && gap > CLOSED && !course.stuck(error)
    }

    fn convex(&mut self, net: &mut impl Network<N>, _: &[Block<N>]) {
        let mut course = Course::default();
        convex(net, MOST, |net: &mut _, reactions: &[Block<N>], gap: f64| {
            self.goes_on(net, reactions, gap, &mut course)
        });
    }

    fn exact(&mut self, net: &mut impl Network<N>, _: &[Block<N>]) {
        let mut course = Course::default();
        split(net, None, MOST, |net: &mut _, reactions: &[Block<N>], gap| {
            self.goes_on(net, reactions, gap, &mut course)
        });
    }

    /// Next to the last reactions.
    fn near(&mut self, net: &mut impl Network<N>, last: &[Block<N>]) {
        let mut course = Course::default();
        let pull = Pull { towards: last, strength: SELECTS };
        split(net, Some(pull), MOST, |net: &mut _, reactions: &[Block<N>], gap| {
            self.goes_on(net, reactions, gap, &mut course)
        });
    }

    fn give_way(&mut self, net: &mut impl Network<N>, _: &[Block<N>]) {
        let nothing = vec![[0.0; N]; self.found.reactions.len()];
        let unit = misses(net.friction(), net.own(), &nothing, net.free());
        let mut strength = STRONG;
        let mut centre = self.found.reactions.clone();
        for _ in 0..ROUNDS {
            let mut course = Course::default();
            let pull = Pull { towards: &centre, strength };
            let mut round = (f64::INFINITY, Vec::new());
            split(net, Some(pull), MOST, |net: &mut _, reactions: &[Block<N>], _| {
                self.offer(net, reactions);
                // How well the problem with the pull is solved.
                let reactions = inside(net, reactions);
                let mut velocities = Vec::new();
                net.velocities(&reactions, &mut velocities);
                pull.add(net.own(), &reactions, &mut velocities);
                let error = misses(net.friction(), net.own(), &reactions, &velocities) / unit;
                if error < round.0 {
                    round = (error, reactions);
                }
                !self.done() && error > ROUND.1 * self.found.error && !course.stuck(error)
            });
            if self.done() {
                return;
            }
            if round.0.is_finite() && round.0 < ROUND.0 * net.error(&round.1) {
                centre = round.1;
                strength /= FACTOR;
            } else {
                strength *= FACTOR;
            }
        }
    }
}
