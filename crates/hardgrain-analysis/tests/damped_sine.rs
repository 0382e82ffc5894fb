//! Fits of damped sines against data whose truth is known.

mod noise;

use hardgrain_analysis::{DampedSine, FitSettings, NotAnOscillation, Samples, spectral_peaks};
use noise::Noise;
use proptest::prelude::*;

fn free(values: &[f64]) -> Result<hardgrain_analysis::Fit, NotAnOscillation> {
    DampedSine::fit(Samples::new(0.0, 1.0, values), FitSettings::default())
}

fn sampled(points: usize, curve: impl Fn(f64) -> f64) -> Vec<f64> {
    (0..points).map(|i| curve(i as f64)).collect()
}

prop_compose! {
    /// A sine that can be seen: half a turn at least, and not all of it within two steps.
    fn truth()(
        points in 30_usize..250,
        turns in 0.6_f64..12.0,
        lives in 0.2_f64..6.0,
        phase in -3.1_f64..3.1,
        offset in -100.0_f64..100.0,
        amplitude in 1e-6_f64..1e3,
    ) -> (usize, DampedSine) {
        let length = (points - 1) as f64;
        let frequency = (turns * std::f64::consts::TAU / length).min(2.5);
        // ω τ ≥ 1: at least a sixth of a turn per lifetime.
        let decay = (lives / length).min(frequency);
        (points, DampedSine { start: 0.0, offset: offset * amplitude, amplitude, phase, frequency, decay })
    }
}

proptest! {
    #![proptest_config(noise::config(100))]

    #[test]
    fn exact_data_give_the_truth_back((points, truth) in truth()) {
        let fit = free(&sampled(points, |t| truth.at(t))).unwrap();
        prop_assert!((fit.curve.frequency / truth.frequency - 1.0).abs() < 1e-5, "{fit:?}");
        prop_assert!((fit.curve.decay / truth.decay - 1.0).abs() < 1e-5, "{fit:?}");
        prop_assert!((fit.curve.amplitude / truth.amplitude - 1.0).abs() < 1e-5);
        prop_assert!(fit.explained > 1.0 - 1e-10 && fit.relative_rms() < 1e-6);
    }

    #[test]
    fn noisy_data_give_it_within_the_errors((points, truth) in truth(), seed in any::<u64>(), level in 0.001_f64..0.02) {
        // With noise, a swing that is nearly gone before it turns cannot be told from a decay: ω τ ≥ 2 can.
        let truth = DampedSine { decay: truth.decay.min(0.5 * truth.frequency), ..truth };
        let mut noise = Noise(seed);
        let values = sampled(points, |t| truth.at(t)).into_iter().map(|x| x + level * truth.amplitude * noise.normal());
        let fit = free(&values.collect::<Vec<_>>()).unwrap();
        // Five errors, and some for the curvature of the problem where they are large.
        let room = |error: f64, scale: f64| 5.0 * error * (1.0 + 5.0 * error / scale) + 1e-9 * scale;
        let off = (fit.curve.frequency - truth.frequency).abs();
        prop_assert!(off < room(fit.frequency_error, truth.frequency), "{off} {fit:?}");
        let off = (fit.curve.damping_time() - 1.0 / truth.decay).abs();
        prop_assert!(off < room(fit.damping_time_error, 1.0 / truth.decay), "{off} {fit:?}");
        prop_assert!((fit.rms / (level * truth.amplitude) - 1.0).abs() < 0.6, "{fit:?}");
        prop_assert!(fit.correlation.abs() <= 1.0);
    }

    #[test]
    fn given_frequency_and_damping_leave_three_numbers((points, truth) in truth()) {
        let values = sampled(points, |t| truth.at(t));
        let fit = DampedSine::fit_given(Samples::new(0.0, 1.0, &values), truth.frequency, 1.0 / truth.decay).unwrap();
        prop_assert!((fit.curve.amplitude / truth.amplitude - 1.0).abs() < 1e-6);
        prop_assert!((fit.curve.offset - truth.offset).abs() < 1e-6 * truth.amplitude);
        prop_assert!(fit.relative_rms() < 1e-7);
        // A wrong frequency is seen in the rest.
        let wrong = DampedSine::fit_given(Samples::new(0.0, 1.0, &values), 1.5 * truth.frequency, 1.0 / truth.decay).unwrap();
        prop_assert!(wrong.rms > 1e3 * fit.rms);
    }

    #[test]
    fn units_do_not_matter((points, truth) in truth(), time in 1e-6_f64..1e6, start in -10.0_f64..10.0) {
        let values = sampled(points, |t| truth.at(t));
        let here = free(&values).unwrap();
        let there = DampedSine::fit(Samples::new(start * time, time, &values), FitSettings::default()).unwrap();
        prop_assert!((there.curve.frequency * time / here.curve.frequency - 1.0).abs() < 1e-6);
        prop_assert!((there.curve.at((start + 3.0) * time) - here.curve.at(3.0)).abs() < 1e-6 * truth.amplitude);
    }

    #[test]
    fn noise_is_no_oscillation(points in 12_usize..250, seed in any::<u64>(), offset in -5.0_f64..5.0) {
        let mut noise = Noise(seed);
        let refused = free(&sampled(points, |_| 0.0).iter().map(|_| offset + noise.normal()).collect::<Vec<_>>());
        prop_assert!(refused.is_err(), "{refused:?}");
    }

    #[test]
    fn decay_and_drift_are_no_oscillation(
        points in 20_usize..200, fast in 1.5_f64..20.0, share in -2.0_f64..2.0, seed in any::<u64>(), level in 0.0_f64..0.02
    ) {
        let length = points as f64;
        let mut noise = Noise(seed);
        let mut with_noise = |x: f64| x + level * noise.normal();
        let two_decays = sampled(points, |t| (-fast * t / length).exp() + share * (-0.4 * fast * t / length).exp());
        prop_assert!(free(&two_decays.into_iter().map(&mut with_noise).collect::<Vec<_>>()).is_err());
        let drift = sampled(points, |t| 3.0 + share * t / length);
        prop_assert!(free(&drift.into_iter().map(&mut with_noise).collect::<Vec<_>>()).is_err());
        let critical = sampled(points, |t| (1.0 + share * fast * t / length) * (-fast * t / length).exp());
        prop_assert!(free(&critical.into_iter().map(&mut with_noise).collect::<Vec<_>>()).is_err());
    }
}

#[test]
fn what_cannot_be_fitted_is_said() {
    let said = |values: &[f64]| free(values).unwrap_err().to_string();
    assert_eq!(said(&[1.0; 3]), "not an oscillation: 3 values are too few, 7 are needed");
    assert_eq!(said(&[]), "not an oscillation: 0 values are too few, 7 are needed");
    assert_eq!(said(&[2.5; 50]), "not an oscillation: the values are all equal");
    assert_eq!(free(&sampled(50, |t| if t > 20.0 { f64::NAN } else { t })), Err(NotAnOscillation::NotFinite));
    assert_eq!(free(&sampled(100, |t| (-t / 20.0).exp())), Err(NotAnOscillation::Relaxation));
}

#[test]
fn an_undamped_sine_has_no_damping_time() {
    let fit = free(&sampled(200, |t| (0.3 * t).sin() * (1e-4 * t).exp())).unwrap();
    assert_eq!(fit.curve.damping_time(), f64::INFINITY);
    assert!((fit.curve.frequency - 0.3).abs() < 1e-8);
}

#[test]
fn the_frequency_stays_below_its_bound() {
    // Sampled once a step, 2.4 and 2π − 2.4 are the same tone. With a bound the fit must not take the faster one.
    let values = sampled(60, |t| (-t / 30.0).exp() * (2.4 * t).sin());
    assert!((free(&values).unwrap().curve.frequency - 2.4).abs() < 1e-6);
    let settings = FitSettings { frequency_max: 1.0, ..FitSettings::default() };
    let bounded = DampedSine::fit(Samples::new(0.0, 1.0, &values), settings);
    assert!(bounded.is_err_and(|error| error == NotAnOscillation::Noise));
}

#[test]
fn a_mode_that_is_gone_in_a_few_steps_is_measured_if_the_end_is_known() {
    let truth = DampedSine { start: 0.0, offset: 0.0, amplitude: 1.0, phase: 1.2, frequency: 1.34, decay: 1.45 };
    let values = sampled(8, |t| truth.at(t));
    let errors = sampled(8, |t| 0.01 * (-1.45 * t).exp());
    let settings = FitSettings { offset: Some(0.0), ..FitSettings::default() };
    let fit = DampedSine::fit(Samples::new(0.0, 1.0, &values).with_errors(&errors), settings).unwrap();
    assert!((fit.curve.frequency - 1.34).abs() < 1e-6 && (fit.curve.decay - 1.45).abs() < 1e-6, "{fit:?}");
}

/// Of many noisy repetitions, the share whose truth lies within one standard error.
fn coverage(points: usize, truth: DampedSine, level: f64) -> [f64; 3] {
    const REPEATS: u32 = 400;
    let mut noise = Noise(7);
    let mut within = [0.0; 3];
    for _ in 0..REPEATS {
        let values: Vec<f64> = sampled(points, |t| truth.at(t)).iter().map(|x| x + level * noise.normal()).collect();
        let fit = free(&values).unwrap();
        let off = [
            (fit.curve.frequency - truth.frequency, fit.frequency_error),
            (fit.curve.damping_time() - 1.0 / truth.decay, fit.damping_time_error),
            (fit.curve.offset - truth.offset, fit.offset_error),
        ];
        for (share, (off, error)) in within.iter_mut().zip(off) {
            *share += f64::from(u8::from(off.abs() < error)) / f64::from(REPEATS);
        }
    }
    within
}

#[test]
fn one_standard_error_holds_two_times_in_three() {
    let truth = DampedSine { start: 0.0, offset: 3.0, amplitude: 1.0, phase: 0.4, frequency: 0.2, decay: 0.02 };
    for (points, level) in [(60, 0.01), (150, 0.05)] {
        for share in coverage(points, truth, level) {
            assert!((0.6..0.78).contains(&share), "{points} points, noise {level}: {share}");
        }
    }
}

#[test]
fn errors_of_frequency_and_damping_are_correlated_in_a_short_window() {
    let truth = DampedSine { start: 0.0, offset: 0.0, amplitude: 1.0, phase: 0.4, frequency: 0.1, decay: 0.05 };
    let mut noise = Noise(3);
    let values: Vec<f64> = sampled(60, |t| truth.at(t)).iter().map(|x| x + 0.001 * noise.normal()).collect();
    assert!(free(&values).unwrap().correlation.abs() > 0.1);
}

#[test]
fn shapes_that_a_damped_sine_imitates_are_not_taken_for_one() {
    for points in [20, 100, 300] {
        let middle = 0.5 * points as f64;
        let step = sampled(points, |t| if t < middle { 0.0 } else { 1.0 });
        let front = sampled(points, |t| ((t - middle) / (0.05 * middle)).tanh());
        let bump = sampled(points, |t| (-((t - middle) / (0.2 * middle)).powi(2)).exp());
        for (name, values) in [("step", step), ("front", front), ("bump", bump)] {
            let fit = free(&values);
            assert!(fit.is_err(), "{name} of {points}: {fit:?}");
        }
    }
}

#[test]
fn random_walks_are_rarely_taken_for_oscillations() {
    for points in [50, 200] {
        let taken = (0..100).filter(|seed| {
            let (mut noise, mut place) = (Noise(*seed), 0.0);
            let walk: Vec<f64> = (0..points)
                .map(|_| {
                    place += noise.normal();
                    place
                })
                .collect();
            free(&walk).is_ok()
        });
        let taken = taken.count();
        assert!(taken <= 2, "{taken} of 100 walks of {points} steps");
    }
}

#[test]
fn a_frequency_on_its_bound_is_no_measurement() {
    let alternating = sampled(100, |t| if t % 2.0 == 0.0 { 1.0 } else { -1.0 });
    assert!(free(&alternating).is_err());
    let fast = sampled(60, |t| (-t / 30.0).exp() * (1.002 * t).sin());
    let settings = FitSettings { frequency_max: 1.0, ..FitSettings::default() };
    assert_eq!(DampedSine::fit(Samples::new(0.0, 1.0, &fast), settings), Err(NotAnOscillation::TooFast));
}

#[test]
fn huge_and_tiny_units_do_not_matter() {
    for unit in [1e-200, 1e-30, 1e30, 1e200] {
        let values = sampled(100, |t| unit * (1.0 + (-t / 30.0).exp() * (0.3 * t).sin()));
        let mut noise = Noise(1);
        let noisy: Vec<f64> = values.iter().map(|x| x + 1e-3 * unit * noise.normal()).collect();
        let fit = free(&noisy).unwrap();
        assert!(
            (fit.curve.frequency - 0.3).abs() < 0.001 && (fit.relative_rms() - 1e-3).abs() < 3e-4,
            "{unit}: {fit:?}"
        );
        let there = DampedSine::fit(Samples::new(0.0, unit, &noisy), FitSettings::default()).unwrap();
        let share = there.damping_time_error / there.curve.damping_time();
        assert!((share * fit.curve.damping_time() / fit.damping_time_error - 1.0).abs() < 1e-3, "{unit}: {there:?}");
    }
    assert!(DampedSine::fit_given(Samples::new(0.0, 1.0, &[1.0; 20]), 0.0, 1.0).is_err());
}

#[test]
fn two_tones_are_two_peaks() {
    use std::f64::consts::TAU;
    let tone = |t: f64, turns: f64| (TAU * turns * t).sin();
    let values: Vec<f64> =
        (0..400).map(|i| f64::from(i) / 399.0).map(|t| 7.0 + 2.0 * tone(t, 11.0) + tone(t, 40.0)).collect();
    let found = spectral_peaks(&values, 2);
    assert!((found[0] / TAU - 11.0).abs() < 0.2 && (found[1] / TAU - 40.0).abs() < 0.2, "{found:?}");
}
