//! The paper's chain, measured and predicted.

use hardgrain::{ContactDynamics, Engine, GaussSeidel, Grain, Line, Order, Packing, Stop, Wall};
use hardgrain_theory::{Chain, quarter_wave, random_sweep};
use std::error::Error;

const GRAINS: u32 = 50;
const SWEEPS: u32 = 40;
const FORCE: f64 = 0.05;

/// By then the chain has come together for good, and only the longest wave is left.
const TRANSIENT: usize = 260;
const STEPS: usize = 500;

/// Frequency and damping time.
struct Ringing {
    frequency: f64,
    damping_time: f64,
}

/// A table with prediction and measurement, mean and standard error over the seeds.
pub(crate) fn reproduce(seeds: u64) -> Result<String, Box<dyn Error>> {
    let chain = Chain { q: random_sweep(), sweeps: f64::from(SWEEPS), step: 1.0, diameter: 1.0 };
    let wave_number = quarter_wave(f64::from(GRAINS));
    let frequency = chain.frequency(wave_number).ok_or("the chain does not oscillate")?;
    let damping_time = chain.damping_time(wave_number);
    let measured: Vec<Ringing> = (1..=seeds).map(|seed| ring(seed).and_then(|x| fit(&x))).collect::<Result<_, _>>()?;
    let frequencies = measured.iter().map(|ringing| ringing.frequency);
    let damping_times = measured.iter().map(|ringing| ringing.damping_time);
    Ok([
        format!("{GRAINS} rigid grains pressed against a wall with F = {FORCE} d m/h², "),
        format!("{SWEEPS} sweeps per step, {seeds} seeds\n\n"),
        format!("{:<24}{:>12}{:>12} ± {:<10}{:>8}\n", "", "predicted", "measured", "error", "ratio"),
        line("frequency ω h", frequency, frequencies),
        line("damping time τ/h", damping_time, damping_times),
        format!(
            "\nThe grains are rigid and do not bounce. What rings is the solver: it stops after {SWEEPS} sweeps.\n"
        ),
    ]
    .concat())
}

fn line(name: &str, predicted: f64, measured: impl Iterator<Item = f64> + Clone) -> String {
    let (mean, error) = mean_and_error(measured);
    format!("{name:<24}{predicted:>12.5}{mean:>12.5} ± {error:<10.5}{:>8.4}\n", mean / predicted)
}

/// The place of the last grain, step by step.
fn ring(seed: u64) -> Result<Vec<f64>, Box<dyn Error>> {
    let mut packing = Packing::<Line>::new();
    packing.add_wall(Wall::new([0.0], [1.0]))?;
    for index in 0..GRAINS {
        packing.add(Grain::new([1.5 + f64::from(index)], 0.5).mass(1.0))?;
    }
    let last = packing.grains.len() - 1;
    packing.grains[last].force = [-FORCE].into();
    let solver = GaussSeidel::new(Order::RandomSweep, Stop::Sweeps(SWEEPS));
    let mut engine = ContactDynamics::new(1.0, solver).seed(seed);
    let mut places = Vec::with_capacity(STEPS);
    for _ in 0..STEPS {
        engine.step(&mut packing)?;
        places.push(packing.grains[last].position.0[0]);
    }
    Ok(places)
}

/// Frequency from the times of the turning points, damping from how fast their distances shrink.
fn fit(places: &[f64]) -> Result<Ringing, Box<dyn Error>> {
    let turns = turning_points(&places[TRANSIENT..]);
    if turns.len() < 5 {
        return Err("fewer than five turning points: this is not an oscillation".into());
    }
    let numbered = || (0..).map(f64::from);
    let half_period = slope(numbered().zip(turns.iter().map(|turn| turn.0)));
    let swings = turns.windows(2).map(|pair| (pair[1].1 - pair[0].1).abs().ln());
    let frequency = std::f64::consts::PI / half_period;
    Ok(Ringing { frequency, damping_time: -half_period / slope(numbered().zip(swings)) })
}

/// Times and places of the extremes, from the parabola through the three highest or lowest points.
fn turning_points(places: &[f64]) -> Vec<(f64, f64)> {
    let mut turns = Vec::new();
    for (time, window) in places.windows(3).enumerate() {
        let (before, after) = (window[1] - window[0], window[2] - window[1]);
        if before * after < 0.0 {
            let shift = 0.5 * (before + after) / (before - after);
            turns.push(((time + 1) as f64 + shift, window[1] + 0.25 * (before + after) * shift));
        }
    }
    turns
}

/// The slope of the straight line through the points.
fn slope(points: impl Iterator<Item = (f64, f64)>) -> f64 {
    let points: Vec<(f64, f64)> = points.collect();
    let count = points.len() as f64;
    let (x_mean, y_mean) = points.iter().fold((0.0, 0.0), |sum, p| (sum.0 + p.0 / count, sum.1 + p.1 / count));
    let products = points.iter().map(|&(x, y)| (x - x_mean) * (y - y_mean)).sum::<f64>();
    products / points.iter().map(|&(x, _)| (x - x_mean) * (x - x_mean)).sum::<f64>()
}

fn mean_and_error(values: impl Iterator<Item = f64> + Clone) -> (f64, f64) {
    let count = values.clone().count() as f64;
    let mean = values.clone().sum::<f64>() / count;
    let scatter = values.map(|value| (value - mean) * (value - mean)).sum::<f64>() / (count - 1.0);
    (mean, (scatter / count).sqrt())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_oscillation_is_found() {
        let curve: Vec<f64> =
            (0..STEPS).map(|t| t as f64).map(|t| 49.0 + 2.0 * (-t / 70.0).exp() * (0.18 * t + 0.3).sin()).collect();
        let ringing = fit(&curve).unwrap();
        assert!((ringing.frequency / 0.18 - 1.0).abs() < 1e-3, "{}", ringing.frequency);
        assert!((ringing.damping_time / 70.0 - 1.0).abs() < 1e-2, "{}", ringing.damping_time);
        assert!(fit(&vec![1.0; STEPS]).is_err());
    }

    #[test]
    fn the_chain_of_the_paper_rings_as_predicted() {
        let chain = Chain { q: random_sweep(), sweeps: f64::from(SWEEPS), step: 1.0, diameter: 1.0 };
        let wave_number = quarter_wave(f64::from(GRAINS));
        let ringing = fit(&ring(1).unwrap()).unwrap();
        assert!((ringing.frequency / chain.frequency(wave_number).unwrap() - 1.0).abs() < 0.02);
        assert!((ringing.damping_time / chain.damping_time(wave_number) - 1.0).abs() < 0.1);
    }
}
