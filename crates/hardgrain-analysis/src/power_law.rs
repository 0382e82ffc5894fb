//! y = C x^a: a straight line in the logarithms.

use thiserror::Error;

/// A fitted power law.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct PowerLaw {
    /// a.
    pub exponent: f64,
    /// Standard error of a: from the errors of the points and from how far they are off the line, whichever is more.
    pub exponent_error: f64,
    /// C.
    pub prefactor: f64,
}

/// A line through fewer than three points has no error estimate, and logarithms need positive numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Error)]
#[error("a power law needs three points at different x, all above 0; there are {usable}")]
pub struct TooFewPoints {
    /// How many usable points there are: x and y above 0, not all x equal.
    pub usable: usize,
}

impl PowerLaw {
    /// Fits (x, y, standard error of y). An error of 0 or one that is no number is unknown; if any is, all points weigh
    /// the same.
    ///
    /// ```
    /// use hardgrain_analysis::PowerLaw;
    /// let law = PowerLaw::fit(&[(1.0, 2.0, 0.0), (4.0, 1.0, 0.0), (16.0, 0.5, 0.0)]).unwrap();
    /// assert!((law.exponent + 0.5).abs() < 1e-12 && (law.prefactor - 2.0).abs() < 1e-12);
    /// ```
    ///
    /// # Errors
    /// When fewer than three points can be used.
    pub fn fit(points: &[(f64, f64, f64)]) -> Result<Self, TooFewPoints> {
        let usable = points.iter().filter(|(x, y, _)| *x > 0.0 && *y > 0.0 && x.is_finite() && y.is_finite());
        let logs: Vec<(f64, f64, f64)> = usable.map(|&(x, y, error)| (x.ln(), y.ln(), error / y)).collect();
        let known = logs.iter().all(|point| point.2 > 0.0 && point.2.is_finite());
        let weight = |point: &(f64, f64, f64)| if known { 1.0 / (point.2 * point.2) } else { 1.0 };
        let total: f64 = logs.iter().map(weight).sum();
        let mean = |value: fn(&(f64, f64, f64)) -> f64| logs.iter().map(|p| weight(p) * value(p)).sum::<f64>() / total;
        let (x_mean, y_mean) = (mean(|p| p.0), mean(|p| p.1));
        let spread: f64 = logs.iter().map(|p| weight(p) * (p.0 - x_mean).powi(2)).sum();
        let distinct = logs.iter().filter(|p| (p.0 - x_mean).abs() > 1e-12 * (1.0 + x_mean.abs())).count();
        if logs.len() < 3 || distinct == 0 {
            return Err(TooFewPoints { usable: if distinct == 0 { logs.len().min(1) } else { logs.len() } });
        }
        let exponent = logs.iter().map(|p| weight(p) * (p.0 - x_mean) * (p.1 - y_mean)).sum::<f64>() / spread;
        let constant = y_mean - exponent * x_mean;
        let off: f64 = logs.iter().map(|p| weight(p) * (p.1 - constant - exponent * p.0).powi(2)).sum();
        let scatter = off / (logs.len() - 2) as f64;
        let variance = if known { scatter.max(1.0) } else { scatter };
        Ok(Self { exponent, exponent_error: (variance / spread).sqrt(), prefactor: constant.exp() })
    }

    /// C x^a.
    pub fn at(&self, x: f64) -> f64 {
        self.prefactor * x.powf(self.exponent)
    }
}
