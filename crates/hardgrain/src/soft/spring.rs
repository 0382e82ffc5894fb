//! The law of a soft contact: a spring and a dashpot along the normal, a spring and a dashpot along the tangent that slides
//! by Coulomb's law.
//!
//! ```text
//! R_n = −κ g − γ ġ           not below 0: grains do not pull, unless they are bonded
//! R_t = −κ_t ζ − γ_t u_t     shortened to |R_t| ≤ μ R_n; ζ is what the surfaces have slipped while they stuck
//! ```
//!
//! By Hertz's law all four numbers are multiplied with the root of the overlap.

use crate::dimension::Dimension;
use crate::error::InputError;
use crate::packing::Material;
use crate::problem::{Body, Contact, Impulse};
use crate::real::Real;
use crate::vector::Components;

/// The four numbers of a contact.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Spring {
    /// κ: reaction over overlap.
    pub stiffness: f64,
    /// γ: reaction over the speed at which the overlap grows.
    pub damping: f64,
    /// κ_t: reaction over slip.
    pub tangent_stiffness: f64,
    /// γ_t: reaction over the speed of slip.
    pub tangent_damping: f64,
}

impl Spring {
    /// A spring along the normal and nothing along the tangent.
    pub const fn normal(stiffness: f64, damping: f64) -> Self {
        Self { stiffness, damping, tangent_stiffness: 0.0, tangent_damping: 0.0 }
    }

    /// The same spring with these numbers along the tangent.
    #[must_use]
    pub const fn tangent(self, tangent_stiffness: f64, tangent_damping: f64) -> Self {
        Self { tangent_stiffness, tangent_damping, ..self }
    }

    fn check(self) -> Result<(), InputError> {
        let Self { stiffness, damping, tangent_stiffness, tangent_damping } = self;
        if !(stiffness > 0.0 && stiffness.is_finite()) {
            return Err(InputError::range("stiffness", stiffness, "finite and above 0"));
        }
        let others =
            [("damping", damping), ("tangent stiffness", tangent_stiffness), ("tangent damping", tangent_damping)];
        match others.into_iter().find(|(_, value)| !(*value >= 0.0 && value.is_finite())) {
            Some((what, value)) => Err(InputError::range(what, value, "finite and 0 or more")),
            None => Ok(()),
        }
    }

    /// The larger of each two numbers.
    pub(super) fn most(self, other: Self) -> Self {
        Self {
            stiffness: self.stiffness.max(other.stiffness),
            damping: self.damping.max(other.damping),
            tangent_stiffness: self.tangent_stiffness.max(other.tangent_stiffness),
            tangent_damping: self.tangent_damping.max(other.tangent_damping),
        }
    }

    /// Its numbers at this contact.
    pub(super) fn at<D: Dimension>(
        self,
        springs: &Springs,
        contact: &Contact<D>,
        [first, second]: [&Body<D>; 2],
        gap: f64,
    ) -> Self {
        let spring = match springs.scale {
            Scale::Same => self,
            Scale::PerMass => {
                let [w_n, w_t] = Contact::compliances([contact.first_arm, contact.second_arm], first, second);
                self.times(1.0 / w_n, if w_t > 0.0 { 1.0 / w_t } else { 0.0 })
            }
        };
        match springs.law {
            SpringLaw::Linear => spring,
            SpringLaw::Hertz => {
                let root = (-gap).max(0.0).sqrt();
                spring.times(root, root)
            }
        }
    }

    /// Multiplied along the normal and along the tangent.
    #[inline(always)]
    pub(super) fn times(self, normal: f64, tangent: f64) -> Self {
        Self {
            stiffness: self.stiffness * normal,
            damping: self.damping * normal,
            tangent_stiffness: self.tangent_stiffness * tangent,
            tangent_damping: self.tangent_damping * tangent,
        }
    }
}

/// The units of the numbers of a spring.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Scale {
    /// They are the same for all contacts.
    #[default]
    Same,
    /// They are per unit of the mass that the contact moves, 1/w_n along the normal and 1/w_t along the
    /// tangent: every pair then swings with the same period, and a wall is twice as stiff as a grain. So sweeps that stop
    /// early make springs, with κ w = 2 q N_I/h² and γ = κ h.
    PerMass,
}

/// How the reaction grows with the overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum SpringLaw {
    /// In proportion.
    #[default]
    Linear,
    /// With its power 3/2, as between elastic spheres; dashpots and tangential springs grow with its root.
    Hertz,
}

/// The springs of all contacts: one for all pairs of materials, and others for some.
#[derive(Clone, Debug, PartialEq)]
#[must_use]
pub struct Springs {
    /// How the reaction grows with the overlap.
    pub law: SpringLaw,
    /// The units of the numbers.
    pub scale: Scale,
    default: Spring,
    pairs: Vec<([Material; 2], Spring)>,
}

impl Springs {
    /// The same linear spring for all pairs of materials.
    pub fn new(default: Spring) -> Self {
        Self { law: SpringLaw::Linear, scale: Scale::Same, default, pairs: Vec::new() }
    }

    /// The same by Hertz's law.
    pub fn hertz(self) -> Self {
        Self { law: SpringLaw::Hertz, ..self }
    }

    /// The same with all numbers per unit of mass.
    pub fn per_mass(self) -> Self {
        Self { scale: Scale::PerMass, ..self }
    }

    /// The same with another spring between these two materials.
    pub fn between(mut self, a: Material, b: Material, spring: Spring) -> Self {
        self.pairs.retain(|(pair, _)| *pair != [a.min(b), a.max(b)]);
        self.pairs.push(([a.min(b), a.max(b)], spring));
        self
    }

    /// The spring between two materials.
    pub fn pair(&self, a: Material, b: Material) -> Spring {
        let own = self.pairs.iter().find(|(pair, _)| *pair == [a.min(b), a.max(b)]);
        own.map_or(self.default, |(_, spring)| *spring)
    }

    /// All springs there are.
    pub(super) fn all(&self) -> impl Iterator<Item = Spring> {
        [self.default].into_iter().chain(self.pairs.iter().map(|(_, spring)| *spring))
    }

    pub(super) fn check(&self) -> Result<(), InputError> {
        self.all().try_for_each(Spring::check)
    }
}

/// The state of a contact.
#[derive(Clone, Copy, Debug)]
pub(super) struct SpringReaction<D: Dimension> {
    pub reaction: Impulse<D>,
    pub stretch: D::Tangent<f64>,
    /// The power of the reaction, below 0 where it takes energy out of the motion.
    pub power: f64,
}

/// The reaction of a spring. `stretch` is ζ, already turned into the tangent plane; it grows by the slip in a time `step`.
#[inline(always)]
pub(super) fn react<D: Dimension>(
    spring: &Spring,
    (contact, gap): (&Contact<D>, f64),
    (first, second): (&Body<D>, &Body<D>),
    stretch: D::Tangent<f64>,
    (step, bonded): (f64, bool),
) -> SpringReaction<D> {
    let (u_n, u_t) = contact.relative_velocity(first, second);
    let free = -(spring.stiffness * gap) - spring.damping * u_n;
    let pushing = free.larger(0.0);
    // Without a tangential spring nothing is remembered.
    let mut stretch = if spring.tangent_stiffness > 0.0 { stretch + u_t * step } else { D::Tangent::default() };
    let dragged = u_t * spring.tangent_damping;
    let wanted = -(stretch * spring.tangent_stiffness) - dragged;
    let (limit, square) = (contact.friction * pushing, wanted.length_squared());
    let mut tangent = wanted;
    if square > limit * limit {
        tangent = D::shorten(wanted, limit);
        if spring.tangent_stiffness > 0.0 {
            // It slides, and the spring is no longer than what still holds.
            stretch = -(tangent + dragged) * (1.0 / spring.tangent_stiffness);
        }
    }
    let normal = if bonded { free } else { pushing };
    SpringReaction { reaction: Impulse { normal, tangent }, stretch, power: normal * u_n + tangent.dot(u_t) }
}
