//! Accelerated sweeps as a solver of steps: symmetric Gauss–Seidel with [momentum](super::momentum), in a
//! [race](super::race) with plain sweeps, and when to stop.

use super::coloured::{Coloured, InColours};
use super::momentum::Momentum;
use super::race::{Most, accelerate, edge};
use super::system::{AtContact, Sweeping, System};
use super::{Solution, Solver, Status, Stop, hidden_by};
use crate::dimension::Dimension;
use crate::error::InputError;
use crate::lanes::{Eight, Path};
use crate::problem::{Body, Impulse, Problem};
use crate::random::Seed;
use crate::real::Real;
use crate::threads::Threads;

/// Where contacts slide the residual can hide so many times what it hides in a chain of the same length: after accelerated sweeps,
/// and after plain ones. More was hardly ever seen.
const VALLEY: [f64; 2] = [45.0, 150.0];

/// Accelerated sweeps, for those who want converged forces.
///
/// Plain ones go along, on impulses of their own, so that this takes no more than about twice as many sweeps as these alone
/// would: as many of either kind if contacts are few, with more of them those that momentum needs to get through besides
/// ([`Most::lead`]). With 250 contacts and more plain ones fall behind where accelerated ones are ten times closer to the end; if
/// they were then suddenly done that would be five times as many at worst (of which each takes two fifths of the time of a plain
/// one, as they go in colours), 17 times on a line.
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
    coloured: Coloured<D>,
    in_colours: Memory<Impulse<D, Eight>>,
    on_line: Memory<Impulse<D>>,
    bodies: Vec<Body<D>>,
}

/// What a solve works with.
#[derive(Clone, Debug)]
struct Memory<P> {
    momentum: Momentum<P>,
    seen: Seen<P>,
}

impl<P> Default for Memory<P> {
    fn default() -> Self {
        Self { momentum: Momentum::default(), seen: Seen { earlier: Default::default() } }
    }
}

impl<D: Dimension> Accelerated<D> {
    /// Pairs of sweeps until then, through the contacts in the [coloured order](crate::Order::Coloured) and back; on a line as they are
    /// numbered, because there are two colours only, and half of a pair would have nothing to do. An odd number of sweeps is made even.
    pub fn new(stop: Stop) -> Self {
        let (in_colours, on_line) = (Memory::default(), Memory::default());
        Self { stop, coloured: Coloured::default(), in_colours, on_line, bodies: Vec::new() }
    }

    /// Coloured sweeps go this path instead of the fastest one. The results are the same.
    #[must_use]
    pub fn path(mut self, path: Path) -> Self {
        self.coloured.path = path;
        self
    }

    /// Coloured sweeps on these threads, which changes no bit of the result.
    #[must_use]
    pub fn threads(mut self, threads: &Threads) -> Self {
        self.coloured.threads = threads.clone();
        self
    }

    /// Contacts in a window of the coloured order.
    #[cfg(test)]
    pub(super) fn window(mut self, contacts: usize) -> Self {
        self.coloured.make_windows_of(contacts);
        self
    }

    /// The error of the forces that sweeps of either kind may have left in a problem with this residual.
    pub fn may_hide(problem: &Problem<D>, residual: f64) -> f64 {
        VALLEY[1] * hidden_by(residual, edge(movable(problem), D::AXES))
    }
}

/// Bodies that can move.
fn movable<D: Dimension>(problem: &Problem<D>) -> usize {
    problem.bodies.iter().filter(|body| body.inverse_mass > 0.0).count()
}

impl<D: Dimension> Solver<D> for Accelerated<D> {
    #[inline(never)]
    fn solve(&mut self, problem: &mut Problem<D>, _: Seed, _: u64) -> Solution {
        let span = edge(movable(problem), D::AXES);
        let (tolerance, max_sweeps) = match self.stop {
            Stop::Sweeps(sweeps) => (None, sweeps),
            Stop::Tolerance { tolerance, max_sweeps } => (Some(tolerance), max_sweeps),
        };
        let most = Most::over(problem.rows.len(), D::AXES, max_sweeps);
        let task = Task { tolerance, most, span, nothing: problem.violation_of_nothing() };
        if D::CHAIN {
            let mut system = Sweeping::within(problem, std::mem::take(&mut self.bodies));
            let solution = task.solve(&mut system, &mut self.on_line, Sweeping::measure);
            self.bodies = system.bodies;
            return solution;
        }
        let mut system = InColours::new(problem, &mut self.coloured);
        let solution = task.solve(&mut system, &mut self.in_colours, InColours::measure);
        self.coloured.write(&mut problem.rows);
        solution
    }

    fn follows_the_curve(&self) -> bool {
        !D::CHAIN
    }

    fn check(&self) -> Result<(), InputError> {
        self.stop.check()
    }
}

/// What there is to be solved, in a system that has so many bodies along its edge, and when to stop.
struct Task {
    tolerance: Option<f64>,
    most: Most,
    span: f64,
    nothing: f64,
}

impl Task {
    /// Accelerated sweeps over a system whose residual and violation can be measured.
    fn solve<S: System>(
        &self,
        system: &mut S,
        Memory { momentum, seen }: &mut Memory<S::Push>,
        measure: impl Fn(&mut S) -> [f64; 2],
    ) -> Solution {
        let Self { tolerance, most, .. } = *self;
        seen.forget();
        let (mut error, mut residual) = (f64::INFINITY, 0.0);
        let (sweeps, reached) = accelerate(system, momentum, most, |system, look| {
            let last = look.sweeps >= most.sweeps;
            if tolerance.is_none() && !last {
                return f64::INFINITY;
            }
            let violation;
            [residual, violation] = measure(system);
            let hidden = hidden_by(residual, self.span);
            let mut force_error = VALLEY[usize::from(look.plain)] * hidden;
            if !look.plain {
                force_error = force_error.min(hidden.max(seen.lately_changed(system, look.own / 2, self.span)));
            }
            // Where there is no answer impulses grow for ever, and their change is small beside them.
            error = force_error.max(violation / self.nothing);
            tolerance.map_or(f64::INFINITY, |tolerance| if error <= tolerance { 0.0 } else { error / tolerance })
        });
        let status = match (tolerance, reached) {
            (None, _) => Status::FixedSweeps,
            (Some(_), true) => Status::Converged,
            (Some(_), false) => Status::NotConverged,
        };
        Solution {
            sweeps,
            residual,
            status,
            damping: 1.0,
            force_error: Some(error),
            factorisations: 0,
            handed_over: false,
        }
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
        let (mut change, mut load) = (P::Number::default(), P::Number::default());
        for (contact, now) in system.impulses().enumerate() {
            let since = self.0.get(contact).map_or(now, |before| now.minus(*before));
            change += since.dot(since);
            load += now.dot(now);
        }
        let (change, load) = (change.total(), load.total());
        if load > 0.0 { (change / load).sqrt() } else { 0.0 }
    }

    fn note(&mut self, system: &impl System<Push = P>) {
        self.0.clear();
        self.0.extend(system.impulses());
    }
}

/// What the impulses were two times earlier, the older ones first, and when.
#[derive(Clone, Debug)]
struct Seen<P> {
    earlier: [(u32, Earlier<P>); 2],
}

impl<P: AtContact> Seen<P> {
    fn forget(&mut self) {
        for (when, earlier) in &mut self.earlier {
            *when = 0;
            earlier.0.clear();
        }
    }

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
