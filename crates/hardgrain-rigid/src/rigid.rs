//! The rigid solver of steps.

use crate::grains::GrainSystem;
use crate::network::Network;
use crate::stages::best::{Best, FinishedBy};
use crate::stages::cascade;
use crate::step::{StepNetwork, StepSweeps, reactions};
use crate::tuning::Tuning;
use hardgrain::{Accelerated, Dimension, InputError, Pooling, Problem, Seed, Solution, Solver, Status, Threads};

/// Contact forces to the rigid limit, by interior-point methods with sparse factorisations. In the plane the cost hardly grows faster than
/// the number of grains. In space factorisations fill more: accelerated sweeps come first where they are expected to cost less, and from
/// zero reactions conjugate gradients replace the first factorisations. An iteration of these counts as a sweep.
///
/// The tolerance is one on the natural map residual of the contacts, relative to that of zero reactions, both in velocities
/// ([`FrictionContact::natural_error`](crate::FrictionContact::natural_error)) and in impulses. Where forces are not unique, those
/// nearest to the last step's are taken. Where all stages fail, the solver falls back to accelerated sweeps, at most `max_sweeps`, and
/// the report says so. On a line it is [`Pooling`], which is exact.
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
/// assert!(report.converged() == Some(true) && report.factorisations < 40 && !report.fell_back);
/// assert!((packing.load_on(Part::Wall(wall)) - 1.0).abs() < 1e-6);
/// # Ok(()) }
/// ```
#[derive(Debug)]
#[must_use]
pub struct Rigid<D: Dimension> {
    tolerance: f64,
    max_sweeps: u32,
    line: GrainSystem<1, 1>,
    plane: GrainSystem<2, 3>,
    space: GrainSystem<3, 6>,
    sweeps: StepSweeps<D>,
    finished_by: Option<FinishedBy>,
}

impl<D: Dimension> Rigid<D> {
    /// To this tolerance. At most `max_sweeps` accelerated sweeps help the stages, and as many again are made if it falls back to them.
    pub fn new(tolerance: f64, max_sweeps: u32) -> Self {
        let (line, plane, space) = (GrainSystem::default(), GrainSystem::default(), GrainSystem::default());
        Self { tolerance, max_sweeps, line, plane, space, sweeps: StepSweeps::default(), finished_by: None }
    }

    /// With other constants than [`Tuning::DEFAULT`].
    pub fn tuning(mut self, tuning: Tuning) -> Self {
        (self.line.tuning, self.plane.tuning, self.space.tuning) = (tuning, tuning, tuning);
        self
    }

    /// Sweeps run on these threads, which changes no bit of the result. Factorisations run on one. All end once the threads are cancelled.
    pub fn threads(mut self, threads: &Threads) -> Self {
        self.sweeps.coloured.threads = threads.clone();
        for own in [&mut self.line.threads, &mut self.plane.threads, &mut self.space.threads] {
            own.clone_from(threads);
        }
        self
    }

    /// How often the order of elimination was computed: whenever other bodies touch than in the step before.
    pub fn orders(&self) -> u32 {
        self.line.orders + self.plane.orders + self.space.orders
    }

    /// What finished the last solve; `None` before the first and on a line.
    pub fn finished_by(&self) -> Option<FinishedBy> {
        self.finished_by
    }
}

impl<D: Dimension> Solver<D> for Rigid<D> {
    #[inline(never)]
    fn solve(&mut self, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution {
        let Self { tolerance, max_sweeps, line, plane, space, sweeps, finished_by } = self;
        let asked = (*tolerance, *max_sweeps);
        *finished_by = None;
        let threads = sweeps.coloured.threads.clone();
        let cancellations = threads.cancellations();
        if let Some(pooled) = pooled(problem, seed, step, &threads) {
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
        // Where there may be no answer the force error is at least the error.
        let missed = if status == Status::Converged { 0.0 } else { solved.error };
        *finished_by = Some(solved.finished_by);
        let hidden = || {
            (!solved.finished_by.is_by_factorisation())
                .then(|| Accelerated::<D>::may_hide(problem, residual).max(missed))
        };
        Solution {
            force_error: solved.force_error.or_else(hidden),
            factorisations: solved.factorisations,
            fell_back: solved.finished_by == FinishedBy::Fallback,
            cancelled: threads.cancelled_since(cancellations),
            ..Solution::new(solved.sweeps, residual, status)
        }
    }

    fn follows_the_curve(&self) -> bool {
        !D::CHAIN
    }

    fn takes(&self, problem: &Problem<D>) -> Result<(), InputError> {
        problem.refuse_moving_surfaces("the rigid solver")
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

/// The exact answer on a line; `None` in other dimensions, or where there is none.
fn pooled<D: Dimension>(problem: &mut Problem<D>, seed: Seed, step: u64, threads: &Threads) -> Option<Solution> {
    if D::AXES != 1 {
        return None;
    }
    let before: Vec<_> = problem.rows.iter().map(|row| row.impulse).collect();
    let solution = Pooling.solve_on(threads, problem, seed, step);
    if solution.status == Status::Converged {
        return Some(Solution { sweeps: 0, ..solution });
    }
    problem.rows.iter_mut().zip(before).for_each(|(row, impulse)| row.impulse = impulse);
    None
}

/// What the stages have found.
struct StepOutcome {
    error: f64,
    force_error: Option<f64>,
    sweeps: u32,
    factorisations: u32,
    finished_by: FinishedBy,
}

/// Solves, and puts the answer into the problem.
fn solve<D: Dimension, const N: usize, const K: usize>(
    grains: &mut GrainSystem<N, K>,
    sweeps: &mut StepSweeps<D>,
    problem: &mut Problem<D>,
    (tolerance, max_sweeps): (f64, u32),
) -> StepOutcome {
    if problem.rows.is_empty() {
        let finished_by = FinishedBy::FirstGuess;
        return StepOutcome { error: 0.0, force_error: None, sweeps: 0, factorisations: 0, finished_by };
    }
    let tuning = grains.tuning;
    let mut net = StepNetwork::new(grains, sweeps, problem);
    let last = reactions::<D, N>(net.problem, net.order());
    let mut best = cascade::solve(&mut net, &last, tolerance, max_sweeps);
    // Not where sweeps were enough and a factorisation would cost far more than all of them.
    let cost = net.cost().sweeps;
    let costly = cost >= tuning.refinement_cheap && tuning.refinement_share * cost >= f64::from(best.sweeps);
    let by_sweeps = matches!(best.finished_by, FinishedBy::Sweeps | FinishedBy::Refinement);
    let first_guess = best.finished_by == FinishedBy::FirstGuess;
    if !first_guess && best.error <= tolerance && !(costly && by_sweeps) {
        best.refine(&mut net);
    }
    // A first guess that was right stays as it is, to the last bit, unless friction has become too weak for it.
    if !(first_guess || best.finished_by == FinishedBy::Refinement) || best.reactions != last {
        net.put(&best.reactions);
    }
    let Best { error, sweeps, finished_by, force_error, .. } = best;
    let (sweeps, factorisations) = (sweeps + net.gradient_iterations(), net.factorisations());
    StepOutcome { error, force_error, sweeps, factorisations, finished_by }
}
