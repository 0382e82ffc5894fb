//! The rigid solver of steps.

use crate::block::{Block, Coupling};
use crate::convert::{Axes, axes};
use crate::factor::price::Price;
use crate::grains::Grains;
use crate::network::{Care, Network, Spring, Springs, Which};
use crate::residuals::Misses;
use crate::stages::best::{Found, Way};
use crate::stages::cascade::find;
use hardgrain::{
    Accelerated, Coloured, Components, Dimension, Eight, Impulse, InColours, InSequence, InputError, Line, Momentum,
    Pooling, Problem, Seed, Solution, Solver, Status, Threads, accelerate,
};
use std::any::Any;

/// Contact forces to the rigid limit, by factorisation. In the plane the cost hardly grows faster than the number of grains; in space
/// factorisations fill more, accelerated sweeps come first where they are expected to cost less, and from nothing conjugate gradients
/// stand in for the first factorisations. An iteration of these is counted as a sweep.
///
/// A tolerance is one on what the contacts miss of their laws, over what there was to be solved, both in velocities
/// ([`FrictionContact::natural_error`](crate::FrictionContact::natural_error)) and in impulses. Where forces are not unique the
/// ones next to those of the last step are taken. What cannot be solved this way is handed over to accelerated sweeps, of which
/// there are `max_sweeps` then, and the report says so. On a line it is [`Pooling`], which is exact.
///
/// ```
/// use hardgrain::{ContactDynamics, Engine, Grain, Packing, Part, Plane, Wall};
/// use hardgrain_rigid::Rigid;
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // A column of 500 discs, pushed: plain sweeps would have to be a million.
/// let mut packing = Packing::<Plane>::new();
/// let wall = packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0]))?;
/// for i in 0..500 {
///     packing.add(Grain::new([0.0, 0.5 + f64::from(i)], 0.5).mass(1.0))?;
/// }
/// packing.grains[499].force = [0.0, -1.0].into();
/// let report = ContactDynamics::new(1.0, Rigid::new(1e-8, 10_000)).step(&mut packing)?;
/// assert!(report.converged() == Some(true) && report.factorisations < 40 && !report.handed_over);
/// assert!((packing.load_on(Part::Wall(wall)) - 1.0).abs() < 1e-6);
/// # Ok(()) }
/// ```
#[derive(Debug)]
pub struct Rigid<D: Dimension> {
    tolerance: f64,
    max_sweeps: u32,
    line: Grains<1, 1>,
    plane: Grains<2, 3>,
    space: Grains<3, 6>,
    sweeps: Sweeps<D>,
}

/// What sweeps work with: in colours, on a line as contacts are numbered.
#[derive(Debug)]
struct Sweeps<D: Dimension> {
    coloured: Coloured<D>,
    in_colours: Momentum<Impulse<D, Eight>>,
    on_line: Momentum<Impulse<D>>,
}

impl<D: Dimension> Rigid<D> {
    /// To this tolerance. Accelerated sweeps that help are no more than so many, and as many again if it is handed over to them.
    pub fn new(tolerance: f64, max_sweeps: u32) -> Self {
        let (line, plane, space) = (Grains::default(), Grains::default(), Grains::default());
        let sweeps =
            Sweeps { coloured: Coloured::default(), in_colours: Momentum::default(), on_line: Momentum::default() };
        Self { tolerance, max_sweeps, line, plane, space, sweeps }
    }

    /// Sweeps on these threads, which changes no bit of the result. Factorisations are made on one.
    #[must_use]
    pub fn threads(mut self, threads: &Threads) -> Self {
        self.sweeps.coloured.threads = threads.clone();
        self
    }

    /// How often the order of elimination had to be found anew: when others touch than in the step before.
    pub fn orders(&self) -> u32 {
        self.line.orders + self.plane.orders + self.space.orders
    }
}

impl<D: Dimension> Solver<D> for Rigid<D> {
    #[inline(never)]
    fn solve(&mut self, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution {
        let Self { tolerance, max_sweeps, line, plane, space, sweeps } = self;
        let asked = (*tolerance, *max_sweeps);
        if let Some(pooled) = pooled(problem, seed, step) {
            return pooled;
        }
        let solved = match D::AXES {
            1 => solve(line, sweeps, problem, asked),
            2 => solve(plane, sweeps, problem, asked),
            _ => solve(space, sweeps, problem, asked),
        };
        let mut bodies = Vec::new();
        problem.velocities(&mut bodies);
        let status = if solved.error <= asked.0 { Status::Converged } else { Status::NotConverged };
        let residual = problem.residual(&bodies);
        // Where there may be no answer forces are no better than what they miss.
        let missed = if status == Status::Converged { 0.0 } else { solved.error };
        let hidden =
            || (solved.way != Way::Interior).then(|| Accelerated::<D>::may_hide(problem, residual).max(missed));
        Solution {
            sweeps: solved.sweeps,
            residual,
            status,
            damping: 1.0,
            force_error: solved.force_error.or_else(hidden),
            factorisations: solved.factorisations,
            handed_over: solved.way == Way::HandedOver,
        }
    }

    fn follows_the_curve(&self) -> bool {
        !D::CHAIN
    }

    fn check(&self) -> Result<(), InputError> {
        if self.max_sweeps == 0 {
            return Err(InputError::range("number of sweeps", 0.0, "1 or more"));
        }
        if !(self.tolerance > 0.0 && self.tolerance < 1.0) {
            return Err(InputError::range("tolerance", self.tolerance, "above 0 and below 1"));
        }
        Ok(())
    }
}

/// On a line there is an exact answer in one go; nothing anywhere else, or where that one finds nothing.
fn pooled<D: Dimension>(problem: &mut Problem<D>, seed: Seed, step: u64) -> Option<Solution> {
    let line = (problem as &mut dyn Any).downcast_mut::<Problem<Line>>()?;
    let before: Vec<_> = line.rows.iter().map(|row| row.impulse).collect();
    let solution = Pooling.solve(line, seed, step);
    if solution.status == Status::Converged {
        return Some(Solution { sweeps: 0, ..solution });
    }
    line.rows.iter_mut().zip(before).for_each(|(row, impulse)| row.impulse = impulse);
    None
}

/// What came out.
struct Solved {
    error: f64,
    force_error: Option<f64>,
    sweeps: u32,
    factorisations: u32,
    way: Way,
}

/// Solves, and puts the answer into the problem.
fn solve<D: Dimension, const N: usize, const K: usize>(
    grains: &mut Grains<N, K>,
    sweeps: &mut Sweeps<D>,
    problem: &mut Problem<D>,
    (tolerance, max_sweeps): (f64, u32),
) -> Solved {
    if problem.rows.is_empty() {
        return Solved { error: 0.0, force_error: None, sweeps: 0, factorisations: 0, way: Way::AtOnce };
    }
    let mut held = Held::new(grains, sweeps, problem);
    let last = reactions::<D, N>(held.problem, &held.grains.order);
    let mut found = find(&mut held, &last, tolerance, max_sweeps);
    // Not where sweeps were enough and a factorisation would cost far more than all of them.
    let cost = held.price().sweeps();
    let much = cost >= CHEAP && 3.0 * cost >= f64::from(found.sweeps);
    let worth = !(much && matches!(found.way, Way::Sweeps | Way::Nearly));
    if found.way != Way::AtOnce && found.error <= tolerance && worth {
        found.mend(&mut held);
    }
    // What was right at once as it was stays so, to the last bit, unless friction has become too weak for it.
    if !matches!(found.way, Way::AtOnce | Way::Nearly) || found.reactions != last {
        held.put(&found.reactions);
    }
    let Found { error, sweeps, way, force_error, .. } = found;
    let sweeps = sweeps + (held.grains.iterations - held.before.0);
    Solved { error, force_error, sweeps, factorisations: held.factorisations(), way }
}

/// Forces that sweeps have found are mended in any case where a factorisation takes no longer than so many sweeps.
const CHEAP: f64 = 700.0;

/// While sweeps find their error to be so many times too large, it is not looked at more closely.
const FAR: f64 = 10.0;

/// The problem of a step, held by its bodies and by its contacts.
struct Held<'a, D: Dimension, const N: usize, const K: usize> {
    grains: &'a mut Grains<N, K>,
    problem: &'a mut Problem<D>,
    sweeps: &'a mut Sweeps<D>,
    axes: Vec<Axes<D>>,
    // The natural map where all reactions are 0, and iterations and factorisations before this problem.
    nothing: Misses,
    before: (u32, u32),
    // The same as sweeps measure it.
    to_solve: f64,
}

impl<'a, D: Dimension, const N: usize, const K: usize> Held<'a, D, N, K> {
    fn new(grains: &'a mut Grains<N, K>, sweeps: &'a mut Sweeps<D>, problem: &'a mut Problem<D>) -> Self {
        grains.take(problem);
        let axes = problem.rows.iter().map(|row| axes::<D>(row.contact.normal)).collect();
        let nothing = Misses::at_nothing(&grains.friction, &grains.own, &grains.free);
        let before = (grains.iterations, grains.factorisations);
        let to_solve = problem.violation_of_nothing();
        Self { grains, problem, sweeps, axes, nothing, before, to_solve }
    }

    /// Puts reactions into the problem.
    fn put(&mut self, reactions: &[Block<N>]) {
        for (&contact, reaction) in self.grains.order.iter().zip(reactions) {
            let (row, axes) = (&mut self.problem.rows[contact as usize], &self.axes[contact as usize]);
            let tangent = axes.iter().zip(&reaction[1..]);
            let tangent = tangent.fold(D::Tangent::default(), |sum, (axis, number)| sum + *axis * *number);
            row.impulse = Impulse { normal: reaction[0], tangent };
        }
    }
}

/// The reactions in a problem, in this order.
pub(crate) fn reactions<D: Dimension, const N: usize>(problem: &Problem<D>, order: &[u32]) -> Vec<Block<N>> {
    let rows = order.iter().map(|&contact| &problem.rows[contact as usize]);
    rows.map(|row| block::<D, N>(&row.impulse, &axes::<D>(row.contact.normal))).collect()
}

fn block<D: Dimension, const N: usize>(impulse: &Impulse<D>, axes: &Axes<D>) -> Block<N> {
    std::array::from_fn(|axis| if axis == 0 { impulse.normal } else { impulse.tangent.dot(axes[axis - 1]) })
}

impl<D: Dimension, const N: usize, const K: usize> Springs<N> for Held<'_, D, N, K> {
    fn free(&self) -> &[Block<N>] {
        &self.grains.free
    }

    fn friction(&self) -> &[f64] {
        &self.grains.friction
    }

    fn own(&self) -> &[Coupling<N>] {
        &self.grains.own
    }

    fn velocities(&self, reactions: &[Block<N>], velocities: &mut Vec<Block<N>>) {
        self.grains.velocities(reactions, velocities);
    }

    fn put_springs(&mut self, springs: &[Spring<N>], which: Which) -> bool {
        self.grains.put_springs(springs, which)
    }

    fn solve(&mut self, wanted: &[Block<N>], left: &mut Vec<Block<N>>, care: Care) {
        self.grains.solve(wanted, left, care);
    }
}

impl<D: Dimension, const N: usize, const K: usize> Network<N> for Held<'_, D, N, K> {
    fn sweep(&mut self, reactions: &mut Vec<Block<N>>, sweeps: u32, tolerance: f64) -> u32 {
        self.put(reactions);
        let Self { grains, problem, sweeps: own, axes, nothing, to_solve, .. } = self;
        let mut place = vec![0; grains.order.len()];
        grains.order.iter().enumerate().for_each(|(at, &contact)| place[contact as usize] = at);
        let mut take = |impulses: &mut dyn Iterator<Item = Impulse<D>>| {
            for ((impulse, axes), &at) in impulses.zip(&*axes).zip(&place) {
                reactions[at] = block::<D, N>(&impulse, axes);
            }
            grains.error(reactions, *nothing) / tolerance
        };
        // Far from the end it is enough to know about how far.
        let far = |[_, violation]: [f64; 2]| {
            Some(violation / *to_solve / tolerance).filter(|excess| *to_solve > 0.0 && *excess > FAR)
        };
        if D::CHAIN {
            let mut system = InSequence::new(problem);
            let (made, _) = accelerate(&mut system, &mut own.on_line, sweeps, |system, _| {
                far(system.measure()).unwrap_or_else(|| take(&mut system.problem.rows.iter().map(|row| row.impulse)))
            });
            take(&mut problem.rows.iter().map(|row| row.impulse));
            return made;
        }
        let mut system = InColours::new(problem, &mut own.coloured);
        let (made, _) = accelerate(&mut system, &mut own.in_colours, sweeps, |system, _| {
            far(system.measure()).unwrap_or_else(|| take(&mut system.by_contact()))
        });
        take(&mut system.by_contact());
        made
    }

    fn solve_exactly(&mut self) -> bool {
        self.grains.solve_exactly()
    }

    fn price(&self) -> Price {
        self.grains.price()
    }

    fn error(&self, reactions: &[Block<N>]) -> f64 {
        self.grains.error(reactions, self.nothing)
    }

    fn factorisations(&self) -> u32 {
        self.grains.factorisations - self.before.1
    }
}
