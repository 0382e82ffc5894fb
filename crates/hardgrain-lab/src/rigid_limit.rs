//! What rigidity costs: how many sweeps a load takes from top to bottom, against the size of the system.
//!
//! A packing at rest under its load is solved from nothing. The base must carry the whole load, or all walls together if there
//! are walls at the sides to lean on. Sweeps are counted until the load that reaches the base is right to a given error, and
//! stays right. A residual would not do: slow motions change little long before they are right. Then the load grows in every
//! step, by ten times that error, nine by the lid and one by the weight of the grains: these are steps of a running simulation,
//! which start from what the last one has found. (By the lid alone all forces would grow by the same factor, which is easily
//! guessed.) A chain is only pressed harder.
//!
//! The paper's estimate is about contacts that stick. So each problem is solved twice: as it is, and with friction that never
//! lets go.

use crate::cache::PackingCache;
use crate::estimate::{self, exact, exponent, keys, mean_of_all, unsure};
use crate::line::row;
use crate::piston;
use crate::preparation::height;
use crate::recipe::PackingSettings;
use crate::ring_down;
use crate::settings::{Error, Validate, each_within, ensure, positive, seeds, within};
use crate::transmission::{LimitSolver, LoadProblem, LoadSolver, SolveCost};
use crate::watch::{Progress, side_by_side};
use hardgrain::{Dimension, Line, Order, Packing, Plane, Space};
use hardgrain_analysis::Estimate;
use hardgrain_run::theory_order;
use hardgrain_theory::{rigidity, standing_wave};
use serde::Serialize;

/// With fewer discs or spheres there is no packing.
const FEWEST: u32 = 10;

/// Most packings of one size.
const PACKINGS_MAX: u32 = 100;

/// What to run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RigidLimitSettings {
    /// 1: a chain, 2: discs, 3: spheres.
    pub dimension: u32,
    /// Numbers of grains, one row of the result each.
    pub sizes: Vec<u32>,
    /// The solver.
    pub solver: LimitSolver,
    /// Others that solve the same, to compare with.
    pub beside: Vec<LimitSolver>,
    /// Walls at the sides, which carry some of the load by friction; otherwise it is periodic sideways.
    pub walls: bool,
    /// The tolerated relative error of the transmitted load.
    pub tolerance: f64,
    /// How many packings of each size, with seeds from the first on.
    pub packings: u32,
    /// Coulomb's coefficient.
    pub friction: f64,
    /// The first seed.
    pub seed: u64,
}

impl Default for RigidLimitSettings {
    fn default() -> Self {
        Self {
            dimension: 2,
            sizes: Self::usual_sizes(2),
            solver: LimitSolver::GaussSeidel,
            beside: Vec::new(),
            walls: false,
            tolerance: 0.01,
            packings: 3,
            friction: 0.05,
            seed: 1,
        }
    }
}

impl RigidLimitSettings {
    /// Sizes that show the exponent within a few minutes.
    pub fn usual_sizes(dimension: u32) -> Vec<u32> {
        match dimension {
            1 => vec![50, 100, 200, 400],
            2 => vec![125, 250, 500, 1000],
            _ => vec![250, 500, 1000, 2000],
        }
    }

    /// The packing with this seed.
    pub(crate) fn packing(&self, grains: u32, seed: u64) -> PackingSettings {
        let (dimension, friction) = (self.dimension, self.friction);
        PackingSettings { grains, dimension, friction, seed, periodic: !self.walls, ..PackingSettings::default() }
    }
}

impl Validate for RigidLimitSettings {
    fn check(&self) -> Result<(), Error> {
        within("dimension", self.dimension, 1, 3)?;
        within("packings", self.packings, 1, PACKINGS_MAX)?;
        positive("tolerance", self.tolerance)?;
        ensure(self.tolerance < 0.5, "tolerance", || {
            format!("{} is no error to ask for; take less than 0.5", self.tolerance)
        })?;
        each_within("sizes", &self.sizes, if self.dimension == 1 { 2 } else { FEWEST }, 1_000_000)?;
        let frictional = self.friction >= 0.0 && self.friction.is_finite();
        ensure(frictional, "friction", || format!("{} is not 0 or more", self.friction))?;
        for (at, size) in self.sizes.iter().enumerate() {
            ensure(!self.sizes[..at].contains(size), "sizes", || format!("{size} is there twice"))?;
        }
        ensure(!self.walls || self.dimension > 1, "walls", || "a chain has no sides".into())?;
        let packed = self.sizes.iter().filter(|_| self.dimension > 1);
        packed.map(|&size| self.packing(size, 0)).try_for_each(|packing| packing.check())
    }
}

/// One size.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SizeRow {
    /// Grains.
    pub grains: u32,
    /// Mean height over mean diameter, L/d.
    pub length: f64,
    /// For plain sweeps: the paper's N_I = (L/d)²/q, for a force error of about a tenth; then for the error asked for, both with
    /// q of a chain.
    pub predicted_rigid: f64,
    /// N_I(ε) = (4/π²)(L/d)² ln(1/ε)/q.
    pub predicted: f64,
    /// The same with the slowest wave of each packing, ln(4/(π ε))/(2 q β); for a chain with its lattice. Nothing where some
    /// packing has no single wave.
    pub springs: Option<f64>,
    /// Mean over packings.
    #[serde(flatten, serialize_with = "keys::sweeps")]
    pub sweeps: Estimate,
    /// The same if no contact could slide: mean over packings.
    #[serde(flatten, serialize_with = "keys::sticking")]
    pub sticking: Estimate,
    /// Median over packings of the seconds of work of one solve, for each the median of several.
    pub seconds: f64,
    /// The same per step of a running simulation: mean over packings.
    #[serde(flatten, serialize_with = "keys::running")]
    pub running: Estimate,
    /// Median seconds of work of one step.
    pub running_seconds: f64,
    /// Mean number of contacts.
    pub contacts: f64,
    /// Factorisations of one solve, mean over packings; 0 where sweeps are enough.
    pub factorisations: f64,
    /// The same per step of a running simulation.
    pub running_factorisations: f64,
    /// How much of the load was missing at the end of a solve, at most; with the rigid solver, or is in doubt.
    pub load_error: f64,
    /// The same in steps of a running simulation.
    pub running_load_error: f64,
}

impl SizeRow {
    /// Updates of contacts in this number of sweeps.
    pub fn updates(&self, sweeps: Estimate) -> Estimate {
        Estimate { value: self.contacts * sweeps.value, error: self.contacts * sweeps.error }
    }
}

/// How sweeps and work grow.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct GrowthExponents {
    /// Sweeps ~ n to this power.
    #[serde(flatten, serialize_with = "keys::sweeps_exponent")]
    pub sweeps: Option<Estimate>,
    /// Sweeps ~ L to this power.
    #[serde(flatten, serialize_with = "keys::length_exponent")]
    pub length: Option<Estimate>,
    /// Seconds ~ n to this power.
    #[serde(flatten, serialize_with = "keys::work_exponent")]
    pub work: Option<Estimate>,
    /// Factorisations ~ n to this power.
    #[serde(flatten, serialize_with = "keys::factorisations_exponent")]
    pub factorisations: Option<Estimate>,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct RigidLimitResult {
    /// "rigid-limit".
    pub experiment: &'static str,
    /// What was asked.
    pub settings: RigidLimitSettings,
    /// Plain sweeps: N_I ~ L², 2/D in n, and one more for the work. Accelerated ones: N_I ~ L.
    pub predicted: GrowthExponents,
    /// The same fit through the plain sweeps that the slowest wave of each packing needs.
    pub springs: GrowthExponents,
    /// Measurement, if no contact could slide.
    pub sticking: GrowthExponents,
    /// Measurement.
    pub measured: GrowthExponents,
    /// Measurement, per step of a running simulation.
    pub running: GrowthExponents,
    /// One for each size.
    pub rows: Vec<SizeRow>,
    /// What others took for the same.
    pub beside: Vec<Self>,
}

/// Runs the experiment.
///
/// # Errors
/// When a setting makes no sense, a packing does not come to rest, or the load never reaches the base.
pub fn run(
    settings: &RigidLimitSettings,
    cache: &PackingCache,
    watch: &dyn Progress,
) -> Result<RigidLimitResult, Error> {
    settings.check()?;
    match settings.dimension {
        1 => compared(settings, &chains(settings), watch),
        2 => compared(settings, &packings::<Plane>(settings, cache, watch)?, watch),
        _ => compared(settings, &packings::<Space>(settings, cache, watch)?, watch),
    }
}

/// The systems of each size, solved by each method.
fn compared<D: Dimension>(
    settings: &RigidLimitSettings,
    sizes: &[Vec<Loaded<D>>],
    watch: &dyn Progress,
) -> Result<RigidLimitResult, Error> {
    let by = |solver: LimitSolver| {
        let settings = RigidLimitSettings { solver, beside: Vec::new(), ..settings.clone() };
        let rows = sizes.iter().map(|systems| size_row(&settings, systems, watch)).collect::<Result<_, _>>()?;
        Ok(summed_up(settings, rows))
    };
    let own = by(settings.solver)?;
    let beside = settings.beside.iter().copied().map(by).collect::<Result<_, Error>>()?;
    Ok(RigidLimitResult { settings: settings.clone(), beside, ..own })
}

fn summed_up(settings: RigidLimitSettings, rows: Vec<SizeRow>) -> RigidLimitResult {
    let in_length = match settings.solver {
        LimitSolver::GaussSeidel => Some(2.0),
        LimitSolver::Accelerated => Some(1.0),
        // The number of factorisations should not grow; the cost of one depends on its fill-in.
        LimitSolver::Rigid => None,
    };
    let per_grain = in_length.map(|power: f64| power / f64::from(settings.dimension));
    let predicted = GrowthExponents {
        sweeps: per_grain.map(unsure),
        length: in_length.map(unsure),
        work: per_grain.map(|power| unsure(1.0 + power)),
        factorisations: in_length.is_none().then_some(unsure(0.0)),
    };
    let some = |sweeps: Estimate| Some(sweeps).filter(|sweeps| sweeps.value > 0.0);
    let in_grains = |of: fn(&SizeRow) -> f64| exponent(rows.iter().map(|row| (f64::from(row.grains), exact(of(row)))));
    // No power law where sweeps sufficed in some solves, or replaced most of the factorisations.
    let factorisations =
        |of: fn(&SizeRow) -> f64| in_grains(of).filter(|_| rows.iter().all(|row| of(row) >= FACTORISED));
    let measured = GrowthExponents {
        work: in_grains(|row| row.seconds),
        factorisations: factorisations(|row| row.factorisations),
        ..growth(&rows, |row| some(row.sweeps))
    };
    let running = GrowthExponents {
        work: in_grains(|row| row.running_seconds),
        factorisations: factorisations(|row| row.running_factorisations),
        ..growth(&rows, |row| some(row.running))
    };
    let sticking = growth(&rows, |row| some(row.sticking));
    let springs = growth(&rows, |row| row.springs.map(exact));
    let (experiment, beside) = ("rigid-limit", Vec::new());
    RigidLimitResult { experiment, settings, predicted, springs, sticking, measured, running, rows, beside }
}

/// What a system took.
struct SolvedPacking {
    sticking: f64,
    cold: SolveCost,
    // Of the mean step.
    running: SolveCost,
    contacts: usize,
}

/// A solve with fewer factorisations is one by sweeps and gradients.
const FACTORISED: f64 = 4.0;
/// Friction that never lets go.
const STICKS: f64 = 1e12;
/// The share of a running step's load that grains add by their weight.
const BY_WEIGHT: f64 = 0.1;
/// A solve from nothing is repeated this many times for its time, or until that has taken this many seconds.
const TIMED: (usize, f64) = (5, 5.0);

/// A system under a load, and what is known of it.
struct Loaded<D: Dimension> {
    grains: u32,
    seed: u64,
    packing: Packing<D>,
    length: f64,
    springs: Option<f64>,
    load: f64,
    // Makes the load larger by a factor.
    press: fn(&mut Packing<D>, f64),
}

/// The packings of each size.
fn packings<D: Dimension>(
    settings: &RigidLimitSettings,
    cache: &PackingCache,
    watch: &dyn Progress,
) -> Result<Vec<Vec<Loaded<D>>>, Error> {
    let seeds = seeds(settings.seed, settings.packings);
    let prepared = |grains: u32, seed: u64| {
        let packing = cache.packing::<D>(&settings.packing(grains, seed), watch)?.packing;
        let soft = ring_down::springs(Order::RandomSweep, &packing, |bodies| piston::push(&packing, bodies))
            .map_err(|error| of_packing(grains, seed, error))?;
        let springs = soft.and_then(|soft| Some(springs(soft.q()?, soft.rate(), settings.tolerance)));
        let (length, load) = (height(&packing), packing.pistons[0].force);
        Ok(Loaded { grains, seed, packing, length, springs, load, press: press_lid })
    };
    settings.sizes.iter().map(|&grains| side_by_side(&seeds, watch, |&seed| prepared(grains, seed))).collect()
}

/// An error with the packing in which it occurred.
fn of_packing(grains: u32, seed: u64, error: Error) -> Error {
    match error {
        Error::Unfinished(why) => Error::Unfinished(format!("{grains} grains, seed {seed}: {why}")),
        other => other,
    }
}

/// Nine parts by the lid and one by the weight of the grains.
fn press_lid<D: Dimension>(packing: &mut Packing<D>, factor: f64) {
    let mass: f64 = packing.grains.iter().map(|grain| grain.mass).sum();
    let piston = &mut packing.pistons[0];
    packing.gravity += piston.normal * (BY_WEIGHT * (factor - 1.0) * piston.force / mass);
    piston.force *= 1.0 + (1.0 - BY_WEIGHT) * (factor - 1.0);
}

/// The same chain for each seed, of each size.
fn chains(settings: &RigidLimitSettings) -> Vec<Vec<Loaded<Line>>> {
    let press = |packing: &mut Packing<Line>, factor: f64| {
        let last = packing.grains.len() - 1;
        packing.grains[last].force = packing.grains[last].force * factor;
    };
    let chain = |grains: u32, seed: u64| {
        let length = f64::from(grains);
        let rate = 1.0 - standing_wave(1, length).cos();
        let springs = Some(springs(theory_order(Order::RandomSweep).q(), rate, settings.tolerance));
        Loaded { grains, seed, packing: row(grains, 0.0, 0.0, 1.0), length, springs, load: 1.0, press }
    };
    let seeds = seeds(settings.seed, settings.packings);
    settings.sizes.iter().map(|&grains| seeds.iter().map(|&seed| chain(grains, seed)).collect()).collect()
}

impl<D: Dimension> Loaded<D> {
    fn solved(&self, settings: &RigidLimitSettings, watch: &dyn Progress) -> Result<SolvedPacking, Error> {
        let (method, tolerance) = (settings.solver, settings.tolerance);
        let mut question = LoadProblem::cold(&self.packing, self.load)?;
        let contacts = question.contacts.rows.len();
        let (cold, mut asked) = from_nothing(&question, || LoadSolver::new(method, tolerance, self.seed), watch)?;
        let mut answer = |question: &LoadProblem<D>| question.answer(&mut asked, watch);
        let sticking = if D::CHAIN {
            // Nothing slides on a line.
            cold.sweeps
        } else if method == LimitSolver::Rigid {
            // Defined for solvers that sweep.
            f64::NAN
        } else {
            question.contacts.rows.iter_mut().for_each(|row| row.contact.friction = STICKS);
            answer(&question)?.sweeps
        };
        let questions = LoadProblem::running(&self.packing, self.press, (method, tolerance), watch)?;
        let running = mean_work(&questions.iter().map(&mut answer).collect::<Result<Vec<_>, _>>()?);
        watch.alive();
        Ok(SolvedPacking { sticking, cold, running, contacts })
    }
}

/// Answers a question with nothing known, several times, for the median of the seconds; and what is known then.
fn from_nothing<D: Dimension>(
    question: &LoadProblem<D>,
    asked: impl Fn() -> LoadSolver<D>,
    watch: &dyn Progress,
) -> Result<(SolveCost, LoadSolver<D>), Error> {
    let mut seconds = Vec::new();
    loop {
        let mut asked = asked();
        let work = question.answer(&mut asked, watch)?;
        seconds.push(work.seconds);
        if seconds.len() >= TIMED.0 || seconds.iter().sum::<f64>() >= TIMED.1 {
            return Ok((SolveCost { seconds: median(seconds), ..work }, asked));
        }
    }
}

fn median(mut all: Vec<f64>) -> f64 {
    all.sort_by(f64::total_cmp);
    0.5 * (all[(all.len() - 1) / 2] + all[all.len() / 2])
}

/// The load that is missing at the base is (4/π) e^{−2 q N β} of the whole, when the slowest wave alone is left.
fn springs(q: f64, rate: f64, tolerance: f64) -> f64 {
    (4.0 / (std::f64::consts::PI * tolerance)).ln() / (2.0 * q * rate)
}

/// What the mean step takes, and the largest error.
fn mean_work(steps: &[SolveCost]) -> SolveCost {
    let mean = |of: fn(&SolveCost) -> f64| steps.iter().map(of).sum::<f64>() / steps.len() as f64;
    let factorisations = mean(|work| work.factorisations);
    let error = steps.iter().fold(0.0, |most: f64, work| most.max(work.error));
    SolveCost { sweeps: mean(|work| work.sweeps), factorisations, seconds: mean(|work| work.seconds), error }
}

fn size_row<D: Dimension>(
    settings: &RigidLimitSettings,
    systems: &[Loaded<D>],
    watch: &dyn Progress,
) -> Result<SizeRow, Error> {
    // One after the other: they are timed.
    let solved = systems.iter().map(|system| {
        let named = |error| if D::CHAIN { error } else { of_packing(system.grains, system.seed, error) };
        system.solved(settings, watch).map_err(named)
    });
    let solved: Vec<SolvedPacking> = solved.collect::<Result<_, _>>()?;
    let mean = |of: fn(&SolvedPacking) -> f64| solved.iter().map(of).sum::<f64>() / solved.len() as f64;
    let estimate = |of: fn(&SolvedPacking) -> f64| estimate::mean(solved.iter().map(of)).expect("one packing at least");
    let median = |of: fn(&SolvedPacking) -> f64| median(solved.iter().map(of).collect());
    let most = |of: fn(&SolvedPacking) -> f64| solved.iter().map(of).fold(0.0, f64::max);
    let length = systems.iter().map(|system| system.length).sum::<f64>() / systems.len() as f64;
    let q = theory_order(Order::RandomSweep).q();
    Ok(SizeRow {
        grains: systems[0].grains,
        length,
        predicted_rigid: rigidity::sweeps_to_reach(q, length),
        predicted: rigidity::sweeps_for_error(q, length, settings.tolerance),
        springs: mean_of_all(systems.iter().map(|system| system.springs)),
        sweeps: estimate(|solved| solved.cold.sweeps),
        sticking: estimate(|solved| solved.sticking),
        seconds: median(|solved| solved.cold.seconds),
        running: estimate(|solved| solved.running.sweeps),
        running_seconds: median(|solved| solved.running.seconds),
        contacts: mean(|solved| solved.contacts as f64),
        factorisations: mean(|solved| solved.cold.factorisations),
        running_factorisations: mean(|solved| solved.running.factorisations),
        load_error: most(|solved| solved.cold.error),
        running_load_error: most(|solved| solved.running.error),
    })
}

fn growth(rows: &[SizeRow], sweeps: impl Fn(&SizeRow) -> Option<Estimate>) -> GrowthExponents {
    let law = |x: fn(&SizeRow) -> f64| exponent(rows.iter().filter_map(|row| Some((x(row), sweeps(row)?))));
    GrowthExponents { sweeps: law(|row| f64::from(row.grains)), length: law(|row| row.length), ..Default::default() }
}
