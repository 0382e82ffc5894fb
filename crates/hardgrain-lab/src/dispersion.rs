//! Every standing wave of a pressed chain, one at a time: ω(k) and τ(k).
//!
//! The row starts in its static forces with all contacts closed, and its grains get the velocities of one mode, small
//! enough that no contact opens. The part of the velocities that has the shape of the mode is followed step by step, averaged
//! over seeds, and fitted. Sweeps are linear here, so the average obeys the theory of the average sweep.

use crate::estimate::{Oscillation, keys, unsure};
use crate::flaw::Flaw;
use crate::line::{GRAINS_MAX, SEEDS_MAX, SWEEPS_MAX, Theory, pressed_row, steps, sweeping};
use crate::settings::{Error, Validate, by_name, ensure, seeds, seeds_in, within};
use crate::watch::{Progress, side_by_side};
use hardgrain::{Engine, Order};
use hardgrain_analysis::{DampedSine, Estimate, Fit, FitSettings, NotAnOscillation, Samples, jackknife};
use serde::Serialize;

/// Initial overlap of neighbours, in diameters: large enough that no mode opens a gap.
const OVERLAP: f64 = 0.01;
/// The displacements of the mode over the overlap. Its forces are smaller still, over the force that presses.
const AMPLITUDE: f64 = 0.01;
/// A mode is followed for this number of damping times,
const LIFETIMES: f64 = 4.0;
/// but not for fewer steps than this.
const STEPS_MIN: f64 = 8.0;
/// At the start all runs are alike; it counts as this part of a step.
const START: f64 = 0.1;
/// Amplitudes are not known better than this.
const ROUNDING: f64 = 1e-9;
/// Beyond this relative error nothing was measured.
const KNOWN: f64 = 0.2;

/// What to run.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DispersionSettings {
    /// Number of grains n, which is also the number of modes.
    pub grains: u32,
    /// Sweeps a step N_I.
    pub sweeps: u32,
    /// The order of the sweeps.
    #[serde(serialize_with = "by_name")]
    pub order: Order,
    /// Number of the lowest modes; all by default.
    pub modes: Option<u32>,
    /// The first seed.
    pub seed: u64,
    /// How many seeds a mode. Orders without chance need one.
    pub seeds: u32,
    /// A deliberate error in the physics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flaw: Option<Flaw>,
}

impl Default for DispersionSettings {
    fn default() -> Self {
        Self { grains: 50, sweeps: 40, order: Order::RandomSweep, modes: None, seed: 1, seeds: 100, flaw: None }
    }
}

impl DispersionSettings {
    fn theory(&self) -> Theory {
        Theory { order: self.order, sweeps: self.sweeps, grains: self.grains }
    }
}

impl Validate for DispersionSettings {
    fn check(&self) -> Result<(), Error> {
        within("grains", self.grains, 2, GRAINS_MAX)?;
        within("sweeps", self.sweeps, 1, SWEEPS_MAX)?;
        within("seeds", self.seeds, 1, SEEDS_MAX)?;
        ensure(self.modes != Some(0), "modes", || "0 modes are nothing to measure".into())?;
        let modes = self.modes.unwrap_or(self.grains);
        ensure(modes <= self.grains, "modes", || {
            format!("{modes} modes, but {} grains have only {}", self.grains, self.grains)
        })?;
        self.theory().check_stable()
    }
}

/// One standing wave.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Mode {
    /// Its number, from 1.
    pub mode: u32,
    /// Its wave number, in units of 1/d.
    pub k: f64,
    /// k/k_c.
    pub k_over_critical: f64,
    /// The paper's continuum.
    pub predicted: Oscillation,
    /// Exact for a chain without ends.
    pub lattice: Oscillation,
    /// The lattice with the ends of the chain.
    pub lattice_with_ends: Oscillation,
    /// Measurement. Errors by leaving out one seed at a time: rough for fewer than ten, nothing for one. From the fit where the
    /// order is not random.
    #[serde(serialize_with = "keys::oscillation")]
    pub measured: Oscillation<Estimate>,
    /// "oscillates"; "gone within a step" beyond k_c, unless parallel sweeps bring the shortest waves back; or "does not
    /// oscillate" below k_c where sweeps overshoot or leave nothing.
    pub label: &'static str,
    /// Why nothing was measured, if nothing was.
    pub reason: Option<String>,
    /// The amplitude after each step, averaged over seeds; 1 at the start.
    #[serde(skip)]
    pub curve: Vec<f64>,
    /// The fitted curve.
    #[serde(skip)]
    pub fit: Option<DampedSine>,
}

/// How far the paper's formulas are off the measurements, over the modes below k_c whose ω is known to 0.5 % and τ to 1.5 %.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct ContinuumCheck {
    /// The largest k/k_c of the measured modes up to which ω(k) is within 1 % of the measurement.
    pub omega_holds_up_to: Option<f64>,
    /// The k/k_c up to which it is within 1 % of the lattice.
    pub omega_holds_up_to_in_theory: f64,
    /// The largest relative error of ω(k): predicted over measured, minus 1,
    pub omega_worst: Option<f64>,
    /// and the k/k_c where that is.
    pub omega_worst_at: Option<f64>,
    /// The largest relative error of τ(k),
    pub tau_worst: Option<f64>,
    /// and the k/k_c where that is.
    pub tau_worst_at: Option<f64>,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DispersionResult {
    /// "dispersion".
    pub experiment: &'static str,
    /// What was asked.
    pub settings: DispersionSettings,
    /// k_c of the continuum, in units of 1/d.
    pub critical_wavenumber: f64,
    /// Where the paper's formulas hold.
    pub continuum: ContinuumCheck,
    /// The modes, longest wave first.
    pub modes: Vec<Mode>,
}

impl DispersionResult {
    /// The paper's continuum at any wave number; no ω beyond k_c.
    pub fn continuum_at(&self, k: f64) -> Oscillation {
        self.settings.theory().continuum_at(k)
    }

    /// The lattice with ends at any wave number.
    pub fn lattice_at(&self, k: f64) -> Oscillation {
        self.settings.theory().with_ends_at(k)
    }
}

/// Measures the modes one after the other.
///
/// # Errors
/// When a setting makes no sense or a step fails.
pub fn run(settings: &DispersionSettings, watch: &dyn Progress) -> Result<DispersionResult, Error> {
    settings.check()?;
    let numbers: Vec<u32> = (1..=settings.modes.unwrap_or(settings.grains)).collect();
    let seeds = seeds_in(settings.order, settings.seed, settings.seeds);
    let all: Vec<(u32, u64)> = numbers.iter().flat_map(|&mode| seeds.iter().map(move |&seed| (mode, seed))).collect();
    let curves = side_by_side(&all, watch, |&(mode, seed)| follow(settings, mode, seed, watch))?;
    let curves: Vec<&[Vec<f64>]> = curves.chunks(seeds.len()).collect();
    let modes =
        side_by_side(&numbers, watch, |&mode| Ok::<_, Error>(judge(settings, mode, curves[mode as usize - 1])))?;
    Ok(DispersionResult {
        experiment: "dispersion",
        settings: settings.clone(),
        critical_wavenumber: settings.theory().continuum().critical_wavenumber(),
        continuum: check_continuum(settings.theory(), &modes),
        modes,
    })
}

/// What the curves of a mode, one for each seed, say.
fn judge(settings: &DispersionSettings, mode: u32, curves: &[Vec<f64>]) -> Mode {
    let theory = settings.theory();
    let (k, k_c) = (theory.wavenumber(mode), theory.continuum().critical_wavenumber());
    let curve = mean_without(curves, None);
    let (measured, fit, reason) = match fit(curves, &curve, settings.order.is_random()) {
        Ok((measured, fit)) => (measured, Some(fit), None),
        Err(why) => (Oscillation::default(), None, Some(why)),
    };
    Mode {
        mode,
        k,
        k_over_critical: k / k_c,
        predicted: theory.continuum_at(k),
        lattice: theory.lattice_at(k),
        lattice_with_ends: theory.with_ends_at(k),
        measured,
        label: label(&theory, mode),
        reason,
        curve,
        fit,
    }
}

fn label(theory: &Theory, mode: u32) -> &'static str {
    let (k, k_c) = (theory.wavenumber(mode), theory.continuum().critical_wavenumber());
    // Parallel sweeps preserve the shortest waves, which the continuum does not predict.
    let back = theory.lattice().growth(k) > 0.5;
    if k > k_c && !back {
        "gone within a step"
    } else if theory.lattice_at(k).omega.is_none() {
        // Sweeps that overshoot, an odd number of times, or leave nothing at once.
        "does not oscillate"
    } else {
        "oscillates"
    }
}

/// The shape of the mode in the reactions, from the wall outwards, with the 0 beyond the last one.
fn shape(settings: &DispersionSettings, mode: u32) -> Vec<f64> {
    let phase = settings.theory().wavenumber(mode);
    // A fixed order bends its modes: μ^g with g growing towards contacts that are visited later. Contacts are visited by
    // the number of their first grain, the wall's after the first pair.
    let bend = |contact: u32| match settings.order {
        Order::Forward => phase.cos().abs().powf(f64::from(if contact == 0 { 2 } else { contact })),
        _ => 1.0,
    };
    let inner = (0..settings.grains).map(|contact| bend(contact) * (phase * f64::from(contact)).cos());
    let shape: Vec<f64> = inner.chain([0.0]).collect();
    let largest = shape.iter().fold(0.0_f64, |largest, x| largest.max(x.abs()));
    shape.into_iter().map(|x| x / largest).collect()
}

/// The amplitude of the mode after each step, 1 at the start.
fn follow(settings: &DispersionSettings, mode: u32, seed: u64, watch: &dyn Progress) -> Result<Vec<f64>, Error> {
    let mut packing = pressed_row(settings.grains, OVERLAP, 1.0);
    // Forces in the shape of the mode would stop these velocities: v = (R_j − R_{j+1}) h/m.
    let shape = shape(settings, mode);
    let theory = settings.theory();
    let expected = theory.lattice_at(theory.wavenumber(mode));
    // Displacements are velocities over ω.
    let amplitude = AMPLITUDE * OVERLAP * expected.omega.unwrap_or(1.0).min(1.0);
    let velocities: Vec<f64> = shape.windows(2).map(|pair| amplitude * (pair[0] - pair[1])).collect();
    for (grain, &velocity) in packing.grains.iter_mut().zip(&velocities) {
        grain.velocity = [velocity].into();
    }
    let norm: f64 = velocities.iter().map(|v| v * v).sum();
    let steps = steps((LIFETIMES * expected.tau.unwrap_or(0.0)).max(STEPS_MIN));
    let mut engine = sweeping(settings.order, settings.sweeps, seed, settings.flaw);
    let mut curve = vec![1.0];
    for _ in 0..steps {
        engine.step(&mut packing)?;
        watch.alive();
        let projection = packing.grains.iter().zip(&velocities).map(|(grain, v)| grain.velocity.0[0] * v);
        curve.push(projection.sum::<f64>() / norm);
    }
    Ok(curve)
}

/// What one step leaves of a wave with the number of any mode, also beyond the last one; mean over seeds.
pub(crate) fn left_after_a_step(settings: &DispersionSettings, mode: u32, watch: &dyn Progress) -> Result<f64, Error> {
    let each = seeds(settings.seed, settings.seeds)
        .into_iter()
        .map(|seed| follow(settings, mode, seed, watch).map(|curve| curve[1]));
    Ok(each.collect::<Result<Vec<f64>, _>>()?.iter().sum::<f64>() / f64::from(settings.seeds))
}

/// The mean of all curves, or of all but one.
fn mean_without(curves: &[Vec<f64>], without: Option<usize>) -> Vec<f64> {
    let kept = || curves.iter().enumerate().filter(|(i, _)| Some(*i) != without).map(|(_, curve)| curve);
    let count = kept().count() as f64;
    (0..curves[0].len()).map(|step| kept().map(|curve| curve[step]).sum::<f64>() / count).collect()
}

/// Fits the mean curve; errors by leaving out one seed at a time.
fn fit(curves: &[Vec<f64>], mean: &[f64], random: bool) -> Result<(Oscillation<Estimate>, DampedSine), String> {
    let errors = errors(curves, mean);
    let fit = |curve: &[f64], near: Option<DampedSine>| -> Result<Fit, NotAnOscillation> {
        let settings = FitSettings { offset: Some(0.0), near, ..FitSettings::default() };
        DampedSine::fit(Samples::new(0.0, 1.0, curve).with_errors(&errors), settings)
    };
    let whole = fit(mean, None).map_err(|why| why.to_string())?;
    let mut omega = Estimate { value: whole.curve.frequency, error: whole.frequency_error };
    let mut tau = Estimate { value: whole.curve.damping_time(), error: whole.damping_time_error };
    if random && curves.len() > 1 {
        let others = (0..curves.len()).map(|i| fit(&mean_without(curves, Some(i)), Some(whole.curve)));
        let others: Vec<Fit> = others
            .collect::<Result<_, _>>()
            .map_err(|why| format!("without one of the seeds {why}; take more of them"))?;
        let over = |value: fn(&Fit) -> f64| jackknife(&others.iter().map(value).collect::<Vec<_>>());
        omega.error = over(|fit| fit.curve.frequency);
        tau.error = over(|fit| fit.curve.damping_time());
    }
    if [omega, tau].iter().any(|found| found.error > KNOWN * found.value) {
        return Err("the seeds scatter by more than a fifth; take more of them".into());
    }
    // The error of a single run of a random order is unknown.
    let known = |found: Estimate| if random && curves.len() == 1 { unsure(found.value) } else { found };
    Ok((Oscillation { omega: Some(known(omega)), tau: Some(known(tau)) }, whole.curve))
}

/// The standard error of the mean at each step.
///
/// Random orders perturb a wave in proportion to its amplitude, and the perturbations add up: √t times the envelope, which is
/// the largest amplitude still to come. Longer waves, excited by chance, add to it when this one has decayed; that shows in the
/// scatter over seeds. Single values of the scatter are not trusted: the mean of two seeds may agree by luck.
fn errors(curves: &[Vec<f64>], mean: &[f64]) -> Vec<f64> {
    let scatter: Vec<f64> = (0..mean.len()).map(|step| scatter(curves, mean, step)).collect();
    let mut envelope: Vec<f64> = mean.iter().map(|x| x.abs()).collect();
    for step in (0..envelope.len() - 1).rev() {
        envelope[step] = envelope[step].max(envelope[step + 1]);
    }
    let first = scatter[1] / envelope[1];
    let share = if first > 0.0 { first } else { 1.0 };
    let own = |step: usize| share * envelope[step] * (step as f64 + START).sqrt();
    (0..mean.len()).map(|step| own(step).hypot(scatter[step]).max(ROUNDING * share)).collect()
}

/// The standard error of the mean at a step; 0 for a single curve.
fn scatter(curves: &[Vec<f64>], mean: &[f64], step: usize) -> f64 {
    let count = curves.len() as f64;
    let squares: f64 = curves.iter().map(|curve| (curve[step] - mean[step]).powi(2)).sum();
    if curves.len() > 1 { (squares / (count * (count - 1.0))).sqrt() } else { 0.0 }
}

fn check_continuum(theory: Theory, modes: &[Mode]) -> ContinuumCheck {
    // Modes that are not known well enough themselves do not count.
    let below = || modes.iter().filter(|mode| mode.k_over_critical < 1.0);
    let off = |predicted: fn(&Oscillation) -> Option<f64>, measured: fn(&Mode) -> Option<Estimate>, share: f64| {
        let all = below().filter_map(|mode| {
            let found =
                measured(mode).filter(|found| found.error.is_infinite() || found.error < share * found.value)?;
            Some((mode.k_over_critical, predicted(&mode.predicted)? / found.value - 1.0))
        });
        all.collect::<Vec<(f64, f64)>>()
    };
    let omega = off(|wave| wave.omega, |mode| mode.measured.omega, 0.005);
    let tau = off(|wave| wave.tau, |mode| mode.measured.tau, 0.015);
    let worst = |list: &[(f64, f64)]| list.iter().copied().max_by(|a, b| a.1.abs().total_cmp(&b.1.abs()));
    let k_c = theory.continuum().critical_wavenumber();
    let shares = (1..1000).map(|i| f64::from(i) / 1000.0);
    let right = |share: &f64| {
        let (continuum, lattice) = (theory.continuum().frequency(share * k_c), theory.lattice().frequency(share * k_c));
        continuum.zip(lattice).is_some_and(|(continuum, lattice)| (continuum / lattice - 1.0).abs() < 0.01)
    };
    ContinuumCheck {
        omega_holds_up_to_in_theory: shares.take_while(right).last().unwrap_or(0.0),
        omega_holds_up_to: omega.iter().take_while(|(_, off)| off.abs() < 0.01).last().map(|(share, _)| *share),
        omega_worst: worst(&omega).map(|(_, off)| off),
        omega_worst_at: worst(&omega).map(|(share, _)| share),
        tau_worst: worst(&tau).map(|(_, off)| off),
        tau_worst_at: worst(&tau).map(|(share, _)| share),
    }
}
