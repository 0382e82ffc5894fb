//! The acceleration: sweeps that keep some of their momentum.
//!
//! A pair of sweeps, forwards and backwards, takes the impulses from y to x. If the next pair starts from x, errors spread
//! like heat. With momentum it starts beyond x, and they spread like waves, so that sweeps are as many as a system is long
//! instead of the square of that:
//!
//! ```text
//! y = x + β (x − x_last)        β = (t − 1)/t_next        t_next = ½ + √(¼ + t²)        after Nesterov
//! ```
//!
//! Velocities are linear in the impulses and are carried beyond with them. Impulses that leave their cones on the way are
//! brought back by the sweeps, contact by contact, as all others are.
//!
//! Momentum that sweeps work against does harm: if (x − y)·(x − x_last) is below 0, it is taken away, and t becomes half of what
//! it was. That is enough as long as contacts open, close and stick. Where they slide, friction follows the load but the load
//! does not follow friction in the same way, and strong momentum can feed itself: the changes that sweeps make grow instead of
//! shrinking. Then half of t is its limit from there on, which grows only slowly. A limit of 1 leaves plain pairs of sweeps.
//! Changes that do not shrink but point where the impulses move anyway are no such trouble: the impulses drift along a flat
//! valley, and momentum only takes them faster to its end.

use super::system::{AtContact, State, System};

/// Momentum feeds itself when the square of a change is so many times the least there was.
const GROWN: f64 = 2.0;
/// It also does when the squares of so many changes are on average not below those of as many before.
const PERIOD: u32 = 64;
/// What is left of t when it was too large.
const LEFT: f64 = 0.5;
/// Above this t momentum takes a drift to its end much faster than plain sweeps would.
const STRONG: f64 = 4.0;
/// Impulses drift while the cosine between changes and movements is above this in the mean, in which the last pair counts so much.
const DRIFT: f64 = 0.9;
const LATELY: f64 = 0.1;
/// The limit grows by this share with each pair of sweeps.
const GROWTH: f64 = 0.005;

/// Where the last pair of sweeps has led a contact to, and from where the next one starts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Trace<P> {
    /// The impulse after the last pair.
    pub last: P,
    /// The impulse before the next one.
    pub start: P,
}

impl<P: AtContact> Trace<P> {
    /// Where a contact is carried from what a pair of sweeps has led to: by this share of its movement.
    #[inline(always)]
    pub fn beyond(&mut self, now: P, share: P::Number, pair: &mut Carried<P::Number>) -> P {
        let (change, movement) = (now.minus(self.start), now.minus(self.last));
        pair.change += change.dot(change);
        pair.movement += movement.dot(movement);
        pair.along += change.dot(movement);
        (self.start, self.last) = (now.plus(movement.times(share)), now);
        self.start
    }
}

/// The momentum of a solve, and workspace.
#[derive(Clone, Debug)]
pub struct Momentum<P> {
    traces: Vec<Trace<P>>,
    // The velocities after the last pair of sweeps.
    velocities: Vec<f64>,
    strength: Strength,
    /// Memory of races: what both kinds of sweeps have led to, and how plain ones looked.
    pub(super) spare: ([State<P>; 2], Vec<(u32, f64)>),
}

impl<P> Default for Momentum<P> {
    fn default() -> Self {
        Self { traces: Vec::new(), velocities: Vec::new(), strength: Strength::default(), spare: Default::default() }
    }
}

impl<P: AtContact> Momentum<P> {
    /// Forgets the last solve.
    pub fn start(&mut self, system: &impl System<Push = P>) {
        self.traces.clear();
        self.traces.extend(system.impulses().map(|impulse| Trace { last: impulse, start: impulse }));
        system.velocities(&mut self.velocities);
        self.strength = Strength::default();
    }

    /// Goes back to what the last pair of sweeps has led to.
    pub fn go_back(&self, system: &mut impl System<Push = P>) {
        system.set(self.traces.iter().map(|trace| trace.last));
        system.add_up();
    }

    /// Whether changes of late point where the impulses move anyway, the answer being far away along a flat valley, and momentum
    /// takes them there faster than plain sweeps would.
    pub fn drifts(&self) -> bool {
        self.strength.drifts() && self.strength.t > STRONG
    }

    /// Goes beyond what a pair of sweeps has just led to; or, if it still lacks the second sweep, makes that one on the way, contact by
    /// contact, which costs hardly more than the sweep alone. Returns the square of what the pair has changed.
    pub fn carry_on(&mut self, system: &mut impl System<Push = P>, with_sweep: bool) -> f64 {
        let share = self.strength.share();
        let pair = system.carry_on(&mut self.traces, share, with_sweep);
        // When all contacts were carried on, so are the velocities, unless that does harm.
        if self.strength.stays(pair) {
            system.carry_velocities(&mut self.velocities, share);
        } else {
            // Starts from what the sweeps have led to, and rids the velocities of the rounding that momentum has carried along.
            self.traces.iter_mut().for_each(|trace| trace.start = trace.last);
            self.go_back(system);
            system.carry_velocities(&mut self.velocities, 0.0);
        }
        pair.change
    }
}

/// What a pair of sweeps has done: the squares of its change and of the movement since the pair before it, and their product.
#[derive(Clone, Copy, Debug, Default)]
pub struct Carried<T = f64> {
    /// The square of the change.
    pub change: T,
    /// The square of the movement.
    pub movement: T,
    /// Their product.
    pub along: T,
}

impl Carried {
    /// The cosine between change and movement.
    fn cosine(self) -> f64 {
        let lengths = (self.change * self.movement).sqrt();
        if lengths > 0.0 { self.along / lengths } else { 0.0 }
    }
}

/// How strong momentum is.
#[derive(Clone, Copy, Debug)]
struct Strength {
    // t, and its limit.
    t: f64,
    limit: f64,
    // The least square of a change.
    least: f64,
    // The cosine between changes and movements of late.
    cosine: f64,
    // The number of changes in this period, the sum of their squares, and that of the period before.
    pairs: u32,
    sum: f64,
    before: f64,
}

impl Default for Strength {
    fn default() -> Self {
        let never = f64::INFINITY;
        Self { t: 1.0, limit: never, least: never, cosine: 0.0, pairs: 0, sum: 0.0, before: never }
    }
}

impl Strength {
    /// t after the next pair of sweeps.
    fn next(&self) -> f64 {
        (0.5 + (0.25 + self.t * self.t).sqrt()).min(self.limit)
    }

    fn drifts(&self) -> bool {
        self.cosine > DRIFT
    }

    /// β.
    fn share(&self) -> f64 {
        (self.t - 1.0) / self.next()
    }

    /// Whether momentum stays after a pair of sweeps.
    fn stays(&mut self, pair: Carried) -> bool {
        self.cosine += LATELY * (pair.cosine() - self.cosine);
        let shrinks = self.shrinks(pair.change) || self.drifts();
        self.least = self.least.min(pair.change);
        if !shrinks || pair.change > GROWN * self.least {
            self.t = (LEFT * self.t).max(1.0);
            (self.limit, self.least) = (self.t, pair.change);
            return false;
        }
        if pair.along < 0.0 {
            self.t = (LEFT * self.t).max(1.0);
            return false;
        }
        self.t = self.next();
        self.limit *= 1.0 + GROWTH;
        true
    }

    /// Whether changes become smaller, period by period.
    fn shrinks(&mut self, change: f64) -> bool {
        self.pairs += 1;
        self.sum += change;
        if self.pairs < PERIOD {
            return true;
        }
        let shrinks = self.sum < self.before;
        self.before = if shrinks { self.sum } else { f64::INFINITY };
        (self.pairs, self.sum) = (0, 0.0);
        shrinks
    }
}
