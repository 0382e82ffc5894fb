//! The paper's comparison: the chain of rigid grains beside a chain of soft ones with the springs that its sweeps amount to.
//!
//! Both rows stand against the wall, touching, when the last grain is pushed. They ring; when they rest, they are shorter.
//! Then the load goes down and up again a few times. The soft row has κ = q m N_I/h² and γ = q m N_I/h between grains and
//! twice that at the wall; it is held together, as the linear theory wants it.

use crate::estimate::{self, Oscillation, keys};
use crate::line::{row, steps, sweeping};
use crate::loads::{Followed, WINDOW, correlation, mean_correlation, swing};
use crate::settings::{Error, Validate, ensure, seeds_in};
use crate::watch::{Progress, side_by_side};
use hardgrain::Engine;
use hardgrain::soft::{Integrator, SoftGrains, Spring, Springs, largest_step};
use hardgrain_analysis::Estimate;
use serde::Serialize;

pub use crate::loads::{RowResponse, SoftSettings};

/// Safety factor: soft steps are shorter than the stability limit by it.
const SHORTER: f64 = 2.0;

/// What is measured.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct MeasuredSoft {
    /// Rigid grains, mean over seeds.
    pub rigid: RowResponse,
    /// Standard errors of these over seeds.
    pub rigid_stderr: Option<RowResponse>,
    /// Soft grains.
    pub soft: RowResponse,
    /// How far the last grains are apart while they ring under the first load, when contacts no longer open and close, each
    /// seen from where it comes to rest: rms over the amplitude of the soft one, mean over seeds.
    #[serde(flatten, serialize_with = "keys::trajectory_difference")]
    pub trajectory_difference: Option<Estimate>,
    /// The same when the load is eased gently for the first time: then no contact opens.
    #[serde(flatten, serialize_with = "keys::trajectory_difference_eased")]
    pub trajectory_difference_eased: Option<Estimate>,
    /// Correlation of the overlap and the reaction of single rigid contacts, from what differs between seeds.
    pub contact_correlation: Option<f64>,
    /// How many runs of rigid rows there were: one for each seed, or one if the order is not random.
    pub runs: u32,
    /// In how many of them an oscillation was found.
    pub fitted: u32,
    /// Soft steps in a rigid one.
    pub substeps: u32,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SoftResult {
    /// "soft".
    pub experiment: &'static str,
    /// What was asked.
    pub settings: SoftSettings,
    /// The springs of the soft row: κ in units of m/h².
    pub stiffness: f64,
    /// And γ in units of m/h.
    pub damping: f64,
    /// The paper's continuum, for both.
    pub predicted: PredictedSoft,
    /// Exact for each of them.
    pub lattice: LatticeSoft,
    /// Measurement.
    pub measured: MeasuredSoft,
    /// The place of the last grain while it rings: the rigid ones by seed.
    #[serde(skip)]
    pub rigid: Vec<Vec<f64>>,
    /// And the soft one.
    #[serde(skip)]
    pub soft: Vec<f64>,
    /// Where the comparison begins and ends.
    #[serde(skip)]
    pub window: [usize; 2],
    /// How short the rows are after each cycle, the load alone first: rigid by seed, soft.
    #[serde(skip)]
    pub cycles: [Vec<Vec<f64>>; 2],
}

/// The paper's statements on both.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PredictedSoft {
    /// ω h.
    pub omega: Option<f64>,
    /// τ/h.
    pub tau: Option<f64>,
    /// (n − ½) F/κ: the contact with the wall is twice as stiff.
    pub shrinkage: f64,
}

/// What is exact for each.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct LatticeSoft {
    /// Rigid grains, with the ends of the row.
    pub rigid: Oscillation,
    /// Soft grains.
    pub soft: Oscillation,
    /// What the longest waves of both make of the difference of the trajectories when the load is eased a little. Most of it
    /// is half a step: the rigid row answers a load within the step in which it comes.
    pub trajectory_difference_eased: Option<f64>,
    /// What a small change of the load changes in the rigid row, as a stiffness of the contacts: more than κ, as short waves
    /// are carried within a step.
    pub rigid_stiffness: f64,
}

fn rigid(settings: &SoftSettings, seed: u64, watch: &dyn Progress) -> Result<Followed, Error> {
    let mut engine = sweeping(settings.order, settings.sweeps, seed, settings.flaw);
    let step = |packing: &mut _| {
        engine.step(packing).map(|_| ()).map_err(|error| {
            Error::Unfinished(format!("the load was too much for so few sweeps; press less or sweep more ({error})"))
        })
    };
    Followed::follow(settings, watch, step)
}

/// The soft row, and how many steps it makes in one of the rigid ones.
fn soft(settings: &SoftSettings, watch: &dyn Progress) -> Result<(Followed, u32), Error> {
    let chain = settings.springs();
    // All contacts move the mass 1/w: twice as much at the wall.
    let springs = Springs::new(Spring::normal(2.0 * chain.stiffness, 2.0 * chain.damping)).per_mass();
    let packing = row(settings.grains, 0.0, 0.0, settings.force);
    let most = SHORTER / largest_step(&packing, &springs);
    ensure(most <= 1e6, "sweeps", || {
        format!("the springs of so many sweeps take {most:.1e} soft steps for a rigid one")
    })?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "at most a million")]
    let substeps = most.ceil() as u32;
    let mut engine =
        SoftGrains::new(1.0 / f64::from(substeps), springs).integrator(Integrator::SemiImplicitEuler).bonded();
    let followed = Followed::follow(settings, watch, |packing| {
        (0..substeps).try_for_each(|_| engine.step(packing).map(|_| ())).map_err(Error::from)
    })?;
    Ok((followed, substeps))
}

/// Runs the experiment: rigid grains once for every seed, soft ones once.
///
/// # Errors
/// When a setting makes no sense or a step fails.
pub fn run(settings: &SoftSettings, watch: &dyn Progress) -> Result<SoftResult, Error> {
    settings.check()?;
    // The soft row takes longest, so it comes first.
    let seeds = seeds_in(settings.order, settings.seed, settings.seeds);
    let seeds: Vec<Option<u64>> = [None].into_iter().chain(seeds.into_iter().map(Some)).collect();
    let rows = side_by_side(&seeds, watch, |seed| match seed {
        Some(seed) => rigid(settings, *seed, watch).map(|row| (row, 1)),
        None => soft(settings, watch),
    })?;
    let ((soft, substeps), rigid) = rows.split_first().expect("the soft row");
    let rigid: Vec<&Followed> = rigid.iter().map(|row| &row.0).collect();
    Ok(result(settings, &rigid, soft, *substeps))
}

fn result(settings: &SoftSettings, rigid: &[&Followed], soft: &Followed, substeps: u32) -> SoftResult {
    let chain = settings.springs();
    let predicted = settings.predicted();
    let ends = rigid.iter().map(|row| row.window(settings)).chain([soft.window(settings)]);
    let window = ends.fold([0, usize::MAX], |[from, to], [start, end]| [from.max(start), to.min(end)]);
    let eased = [0, steps(WINDOW * predicted.tau.unwrap_or(1.0)).min(settings.hold())];
    let lattice = LatticeSoft {
        rigid: settings.rigid_theory(),
        soft: settings.soft_theory(),
        rigid_stiffness: (f64::from(settings.grains) - 0.5) / settings.theory().lattice().compliance(settings.grains),
        trajectory_difference_eased: expected_difference(settings, eased),
    };
    let differences = |of: fn(&Followed) -> &[f64], window: [usize; 2]| {
        estimate::mean(rigid.iter().filter_map(|row| difference(&swing(of(row)), &swing(of(soft)), window)))
    };
    let rows: Vec<RowResponse> = rigid.iter().map(|row| row.measured(settings)).collect();
    let mean_correlation = mean_correlation(rigid, window).unwrap_or(f64::NAN);
    let fitted = u32::try_from(rows.iter().filter(|row| row.omega.is_some()).count()).expect("as many as seeds");
    SoftResult {
        experiment: "soft",
        settings: settings.clone(),
        stiffness: chain.stiffness,
        damping: chain.damping,
        predicted: PredictedSoft {
            omega: predicted.omega,
            tau: predicted.tau,
            shrinkage: (f64::from(settings.grains) - 0.5) * settings.force / chain.stiffness,
        },
        lattice,
        measured: MeasuredSoft {
            rigid: RowResponse { mean_correlation, ..over(&rows, |mean| mean.value) },
            rigid_stderr: (rows.len() > 1).then(|| over(&rows, |mean| mean.error)),
            soft: soft.measured(settings),
            trajectory_difference: differences(|row| &row.places, window),
            trajectory_difference_eased: differences(|row| &row.easing, eased),
            contact_correlation: correlation(rigid, window),
            runs: u32::try_from(rows.len()).expect("as many as seeds"),
            fitted,
            substeps,
        },
        rigid: rigid.iter().map(|row| row.places.clone()).collect(),
        soft: soft.places.clone(),
        window,
        cycles: [rigid.iter().map(|row| row.shrunk.clone()).collect(), vec![soft.shrunk.clone()]],
    }
}

/// rms of the difference in the window, over the amplitude that the second has when it begins.
fn difference(one: &[f64], other: &[f64], [from, to]: [usize; 2]) -> Option<f64> {
    if to <= from {
        return None;
    }
    let rms = |values: &mut dyn Iterator<Item = f64>| {
        (values.map(|value| value * value).sum::<f64>() / (to - from) as f64).sqrt()
    };
    let apart = rms(&mut (from..to).map(|step| one[step] - other[step]));
    let amplitude = other[from..to].iter().fold(0.0, |most: f64, value| most.max(value.abs()));
    (amplitude > 0.0).then(|| apart / amplitude)
}

/// The same for the longest waves of both theories, which start together from rest.
///
/// With R* the reaction that a wave of the rigid row needs and s = ρ^{N_I}, a step makes R' = s R + (1 − s) R* and moves the
/// wave by y' − y ∝ R* − R', and the next one needs R*' = F + R* − R'. From rest that is y = y_∞ (1 − z) with z₀ = 1 and
/// z₁ = s, which is z = Re λⁿ = e^{−t/τ} cos ωt. A spring and a dashpot have e^{−t/τ} (cos ωt + sin ωt/ωτ): as ωτ = 2/(ω h)
/// for long waves, they are half a step behind.
fn expected_difference(settings: &SoftSettings, window: [usize; 2]) -> Option<f64> {
    let curve = |pair: Oscillation, dashpot: f64| {
        let (omega, tau) = (pair.omega?, pair.tau?);
        let at = move |step: usize| {
            let time = step as f64;
            (-time / tau).exp() * ((omega * time).cos() + dashpot * (omega * time).sin() / (omega * tau))
        };
        Some((0..=window[1]).map(at).collect::<Vec<f64>>())
    };
    difference(&curve(settings.rigid_theory(), 0.0)?, &curve(settings.soft_theory(), 1.0)?, window)
}

/// Means over rows, or their standard errors.
fn over(rows: &[RowResponse], of: fn(Estimate) -> f64) -> RowResponse {
    let some = |number: fn(&RowResponse) -> Option<f64>| {
        Estimate::mean(&rows.iter().filter_map(number).collect::<Vec<f64>>()).map(of)
    };
    let all = |number: fn(&RowResponse) -> f64| {
        Estimate::mean(&rows.iter().map(number).collect::<Vec<f64>>()).map_or(f64::NAN, of)
    };
    RowResponse {
        omega: some(|row| row.omega),
        tau: some(|row| row.tau),
        shrinkage: all(|row| row.shrinkage),
        shrinkage_after_gentle_cycles: all(|row| row.shrinkage_after_gentle_cycles),
        shrinkage_after_deep_cycles: all(|row| row.shrinkage_after_deep_cycles),
        stiffness: all(|row| row.stiffness),
        overlap_spread: all(|row| row.overlap_spread),
        mean_correlation: all(|row| row.mean_correlation),
        open_in_gentle_cycles: all(|row| row.open_in_gentle_cycles),
        open_in_deep_cycles: all(|row| row.open_in_deep_cycles),
    }
}
