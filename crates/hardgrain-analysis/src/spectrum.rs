//! Where the power of a curve is: first guesses of its frequency.

use realfft::RealFftPlanner;
use std::f64::consts::TAU;

/// Zero-padding factor: the frequency grid is this much finer than 1/length.
const PADDING: usize = 4;

/// Angular frequencies, in turns of 2π over the window, of the highest peaks of the power spectrum, highest first.
pub fn spectral_peaks(values: &[f64], count: usize) -> Vec<f64> {
    let mean = values.iter().sum::<f64>() / values.len() as f64;
    let length = (PADDING * values.len()).next_power_of_two();
    let transform = RealFftPlanner::<f64>::new().plan_fft_forward(length);
    let mut input = transform.make_input_vec();
    for (slot, value) in input.iter_mut().zip(values) {
        *slot = value - mean;
    }
    let mut output = transform.make_output_vec();
    transform.process(&mut input, &mut output).expect("the vectors were made for this length");
    let power: Vec<f64> = output.iter().map(realfft::num_complex::Complex::norm_sqr).collect();
    let is_peak = |i: usize| power[i] >= power[i - 1] && power.get(i + 1).is_none_or(|next| power[i] > *next);
    let mut found: Vec<usize> = (1..power.len()).filter(|&i| is_peak(i)).collect();
    found.sort_by(|&a, &b| power[b].total_cmp(&power[a]).then(a.cmp(&b)));
    let window = (values.len() - 1) as f64 / length as f64;
    found.into_iter().take(count).map(|i| TAU * i as f64 * window).collect()
}
