//! The stages together: from reactions that may be anything to an answer.
//!
//! 1. The reactions of the last step may be right already, or more or less of all of them, or a few sweeps may make them so:
//!    no more than a factorisation costs.
//!    Where factorisations fill so much that accelerated sweeps are expected to be cheaper than all of them, sweeps come first,
//!    for as long as they keep what they promise.
//! 2. From the last reactions: contacts stay open, sticking or sliding as these and a few sweeps have left them, and what would
//!    have to change then is found by one solve, the least change in the energy of equal springs; sweeps and solves by turns
//!    where some do not stay. Elsewhere, and where that gets nowhere: the exact stage with a weak pull towards them. Of the many
//!    reactions that lead to the same velocities this selects the ones nearest to the last, so that forces do not jump from step
//!    to step.
//!    From nothing, and where that leads nowhere: some sweeps, and from there, or in large packings of the plane once more from
//!    nothing, the convex stage, which is all that a packing at rest needs; then the exact one.
//! 3. Contacts that give way: the exact stage with a strong pull, towards what the last round has found, which becomes weaker
//!    as long as there is an answer, and stronger when there is none. Where much slides this goes on when all else is stuck.
//! 4. Accelerated sweeps, as if nothing had been tried.
//!
//! Between the stages sweeps rid the answer of what is wrong locally. A stage that is nearly right is finished by sweeps and by mending.

use crate::block::{Block, dot};
use crate::network::Network;
use crate::residuals::{Misses, misses};
use crate::stages::best::{Found, Way, inside};
use crate::stages::convergence::Course;
use crate::stages::convex::{Begin, convex};
use crate::stages::exact::{Pull, split};
use crate::stages::refine::mend;
use hardgrain::linear_size;

/// The pull that selects, in units of what a contact gives way by.
const SELECTS: f64 = 1e-8;
/// Accelerated sweeps need about so many for each contact of the way through a packing, and eight digits; measured in the plane
/// and in space.
const PER_CONTACT: f64 = 100.0;
const DIGITS: f64 = 8.0;
/// They are tried first if factorisations are dear and that is less than so many of them cost: as many as the stages take as a rule.
const USUAL: f64 = 15.0;
/// They are made in parts of half of what is expected, at most so many. The first must find half of the digits, each later one
/// must leave no more than this share of the error.
const PARTS: u32 = 6;
const KEEPS: f64 = 0.2;
/// And they go on to this share of the error that is asked for, if they can: they hide what is wrong all over the packing.
/// Reactions that are right at the start, but by less than that, are mended: what they leave would add up until it is too much,
/// and then forces would jump.
const HIDE: f64 = 0.01;
/// Loads change by this factor at most from one step to the next, or less than by its inverse, if forces are to follow in proportion.
const MUCH: f64 = 10.0;
/// After a stage, for this part of what a factorisation takes.
const HIDDEN: u32 = 3;
/// Sweeps before the convex stage: no more than a factorisation costs, and than these. It then begins so many times their error
/// inside the cones, at least and at most so far; from nothing if that is not enough. In large packings of the plane, where it
/// begins from nothing in any case, only this part of them are made, unless they find a quarter of the digits.
const BEFORE: u32 = 300;
const PROBE: u32 = 5;
const ERRORS: f64 = 10.0;
const BEGINS: (f64, f64) = (0.05, 1.0);
/// Most iterations of a stage.
const MOST: u32 = 60;
/// It is tried to finish a stage again at this share of the error at which that was tried last.
const AGAIN: f64 = 0.3;
/// Sweeps that are to finish go on if they leave less than this share of the error, or next to the end if mending has just helped, at
/// most so many times. Where factorisations are dear: if at this rate once more is enough.
const READY: f64 = 0.003;
const FINISHES: u32 = 4;
/// There such sweeps cost this share of a factorisation.
const FINISHING: f64 = 0.4;
/// Contacts are taken to stay as they are so many times, while each time, or a block of sweeps after it, leaves no more than this
/// share of the error.
const STAYS: (u32, f64) = (8, 0.5);
/// So many times the error that is asked for is next to the end.
const CLOSE: f64 = 10.0;
/// The gap at which a stage has nothing left to find.
const CLOSED: f64 = 1e-20;
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

/// A stage, given the reactions at the start.
type Stage<const N: usize, T> = fn(&mut Search<N>, &mut T, &[Block<N>]);

/// Looks for reactions whose error is at the tolerance, from these.
pub(crate) fn find<const N: usize>(
    net: &mut impl Network<N>,
    last: &[Block<N>],
    tolerance: f64,
    max_sweeps: u32,
) -> Found<N> {
    let mut search = Search { tolerance, sweeps_left: max_sweeps, found: Found::at(net, last) };
    let warm = last.iter().flatten().any(|number| *number != 0.0);
    if warm && !search.done() {
        search.follow(net, last);
    }
    if search.done() {
        if search.found.error > HIDE * tolerance {
            search.found.way = Way::Nearly;
        }
        return search.found;
    }
    let last = search.found.reactions.clone();
    search.found.way = Way::Sweeps;
    if warm {
        search.sweep(net, few(net));
        search.stay(net);
    }
    if !search.done() {
        search.sweep_first(net);
    }
    if search.done() {
        return search.found;
    }
    search.found.way = Way::Interior;
    let from_nothing: [Stage<N, _>; 5] =
        [Search::convex, Search::polish, Search::exact, Search::polish, Search::give_way];
    let from_last: [Stage<N, _>; 2] = [Search::near, Search::polish];
    for stage in from_last.iter().filter(|_| warm).chain(&from_nothing) {
        stage(&mut search, net, &last);
        if search.done() {
            return search.found;
        }
    }
    search.found.way = Way::HandedOver;
    let mut reactions = last;
    search.found.sweeps += net.sweep(&mut reactions, max_sweeps, tolerance);
    search.found.hand_over(net, &reactions);
    search.found
}

/// Sweeps that take as long as a factorisation.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of sweeps")]
fn few<const N: usize>(net: &impl Network<N>) -> u32 {
    net.price().sweeps() as u32
}

/// Sweeps that are to finish a stage: fewer where an iteration of it is mostly a factorisation, since several may be needed.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of sweeps")]
fn finishing<const N: usize>(net: &impl Network<N>) -> u32 {
    if net.price().is_dear() { (FINISHING * net.price().sweeps()) as u32 } else { few(net) }
}

/// How many digits a tolerance asks for, at least one.
fn digits(tolerance: f64) -> f64 {
    let mut digits = 1.0;
    let mut asked = 0.1;
    while asked > tolerance && digits < 20.0 {
        digits += 1.0;
        asked *= 0.1;
    }
    digits
}

/// The same reactions, but more or less of all of them, so that no work is done on the contacts: what is right if all loads on a
/// packing at rest have changed by the same factor. Nothing if that would be much more or less: then it is not the load that has
/// changed.
fn in_proportion<const N: usize>(net: &impl Network<N>, reactions: &[Block<N>]) -> Option<Vec<Block<N>>> {
    let mut velocities = Vec::new();
    net.velocities(reactions, &mut velocities);
    let (mut by_free, mut by_all) = (0.0, 0.0);
    for ((reaction, velocity), free) in reactions.iter().zip(&velocities).zip(net.free()) {
        by_free += dot(reaction, free);
        by_all += dot(reaction, velocity);
    }
    // r·(q + f W r) = 0.
    let factor = by_free / (by_free - by_all);
    let scaled = |reaction: &Block<N>| reaction.map(|number| factor * number);
    (1.0 / MUCH..=MUCH).contains(&factor).then(|| reactions.iter().map(scaled).collect())
}

/// The best so far.
struct Search<const N: usize> {
    tolerance: f64,
    // Sweeps that may still help.
    sweeps_left: u32,
    found: Found<N>,
}

impl<const N: usize> Search<N> {
    fn done(&self) -> bool {
        self.found.error <= self.tolerance
    }

    /// Takes reactions if they are better. Their error.
    fn offer(&mut self, net: &impl Network<N>, reactions: &[Block<N>]) -> f64 {
        self.found.offer(net, reactions)
    }

    /// Begins at the last reactions in proportion to the load, if these are right or far better than the last ones themselves.
    fn follow(&mut self, net: &impl Network<N>, last: &[Block<N>]) {
        let Some(scaled) = in_proportion(net, last) else { return };
        let before = self.found.clone();
        self.offer(net, &scaled);
        if !self.done() && self.found.error > KEEPS * before.error {
            self.found = before;
        }
    }

    fn sweep(&mut self, net: &mut impl Network<N>, sweeps: u32) {
        let mut reactions = self.found.reactions.clone();
        self.swept(net, &mut reactions, sweeps, self.tolerance);
    }

    /// Sweeps over these reactions to this error, as many as are left. Their error.
    fn swept(&mut self, net: &mut impl Network<N>, reactions: &mut Vec<Block<N>>, sweeps: u32, aim: f64) -> f64 {
        let sweeps = sweeps.min(self.sweeps_left);
        if sweeps > 0 {
            let made = net.sweep(reactions, sweeps, aim);
            self.found.sweeps += made;
            self.sweeps_left = self.sweeps_left.saturating_sub(made);
        }
        self.offer(net, reactions)
    }

    /// As many sweeps as they may need, if that is expected to be cheaper than factorisations; fewer if they disappoint.
    fn sweep_first(&mut self, net: &mut impl Network<N>) {
        let expected = PER_CONTACT * linear_size(net.friction().len(), N) * digits(self.tolerance) / DIGITS;
        let price = net.price();
        if !price.is_dear() || expected > USUAL * price.sweeps() {
            return;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of sweeps")]
        let part = (0.5 * expected) as u32;
        let aim = HIDE * self.tolerance;
        let mut promised = self.tolerance.sqrt().min(KEEPS * self.found.error);
        for _ in 0..PARTS {
            let mut reactions = self.found.reactions.clone();
            self.swept(net, &mut reactions, part, aim);
            if self.found.error <= aim || self.found.error > promised {
                return;
            }
            promised = KEEPS * self.found.error;
        }
    }

    /// Where contacts stay open, sticking or sliding as the last forces and a few sweeps leave them, one solve finds all the
    /// rest; where some of them do not, sweeps and solves may by turns, and if these get nowhere more sweeps.
    fn stay(&mut self, net: &mut impl Network<N>) {
        if net.price().is_dear() {
            return;
        }
        for _ in 0..STAYS.0 {
            let before = self.found.error;
            if self.done() {
                return;
            }
            let Some((mut mended, force_error)) = mend(net, &self.found.reactions) else { return };
            self.found.way = Way::Interior;
            self.offer(net, &mended);
            if self.done() {
                self.found.force_error = Some(force_error);
                return;
            }
            self.swept(net, &mut mended, few(net), self.tolerance);
            if self.found.error > STAYS.1 * before && !self.sweep_on(net) {
                return;
            }
        }
    }

    /// Blocks of sweeps until one leaves no more than that share of the error: only one, but next to the end for as long as the
    /// stages would take. Whether one did.
    fn sweep_on(&mut self, net: &mut impl Network<N>) -> bool {
        let mut left = USUAL * net.price().sweeps();
        loop {
            let before = self.found.error;
            self.sweep(net, BLOCK);
            if self.found.error <= STAYS.1 * before || self.done() {
                return true;
            }
            left -= f64::from(BLOCK);
            if left <= 0.0 || self.found.error > CLOSE * self.tolerance {
                return false;
            }
        }
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
            course.trial = AGAIN * error;
            self.finish(net, reactions, error);
        }
        !self.done() && gap > CLOSED && !course.stuck(error, gap)
    }

    /// What reactions still miss may be wrong only locally, then sweeps are the quickest way; or all over the packing, but with
    /// every contact open, sticking or sliding as it should be, then they can be mended, unless more sweeps are cheaper.
    fn finish(&mut self, net: &mut impl Network<N>, reactions: &[Block<N>], mut error: f64) {
        let mut reactions = reactions.to_vec();
        // Whether the last mending helped.
        let mut mends = false;
        for _ in 0..FINISHES {
            // Something is left for later, should this lead nowhere.
            let sweeps = finishing(net).min(self.sweeps_left / 2);
            let swept = self.swept(net, &mut reactions, sweeps, self.tolerance);
            if self.done() {
                if net.price().is_dear() {
                    // What they still hide is cheaper to sweep away than to mend.
                    self.swept(net, &mut reactions, sweeps / HIDDEN, HIDE * self.tolerance);
                    self.found.way = Way::Sweeps;
                }
                return;
            }
            if net.price().is_dear() {
                if swept * (swept / error) > self.tolerance {
                    return;
                }
                error = swept;
                continue;
            }
            if swept > READY * error && !(mends && swept <= CLOSE * self.tolerance) {
                return;
            }
            let Some((mended, force_error)) = mend(net, &reactions) else { return };
            error = self.offer(net, &mended);
            mends = error <= GAINS * swept;
            if self.done() {
                self.found.force_error = Some(force_error);
                return;
            }
            if error < swept {
                reactions = mended;
            } else {
                error = swept;
            }
        }
    }

    /// Some sweeps, which may be all that is needed, or a beginning; no more than a few where they are neither.
    fn sweep_before(&mut self, net: &mut impl Network<N>) {
        let most = few(net).min(BEFORE);
        let promised = self.tolerance.sqrt().sqrt() * self.found.error;
        let first = if net.price().is_middling() { most / PROBE } else { most };
        self.sweep(net, first);
        if most > first && self.found.error <= promised && !self.done() {
            self.sweep(net, most - first);
        }
    }

    fn convex(&mut self, net: &mut impl Network<N>, _: &[Block<N>]) {
        if self.found.sweeps == 0 {
            self.sweep_before(net);
        }
        if self.done() {
            self.found.way = Way::Sweeps;
            return;
        }
        let reactions = self.found.reactions.clone();
        let inside = (ERRORS * self.found.error).max(BEGINS.0);
        let near = !net.price().is_middling() && inside <= BEGINS.1;
        let begin = near.then_some(Begin { reactions: &reactions, inside });
        let mut course = Course::of(net);
        convex(net, begin, MOST, |net: &mut _, reactions: &[Block<N>], gap: f64| {
            let goes_on = self.goes_on(net, reactions, gap, &mut course);
            if course.rises() && net.solve_exactly() {
                course.forget();
            }
            goes_on && !course.exhausted()
        });
    }

    fn exact(&mut self, net: &mut impl Network<N>, _: &[Block<N>]) {
        let mut course = Course::of(net);
        split(net, None, MOST, |net: &mut _, reactions: &[Block<N>], gap| {
            self.goes_on(net, reactions, gap, &mut course)
        });
    }

    /// Next to the last reactions.
    fn near(&mut self, net: &mut impl Network<N>, last: &[Block<N>]) {
        let mut course = Course::of(net);
        let pull = Pull { towards: last, strength: SELECTS };
        split(net, Some(pull), MOST, |net: &mut _, reactions: &[Block<N>], gap| {
            self.goes_on(net, reactions, gap, &mut course)
        });
    }

    fn give_way(&mut self, net: &mut impl Network<N>, _: &[Block<N>]) {
        let unit = Misses::at_nothing(net.friction(), net.own(), net.free());
        let mut strength = STRONG;
        let mut centre = self.found.reactions.clone();
        for _ in 0..ROUNDS {
            let mut course = Course::of(net);
            let pull = Pull { towards: &centre, strength };
            let mut round = (f64::INFINITY, Vec::new());
            split(net, Some(pull), MOST, |net: &mut _, reactions: &[Block<N>], gap| {
                self.offer(net, reactions);
                // How well the problem with the pull is solved.
                let reactions = inside(net, reactions);
                let mut velocities = Vec::new();
                net.velocities(&reactions, &mut velocities);
                pull.add(net.own(), &reactions, &mut velocities);
                let error = misses(net.friction(), net.own(), &reactions, &velocities).over(unit);
                if error < round.0 {
                    round = (error, reactions);
                }
                !self.done() && error > ROUND.1 * self.found.error && !course.stuck(error, gap)
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
