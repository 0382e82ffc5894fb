//! Fits of a damped sine. Data that do not oscillate are rejected.

use crate::recursion::guess;
use crate::ringing::{ParameterBox, Ringing, Scaled};
use crate::samples::Samples;
use crate::spectrum::spectral_peaks;
use nalgebra::{Matrix3, Vector3};
use std::f64::consts::{FRAC_PI_2, PI, TAU};
use thiserror::Error;

/// A fit needs this many values more than it has parameters.
const SPARE: usize = 2;

/// The default odds against chance and against plain decay at which an oscillation is accepted.
const ODDS: f64 = 2.7e5;

/// The least number of independent values that data count for; a nearly perfect fit leaves only smooth rounding errors.
const LEAST: f64 = 4.0;

/// A few rounding errors: values are sums of many.
const ROUNDING: f64 = 4.0 * f64::EPSILON;

/// Damping times after which an oscillation is no evidence any more.
const LIFETIMES: f64 = 3.0;

/// x(t) = x₀ + A e^{−(t − t₀)/τ} sin(ω (t − t₀) + φ), t₀ being the start of the window.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DampedSine {
    /// t₀, the time of the first value.
    pub start: f64,
    /// x₀.
    pub offset: f64,
    /// A: the amplitude at the start of the window, above 0.
    pub amplitude: f64,
    /// φ, between −π and π.
    pub phase: f64,
    /// ω.
    pub frequency: f64,
    /// 1/τ. At or below 0 nothing is damped.
    pub decay: f64,
}

impl DampedSine {
    /// The curve at a time.
    pub fn at(&self, time: f64) -> f64 {
        let t = time - self.start;
        self.offset + self.amplitude * (-self.decay * t).exp() * (self.frequency * t + self.phase).sin()
    }

    /// τ; infinite if nothing is damped.
    pub fn damping_time(&self) -> f64 {
        if self.decay > 0.0 { 1.0 / self.decay } else { f64::INFINITY }
    }
}

/// What a fit may assume.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FitSettings {
    /// ω stays below this. The data themselves only know frequencies below π over the step.
    pub frequency_max: f64,
    /// x₀, if it is known.
    pub offset: Option<f64>,
    /// An oscillation is accepted at these odds (to one) against chance and against plain decay. They should be long where
    /// nothing is known; after a push that makes everything ring, shorter ones do.
    pub odds: f64,
    /// A curve close to the data, if one is known: the search starts there and nowhere else.
    pub near: Option<DampedSine>,
}

impl Default for FitSettings {
    fn default() -> Self {
        Self { frequency_max: f64::INFINITY, offset: None, odds: ODDS, near: None }
    }
}

/// A fitted curve with its uncertainties, one standard error each, and how good it is.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Fit {
    /// The curve.
    pub curve: DampedSine,
    /// Standard error of ω; 0 where ω was given. All errors allow for what neighbours share of the unexplained rest.
    pub frequency_error: f64,
    /// Standard error of τ; 0 where τ was given.
    pub damping_time_error: f64,
    /// Standard error of x₀; 0 where it was given.
    pub offset_error: f64,
    /// Correlation of the errors of ω and 1/τ, between −1 and 1.
    pub correlation: f64,
    /// Root mean square of what the curve leaves unexplained.
    pub rms: f64,
    /// The share of the scatter of the data that the curve explains, 1 at best.
    pub explained: f64,
    /// How many values were fitted.
    pub points: usize,
}

impl Fit {
    /// The unexplained rest over the amplitude at the start of the window.
    pub fn relative_rms(&self) -> f64 {
        self.rms / self.curve.amplitude
    }
}

/// Why there is no damped sine in the data.
#[derive(Clone, Copy, Debug, PartialEq, Error)]
pub enum NotAnOscillation {
    /// Too few values.
    #[error("not an oscillation: {points} values are too few, {needed} are needed")]
    TooShort {
        /// How many there are.
        points: usize,
        /// How many are needed.
        needed: usize,
    },
    /// A value or an error is no number, or an error is not above 0.
    #[error("not an oscillation: some values are not finite or have no error above 0")]
    NotFinite,
    /// All values are equal up to rounding.
    #[error("not an oscillation: the values are all equal")]
    Constant,
    /// A decay or a drift without oscillation describes the data as well.
    #[error("not an oscillation: a decay or drift without ringing describes the values as well")]
    Relaxation,
    /// No damped sine describes the data better than chance.
    #[error("not an oscillation: no damped sine describes the values better than chance")]
    Noise,
    /// The best one turns as fast as is allowed, or as fast as the data can tell: its frequency is unknown.
    #[error("not an oscillation: it would turn faster than the values or the bounds allow")]
    TooFast,
}

impl DampedSine {
    /// Fits everything: x₀ (unless it is known), A, φ, ω and τ.
    ///
    /// First guesses come from the spectrum and a few slow frequencies, each with several dampings, and from how neighbouring
    /// values follow each other; the best ones are refined by the Levenberg-Marquardt method.
    ///
    /// ```
    /// use hardgrain_analysis::{DampedSine, FitSettings, NotAnOscillation, Samples};
    /// let ring: Vec<f64> = (0..300).map(f64::from).map(|t| 5.0 + 2.0 * (-t / 60.0).exp() * (0.18 * t).cos()).collect();
    /// let fit = DampedSine::fit(Samples::new(0.0, 1.0, &ring), FitSettings::default()).unwrap();
    /// assert!((fit.curve.frequency - 0.18).abs() < 1e-9 && (fit.curve.damping_time() - 60.0).abs() < 1e-6);
    ///
    /// let decay: Vec<f64> = (0..300).map(f64::from).map(|t| 5.0 + (-t / 60.0).exp()).collect();
    /// let refused = DampedSine::fit(Samples::new(0.0, 1.0, &decay), FitSettings::default());
    /// assert_eq!(refused, Err(NotAnOscillation::Relaxation));
    /// ```
    ///
    /// # Errors
    /// When the data are too few, constant, noise, or decay or drift without oscillating.
    pub fn fit(samples: Samples<'_>, settings: FitSettings) -> Result<Fit, NotAnOscillation> {
        let scale = FitUnits::from_samples(samples, settings.offset)?;
        let parameters = if settings.offset.is_none() { 5 } else { 4 };
        let data = scale.data(samples, settings.offset.is_none());
        let steps = (samples.values.len() - 1) as f64;
        let turn_max = (settings.frequency_max * scale.time).min(0.98 * PI * steps);
        let limits = ParameterBox { square: (-steps * steps, turn_max * turn_max), decay: (-3.0, 8.0 * steps) };
        let starts = match settings.near {
            Some(near) => {
                data.linear((near.frequency * scale.time).powi(2), near.decay * scale.time).into_iter().collect()
            }
            None => starts(&data, limits, turn_max),
        };
        let (ringing, rest) = descend(&data, limits, &starts).ok_or(NotAnOscillation::Noise)?;

        let spare = (samples.values.len() - parameters) as f64;
        let total = data.total();
        // Residuals of a poor fit are correlated, which lowers the number of independent values. At least one value per half
        // period counts as independent: each half period confirms the oscillation again.
        let half_turns = ringing.square.max(0.0).sqrt() * (LIFETIMES / ringing.decay.max(LIFETIMES)) / PI;
        let independent = (spare / ringing.shared(&data)).max(half_turns).max(LEAST).min(spare);
        // Below the rounding error all curves fit equally well.
        let evidence = |without: f64| independent * (without.max(scale.floor) / rest.max(scale.floor)).ln();
        // The required fall of the logarithm of the residual, times the number of independent values: a likelihood ratio.
        let asked = 2.0 * settings.odds.ln();
        // Many frequencies were tried, so the more values there are, the more easily one of them fits by chance.
        if evidence(total) <= asked + 2.0 * independent.ln() {
            return Err(NotAnOscillation::Noise);
        }
        // Less than a quarter turn over the whole window, or a curve without ringing that is as good: no oscillation.
        let relaxing = relaxation(&data, limits).ok_or(NotAnOscillation::Relaxation)?;
        if ringing.square < FRAC_PI_2 * FRAC_PI_2 || evidence(relaxing) <= asked {
            return Err(NotAnOscillation::Relaxation);
        }
        if ringing.square > 0.999 * limits.square.1 {
            return Err(NotAnOscillation::TooFast);
        }
        let known = rest.max(scale.floor) / independent;
        let covariance = ringing.covariance(&data).ok_or(NotAnOscillation::Relaxation)? * known;
        let errors = [0, 1, 4].map(|i| if i < parameters { covariance[(i, i)].sqrt() } else { 0.0 });
        let correlation = covariance[(0, 1)] / (errors[0] * errors[1]);
        let fit = Fit::judged(samples, scale.curve(samples.start, ringing), rest / total);
        Ok(Fit {
            frequency_error: 0.5 * errors[0] / ringing.square.sqrt() / scale.time,
            damping_time_error: errors[1] / ringing.decay.max(0.0).powi(2) * scale.time,
            offset_error: errors[2] * scale.value,
            correlation: if correlation.is_finite() { correlation } else { 0.0 },
            ..fit
        })
    }

    /// Fits x₀, A and φ only, with ω and τ given, as in the figure of the paper.
    ///
    /// # Errors
    /// When the data are too few or constant, or ω and τ are not above 0.
    pub fn fit_given(samples: Samples<'_>, frequency: f64, damping_time: f64) -> Result<Fit, NotAnOscillation> {
        if !(frequency > 0.0 && frequency.is_finite() && damping_time > 0.0) {
            return Err(NotAnOscillation::NotFinite);
        }
        let scale = FitUnits::from_samples(samples, None)?;
        let data = scale.data(samples, true);
        let (square, decay) = ((frequency * scale.time).powi(2), scale.time / damping_time);
        let (ringing, rest) = data.linear(square, decay).ok_or(NotAnOscillation::NotFinite)?;
        let total = data.total();
        let spare = samples.values.len().saturating_sub(3).max(1) as f64;
        let offset_error = ringing.covariance(&data).map_or(0.0, |c| (c[(4, 4)] * rest / spare).sqrt() * scale.value);
        let fit = Fit::judged(samples, scale.curve(samples.start, ringing), rest / total);
        Ok(Fit { offset_error, ..fit })
    }

    /// The amplitudes of this oscillation in other values, in phase and in quadrature, relative to its amplitude. The offset of
    /// these values is free. `None` for fewer than four values.
    pub fn share(&self, samples: Samples<'_>) -> Option<[f64; 2]> {
        if samples.values.len() < 4 {
            return None;
        }
        let (mut normal, mut right) = (Matrix3::zeros(), Vector3::zeros());
        for (index, value) in samples.values.iter().enumerate() {
            let t = samples.start + samples.elapsed(index) - self.start;
            let (sine, cosine) = (self.frequency * t + self.phase).sin_cos();
            let row = Vector3::new(sine, -cosine, 0.0) * (self.amplitude * (-self.decay * t).exp()) + Vector3::z();
            normal += row * row.transpose();
            right += row * *value;
        }
        let solution = normal.cholesky()?.solve(&right);
        Some([solution[0], solution[1]])
    }
}

/// √⟨x²⟩, without squares that overflow.
fn root_mean_square(values: impl Iterator<Item = f64> + Clone) -> f64 {
    let largest = values.clone().fold(0.0_f64, |largest, value| largest.max(value.abs()));
    let count = values.clone().count() as f64;
    if largest == 0.0 {
        0.0
    } else {
        largest * (values.map(|value| (value / largest).powi(2)).sum::<f64>() / count).sqrt()
    }
}

/// Units in which window and scatter are 1.
struct FitUnits {
    time: f64,
    value: f64,
    middle: f64,
    /// The sum of squares that rounding leaves.
    floor: f64,
}

impl FitUnits {
    fn from_samples(samples: Samples<'_>, offset: Option<f64>) -> Result<Self, NotAnOscillation> {
        let needed = SPARE + if offset.is_none() { 5 } else { 4 };
        let points = samples.values.len();
        if points < needed {
            return Err(NotAnOscillation::TooShort { points, needed });
        }
        let bad_error = |error: &f64| !(error.is_finite() && *error > 0.0);
        if !samples.values.iter().all(|value| value.is_finite())
            || samples.errors.is_some_and(|errors| errors.iter().any(bad_error))
        {
            return Err(NotAnOscillation::NotFinite);
        }
        let middle = offset.unwrap_or_else(|| samples.values.iter().sum::<f64>() / points as f64);
        let largest = |of: &dyn Fn(f64) -> f64| samples.values.iter().fold(0.0_f64, |most, &x| most.max(of(x).abs()));
        let (size, swing) = (largest(&|value| value), largest(&|value| value - middle));
        if swing <= 1e-13 * size {
            return Err(NotAnOscillation::Constant);
        }
        let value = root_mean_square(samples.values.iter().map(|value| value - middle));
        let rounding = ROUNDING * size / value;
        let floor = (0..points).map(|i| (rounding * samples.root_weight(i, value)).powi(2)).sum();
        Ok(Self { time: samples.length(), value, middle, floor })
    }

    fn data(&self, samples: Samples<'_>, offset: bool) -> Scaled {
        Scaled {
            times: (0..samples.values.len()).map(|i| samples.elapsed(i) / self.time).collect(),
            values: samples.values.iter().map(|value| (value - self.middle) / self.value).collect(),
            roots: (0..samples.values.len()).map(|i| samples.root_weight(i, self.value)).collect(),
            offset,
        }
    }

    fn curve(&self, start: f64, ringing: Ringing) -> DampedSine {
        let turn = ringing.square.max(0.0).sqrt();
        // a cos + b sin(ωt)/ω = A sin(ωt + φ).
        let (sine, cosine) = (ringing.sine / turn, ringing.cosine);
        DampedSine {
            start,
            offset: self.middle + self.value * ringing.offset,
            amplitude: self.value * sine.hypot(cosine),
            phase: cosine.atan2(sine),
            frequency: turn / self.time,
            decay: ringing.decay / self.time,
        }
    }
}

impl Fit {
    /// A curve with its goodness, its errors still 0.
    fn judged(samples: Samples<'_>, curve: DampedSine, unexplained: f64) -> Fit {
        let points = samples.values.len();
        let rest = |i: usize| samples.values[i] - curve.at(samples.start + samples.elapsed(i));
        Fit {
            curve,
            frequency_error: 0.0,
            damping_time_error: 0.0,
            offset_error: 0.0,
            correlation: 0.0,
            rms: root_mean_square((0..points).map(rest)),
            explained: 1.0 - unexplained,
            points,
        }
    }
}

/// First guesses, best first: peaks of the spectrum and slow frequencies, each with several dampings, and the recursion.
fn starts(data: &Scaled, limits: ParameterBox, turn_max: f64) -> Vec<(Ringing, f64)> {
    let slow = (1..=8).map(|quarter| f64::from(quarter) * TAU / 4.0);
    let steps = data.times.len() as f64 - 1.0;
    // Differences of neighbours have no offset.
    let differences: Vec<f64> = data.values.windows(2).map(|pair| pair[1] - pair[0]).collect();
    let series = if data.offset { &differences } else { &data.values };
    let near = [true, false].into_iter().filter_map(|level| guess(series, level));
    let near = near.map(|(turn, decay)| ((turn * steps).powi(2), decay * steps));
    let mut starts: Vec<(Ringing, f64)> = spectral_peaks(&data.values, 4)
        .into_iter()
        .chain(slow)
        .filter(|&turn| turn < turn_max)
        .flat_map(|turn| [0.0, 1.0, 3.0, 10.0, 30.0, 100.0, steps].map(|decay| (turn * turn, decay)))
        .chain([(0.5 * turn_max * turn_max, 0.0), (0.0, 1.0), (-1.0, 3.0)])
        .chain(near.filter(|(square, _)| *square < limits.square.1))
        .filter(|&(_, decay)| decay < limits.decay.1)
        .filter_map(|(square, decay)| data.linear(square, decay))
        .collect();
    starts.sort_by(|a, b| a.1.total_cmp(&b.1));
    starts
}

/// The least sum of squares of a curve that does not ring, w ≤ 0.
fn relaxation(data: &Scaled, limits: ParameterBox) -> Option<f64> {
    let limits = ParameterBox { square: (limits.square.0, 0.0), ..limits };
    // On the edge, w = 0, by narrowing an interval of log δ; inside, downhill from decays with two rates.
    let rest = |log: f64| data.linear(0.0, log.exp()).map_or(f64::INFINITY, |found| found.1);
    let logs: Vec<f64> = (-4..30).map(|i| 0.25 * f64::from(i)).filter(|log| log.exp() < limits.decay.1).collect();
    let mut middle = logs.into_iter().min_by(|a, b| rest(*a).total_cmp(&rest(*b)))?;
    let mut width = 0.25;
    while width > 1e-3 {
        width *= 0.6;
        middle = [middle - width, middle, middle + width].into_iter().min_by(|a, b| rest(*a).total_cmp(&rest(*b)))?;
    }
    let steps = data.times.len() as f64 - 1.0;
    let rates = [1.0, 3.0, 10.0, 30.0, 0.5 * steps, steps, 2.0 * steps, 4.0 * steps];
    let pairs = rates.into_iter().flat_map(|decay| [0.3, 0.8].map(|share| (-share * decay * decay, decay)));
    let mut starts: Vec<_> = pairs.filter_map(|(square, decay)| data.linear(square, decay)).collect();
    starts.sort_by(|a, b| a.1.total_cmp(&b.1));
    let inside = descend(data, limits, &starts).map_or(f64::INFINITY, |found| found.1);
    Some(inside.min(rest(middle)))
}

/// The lowest minimum found from the best starts, and the sum of squares there.
fn descend(data: &Scaled, limits: ParameterBox, starts: &[(Ringing, f64)]) -> Option<(Ringing, f64)> {
    let ends = starts.iter().take(4).filter_map(|(start, _)| start.refined(data, limits));
    ends.map(|end| (end, end.sum_of_squares(data))).filter(|end| end.1.is_finite()).min_by(|a, b| a.1.total_cmp(&b.1))
}
