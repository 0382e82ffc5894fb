//! A packing at rest is pushed a little, and rings. What it does, and what springs in the place of its contacts would do.

use crate::estimate::Oscillation;
use crate::line::steps;
use crate::settings::Error;
use crate::watch::{Progress, side_by_side};
use hardgrain::{Body, ContactDynamics, Dimension, Engine, GaussSeidel, Order, Packing, Stop};
use hardgrain_analysis::{DampedSine, Elastic, Fit, FitSettings, NotAnOscillation, Samples, frequency};
use std::f64::consts::{FRAC_PI_2, PI};

/// More sweeps a step than a packing can ring with.
pub(crate) const SWEEPS_MAX: u32 = 100_000;
/// Most packings.
pub(crate) const PACKINGS_MAX: u32 = 1000;
/// The first swings are over, and with them what had to slide has slid, after half as long again as the first turning
/// point;
const SWUNG: f64 = 1.5;
/// and after this number of damping times only one wave is left. After 1.5 of them others still bend τ of spheres by up to 4 %;
/// from 2.5 on, where the fit begins no longer matters.
const TRANSIENT: f64 = 3.0;
/// Length of a fit in damping times,
const WINDOW: f64 = 3.0;
/// and its least length in steps.
const WINDOW_STEPS: f64 = 16.0;
/// A push makes everything ring, so that an oscillation has little to prove.
const ODDS: f64 = 100.0;
/// The search for the first turning point ends after this multiple of the time that springs would take.
const PATIENCE: f64 = 3.0;
/// No ring is followed for longer.
const MOST_STEPS: usize = 50_000;

/// Steps of length 1 with a fixed number of sweeps in the paper's order.
pub(crate) fn sweeping<D: Dimension>(sweeps: u32, seed: u64) -> ContactDynamics<D> {
    sweeping_in(Order::RandomSweep, sweeps, seed)
}

/// The same in any order.
pub(crate) fn sweeping_in<D: Dimension>(order: Order, sweeps: u32, seed: u64) -> ContactDynamics<D> {
    ContactDynamics::new(1.0, GaussSeidel::new(order, Stop::Sweeps(sweeps))).seed(seed)
}

/// Rings all packings at each number of sweeps: a list for each of these.
pub(crate) fn at_each<P: Sync, R: Send>(
    sweeps: &[u32],
    packings: &[P],
    watch: &dyn Progress,
    ring: impl Fn(u32, &P) -> Result<R, Error> + Sync,
) -> Result<Vec<Vec<R>>, Error> {
    let pairs: Vec<(u32, &P)> =
        sweeps.iter().flat_map(|&sweeps| packings.iter().map(move |packing| (sweeps, packing))).collect();
    let mut rings = side_by_side(&pairs, watch, |&(sweeps, packing)| ring(sweeps, packing))?.into_iter();
    Ok(sweeps.iter().map(|_| rings.by_ref().take(packings.len()).collect()).collect())
}

/// The frequency that a wave would have in steps much shorter than its period: ω² = 2/(τ h) again, with the τ that
/// belongs to ω in finite steps.
pub(crate) fn in_short_steps(omega: f64) -> f64 {
    (-2.0 * omega.cos().ln()).sqrt()
}

/// What springs in the place of the contacts of a packing at rest make of a push, with q of this order; `push` fills in the
/// accelerations of the bodies. Nothing if many slow motions answer together, as in packings that are held by hardly more
/// contacts than they need.
pub(crate) fn springs<D: Dimension>(
    order: Order,
    packing: &Packing<D>,
    push: impl FnOnce(&mut [Body<D>]),
) -> Result<Option<Elastic<D>>, Error> {
    let mut engine = sweeping_in::<D>(order, 1, 0);
    let damping = engine.step(&mut packing.clone())?.damping;
    let lost = || Error::Unfinished("springs in the place of the contacts do not hold this packing".into());
    let elastic = Elastic::new(engine.problem(), (order, damping), push).ok_or_else(lost)?;
    Ok(Some(elastic).filter(Elastic::is_single))
}

/// ω and τ of these springs at this number of sweeps a step.
pub(crate) fn wave<D: Dimension>(springs: Option<&Elastic<D>>, sweeps: u32) -> Oscillation {
    let tau = springs.and_then(|elastic| elastic.damping_time(f64::from(sweeps)));
    Oscillation { omega: tau.map(frequency), tau }
}

fn window_length(tau: f64) -> usize {
    steps((WINDOW * tau).max(WINDOW_STEPS))
}

/// ω and τ of a fit; neither where there is none.
pub(crate) fn fitted(fit: &Result<Fit, NotAnOscillation>) -> Oscillation {
    let curve = fit.as_ref().ok().map(|fit| fit.curve);
    Oscillation { omega: curve.map(|curve| curve.frequency), tau: curve.map(|curve| curve.damping_time()) }
}

/// A ring that was followed.
#[derive(Clone, Debug, PartialEq)]
pub struct RingDown {
    /// How far the piston or band has moved along the push, step by step, from 0 on.
    pub places: Vec<f64>,
    /// The steps of the fit: from, and one beyond the last.
    pub window: [usize; 2],
    /// A damped sine with everything free, when one wave is left.
    pub fit: Result<Fit, NotAnOscillation>,
    /// The same from the first turning point on: the first swings, in which contacts may still slide.
    pub early: Result<Fit, NotAnOscillation>,
}

impl RingDown {
    /// Makes as many steps as the fit needs, each of which returns the displacement, and fits. The expected oscillation only sets
    /// when to look and for how long; without one the first turning point does, half a period after the push.
    pub(crate) fn follow(expected: Oscillation, mut step: impl FnMut() -> Result<f64, Error>) -> Result<Self, Error> {
        let patience = expected.omega.map_or(MOST_STEPS, |omega| steps(PATIENCE * PI / omega).max(100));
        let mut places = vec![0.0];
        let is_turned = |places: &[f64]| places.windows(2).next_back().is_some_and(|pair| pair[1] < pair[0]);
        while places.len() < patience && !is_turned(&places) {
            places.push(step()?);
        }
        // What decays within a step does not ring.
        let over = expected.tau.is_some_and(|tau| tau < 1.0);
        if over || !is_turned(&places) {
            let never = Err(NotAnOscillation::Relaxation);
            return Ok(Self { window: [places.len(); 2], fit: never, early: never, places });
        }
        let turn = (places.len() - 2).max(3) as f64;
        let tau = expected.tau.unwrap_or_else(|| -1.0 / (PI / turn).cos().ln()).max(1.0);
        let late = steps((SWUNG * turn).max(TRANSIENT * tau)).min(MOST_STEPS / 2);
        let windows = [late, steps(turn)].map(|from| [from, from + window_length(tau)]);
        while places.len() < windows[0][1].min(MOST_STEPS) {
            places.push(step()?);
        }
        let fits = windows.map(|[from, to]| {
            let [from, to] = [from, to].map(|end| end.min(places.len()));
            let samples = Samples::new(from as f64, 1.0, &places[from..to]);
            // Nothing that is swept turns faster than a quarter a step.
            let settings = FitSettings { frequency_max: FRAC_PI_2, odds: ODDS, ..FitSettings::default() };
            DampedSine::fit(samples, settings)
        });
        let [fit, early] = fits;
        Ok(Self { window: windows[0].map(|end| end.min(places.len())), fit, early, places })
    }
}
