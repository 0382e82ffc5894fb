//! The paper's second experiment: a packing under a piston at rest; the load is raised a little, and the packing rings.
//!
//! After a transient one standing wave is left, with a node at the base and a belly at the piston, whose place is fitted with
//! x₀ + A e^{−t/τ} sin(ωt + φ). From the same packings for several numbers of sweeps: ω ~ N_I^a, τ ~ N_I^b.

use crate::cache::PackingCache;
use crate::counterpart;
use crate::demonstration::{Demonstrations, demonstrate};
use crate::preparation::{Prepared, height};
use crate::recipe::PackingSettings;
use crate::ring_down::{PACKINGS_MAX, RingDown, SWEEPS_MAX, Soft, in_short_steps, sweeping_in};
use crate::scaling::Exponents;
use crate::settings::{Error, Oscillation, Validate, by_name, each_within, within};
use crate::shape::{Shape, Slices};
use crate::watch::{Watch, side_by_side};
use hardgrain::{Body, Components, Dimension, Engine, Order, Packing, Plane, Space};
use hardgrain_analysis::{Estimate, Fit, PowerLaw, Texture, frequency};
use hardgrain_run::theory_order;
use serde::Serialize;

/// Above this share of sliding contacts a load step is no small one.
const FEW: f64 = 0.1;

/// What to run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PistonSettings {
    /// N_I, one row of the result each.
    pub sweeps: Vec<u32>,
    /// The order of the sweeps.
    #[serde(serialize_with = "by_name")]
    pub order: Order,
    /// How many packings, with seeds from the first on.
    pub packings: u32,
    /// ΔF/F.
    pub load_step: f64,
    /// Whether the same packings are rung with soft grains as well.
    pub soft: bool,
    /// The first packing.
    #[serde(flatten)]
    pub packing: PackingSettings,
}

impl Default for PistonSettings {
    fn default() -> Self {
        Self {
            sweeps: vec![10, 20, 40, 80, 160],
            order: Order::RandomSweep,
            packings: 3,
            load_step: 0.001,
            soft: false,
            packing: PackingSettings::default(),
        }
    }
}

impl Validate for PistonSettings {
    fn check(&self) -> Result<(), Error> {
        self.packing.check()?;
        each_within("sweeps", &self.sweeps, 1, SWEEPS_MAX)?;
        within("packings", self.packings, 1, PACKINGS_MAX)?;
        if self.load_step == 0.0 || !(-0.9..=10.0).contains(&self.load_step) {
            let wrong = format!("{} is not a small number, between -0.9 and 10 and not 0", self.load_step);
            return Err(Error::Setting { name: "load-step", wrong });
        }
        Ok(())
    }
}

/// What is measured at one number of sweeps, on average over packings.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MeasuredRingDown {
    /// ω h.
    pub omega: Option<f64>,
    /// Its standard error over packings.
    pub omega_stderr: Option<f64>,
    /// τ/h.
    pub tau: Option<f64>,
    /// Its standard error over packings.
    pub tau_stderr: Option<f64>,
    /// By which share ω is off that of the springs, mean over packings.
    pub omega_off: Option<f64>,
    /// Its standard error: packings differ in ω, but less in how far it is off.
    pub omega_off_stderr: Option<f64>,
    /// By which share τ is off that of the springs, mean over packings.
    pub tau_off: Option<f64>,
    /// Its standard error.
    pub tau_off_stderr: Option<f64>,
    /// Unexplained rms over the amplitude at the start of the fit, mean over packings.
    pub fit_residual: Option<f64>,
    /// The same for the worst packing.
    pub fit_residual_largest: Option<f64>,
    /// Largest share of contacts that slid at once, mean over packings.
    pub sliding: f64,
    /// In how many packings an oscillation was found.
    pub fitted: u32,
    /// If not in all: why, from the first without one.
    pub reason: Option<String>,
}

/// One number of sweeps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PistonRow {
    /// N_I.
    pub sweeps: u32,
    /// Springs in the place of contacts, with β and q of each packing: mean over packings.
    pub springs: Oscillation,
    /// ω h = arccos e^{−h/τ} with the measured τ: mean over packings.
    pub lattice: Oscillation,
    /// Measurement.
    pub measured: MeasuredRingDown,
    /// The same from the first turning point on, while contacts may still slide: mean over packings.
    pub first_swings: Oscillation,
    /// The same packings with soft grains, with κ = 2 q N_I/(w h²) and γ = κ h in each contact: mean over packings.
    pub soft: Option<MeasuredCounterpart>,
    /// The rings, one for each packing.
    #[serde(skip)]
    pub rings: Vec<RingDown>,
}

/// What soft grains do in the place of the rigid ones.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MeasuredCounterpart {
    /// Springs and dashpots in the place of the contacts that the rigid packing has: mean over packings.
    pub springs: Oscillation,
    /// ω h.
    pub omega: Option<f64>,
    /// τ/h.
    pub tau: Option<f64>,
    /// By which share ω of the soft packing is off that of the rigid one, mean over packings.
    pub omega_off: Option<f64>,
    /// Its standard error over packings.
    pub omega_off_stderr: Option<f64>,
    /// By which share τ is off, mean over packings.
    pub tau_off: Option<f64>,
    /// Its standard error over packings.
    pub tau_off_stderr: Option<f64>,
    /// Unexplained rms over the amplitude at the start of the fit, for the worst packing.
    pub fit_residual_largest: Option<f64>,
    /// In how many packings an oscillation was found.
    pub fitted: u32,
}

/// One packing.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PackingRow {
    /// Its seed.
    pub seed: u64,
    /// Steps and sweeps that its preparation took.
    pub steps: u64,
    /// Sweeps that its preparation took.
    pub sweeps: u64,
    /// Height of the piston, in units of d.
    pub height: f64,
    /// β: the share of the wave that one relaxation of all contacts takes away; nothing if many slow motions answer together.
    pub rate: Option<f64>,
    /// q of this packing: a chain has 0.797.
    pub q: Option<f64>,
    /// Exponents of this packing alone.
    pub omega_exponent: Option<f64>,
    /// Exponents of this packing alone.
    pub tau_exponent: Option<f64>,
    /// What it looks like inside.
    pub texture: Texture,
}

/// Exponents, and whether they mean what they should.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MeasuredPiston {
    /// Mean over packings.
    #[serde(flatten)]
    pub exponents: Exponents,
    /// The same with every ω turned into √(−2 ln cos ω h), which takes the lattice out: a is ½ if nothing else bends it.
    pub without_lattice: Exponents,
    /// The same from the first turning point on, while contacts may still slide.
    pub first_swings: Exponents,
    /// Exponents could be found for so many of the packings.
    pub packings: u32,
    /// The largest unexplained rest of all fits, over the amplitude.
    pub fit_residual: Option<f64>,
    /// The largest share of contacts that slid at once, in any row.
    pub sliding: f64,
    /// Whether so many slid that the load step is no small one.
    pub slides: bool,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PistonResult {
    /// "piston".
    pub experiment: &'static str,
    /// What was asked.
    pub settings: PistonSettings,
    /// ½ and −1.
    pub predicted: Exponents,
    /// The exponent of ω that ω h = arccos e^{−h/τ} gives with the measured τ: below ½.
    pub lattice: Exponents,
    /// The exponents of the springs.
    pub springs: Exponents,
    /// Measurement.
    pub measured: MeasuredPiston,
    /// One for each number of sweeps.
    pub rows: Vec<PistonRow>,
    /// One for each packing.
    pub packings: Vec<PackingRow>,
    /// How the first packing moves in its wave, at the first number of sweeps at which it rings.
    pub shape: Option<Shape>,
    /// What goes wrong when the solver starts cold, or pushes overlaps out.
    pub demonstrations: Demonstrations,
    /// The first packing as a drawing, if it lies in the plane.
    #[serde(skip)]
    pub picture: Option<Packing<Plane>>,
}

/// Runs the experiment.
///
/// # Errors
/// When a setting makes no sense, a packing does not come to rest, or a step fails.
pub fn run(settings: &PistonSettings, cache: &PackingCache, watch: &dyn Watch) -> Result<PistonResult, Error> {
    settings.check()?;
    if settings.packing.dimension == 2 {
        let (result, packing) = run_in::<Plane>(settings, cache, watch)?;
        Ok(PistonResult { picture: Some(packing), ..result })
    } else {
        run_in::<Space>(settings, cache, watch).map(|(result, _)| result)
    }
}

/// A packing and what its springs say.
struct RestingPacking<D: Dimension> {
    settings: PackingSettings,
    prepared: Prepared<D>,
    soft: Soft<D>,
}

/// A ring, the same of soft grains, how many contacts slid, and the slices of the packing.
struct Rung {
    ring: RingDown,
    soft: Option<RingDown>,
    sliding: f64,
    slices: Slices,
}

fn run_in<D: Dimension>(
    settings: &PistonSettings,
    cache: &PackingCache,
    watch: &dyn Watch,
) -> Result<(PistonResult, Packing<D>), Error> {
    let (each, order) = (settings.packing.several(settings.packings), settings.order);
    let ready: Vec<RestingPacking<D>> = side_by_side(&each, watch, |settings| {
        let prepared = cache.packing::<D>(settings, watch)?;
        let soft = Soft::in_order(order, &prepared.packing, |bodies| push(&prepared.packing, bodies))?;
        Ok::<_, Error>(RestingPacking { settings: settings.clone(), prepared, soft })
    })?;
    let pairs: Vec<(u32, &RestingPacking<D>)> =
        settings.sweeps.iter().flat_map(|&sweeps| ready.iter().map(move |ready| (sweeps, ready))).collect();
    let mut rung = side_by_side(&pairs, watch, |&(sweeps, ready)| ring(ready, sweeps, settings, watch))?;
    let shape = shape(settings, &ready[0], &rung);
    let middle = settings.sweeps[settings.sweeps.len() / 2];
    let demonstrations = demonstrate(&ready[0].prepared.packing, middle, watch);
    let mut rows = Vec::new();
    for &sweeps in &settings.sweeps {
        let rest = rung.split_off(ready.len());
        rows.push(row(order, sweeps, &ready, std::mem::replace(&mut rung, rest)));
    }
    let packings: Vec<PackingRow> = ready.iter().enumerate().map(|(i, ready)| packing_row(ready, i, &rows)).collect();
    let measured = measured(&rows);
    let result = PistonResult {
        experiment: "piston",
        settings: settings.clone(),
        predicted: Exponents { omega_exponent: Some(0.5), tau_exponent: Some(-1.0), ..Exponents::default() },
        lattice: mean_exponents(&rows, late, |fit| frequency(fit.curve.damping_time())),
        springs: of_rows(&rows, |row| row.springs),
        measured,
        rows,
        packings,
        shape,
        demonstrations,
        picture: None,
    };
    let first = ready.into_iter().next().expect("one packing at least");
    Ok((result, first.prepared.packing))
}

/// A unit force on the piston, as an acceleration. The piston comes behind the grains.
pub(crate) fn push<D: Dimension>(packing: &Packing<D>, bodies: &mut [Body<D>]) {
    let piston = &packing.pistons[0];
    bodies[packing.grains.len()].velocity = piston.normal * (1.0 / piston.mass);
}

/// Raises the load and follows the piston.
fn ring<D: Dimension>(
    ready: &RestingPacking<D>,
    sweeps: u32,
    settings: &PistonSettings,
    watch: &dyn Watch,
) -> Result<Rung, Error> {
    let load_step = settings.load_step;
    let mut packing = ready.prepared.packing.clone();
    let mut slices = Slices::new(&packing, height(&packing));
    packing.pistons[0].force *= 1.0 + load_step;
    let start = packing.pistons[0].position();
    let sign = load_step.signum();
    let mut engine = sweeping_in::<D>(settings.order, sweeps, ready.settings.seed);
    let mut sliding = 0.0_f64;
    let ring = RingDown::follow(ready.soft.wave(sweeps), || {
        engine.step(&mut packing)?;
        watch.alive();
        slices.look(&packing, sign);
        sliding = sliding.max(Texture::sliding(&packing));
        Ok(sign * (packing.pistons[0].position() - start))
    })?;
    let (rigid, expected) = (&ready.prepared.packing, ready.soft.wave(sweeps));
    let of = (theory_order(settings.order), sweeps, load_step);
    let soft = settings.soft.then(|| counterpart::ring(rigid, of, (&ring, expected), watch));
    let soft = soft.transpose()?;
    Ok(Rung { ring, soft, sliding, slices })
}

/// The shape of the first wave that the first packing rings in.
fn shape<D: Dimension>(settings: &PistonSettings, first: &RestingPacking<D>, rung: &[Rung]) -> Option<Shape> {
    let mut of_first = settings.sweeps.iter().zip(rung.iter().step_by(settings.packings as usize));
    let (&sweeps, rung) = of_first.find(|(_, rung)| rung.ring.fit.is_ok())?;
    let (packing, wave) = (&first.prepared.packing, first.soft.shape()?);
    let piston = wave[packing.grains.len()].velocity.dot(packing.pistons[0].normal);
    rung.slices.shape(sweeps, &rung.ring, packing, wave, piston)
}

fn row<D: Dimension>(order: Order, sweeps: u32, ready: &[RestingPacking<D>], rung: Vec<Rung>) -> PistonRow {
    let fits: Vec<&Fit> = rung.iter().filter_map(|rung| late(&rung.ring)).collect();
    let of = |value: &dyn Fn(&Fit) -> f64| Estimate::mean(&fits.iter().map(|fit| value(fit)).collect::<Vec<_>>());
    let expected: Vec<Oscillation> = ready.iter().map(|ready| ready.soft.wave(sweeps)).collect();
    let springs = |value: fn(&Oscillation) -> Option<f64>| {
        // If some packing has no single wave, the others are a selection.
        let all = expected.iter().map(value).collect::<Option<Vec<f64>>>()?;
        Estimate::mean(&all).map(|mean| mean.value)
    };
    let error = |estimate: Option<Estimate>| estimate.map(|estimate| estimate.error).filter(|error| error.is_finite());
    let value = |estimate: Option<Estimate>| estimate.map(|estimate| estimate.value);
    let (omega, tau) = (of(&|fit| fit.curve.frequency), of(&|fit| fit.curve.damping_time()));
    let early = |of: fn(&Fit) -> f64| {
        let fits = rung.iter().filter_map(|rung| rung.ring.early.as_ref().ok());
        value(Estimate::mean(&fits.map(of).collect::<Vec<_>>()))
    };
    let off = |measured: fn(&Fit) -> f64, springs: fn(&Oscillation) -> Option<f64>| {
        let both = rung.iter().zip(&expected);
        let ratios = both.filter_map(|(rung, pair)| Some(measured(late(&rung.ring)?) / springs(pair)? - 1.0));
        Estimate::mean(&ratios.collect::<Vec<_>>())
    };
    let omega_off = off(|fit| fit.curve.frequency, |pair| pair.omega);
    let tau_off = off(|fit| fit.curve.damping_time(), |pair| pair.tau);
    let measured = MeasuredRingDown {
        omega_off: value(omega_off),
        omega_off_stderr: error(omega_off),
        tau_off: value(tau_off),
        tau_off_stderr: error(tau_off),
        omega: value(omega),
        omega_stderr: error(omega),
        tau: value(tau),
        tau_stderr: error(tau),
        fit_residual: value(of(&Fit::relative_rms)),
        fit_residual_largest: fits.iter().map(|fit| fit.relative_rms()).reduce(f64::max),
        sliding: rung.iter().map(|rung| rung.sliding).sum::<f64>() / rung.len() as f64,
        fitted: u32::try_from(fits.len()).expect("not more than packings"),
        reason: rung.iter().find_map(|rung| rung.ring.fit.err()).map(|error| error.to_string()),
    };
    PistonRow {
        sweeps,
        springs: Oscillation { omega: springs(|pair| pair.omega), tau: springs(|pair| pair.tau) },
        lattice: Oscillation { omega: value(of(&|fit| frequency(fit.curve.damping_time()))), tau: measured.tau },
        measured,
        first_swings: Oscillation {
            omega: early(|fit| fit.curve.frequency),
            tau: early(|fit| fit.curve.damping_time()),
        },
        soft: counterpart((order, sweeps), ready, &rung),
        rings: rung.into_iter().map(|rung| rung.ring).collect(),
    }
}

/// Soft rings beside rigid ones, where there are any.
fn counterpart<D: Dimension>(
    (order, sweeps): (Order, u32),
    ready: &[RestingPacking<D>],
    rung: &[Rung],
) -> Option<MeasuredCounterpart> {
    let order = theory_order(order);
    let soft = |rung: &Rung| rung.soft.as_ref().and_then(late).copied();
    rung.first()?.soft.as_ref()?;
    let mean = |value: fn(&Fit) -> f64| {
        let values: Vec<f64> = rung.iter().filter_map(soft).map(|fit| value(&fit)).collect();
        Estimate::mean(&values).map(|mean| mean.value)
    };
    let off = |value: fn(&Fit) -> f64| {
        let ratios = rung.iter().filter_map(|rung| Some(value(&soft(rung)?) / value(late(&rung.ring)?) - 1.0));
        let found = Estimate::mean(&ratios.collect::<Vec<_>>());
        (found.map(|found| found.value), found.map(|found| found.error).filter(|error| error.is_finite()))
    };
    let (omega_off, tau_off) = (off(|fit| fit.curve.frequency), off(|fit| fit.curve.damping_time()));
    let waves: Option<Vec<Oscillation>> =
        ready.iter().map(|ready| Some(counterpart::wave(order, sweeps, ready.soft.rate()?))).collect();
    let springs = |value: fn(&Oscillation) -> Option<f64>| {
        let all = waves.as_ref()?.iter().map(value).collect::<Option<Vec<f64>>>()?;
        Estimate::mean(&all).map(|mean| mean.value)
    };
    Some(MeasuredCounterpart {
        springs: Oscillation { omega: springs(|pair| pair.omega), tau: springs(|pair| pair.tau) },
        omega: mean(|fit| fit.curve.frequency),
        tau: mean(|fit| fit.curve.damping_time()),
        omega_off: omega_off.0,
        omega_off_stderr: omega_off.1,
        tau_off: tau_off.0,
        tau_off_stderr: tau_off.1,
        fit_residual_largest: rung.iter().filter_map(soft).map(|fit| fit.relative_rms()).reduce(f64::max),
        fitted: u32::try_from(rung.iter().filter_map(soft).count()).expect("not more than packings"),
    })
}

fn packing_row<D: Dimension>(ready: &RestingPacking<D>, index: usize, rows: &[PistonRow]) -> PackingRow {
    let law = |value: fn(&Fit) -> f64| own_law(rows, index, |ring| ring.fit.as_ref().ok().map(value));
    PackingRow {
        seed: ready.settings.seed,
        steps: ready.prepared.steps,
        sweeps: ready.prepared.sweeps,
        height: height(&ready.prepared.packing),
        rate: ready.soft.rate(),
        q: ready.soft.q(),
        omega_exponent: law(|fit| fit.curve.frequency).map(|law| law.exponent),
        tau_exponent: law(|fit| fit.curve.damping_time()).map(|law| law.exponent),
        texture: ready.prepared.texture.clone(),
    }
}

/// The power law of one packing.
fn own_law(rows: &[PistonRow], index: usize, value: impl Fn(&RingDown) -> Option<f64>) -> Option<PowerLaw> {
    let point = |row: &PistonRow| Some((f64::from(row.sweeps), value(&row.rings[index])?, 0.0));
    PowerLaw::fit(&rows.iter().filter_map(point).collect::<Vec<_>>()).ok()
}

/// Exponents of values that are given for each row.
fn of_rows(rows: &[PistonRow], of: fn(&PistonRow) -> Oscillation) -> Exponents {
    let law = |value: fn(Oscillation) -> Option<f64>| {
        let point = |row: &PistonRow| Some((f64::from(row.sweeps), value(of(row))?, 0.0));
        PowerLaw::fit(&rows.iter().filter_map(point).collect::<Vec<_>>()).ok().map(|law| law.exponent)
    };
    let (omega_exponent, tau_exponent) = (law(|pair| pair.omega), law(|pair| pair.tau));
    Exponents { omega_exponent, tau_exponent, ..Exponents::default() }
}

/// Each packing has its own exponents; their mean and its error. Of a single packing, the error of the fit.
fn measured(rows: &[PistonRow]) -> MeasuredPiston {
    let sliding = rows.iter().map(|row| row.measured.sliding).fold(0.0, f64::max);
    let packings = 0..rows.first().map_or(0, |row| row.rings.len());
    let rings = |index: &usize| own_law(rows, *index, |ring| late(ring).map(|fit| fit.curve.frequency)).is_some();
    MeasuredPiston {
        exponents: mean_exponents(rows, late, |fit| fit.curve.frequency),
        without_lattice: mean_exponents(rows, late, |fit| in_short_steps(fit.curve.frequency)),
        first_swings: mean_exponents(rows, |ring| ring.early.as_ref().ok(), |fit| fit.curve.frequency),
        packings: u32::try_from(packings.filter(rings).count()).expect("not more than packings"),
        fit_residual: rows.iter().filter_map(|row| row.measured.fit_residual_largest).reduce(f64::max),
        sliding,
        slides: sliding > FEW,
    }
}

/// The fit when one wave is left.
fn late(ring: &RingDown) -> Option<&Fit> {
    ring.fit.as_ref().ok()
}

fn mean_exponents(rows: &[PistonRow], fit: fn(&RingDown) -> Option<&Fit>, omega: fn(&Fit) -> f64) -> Exponents {
    let mean = |value: fn(&Fit) -> f64| {
        let packings = 0..rows.first().map_or(0, |row| row.rings.len());
        let laws: Vec<PowerLaw> =
            packings.filter_map(|index| own_law(rows, index, |ring| fit(ring).map(value))).collect();
        let estimate = Estimate::mean(&laws.iter().map(|law| law.exponent).collect::<Vec<_>>())?;
        let error = if laws.len() > 1 { estimate.error } else { laws[0].exponent_error };
        Some((estimate.value, error))
    };
    let (omega, tau) = (mean(omega), mean(|fit| fit.curve.damping_time()));
    Exponents {
        omega_exponent: omega.map(|found| found.0),
        tau_exponent: tau.map(|found| found.0),
        omega_exponent_stderr: omega.map(|found| found.1),
        tau_exponent_stderr: tau.map(|found| found.1),
    }
}
