//! The experiment of the paper: a row of grains flies against a wall, is pressed on it, and rings.
//!
//! The last grain is pushed; the row closes a gap of one diameter, hits the wall, opens and closes for a while. When all
//! contacts stay closed and only the longest wave is left, the last grain moves like x₀ + A e^{−t/τ} sin(ωt + φ).

use crate::estimate::{Oscillation, exact, keys, mean, mean_value};
use crate::flaw::Flaw;
use crate::line::{GRAINS_MAX, SEEDS_MAX, SWEEPS_MAX, Theory, row, steps, sweeping};
use crate::settings::{Error, Validate, by_name, ensure, positive, seeds_in, within};
use crate::watch::{Progress, side_by_side};
use hardgrain::{Engine, Order};
use hardgrain_analysis::{DampedSine, Estimate, Fit, FitSettings, NotAnOscillation, Samples};
use serde::Serialize;

/// The fit starts this many damping times after the last contact was lost: by then the second wave, which fades nine
/// times faster, is down to e^−9.
const MARGIN: f64 = 1.0;
/// And ends this many damping times later: what chance adds fades with the wave, so a long window costs nothing,
const WINDOW: f64 = 6.0;
/// and lasts at least this number of steps: a wave that fades fast still needs points.
const WINDOW_STEPS: f64 = 24.0;
/// The longest flight to the wall that is accepted, in steps.
const FLIGHT_MAX: f64 = 1e6;
/// A gap below this, in diameters, is closed up to rounding.
const CLOSED: f64 = 1e-10;
/// A run is given up when contacts are still lost after this many flights to the wall and damping times.
const PATIENCE: f64 = 60.0;

/// What to run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChainSettings {
    /// Number of grains n.
    pub grains: u32,
    /// Sweeps a step N_I.
    pub sweeps: u32,
    /// The force that presses, in units of d m/h².
    pub force: f64,
    /// The way to the wall, in units of d.
    pub gap: f64,
    /// The order of the sweeps.
    #[serde(serialize_with = "by_name")]
    pub order: Order,
    /// The first seed.
    pub seed: u64,
    /// How many seeds, one run each.
    pub seeds: u32,
    /// Number of steps; by default as many as the fit needs.
    pub steps: Option<u32>,
    /// A deliberate error in the physics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flaw: Option<Flaw>,
}

impl Default for ChainSettings {
    fn default() -> Self {
        let order = Order::RandomSweep;
        Self { grains: 50, sweeps: 40, force: 0.05, gap: 1.0, order, seed: 1, seeds: 10, steps: None, flaw: None }
    }
}

impl ChainSettings {
    fn theory(&self) -> Theory {
        let longer = u32::from(self.flaw == Some(Flaw::Length));
        Theory { order: self.order, sweeps: self.sweeps, grains: self.grains + longer }
    }
}

impl Validate for ChainSettings {
    fn check(&self) -> Result<(), Error> {
        within("grains", self.grains, 1, GRAINS_MAX)?;
        within("sweeps", self.sweeps, 1, SWEEPS_MAX)?;
        within("seeds", self.seeds, 1, SEEDS_MAX)?;
        self.steps.map_or(Ok(()), |steps| within("steps", steps, 1, 100_000_000))?;
        positive("force", self.force)?;
        positive("gap", self.gap)?;
        ensure(flight(self) <= FLIGHT_MAX, "force", || {
            format!("the grains would fly for {:.1e} steps before they hit the wall; press harder", flight(self))
        })?;
        self.theory().check_stable()
    }
}

/// What the runs say, on average, with standard errors over seeds.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MeasuredChain {
    /// ω and τ.
    #[serde(flatten, serialize_with = "keys::oscillation")]
    pub oscillation: Oscillation<Estimate>,
    /// With ω and τ given by the theory, the lattice with ends: unexplained rms over the amplitude at the start of the window,
    /// mean over seeds.
    pub fit_residual: Option<f64>,
    /// The same for the mean over runs of the place of the last grain: chance averages out, a wrong theory would not.
    pub fit_residual_of_mean: Option<f64>,
    /// The same as the first with ω and τ of the paper's continuum.
    pub fit_residual_continuum: Option<f64>,
    /// The same with ω and τ fitted.
    pub fit_residual_free: Option<f64>,
    /// The step after which no contact was lost any more, mean over seeds.
    pub transient: Option<f64>,
    /// First step of the fits, mean over seeds.
    pub window_start: Option<f64>,
    /// Last step of the fits, mean over seeds.
    pub window_end: Option<f64>,
    /// How many runs there were: one for each seed, or one if the order is not random.
    pub runs: u32,
    /// In how many of them an oscillation was found; 0 if in fewer than half.
    pub fitted: u32,
    /// If not in all: the reason in the first run without one.
    pub reason: Option<String>,
}

/// One run.
#[derive(Clone, Debug, PartialEq)]
pub struct ChainRun {
    /// Its seed.
    pub seed: u64,
    /// The place of the last grain after each step, the first entry being the start.
    pub places: Vec<f64>,
    /// The last step that ended with an open contact; none if all were closed all the time.
    pub last_loss: Option<usize>,
    /// First step of the fit.
    pub window: usize,
    /// Everything free.
    pub free: Result<Fit, NotAnOscillation>,
    /// ω and τ from the theory, the lattice with ends.
    pub theory: Option<Fit>,
    /// ω and τ from the continuum.
    pub continuum: Option<Fit>,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ChainResult {
    /// "chain".
    pub experiment: &'static str,
    /// What was asked.
    pub settings: ChainSettings,
    /// The paper's continuum.
    pub predicted: Oscillation,
    /// Exact for a chain without ends.
    pub lattice: Oscillation,
    /// The lattice with the ends of the chain.
    pub lattice_with_ends: Oscillation,
    /// Measurement.
    pub measured: MeasuredChain,
    /// The runs.
    #[serde(skip)]
    pub runs: Vec<ChainRun>,
}

impl ChainResult {
    /// κ h²/m of the springs that the sweeps amount to.
    pub fn stiffness(&self) -> f64 {
        self.settings.theory().continuum().stiffness()
    }
}

/// Runs the experiment once for every seed.
///
/// # Errors
/// When a setting makes no sense, a step fails, or contacts are still lost after a very long time.
pub fn run(settings: &ChainSettings, watch: &dyn Progress) -> Result<ChainResult, Error> {
    settings.check()?;
    let theory = settings.theory();
    let k = theory.wavenumber(1);
    let seeds = seeds_in(settings.order, settings.seed, settings.seeds);
    let runs = side_by_side(&seeds, watch, |&seed| run_seed(settings, seed, watch))?;
    Ok(ChainResult {
        experiment: "chain",
        settings: settings.clone(),
        predicted: theory.continuum_at(k),
        lattice: theory.lattice_at(k),
        lattice_with_ends: theory.with_ends_at(k),
        measured: average(&theory, &runs, !settings.order.is_random()),
        runs,
    })
}

/// How long the row flies before it hits the wall: all of it is pushed from behind.
fn flight(settings: &ChainSettings) -> f64 {
    (2.0 * f64::from(settings.grains) * settings.gap / settings.force).sqrt()
}

fn run_seed(settings: &ChainSettings, seed: u64, watch: &dyn Progress) -> Result<ChainRun, Error> {
    let theory = settings.theory();
    let tau = theory.lattice_at(theory.wavenumber(1)).tau.unwrap_or(0.0).max(1.0);
    let window_length = steps((WINDOW * tau).max(WINDOW_STEPS));
    let margin = steps(MARGIN * tau);
    let patience = steps(PATIENCE * (flight(settings) + tau) + 1000.0);
    let mut packing = row(settings.grains, settings.gap, 0.0, settings.force);
    let last = packing.grains.len() - 1;
    let mut engine = sweeping(settings.order, settings.sweeps, seed, settings.flaw);
    let mut places = vec![packing.grains[last].position.0[0]];
    let mut last_loss = None;
    let is_over = |step: usize, last_loss: Option<usize>| match settings.steps {
        Some(steps) => step >= steps as usize,
        None => step >= last_loss.unwrap_or(0) + margin + window_length,
    };
    for step in 1.. {
        let report = engine.step(&mut packing).map_err(|error| {
            Error::Unfinished(format!("the impact was too hard for so few sweeps; press less or sweep more ({error})"))
        })?;
        watch.alive();
        places.push(packing.grains[last].position.0[0]);
        // A gap that is open counts as a loss even under load: until it is closed the grains may still approach.
        if report.contacts < packing.grains.len() || engine.pairs().iter().any(|pair| pair.gap > CLOSED) {
            last_loss = Some(step);
        }
        if is_over(step, last_loss) {
            break;
        }
        if settings.steps.is_none() && last_loss.is_some_and(|loss| loss > patience) {
            return Err(Error::Unfinished(format!(
                "contacts still open and close after {step} steps; try another force or more sweeps a step"
            )));
        }
    }
    if engine.pairs().len() > packing.grains.len() {
        let why = "the impact drove grains so deep into each other that others touch as well; press less or sweep more";
        return Err(Error::Unfinished(why.into()));
    }
    let window = (last_loss.unwrap_or(0) + margin).min(places.len());
    Ok(fitted(&theory, seed, places, last_loss, window))
}

/// Fits the end of a run in three ways.
fn fitted(theory: &Theory, seed: u64, places: Vec<f64>, last_loss: Option<usize>, window: usize) -> ChainRun {
    let samples = Samples::new(window as f64, 1.0, &places[window..]);
    let given = |wave: Oscillation| DampedSine::fit_given(samples, wave.omega?, wave.tau?).ok();
    // No mode of a swept chain turns faster than a quarter a step.
    let settings = FitSettings { frequency_max: std::f64::consts::FRAC_PI_2, ..FitSettings::default() };
    let free = DampedSine::fit(samples, settings);
    let k = theory.wavenumber(1);
    let (theory, continuum) = (given(theory.with_ends_at(k)), given(theory.continuum_at(k)));
    ChainRun { seed, places, last_loss, window, free, theory, continuum }
}

/// What the theory leaves unexplained of the mean over these runs, while all of them are in their windows.
fn of_mean(theory: &Theory, runs: &[&ChainRun]) -> Option<f64> {
    let from = runs.iter().map(|run| run.window).max()?;
    let to = runs.iter().map(|run| run.places.len()).min()?;
    let mean = |step: usize| runs.iter().map(|run| run.places[step]).sum::<f64>() / runs.len() as f64;
    let places: Vec<f64> = (from..to).map(mean).collect();
    let expected = theory.with_ends_at(theory.wavenumber(1));
    let fit = DampedSine::fit_given(Samples::new(from as f64, 1.0, &places), expected.omega?, expected.tau?);
    fit.ok().map(|fit| fit.relative_rms())
}

/// Why a run was not fitted.
fn why(run: &ChainRun) -> Option<String> {
    let error = run.free.err()?;
    let over = run.window + 1 >= run.places.len();
    Some(if over { "the run ended before the transient did".into() } else { error.to_string() })
}

/// Means over the runs that ring, or over all if most do not: those that do would be a selection. If they were all alike,
/// errors are 0 and not unknown.
fn average(theory: &Theory, runs: &[ChainRun], alike: bool) -> MeasuredChain {
    let ringing: Vec<&ChainRun> = runs.iter().filter(|run| run.free.is_ok()).collect();
    let ringing = if 2 * ringing.len() < runs.len() { Vec::new() } else { ringing };
    let has_fit = !ringing.is_empty();
    let counted: Vec<&ChainRun> = if has_fit { ringing.clone() } else { runs.iter().collect() };
    let free = |of: fn(&Fit) -> f64| {
        let found = mean(ringing.iter().filter_map(|run| run.free.as_ref().ok()).map(of))?;
        Some(if alike { exact(found.value) } else { found })
    };
    let value = |of: &dyn Fn(&ChainRun) -> Option<f64>| mean_value(counted.iter().filter_map(|run| of(run)));
    let rest = |fit: Option<Fit>| fit.map(|fit| fit.relative_rms()).filter(|_| has_fit);
    let count = |list: usize| u32::try_from(list).expect("at most as many as seeds");
    MeasuredChain {
        oscillation: Oscillation { omega: free(|fit| fit.curve.frequency), tau: free(|fit| fit.curve.damping_time()) },
        fit_residual: value(&|run| rest(run.theory)),
        fit_residual_of_mean: of_mean(theory, &ringing),
        fit_residual_continuum: value(&|run| rest(run.continuum)),
        fit_residual_free: value(&|run| rest(run.free.ok())),
        transient: value(&|run| Some(run.last_loss.unwrap_or(0) as f64)),
        window_start: value(&|run| Some(run.window as f64)),
        window_end: value(&|run| Some((run.places.len() - 1) as f64)),
        runs: count(runs.len()),
        fitted: count(ringing.len()),
        reason: runs.iter().find_map(why),
    }
}
