//! Softness on purpose: what do given springs cost as soft grains, and as rigid grains whose sweeps amount to them?
//!
//! Both are counted in updates of a contact: a sweep relaxes every contact once, a soft step evaluates every spring once. Soft
//! steps must be short enough to be stable, and for ω and τ of the longest wave of a row to be right. They are those of the
//! paper, explicit: velocities from the forces, places from the new velocities. Of rigid rows ω and τ are measured as well.

use crate::dispersion::{self, DispersionSettings};
use crate::estimate::Oscillation;
use crate::line::steps;
use crate::settings::{Error, Sampling};
use crate::watch::{Progress, Unwatched, side_by_side};
use hardgrain_analysis::{DampedSine, Estimate, FitSettings, Samples};
use hardgrain_theory::{Collision, Imitation, SpringChain, SweepOrder, standing_wave};

/// N_I of the rigid grains, one row of the result each: the more, the stronger the springs are damped.
const SWEEPS: [u32; 6] = [2, 5, 10, 20, 40, 80];
/// The row.
const GRAINS: u32 = 40;
/// ω and τ are right if they are no farther off than these shares.
const RIGHT: [f64; 2] = [0.01, 0.03];
/// A wave is followed for this number of damping times.
const LIFETIMES: f64 = 3.0;
/// Soft steps become shorter by this factor until they are right.
const SHORTER: f64 = 1.05;
/// A row that has moved this multiple of the expected way has exploded.
const EXPLODED: f64 = 1e3;

/// One spring.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct SoftnessRow {
    /// Sweeps in a rigid step h: updates of each contact in the time h.
    pub sweeps: u32,
    /// γ/√(mκ).
    pub damping: f64,
    /// Soft steps in the time h that are just stable.
    pub stable: u32,
    /// Soft steps in the time h with which ω and τ are right.
    pub right: u32,
    /// By which shares ω and τ of a row of rigid grains are off those of the springs.
    pub rigid_off: Oscillation<Estimate>,
}

/// The result.
#[derive(Clone, Debug, PartialEq)]
pub struct SoftnessResult {
    /// One for each spring.
    pub rows: Vec<SoftnessRow>,
    /// Restitution of the collision of two grains with the least damped springs that a single sweep imitates.
    pub most_restitution: f64,
}

/// Runs the experiment.
///
/// # Errors
/// When a setting makes no sense or a step fails.
pub fn run(sampling: &Sampling, watch: &dyn Progress) -> Result<SoftnessResult, Error> {
    let rows = side_by_side(&SWEEPS, watch, |&sweeps| row(sampling, sweeps, watch))?;
    // κ = m = 1; both grains move: w = 2/m.
    let least = Imitation::least_damping(1.0, 1.0, SweepOrder::RandomSweep);
    Ok(SoftnessResult { rows, most_restitution: Collision::new(1.0, least, 2.0).restitution() })
}

fn row(sampling: &Sampling, sweeps: u32, watch: &dyn Progress) -> Result<SoftnessRow, Error> {
    // h = m = 1: κ = γ = q N_I.
    let strength = SweepOrder::RandomSweep.q() * f64::from(sweeps);
    let chain = SpringChain { stiffness: strength, damping: strength, mass: 1.0, diameter: 1.0 };
    let rigid_off = rigid_off(sampling, &chain, sweeps)?;
    let (mut substeps, mut stable) = (1_u32, None);
    loop {
        watch.alive();
        let ring = ring(&chain, substeps);
        if ring.is_some() && stable.is_none() {
            stable = Some(substeps);
        }
        if ring.is_some_and(|places| is_right(&chain, &places)) {
            let (damping, stable) = (strength.sqrt(), stable.unwrap_or(substeps));
            return Ok(SoftnessRow { sweeps, damping, stable, right: substeps, rigid_off });
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "some thousands")]
        let more = (f64::from(substeps) * SHORTER) as u32;
        substeps = more.max(substeps + 1);
    }
}

/// By which shares a row of rigid grains is off the springs.
fn rigid_off(sampling: &Sampling, chain: &SpringChain, sweeps: u32) -> Result<Oscillation<Estimate>, Error> {
    let Sampling { seed, seeds, .. } = *sampling;
    let settings =
        DispersionSettings { grains: GRAINS, sweeps, modes: Some(1), seed, seeds, ..DispersionSettings::default() };
    let result = dispersion::run(&settings, &Unwatched)?;
    let (measured, k) = (&result.modes[0].measured, result.modes[0].k);
    let off = |found: Option<Estimate>, springs: Option<f64>| {
        let (found, springs) = (found?, springs?);
        let off = Estimate { value: (found.value / springs - 1.0).abs(), error: found.error / springs };
        Some(off).filter(|off| !off.error.is_infinite())
    };
    Ok(Oscillation { omega: off(measured.omega, chain.frequency(k)), tau: off(measured.tau, chain.damping_time(k)) })
}

/// How far the last grain of a row of springs has moved after each h, in units of where it comes to rest, when it is pushed and
/// h is divided into `substeps` steps; `None` if the row explodes.
fn ring(chain: &SpringChain, substeps: u32) -> Option<Vec<f64>> {
    let count = GRAINS as usize;
    let step = 1.0 / f64::from(substeps);
    let tau = chain.damping_time(standing_wave(1, f64::from(GRAINS)))?;
    let force = chain.stiffness / (f64::from(GRAINS) - 0.5);
    let (mut places, mut velocities) = (vec![0.0; count], vec![0.0; count]);
    let mut way = vec![0.0];
    for _ in 0..steps(LIFETIMES * tau).max(24) {
        for _ in 0..substeps {
            // From the wall outwards, which is twice as stiff; the last contact is the push.
            let mut pushed_by = 2.0 * (chain.stiffness * places[0] + chain.damping * velocities[0]);
            for grain in 0..count {
                let next = match grain + 1 {
                    next if next < count => {
                        chain.stiffness * (places[next] - places[grain])
                            + chain.damping * (velocities[next] - velocities[grain])
                    }
                    _ => force,
                };
                velocities[grain] += step * (next - pushed_by);
                pushed_by = next;
            }
            for (place, velocity) in places.iter_mut().zip(&velocities) {
                *place += step * velocity;
            }
        }
        way.push(places[count - 1]);
        if places[count - 1].is_nan() || places[count - 1].abs() > EXPLODED {
            return None;
        }
    }
    Some(way)
}

fn is_right(chain: &SpringChain, places: &[f64]) -> bool {
    let k = standing_wave(1, f64::from(GRAINS));
    let (Some(omega), Some(tau)) = (chain.frequency(k), chain.damping_time(k)) else { return false };
    let from = places.len() / 6;
    let samples = Samples::new(from as f64, 1.0, &places[from..]);
    let Ok(fit) = DampedSine::fit(samples, FitSettings::default()) else { return false };
    let off = [fit.curve.frequency / omega - 1.0, fit.curve.damping_time() / tau - 1.0];
    off.iter().zip(RIGHT).all(|(off, right)| off.abs() < right)
}
