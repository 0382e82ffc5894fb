//! The law of one contact, solved exactly: Signorini along the normal, Coulomb along the tangent.
//!
//! Between bodies a and b, with normal n from a to b and lever arms ℓ to the middle of the gap:
//!
//! ```text
//! u   = v_b + V − v_a − (ℓ_a ω_a + ℓ_b ω_b) × n        relative velocity at the contact
//! w_n = 1/m_a + 1/m_b      w_t = w_n + ℓ_a²/I_a + ℓ_b²/I_b
//! p_n ← max(0, p_n − (u_n + s)/w_n)                     the gap must not become an overlap
//! p_t ← p_t − u_t/w_t, shortened to |p_t| ≤ μ p_n       stick if friction allows, else slide
//! ```
//!
//! u is the present estimate of the velocity at the end of the step, p the impulse, s the speed at which the gap may
//! close. V is what the surface of b has beyond its body, as on a conveyor belt, and mostly 0: so a contact aims at any relative
//! velocity, −s along n and −V_t along the tangent. For round grains normal and tangent do not couple: no force along n turns a grain.

use crate::dimension::Dimension;
use crate::real::Real;
use crate::vector::Components;
use std::ops::{Add, Mul, Sub};

/// Relative rounding error of a relative velocity, which is a sum of about ten products.
const ROUNDING: f64 = 16.0 * f64::EPSILON;

/// Velocities and inverse masses of a body.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Body<D: Dimension, T: Real = f64> {
    /// Velocity of the centre.
    pub velocity: D::Vector<T>,
    /// Angular velocity.
    pub spin: D::Spin<T>,
    /// 1/m; 0 for a body that cannot be moved.
    pub inverse_mass: T,
    /// 1/I; 0 for a body that cannot be turned.
    pub inverse_inertia: T,
}

impl<D: Dimension, T: Real> Body<D, T> {
    /// 1/m against tangential impulses: 0 for a body that cannot be turned, since a piston moves along its normal only.
    #[inline(always)]
    pub fn tangential_inverse_mass(&self) -> T {
        self.inverse_mass.where_positive(self.inverse_inertia)
    }

    /// The same body with this velocity V of its surface: the law of a contact with it needs nothing else.
    #[inline(always)]
    #[must_use]
    pub fn carried(self, surface: D::Vector<T>) -> Self {
        Self { velocity: self.velocity + surface, ..self }
    }
}

/// An impulse on the second body of a contact; a normal one pushes the two apart.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Impulse<D: Dimension, T: Real = f64> {
    /// Along the normal, never negative.
    pub normal: T,
    /// Along the tangent.
    pub tangent: D::Tangent<T>,
}

impl<D: Dimension, T: Real> Impulse<D, T> {
    /// The sum of the squares of its components.
    #[inline(always)]
    pub fn length_squared(self) -> T {
        self.normal * self.normal + self.tangent.length_squared()
    }
}

impl<D: Dimension, T: Real> Add for Impulse<D, T> {
    type Output = Self;
    #[inline(always)]
    fn add(self, other: Self) -> Self {
        Self { normal: self.normal + other.normal, tangent: self.tangent + other.tangent }
    }
}

impl<D: Dimension, T: Real> Sub for Impulse<D, T> {
    type Output = Self;
    #[inline(always)]
    fn sub(self, other: Self) -> Self {
        Self { normal: self.normal - other.normal, tangent: self.tangent - other.tangent }
    }
}

impl<D: Dimension, T: Real> Mul<T> for Impulse<D, T> {
    type Output = Self;
    #[inline(always)]
    fn mul(self, factor: T) -> Self {
        Self { normal: self.normal * factor, tangent: self.tangent * factor }
    }
}

/// The constants of one contact during a step.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Contact<D: Dimension, T: Real = f64> {
    /// Unit vector from the first body to the second.
    pub normal: D::Vector<T>,
    /// Distance from the centre of the first body to the contact.
    pub first_arm: T,
    /// Distance from the centre of the second body to the contact.
    pub second_arm: T,
    /// `1/w_n`.
    pub normal_mass: T,
    /// `1/w_t`.
    pub tangent_mass: T,
    /// s: the speed at which the gap may close (negative: at which it must open).
    pub target: T,
    /// μ.
    pub friction: T,
}

impl<D: Dimension, T: Real> Contact<D, T> {
    /// `w_n` and `w_t`: how strongly impulses along the normal and the tangent move these bodies apart, with these lever arms.
    #[inline(always)]
    pub(crate) fn compliances(arms: [T; 2], first: &Body<D, T>, second: &Body<D, T>) -> [T; 2] {
        let w_t = first.inverse_mass
            + second.tangential_inverse_mass()
            + arms[0] * arms[0] * first.inverse_inertia
            + arms[1] * arms[1] * second.inverse_inertia;
        [first.inverse_mass + second.inverse_mass, w_t]
    }

    /// Relative velocity of the surfaces at the contact: normal and tangential components.
    #[inline(always)]
    pub fn relative_velocity(&self, first: &Body<D, T>, second: &Body<D, T>) -> (T, D::Tangent<T>) {
        let between = second.velocity - first.velocity;
        let roll = first.spin * self.first_arm + second.spin * self.second_arm;
        (self.normal.dot(between), D::tangential(self.normal, between) - D::slip(roll, self.normal))
    }

    /// The impulse that would satisfy this contact if all others stayed as they are.
    #[inline(always)]
    pub fn relax(&self, now: Impulse<D, T>, first: &Body<D, T>, second: &Body<D, T>) -> Impulse<D, T> {
        let (u_n, u_t) = self.relative_velocity(first, second);
        let normal = (now.normal - (u_n + self.target) * self.normal_mass).larger(T::default());
        let sticking = now.tangent - u_t * self.tangent_mass;
        Impulse { normal, tangent: D::shorten(sticking, self.friction * normal) }
    }

    /// The rounding error of the impulse, which follows from that of the velocities. Impulses below it are unknown:
    /// whether two fast grains that fly side by side touch at all is decided by rounding.
    #[inline(always)]
    pub(crate) fn rounding(&self, first: &Body<D, T>, second: &Body<D, T>) -> T {
        let (first_roll, second_roll) = (first.spin * self.first_arm, second.spin * self.second_arm);
        let speeds = first.velocity.length_squared() + second.velocity.length_squared() + self.target * self.target;
        let squares = speeds + first_roll.length_squared() + second_roll.length_squared();
        T::splat(ROUNDING) * (self.normal_mass + self.tangent_mass) * squares.root()
    }

    /// The violation of the law, 0 within rounding: |Δp|² with Δp the change that relaxing this contact would make, and |Δp/m|², the
    /// squared velocity by which it misses its law.
    #[inline(always)]
    pub(crate) fn violation(&self, now: Impulse<D, T>, first: &Body<D, T>, second: &Body<D, T>) -> [T; 2] {
        let change = self.relax(now, first, second) - now;
        let (square, rounding) = (change.length_squared(), self.rounding(first, second));
        let counts = square - rounding * rounding;
        let normal = change.normal / self.normal_mass;
        let tangential = change.tangent.length_squared() / (self.tangent_mass * self.tangent_mass);
        let missed = normal * normal + tangential.where_positive(self.tangent_mass);
        [square.where_positive(counts), missed.where_positive(counts)]
    }

    /// Replaces an impulse by the one that satisfies this contact and applies the change to both bodies.
    #[inline(always)]
    #[must_use]
    pub fn settle(&self, now: Impulse<D, T>, first: &mut Body<D, T>, second: &mut Body<D, T>) -> Impulse<D, T> {
        let impulse = self.relax(now, first, second);
        self.push(impulse - now, first, second);
        impulse
    }

    /// Applies an impulse to both bodies.
    #[inline(always)]
    pub fn push(&self, impulse: Impulse<D, T>, first: &mut Body<D, T>, second: &mut Body<D, T>) {
        let normal = self.normal * impulse.normal;
        let tangential = D::lift(self.normal, impulse.tangent);
        let twist = D::twist(self.normal, impulse.tangent);
        first.velocity -= (normal + tangential) * first.inverse_mass;
        second.velocity += normal * second.inverse_mass + tangential * second.tangential_inverse_mass();
        // Friction turns both bodies the same way, so both spins change with the same sign.
        first.spin -= twist * (self.first_arm * first.inverse_inertia);
        second.spin -= twist * (self.second_arm * second.inverse_inertia);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Plane, Vector};

    /// A disc of mass 1 on a floor at rest, with normal from the disc down to the floor.
    fn on_the_floor(velocity: [f64; 2], spin: f64) -> (Contact<Plane>, Body<Plane>, Body<Plane>) {
        let disc = Body { velocity: Vector(velocity), spin: Vector([spin]), inverse_mass: 1.0, inverse_inertia: 8.0 };
        let contact = Contact {
            normal: Vector([0.0, -1.0]),
            first_arm: 0.5,
            second_arm: 0.0,
            normal_mass: 1.0,
            tangent_mass: 1.0 / 3.0,
            target: 0.0,
            friction: 0.5,
        };
        (contact, disc, Body::default())
    }

    #[test]
    fn a_contact_that_opens_carries_nothing() {
        let (contact, disc, floor) = on_the_floor([1.0, 0.1], 0.0);
        let before = Impulse { normal: 0.05, tangent: Vector([0.02]) };
        assert_eq!(contact.relax(before, &disc, &floor), Impulse::default());
    }

    #[test]
    fn friction_is_limited_by_the_new_normal_impulse() {
        // From nothing: 0.6 stops the fall, and sliding is slowed down by μ times that, not by μ times nothing.
        let (contact, disc, floor) = on_the_floor([3.0, -0.6], 0.0);
        let impulse = contact.relax(Impulse::default(), &disc, &floor);
        assert!((impulse.normal - 0.6).abs() < 1e-15);
        assert!((impulse.tangent.0[0].abs() - 0.3).abs() < 1e-15, "{impulse:?}");
        let (mut disc, mut floor) = (disc, floor);
        contact.push(impulse, &mut disc, &mut floor);
        assert!((disc.velocity.0[0] - 2.7).abs() < 1e-15 && disc.velocity.0[1].abs() < 1e-15, "{disc:?}");
        assert!(disc.spin.0[0] < 0.0, "it starts to roll to the right: {disc:?}");
    }

    #[test]
    fn a_contact_that_sticks_stops_the_slip() {
        let (contact, mut disc, mut floor) = on_the_floor([0.3, -0.6], 0.0);
        let impulse = contact.relax(Impulse::default(), &disc, &floor);
        contact.push(impulse, &mut disc, &mut floor);
        let (u_n, u_t) = contact.relative_velocity(&disc, &floor);
        assert!(u_n.abs() < 1e-15 && u_t.0[0].abs() < 1e-15, "{u_n} {u_t:?}");
    }

    #[test]
    fn a_piston_is_pushed_along_its_normal_only() {
        let (contact, mut disc, _) = on_the_floor([3.0, -0.6], 0.0);
        let mut piston = Body { inverse_mass: 2.0, ..Body::default() };
        contact.push(Impulse { normal: 1.0, tangent: Vector([0.5]) }, &mut disc, &mut piston);
        assert_eq!((piston.velocity, piston.spin), (Vector([0.0, -2.0]), Vector([0.0])));
    }
}
