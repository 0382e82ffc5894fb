//! Grains on a line, in the plane and in space: one code, three unit types.
//!
//! With the normal n of a contact, a vector splits into its normal component and a *tangent*: nothing on a line, one number in
//! the plane (along t = (−n_y, n_x)), a vector perpendicular to n in space. Two products connect tangents with spins:
//! slip = ω × n and twist = n × p.

use crate::real::Real;
use crate::vector::{Components, Vector};
use std::f64::consts::PI;
use std::fmt::Debug;

mod sealed {
    pub trait Sealed {}
    impl Sealed for super::Line {}
    impl Sealed for super::Plane {}
    impl Sealed for super::Space {}
}

/// Grains on a line: no rotation, no friction.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Line;

/// Discs in the plane: spin is one number, positive anticlockwise.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Plane;

/// Spheres in space.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Space;

/// The number of axes and everything that follows from it.
pub trait Dimension: sealed::Sealed + Copy + Debug + Default + PartialEq + Send + Sync + 'static {
    /// The number of axes.
    const AXES: usize;

    /// Whether grains form a chain: on a line they cannot pass each other, so each touches its two neighbours at most.
    const CHAIN: bool = Self::AXES == 1;

    /// Moment of inertia over m r²: ½ for a disc, ⅖ for a sphere. (On a line there is no spin, and the value is not used.)
    const INERTIA: f64;

    /// The initial orientation.
    const UPRIGHT: Self::Orientation;

    /// Positions, velocities, forces.
    type Vector<T: Real>: Components<T>;

    /// Angular velocity: no component on a line, one in the plane, three in space.
    type Spin<T: Real>: Components<T>;

    /// The tangential part of a vector.
    type Tangent<T: Real>: Components<T>;

    /// The orientation of a grain: nothing on a line, an angle in the plane, a unit quaternion (w, x, y, z) in space.
    type Orientation: Copy + Debug + PartialEq + Send + Sync + AsRef<[f64]> + AsMut<[f64]>;

    /// Length, area or volume of a grain.
    fn volume(radius: f64) -> f64;

    /// The tangential part of a vector at a contact with this normal.
    fn tangential<T: Real>(normal: Self::Vector<T>, vector: Self::Vector<T>) -> Self::Tangent<T>;

    /// A tangent as a vector.
    fn lift<T: Real>(normal: Self::Vector<T>, tangent: Self::Tangent<T>) -> Self::Vector<T>;

    /// slip = ω × n: the velocity of a surface at unit distance along n due to the spin of its grain.
    fn slip<T: Real>(spin: Self::Spin<T>, normal: Self::Vector<T>) -> Self::Tangent<T>;

    /// twist = n × p: the angular impulse of a tangential impulse at unit distance along n.
    fn twist<T: Real>(normal: Self::Vector<T>, tangent: Self::Tangent<T>) -> Self::Spin<T>;

    /// The projection of a tangent onto the disc of radius `limit`, for Coulomb's law.
    fn shorten<T: Real>(tangent: Self::Tangent<T>, limit: T) -> Self::Tangent<T>;

    /// A tangent of the last step rotated into the tangent plane of the present normal, with the same length. In the plane the
    /// number stays the same, since it turns with the contact.
    #[inline]
    fn turned(tangent: Self::Tangent<f64>, _normal: Self::Vector<f64>) -> Self::Tangent<f64> {
        tangent
    }

    /// The same within rounding, and faster for contacts that turn little from step to step.
    #[inline(always)]
    fn turned_little(tangent: Self::Tangent<f64>, normal: Self::Vector<f64>) -> Self::Tangent<f64> {
        Self::turned(tangent, normal)
    }

    /// The orientation after a time `step` with this spin.
    fn rotated(from: Self::Orientation, spin: Self::Spin<f64>, step: f64) -> Self::Orientation;
}

impl Dimension for Line {
    const AXES: usize = 1;
    const INERTIA: f64 = 1.0;
    const UPRIGHT: [f64; 0] = [];
    type Vector<T: Real> = Vector<T, 1>;
    type Spin<T: Real> = Vector<T, 0>;
    type Tangent<T: Real> = Vector<T, 0>;
    type Orientation = [f64; 0];

    fn volume(radius: f64) -> f64 {
        2.0 * radius
    }

    #[inline(always)]
    fn tangential<T: Real>(_: Vector<T, 1>, _: Vector<T, 1>) -> Vector<T, 0> {
        Vector([])
    }

    #[inline(always)]
    fn lift<T: Real>(_: Vector<T, 1>, _: Vector<T, 0>) -> Vector<T, 1> {
        Vector::default()
    }

    #[inline(always)]
    fn slip<T: Real>(_: Vector<T, 0>, _: Vector<T, 1>) -> Vector<T, 0> {
        Vector([])
    }

    #[inline(always)]
    fn twist<T: Real>(_: Vector<T, 1>, _: Vector<T, 0>) -> Vector<T, 0> {
        Vector([])
    }

    #[inline(always)]
    fn shorten<T: Real>(tangent: Vector<T, 0>, _: T) -> Vector<T, 0> {
        tangent
    }

    fn rotated(from: [f64; 0], _: Vector<f64, 0>, _: f64) -> [f64; 0] {
        from
    }
}

impl Dimension for Plane {
    const AXES: usize = 2;
    const INERTIA: f64 = 0.5;
    const UPRIGHT: [f64; 1] = [0.0];
    type Vector<T: Real> = Vector<T, 2>;
    type Spin<T: Real> = Vector<T, 1>;
    type Tangent<T: Real> = Vector<T, 1>;
    type Orientation = [f64; 1];

    fn volume(radius: f64) -> f64 {
        PI * radius * radius
    }

    #[inline(always)]
    fn tangential<T: Real>(normal: Vector<T, 2>, vector: Vector<T, 2>) -> Vector<T, 1> {
        let (Vector([nx, ny]), Vector([x, y])) = (normal, vector);
        Vector([nx * y - ny * x])
    }

    #[inline(always)]
    fn lift<T: Real>(normal: Vector<T, 2>, tangent: Vector<T, 1>) -> Vector<T, 2> {
        let (Vector([nx, ny]), Vector([t])) = (normal, tangent);
        Vector([-ny * t, nx * t])
    }

    #[inline(always)]
    fn slip<T: Real>(spin: Vector<T, 1>, _: Vector<T, 2>) -> Vector<T, 1> {
        spin
    }

    #[inline(always)]
    fn twist<T: Real>(_: Vector<T, 2>, tangent: Vector<T, 1>) -> Vector<T, 1> {
        tangent
    }

    #[inline(always)]
    fn shorten<T: Real>(tangent: Vector<T, 1>, limit: T) -> Vector<T, 1> {
        Vector([tangent.0[0].smaller(limit).larger(-limit)])
    }

    #[inline]
    fn rotated(from: [f64; 1], spin: Vector<f64, 1>, step: f64) -> [f64; 1] {
        [from[0] + spin.0[0] * step]
    }
}

impl Dimension for Space {
    const AXES: usize = 3;
    const INERTIA: f64 = 0.4;
    const UPRIGHT: [f64; 4] = [1.0, 0.0, 0.0, 0.0];
    type Vector<T: Real> = Vector<T, 3>;
    type Spin<T: Real> = Vector<T, 3>;
    type Tangent<T: Real> = Vector<T, 3>;
    type Orientation = [f64; 4];

    fn volume(radius: f64) -> f64 {
        4.0 / 3.0 * PI * radius * radius * radius
    }

    #[inline(always)]
    fn tangential<T: Real>(normal: Vector<T, 3>, vector: Vector<T, 3>) -> Vector<T, 3> {
        vector - normal * normal.dot(vector)
    }

    #[inline(always)]
    fn lift<T: Real>(_: Vector<T, 3>, tangent: Vector<T, 3>) -> Vector<T, 3> {
        tangent
    }

    #[inline(always)]
    fn slip<T: Real>(spin: Vector<T, 3>, normal: Vector<T, 3>) -> Vector<T, 3> {
        cross(spin, normal)
    }

    #[inline(always)]
    fn twist<T: Real>(normal: Vector<T, 3>, tangent: Vector<T, 3>) -> Vector<T, 3> {
        cross(normal, tangent)
    }

    #[inline(always)]
    fn shorten<T: Real>(tangent: Vector<T, 3>, limit: T) -> Vector<T, 3> {
        tangent * T::shortening(tangent.length_squared(), limit)
    }

    fn turned(tangent: Vector<f64, 3>, normal: Vector<f64, 3>) -> Vector<f64, 3> {
        let flat = Self::tangential(normal, tangent);
        let (before, after) = (tangent.length(), flat.length());
        if after > 0.0 { flat * (before / after) } else { Vector::default() }
    }

    #[inline(always)]
    fn turned_little(tangent: Vector<f64, 3>, normal: Vector<f64, 3>) -> Vector<f64, 3> {
        let normal_part = normal.dot(tangent);
        let flat = tangent - normal * normal_part;
        let (lost, after) = (normal_part * normal_part, flat.length_squared());
        // Most contacts hardly turn, and the square root and the division are slow.
        if lost < f64::EPSILON * after {
            flat
        } else if lost < 1e-9 * after {
            // √(1 + x) within rounding.
            flat * (1.0 + 0.5 * lost / after)
        } else {
            // Passed as numbers: vectors would be passed through memory, also on the fast paths.
            let (Vector([x, y, z]), Vector([nx, ny, nz])) = (tangent, normal);
            turned_far(x, y, z, (nx, ny, nz))
        }
    }

    /// The Cayley map: the rotation with the half-angle tangent h ω/2, a rational function of the spin. Without a sine it gives
    /// the same bits on every machine, and its error is of third order in h ω.
    #[inline]
    fn rotated(from: [f64; 4], spin: Vector<f64, 3>, step: f64) -> [f64; 4] {
        let Vector([x, y, z]) = spin * (0.5 * step);
        let [a, b, c, d] = from;
        let turned = [
            a - x * b - y * c - z * d,
            b + x * a + y * d - z * c,
            c + y * a + z * b - x * d,
            d + z * a + x * c - y * b,
        ];
        let shorten = 1.0 / Vector(turned).length();
        turned.map(|component| component * shorten)
    }
}

#[cold]
#[inline(never)]
fn turned_far(x: f64, y: f64, z: f64, normal: (f64, f64, f64)) -> Vector<f64, 3> {
    Space::turned(Vector([x, y, z]), Vector([normal.0, normal.1, normal.2]))
}

#[inline(always)]
fn cross<T: Real>(a: Vector<T, 3>, b: Vector<T, 3>) -> Vector<T, 3> {
    let (Vector([ax, ay, az]), Vector([bx, by, bz])) = (a, b);
    Vector([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])
}

/// The door from a dimension that is a number to code whose dimension is a type: `$value` with [`Line`], [`Plane`] or [`Space`] as `$D`.
///
/// ```
/// use hardgrain::{Dimension, in_dimension};
/// let volume = |axes: usize| in_dimension!(axes, D => D::volume(1.0));
/// assert!(volume(1) == 2.0 && volume(2) == std::f64::consts::PI);
/// ```
#[macro_export]
macro_rules! in_dimension {
    ($axes:expr, $D:ident => $value:expr) => {
        match $axes {
            1 => {
                type $D = $crate::Line;
                $value
            }
            2 => {
                type $D = $crate::Plane;
                $value
            }
            _ => {
                type $D = $crate::Space;
                $value
            }
        }
    };
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slip_and_twist_are_adjoint() {
        // (ω × n)·p = ω·(n × p): the law that makes friction conserve angular momentum.
        let (spin, normal) = (Vector([0.3, -1.2, 0.7]), Vector([2.0 / 3.0, -1.0 / 3.0, 2.0 / 3.0]));
        let impulse = Space::tangential(normal, Vector([0.5, 0.25, -1.0]));
        let (left, right) = (Space::slip(spin, normal).dot(impulse), spin.dot(Space::twist(normal, impulse)));
        assert!((left - right).abs() < 1e-15, "{left} {right}");
    }

    #[test]
    fn shortening_keeps_direction_and_short_tangents() {
        assert_eq!(Plane::shorten(Vector([-3.0]), 2.0), Vector([-2.0]));
        assert_eq!(Plane::shorten(Vector([1.5]), 2.0), Vector([1.5]));
        assert_eq!(Space::shorten(Vector([0.0, 3.0, 4.0]), 10.0), Vector([0.0, 3.0, 4.0]));
        assert_eq!(Space::shorten(Vector([0.0, 3.0, 4.0]), 2.5), Vector([0.0, 1.5, 2.0]));
        assert_eq!(Space::shorten(Vector([0.0; 3]), 0.0), Vector([0.0; 3]));
    }

    #[test]
    fn volumes() {
        assert_eq!((Line::volume(0.5), Plane::volume(2.0)), (1.0, 4.0 * PI));
        assert!((Space::volume(2.0) - 32.0 / 3.0 * PI).abs() < 1e-13);
    }

    #[test]
    fn tangents_turn_with_the_contact() {
        let tangent = Vector([0.0, 3.0, 4.0]);
        let normal = Vector([0.8, 0.0, 0.6]);
        let turned = Space::turned(tangent, normal);
        assert!(turned.dot(normal).abs() < 1e-15 && (turned.length() - 5.0).abs() < 1e-15, "{turned:?}");
        assert_eq!(Space::turned(normal * 2.0, normal), Vector([0.0; 3]));
        for tilt in [1e-12, 1e-9, 1e-6, 1e-3, 1.0] {
            let tangent = Vector([0.0, 3.0, 4.0]) + normal * tilt;
            let off = Space::turned_little(tangent, normal) - Space::turned(tangent, normal);
            assert!(off.length() < 1e-15 * tangent.length(), "{tilt}: {off:?}");
        }
    }

    /// A vector turned by a unit quaternion.
    fn turned_by([w, x, y, z]: [f64; 4], vector: Vector<f64, 3>) -> Vector<f64, 3> {
        let axis = Vector([x, y, z]);
        vector + cross(axis, cross(axis, vector) + vector * w) * 2.0
    }

    #[test]
    fn spins_about_fixed_axes_in_many_small_steps() {
        // A quarter turn about x, then one about z: the third axis goes to −y and then to x.
        let mut orientation = Space::UPRIGHT;
        for spin in [Vector([PI / 2.0, 0.0, 0.0]), Vector([0.0, 0.0, PI / 2.0])] {
            for _ in 0..1000 {
                orientation = Space::rotated(orientation, spin, 1e-3);
            }
        }
        let axis = turned_by(orientation, Vector([0.0, 0.0, 1.0]));
        assert!((axis - Vector([1.0, 0.0, 0.0])).length() < 1e-5, "{axis:?}");
        assert!((Vector(orientation).length() - 1.0).abs() < 1e-14);
        assert_eq!(Plane::rotated([1.0], Vector([2.0]), 0.5), [2.0]);
    }
}
