//! How far reactions are from an answer: the natural map over all contacts.

use crate::block::{Block, Coupling, natural_map};

/// The data of each contact by itself.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct ContactData<const N: usize> {
    /// q.
    pub(crate) free: Vec<Block<N>>,
    /// μ.
    pub(crate) friction: Vec<f64>,
    /// The diagonal blocks of W.
    pub(crate) diagonal: Vec<Coupling<N>>,
}

/// The natural map residual with the step 1/w of each contact, in velocities and in impulses. A body of nearly no mass may be so fast
/// that all velocities are small beside its own; no impulse is small beside its impulses.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Residuals {
    pub(crate) velocities: f64,
    pub(crate) impulses: f64,
}

impl<const N: usize> ContactData<N> {
    pub(crate) fn residuals(&self, reactions: &[Block<N>], velocities: &[Block<N>]) -> Residuals {
        let (mut in_velocities, mut in_impulses) = (0.0, 0.0);
        for (contact, (reaction, velocity)) in reactions.iter().zip(velocities).enumerate() {
            let w = compliance(&self.diagonal[contact]);
            let squared = natural_map(self.friction[contact], reaction, velocity, 1.0 / w);
            in_velocities += w * w * squared;
            in_impulses += squared;
        }
        Residuals { velocities: in_velocities.sqrt(), impulses: in_impulses.sqrt() }
    }

    /// The residuals of zero reactions: what there is to be solved. Velocities are limited to those that the impulses would cause at the
    /// mean contact, or they would be those of a body of nearly no mass.
    pub(crate) fn residuals_of_zero(&self) -> Residuals {
        let Residuals { velocities, impulses } = self.residuals(&vec![[0.0; N]; self.free.len()], &self.free);
        // The mean of 1/w is no less than the mass that would move if all moved alike.
        let sum = self.diagonal.iter().fold(0.0, |sum, own| sum + 1.0 / compliance(own));
        let mass = sum / self.diagonal.len() as f64;
        Residuals { velocities: velocities.min(impulses / mass), impulses }
    }

    /// The largest free velocity: the unit in which stages measure.
    pub(crate) fn largest_free(&self) -> f64 {
        self.free.iter().flatten().fold(0.0, |most, number| number.abs().max(most))
    }

    /// The compliance of each contact.
    pub(crate) fn compliances(&self) -> impl Iterator<Item = f64> {
        self.diagonal.iter().map(compliance)
    }
}

impl Residuals {
    /// The larger of the two, relative to that of zero reactions unless that is 0.
    pub(crate) fn relative_to(self, zero: Self) -> f64 {
        let relative = |now: f64, zero: f64| if zero > 0.0 { now / zero } else { now };
        let impulses = relative(self.impulses, zero.impulses);
        let velocities = relative(self.velocities, zero.velocities);
        if velocities <= impulses { impulses } else { velocities }
    }
}

/// The largest number on the diagonal of a block of W.
pub(crate) fn compliance<const N: usize>(own: &Coupling<N>) -> f64 {
    (0..N).map(|axis| own[axis][axis]).fold(0.0, f64::max)
}
