//! The paper's second experiment: a packing under a piston at rest; the load is raised a little, and the packing rings.
//!
//! After a transient one standing wave is left, with a node at the base and a belly at the piston, whose place is fitted with
//! x₀ + A e^{−t/τ} sin(ωt + φ). From the same packings for several numbers of sweeps: ω ~ N_I^a, τ ~ N_I^b.

use crate::cache::PackingCache;
use crate::counterpart;
use crate::demonstration::{Demonstrations, demonstrate};
use crate::estimate::{Exponents, Oscillation, keys, mean, mean_of_all, mean_value};
use crate::preparation::{Prepared, height, picture};
use crate::recipe::PackingSettings;
use crate::ring_down::{self, PACKINGS_MAX, RingDown, SWEEPS_MAX, at_each, fitted, in_short_steps, sweeping_in};
use crate::settings::{Error, Validate, by_name, each_within, ensure, within};
use crate::shape::{Shape, Slices};
use crate::watch::{Progress, side_by_side};
use hardgrain::{Body, Components, Dimension, Engine, Order, Packing, Part, Plane, Space};
use hardgrain_analysis::{Elastic, Estimate, Fit, Texture, frequency};
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
        let (sweeps, packing) = (vec![10, 20, 40, 80, 160], PackingSettings::default());
        Self { sweeps, order: Order::RandomSweep, packings: 3, load_step: 0.001, soft: false, packing }
    }
}

impl Validate for PistonSettings {
    fn check(&self) -> Result<(), Error> {
        self.packing.check()?;
        each_within("sweeps", &self.sweeps, 1, SWEEPS_MAX)?;
        within("packings", self.packings, 1, PACKINGS_MAX)?;
        ensure(self.load_step != 0.0 && (-0.9..=10.0).contains(&self.load_step), "load-step", || {
            format!("{} is not a small number, between -0.9 and 10 and not 0", self.load_step)
        })
    }
}

/// What is measured at one number of sweeps, on average over packings.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MeasuredRingDown {
    /// ω and τ, with errors over packings.
    #[serde(flatten, serialize_with = "keys::in_turn")]
    pub oscillation: Oscillation<Estimate>,
    /// By which shares ω and τ are off those of the springs, mean over packings: packings differ in ω, but less in how far it is
    /// off.
    #[serde(flatten, serialize_with = "keys::off")]
    pub off: Oscillation<Estimate>,
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
    /// ω and τ, mean over packings.
    #[serde(flatten)]
    pub oscillation: Oscillation,
    /// By which shares they are off those of the rigid packing, mean over packings.
    #[serde(flatten, serialize_with = "keys::off")]
    pub off: Oscillation<Estimate>,
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
    /// β: the fraction of the wave removed by one Jacobi relaxation; `None` if many slow motions respond together.
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
    /// The number of packings whose exponents could be found.
    pub packings: u32,
    /// The largest unexplained rest of all fits, over the amplitude.
    pub fit_residual: Option<f64>,
    /// The largest share of contacts that slid at once, in any row.
    pub sliding: f64,
    /// Whether more contacts slid than after a small load step.
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
pub fn run(settings: &PistonSettings, cache: &PackingCache, watch: &dyn Progress) -> Result<PistonResult, Error> {
    settings.check()?;
    if settings.packing.dimension == 2 {
        run_in::<Plane>(settings, cache, watch)
    } else {
        run_in::<Space>(settings, cache, watch)
    }
}

/// A packing and what its springs say.
struct RestingPacking<D: Dimension> {
    settings: PackingSettings,
    prepared: Prepared<D>,
    soft: Option<Elastic<D>>,
}

/// A ring-down, that of soft grains, the share of contacts that slid, and the slices of the packing.
struct Rung {
    ring: RingDown,
    soft: Option<RingDown>,
    sliding: f64,
    slices: Slices,
}

fn run_in<D: Dimension>(
    settings: &PistonSettings,
    cache: &PackingCache,
    watch: &dyn Progress,
) -> Result<PistonResult, Error> {
    let (each, order) = (settings.packing.several(settings.packings), settings.order);
    let ready: Vec<RestingPacking<D>> = side_by_side(&each, watch, |settings| {
        let prepared = cache.packing::<D>(settings, watch)?;
        let soft = ring_down::springs(order, &prepared.packing, |bodies| push(&prepared.packing, bodies))?;
        Ok::<_, Error>(RestingPacking { settings: settings.clone(), prepared, soft })
    })?;
    let rung = at_each(&settings.sweeps, &ready, watch, |sweeps, ready| ring(ready, sweeps, settings, watch))?;
    let shape = shape(settings, &ready[0], &rung);
    let middle = settings.sweeps[settings.sweeps.len() / 2];
    let demonstrations = demonstrate(&ready[0].prepared.packing, middle, watch);
    let rows: Vec<PistonRow> =
        settings.sweeps.iter().zip(rung).map(|(&sweeps, rung)| row(order, sweeps, &ready, rung)).collect();
    let packings: Vec<PackingRow> = ready.iter().enumerate().map(|(i, ready)| packing_row(ready, i, &rows)).collect();
    let measured = measured(&rows);
    let points: Vec<_> = rows.iter().map(|row| (row.sweeps, row.springs.exact())).collect();
    Ok(PistonResult {
        experiment: "piston",
        settings: settings.clone(),
        predicted: Exponents::PAPER,
        lattice: mean_exponents(&rows, |ring| of_lattice(fitted(&ring.fit))),
        springs: Exponents::fit(&points).without_errors(),
        measured,
        rows,
        packings,
        shape,
        demonstrations,
        picture: picture(&ready[0].prepared.packing),
    })
}

/// A unit force on the piston, as an acceleration. The piston comes behind the grains.
pub(crate) fn push<D: Dimension>(packing: &Packing<D>, bodies: &mut [Body<D>]) {
    let piston = &packing.pistons[0];
    bodies[packing.body(Part::Piston(0))].velocity = piston.normal * (1.0 / piston.mass);
}

/// Raises the load and follows the piston.
fn ring<D: Dimension>(
    ready: &RestingPacking<D>,
    sweeps: u32,
    settings: &PistonSettings,
    watch: &dyn Progress,
) -> Result<Rung, Error> {
    let load_step = settings.load_step;
    let mut packing = ready.prepared.packing.clone();
    let mut slices = Slices::new(&packing, height(&packing));
    packing.pistons[0].force *= 1.0 + load_step;
    let start = packing.pistons[0].position();
    let sign = load_step.signum();
    let mut engine = sweeping_in::<D>(settings.order, sweeps, ready.settings.seed);
    let mut sliding = 0.0_f64;
    let expected = ring_down::wave(ready.soft.as_ref(), sweeps);
    let ring = RingDown::follow(expected, || {
        engine.step(&mut packing)?;
        watch.alive();
        slices.look(&packing, sign);
        sliding = sliding.max(Texture::sliding(&packing));
        Ok(sign * (packing.pistons[0].position() - start))
    })?;
    let of = (theory_order(settings.order), sweeps, load_step);
    let soft = || counterpart::ring(&ready.prepared.packing, of, (&ring, expected), watch);
    let soft = settings.soft.then(soft).transpose()?;
    Ok(Rung { ring, soft, sliding, slices })
}

/// The shape of the first wave that the first packing rings in.
fn shape<D: Dimension>(settings: &PistonSettings, first: &RestingPacking<D>, rung: &[Vec<Rung>]) -> Option<Shape> {
    let mut of_first = settings.sweeps.iter().zip(rung.iter().map(|rung| &rung[0]));
    let (&sweeps, rung) = of_first.find(|(_, rung)| rung.ring.fit.is_ok())?;
    let (packing, wave) = (&first.prepared.packing, first.soft.as_ref()?.shape());
    let piston = wave[packing.body(Part::Piston(0))].velocity.dot(packing.pistons[0].normal);
    rung.slices.shape(sweeps, &rung.ring, packing, wave, piston)
}

/// With ω h = arccos e^(−h/τ) of the measured τ.
fn of_lattice(wave: Oscillation) -> Oscillation {
    Oscillation { omega: wave.tau.map(frequency), ..wave }
}

/// Relative deviations of the first from the second, mean over those that exist.
fn off(measured: &[Oscillation], expected: &[Oscillation]) -> Oscillation<Estimate> {
    let both = || measured.iter().zip(expected);
    Oscillation::from_fn(|of| mean(both().filter_map(|(measured, expected)| Some(of(measured)? / of(expected)? - 1.0))))
}

fn row<D: Dimension>(order: Order, sweeps: u32, ready: &[RestingPacking<D>], rung: Vec<Rung>) -> PistonRow {
    let fits: Vec<&Fit> = rung.iter().filter_map(|rung| rung.ring.fit.as_ref().ok()).collect();
    let found: Vec<Oscillation> = rung.iter().map(|rung| fitted(&rung.ring.fit)).collect();
    let expected: Vec<Oscillation> = ready.iter().map(|ready| ring_down::wave(ready.soft.as_ref(), sweeps)).collect();
    let mean_over = |all: &[Oscillation]| Oscillation::from_fn(|of| mean(all.iter().filter_map(of)));
    let early: Vec<Oscillation> = rung.iter().map(|rung| fitted(&rung.ring.early)).collect();
    let lattice: Vec<Oscillation> = found.iter().map(|found| of_lattice(*found)).collect();
    PistonRow {
        sweeps,
        springs: Oscillation::from_fn(|of| mean_of_all(expected.iter().map(of))),
        lattice: mean_over(&lattice).values(),
        measured: MeasuredRingDown {
            oscillation: mean_over(&found),
            off: off(&found, &expected),
            fit_residual: mean_value(fits.iter().map(|fit| fit.relative_rms())),
            fit_residual_largest: fits.iter().map(|fit| fit.relative_rms()).reduce(f64::max),
            sliding: rung.iter().map(|rung| rung.sliding).sum::<f64>() / rung.len() as f64,
            fitted: u32::try_from(fits.len()).expect("not more than packings"),
            reason: rung.iter().find_map(|rung| rung.ring.fit.err()).map(|error| error.to_string()),
        },
        first_swings: mean_over(&early).values(),
        soft: counterpart((theory_order(order), sweeps), ready, &rung, &found),
        rings: rung.into_iter().map(|rung| rung.ring).collect(),
    }
}

/// Soft rings beside rigid ones, where there are any.
fn counterpart<D: Dimension>(
    (order, sweeps): (hardgrain_theory::SweepOrder, u32),
    ready: &[RestingPacking<D>],
    rung: &[Rung],
    rigid: &[Oscillation],
) -> Option<MeasuredCounterpart> {
    let rings = rung.iter().map(|rung| rung.soft.as_ref()).collect::<Option<Vec<&RingDown>>>()?;
    let fits: Vec<&Fit> = rings.iter().filter_map(|ring| ring.fit.as_ref().ok()).collect();
    let found: Vec<Oscillation> = rings.iter().map(|ring| fitted(&ring.fit)).collect();
    let wave = |ready: &RestingPacking<D>| Some(counterpart::wave(order, sweeps, ready.soft.as_ref()?.rate()));
    Some(MeasuredCounterpart {
        springs: Oscillation::from_fn(|of| mean_of_all(ready.iter().map(|ready| of(&wave(ready)?)))),
        oscillation: Oscillation::from_fn(|of| mean_value(found.iter().filter_map(of))),
        off: off(&found, rigid),
        fit_residual_largest: fits.iter().map(|fit| fit.relative_rms()).reduce(f64::max),
        fitted: u32::try_from(fits.len()).expect("not more than packings"),
    })
}

fn packing_row<D: Dimension>(ready: &RestingPacking<D>, index: usize, rows: &[PistonRow]) -> PackingRow {
    let law = own_exponents(rows, index, |ring| fitted(&ring.fit));
    PackingRow {
        seed: ready.settings.seed,
        steps: ready.prepared.preparation.steps,
        sweeps: ready.prepared.preparation.sweeps,
        height: height(&ready.prepared.packing),
        rate: ready.soft.as_ref().map(Elastic::rate),
        q: ready.soft.as_ref().and_then(Elastic::q),
        omega_exponent: law.omega.map(|law| law.value),
        tau_exponent: law.tau.map(|law| law.value),
        texture: ready.prepared.texture.clone(),
    }
}

/// The exponents of one packing.
fn own_exponents(rows: &[PistonRow], index: usize, wave: impl Fn(&RingDown) -> Oscillation) -> Exponents {
    let points: Vec<_> = rows.iter().map(|row| (row.sweeps, wave(&row.rings[index]).exact())).collect();
    Exponents::fit(&points)
}

/// Each packing has its own exponents; their mean and its error. Of a single packing, the error of the fit.
fn mean_exponents(rows: &[PistonRow], wave: fn(&RingDown) -> Oscillation) -> Exponents {
    let packings = 0..rows.first().map_or(0, |row| row.rings.len());
    let each: Vec<Exponents> = packings.map(|index| own_exponents(rows, index, wave)).collect();
    let over = |of: fn(&Exponents) -> Option<Estimate>| match each.iter().filter_map(of).collect::<Vec<_>>()[..] {
        [one] => Some(one),
        ref all => mean(all.iter().map(|one| one.value)),
    };
    Exponents { omega: over(|one| one.omega), tau: over(|one| one.tau) }
}

fn measured(rows: &[PistonRow]) -> MeasuredPiston {
    let sliding = rows.iter().map(|row| row.measured.sliding).fold(0.0, f64::max);
    let packings = 0..rows.first().map_or(0, |row| row.rings.len());
    let has_law = |index: &usize| own_exponents(rows, *index, |ring| fitted(&ring.fit)).omega.is_some();
    MeasuredPiston {
        exponents: mean_exponents(rows, |ring| fitted(&ring.fit)),
        without_lattice: mean_exponents(rows, |ring| {
            let wave = fitted(&ring.fit);
            Oscillation { omega: wave.omega.map(in_short_steps), ..wave }
        }),
        first_swings: mean_exponents(rows, |ring| fitted(&ring.early)),
        packings: u32::try_from(packings.filter(has_law).count()).expect("not more than packings"),
        fit_residual: rows.iter().filter_map(|row| row.measured.fit_residual_largest).reduce(f64::max),
        sliding,
        slides: sliding > FEW,
    }
}
