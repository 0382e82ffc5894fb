//! The chain of fifty grains, and the same with other numbers of sweeps.

use super::claim::{Comparison, Reading, quantity};
use super::depth::{CheckSettings, TopicResult, finished};
use crate::chain::{self, ChainResult, ChainSettings};
use crate::estimate::Oscillation;
use crate::scaling::{self, ScalingResult, ScalingSettings};
use crate::watch::Progress;
use hardgrain_analysis::Estimate;

pub(super) fn check(
    asked: &CheckSettings,
    watch: &dyn Progress,
) -> TopicResult<(Option<ChainResult>, Option<ScalingResult>)> {
    let seeds = asked.depth.choose([8, 20, 200]);
    let settings = ChainSettings { seeds, seed: asked.seed, flaw: asked.flaw, ..ChainSettings::default() };
    let chain = finished(chain::run(&settings, watch))?;
    let sweeps = asked.depth.choose([vec![10, 20, 40, 80], vec![10, 20, 40, 80], vec![10, 20, 40, 80, 160]]);
    let seeds = asked.depth.choose([4, 10, 100]);
    let scaling = ScalingSettings { sweeps, chain: ChainSettings { seeds, ..settings } };
    let scaling = finished(scaling::run(&scaling, watch))?;
    let checks = vec![
        rings(chain.as_ref()),
        vec![near("ω h", chain.as_ref(), |wave| wave.omega, |found| found.omega, 0.01).or("the pitch is another one")],
        vec![near("τ/h", chain.as_ref(), |wave| wave.tau, |found| found.tau, 0.03).or("it fades in another time")],
        curve(chain.as_ref()),
        exponents(scaling.as_ref()),
        offset(chain.as_ref()),
    ];
    Ok((checks, (chain, scaling)))
}

fn rings(chain: Option<&ChainResult>) -> Vec<Comparison> {
    let share = chain.map_or(0.0, |chain| f64::from(chain.measured.fitted) / f64::from(chain.measured.runs));
    vec![quantity("share of runs that ring").is_at_least(1.0, share).or("there is no ringing")]
}

/// A number of the wave, beside the continuum.
fn near(
    name: &str,
    chain: Option<&ChainResult>,
    predicted: fn(&Oscillation) -> Option<f64>,
    measured: fn(&Oscillation<Estimate>) -> Option<Estimate>,
    share: f64,
) -> Comparison {
    let predicted = chain.and_then(|chain| predicted(&chain.predicted)).unwrap_or(f64::NAN);
    quantity(name).is_near(predicted, chain.and_then(|chain| measured(&chain.measured.oscillation)), share)
}

fn curve(chain: Option<&ChainResult>) -> Vec<Comparison> {
    let rest = |of: fn(&ChainResult) -> Option<f64>| Reading::single(chain.and_then(of));
    let name = "unexplained by ω and τ of the continuum, rms over the amplitude";
    vec![
        quantity(name)
            .vanishes(rest(|chain| chain.measured.fit_residual_continuum), 0.05)
            .or("the curve is another one"),
        quantity("unexplained in the mean over runs by ω and τ of the lattice")
            .vanishes(rest(|chain| chain.measured.fit_residual_of_mean), 0.02)
            .limit("averaged over runs something is left"),
    ]
}

fn exponents(scaling: Option<&ScalingResult>) -> Vec<Comparison> {
    let measured = scaling.map(|scaling| scaling.measured).unwrap_or_default();
    vec![
        quantity("exponent of ω in N_I").equals(0.5, measured.omega, 0.02).or("ω grows in another way"),
        quantity("exponent of τ in N_I").equals(-1.0, measured.tau, 0.03).or("τ falls in another way"),
    ]
}

fn offset(chain: Option<&ChainResult>) -> Vec<Comparison> {
    let shrinkages: Vec<f64> = chain.map_or(Vec::new(), |chain| {
        let length = f64::from(chain.settings.grains) - 0.5;
        chain.runs.iter().filter_map(|run| run.theory).map(|fit| length - fit.curve.offset).collect()
    });
    let predicted = chain
        .map_or(f64::NAN, |chain| (f64::from(chain.settings.grains) - 0.5) * chain.settings.force / chain.stiffness());
    vec![
        quantity("length lost at rest, in d").is_near(predicted, Reading::mean(&shrinkages), 0.1)
            .or("overlaps of the impact are never pushed out: x₀ tells the history of the chain, and only what a small change of \
                 the load changes is elastic"),
    ]
}
