//! Times that can be compared on a busy machine: medians of alternate measurements.

use std::time::Instant;

/// Runs the acts alternately, `turns` times each; the seconds of each act.
pub(super) fn alternately(turns: usize, acts: &mut [&mut dyn FnMut()]) -> Vec<Vec<f64>> {
    let mut seconds = vec![Vec::with_capacity(turns); acts.len()];
    for _ in 0..turns {
        for (act, seconds) in acts.iter_mut().zip(&mut seconds) {
            let start = Instant::now();
            act();
            seconds.push(start.elapsed().as_secs_f64());
        }
    }
    seconds
}

/// The median.
pub(super) fn median(numbers: &[f64]) -> f64 {
    let mut sorted = numbers.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// The median of the quotients of times that were measured together.
pub(super) fn ratio(over: &[f64], under: &[f64]) -> f64 {
    let quotients: Vec<f64> = over.iter().zip(under).map(|(over, under)| over / under).collect();
    median(&quotients)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn medians_of_turns() {
        assert_eq!(median(&[3.0, 1.0, 2.0]), 2.0);
        assert_eq!(ratio(&[2.0, 9.0, 4.0], &[1.0, 3.0, 1.0]), 3.0);
        let (mut one, mut other) = (0, 0);
        let seconds = alternately(5, &mut [&mut || one += 1, &mut || other += 2]);
        assert_eq!((one, other, seconds.len(), seconds[0].len()), (5, 10, 2, 5));
    }
}
