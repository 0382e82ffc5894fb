//! Sound and stiffness of a packing that is periodic sideways: pushed from above it rings along, pushed sideways across.
//!
//! The same packing answers to two pushes. A step of the load on the lid excites the standing wave in which grains move up
//! and down; a sideways force on the top band of grains the one in which they move to and fro. Both have a node at the
//! base and a belly at the top (the lid is smooth, so it does not hold the grains), both have the wave number π/2L.
//! How far the packing yields in the end gives its apparent moduli.

use crate::cache::PackingCache;
use crate::estimate::{Oscillation, keys, mean, mean_of_all, mean_value};
use crate::piston;
use crate::preparation::{Prepared, height};
use crate::recipe::PackingSettings;
use crate::ring_down::{self, PACKINGS_MAX, RingDown, SWEEPS_MAX, at_each, fitted, in_short_steps, sweeping};
use crate::settings::{Error, Validate, each_within, ensure, within};
use crate::watch::{Progress, side_by_side};
use hardgrain::{Body, Components, Dimension, Engine, Order, Packing, Plane, Space};
use hardgrain_analysis::{Elastic, Estimate, SpringNetwork, Voigt, touching};
use serde::Serialize;
use std::f64::consts::FRAC_PI_2;

/// The top band holds the grains above this share of the height.
const BAND: f64 = 0.9;

/// What to run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModuliSettings {
    /// N_I, one row of the result each.
    pub sweeps: Vec<u32>,
    /// How many packings, with seeds from the first on.
    pub packings: u32,
    /// The pushes, over the load.
    pub load_step: f64,
    /// The first packing.
    #[serde(flatten)]
    pub packing: PackingSettings,
}

impl Default for ModuliSettings {
    fn default() -> Self {
        let packing = PackingSettings { periodic: true, ..PackingSettings::default() };
        Self { sweeps: vec![5, 10, 20, 40, 80], packings: 3, load_step: 1e-4, packing }
    }
}

impl Validate for ModuliSettings {
    fn check(&self) -> Result<(), Error> {
        self.packing.check()?;
        each_within("sweeps", &self.sweeps, 1, SWEEPS_MAX)?;
        within("packings", self.packings, 1, PACKINGS_MAX)?;
        ensure((0.005..=10.0).contains(&self.packing.piston_mass), "piston-mass", || {
            let light = "so light a lid is no lid, and under so heavy a one there is no wave; take 0.005 to 10";
            format!("{}: {light}", self.packing.piston_mass)
        })?;
        ensure((1e-8..=0.01).contains(&self.load_step), "load-step", || {
            let range = "is not between 1e-8, below which rounding answers, and 0.01, above which grains slide";
            format!("{:e} {range}", self.load_step)
        })
    }
}

/// One of the two waves.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct WaveRow {
    /// ω and τ of springs in the place of contacts.
    pub springs: Oscillation,
    /// ω and τ as measured, with errors over packings.
    #[serde(flatten, serialize_with = "keys::apart")]
    pub measured: Oscillation<Estimate>,
    /// Speed of sound c = ω/k, with ω √(−2 ln cos ωh)/h of a continuum and k = π/2L; under a lid kL tan kL = M/m.
    pub sound_speed: Option<f64>,
    /// The modulus from the yielding of the packing: stress over strain; with its error over packings.
    #[serde(flatten, serialize_with = "keys::modulus")]
    pub modulus: Option<Estimate>,
    /// The modulus of springs in the place of contacts, made in whole steps.
    pub modulus_springs: Option<f64>,
    /// The same if all grains moved as the whole does: an upper bound.
    pub modulus_affine: Option<f64>,
    /// Largest unexplained rest of the fits over the amplitude.
    pub fit_residual: Option<f64>,
    /// In how many packings an oscillation was found.
    pub fitted: u32,
}

/// One number of sweeps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModuliRow {
    /// N_I.
    pub sweeps: u32,
    /// Mean stiffness of contacts along the normal, κ_n = 2 q N_I/(w_n h²).
    pub contact_normal: Option<f64>,
    /// Mean stiffness of contacts along the tangent, κ_t = 2 q N_I/(w_t h²).
    pub contact_tangent: Option<f64>,
    /// Grains move along the wave; its modulus is that of compression without sideways strain, M.
    pub longitudinal: WaveRow,
    /// Grains move across; its modulus is the shear modulus G.
    pub transversal: WaveRow,
    /// The bulk modulus M − G in the plane, M − 4G/3 in space.
    pub bulk_modulus: Option<f64>,
    /// Transversal over longitudinal speed of sound.
    pub speed_ratio: Option<f64>,
    /// The rings of all packings: longitudinal, transversal.
    #[serde(skip)]
    pub rings: Vec<[RingDown; 2]>,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ModuliResult {
    /// "moduli".
    pub experiment: &'static str,
    /// What was asked.
    pub settings: ModuliSettings,
    /// c_T/c_L. The paper only states that transversal modes exist.
    #[serde(serialize_with = "keys::speed_ratio")]
    pub predicted: Option<Estimate>,
    /// Springs in the place of contacts: √(β_T/β_L).
    #[serde(serialize_with = "keys::speed_ratio")]
    pub springs: Option<Estimate>,
    /// Mean over packings and numbers of sweeps.
    #[serde(serialize_with = "keys::speed_ratio")]
    pub measured: Option<Estimate>,
    /// One for each number of sweeps.
    pub rows: Vec<ModuliRow>,
}

/// Runs the experiment.
///
/// # Errors
/// When a setting makes no sense, a packing does not come to rest, or a step fails.
pub fn run(settings: &ModuliSettings, cache: &PackingCache, watch: &dyn Progress) -> Result<ModuliResult, Error> {
    settings.check()?;
    if settings.packing.dimension == 2 {
        run_in::<Plane>(settings, cache, watch)
    } else {
        run_in::<Space>(settings, cache, watch)
    }
}

/// What is pushed: the lid along its normal, or the top band along x.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Pushed {
    Lid,
    Band,
}

/// A packing, its top band, and the response of its springs to both pushes.
struct PushablePacking<D: Dimension> {
    seed: u64,
    prepared: Prepared<D>,
    band: Vec<usize>,
    soft: [Option<Elastic<D>>; 2],
    voigt: Voigt,
}

fn run_in<D: Dimension>(
    settings: &ModuliSettings,
    cache: &PackingCache,
    watch: &dyn Progress,
) -> Result<ModuliResult, Error> {
    let each = PackingSettings { periodic: true, ..settings.packing.clone() }.several(settings.packings);
    let ready = side_by_side(&each, watch, |settings| ready::<D>(settings, cache, watch))?;
    let rings = at_each(&settings.sweeps, &ready, watch, |sweeps, ready| {
        let [lid, band] =
            [Pushed::Lid, Pushed::Band].map(|pushed| ring(ready, pushed, sweeps, settings.load_step, watch));
        Ok([lid?, band?])
    })?;
    let rows: Vec<ModuliRow> =
        settings.sweeps.iter().zip(rings).map(|(&sweeps, rings)| row(settings, sweeps, &ready, rings)).collect();
    let expected = |ready: &PushablePacking<D>| {
        let longitudinal = continuum(ready, Pushed::Lid, ready.soft[0].as_ref()?.rate().sqrt());
        Some(continuum(ready, Pushed::Band, ready.soft[1].as_ref()?.rate().sqrt()) / longitudinal)
    };
    let springs = ready.iter().map(expected).collect::<Option<Vec<f64>>>();
    let ratios = |index: usize| mean_value(rows.iter().filter_map(|row| ratio(&ready[index], &row.rings[index])));
    Ok(ModuliResult {
        experiment: "moduli",
        settings: settings.clone(),
        predicted: None,
        springs: springs.and_then(mean),
        measured: mean((0..ready.len()).filter_map(ratios)),
        rows,
    })
}

fn ready<D: Dimension>(
    settings: &PackingSettings,
    cache: &PackingCache,
    watch: &dyn Progress,
) -> Result<PushablePacking<D>, Error> {
    let prepared = cache.packing::<D>(settings, watch)?;
    let packing = &prepared.packing;
    let least = BAND * height(packing);
    let held = touching(packing);
    let is_member = |i: &usize| held[*i] >= 2 && packing.grains[*i].position.as_slice()[1] > least;
    let band: Vec<usize> = (0..packing.grains.len()).filter(is_member).collect();
    let lid = ring_down::springs(Order::RandomSweep, packing, |bodies| piston::push(packing, bodies))?;
    let across = ring_down::springs(Order::RandomSweep, packing, |bodies| push_band(packing, &band, bodies))?;
    let mut engine = sweeping::<D>(1, 0);
    engine.step(&mut packing.clone())?;
    let voigt = SpringNetwork::new(engine.problem()).affine(settings.area() * height(packing));
    Ok(PushablePacking { seed: settings.seed, band, soft: [lid, across], voigt, prepared })
}

/// The mass of a band of grains.
fn mass<D: Dimension>(packing: &Packing<D>, band: &[usize]) -> f64 {
    band.iter().map(|&i| packing.grains[i].mass).sum()
}

fn sideways<D: Dimension>() -> D::Vector<f64> {
    D::Vector::from_fn(|axis| if axis == 0 { 1.0 } else { 0.0 })
}

/// A unit force on the band, shared by mass, so that all of it gets the same acceleration.
fn push_band<D: Dimension>(packing: &Packing<D>, band: &[usize], bodies: &mut [Body<D>]) {
    for &i in band {
        bodies[i].velocity = sideways::<D>() * (1.0 / mass(packing, band));
    }
}

/// How far the band moves per unit of shape: the mean by mass.
fn of_band<D: Dimension>(packing: &Packing<D>, band: &[usize], of: impl Fn(usize) -> f64) -> f64 {
    band.iter().map(|&i| packing.grains[i].mass * of(i)).sum::<f64>() / mass(packing, band)
}

fn ring<D: Dimension>(
    ready: &PushablePacking<D>,
    pushed: Pushed,
    sweeps: u32,
    load_step: f64,
    watch: &dyn Progress,
) -> Result<RingDown, Error> {
    let mut packing = ready.prepared.packing.clone();
    let force = load_step * packing.pistons[0].force;
    match pushed {
        Pushed::Lid => packing.pistons[0].force += force,
        Pushed::Band => {
            let whole = mass(&packing, &ready.band);
            for &i in &ready.band {
                let grain = &mut packing.grains[i];
                grain.force += sideways::<D>() * (force * grain.mass / whole);
            }
        }
    }
    let mut engine = sweeping::<D>(sweeps, ready.seed);
    let mut place = 0.0;
    RingDown::follow(ring_down::wave(ready.soft[pushed as usize].as_ref(), sweeps), || {
        engine.step(&mut packing)?;
        watch.alive();
        // Added up from velocities: places jump where the cell ends.
        place += match pushed {
            Pushed::Lid => packing.pistons[0].speed,
            Pushed::Band => of_band(&packing, &ready.band, |i| packing.grains[i].velocity.as_slice()[0]),
        };
        Ok(place)
    })
}

/// The speed of sound that belongs to a frequency of a continuum: c = ω/k.
fn continuum<D: Dimension>(ready: &PushablePacking<D>, pushed: Pushed, omega: f64) -> f64 {
    let packing = &ready.prepared.packing;
    let angle = match pushed {
        // The lid swings with the grains: kL tan kL is their mass over its own.
        Pushed::Lid => {
            let grains: f64 = packing.grains.iter().map(|grain| grain.mass).sum();
            loaded_end(grains / packing.pistons[0].mass)
        }
        Pushed::Band => FRAC_PI_2,
    };
    omega * height(&ready.prepared.packing) / angle
}

/// x tan x = ratio, between 0 and π/2.
fn loaded_end(ratio: f64) -> f64 {
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if middle * middle.tan() < ratio { low = middle } else { high = middle }
    }
    low
}

fn ratio<D: Dimension>(ready: &PushablePacking<D>, [lid, band]: &[RingDown; 2]) -> Option<f64> {
    let of = |ring: &RingDown, pushed| {
        ring.fit.as_ref().ok().map(|fit| continuum(ready, pushed, in_short_steps(fit.curve.frequency)))
    };
    Some(of(band, Pushed::Band)? / of(lid, Pushed::Lid)?)
}

fn row<D: Dimension>(
    settings: &ModuliSettings,
    sweeps: u32,
    ready: &[PushablePacking<D>],
    rings: Vec<[RingDown; 2]>,
) -> ModuliRow {
    let stiffness = |of: fn(&Voigt) -> f64| {
        let all = ready.iter().map(|ready| Some(ready.soft[0].as_ref()?.q()? * of(&ready.voigt)));
        mean_of_all(all).map(|mean| 2.0 * f64::from(sweeps) * mean)
    };
    let speed_ratio = mean_value(ready.iter().zip(&rings).filter_map(|(ready, pair)| ratio(ready, pair)));
    let waves = [Pushed::Lid, Pushed::Band].map(|pushed| wave(settings, sweeps, ready, &rings, pushed));
    let [longitudinal, transversal] = waves;
    let share = if settings.packing.dimension == 2 { 1.0 } else { 4.0 / 3.0 };
    ModuliRow {
        sweeps,
        contact_normal: stiffness(|voigt| voigt.normal),
        contact_tangent: stiffness(|voigt| voigt.tangent),
        bulk_modulus: longitudinal.modulus.zip(transversal.modulus).map(|(m, g)| m.value - share * g.value),
        speed_ratio,
        longitudinal,
        transversal,
        rings,
    }
}

fn wave<D: Dimension>(
    settings: &ModuliSettings,
    sweeps: u32,
    ready: &[PushablePacking<D>],
    rings: &[[RingDown; 2]],
    pushed: Pushed,
) -> WaveRow {
    let index = pushed as usize;
    let fits: Vec<_> = rings.iter().filter_map(|pair| pair[index].fit.as_ref().ok()).collect();
    let found: Vec<Oscillation> = rings.iter().map(|pair| fitted(&pair[index].fit)).collect();
    let each = || ready.iter().zip(rings).filter_map(|(ready, pair)| Some((ready, pair[index].fit.as_ref().ok()?)));
    let speeds = each().map(|(ready, fit)| continuum(ready, pushed, in_short_steps(fit.curve.frequency)));
    let springs = |ready: &PushablePacking<D>| ring_down::wave(ready.soft[index].as_ref(), sweeps);
    // Stress over strain: force over area, displacement over length.
    let force = |ready: &PushablePacking<D>| settings.load_step * ready.prepared.packing.pistons[0].force;
    let modulus =
        |ready: &PushablePacking<D>, way: f64| force(ready) / settings.packing.area() * strained(ready, pushed) / way;
    let soft = |ready: &PushablePacking<D>| {
        Some(modulus(ready, force(ready) * ready.soft[index].as_ref()?.way(f64::from(sweeps))?))
    };
    let affine = |ready: &PushablePacking<D>| {
        let unit = if pushed == Pushed::Lid { ready.voigt.compression } else { ready.voigt.shear };
        Some(2.0 * ready.soft[index].as_ref()?.q()? * f64::from(sweeps) * unit)
    };
    WaveRow {
        springs: Oscillation::from_fn(|of| mean_of_all(ready.iter().map(|ready| of(&springs(ready))))),
        measured: Oscillation::from_fn(|of| mean(found.iter().filter_map(of))),
        sound_speed: mean_value(speeds),
        modulus: mean(each().map(|(ready, fit)| modulus(ready, fit.curve.offset))),
        modulus_springs: mean_of_all(ready.iter().map(soft)),
        modulus_affine: mean_of_all(ready.iter().map(affine)),
        fit_residual: fits.iter().map(|fit| fit.relative_rms()).reduce(f64::max),
        fitted: u32::try_from(fits.len()).expect("not more than packings"),
    }
}

/// The length that is strained: up to the lid, or up to the band and, as the force is spread over it, a third of it.
fn strained<D: Dimension>(ready: &PushablePacking<D>, pushed: Pushed) -> f64 {
    match pushed {
        Pushed::Lid => height(&ready.prepared.packing),
        Pushed::Band => (BAND + (1.0 - BAND) / 3.0) * height(&ready.prepared.packing),
    }
}
