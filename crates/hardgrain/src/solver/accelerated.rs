//! Accelerated sweeps: symmetric Gauss–Seidel with [momentum](super::momentum), when to stop, and what to fall back on.

use super::momentum::Momentum;
use super::system::{AtContact, State, Sweeping, System};
use super::{Solution, Solver, Status, Stop};
use crate::dimension::Dimension;
use crate::error::InputError;
use crate::law::Impulse;
use crate::problem::Problem;
use crate::random::Seed;
use crate::report::StepReport;

/// Plain sweeps come first: what they solve at once takes no others. Momentum still begins where they began.
const FIRST: u32 = 10;
/// Whether momentum leads anywhere is looked at after so many pairs of sweeps, plus so many times the root of the number of
/// contacts, and again when there were twice as many. If it does not, plain sweeps catch up from where they were after the last
/// turn, the next one starts from the better of the two, and it is given twice the patience: whatever plain sweeps can solve is
/// solved with a small multiple of their number, twice if turns are over soon.
const PATIENCE: (f64, f64) = (30.0, 3.0);
/// A turn leads somewhere as long as the squares of changes are on average below this share of what they were.
const SHRUNK: f64 = 0.5;

/// Where contacts slide the residual can hide so many times what it hides in a chain of the same length; so far, no more was seen.
const VALLEY: f64 = 45.0;

/// Accelerated sweeps, for those who want converged forces.
///
/// A tolerance is one on the *force error*. It is estimated in two ways, and the larger one counts: by what the residual
/// hides in a chain of that length; and, once there were more pairs of sweeps than grains along the system, by what the last
/// third of them has changed. It is never estimated larger than the first times what that one was found wrong by at most. What
/// the contacts still miss of their laws has to be as small a share of what there was to be solved.
///
/// ```
/// use hardgrain::{Accelerated, ContactDynamics, Engine, Grain, Line, Packing, Part, Stop, Wall};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // A chain of 200 grains, pushed: plain sweeps would have to be more than a hundred thousand.
/// let mut packing = Packing::<Line>::new();
/// let wall = packing.add_wall(Wall::new([0.0], [1.0]))?;
/// for i in 0..200 {
///     packing.add(Grain::new([0.5 + f64::from(i)], 0.5).mass(1.0))?;
/// }
/// packing.grains[199].force = [-1.0].into();
/// let stop = Stop::Tolerance { tolerance: 1e-6, max_sweeps: 10_000 };
/// let report = ContactDynamics::new(1.0, Accelerated::new(stop)).step(&mut packing)?;
/// assert!(report.converged() == Some(true) && report.sweeps < 4000);
/// assert!((packing.load_on(Part::Wall(wall)) - 1.0).abs() < 1e-6);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
pub struct Accelerated<D: Dimension> {
    stop: Stop,
    momentum: Momentum<Impulse<D>>,
}

impl<D: Dimension> Accelerated<D> {
    /// Pairs of sweeps until then. An odd number of sweeps is made even.
    pub fn new(stop: Stop) -> Self {
        Self { stop, momentum: Momentum::default() }
    }
}

impl<D: Dimension> Solver<D> for Accelerated<D> {
    fn solve(&mut self, problem: &mut Problem<D>, _: Seed, _: u64) -> Solution {
        let grains = problem.bodies.iter().filter(|body| body.inverse_mass > 0.0).count();
        let span = side::<D>(grains);
        let (tolerance, max_sweeps) = match self.stop {
            Stop::Sweeps(sweeps) => (None, sweeps),
            Stop::Tolerance { tolerance, max_sweeps } => (Some(tolerance), max_sweeps),
        };
        let nothing = problem.violation_of_nothing();
        let mut system = Sweeping::new(problem);
        let mut seen = Seen { earlier: Default::default() };
        let mut force_error = f64::INFINITY;
        let mut residual = 0.0;
        let (sweeps, reached) = accelerate(&mut system, &mut self.momentum, max_sweeps, |system, look| {
            let last = look.sweeps >= max_sweeps;
            if tolerance.is_none() && !last {
                return false;
            }
            residual = system.residual();
            let hidden = StepReport::hidden_by(residual, span);
            force_error = VALLEY * hidden;
            if !look.plain {
                force_error = force_error.min(hidden.max(seen.lately_changed(system, look.sweeps / 2, span)));
            }
            // Where there is no answer impulses grow for ever, and their change is small beside them.
            let met = |tolerance: f64| system.problem.violation(&system.bodies) <= tolerance * nothing;
            tolerance.is_some_and(|tolerance| force_error <= tolerance && met(tolerance))
        });
        let status = match (tolerance, reached) {
            (None, _) => Status::FixedSweeps,
            (Some(_), true) => Status::Converged,
            (Some(_), false) => Status::NotConverged,
        };
        Solution { sweeps, residual, status, damping: 1.0, force_error: Some(force_error) }
    }

    fn check(&self) -> Result<(), InputError> {
        self.stop.check()
    }
}

/// How many grains long a cube of so many is.
fn side<D: Dimension>(grains: usize) -> f64 {
    let mut side = 1_usize;
    while (0..D::AXES).fold(1, |volume, _| volume * side) < grains {
        side += 1;
    }
    side as f64
}

/// A moment at which an answer is looked at.
#[derive(Clone, Copy, Debug)]
pub struct Look {
    /// Sweeps made so far.
    pub sweeps: u32,
    /// Whether the answer is one of the plain sweeps that go along.
    pub plain: bool,
}

/// Accelerated sweeps until an answer is good, or until there were as many as allowed. Answers are looked at often at first,
/// then after every tenth of the sweeps made, and at the end; the system then holds the answer that was looked at last.
/// Returns the number of sweeps and whether the answer is good.
pub fn accelerate<S: System>(
    system: &mut S,
    momentum: &mut Momentum<S::Push>,
    max_sweeps: u32,
    mut good: impl FnMut(&mut S, Look) -> bool,
) -> (u32, bool) {
    let mut count = Count { sweeps: 0, next_look: 0, most: max_sweeps };
    let (mut plain, mut beginning) = (State::default(), State::default());
    system.take(&mut beginning);
    if let Some(reached) = plain_sweeps(system, FIRST, &mut count, &mut good) {
        return (count.sweeps, reached);
    }
    system.take(&mut plain);
    system.put(&beginning);
    momentum.start(system);
    let mut patience = PATIENCE.0 + PATIENCE.1 * (system.contacts() as f64).sqrt();
    let mut turn = Turn::default();
    loop {
        system.sweep(false);
        system.sweep(true);
        if let Some(reached) = count.two_more(|sweeps| good(system, Look { sweeps, plain: false })) {
            return (count.sweeps, reached);
        }
        let change = momentum.carry_on(system);
        if !turn.goes_on(change, patience) && !momentum.drifts() {
            momentum.go_back(system);
            let residual = system.residual();
            system.put(&plain);
            if let Some(reached) = plain_sweeps(system, turn.pairs.saturating_mul(2), &mut count, &mut good) {
                return (count.sweeps, reached);
            }
            system.take(&mut plain);
            if residual < system.residual() {
                momentum.go_back(system);
            }
            momentum.start(system);
            (turn, patience) = (Turn::default(), 2.0 * patience);
        }
    }
}

/// An even number of plain sweeps. Returns whether the answer is good if that ends it all.
fn plain_sweeps<S: System>(
    system: &mut S,
    sweeps: u32,
    count: &mut Count,
    good: &mut impl FnMut(&mut S, Look) -> bool,
) -> Option<bool> {
    (0..sweeps / 2).find_map(|_| {
        system.sweep(false);
        system.sweep(false);
        count.two_more(|sweeps| good(system, Look { sweeps, plain: true }))
    })
}

/// Sweeps made, when the next look is due, and the most there may be.
struct Count {
    sweeps: u32,
    next_look: u32,
    most: u32,
}

impl Count {
    /// Counts two sweeps, and looks if it is time. Returns whether the answer is good if that ends it all.
    fn two_more(&mut self, look: impl FnOnce(u32) -> bool) -> Option<bool> {
        self.sweeps = self.sweeps.saturating_add(2);
        let last = self.sweeps >= self.most;
        if !last && self.sweeps < self.next_look {
            return None;
        }
        self.next_look = self.sweeps.saturating_add(2 + self.sweeps / 10);
        let reached = look(self.sweeps);
        (reached || last).then_some(reached)
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

/// What the impulses were earlier.
#[derive(Clone, Debug)]
struct Earlier<P>(Vec<P>);

impl<P> Default for Earlier<P> {
    fn default() -> Self {
        Self(Vec::new())
    }
}

impl<P: AtContact> Earlier<P> {
    /// The relative change since then.
    fn change(&self, system: &impl System<Push = P>) -> f64 {
        let (mut change, mut load) = (0.0, 0.0);
        for contact in 0..system.contacts() {
            let now = system.impulse(contact);
            let since = self.0.get(contact).map_or(now, |before| now.minus(*before));
            change += since.dot(since);
            load += now.dot(now);
        }
        if load > 0.0 { (change / load).sqrt() } else { 0.0 }
    }

    fn note(&mut self, system: &impl System<Push = P>) {
        self.0.clear();
        self.0.extend((0..system.contacts()).map(|contact| system.impulse(contact)));
    }
}

/// What the impulses were two times earlier, the older ones first, and when.
#[derive(Clone, Debug)]
struct Seen<P> {
    earlier: [(u32, Earlier<P>); 2],
}

impl<P: AtContact> Seen<P> {
    /// The relative change in the last third of all pairs of sweeps, or more; nothing is known before there were `span` of
    /// them.
    fn lately_changed(&mut self, system: &impl System<Push = P>, pairs: u32, span: f64) -> f64 {
        let change = self.earlier[0].1.change(system);
        if f64::from(pairs) >= 1.5 * f64::from(self.earlier[1].0) {
            self.earlier.swap(0, 1);
            self.earlier[1].0 = pairs;
            self.earlier[1].1.note(system);
        }
        if f64::from(pairs) < span { f64::INFINITY } else { change }
    }
}
