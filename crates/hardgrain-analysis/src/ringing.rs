//! The family of curves that contains oscillation, critical damping and plain decay, and its least squares.
//!
//! ```text
//! x(t) = x₀ + e^{−δt} (a C + b S)      C = cos √w t,  S = sin(√w t)/√w      for w > 0
//!                                      C = cosh √−w t, S = sinh(√−w t)/√−w  for w < 0
//! ```
//!
//! With w = ω² the family is smooth through w = 0, so a fit can end on either side, and whether something oscillates is
//! the question whether w is above 0, beyond its error. Times are in units of the window, values in units of their scatter.

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt};
use nalgebra::{DMatrix, DVector, Dyn, OVector, Owned};

/// One member of the family.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Ringing {
    pub(crate) square: f64,
    pub(crate) decay: f64,
    pub(crate) cosine: f64,
    pub(crate) sine: f64,
    pub(crate) offset: f64,
}

/// e^{−δt}C, e^{−δt}S and the derivative of the second by w, at one time. The first one's derivative is −t S/2.
fn waves(square: f64, decay: f64, time: f64) -> (f64, f64, f64) {
    let shrink = (-decay * time).exp();
    let turn = square * time * time;
    // Near w = 0 both are power series in w t².
    let (c, s, slope) = if turn.abs() < 1e-3 {
        let s = time * (1.0 - turn / 6.0 + turn * turn / 120.0);
        (1.0 - turn / 2.0 + turn * turn / 24.0, s, -time.powi(3) * (1.0 / 6.0 - turn / 60.0))
    } else {
        let root = square.abs().sqrt();
        let angle = root * time;
        let (c, s) = if square > 0.0 { (angle.cos(), angle.sin() / root) } else { (angle.cosh(), angle.sinh() / root) };
        (c, s, (time * c - s) / (2.0 * square))
    };
    (shrink * c, shrink * s, shrink * slope)
}

/// Scaled data: times, values and √w of each.
pub(crate) struct Scaled {
    pub(crate) times: Vec<f64>,
    pub(crate) values: Vec<f64>,
    pub(crate) roots: Vec<f64>,
    /// Whether x₀ is fitted; otherwise it is 0.
    pub(crate) offset: bool,
}

impl Scaled {
    /// The sum of squares of the data.
    pub(crate) fn total(&self) -> f64 {
        self.values.iter().zip(&self.roots).map(|(value, root)| (value * root).powi(2)).sum()
    }

    /// The best a, b, x₀ for given w and δ, and the sum of squares they leave.
    pub(crate) fn linear(&self, square: f64, decay: f64) -> Option<(Ringing, f64)> {
        let columns = if self.offset { 3 } else { 2 };
        let (mut normal, mut right) = (DMatrix::zeros(columns, columns), DVector::zeros(columns));
        for ((&time, &value), &root) in self.times.iter().zip(&self.values).zip(&self.roots) {
            let (c, s, _) = waves(square, decay, time);
            let row = [root * c, root * s, root];
            for i in 0..columns {
                right[i] += row[i] * root * value;
                (0..columns).for_each(|j| normal[(i, j)] += row[i] * row[j]);
            }
        }
        let solution = normal.cholesky()?.solve(&right);
        let offset = if self.offset { solution[2] } else { 0.0 };
        let ringing = Ringing { square, decay, cosine: solution[0], sine: solution[1], offset };
        let left = ringing.sum_of_squares(self);
        left.is_finite().then_some((ringing, left))
    }
}

/// The box that w and δ stay in.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ParameterBox {
    pub(crate) square: (f64, f64),
    pub(crate) decay: (f64, f64),
}

/// A bounded number as a free one: x = low + (high − low)(1 + sin y)/2.
fn inside((low, high): (f64, f64), free: f64) -> f64 {
    low + (high - low) * 0.5 * (1.0 + free.sin())
}

fn free((low, high): (f64, f64), bounded: f64) -> f64 {
    // A little inside: on the very edge the slope of the sine is 0 and nothing would move.
    ((2.0 * (bounded - low) / (high - low) - 1.0).clamp(-0.999, 0.999)).asin()
}

fn slope((low, high): (f64, f64), free: f64) -> f64 {
    (high - low) * 0.5 * free.cos()
}

/// The least-squares problem: parameters y_w, y_δ, a, b and, if fitted, x₀.
struct RingingFit<'a> {
    data: &'a Scaled,
    limits: ParameterBox,
    parameters: DVector<f64>,
}

impl RingingFit<'_> {
    fn ringing(&self) -> Ringing {
        let p = &self.parameters;
        Ringing {
            square: inside(self.limits.square, p[0]),
            decay: inside(self.limits.decay, p[1]),
            cosine: p[2],
            sine: p[3],
            offset: if self.data.offset { p[4] } else { 0.0 },
        }
    }
}

impl LeastSquaresProblem<f64, Dyn, Dyn> for RingingFit<'_> {
    type ParameterStorage = Owned<f64, Dyn>;
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;

    fn set_params(&mut self, parameters: &OVector<f64, Dyn>) {
        self.parameters.copy_from(parameters);
    }

    fn params(&self) -> OVector<f64, Dyn> {
        self.parameters.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        Some(self.ringing().residuals(self.data))
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        let mut matrix = self.ringing().jacobian(self.data);
        matrix.column_mut(0).scale_mut(slope(self.limits.square, self.parameters[0]));
        matrix.column_mut(1).scale_mut(slope(self.limits.decay, self.parameters[1]));
        Some(matrix)
    }
}

impl Ringing {
    fn residuals(&self, data: &Scaled) -> DVector<f64> {
        let rows = data.times.iter().zip(&data.values).zip(&data.roots);
        DVector::from_iterator(
            data.times.len(),
            rows.map(|((&time, &value), &root)| {
                let (c, s, _) = waves(self.square, self.decay, time);
                root * (self.offset + self.cosine * c + self.sine * s - value)
            }),
        )
    }

    /// Derivatives of the residuals by w, δ, a, b and, if fitted, x₀.
    fn jacobian(&self, data: &Scaled) -> DMatrix<f64> {
        let mut matrix = DMatrix::zeros(data.times.len(), if data.offset { 5 } else { 4 });
        for (row, (&time, &root)) in data.times.iter().zip(&data.roots).enumerate() {
            let (c, s, s_by_square) = waves(self.square, self.decay, time);
            let by_square = -0.5 * time * s * self.cosine + s_by_square * self.sine;
            let by_decay = -time * (self.cosine * c + self.sine * s);
            for (column, derivative) in [by_square, by_decay, c, s].into_iter().enumerate() {
                matrix[(row, column)] = root * derivative;
            }
            if data.offset {
                matrix[(row, 4)] = root;
            }
        }
        matrix
    }

    /// The sum of squares that remains.
    pub(crate) fn sum_of_squares(&self, data: &Scaled) -> f64 {
        self.residuals(data).norm_squared()
    }

    /// How many values share one independent piece of the unexplained rest: (1 + r)/(1 − r) with r the correlation of
    /// neighbours, 1 for noise of its own at every value.
    pub(crate) fn shared(&self, data: &Scaled) -> f64 {
        let rest = self.residuals(data);
        let neighbours: f64 = rest.iter().zip(rest.iter().skip(1)).map(|(a, b)| a * b).sum();
        let correlation = (neighbours / rest.norm_squared()).clamp(0.0, 0.9999);
        if correlation.is_nan() { 1.0 } else { (1.0 + correlation) / (1.0 - correlation) }
    }

    /// (JᵀJ)⁻¹, the covariance of w, δ, a, b, x₀ for data of unit variance.
    pub(crate) fn covariance(&self, data: &Scaled) -> Option<DMatrix<f64>> {
        let jacobian = self.jacobian(data);
        jacobian.tr_mul(&jacobian).cholesky().map(|factor| factor.inverse())
    }

    /// Goes downhill from here to the nearest minimum inside the box.
    pub(crate) fn refined(&self, data: &Scaled, limits: ParameterBox) -> Option<Self> {
        let start = [free(limits.square, self.square), free(limits.decay, self.decay), self.cosine, self.sine];
        let count = if data.offset { 5 } else { 4 };
        let parameters = DVector::from_iterator(count, start.into_iter().chain([self.offset]).take(count));
        let (problem, report) = LevenbergMarquardt::new().with_patience(40).with_tol(1e-13).minimize(RingingFit {
            data,
            limits,
            parameters,
        });
        let found = problem.ringing();
        // Running out of digits or of patience near the minimum is no failure; running away is.
        (report.objective_function.is_finite() && found.square.is_finite() && found.decay.is_finite()).then_some(found)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_family_is_smooth_through_critical_damping() {
        for time in [0.3, 1.0, 2.0] {
            let at = |square: f64| waves(square, 0.7, time);
            // On either side of the switch to the series, and on either side of 0.
            for (a, b) in [(1e-9, -1e-9), (1e-3 / (time * time), 0.999e-3 / (time * time))] {
                let (x, y) = (at(a), at(b));
                let step = a - b;
                assert!((x.0 - y.0 + 0.5 * time * x.1 * step).abs() < 1e-8, "{x:?} {y:?}");
                assert!((x.1 - y.1 - x.2 * step).abs() < 1e-8);
                assert!((x.2 - y.2).abs() < 1e-5);
            }
        }
    }

    #[test]
    fn the_derivatives_are_those_of_the_residuals() {
        let times: Vec<f64> = (0..20).map(|i| f64::from(i) * 0.05).collect();
        let data = Scaled { values: vec![0.0; 20], roots: vec![2.0; 20], times, offset: true };
        for square in [30.0, 0.0001, -4.0] {
            let here = Ringing { square, decay: 1.5, cosine: 0.7, sine: -2.0, offset: 0.1 };
            let jacobian = here.jacobian(&data);
            let moved = |column: usize, by: f64| {
                let mut there = here;
                *[&mut there.square, &mut there.decay, &mut there.cosine, &mut there.sine, &mut there.offset]
                    [column] += by;
                there.residuals(&data)
            };
            for column in 0..5 {
                let slope = (moved(column, 1e-5) - moved(column, -1e-5)) / 2e-5;
                assert!((slope - jacobian.column(column)).norm() < 1e-6, "{square} {column}");
            }
        }
    }

    #[test]
    fn bounded_numbers_stay_inside_and_come_back() {
        let limits = (-2.0, 5.0);
        for x in [-1.9, 0.0, 4.9] {
            assert!((inside(limits, free(limits, x)) - x).abs() < 1e-12);
        }
        assert!((-2.0..=5.0).contains(&inside(limits, 1e6)));
    }
}
