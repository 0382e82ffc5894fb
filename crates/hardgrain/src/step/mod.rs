//! The time step: engines, and one step of Contact Dynamics, act by act.

pub mod acts;
mod advance;
mod freeze;
mod report;

pub use freeze::Shock;
pub(crate) use freeze::finite;
pub use report::StepReport;

use crate::dimension::Dimension;
use crate::error::{Failure, InputError, StepError};
use crate::packing::{Packing, Pair};
use crate::problem::{Body, Morton, Problem};
use crate::random::Seed;
use crate::search::{Candidates, Strides, undetected};
use crate::solver::{Solution, Solver};
use crate::threads::Threads;
use crate::tuning::StepTuning;
use advance::{advance, check_motion, overlaps, remember, span};
use freeze::{Bounce, Freeze, limit_bounces, predict};

const TUNING: StepTuning = StepTuning::DEFAULT;

/// Moves a packing forward in time.
pub trait Engine<D: Dimension>: Send {
    /// Makes one step.
    ///
    /// # Errors
    /// When the packing or a setting is invalid, a number is no longer finite or the step was cancelled; the packing is then unchanged.
    fn step(&mut self, packing: &mut Packing<D>) -> Result<StepReport, StepError>;

    /// The contact problem of the last step with its answer, if steps solve one.
    fn problem(&self) -> Option<&Problem<D>> {
        None
    }
}

/// Contact Dynamics of rigid grains. It holds settings and workspace; the state is the packing.
///
/// ```
/// use hardgrain::{ContactDynamics, Engine, GaussSeidel, Grain, Order, Packing, Plane, Stop, Wall};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut packing = Packing::<Plane>::new();
/// packing.gravity = [0.0, -1.0].into();
/// packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0]))?;
/// packing.add(Grain::new([0.0, 0.5], 0.5))?;
///
/// let mut engine = ContactDynamics::new(0.01, GaussSeidel::new(Order::RandomSweep, Stop::Sweeps(40)));
/// let report = engine.step(&mut packing)?;
/// assert!(report.contacts == 1 && report.kinetic_energy < 1e-20);
/// # Ok(()) }
/// ```
#[derive(Debug)]
#[must_use]
pub struct ContactDynamics<D: Dimension> {
    /// The time step h.
    pub time_step: f64,
    /// The seed of random orders.
    pub seed: Seed,
    /// The shock law.
    pub shock: Shock,
    /// Whether a step starts from the reactions of the last one. Without this, apparent elasticity becomes creep.
    pub warm_start: bool,
    /// The speed of approach below which contacts do not bounce.
    pub rest_speed: f64,
    solver: Box<dyn Solver<D>>,
    threads: Threads,
    candidates: Candidates<D>,
    strides: Strides,
    wider_strides: Strides,
    pairs: Vec<Pair<D>>,
    morton: Morton,
    problem: Problem<D>,
    bounces: Vec<Bounce>,
    velocities: Vec<Body<D>>,
    was_loaded: Vec<bool>,
}

impl<D: Dimension> ContactDynamics<D> {
    /// Steps of this length with this solver: warm start, quasi-inelastic shocks, seed 0.
    pub fn new(time_step: f64, solver: impl Solver<D> + 'static) -> Self {
        Self {
            time_step,
            seed: Seed(0),
            shock: Shock::QuasiInelastic,
            warm_start: true,
            rest_speed: 0.0,
            solver: Box::new(solver),
            threads: Threads::default(),
            candidates: Candidates::default(),
            strides: Strides::default(),
            wider_strides: Strides::default(),
            pairs: Vec::new(),
            morton: Morton::default(),
            problem: Problem::default(),
            bounces: Vec::new(),
            velocities: Vec::new(),
            was_loaded: Vec::new(),
        }
    }

    /// The same with this seed.
    pub fn seed(self, seed: u64) -> Self {
        Self { seed: Seed(seed), ..self }
    }

    /// The same with this shock law.
    pub fn shock(self, shock: Shock) -> Self {
        Self { shock, ..self }
    }

    /// The same, each step starting from zero reactions.
    pub fn cold_start(self) -> Self {
        Self { warm_start: false, ..self }
    }

    /// The same on these threads; the results are the same bit for bit. A solver has threads of its own: those that are to be cancelled have
    /// to be given to both.
    pub fn threads(self, threads: &Threads) -> Self {
        Self { threads: threads.clone(), ..self }
    }

    /// The pairs of the last step, sorted by identity, as they were when it began.
    pub fn pairs(&self) -> &[Pair<D>] {
        &self.pairs
    }

    /// The contact problem of the last step with its answer, one row for each of the [`pairs`](Self::pairs).
    pub fn problem(&self) -> &Problem<D> {
        &self.problem
    }

    /// The acts of a step, in order.
    fn act(&mut self, packing: &mut Packing<D>) -> Result<StepReport, Failure> {
        let h = self.time_step;
        let span = span(packing);
        predict(packing, h, &mut self.problem.bodies, &self.threads)?;
        if self.solver.follows_the_curve() {
            let grains = packing.grains.iter().map(|grain| (grain.position, grain.radius));
            let boundaries = packing.pistons.len() + packing.walls.len();
            self.morton.places::<D>(grains, boundaries, &mut self.problem.curve);
        }
        let (solution, missed) = self.solve(packing)?;
        remember(packing, &self.pairs, &self.problem, &self.velocities, (h, self.rest_speed), &self.was_loaded);
        advance(packing, &self.velocities, h, &self.threads);
        let (overlap_max, overlap_mean) = overlaps(packing, &self.pairs);
        Ok(StepReport {
            pairs: self.pairs.len(),
            contacts: packing.memory.len(),
            sweeps: solution.sweeps,
            residual: solution.residual,
            force_error: StepReport::force_error(&solution, span),
            status: solution.status,
            factorisations: solution.factorisations,
            fell_back: solution.fell_back,
            damping: solution.damping,
            overlap_max,
            overlap_mean,
            missed,
            kinetic_energy: packing.kinetic_energy(),
            contact_work: self.problem.work(&self.velocities),
        })
    }

    /// detect, recall, freeze and solve, repeated if contacts have made grains so fast that they would meet undetected.
    /// Returns the solution and the number of contacts that are still missed.
    fn solve(&mut self, packing: &Packing<D>) -> Result<(Solution, usize), Failure> {
        let h = self.time_step;
        self.strides.predict(packing, &self.problem.bodies, h);
        let Self { shock, warm_start, .. } = *self;
        let freeze = Freeze { packing, step: h, shock, warm_start, threads: &self.threads.clone() };
        let mut searches = 1;
        loop {
            self.candidates.detect(packing, &self.strides, &mut self.pairs, &self.threads)?;
            freeze.freeze(&self.pairs, &mut self.problem, &mut self.bounces, &mut self.was_loaded);
            self.solver.takes(&self.problem)?;
            let solution = self.solve_bounces(packing.step)?;
            check_motion(packing, &self.velocities, h, &self.threads)?;
            if !self.wider_strides.widen(&self.strides, packing, &self.velocities, h) {
                return Ok((solution, 0));
            }
            let mut undetected = undetected(packing, &self.pairs, &self.velocities, h);
            let mut missed = 0;
            let count = |wider: &[Pair<D>]| missed += undetected(wider);
            self.candidates.detect_in_chunks(packing, &self.wider_strides, &self.threads, count)?;
            if missed == 0 || searches == TUNING.searches {
                return Ok((solution, missed));
            }
            std::mem::swap(&mut self.strides, &mut self.wider_strides);
            searches += 1;
        }
    }

    /// solve, repeated while bounces return more energy than their closing dissipated. Each solve starts from the answer of
    /// the one before, so all their sweeps count. Fails if one is cancelled.
    fn solve_bounces(&mut self, step: u64) -> Result<Solution, Failure> {
        let (mut solves, mut sweeps, mut factorisations, mut fell_back) = (1, 0, 0, false);
        loop {
            let mut solution = self.solver.solve_on(&self.threads, &mut self.problem, self.seed, step);
            if solution.cancelled || self.threads.is_cancelled() {
                return Err(Failure::Cancelled);
            }
            sweeps += solution.sweeps;
            factorisations += solution.factorisations;
            fell_back |= solution.fell_back;
            solution = Solution { sweeps, factorisations, fell_back, ..solution };
            self.solver.velocities(&self.problem, &mut self.velocities);
            if solves == TUNING.solves || !limit_bounces(&mut self.problem, &self.bounces, &self.velocities) {
                return Ok(solution);
            }
            solves += 1;
        }
    }

    fn check(&self, packing: &Packing<D>) -> Result<(), Failure> {
        self.threads.check()?;
        self.solver.check()?;
        check_time_step(self.time_step)?;
        if self.rest_speed.is_nan() || self.rest_speed < 0.0 {
            return Err(InputError::range("rest speed", self.rest_speed, "0 or more").into());
        }
        if packing.step == 0 {
            packing.check()?;
        } else {
            packing.check_parts()?;
        }
        Ok(())
    }
}

/// Refuses steps that make no sense, and those so short that 1/h overflows: they would make infinite reactions.
pub(crate) fn check_time_step(step: f64) -> Result<(), InputError> {
    let good = step > 0.0 && step.is_finite() && (1.0 / step).is_finite();
    if good { Ok(()) } else { Err(InputError::range("time step", step, "finite and above 0")) }
}

impl<D: Dimension> Engine<D> for ContactDynamics<D> {
    #[inline(never)]
    fn step(&mut self, packing: &mut Packing<D>) -> Result<StepReport, StepError> {
        let step = packing.step;
        self.check(packing).and_then(|()| self.act(packing)).map_err(|failure| StepError { step, failure })
    }

    fn problem(&self) -> Option<&Problem<D>> {
        Some(&self.problem)
    }
}
