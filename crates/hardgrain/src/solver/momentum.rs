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
//! shrinking. Then t begins at 1 again, and from there on it has a limit, which grows only slowly. A limit of 1 leaves plain
//! pairs of sweeps.

use super::system::{AtContact, State, System};

/// Momentum feeds itself when the square of a change is so many times the least there was.
const GROWN: f64 = 4.0;
/// It also does when the squares of so many changes are on average not below those of as many before.
const PERIOD: u32 = 64;
/// What is left of t, or of its limit, when it was too large.
const LEFT: f64 = 0.5;
/// The limit grows by this share with each pair of sweeps.
const GROWTH: f64 = 0.003;

/// The momentum of a solve, and workspace.
#[derive(Clone, Debug)]
pub struct Momentum<P> {
    // Where the last pair of sweeps has led to, and the impulses from which the next one starts.
    last: State<P>,
    start: Vec<P>,
    strength: Strength,
}

impl<P> Default for Momentum<P> {
    fn default() -> Self {
        Self { last: State::default(), start: Vec::new(), strength: Strength::default() }
    }
}

impl<P: AtContact> Momentum<P> {
    /// Forgets the last solve.
    pub fn start(&mut self, system: &impl System<Push = P>) {
        system.take(&mut self.last);
        self.start.clone_from(&self.last.impulses);
        self.strength = Strength::default();
    }

    /// Goes beyond what a pair of sweeps has just led to. Returns the square of what they have changed.
    pub fn carry_on(&mut self, system: &mut impl System<Push = P>) -> f64 {
        let (mut square, mut along) = (0.0, 0.0);
        for (contact, (last, start)) in self.last.impulses.iter().zip(&self.start).enumerate() {
            let now = system.impulse(contact);
            let change = now.minus(*start);
            square += change.dot(change);
            along += change.dot(now.minus(*last));
        }
        let share = self.strength.after(square, along);
        if share == 0.0 {
            // Also rids the velocities of the rounding that momentum has carried along.
            system.add_up();
        }
        for (contact, (last, start)) in self.last.impulses.iter_mut().zip(&mut self.start).enumerate() {
            let now = system.impulse(contact);
            *start = now.plus(now.minus(*last).times(share));
            *last = now;
            system.set(contact, *start);
        }
        system.carry_velocities(&mut self.last.velocities, share);
        square
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
    // The number of changes in this period, the sum of their squares, and that of the period before.
    pairs: u32,
    sum: f64,
    before: f64,
}

impl Default for Strength {
    fn default() -> Self {
        Self { t: 1.0, limit: f64::INFINITY, least: f64::INFINITY, pairs: 0, sum: 0.0, before: f64::INFINITY }
    }
}

impl Strength {
    /// β after a pair of sweeps whose change has this square and goes so far along the movement.
    fn after(&mut self, square: f64, along: f64) -> f64 {
        let stays = self.stays(square);
        self.least = self.least.min(square);
        if stays || square > GROWN * self.least {
            self.limit = (LEFT * self.t).max(1.0);
            (self.t, self.least) = (1.0, square);
            return 0.0;
        }
        if along < 0.0 {
            self.t = (LEFT * self.t).max(1.0);
            return 0.0;
        }
        let next = (0.5 + (0.25 + self.t * self.t).sqrt()).min(self.limit);
        let share = (self.t - 1.0) / next;
        self.t = next;
        self.limit *= 1.0 + GROWTH;
        share
    }

    /// Whether a period is over in which changes have not become smaller.
    fn stays(&mut self, square: f64) -> bool {
        self.pairs += 1;
        self.sum += square;
        if self.pairs < PERIOD {
            return false;
        }
        let stays = self.sum >= self.before;
        self.before = if stays { f64::INFINITY } else { self.sum };
        (self.pairs, self.sum) = (0, 0.0);
        stays
    }
}
