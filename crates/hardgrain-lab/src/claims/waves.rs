//! Sound in a chain of rigid grains: a pulse that travels, and every standing wave.

use super::claim::{Check, Reading, Statement};
use super::{Asked, Checked, Evidence};
use crate::dispersion::{self, DispersionResult, DispersionSettings, Mode};
use crate::pulse::{self, PulseResult, PulseSettings};
use crate::watch::Watch;
use hardgrain_theory::standing_wave;
use std::f64::consts::PI;

pub(super) const STATEMENTS: [Statement; 7] = [
    Statement {
        id: "sound-speed",
        claim: "A push travels with the finite speed c = √(q N_I) d/h.",
        section: "III B, Eq. (17)",
    },
    Statement {
        id: "dispersion",
        claim: "Standing waves oscillate with ω(k) = k √(c² − D²k²/4); from N_I = 10 on this is good for all that oscillate.",
        section: "III B 1, Eq. (18)",
    },
    Statement { id: "damping", claim: "They fade with τ(k) = 2/(D k²).", section: "III B 1, Eq. (20)" },
    Statement {
        id: "critical-wave",
        claim: "Waves with k > k_c = 2c/D do not oscillate: they are over-damped.",
        section: "III B 1, Eq. (19)",
    },
    Statement {
        id: "critical-wave-scaling",
        claim: "k_c ~ 1/√N_I: the more sweeps, the fewer waves are left that oscillate.",
        section: "III B 1, Eq. (19)",
    },
    Statement { id: "zone-edge", claim: "The border of the Brillouin zone is k = 2π/d.", section: "III B 1" },
    Statement {
        id: "lattice",
        claim: "Grain by grain and step by step, ω h = arccos √s and τ = −2h/ln s with s = (1 − G(k)(1 − cos kd))^N_I, for every \
                wave that oscillates.",
        section: "beyond the paper",
    },
];

/// A pulse, and standing waves at two numbers of sweeps.
#[derive(Clone, Debug)]
pub struct Waves {
    /// The front at several numbers of sweeps.
    pub pulse: PulseResult,
    /// The paper's forty sweeps, and the ten from which on its formula should be good.
    pub modes: [DispersionResult; 2],
}

/// Waves much longer than the critical one: up to this k/k_c.
const LONG: f64 = 0.25;
/// A mode counts if its ω and its τ are known to these shares.
const KNOWN: [f64; 2] = [0.01, 0.02];

pub(super) fn check(asked: &Asked, watch: &dyn Watch) -> Checked {
    let seeds = asked.depth.of([6, 10, 100]);
    let pulse =
        pulse::run(&PulseSettings { seeds, seed: asked.seed, flaw: asked.flaw, ..PulseSettings::default() }, watch)?;
    let seeds = asked.depth.of([30, 100, 400]);
    let of = |grains, sweeps| {
        let modes = Some(18);
        let settings =
            DispersionSettings { grains, sweeps, modes, seeds, seed: asked.seed, ..DispersionSettings::default() };
        dispersion::run(&settings, watch)
    };
    let modes = [of(100, 40)?, of(50, 10)?];
    let checks = vec![
        sound(&pulse),
        frequencies(&modes),
        damping(&modes),
        critical(&modes),
        critical_scaling(&modes),
        zone_edge(&modes[1]),
        lattice(&modes),
    ];
    Ok((checks, Evidence::Waves(Box::new(Waves { pulse, modes }))))
}

fn sound(pulse: &PulseResult) -> Vec<Check> {
    let mut checks: Vec<Check> = pulse
        .rows
        .iter()
        .map(|row| {
            let name = format!("speed at {} sweeps, in d/h", row.sweeps);
            Check::near(&name, row.predicted, Reading::of(row.measured, row.stderr), 0.02)
                .or("the speed is another one")
        })
        .collect();
    let exponent = Reading::of(pulse.exponent, pulse.exponent_stderr);
    checks.push(Check::equal("exponent of c in N_I", 0.5, exponent, 0.02).or("it is not √N_I"));
    checks
}

fn below(result: &DispersionResult) -> impl Iterator<Item = &Mode> {
    result.modes.iter().filter(|mode| mode.k_over_critical < 1.0)
}

/// The largest relative error of a theory among these modes, with the standard error of the measurement there. Modes that are
/// not known to this share do not count.
fn worst<'a>(
    modes: impl Iterator<Item = &'a Mode>,
    theory: impl Fn(&Mode) -> Option<f64>,
    measured: impl Fn(&Mode) -> (Option<f64>, Option<f64>),
    known: f64,
) -> Reading {
    let each = modes.filter_map(|mode| {
        let (Some(value), Some(error)) = measured(mode) else { return None };
        let off = theory(mode).map_or(1.0, |theory| (theory / value - 1.0).abs());
        Some((off, error / value)).filter(|found| found.1 < known)
    });
    let found = each.max_by(|a, b| a.0.total_cmp(&b.0));
    Reading::of(found.map(|found| found.0), found.map(|found| found.1))
}

fn omega(mode: &Mode) -> (Option<f64>, Option<f64>) {
    (mode.measured.omega, mode.measured.omega_stderr)
}

fn tau(mode: &Mode) -> (Option<f64>, Option<f64>) {
    (mode.measured.tau, mode.measured.tau_stderr)
}

fn frequencies(modes: &[DispersionResult; 2]) -> Vec<Check> {
    let long = worst(
        modes.iter().flat_map(below).filter(|mode| mode.k_over_critical < LONG),
        |mode| mode.predicted.omega,
        omega,
        KNOWN[0],
    );
    let all = worst(modes.iter().flat_map(below), |mode| mode.predicted.omega, omega, KNOWN[0]);
    let good = modes.iter().filter_map(|result| result.continuum.omega_holds_up_to).fold(0.0, f64::max);
    vec![
        Check::vanishes("largest relative error of ω(k) where k < k_c/4", long, 0.02).or("ω(k) is another one"),
        Check::vanishes("largest relative error of ω(k) where k < k_c", all, 0.05).limit(&format!(
            "near k_c the true frequency goes to π/2h instead of 0, as ω h = arccos √s says; the formula is good to 1 % up to {good:.2} k_c"
        )),
    ]
}

fn damping(modes: &[DispersionResult; 2]) -> Vec<Check> {
    let all = worst(modes.iter().flat_map(below), |mode| mode.predicted.tau, tau, KNOWN[1]);
    vec![Check::vanishes("largest relative error of τ(k) where k < k_c", all, 0.05).or("τ(k) is another one")]
}

/// What is left of a wave after one step.
fn left(mode: &Mode) -> f64 {
    mode.curve.get(1).map_or(f64::INFINITY, |left| left.abs())
}

/// What the over-damped wave of the paper's equation would leave after one step, if it starts from its speed alone: two rates,
/// r² − D k² r + c² k² = 0, of which the slow one wins.
fn left_in_theory(result: &DispersionResult, mode: &Mode) -> f64 {
    let continuum_tau = result.continuum_tau(mode.k);
    // D k²/2 = 1/τ; c k = D k k_c/2.
    let (half, frequency) = (1.0 / continuum_tau, result.critical_wavenumber / mode.k / continuum_tau);
    let root = (half * half - frequency * frequency).max(0.0).sqrt();
    let (slow, fast) = (half - root, half + root);
    (fast * (-fast).exp() - slow * (-slow).exp()) / (fast - slow)
}

fn critical(modes: &[DispersionResult; 2]) -> Vec<Check> {
    let beyond = || modes.iter().flat_map(|result| result.modes.iter().map(move |mode| (result, mode)));
    let beyond = || beyond().filter(|(_, mode)| mode.k_over_critical > 1.0);
    let most = beyond().map(|(_, mode)| left(mode)).fold(0.0, f64::max);
    let middle = |of: &dyn Fn(&DispersionResult, &Mode) -> f64| {
        beyond()
            .filter(|(_, mode)| mode.k_over_critical > 1.3)
            .map(|(result, mode)| of(result, mode).abs())
            .fold(0.0, f64::max)
    };
    let in_theory = middle(&left_in_theory);
    vec![
        Check::at_most("what is left after one step of any wave with k > k_c", (-3.0_f64).exp(), most)
            .or("some wave beyond k_c lives on"),
        Check::equal(
            "what is left after one step of waves with k > 1.3 k_c",
            in_theory,
            middle(&|_, mode| left(mode)),
            0.5 * in_theory,
        )
        .limit("they do not creep as over-damped waves do: the sweeps of a single step leave nothing of them"),
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

fn critical_scaling(modes: &[DispersionResult; 2]) -> Vec<Check> {
    let found = [measured_critical(&modes[0]), measured_critical(&modes[1])];
    let ratio = found[1].zip(found[0]).map(|(ten, forty)| ten / forty);
    let mut checks =
        vec![Check::near("k_c at 10 sweeps over k_c at 40 sweeps", 2.0, ratio, 0.05).or("k_c does not go as 1/√N_I")];
    checks.extend(modes.iter().zip(found).map(|(result, found)| {
        let name = format!("k_c d at {} sweeps, where a step leaves e^−4", result.settings.sweeps);
        Check::near(&name, result.critical_wavenumber, found, 0.1).limit("k_c is another one")
    }));
    checks
}

/// Standing waves that a row of n grains can tell apart: the k between the last one and the first that repeats an earlier one.
fn zone_edge(result: &DispersionResult) -> Vec<Check> {
    let grains = result.settings.grains;
    let shape = |mode: u32| -> Vec<f64> {
        let k = standing_wave(mode, f64::from(grains));
        (0..grains).map(|grain| (k * (f64::from(grain) + 0.5)).sin()).collect()
    };
    let alike = |a: &[f64], b: &[f64]| {
        let dot = |a: &[f64], b: &[f64]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        dot(a, b).abs() > (1.0 - 1e-9) * (dot(a, a) * dot(b, b)).sqrt()
    };
    let mut shapes: Vec<Vec<f64>> = Vec::new();
    let repeats = (1..4 * grains).find(|&mode| {
        let new = shape(mode);
        let known = shapes.iter().any(|old| alike(old, &new));
        shapes.push(new);
        known
    });
    let edge =
        repeats.map(|mode| 0.5 * (standing_wave(mode - 1, f64::from(grains)) + standing_wave(mode, f64::from(grains))));
    vec![
        Check::near("k d beyond which waves repeat", 2.0 * PI, edge, 0.01)
            .or("waves with k and 2π/d − k move the grains alike, so the zone ends at π/d"),
    ]
}

fn lattice(modes: &[DispersionResult; 2]) -> Vec<Check> {
    let of_omega = worst(modes.iter().flat_map(below), |mode| mode.lattice_with_ends.omega, omega, KNOWN[0]);
    let of_tau = worst(modes.iter().flat_map(below), |mode| mode.lattice_with_ends.tau, tau, KNOWN[1]);
    vec![
        Check::vanishes("largest relative error of ω where k < k_c", of_omega, 0.02).or("ω is another one"),
        Check::vanishes("largest relative error of τ where k < k_c", of_tau, 0.04).or("τ is another one"),
    ]
}
