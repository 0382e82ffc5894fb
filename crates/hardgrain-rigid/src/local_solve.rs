//! One contact, solved exactly, normal and tangent coupled.

use crate::block::{Block, Coupling, length};

/// The bracket of a sliding contact is widened so many times at most.
const WIDER: u32 = 300;
/// And narrowed so many times.
const NARROWER: u32 = 200;
/// Friction is at its limit but for this share of it.
const NEAR: f64 = 1e-6;
/// What is left of a difference of equal numbers, over them.
const ROUNDING: f64 = 64.0 * f64::EPSILON;
/// Below this share of the other a direction gives way so little that it is treated apart.
const STIFF: f64 = 1e-8;

/// The reaction of a contact that gives way by `w` and would have the velocity `free` without it: the contact stays open, or
/// sticks, or slides.
///
/// With u_N = 0 and r_N eliminated, sliding means u_T = −α r_T with α > 0, so that (A + α) r_T = −c, where A and c are what
/// is left of W and q when the normal velocity is 0. At α = 0 the contact sticks, and friction is too weak for that; for large
/// α friction vanishes while the normal reaction does not. In between there is an α at which |r_T| = μ r_N. There may be
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
    while high.1 > 0.0 && tries < WIDER {
        low = high;
        high.0 *= 4.0;
        high.1 = excess(&sliding.at(high.0), friction);
        tries += 1;
    }
    let mut reaction = sliding.at(high.0);
    // Regula falsi that halves the end which stays.
    let mut stayed = 0_i32;
    for _ in 0..NARROWER {
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
    // Where there is no answer friction grows for ever, beyond all numbers; then there is none.
    let is_answer = excess(&reaction, friction).abs() <= NEAR * friction * reaction[0] && reaction[0].is_finite();
    if !is_answer {
        return without_friction;
    }
    // Onto the cone, whatever rounding has left.
    let (normal, aside) = (reaction[0].max(0.0), length(&reaction[1..]));
    let share = if aside > 0.0 { friction * normal / aside } else { 0.0 };
    std::array::from_fn(|axis| if axis == 0 { normal } else { share * reaction[axis] })
}

/// By how much friction is more than it may be.
fn excess<const N: usize>(reaction: &Block<N>, friction: f64) -> f64 {
    let excess = length(&reaction[1..]) - friction * reaction[0];
    if excess.is_nan() { f64::INFINITY } else { excess }
}

/// What is left when the normal velocity is 0.
struct Sliding<'a, const N: usize> {
    w: &'a Coupling<N>,
    free: &'a Block<N>,
    // A and c; only as many tangents as there are.
    a: [[f64; 2]; 2],
    c: [f64; 2],
    // Where A is all but singular: its two directions, by how much each gives way, and the part of c along it.
    directions: Option<[([f64; 2], f64, f64); 2]>,
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
        let directions = if N == 3 { directions(a, c, rounding) } else { None };
        Self { w, free, a, c, directions }
    }

    /// The reaction for this α.
    fn at(&self, alpha: f64) -> Block<N> {
        let [[p, q], [r, s]] = self.a;
        let (p, s) = (p + alpha, s + alpha);
        let [c, d] = self.c;
        // Infinite where the contact does not give way: then it cannot stick.
        let tangent = if c == 0.0 && d == 0.0 {
            [0.0, 0.0]
        } else if let Some(directions) = self.directions {
            let along =
                |(_, gives, part): ([f64; 2], f64, f64)| if part == 0.0 { 0.0 } else { -part / (gives + alpha) };
            std::array::from_fn(|axis| directions.iter().map(|direction| along(*direction) * direction.0[axis]).sum())
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

/// The directions of a symmetric A that is all but singular; nothing of any other. What is within rounding of 0 is 0.
fn directions(a: [[f64; 2]; 2], c: [f64; 2], rounding: (f64, f64)) -> Option<[([f64; 2], f64, f64); 2]> {
    let [[p, q], [r, s]] = a;
    if (q - r).abs() > rounding.0 || (p * s - q * r).abs() > STIFF * (p + s) * (p + s) {
        return None;
    }
    let half = 0.5 * (p - s);
    let larger = 0.5 * (p + s) + half.hypot(q);
    // Of the two ways to write the direction the one without cancellation.
    let (x, y) = if half >= 0.0 { (larger - s, q) } else { (q, larger - p) };
    let long = x.hypot(y);
    let main = if long > 0.0 { [x / long, y / long] } else { [1.0, 0.0] };
    let other = [-main[1], main[0]];
    let smaller = if larger > 0.0 { (p * s - q * r) / larger } else { 0.0 };
    let part = |direction: [f64; 2]| {
        let part = direction[0] * c[0] + direction[1] * c[1];
        if part.abs() > 2.0 * rounding.1 { part } else { 0.0 }
    };
    let gives = if smaller > 2.0 * rounding.0 { smaller } else { 0.0 };
    Some([(main, larger, part(main)), (other, gives, part(other))])
}
