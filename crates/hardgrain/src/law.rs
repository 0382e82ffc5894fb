//! The law of one contact, solved exactly: Signorini along the normal, Coulomb along the tangent.
//!
//! Between bodies a and b, with normal n from a to b and lever arms ℓ to the middle of the gap:
//!
//! ```text
//! u   = v_b − v_a − (ℓ_a ω_a + ℓ_b ω_b) × n            relative velocity at the contact
//! w_n = 1/m_a + 1/m_b      w_t = w_n + ℓ_a²/I_a + ℓ_b²/I_b
//! p_n ← max(0, p_n − (u_n + s)/w_n)                     the gap must not become an overlap
//! p_t ← p_t − u_t/w_t, shortened to |p_t| ≤ μ p_n       stick if friction allows, else slide
//! ```
//!
//! u is the present estimate of the velocity at the end of the step, p the impulse, s the speed at which the gap may
//! close. For round grains normal and tangent do not couple: no force along n turns a grain.

use crate::dimension::Dimension;
use crate::real::Real;
use crate::vector::Components;

/// A body as a contact sees it: how it moves, and how easily.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Body<D: Dimension, T: Real = f64> {
    /// Velocity of the centre.
    pub velocity: D::Vector<T>,
    /// Angular velocity.
    pub spin: D::Spin<T>,
    /// 1/m; 0 for what cannot be moved.
    pub inverse_mass: T,
    /// 1/I; 0 for what cannot be turned.
    pub inverse_inertia: T,
}

impl<D: Dimension, T: Real> Body<D, T> {
    /// 1/m against impulses along the tangent. What cannot be turned cannot be rubbed along either: a piston moves along
    /// its normal only.
    #[inline(always)]
    pub fn inverse_mass_aside(&self) -> T {
        self.inverse_mass.where_positive(self.inverse_inertia)
    }
}

/// An impulse at a contact, on the second body: a normal one pushes the two apart.
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

    /// Multiplied with a number.
    #[inline(always)]
    #[must_use]
    pub fn times(self, factor: T) -> Self {
        Self { normal: self.normal * factor, tangent: self.tangent * factor }
    }

    /// The difference to an earlier impulse.
    #[inline(always)]
    #[must_use]
    pub fn since(self, earlier: Self) -> Self {
        Self { normal: self.normal - earlier.normal, tangent: self.tangent - earlier.tangent }
    }
}

/// What the law needs to know of one contact. Nothing of it changes during a step.
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
    /// Relative velocity of the surfaces at the contact: normal and tangential.
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

    /// Lets an impulse act on both bodies.
    #[inline(always)]
    pub fn push(&self, impulse: Impulse<D, T>, first: &mut Body<D, T>, second: &mut Body<D, T>) {
        let along = self.normal * impulse.normal;
        let aside = D::lift(self.normal, impulse.tangent);
        let twist = D::twist(self.normal, impulse.tangent);
        first.velocity -= (along + aside) * first.inverse_mass;
        second.velocity += along * second.inverse_mass + aside * second.inverse_mass_aside();
        // Both surfaces are rubbed the same way round, so both spins change with the same sign.
        first.spin -= twist * (self.first_arm * first.inverse_inertia);
        second.spin -= twist * (self.second_arm * second.inverse_inertia);
    }
}
