//! The local problem: one contact solved exactly, normal and tangent coupled.

use crate::block::{Block, Coupling, length};
use crate::tuning::Tuning;

const TUNING: Tuning = Tuning::DEFAULT;

/// A bound of rounding: relative error of a difference of equal numbers.
const ROUNDING: f64 = 64.0 * f64::EPSILON;

/// The reaction of a contact with the Delassus block `w` and the free velocity `free`: the contact stays open, sticks, or slides.
///
/// With u_N = 0 and r_N eliminated, sliding means u_T = −α r_T with α > 0, so that (A + α) r_T = −c, where A is the Schur
/// complement of W_NN in W, and c what the elimination makes of q. At α = 0 the contact sticks, which asks for too much friction; for
/// large α friction vanishes while the normal reaction does not. In between there is an α at which |r_T| = μ r_N. There may be
/// several; any of them is an answer.
pub fn solve_one<const N: usize>(w: &[[f64; N]; N], free: &[f64; N], friction: f64) -> [f64; N] {
    if free[0] >= 0.0 {
        return [0.0; N];
    }
    let sliding = Sliding::new(w, free);
    let sticking = sliding.at(0.0);
    if excess(&sticking, friction) <= 0.0 {
        return sticking;
    }
    let without_friction = std::array::from_fn(|axis| if axis == 0 { -free[0] / w[0][0] } else { 0.0 });
    if friction == 0.0 {
        return without_friction;
    }
    let scale = (0..N).map(|axis| w[axis][axis]).fold(0.0, f64::max);
    let (mut low, mut high) = ((0.0, excess(&sticking, friction)), (scale, excess(&sliding.at(scale), friction)));
    let mut tries = 0;
    while high.1 > 0.0 && tries < TUNING.local_widenings {
        low = high;
        high.0 *= 4.0;
        high.1 = excess(&sliding.at(high.0), friction);
        tries += 1;
    }
    let mut reaction = sliding.at(high.0);
    // The Illinois algorithm: regula falsi that halves the end which stays.
    let mut stayed = 0_i32;
    for _ in 0..TUNING.local_narrowings {
        let mut middle = (low.0 * high.1 - high.0 * low.1) / (high.1 - low.1);
        if !(middle > low.0 && middle < high.0) {
            middle = 0.5 * (low.0 + high.0);
        }
        reaction = sliding.at(middle);
        let now = excess(&reaction, friction);
        if now.abs() <= f64::EPSILON * friction * reaction[0].abs() || middle <= low.0 || middle >= high.0 {
            break;
        }
        if now > 0.0 {
            low = (middle, now);
            high.1 *= if stayed == 1 { 0.5 } else { 1.0 };
            stayed = 1;
        } else {
            high = (middle, now);
            low.1 *= if stayed == -1 { 0.5 } else { 1.0 };
            stayed = -1;
        }
    }
    // Where there is no answer friction grows beyond all numbers.
    let is_answer =
        excess(&reaction, friction).abs() <= TUNING.local_at_limit * friction * reaction[0] && reaction[0].is_finite();
    if !is_answer {
        return without_friction;
    }
    // Onto the cone, to the last bit.
    let (normal, tangential) = (reaction[0].max(0.0), length(&reaction[1..]));
    let share = if tangential > 0.0 { friction * normal / tangential } else { 0.0 };
    std::array::from_fn(|axis| if axis == 0 { normal } else { share * reaction[axis] })
}

/// |r_T| − μ r_N.
fn excess<const N: usize>(reaction: &Block<N>, friction: f64) -> f64 {
    let excess = length(&reaction[1..]) - friction * reaction[0];
    if excess.is_nan() { f64::INFINITY } else { excess }
}

/// The contact with its normal velocity eliminated.
struct Sliding<'a, const N: usize> {
    w: &'a Coupling<N>,
    free: &'a Block<N>,
    // A and c.
    a: [[f64; 2]; 2],
    c: [f64; 2],
    // The eigenvectors of a nearly singular A.
    eigenvectors: Option<[Eigenvector; 2]>,
}

impl<'a, const N: usize> Sliding<'a, N> {
    fn new(w: &'a Coupling<N>, free: &'a Block<N>) -> Self {
        let (mut a, mut c) = ([[0.0; 2]; 2], [0.0; 2]);
        let mut rounding = (0.0_f64, 0.0_f64);
        let less = |whole: f64, part: f64, rounding: &mut f64| {
            let noise = ROUNDING * (whole.abs() + part.abs());
            *rounding = rounding.max(noise);
            if (whole - part).abs() > noise { whole - part } else { 0.0 }
        };
        for i in 1..N {
            for j in 1..N {
                a[i - 1][j - 1] = less(w[i][j], w[i][0] * w[0][j] / w[0][0], &mut rounding.0);
            }
            c[i - 1] = less(free[i], w[i][0] * free[0] / w[0][0], &mut rounding.1);
        }
        let eigenvectors = if N == 3 { eigenvectors(a, c, rounding) } else { None };
        Self { w, free, a, c, eigenvectors }
    }

    /// The reaction for this α.
    fn at(&self, alpha: f64) -> Block<N> {
        let [[p, q], [r, s]] = self.a;
        let (p, s) = (p + alpha, s + alpha);
        let [c, d] = self.c;
        // Infinite where A is 0: then the contact cannot stick.
        let tangent = if c == 0.0 && d == 0.0 {
            [0.0, 0.0]
        } else if let Some(eigenvectors) = self.eigenvectors {
            let size =
                |vector: &Eigenvector| if vector.part == 0.0 { 0.0 } else { -vector.part / (vector.value + alpha) };
            std::array::from_fn(|axis| eigenvectors.iter().map(|vector| size(vector) * vector.direction[axis]).sum())
        } else if N == 2 {
            [-c / p, 0.0]
        } else {
            let determinant = p * s - q * r;
            [(q * d - s * c) / determinant, (r * c - p * d) / determinant]
        };
        let mut normal = -self.free[0];
        for axis in 1..N {
            normal -= self.w[0][axis] * tangent[axis - 1];
        }
        let normal = normal / self.w[0][0];
        std::array::from_fn(|axis| if axis == 0 { normal } else { tangent[axis - 1] })
    }
}

/// An eigenvector of A with its eigenvalue, and the part of c along it.
#[derive(Clone, Copy)]
struct Eigenvector {
    direction: [f64; 2],
    value: f64,
    part: f64,
}

/// The eigenvectors of a symmetric A that is nearly singular; `None` for any other. What is within rounding of 0 is 0.
fn eigenvectors(a: [[f64; 2]; 2], c: [f64; 2], rounding: (f64, f64)) -> Option<[Eigenvector; 2]> {
    let [[p, q], [r, s]] = a;
    if (q - r).abs() > rounding.0 || (p * s - q * r).abs() > TUNING.nearly_singular * (p + s) * (p + s) {
        return None;
    }
    let half = 0.5 * (p - s);
    let larger = 0.5 * (p + s) + half.hypot(q);
    // Of the two ways to write the eigenvector the one without cancellation.
    let (x, y) = if half >= 0.0 { (larger - s, q) } else { (q, larger - p) };
    let long = x.hypot(y);
    let main = if long > 0.0 { [x / long, y / long] } else { [1.0, 0.0] };
    let smaller = if larger > 0.0 { (p * s - q * r) / larger } else { 0.0 };
    let with = |direction: [f64; 2], value: f64| {
        let part = direction[0] * c[0] + direction[1] * c[1];
        Eigenvector { direction, value, part: if part.abs() > 2.0 * rounding.1 { part } else { 0.0 } }
    };
    Some([with(main, larger), with([-main[1], main[0]], if smaller > 2.0 * rounding.0 { smaller } else { 0.0 })])
}
