//! Accelerated sweeps in a race with plain ones, in case those are enough.
//!
//! Some problems are solved by a handful of plain sweeps, and in some momentum makes no progress. So both kinds work on the problem,
//! each on an iterate of its own. Plain sweeps come first, and from how fast their error falls the number they need is predicted.
//! Accelerated ones may be as many. Then plain ones continue, until they are done or it turns out that they need
//! more; and so on alternately. Errors of plain sweeps fall more and more slowly as a rule, which makes the predicted number too
//! small, and then the two kinds together are at most twice as many sweeps as plain ones alone. Errors may suddenly fall faster,
//! though. So there are two limits: accelerated sweeps are never more than [`ahead`](SweepLimits::ahead) times as many as plain ones,
//! and unless they are much closer to the end, in large systems, never more than plain ones and the [`lead`](SweepLimits::lead) that
//! momentum needs to cross the system. What plain sweeps alone would solve with P of them takes no more than (1 + ahead) P, and
//! no more than 2 P + lead as long as accelerated ones are not much closer, but for the two of a pair.

use super::momentum::Momentum;
use super::sweepable::{Iterate, Sweepable};
use crate::tuning::AcceleratedTuning;
use std::convert::Infallible;
use std::ops::ControlFlow;

const TUNING: AcceleratedTuning = AcceleratedTuning::DEFAULT;

/// Limits on the number of sweeps.
#[derive(Clone, Copy, Debug)]
pub struct SweepLimits {
    /// The total of both kinds.
    pub sweeps: u32,
    /// The number of accelerated sweeps per plain sweep, if answers are inspected.
    pub ahead: f64,
    /// The number by which accelerated sweeps may exceed plain ones.
    pub lead: f64,
    /// Accelerated sweeps are not limited by `lead` while their error is below this fraction of that of plain ones.
    pub closer: f64,
}

impl SweepLimits {
    /// At most `sweeps` over the contacts of a row, square or cube.
    #[must_use]
    pub fn for_size(contacts: usize, axes: usize, sweeps: u32) -> Self {
        let elsewhere = usize::from(axes > 1);
        let ahead = if contacts < TUNING.equal_below { 1.0 } else { TUNING.accelerated_per_plain[elsewhere] };
        let closer = if contacts < TUNING.closer_from { 0.0 } else { TUNING.closer };
        Self { sweeps, ahead, lead: TUNING.lead.0 + TUNING.lead.1[elsewhere] * linear_size(contacts, axes), closer }
    }
}

/// The linear size of a row, square or cube: the least n with n^axes not below `count`.
#[must_use]
pub fn linear_size(count: usize, axes: usize) -> f64 {
    let mut edge = 1_usize;
    while (0..axes.max(1)).fold(1, |volume, _| volume * edge) < count {
        edge += 1;
    }
    edge as f64
}

impl From<u32> for SweepLimits {
    /// This many sweeps, of which a few are plain.
    fn from(sweeps: u32) -> Self {
        Self { sweeps, ahead: TUNING.prediction_limit, lead: f64::INFINITY, closer: 0.0 }
    }
}

/// A moment at which an answer is inspected.
#[derive(Clone, Copy, Debug)]
pub struct Inspection {
    /// Sweeps made so far.
    pub sweeps: u32,
    /// Those of the kind that has produced this answer.
    pub own: u32,
    /// Whether that is the plain kind.
    pub plain: bool,
}

/// Accelerated sweeps until an answer is good, or until the limit. An answer is inspected often at first, then after every further tenth
/// of the sweeps that have produced it, and at the end; the system then holds the answer that was inspected last, which is the one with
/// the smaller residual if none was good. Once the system [is cancelled](Sweepable::is_cancelled) it holds any.
/// `excess` returns how many times too large the error is: an answer is good at 1 or below. Where it always returns infinity, there are
/// plain sweeps only where momentum makes no progress.
/// Returns the number of sweeps and whether the answer is good.
pub fn accelerate<S: Sweepable>(
    system: &mut S,
    momentum: &mut Momentum<S::Impulse>,
    limits: impl Into<SweepLimits>,
    excess: impl FnMut(&mut S, Inspection) -> f64,
) -> (u32, bool) {
    let ([plain, quick], mut errors) = std::mem::take(&mut momentum.spare);
    errors.clear();
    let plain = PlainSweeps { runner: Runner::new(plain), errors, end: f64::INFINITY };
    let mut limits = limits.into();
    // Accelerated ones come in pairs.
    limits.sweeps = limits.sweeps.checked_next_multiple_of(2).unwrap_or(u32::MAX);
    let mut race = Race {
        system,
        excess,
        limits,
        plain,
        quick: Runner::new(quick),
        quick_excess: f64::INFINITY,
        plain_is_on: false,
    };
    let ControlFlow::Break(good) = race.run(momentum);
    let good = good || !race.system.is_cancelled() && race.ends_better(momentum);
    let sweeps = race.sweeps();
    momentum.spare = ([race.plain.runner.iterate, race.quick.iterate], race.plain.errors);
    (sweeps, good)
}

/// Both kinds of sweeps over a system.
struct Race<'a, S: Sweepable, E> {
    system: &'a mut S,
    excess: E,
    limits: SweepLimits,
    plain: PlainSweeps<S::Impulse>,
    quick: Runner<S::Impulse>,
    // The error of accelerated ones at their last inspection.
    quick_excess: f64,
    plain_is_on: bool,
}

impl<S: Sweepable, E: FnMut(&mut S, Inspection) -> f64> Race<'_, S, E> {
    /// Sweeps until the end, with a good answer or without one.
    fn run(&mut self, momentum: &mut Momentum<S::Impulse>) -> ControlFlow<bool, Infallible> {
        self.system.save(&mut self.quick.iterate);
        self.plain_sweeps(TUNING.first_plain)?;
        if !self.plain.errors.is_empty() && self.limits.sweeps >= TUNING.fresh_start_from {
            self.system.restore(&self.quick.iterate);
        }
        momentum.start(self.system);
        let mut patience = TUNING.patience.0 + TUNING.patience.1 * (self.system.contacts() as f64).sqrt();
        let mut turn = Turn::default();
        loop {
            let change = self.accelerated_sweeps(momentum)?;
            if !turn.makes_progress(change, patience) && !momentum.drifts() {
                momentum.return_to_last(self.system);
                let residual = self.system.residual();
                self.system.restore(&self.plain.runner.iterate);
                self.plain_sweeps(self.quick.sweeps)?;
                if residual < self.system.residual() {
                    momentum.return_to_last(self.system);
                }
                momentum.start(self.system);
                (turn, patience) = (Turn::default(), 2.0 * patience);
            } else if self.plain.end <= f64::from(self.quick.sweeps) || self.is_too_far_ahead() {
                self.system.save(&mut self.quick.iterate);
                self.system.restore(&self.plain.runner.iterate);
                #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of sweeps")]
                let least = self.least_plain(TUNING.catch_up * f64::from(self.quick.sweeps)) as u32;
                self.plain_sweeps(least)?;
                self.system.restore(&self.quick.iterate);
            }
        }
    }

    /// The least number of plain sweeps beside `quick` accelerated ones: none where answers are not inspected.
    fn least_plain(&self, quick: f64) -> f64 {
        let Some((_, error)) = self.plain.errors.last() else { return 0.0 };
        let lead = if self.quick_excess < self.limits.closer * error { f64::INFINITY } else { self.limits.lead };
        (quick / self.limits.ahead).max(quick - lead)
    }

    /// Whether plain sweeps must catch up.
    fn is_too_far_ahead(&self) -> bool {
        let (quick, plain) = (f64::from(self.quick.sweeps), f64::from(self.plain.runner.sweeps));
        !self.plain.errors.is_empty() && self.least_plain(quick) >= plain
    }

    /// Plain sweeps until they are at least `least`, and while they are predicted to finish soon. The system then holds their iterate.
    fn plain_sweeps(&mut self, least: u32) -> ControlFlow<bool> {
        self.plain_is_on = true;
        while self.plain.runner.sweeps < least || self.plain.is_worth(self.quick.sweeps) {
            self.sweep_forwards()?;
            let due = self.plain.runner.more(1);
            if let Some(excess) = self.inspect(due, true)? {
                self.plain.note(excess);
            }
        }
        self.plain_is_on = false;
        self.system.save(&mut self.plain.runner.iterate);
        ControlFlow::Continue(())
    }

    /// At the limit the kind whose turn it was not may have come farther. Returns whether its answer is good.
    fn ends_better(&mut self, momentum: &Momentum<S::Impulse>) -> bool {
        let plain = self.plain_is_on;
        if self.quick.sweeps == 0 || self.plain.errors.is_empty() {
            return false;
        }
        let own = if plain { &mut self.plain.runner.iterate } else { &mut self.quick.iterate };
        self.system.save(own);
        let residual = self.system.residual();
        if plain {
            momentum.return_to_last(self.system);
        } else {
            self.system.restore(&self.plain.runner.iterate);
        }
        if self.system.residual() < residual {
            return self.inspect(true, !plain) == ControlFlow::Break(true);
        }
        self.system.restore(if plain { &self.plain.runner.iterate } else { &self.quick.iterate });
        false
    }

    /// A sweep, unless the work is cancelled.
    fn sweep_forwards(&mut self) -> ControlFlow<bool> {
        if self.system.is_cancelled() {
            return ControlFlow::Break(false);
        }
        self.system.sweep(false);
        ControlFlow::Continue(())
    }

    /// A symmetric pair of sweeps and the extrapolation from it. Returns the square of the change.
    fn accelerated_sweeps(&mut self, momentum: &mut Momentum<S::Impulse>) -> ControlFlow<bool, f64> {
        self.sweep_forwards()?;
        if !self.quick.more(2) && self.sweeps() < self.limits.sweeps {
            return ControlFlow::Continue(momentum.extrapolate(self.system, true));
        }
        self.system.sweep(true);
        self.inspect(true, false)?;
        ControlFlow::Continue(momentum.extrapolate(self.system, false))
    }

    /// Inspects the answer if it is due or no more sweeps are allowed.
    fn inspect(&mut self, due: bool, plain: bool) -> ControlFlow<bool, Option<f64>> {
        let sweeps = self.sweeps();
        let last = sweeps >= self.limits.sweeps;
        if !due && !last {
            return ControlFlow::Continue(None);
        }
        let own = if plain { self.plain.runner.sweeps } else { self.quick.sweeps };
        let excess = (self.excess)(self.system, Inspection { sweeps, own, plain });
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

/// Sweeps of one kind, when their answer is due for inspection, and their iterate while the other kind has the system.
struct Runner<P> {
    sweeps: u32,
    next_inspection: u32,
    iterate: Iterate<P>,
}

impl<P> Runner<P> {
    /// No sweeps yet, and memory for their iterate.
    fn new(iterate: Iterate<P>) -> Self {
        Self { sweeps: 0, next_inspection: 0, iterate }
    }

    /// Counts one sweep or a pair. Returns whether an inspection is due. Before the tenth single sweep it is due after every second
    /// one.
    fn more(&mut self, count: u32) -> bool {
        self.sweeps = self.sweeps.saturating_add(count);
        let due = self.sweeps >= self.next_inspection.max(2);
        if due {
            let often = count == 1 && self.sweeps < TUNING.first_plain;
            let pause = if often { 2 } else { count + self.sweeps / TUNING.inspections };
            self.next_inspection = self.sweeps.saturating_add(pause);
        }
        due
    }
}

/// Plain sweeps, their number and error at each inspection, and the number with which they are predicted to finish.
struct PlainSweeps<P> {
    runner: Runner<P>,
    errors: Vec<(u32, f64)>,
    end: f64,
}

impl<P> PlainSweeps<P> {
    /// Whether plain sweeps should continue beside `quick` accelerated ones.
    fn is_worth(&self, quick: u32) -> bool {
        self.end <= f64::from(quick).max(TUNING.near_end * f64::from(self.runner.sweeps))
    }

    /// Updates the prediction after an inspection.
    fn note(&mut self, excess: f64) {
        if excess == f64::INFINITY {
            return;
        }
        let now = self.runner.sweeps;
        self.errors.push((now, excess));
        let earlier =
            self.errors.iter().rev().find(|error| f64::from(error.0) <= TUNING.prediction_start * f64::from(now));
        let Some(&(then, before)) = earlier else { return };
        // Geometric decay, in eighths of that time.
        let (falls, stride) = ((excess / before).sqrt().sqrt().sqrt(), f64::from(now - then) / 8.0);
        let (far, mut left) = (TUNING.prediction_limit * f64::from(now), excess);
        self.end = f64::from(now);
        while left > 1.0 && self.end < far {
            (left, self.end) = (left * falls, self.end + stride);
        }
    }
}

/// A run of pairs of accelerated sweeps.
#[derive(Clone, Copy, Debug, Default)]
struct Turn {
    pairs: u32,
    // The mean square of changes before, and its sum since then.
    before: Option<f64>,
    since: u32,
    sum: f64,
}

impl Turn {
    /// Counts a pair with this square of its change. A turn is over when changes have stopped shrinking, which is judged after
    /// `patience` pairs, and whenever their number has doubled.
    fn makes_progress(&mut self, change: f64, patience: f64) -> bool {
        self.pairs += 1;
        self.sum += change;
        if f64::from(self.pairs) < patience.max(2.0 * f64::from(self.since)) {
            return true;
        }
        let now = self.sum / f64::from(self.pairs - self.since);
        let shrinks = self.before.is_none_or(|before| now < TUNING.progress * before);
        (self.before, self.since, self.sum) = (Some(now), self.pairs, 0.0);
        shrinks
    }
}
