//! Means with their errors.

use serde::Serialize;

/// A number and its standard error.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Estimate {
    /// The number.
    pub value: f64,
    /// Its standard error; no number where there is just one run to judge from.
    pub error: f64,
}

impl Estimate {
    /// Mean of independent values and its standard error, √(Σ(x − x̄)²/(N(N − 1))). `None` for an empty list.
    pub fn mean(values: &[f64]) -> Option<Self> {
        let count = values.len() as f64;
        let value = values.iter().sum::<f64>() / count;
        let scatter = values.iter().map(|x| (x - value).powi(2)).sum::<f64>();
        (!values.is_empty()).then(|| Self { value, error: (scatter / (count * (count - 1.0))).sqrt() })
    }
}

/// The error of a number computed from many runs together, by leaving out one at a time: √((N − 1)/N Σ(x_i − x̄)²) with x_i
/// the number without run i.
pub fn jackknife(without_one: &[f64]) -> f64 {
    let count = without_one.len() as f64;
    let mean = without_one.iter().sum::<f64>() / count;
    ((count - 1.0) / count * without_one.iter().map(|x| (x - mean).powi(2)).sum::<f64>()).sqrt()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mean_of_one_has_no_error() {
        assert!(Estimate::mean(&[3.0]).unwrap().error.is_nan());
        assert_eq!(Estimate::mean(&[]), None);
        assert_eq!(Estimate::mean(&[1.0, 3.0]), Some(Estimate { value: 2.0, error: 1.0 }));
    }

    #[test]
    fn the_jackknife_of_a_mean_is_its_standard_error() {
        let values = [1.0, 4.0, 2.0, 8.0, 5.0];
        let sum: f64 = values.iter().sum();
        let without: Vec<f64> = values.iter().map(|x| (sum - x) / 4.0).collect();
        assert!((jackknife(&without) - Estimate::mean(&values).unwrap().error).abs() < 1e-14);
    }
}
