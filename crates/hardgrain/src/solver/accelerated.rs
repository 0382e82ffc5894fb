//! Accelerated sweeps as a solver of steps: symmetric Gauss–Seidel with [Nesterov momentum](super::momentum), in a
//! [race](super::race) with plain sweeps, and when to stop.

use super::coloured::{Coloured, InColours};
use super::in_sequence::InSequence;
use super::momentum::Momentum;
use super::race::{SweepLimits, accelerate, linear_size};
use super::sweepable::{ContactVector, Sweepable};
use super::{Solution, Solver, Status, Stop, hidden_by};
use crate::dimension::Dimension;
use crate::error::InputError;
use crate::lanes::{Eight, Path};
use crate::problem::{Body, Impulse, Problem};
use crate::random::Seed;
use crate::real::Real;
use crate::threads::Threads;
use crate::tuning::AcceleratedTuning;

const TUNING: AcceleratedTuning = AcceleratedTuning::DEFAULT;

/// Accelerated sweeps, for those who want converged forces.
///
/// Plain ones race with them on an iterate of their own, so that this takes no more than about twice as many sweeps as those alone
/// would: as many of either kind if contacts are few, with more of them besides those that momentum needs to cross the system
/// ([`SweepLimits::lead`]). With 250 contacts and more, plain ones fall behind where accelerated ones are ten times closer to the end; if
/// they were then suddenly done that would be five times as many at worst (of which each takes two fifths of the time of a plain
/// one, as they are coloured), 17 times on a line.
///
/// A tolerance bounds the *force error*. It is estimated in two ways, and the larger one counts: by what the residual
/// hides in a chain of that length; and, once there were more pairs of sweeps than grains along the system, by what the last
/// third of them has changed. It is never estimated larger than the first estimate times the largest factor by which that was found
/// wrong ([`AcceleratedTuning::valley`]). The violation of the contact laws has to be as small a share of that without impulses.
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
#[must_use]
pub struct Accelerated<D: Dimension> {
    stop: Stop,
    coloured: Coloured<D>,
    in_colours: AcceleratedWorkspace<Impulse<D, Eight>>,
    on_line: AcceleratedWorkspace<Impulse<D>>,
    bodies: Vec<Body<D>>,
}

/// Workspace of a solve.
#[derive(Clone, Debug, Default)]
struct AcceleratedWorkspace<P> {
    momentum: Momentum<P>,
    history: ChangeHistory<P>,
}

impl<D: Dimension> Accelerated<D> {
    /// Pairs of sweeps until `stop`, through the contacts in the [coloured order](crate::Order::Coloured) and back; on a line as they are
    /// numbered, because with two colours only, half of a pair would change nothing. An odd number of sweeps is made even.
    pub fn new(stop: Stop) -> Self {
        let (in_colours, on_line) = (AcceleratedWorkspace::default(), AcceleratedWorkspace::default());
        Self { stop, coloured: Coloured::default(), in_colours, on_line, bodies: Vec::new() }
    }

    /// Coloured sweeps cut the contacts into windows of this number, not [the usual one](crate::SweepTuning::window). That is another
    /// order, with other bits.
    pub fn windows_of(mut self, contacts: usize) -> Self {
        self.coloured.cut_into_windows(contacts);
        self
    }

    /// Coloured sweeps take this path instead of the fastest one. The results are the same.
    pub fn path(mut self, path: Path) -> Self {
        self.coloured.path = path;
        self
    }

    /// Coloured sweeps on these threads, which changes no bit of the result. All sweeps end once they are cancelled.
    pub fn threads(mut self, threads: &Threads) -> Self {
        self.coloured.threads = threads.clone();
        self
    }

    /// The error of the forces that sweeps of either kind may have left in a problem with this residual.
    pub fn may_hide(problem: &Problem<D>, residual: f64) -> f64 {
        TUNING.valley[1] * hidden_by(residual, linear_size(movable(problem), D::AXES))
    }
}

/// Bodies that can move.
fn movable<D: Dimension>(problem: &Problem<D>) -> usize {
    problem.bodies.iter().filter(|body| body.inverse_mass > 0.0).count()
}

impl<D: Dimension> Solver<D> for Accelerated<D> {
    #[inline(never)]
    fn solve(&mut self, problem: &mut Problem<D>, _: Seed, _: u64) -> Solution {
        let cancellations = self.coloured.threads.cancellations();
        let span = linear_size(movable(problem), D::AXES);
        let (tolerance, max_sweeps) = match self.stop {
            Stop::Sweeps(sweeps) => (None, sweeps),
            Stop::Tolerance { tolerance, max_sweeps } => (Some(tolerance), max_sweeps),
        };
        let limits = SweepLimits::for_size(problem.rows.len(), D::AXES, max_sweeps);
        let task = AcceleratedSolve { tolerance, limits, span, initial: problem.violation_of_nothing() };
        if D::CHAIN {
            let bodies = std::mem::take(&mut self.bodies);
            let mut system = InSequence::within(problem, bodies).threads(&self.coloured.threads);
            let solution = task.solve(&mut system, &mut self.on_line, InSequence::measure);
            self.bodies = system.bodies;
            return Solution { cancelled: self.coloured.threads.cancelled_since(cancellations), ..solution };
        }
        let mut system = InColours::new(problem, &mut self.coloured);
        let solution = task.solve(&mut system, &mut self.in_colours, InColours::measure);
        self.coloured.write(&mut problem.rows);
        Solution { cancelled: self.coloured.threads.cancelled_since(cancellations), ..solution }
    }

    fn follows_the_curve(&self) -> bool {
        !D::CHAIN
    }

    fn takes(&self, problem: &Problem<D>) -> Result<(), InputError> {
        problem.refuse_moving_surfaces("the accelerated solver")
    }

    fn check(&self) -> Result<(), InputError> {
        self.stop.check()
    }
}

/// A solve: when to stop, the bodies along the edge of the system, and the violation without impulses.
struct AcceleratedSolve {
    tolerance: Option<f64>,
    limits: SweepLimits,
    span: f64,
    initial: f64,
}

impl AcceleratedSolve {
    /// Accelerated sweeps over a system whose residual and violation can be measured.
    fn solve<S: Sweepable>(
        &self,
        system: &mut S,
        AcceleratedWorkspace { momentum, history }: &mut AcceleratedWorkspace<S::Impulse>,
        measure: impl Fn(&mut S) -> [f64; 2],
    ) -> Solution {
        let Self { tolerance, limits, .. } = *self;
        history.clear();
        let (mut error, mut residual) = (f64::INFINITY, 0.0);
        let (sweeps, reached) = accelerate(system, momentum, limits, |system, inspection| {
            let last = inspection.sweeps >= limits.sweeps;
            if tolerance.is_none() && !last {
                return f64::INFINITY;
            }
            let violation;
            [residual, violation] = measure(system);
            let hidden = hidden_by(residual, self.span);
            let mut force_error = TUNING.valley[usize::from(inspection.plain)] * hidden;
            if !inspection.plain {
                force_error = force_error.min(hidden.max(history.recent_change(system, inspection.own / 2, self.span)));
            }
            // Where no answer exists impulses grow for ever, and their relative change is small.
            error = force_error.max(violation / self.initial);
            tolerance.map_or(f64::INFINITY, |tolerance| if error <= tolerance { 0.0 } else { error / tolerance })
        });
        let status = match (tolerance, reached) {
            (None, _) => Status::FixedSweeps,
            (Some(_), true) => Status::Converged,
            (Some(_), false) => Status::NotConverged,
        };
        Solution { force_error: Some(error), ..Solution::new(sweeps, residual, status) }
    }
}

/// Impulses of two earlier iterates, the older ones first, and their numbers of pairs of sweeps.
#[derive(Clone, Debug, Default)]
struct ChangeHistory<P> {
    earlier: [(u32, Vec<P>); 2],
}

impl<P: ContactVector> ChangeHistory<P> {
    fn clear(&mut self) {
        for (when, impulses) in &mut self.earlier {
            *when = 0;
            impulses.clear();
        }
    }

    /// The relative change in the last third of all pairs of sweeps, or more; infinite before there were `span` of them.
    fn recent_change(&mut self, system: &impl Sweepable<Impulse = P>, pairs: u32, span: f64) -> f64 {
        let change = change_since(&self.earlier[0].1, system);
        if f64::from(pairs) >= TUNING.change_window * f64::from(self.earlier[1].0) {
            self.earlier.swap(0, 1);
            let [_, (when, impulses)] = &mut self.earlier;
            *when = pairs;
            impulses.clear();
            impulses.extend(system.impulses());
        }
        if f64::from(pairs) < span { f64::INFINITY } else { change }
    }
}

/// The relative change of the impulses since they were these.
fn change_since<P: ContactVector>(earlier: &[P], system: &impl Sweepable<Impulse = P>) -> f64 {
    let (mut change, mut load) = (P::Number::default(), P::Number::default());
    for (contact, now) in system.impulses().enumerate() {
        let since = earlier.get(contact).map_or(now, |before| now - *before);
        change += since.dot(since);
        load += now.dot(now);
    }
    let (change, load) = (change.total(), load.total());
    if load > 0.0 { (change / load).sqrt() } else { 0.0 }
}
