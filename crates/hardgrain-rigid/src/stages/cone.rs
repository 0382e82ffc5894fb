//! Arithmetic of the second-order cone x₀ ≥ |x₁|, for the interior-point stages. For N = 1 it is the half-line, for N = 2 a quadrant.
//!
//! The Jordan product of two vectors is x∘z = (x·z, x₀ z₁ + z₀ x₁), with the unit e = (1, 0). Two vectors of the cone are
//! complementary when it is 0; on the central path it is t e. The Nesterov–Todd scaling W is symmetric and takes both to the same
//! place, W⁻¹x = W z = λ.

use crate::block::{Block, Coupling, dot, length, matrix};

/// x₀² − |x₁|².
pub(crate) fn determinant<const N: usize>(x: &Block<N>) -> f64 {
    let tangential = length(&x[1..]);
    (x[0] - tangential) * (x[0] + tangential)
}

pub(crate) fn product<const N: usize>(x: &Block<N>, z: &Block<N>) -> Block<N> {
    std::array::from_fn(|axis| if axis == 0 { dot(x, z) } else { x[0] * z[axis] + z[0] * x[axis] })
}

/// y with x∘y = z.
pub(crate) fn quotient<const N: usize>(z: &Block<N>, x: &Block<N>) -> Block<N> {
    let tangential = (1..N).fold(0.0, |sum, axis| sum + x[axis] * z[axis]);
    let first = (x[0] * z[0] - tangential) / determinant(x);
    std::array::from_fn(|axis| if axis == 0 { first } else { (z[axis] - first * x[axis]) / x[0] })
}

/// The largest step, at most `most`, for which x + step dx stays in the cone.
pub(crate) fn reach<const N: usize>(x: &Block<N>, dx: &Block<N>, most: f64) -> f64 {
    // Most steps stay far from the boundary, and a cone is convex.
    let there: Block<N> = std::array::from_fn(|axis| x[axis] + most * dx[axis]);
    if there[0] >= length(&there[1..]) {
        return most;
    }
    // det(x + s dx) = c + 2 b s + a s².
    let (a, c) = (determinant(dx), determinant(x));
    let b = (1..N).fold(x[0] * dx[0], |sum, axis| sum - x[axis] * dx[axis]);
    let under = b * b - a * c;
    let root = if a >= 0.0 && (b >= 0.0 || under < 0.0) {
        most
    } else {
        // The smaller positive root, without cancellation: c/(−b + √…) for b < 0, and for a < 0 the only positive one.
        let root = under.max(0.0).sqrt();
        if b < 0.0 { c / (root - b) } else { -(b + root) / a }
    };
    // On the axis x₀ the determinant of a line is a double root.
    let apex = if dx[0] < 0.0 { -x[0] / dx[0] } else { most };
    most.min(root.max(0.0)).min(apex)
}

/// The Nesterov–Todd scaling of a pair inside the cone.
#[derive(Clone, Copy, Debug)]
pub(crate) struct NesterovTodd<const N: usize> {
    // β, w̄ with W² = β²(2 w̄w̄ᵀ − J), and v with W = β(2 vvᵀ − J).
    size: f64,
    point: Block<N>,
    half: Block<N>,
    /// λ.
    pub(crate) lambda: Block<N>,
}

impl<const N: usize> NesterovTodd<N> {
    pub(crate) fn new(x: &Block<N>, z: &Block<N>) -> Self {
        let (dx, dz) = (determinant(x).sqrt(), determinant(z).sqrt());
        let size = (dx / dz).sqrt();
        let (x1, z1) = (x.map(|number| number / dx), z.map(|number| number / dz));
        let twice = 2.0 * (0.5 * (1.0 + dot(&x1, &z1))).sqrt();
        let point: Block<N> =
            std::array::from_fn(|axis| if axis == 0 { x1[0] + z1[0] } else { x1[axis] - z1[axis] } / twice);
        let norm = (2.0 * (point[0] + 1.0)).sqrt();
        let half: Block<N> = std::array::from_fn(|axis| (point[axis] + if axis == 0 { 1.0 } else { 0.0 }) / norm);
        let mut scaling = Self { size, point, half, lambda: *z };
        scaling.lambda = scaling.times(z);
        scaling
    }

    /// W y.
    pub(crate) fn times(&self, y: &Block<N>) -> Block<N> {
        let twice = 2.0 * dot(&self.half, y);
        std::array::from_fn(|axis| {
            let flipped = if axis == 0 { -y[0] } else { y[axis] };
            self.size * (twice * self.half[axis] + flipped)
        })
    }

    /// W⁻¹ y.
    pub(crate) fn divide(&self, y: &Block<N>) -> Block<N> {
        let flip = |axis: usize| if axis == 0 { 1.0 } else { -1.0 };
        let twice = 2.0 * (0..N).fold(0.0, |sum, axis| sum + flip(axis) * self.half[axis] * y[axis]);
        std::array::from_fn(|axis| flip(axis) * (twice * self.half[axis] - y[axis]) / self.size)
    }

    /// λ∘λ.
    pub(crate) fn squared_lambda(&self) -> Block<N> {
        product(&self.lambda, &self.lambda)
    }

    /// W².
    pub(crate) fn squared(&self) -> Coupling<N> {
        let size = self.size * self.size;
        self.outer(size, |_| 1.0)
    }

    /// W⁻².
    pub(crate) fn inverse_squared(&self) -> Coupling<N> {
        let size = 1.0 / (self.size * self.size);
        self.outer(size, |axis| if axis == 0 { 1.0 } else { -1.0 })
    }

    /// The Schur complement of the first diagonal number in W², and its inverse: along the tangential part of w̄ and across it, without
    /// cancellation. The first row and column are 0.
    pub(crate) fn tangential(&self) -> (Coupling<N>, Coupling<N>) {
        let size = self.size * self.size;
        let long = length(&self.point[1..]);
        let stretch = 2.0 * self.point[0] * self.point[0] - 1.0;
        let part = |i: usize, j: usize, weight: f64| {
            if i == 0 || j == 0 {
                return 0.0;
            }
            let line = if long > 0.0 { self.point[i] / long * (self.point[j] / long) } else { 0.0 };
            // In two dimensions there is no transverse direction.
            let across = if N == 2 && long > 0.0 { 0.0 } else { f64::from(u8::from(i == j)) - line };
            across + line * weight
        };
        let each = |weight: f64, size: f64| matrix(|i, j| size * part(i, j, weight));
        (each(1.0 / stretch, size), each(stretch, 1.0 / size))
    }

    fn outer(&self, size: f64, sign: fn(usize) -> f64) -> Coupling<N> {
        matrix(|i, j| {
            let flip = match i {
                _ if i != j => 0.0,
                0 => -1.0,
                _ => 1.0,
            };
            size * (2.0 * sign(i) * self.point[i] * sign(j) * self.point[j] + flip)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::block::{inverse, multiply};

    const X: Block<3> = [2.0, 0.5, -1.2];
    const Z: Block<3> = [1.0, 0.3, 0.9];

    fn close<const N: usize>(a: &Block<N>, b: &Block<N>) -> bool {
        a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-12 * (1.0 + a.abs()))
    }

    #[test]
    fn a_scaling_takes_both_to_the_same_place() {
        let scaling = NesterovTodd::new(&X, &Z);
        assert!(close(&scaling.divide(&X), &scaling.times(&Z)));
        assert!(close(&multiply(&scaling.squared(), &Z), &X) && close(&multiply(&scaling.inverse_squared(), &X), &Z));
        assert!(close(&scaling.divide(&scaling.times(&X)), &X));
        assert!(close(&product(&X, &quotient(&Z, &X)), &Z));
        let both = multiply(&inverse(&scaling.squared()), &X);
        assert!(close(&both, &Z));
    }

    #[test]
    fn a_step_ends_at_the_edge_of_the_cone() {
        for dx in [[-1.0, 0.0, 0.0], [0.5, 3.0, 0.0], [-2.0, -0.5, 1.2], [-1.0, 0.2, 0.1], [0.1, -0.1, 2.0]] {
            let step = reach(&X, &dx, 1e9);
            let at = |step: f64| -> Block<3> { std::array::from_fn(|axis| X[axis] + step * dx[axis]) };
            assert!(determinant(&at(step)).abs() < 1e-12 && at(step)[0] >= 0.0, "{dx:?} {step}");
            assert!(determinant(&at(0.999 * step)) > 0.0);
        }
        assert_eq!(reach(&X, &[1.0, 0.2, -0.9], 7.0).to_bits(), 7.0_f64.to_bits());
    }
}
