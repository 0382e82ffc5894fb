//! Accelerated sweeps, and plain ones that go along in case they are enough.
//!
//! Some problems are solved by a handful of plain sweeps, and in some momentum leads nowhere. So both kinds work on the problem,
//! each on impulses of its own. Plain sweeps come first, and from how fast their error falls it is foretold with how many they
//! would be done. Accelerated ones may be as many. Then plain ones go on, until they are done or it turns out that they need
//! more; and so on by turns. Errors of plain sweeps fall more and more slowly as a rule, which makes the foretold number too
//! small, and then the two kinds together are at most twice as many sweeps as plain ones alone. Errors may suddenly fall faster,
//! though. So there are two limits: accelerated sweeps are never more than so many times as many as plain ones ([`Most::ahead`]),
//! and unless they are much closer to the end, in large systems, never more than plain ones and those that momentum needs to come
//! through the system ([`Most::lead`]). What plain sweeps alone would solve with P of them takes no more than (1 + ahead) P, and
//! no more than 2 P + lead as long as accelerated ones are not much closer, but for the two of a pair.

use super::momentum::Momentum;
use super::system::{State, System};
use std::convert::Infallible;
use std::ops::ControlFlow;

/// So many plain sweeps come first. Momentum still begins where they began, so that one kind may get where the other sticks;
/// where answers are not looked at, there is no race, and it goes on from there; so it does if there may be fewer than this many.
const FIRST: u32 = 10;
const FEW: u32 = 40;
/// They go on if it looks as if they would be done with so many times the sweeps they are.
const NEAR: f64 = 1.5;
/// They are never foretold to need more than so many times the sweeps they are.
const FAR: f64 = 16.0;
/// When accelerated sweeps are too many, plain ones go on until they would be enough for so many times as many, so that turns are
/// not too short.
const TURN: f64 = 1.1;
/// With fewer contacts than these there are as many plain sweeps as accelerated ones.
const MANY: usize = 50;
/// With more there may be so many accelerated ones for each plain one: on a line, where forces have the longest way to go, and elsewhere.
const AHEAD: [f64; 2] = [FAR, 4.0];
/// And they may lead by so many, and so many for each contact along the edge, on a line and elsewhere: what momentum needs to get through.
const LEAD: (f64, [f64; 2]) = (60.0, [20.0, 6.0]);
/// With so many contacts they may lead by more while their error is below this share of that of plain ones, which would have to
/// fall that far all at once.
const CLOSER: (usize, f64) = (250, 0.1);
/// How fast their error falls is what it did since there were so much fewer of them.
const SINCE: f64 = 0.67;
/// Whether momentum leads anywhere is looked at after so many pairs of sweeps, plus so many times the root of the number of
/// contacts, and again when there were twice as many. If it does not, plain sweeps catch up, the next turn starts from the better
/// of the two, and it is given twice the patience.
const PATIENCE: (f64, f64) = (30.0, 3.0);
/// A turn leads somewhere as long as the squares of changes are on average below this share of what they were.
const SHRUNK: f64 = 0.5;

/// How many sweeps there may be.
#[derive(Clone, Copy, Debug)]
pub struct Most {
    /// Of both kinds together.
    pub sweeps: u32,
    /// Accelerated ones for each plain one, if answers are looked at.
    pub ahead: f64,
    /// And by how many there may be more accelerated ones than plain ones.
    pub lead: f64,
    /// But by any number while their error is below this share of that of plain ones.
    pub closer: f64,
}

impl Most {
    /// So many sweeps over so many contacts of a row, square or cube.
    #[must_use]
    pub fn over(contacts: usize, axes: usize, sweeps: u32) -> Self {
        let elsewhere = usize::from(axes > 1);
        let ahead = if contacts < MANY { 1.0 } else { AHEAD[elsewhere] };
        let closer = if contacts < CLOSER.0 { 0.0 } else { CLOSER.1 };
        Self { sweeps, ahead, lead: LEAD.0 + LEAD.1[elsewhere] * edge(contacts, axes), closer }
    }
}

/// How many are along the edge of a row, square or cube of so many, with so many axes.
#[must_use]
pub fn edge(count: usize, axes: usize) -> f64 {
    let mut edge = 1_usize;
    while (0..axes.max(1)).fold(1, |volume, _| volume * edge) < count {
        edge += 1;
    }
    edge as f64
}

impl From<u32> for Most {
    /// So many sweeps, of which plain ones are a few.
    fn from(sweeps: u32) -> Self {
        Self { sweeps, ahead: FAR, lead: f64::INFINITY, closer: 0.0 }
    }
}

/// A moment at which an answer is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Sweeps made so far.
    pub sweeps: u32,
    /// How many of them are of the kind that has led to this answer.
    pub own: u32,
    /// Whether that is the plain kind.
    pub plain: bool,
}

/// Accelerated sweeps until an answer is good, or until there were as many as allowed. An answer is looked at often at first,
/// then after every tenth of the sweeps that have led to it, and at the end; the system then holds the one that was looked at last, and
/// that is the one with the smaller residual if none was good.
/// A look tells how many times too large the error is: it is good at 1 or below. Where all looks say infinity, plain sweeps go
/// along only where momentum leads nowhere.
/// Returns the number of sweeps and whether the answer is good.
pub fn accelerate<S: System>(
    system: &mut S,
    momentum: &mut Momentum<S::Push>,
    most: impl Into<Most>,
    excess: impl FnMut(&mut S, Look) -> f64,
) -> (u32, bool) {
    let ([plain, quick], mut looks) = std::mem::take(&mut momentum.spare);
    looks.clear();
    let plain = Plain { runner: Runner::new(plain), looks, end: f64::INFINITY };
    let mut most = most.into();
    // Only plain ones have no pairs.
    most.sweeps = most.sweeps.checked_next_multiple_of(2).unwrap_or(u32::MAX);
    let mut race = Race {
        system,
        excess,
        most,
        plain,
        quick: Runner::new(quick),
        quick_excess: f64::INFINITY,
        plain_is_on: false,
    };
    let ControlFlow::Break(good) = race.run(momentum);
    let good = good || race.ends_better(momentum);
    let sweeps = race.sweeps();
    momentum.spare = ([race.plain.runner.state, race.quick.state], race.plain.looks);
    (sweeps, good)
}

/// Both kinds of sweeps over a system.
struct Race<'a, S: System, E> {
    system: &'a mut S,
    excess: E,
    most: Most,
    plain: Plain<S::Push>,
    quick: Runner<S::Push>,
    // The error of accelerated ones when they were looked at last.
    quick_excess: f64,
    plain_is_on: bool,
}

impl<S: System, E: FnMut(&mut S, Look) -> f64> Race<'_, S, E> {
    /// Goes on until it is over, with a good answer or without one.
    fn run(&mut self, momentum: &mut Momentum<S::Push>) -> ControlFlow<bool, Infallible> {
        self.system.take(&mut self.quick.state);
        self.plain_sweeps(FIRST)?;
        if !self.plain.looks.is_empty() && self.most.sweeps >= FEW {
            self.system.put(&self.quick.state);
        }
        momentum.start(self.system);
        let mut patience = PATIENCE.0 + PATIENCE.1 * (self.system.contacts() as f64).sqrt();
        let mut turn = Turn::default();
        loop {
            let change = self.accelerated_sweeps(momentum)?;
            if !turn.goes_on(change, patience) && !momentum.drifts() {
                momentum.go_back(self.system);
                let residual = self.system.residual();
                self.system.put(&self.plain.runner.state);
                self.plain_sweeps(self.quick.sweeps)?;
                if residual < self.system.residual() {
                    momentum.go_back(self.system);
                }
                momentum.start(self.system);
                (turn, patience) = (Turn::default(), 2.0 * patience);
            } else if self.plain.end <= f64::from(self.quick.sweeps) || self.is_too_far_ahead() {
                self.system.take(&mut self.quick.state);
                self.system.put(&self.plain.runner.state);
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of sweeps")]
                let least = self.least_plain(TURN * f64::from(self.quick.sweeps)) as u32;
                self.plain_sweeps(least)?;
                self.system.put(&self.quick.state);
            }
        }
    }

    /// Plain sweeps that there have to be beside so many accelerated ones: none where answers are not looked at.
    fn least_plain(&self, quick: f64) -> f64 {
        let Some((_, error)) = self.plain.looks.last() else { return 0.0 };
        let lead = if self.quick_excess < self.most.closer * error { f64::INFINITY } else { self.most.lead };
        (quick / self.most.ahead).max(quick - lead)
    }

    /// Whether it is time for them.
    fn is_too_far_ahead(&self) -> bool {
        let (quick, plain) = (f64::from(self.quick.sweeps), f64::from(self.plain.runner.sweeps));
        !self.plain.looks.is_empty() && self.least_plain(quick) >= plain
    }

    /// Plain sweeps until they are at least so many, and while they are foretold to be done soon. The system holds what they have
    /// led to.
    fn plain_sweeps(&mut self, least: u32) -> ControlFlow<bool> {
        self.plain_is_on = true;
        while self.plain.runner.sweeps < least || self.plain.is_worth(self.quick.sweeps) {
            self.system.sweep(false);
            let due = self.plain.runner.one_more();
            if let Some(excess) = self.look(due, true)? {
                self.plain.note(excess);
            }
        }
        self.plain_is_on = false;
        self.system.take(&mut self.plain.runner.state);
        ControlFlow::Continue(())
    }

    /// When there may be no more sweeps, the kind whose turn it was not may have come farther. Returns whether its answer is good.
    fn ends_better(&mut self, momentum: &Momentum<S::Push>) -> bool {
        let plain = self.plain_is_on;
        if self.quick.sweeps == 0 || self.plain.looks.is_empty() {
            return false;
        }
        let own = if plain { &mut self.plain.runner.state } else { &mut self.quick.state };
        self.system.take(own);
        let residual = self.system.residual();
        if plain {
            momentum.go_back(self.system);
        } else {
            self.system.put(&self.plain.runner.state);
        }
        if self.system.residual() < residual {
            return self.look(true, !plain) == ControlFlow::Break(true);
        }
        self.system.put(if plain { &self.plain.runner.state } else { &self.quick.state });
        false
    }

    /// A symmetric pair of sweeps, and beyond what it leads to. Returns the square of what it has changed.
    fn accelerated_sweeps(&mut self, momentum: &mut Momentum<S::Push>) -> ControlFlow<bool, f64> {
        self.system.sweep(false);
        if !self.quick.two_more() && self.sweeps() < self.most.sweeps {
            return ControlFlow::Continue(momentum.carry_on(self.system, true));
        }
        self.system.sweep(true);
        self.look(true, false)?;
        ControlFlow::Continue(momentum.carry_on(self.system, false))
    }

    /// Looks at the answer if it is time or there may be no more sweeps.
    fn look(&mut self, due: bool, plain: bool) -> ControlFlow<bool, Option<f64>> {
        let sweeps = self.sweeps();
        let last = sweeps >= self.most.sweeps;
        if !due && !last {
            return ControlFlow::Continue(None);
        }
        let own = if plain { self.plain.runner.sweeps } else { self.quick.sweeps };
        let excess = (self.excess)(self.system, Look { sweeps, own, plain });
        if !plain {
            self.quick_excess = excess;
        }
        let good = excess <= 1.0;
        if good || last { ControlFlow::Break(good) } else { ControlFlow::Continue(Some(excess)) }
    }

    fn sweeps(&self) -> u32 {
        self.plain.runner.sweeps.saturating_add(self.quick.sweeps)
    }
}

/// Sweeps of one kind, when their answer is to be looked at, and what it was when the other kind took over.
struct Runner<P> {
    sweeps: u32,
    next_look: u32,
    state: State<P>,
}

impl<P> Runner<P> {
    /// No sweeps yet, and memory for what they will lead to.
    fn new(state: State<P>) -> Self {
        Self { sweeps: 0, next_look: 0, state }
    }

    /// Counts a sweep. Returns whether it is time to look: when plain sweeps alone are looked at, but for every other look before
    /// the tenth.
    fn one_more(&mut self) -> bool {
        self.sweeps = self.sweeps.saturating_add(1);
        let due = self.sweeps >= self.next_look.max(2);
        if due {
            self.next_look = self.sweeps.saturating_add(if self.sweeps < FIRST { 2 } else { 1 + self.sweeps / 10 });
        }
        due
    }

    /// Counts two sweeps. Returns whether it is time to look.
    fn two_more(&mut self) -> bool {
        self.sweeps = self.sweeps.saturating_add(2);
        let due = self.sweeps >= self.next_look;
        if due {
            self.next_look = self.sweeps.saturating_add(2 + self.sweeps / 10);
        }
        due
    }
}

/// Plain sweeps, how many of them there were and how large their error was when it was looked at, and with how many they are
/// foretold to be done.
struct Plain<P> {
    runner: Runner<P>,
    looks: Vec<(u32, f64)>,
    end: f64,
}

impl<P> Plain<P> {
    /// Whether to go on with them beside so many accelerated ones.
    fn is_worth(&self, quick: u32) -> bool {
        self.end <= f64::from(quick).max(NEAR * f64::from(self.runner.sweeps))
    }

    /// Foretells anew after a look.
    fn note(&mut self, excess: f64) {
        if excess == f64::INFINITY {
            return;
        }
        let now = self.runner.sweeps;
        self.looks.push((now, excess));
        let earlier = self.looks.iter().rev().find(|look| f64::from(look.0) <= SINCE * f64::from(now));
        let Some(&(then, before)) = earlier else { return };
        // An eighth of that time at a time.
        let (falls, stride) = ((excess / before).sqrt().sqrt().sqrt(), f64::from(now - then) / 8.0);
        let (far, mut left) = (FAR * f64::from(now), excess);
        self.end = f64::from(now);
        while left > 1.0 && self.end < far {
            (left, self.end) = (left * falls, self.end + stride);
        }
    }
}

/// Pairs of sweeps that belong together.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    pairs: u32,
    // What the squares of changes were on average before, and their sum since then.
    before: Option<f64>,
    since: u32,
    sum: f64,
}

impl Turn {
    /// Counts a pair that has made so large a change. A turn is over when changes have stopped shrinking: looked at when there
    /// were `patience` pairs, and whenever they are twice as many.
    fn goes_on(&mut self, change: f64, patience: f64) -> bool {
        self.pairs += 1;
        self.sum += change;
        if f64::from(self.pairs) < patience.max(2.0 * f64::from(self.since)) {
            return true;
        }
        let now = self.sum / f64::from(self.pairs - self.since);
        let shrinks = self.before.is_none_or(|before| now < SHRUNK * before);
        (self.before, self.since, self.sum) = (Some(now), self.pairs, 0.0);
        shrinks
    }
}
