//! Nesterov momentum: sweeps that keep some of their momentum.
//!
//! A pair of sweeps, forwards and backwards, takes the impulses from y to x. If the next pair starts from x, errors diffuse. With momentum
//! it starts beyond x, and they travel like waves: the number of sweeps grows with the length of a system instead of its square.
//!
//! ```text
//! y = x + β (x − x_last)        β = (t − 1)/t_next        t_next = ½ + √(¼ + t²)        (Nesterov)
//! ```
//!
//! Velocities are linear in the impulses and are extrapolated with them. Impulses that leave their friction cones on the way are
//! brought back by the sweeps, contact by contact, as all others are.
//!
//! Momentum that sweeps work against does harm (adaptive restart): if (x − y)·(x − x_last) is below 0, the extrapolation is dropped and t
//! is halved. That suffices while contacts only open, close and stick. Where they slide, friction follows the load but the load
//! does not follow friction in the same way, and strong momentum can feed itself: the changes that sweeps make grow instead of
//! shrinking. Then t/2 is its limit from there on, which grows only slowly. A limit of 1 leaves plain pairs of sweeps.
//! Changes that do not shrink but are parallel to the movement of the impulses are harmless: the impulses drift along a flat valley,
//! and momentum only moves them faster towards its end.

use super::sweepable::{ContactVector, Iterate, PairProducts, Sweepable, Trace};
use crate::tuning::AcceleratedTuning;

const TUNING: AcceleratedTuning = AcceleratedTuning::DEFAULT;

/// The momentum of a solve, and workspace.
#[derive(Clone, Debug, Default)]
pub struct Momentum<P> {
    traces: Vec<Trace<P>>,
    // The velocities after the last pair of sweeps.
    velocities: Vec<f64>,
    weight: NesterovWeight,
    /// Workspace of [`accelerate`](super::accelerate): an iterate of each kind of sweeps, and the errors of plain ones.
    pub(super) spare: ([Iterate<P>; 2], Vec<(u32, f64)>),
}

impl<P: ContactVector> Momentum<P> {
    /// Starts without momentum.
    pub fn start(&mut self, system: &mut impl Sweepable<Impulse = P>) {
        self.traces.clear();
        self.traces.extend(system.impulses().map(|impulse| Trace { last: impulse, start: impulse }));
        system.copy_velocities(&mut self.velocities);
        self.weight = NesterovWeight::default();
    }

    /// Returns to the answer of the last pair of sweeps.
    pub fn return_to_last(&self, system: &mut impl Sweepable<Impulse = P>) {
        system.set_impulses(self.traces.iter().map(|trace| trace.last));
        system.recompute_velocities();
    }

    /// Whether recent changes are parallel to the movement of the impulses, as they are while the answer lies far along a flat valley, and
    /// momentum is strong enough to beat plain sweeps there.
    pub fn drifts(&self) -> bool {
        self.weight.drifts() && self.weight.t > TUNING.strong
    }

    /// Extrapolates from the answer of a pair of sweeps; if its second sweep is still missing, makes that in the same pass, which costs
    /// hardly more than the sweep alone. Returns the square of the change that the pair has made.
    pub fn extrapolate(&mut self, system: &mut impl Sweepable<Impulse = P>, with_sweep: bool) -> f64 {
        let share = self.weight.share();
        let pair = system.extrapolate(&mut self.traces, share, with_sweep);
        // Velocities follow the impulses, unless that does harm.
        if self.weight.keeps(pair) {
            system.extrapolate_velocities(&mut self.velocities, share);
        } else {
            // Restarts from the answer of the sweeps; recomputing removes the rounding that extrapolation has accumulated.
            self.traces.iter_mut().for_each(|trace| trace.start = trace.last);
            self.return_to_last(system);
            system.extrapolate_velocities(&mut self.velocities, 0.0);
        }
        pair.change
    }
}

impl PairProducts {
    /// The cosine between change and movement.
    fn cosine(self) -> f64 {
        let lengths = (self.change * self.movement).sqrt();
        if lengths > 0.0 { self.dot / lengths } else { 0.0 }
    }
}

/// The weight of momentum, t in Nesterov's recursion, and when it is restarted.
#[derive(Clone, Copy, Debug)]
struct NesterovWeight {
    // t, and its limit.
    t: f64,
    limit: f64,
    // The least square of a change so far.
    least: f64,
    // The running mean of the cosine between changes and movements.
    cosine: f64,
    // The number of changes in this period, the sum of their squares, and that of the period before.
    pairs: u32,
    sum: f64,
    before: f64,
}

impl Default for NesterovWeight {
    fn default() -> Self {
        let never = f64::INFINITY;
        Self { t: 1.0, limit: never, least: never, cosine: 0.0, pairs: 0, sum: 0.0, before: never }
    }
}

impl NesterovWeight {
    /// t after the next pair of sweeps.
    fn next(&self) -> f64 {
        (0.5 + (0.25 + self.t * self.t).sqrt()).min(self.limit)
    }

    fn drifts(&self) -> bool {
        self.cosine > TUNING.drift_cosine
    }

    /// β.
    fn share(&self) -> f64 {
        (self.t - 1.0) / self.next()
    }

    /// Whether the extrapolation after a pair of sweeps is kept; t is updated.
    fn keeps(&mut self, pair: PairProducts) -> bool {
        self.cosine += TUNING.cosine_weight * (pair.cosine() - self.cosine);
        let shrinks = self.shrinks(pair.change) || self.drifts();
        self.least = self.least.min(pair.change);
        if !shrinks || pair.change > TUNING.restart_growth * self.least {
            self.t = (TUNING.restart_share * self.t).max(1.0);
            (self.limit, self.least) = (self.t, pair.change);
            return false;
        }
        if pair.dot < 0.0 {
            self.t = (TUNING.restart_share * self.t).max(1.0);
            return false;
        }
        self.t = self.next();
        self.limit *= 1.0 + TUNING.limit_growth;
        true
    }

    /// Whether changes shrink, period by period.
    fn shrinks(&mut self, change: f64) -> bool {
        self.pairs += 1;
        self.sum += change;
        if self.pairs < TUNING.restart_period {
            return true;
        }
        let shrinks = self.sum < self.before;
        self.before = if shrinks { self.sum } else { f64::INFINITY };
        (self.pairs, self.sum) = (0, 0.0);
        shrinks
    }
}
