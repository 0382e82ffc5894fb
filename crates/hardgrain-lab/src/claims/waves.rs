//! Sound in a chain of rigid grains: a pulse that travels, and every standing wave.

use super::claim::{Comparison, Reading, quantity};
use super::depth::{CheckSettings, TopicResult, finished};
use crate::dispersion::{self, DispersionResult, DispersionSettings, Mode};
use crate::estimate::exact;
use crate::pulse::{self, PulseResult, PulseRow};
use crate::settings::Error;
use crate::watch::{Progress, side_by_side};
use hardgrain_analysis::Estimate;
use hardgrain_theory::standing_wave;
use std::f64::consts::PI;

/// A pulse, and standing waves at two numbers of sweeps.
#[derive(Clone, Debug)]
pub struct Waves {
    /// The front at several numbers of sweeps.
    pub pulse: PulseResult,
    /// The paper's forty sweeps, and ten, above which its formula should hold; `None` if there are no waves.
    pub modes: Option<[DispersionResult; 2]>,
}

/// Waves much longer than the critical one: up to this k/k_c.
const LONG: f64 = 0.25;
/// A mode counts if its ω and its τ are known to these shares.
const KNOWN: [f64; 2] = [0.01, 0.02];

pub(super) fn check(asked: &CheckSettings, watch: &dyn Progress) -> TopicResult<Waves> {
    let pulse = pulse::run(&asked.sampling([6, 10, 100]), watch)?;
    let seeds = asked.depth.choose([30, 100, 400]);
    let of = |grains, sweeps| {
        let modes = Some(18);
        let (seed, flaw) = (asked.seed, asked.flaw);
        let settings = DispersionSettings { grains, sweeps, modes, seed, seeds, flaw, ..DispersionSettings::default() };
        dispersion::run(&settings, watch)
    };
    let modes = finished(of(100, 40))?.zip(finished(of(50, 10))?).map(<[_; 2]>::from);
    let of = |check: fn(&[DispersionResult; 2]) -> Vec<Comparison>| modes.as_ref().map_or_else(lost, check);
    let checks = vec![
        sound(&pulse),
        of(long_waves),
        of(all_waves),
        of(damping),
        of(critical),
        of(short_waves),
        of(critical_scaling),
        zone_edge(asked, watch)?,
        of(lattice),
    ];
    Ok((checks, Waves { pulse, modes }))
}

/// The check of waves that could not be followed.
fn lost() -> Vec<Comparison> {
    vec![
        quantity("share of rows in which waves could be followed")
            .is_at_least(1.0, 0.0)
            .or("there are no standing waves"),
    ]
}

fn sound(pulse: &PulseResult) -> Vec<Comparison> {
    let speed = |row: &PulseRow| {
        let name = format!("speed at {} sweeps, in d/h", row.sweeps);
        quantity(name).is_near(row.predicted, row.measured, 0.02).or("the speed is another one")
    };
    let exponent = quantity("exponent of c in N_I").equals(0.5, pulse.exponent, 0.02).or("it is not √N_I");
    pulse.rows.iter().map(speed).chain([exponent]).collect()
}

fn below(result: &DispersionResult) -> impl Iterator<Item = &Mode> {
    result.modes.iter().filter(|mode| mode.k_over_critical < 1.0)
}

/// The largest relative error of a theory among these modes, with the standard error of the measurement there. Modes that are
/// not known to this share do not count.
fn worst<'a>(
    modes: impl Iterator<Item = &'a Mode>,
    theory: impl Fn(&Mode) -> Option<f64>,
    measured: fn(&Mode) -> Option<Estimate>,
    known: f64,
) -> Option<Estimate> {
    let each = modes.filter_map(|mode| {
        let found = measured(mode)?;
        let value = theory(mode).map_or(1.0, |theory| (theory / found.value - 1.0).abs());
        Some(Estimate { value, error: found.error / found.value }).filter(|off| off.error < known)
    });
    each.max_by(|a, b| a.value.total_cmp(&b.value))
}

fn omega(mode: &Mode) -> Option<Estimate> {
    mode.measured.omega
}

fn tau(mode: &Mode) -> Option<Estimate> {
    mode.measured.tau
}

fn long_waves(modes: &[DispersionResult; 2]) -> Vec<Comparison> {
    let long = modes.iter().flat_map(below).filter(|mode| mode.k_over_critical < LONG);
    let off = worst(long, |mode| mode.predicted.omega, omega, KNOWN[0]);
    vec![quantity("largest relative error of ω(k) where k < k_c/4").vanishes(off, 0.015).or("ω(k) is another one")]
}

fn all_waves(modes: &[DispersionResult; 2]) -> Vec<Comparison> {
    let all = worst(modes.iter().flat_map(below), |mode| mode.predicted.omega, omega, KNOWN[0]);
    let good = modes.iter().filter_map(|result| result.continuum.omega_holds_up_to).fold(f64::INFINITY, f64::min);
    vec![quantity("largest relative error of ω(k) where k < k_c").vanishes(all, 0.05).or(&format!(
        "near k_c the true frequency goes to π/2h instead of 0, as ω h = arccos √s says; the formula is good to 1 % up to {good:.2} k_c"
    ))]
}

/// The share of the waves below k_c that are known well enough to count.
fn known(modes: &[DispersionResult; 2], of: fn(&Mode) -> Option<Estimate>, share: f64) -> f64 {
    let is_known = |mode: &&Mode| of(mode).is_some_and(|found| found.error < share * found.value);
    let all = || modes.iter().flat_map(below);
    all().filter(is_known).count() as f64 / all().count() as f64
}

fn damping(modes: &[DispersionResult; 2]) -> Vec<Comparison> {
    let all = worst(modes.iter().flat_map(below), |mode| mode.predicted.tau, tau, KNOWN[1]);
    vec![
        quantity("largest relative error of τ(k) where k < k_c").vanishes(all, 0.05).or("τ(k) is another one"),
        quantity("share of these waves whose τ is known to 2 %")
            .is_at_least(0.8, known(modes, tau, KNOWN[1]))
            .or("too few waves are known"),
    ]
}

/// What is left of a wave after one step.
fn left(mode: &Mode) -> f64 {
    mode.curve.get(1).map_or(f64::INFINITY, |left| left.abs())
}

fn beyond(modes: &[DispersionResult; 2]) -> impl Iterator<Item = &Mode> {
    modes.iter().flat_map(|result| &result.modes).filter(|mode| mode.k_over_critical > 1.0)
}

fn critical(modes: &[DispersionResult; 2]) -> Vec<Comparison> {
    let known = beyond(modes).filter_map(omega).filter(|found| found.error < 0.05 * found.value);
    let fastest = known.max_by(|a, b| a.value.total_cmp(&b.value)).unwrap_or(exact(0.0));
    vec![quantity("largest ω h that was found beyond k_c").vanishes(fastest, 0.1).or(
        "no wave is over-damped: a step multiplies it by s ± i √(s − s²), so beyond k_c it turns by nearly a quarter while it is gone",
    )]
}

fn short_waves(modes: &[DispersionResult; 2]) -> Vec<Comparison> {
    let most = beyond(modes).map(left).fold(0.0, f64::max);
    vec![
        quantity("what is left after one step of any wave with k > k_c")
            .is_at_most((-3.0_f64).exp(), Reading::single(most))
            .or("some wave beyond k_c lives on"),
    ]
}

/// The wave number at which a step leaves e^−4 of a wave, which is k_c in the continuum, between two measured modes.
fn measured_critical(result: &DispersionResult) -> Option<f64> {
    let limit = (-4.0_f64).exp();
    let pair = result.modes.windows(2).find(|pair| left(&pair[0]) >= limit && left(&pair[1]) < limit)?;
    let (high, low) = (left(&pair[0]).ln(), left(&pair[1]).max(1e-300).ln());
    let share = (high - limit.ln()) / (high - low);
    // s falls as e^{−q N k²}: straight in k².
    let squares = [pair[0].k * pair[0].k, pair[1].k * pair[1].k];
    Some((squares[0] + share * (squares[1] - squares[0])).sqrt())
}

fn critical_scaling(modes: &[DispersionResult; 2]) -> Vec<Comparison> {
    let found = [measured_critical(&modes[0]), measured_critical(&modes[1])];
    let ratio = Reading::single(found[1].zip(found[0]).map(|(ten, forty)| ten / forty));
    let mut checks = vec![
        quantity("k_c at 10 sweeps over k_c at 40 sweeps").is_near(2.0, ratio, 0.05).or("k_c does not go as 1/√N_I"),
    ];
    checks.extend(modes.iter().zip(found).map(|(result, found)| {
        let name = format!("k_c d at {} sweeps, where a step leaves e^−4", result.settings.sweeps);
        quantity(name).is_near(result.critical_wavenumber, Reading::single(found), 0.1).limit("k_c is another one")
    }));
    checks
}

/// Grains of a short row, and sweeps a step: so few that short waves do not decay at once.
const EDGE: (u32, u32) = (20, 1);

/// The amplitude that a step leaves of each wave up to k = 2π/d: its minimum is the edge of the zone, beyond which waves
/// repeat.
fn zone_edge(asked: &CheckSettings, watch: &dyn Progress) -> Result<Vec<Comparison>, Error> {
    let (grains, sweeps) = EDGE;
    let seeds = asked.depth.choose([20, 50, 200]);
    let settings = DispersionSettings { grains, sweeps, seeds, seed: asked.seed, ..DispersionSettings::default() };
    let modes: Vec<u32> = (1..=2 * grains).collect();
    let left = side_by_side(&modes, watch, |&mode| dispersion::left_after_a_step(&settings, mode, watch))?;
    // The middle of the waves of which as little is left as of the one with least.
    let least = left.iter().copied().fold(f64::INFINITY, f64::min);
    let lowest = modes.iter().zip(&left).filter(|(_, left)| **left < least + 0.01);
    let lowest: Vec<f64> = lowest.map(|(mode, _)| standing_wave(*mode, f64::from(grains))).collect();
    let edge = lowest.iter().sum::<f64>() / lowest.len() as f64;
    Ok(vec![
        quantity("k d beyond which waves repeat")
            .is_near(2.0 * PI, Reading::single(edge), 0.05)
            .or("waves with k and 2π/d − k move the grains alike, so the zone ends at π/d"),
    ])
}

fn lattice(modes: &[DispersionResult; 2]) -> Vec<Comparison> {
    let of_omega = worst(modes.iter().flat_map(below), |mode| mode.lattice_with_ends.omega, omega, KNOWN[0]);
    let of_tau = worst(modes.iter().flat_map(below), |mode| mode.lattice_with_ends.tau, tau, KNOWN[1]);
    vec![
        quantity("largest relative error of ω where k < k_c").vanishes(of_omega, 0.02).or("ω is another one"),
        quantity("largest relative error of τ where k < k_c").vanishes(of_tau, 0.04).or("τ is another one"),
        quantity("share of these waves whose ω is known to 1 %")
            .is_at_least(0.8, known(modes, omega, KNOWN[0]))
            .or("too few waves are known"),
    ]
}
