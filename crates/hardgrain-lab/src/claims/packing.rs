//! Random packings of discs under a piston.

use super::claim::{Comparison, Reading, quantity};
use super::depth::{CheckSettings, TopicResult};
use crate::cache::PackingCache;
use crate::estimate::Oscillation;
use crate::moduli::{self, ModuliResult, ModuliSettings};
use crate::piston::{self, PistonResult, PistonSettings};
use crate::recipe::PackingSettings;
use crate::watch::Progress;
use hardgrain_analysis::Estimate;

/// Packings that ring along and across.
#[derive(Clone, Debug)]
pub struct Packings {
    /// Under a piston.
    pub piston: PistonResult,
    /// Pushed along and across.
    pub moduli: ModuliResult,
}

pub(super) fn check(asked: &CheckSettings, cache: &PackingCache, watch: &dyn Progress) -> TopicResult<Packings> {
    let grains = asked.depth.choose([250, 1000, 1000]);
    let packings = asked.depth.choose([3, 3, 10]);
    let packing = PackingSettings { grains, seed: asked.seed, ..PackingSettings::default() };
    let sweeps = asked.depth.choose([vec![10, 20, 40], vec![10, 20, 40, 80, 160], vec![10, 20, 40, 80, 160]]);
    let piston = piston::run(&PistonSettings { sweeps, packings, packing, ..PistonSettings::default() }, cache, watch)?;
    let usual = ModuliSettings::default();
    let packing =
        PackingSettings { grains: asked.depth.choose([250, 500, 1000]), seed: asked.seed, ..usual.packing.clone() };
    let sweeps = asked.depth.choose([vec![10, 20, 40], vec![5, 10, 20, 40], vec![5, 10, 20, 40, 80]]);
    let moduli = moduli::run(&ModuliSettings { sweeps, packings, packing, ..usual }, cache, watch)?;
    let checks = vec![
        rings(&piston),
        pitch(&piston),
        fading(&piston),
        single(&piston),
        transversal(&moduli),
        overlaps(&piston),
        springs(&piston),
    ];
    Ok((checks, Packings { piston, moduli }))
}

fn rings(result: &PistonResult) -> Vec<Comparison> {
    let fitted: u32 = result.rows.iter().map(|row| row.measured.fitted).sum();
    let all = result.settings.packings as usize * result.rows.len();
    vec![
        quantity("share of all runs that ring").is_at_least(1.0, f64::from(fitted) / all as f64).or("some do not ring"),
        quantity("largest rest of a fit, rms over the amplitude")
            .vanishes(Reading::single(result.measured.fit_residual), 0.05)
            .or("it is no damped sine"),
    ]
}

fn pitch(result: &PistonResult) -> Vec<Comparison> {
    let measured = &result.measured;
    vec![
        quantity("exponent of ω in N_I").equals(0.5, measured.exponents.omega, 0.06).or("ω grows in another way"),
        quantity("exponent of √(−2 ln cos ωh) in N_I").equals(0.5, measured.without_lattice.omega, 0.03)
            .or("not even in short steps is it √N_I"),
        quantity("exponent of ω in N_I, more strictly").equals(0.5, measured.exponents.omega, 0.02).limit(
            "a step is not short beside the period any more where sweeps are many: ω h = arccos e^(−h/τ) stays behind √N_I",
        ),
    ]
}

fn fading(result: &PistonResult) -> Vec<Comparison> {
    vec![
        quantity("exponent of τ in N_I").equals(-1.0, result.measured.exponents.tau, 0.06).or("τ falls in another way"),
    ]
}

fn single(result: &PistonResult) -> Vec<Comparison> {
    let shape = result.shape.as_ref();
    let out_of_phase =
        shape.map(|shape| shape.out_of_phase.iter().fold(0.0, |most: f64, amplitude| most.max(amplitude.abs())));
    let sideways = shape.map(|shape| shape.sideways.iter().sum::<f64>() / shape.sideways.len() as f64);
    vec![
        quantity("largest amplitude out of phase with the piston, over its own")
            .vanishes(Reading::single(out_of_phase), 0.1)
            .or("several waves are left"),
        quantity("sideways amplitude of slices of the packing, mean over that of the piston")
            .vanishes(Reading::single(sideways), 0.2)
            .or("it moves sideways as well"),
        quantity("displacement against height: off the slowest wave of the springs, rms")
            .vanishes(Reading::single(shape.map(|shape| shape.off_springs)), 0.05)
            .or("it is another wave"),
        quantity("off a quarter wave, rms over the amplitude of the piston")
            .vanishes(Reading::single(shape.map(|shape| shape.off_quarter_wave)), 0.05)
            .limit("its shape is that of the slowest wave of this packing, not a quarter of a sine"),
    ]
}

fn transversal(result: &ModuliResult) -> Vec<Comparison> {
    let fitted: u32 = result.rows.iter().map(|row| row.transversal.fitted).sum();
    let all = result.settings.packings as usize * result.rows.len();
    let rest = result.rows.iter().filter_map(|row| row.transversal.fit_residual).reduce(f64::max);
    vec![
        quantity("share of sideways pushes that ring")
            .is_at_least(1.0, f64::from(fitted) / all as f64)
            .or("there are none"),
        quantity("largest rest of a fit, rms over the amplitude")
            .vanishes(Reading::single(rest), 0.05)
            .or("it is no damped sine"),
        quantity("speed across over speed along; predicted: springs")
            .is_near(result.springs.map_or(f64::NAN, |springs| springs.value), result.measured, 0.05)
            .limit("springs do not predict their speed"),
    ]
}

fn overlaps(result: &PistonResult) -> Vec<Comparison> {
    let shown = &result.demonstrations;
    let lost = if shown.full_gap.broke.is_some() { 1.0 } else { shown.full_gap.network_lost };
    vec![
        quantity("share of the force network that is lost if overlaps are pushed out")
            .is_at_least(0.2, Reading::single(lost))
            .or("the packing survives"),
        quantity("way of the piston in 1000 steps if they are kept, in d")
            .vanishes(shown.warm_start.sunk.abs(), 1e-6)
            .or("the packing does not rest"),
    ]
}

fn springs(result: &PistonResult) -> Vec<Comparison> {
    let worst = |of: fn(&Oscillation<Estimate>) -> Option<Estimate>| {
        let off = result.rows.iter().map(|row| of(&row.measured.off));
        let each = off.map(|off| Reading::from(off.map(|off| Estimate { value: off.value.abs(), ..off })));
        let size = |reading: &Reading| reading.value.unwrap_or(f64::MAX);
        each.max_by(|a, b| size(a).total_cmp(&size(b))).unwrap_or_default()
    };
    vec![
        quantity("largest relative error of ω").vanishes(worst(|off| off.omega), 0.03).or("springs do not predict ω"),
        quantity("largest relative error of τ").vanishes(worst(|off| off.tau), 0.1).or("springs do not predict τ"),
    ]
}
