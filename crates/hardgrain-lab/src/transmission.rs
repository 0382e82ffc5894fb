//! Transmission of a load to the base: one contact problem, swept until the base carries the load.

use crate::clock::cpu_seconds;
use crate::settings::Error;
use crate::watch::Progress;
use hardgrain::{
    Accelerated, Coloured, Components, ContactDynamics, Dimension, Engine, GaussSeidel, Impulse, InColours, InSequence,
    InputError, Inspection, Momentum, Order, Packing, Part, Problem, Seed, Solution, Solver, Status, Stop, SweepLimits,
    accelerate,
};
use hardgrain_rigid::{Certificate, Rigid};
use hardgrain_run::theory_order;
use hardgrain_theory::rigidity;
use serde::Serialize;
use std::sync::{Arc, Mutex};

/// The load is inspected after this share of the plain sweeps made so far.
const LOOK: f64 = 0.01;
/// The load counts as right if it stays within the tolerance for this share of the sweeps more; accelerated ones make waves,
/// which come back.
const STAYS: f64 = 0.2;
const STAYS_IN_WAVES: f64 = 1.0;
/// A solve is given up after this many times the sweeps that were expected.
const PATIENCE: f64 = 100.0;
/// Steps of a running simulation, and by how many tolerances its load grows in each.
const STEPS: u32 = 5;
const GROWS: f64 = 10.0;
/// The running simulation itself is more exact than what is measured by this factor.
const EXACT: f64 = 1e-2;
const EXACT_SWEEPS: u32 = 200_000;
/// Relative tolerance of the contact laws for the rigid solver.
const RIGID: f64 = 1e-8;

/// What sweeps.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum LimitSolver {
    /// Plain sweeps in random order, the paper's.
    #[default]
    GaussSeidel,
    /// Accelerated sweeps.
    Accelerated,
    /// The rigid solver: factorisations.
    Rigid,
}

impl LimitSolver {
    /// All there are.
    pub const ALL: [Self; 3] = [Self::GaussSeidel, Self::Accelerated, Self::Rigid];

    /// As on the command line.
    pub fn name(self) -> &'static str {
        ["gauss-seidel", "accelerated", "rigid"][self as usize]
    }
}

/// Solves load problems, one after the other.
#[derive(Debug)]
pub(crate) struct LoadSolver<D: Dimension> {
    method: LimitSolver,
    tolerance: f64,
    seed: u64,
    // Reuses its analysis of the contact network in the next problem.
    rigid: Rigid<D>,
}

impl<D: Dimension> LoadSolver<D> {
    /// By this method, to this error of the load.
    pub(crate) fn new(method: LimitSolver, tolerance: f64, seed: u64) -> Self {
        Self { method, tolerance, seed, rigid: Rigid::new(RIGID, EXACT_SWEEPS) }
    }
}

/// A contact problem with a first guess, and what its base must carry in the end.
#[derive(Clone, Debug)]
pub(crate) struct LoadProblem<D: Dimension> {
    pub(crate) contacts: Problem<D>,
    load: f64,
    base: Base<D>,
}

/// What the load is to reach: all walls, and the direction in which it presses on them.
#[derive(Clone, Copy, Debug)]
struct Base<D: Dimension> {
    // The number of the first wall among the bodies of a problem.
    first: u32,
    down: D::Vector<f64>,
}

impl<D: Dimension> Base<D> {
    /// The base under a piston, or the wall at the end of a chain.
    fn find(packing: &Packing<D>) -> Self {
        let first = u32::try_from(packing.body(Part::Wall(0))).expect("parts are counted in 32 bits");
        let down = packing.pistons.first().map_or(-packing.walls[0].normal, |piston| piston.normal);
        Self { first, down }
    }

    /// The load that walls carry, those at the sides by friction.
    fn carries(&self, contacts: &Problem<D>) -> f64 {
        let on_walls = contacts.rows.iter().filter(|row| row.second >= self.first);
        on_walls.fold(0.0, |sum, row| {
            let pushes = row.contact.normal * row.impulse.normal + D::lift(row.contact.normal, row.impulse.tangent);
            sum + pushes.dot(self.down)
        })
    }
}

/// The work of a solve.
#[derive(Clone, Copy, Debug, Default)]
pub(crate) struct SolveCost {
    pub(crate) sweeps: f64,
    pub(crate) factorisations: f64,
    pub(crate) seconds: f64,
    /// The part of the load that is still missing at the end.
    pub(crate) error: f64,
}

impl<D: Dimension> LoadProblem<D> {
    /// The step of a packing at rest, from a zero first guess.
    pub(crate) fn cold(packing: &Packing<D>, load: f64) -> Result<Self, Error> {
        let mut engine: ContactDynamics<D> = ContactDynamics::new(1.0, plain(1)).cold_start();
        engine.step(&mut packing.clone())?;
        let mut contacts = engine.problem().clone();
        contacts.rows.iter_mut().for_each(|row| row.impulse = Impulse::default());
        Ok(Self { contacts, load, base: Base::find(packing) })
    }

    /// Steps of a running simulation, each starting from the answer of the last. `press` multiplies the load by a factor.
    pub(crate) fn running(
        packing: &Packing<D>,
        press: impl Fn(&mut Packing<D>, f64),
        (method, tolerance): (LimitSolver, f64),
        watch: &dyn Progress,
    ) -> Result<Vec<Self>, Error> {
        let mut packing = packing.clone();
        let warm = Arc::new(Mutex::new(None));
        let stop = Stop::Tolerance { tolerance: EXACT * tolerance, max_sweeps: EXACT_SWEEPS };
        let inner: Box<dyn Solver<D>> = match method {
            LimitSolver::Rigid => Box::new(Rigid::new(RIGID, EXACT_SWEEPS)),
            LimitSolver::GaussSeidel | LimitSolver::Accelerated => Box::new(Accelerated::new(stop)),
        };
        let noting = Noting { inner, warm: Arc::clone(&warm) };
        let mut engine: ContactDynamics<D> = ContactDynamics::new(1.0, noting);
        let mut questions = Vec::new();
        for step in 0..=STEPS {
            engine.step(&mut packing)?;
            watch.alive();
            let before = warm.lock().expect("nobody else holds it").take().expect("a step solves a problem");
            let base = Base::find(&packing);
            // The first step only finds the forces of a packing at rest.
            if step > 0 {
                questions.push(Self { contacts: before, load: base.carries(engine.problem()), base });
            }
            press(&mut packing, 1.0 + GROWS * tolerance);
        }
        Ok(questions)
    }

    /// How much of the load does not arrive.
    fn missing(&self, contacts: &Problem<D>) -> f64 {
        (1.0 - self.base.carries(contacts) / self.load).abs()
    }

    /// Sweeps until the load on the base stays within the tolerance.
    pub(crate) fn answer(&self, asked: &mut LoadSolver<D>, watch: &dyn Progress) -> Result<SolveCost, Error> {
        let LoadSolver { method, tolerance, seed, rigid } = asked;
        let (tolerance, seed) = (*tolerance, *seed);
        let movable = self.contacts.bodies.iter().filter(|body| body.inverse_mass > 0.0).count() as f64;
        let chain = rigidity::sweeps_for_error(theory_order(Order::RandomSweep).q(), movable.max(2.0), tolerance);
        match method {
            LimitSolver::GaussSeidel => self.by_plain_sweeps(tolerance, seed, PATIENCE * chain, watch),
            LimitSolver::Accelerated => self.by_accelerated_sweeps(tolerance, PATIENCE * chain, watch),
            LimitSolver::Rigid => self.by_factorisations(tolerance, rigid),
        }
    }

    /// Solves to the tolerance of the rigid solver, whatever the error of the load at the base.
    fn by_factorisations(&self, tolerance: f64, rigid: &mut Rigid<D>) -> Result<SolveCost, Error> {
        let mut contacts = self.contacts.clone();
        let began = cpu_seconds();
        let found = rigid.solve(&mut contacts, Seed(0), 0);
        let (sweeps, factorisations) = (f64::from(found.sweeps), f64::from(found.factorisations));
        let seconds = cpu_seconds() - began;
        // What walls must carry in a running step is known from this solver itself, with an uncertainty.
        let mut walls = Certificate::compute(&contacts).boundaries;
        walls.retain(|carried| carried.body >= self.base.first);
        let doubts = walls.iter().fold(0.0, |sum, load| sum + load.uncertainty.unwrap_or(f64::INFINITY));
        let doubt = if walls.is_empty() { f64::INFINITY } else { doubts / self.load };
        let error = self.missing(&contacts).max(doubt);
        if found.status != Status::Converged {
            let said = format!(
                "the rigid solver has not come to {RIGID:.0e} of what contacts may miss of their laws after {factorisations} factorisations and {sweeps} sweeps; the load at the base is wrong by {error:.1e}"
            );
            return Err(Error::Unfinished(said));
        }
        if error > tolerance {
            let said = format!(
                "contacts keep their laws to {RIGID:.0e}, but walls carry {:.6} of the load, give or take {doubt:.1e}; a larger --tolerance or another --seed may do",
                self.base.carries(&contacts) / self.load
            );
            return Err(Error::Unfinished(said));
        }
        Ok(SolveCost { sweeps, factorisations, seconds, error })
    }

    fn by_plain_sweeps(&self, tolerance: f64, seed: u64, most: f64, watch: &dyn Progress) -> Result<SolveCost, Error> {
        let mut contacts = self.contacts.clone();
        let began = cpu_seconds();
        let (mut sweeps, mut error, mut round) = (0.0, self.missing(&contacts), 0);
        let cost = |sweeps, error| SolveCost { sweeps, seconds: cpu_seconds() - began, error, ..SolveCost::default() };
        let mut crossed: Option<SolveCost> = (error <= tolerance).then(|| cost(0.0, error));
        loop {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a share of the sweeps so far")]
            let more = ((LOOK * sweeps) as u32).max(1);
            Solver::<D>::solve(&mut plain(more), &mut contacts, Seed(seed), round);
            watch.alive();
            let next = self.missing(&contacts);
            if next > tolerance {
                crossed = None;
            } else if crossed.is_none() {
                // Errors fall exponentially: where in between it crossed.
                let share = if next > 0.0 { (error / tolerance).ln() / (error / next).ln() } else { 1.0 };
                crossed = Some(cost(sweeps + share * f64::from(more), next));
            }
            (sweeps, error, round) = (sweeps + f64::from(more), next, round + 1);
            if let Some(work) = crossed
                && sweeps >= (1.0 + STAYS) * work.sweeps
            {
                return Ok(work);
            }
            if sweeps > most {
                return Err(given_up(sweeps, error));
            }
        }
    }

    fn by_accelerated_sweeps(&self, tolerance: f64, most: f64, watch: &dyn Progress) -> Result<SolveCost, Error> {
        let mut contacts = self.contacts.clone();
        let began = cpu_seconds();
        let mut error = self.missing(&contacts);
        // Since when the load is right, and after how many sweeps: of the accelerated ones and of the plain ones that run in parallel.
        let cost = |sweeps, error| SolveCost { sweeps, seconds: cpu_seconds() - began, error, ..SolveCost::default() };
        let mut crossed = [(error <= tolerance).then(|| (cost(0.0, error), 0)); 2];
        let mut work = None;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a limit")]
        let most = most.min(f64::from(u32::MAX)) as u32;
        let mut look = |contacts: &Problem<D>, look: Inspection| {
            watch.alive();
            error = self.missing(contacts);
            let crossed = &mut crossed[usize::from(look.plain)];
            if error > tolerance {
                *crossed = None;
                return error / tolerance;
            }
            let (since, own) = *crossed.get_or_insert_with(|| (cost(f64::from(look.sweeps), error), look.own));
            let stays = f64::from(look.own) >= (1.0 + STAYS_IN_WAVES) * f64::from(own);
            work = stays.then_some(since);
            if stays { 0.0 } else { 1.0 + f64::EPSILON }
        };
        // As `Accelerated` does it.
        let most = SweepLimits::for_size(contacts.rows.len(), D::AXES, most);
        let (sweeps, good) = if D::CHAIN {
            let mut system = InSequence::new(&mut contacts);
            accelerate(&mut system, &mut Momentum::default(), most, |system, moment| look(system.problem, moment))
        } else {
            let mut colours = Coloured::default();
            let mut system = InColours::new(&self.contacts, &mut colours);
            accelerate(&mut system, &mut Momentum::default(), most, |system, moment| {
                system.write(&mut contacts.rows);
                look(&contacts, moment)
            })
        };
        work.filter(|_| good).ok_or_else(|| given_up(f64::from(sweeps), error))
    }
}

fn given_up(sweeps: f64, error: f64) -> Error {
    Error::Unfinished(format!("after {sweeps} sweeps the load at the base is still wrong by {error:.1e}"))
}

fn plain<D: Dimension>(sweeps: u32) -> GaussSeidel<D> {
    GaussSeidel::new(Order::RandomSweep, Stop::Sweeps(sweeps))
}

/// Records the problem of a step before it is solved.
#[derive(Debug)]
struct Noting<D: Dimension> {
    inner: Box<dyn Solver<D>>,
    warm: Arc<Mutex<Option<Problem<D>>>>,
}

impl<D: Dimension> Solver<D> for Noting<D> {
    fn solve(&mut self, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution {
        *self.warm.lock().expect("nobody else holds it") = Some(problem.clone());
        self.inner.solve(problem, seed, step)
    }

    fn takes(&self, problem: &Problem<D>) -> Result<(), InputError> {
        self.inner.takes(problem)
    }
}
