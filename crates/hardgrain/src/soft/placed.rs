//! Grains, pistons and walls as soft grains move them, and the forces on them.

use crate::dimension::Dimension;
use crate::packing::{Cell, Grain, Motion};
use crate::problem::Body;
use crate::real::Real;
use crate::vector::Components;

/// Force and torque on a body.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Wrench<D: Dimension> {
    pub force: D::Vector<f64>,
    pub torque: D::Spin<f64>,
}

impl<D: Dimension> Wrench<D> {
    #[inline(always)]
    pub(super) fn add(&mut self, other: Self) {
        self.force += other.force;
        self.torque += other.torque;
    }
}

/// The times for which forces act on velocities (kick), then velocities on positions (drift).
#[derive(Clone, Copy, Debug)]
pub(super) struct Leap {
    pub kick: f64,
    pub drift: f64,
}

/// The velocity and the spin of a body.
pub(super) type VelocityAndSpin<D> = (<D as Dimension>::Vector<f64>, <D as Dimension>::Spin<f64>);

/// What a pass over the bodies has seen.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Passage {
    /// The largest speed after the kick.
    pub fastest: f64,
    /// Whether anything is not as the last step left it.
    pub touched: bool,
    /// Whether anything has crossed the periodic cell since periods were counted.
    pub crossed: bool,
    /// Whether a number is not finite.
    pub infinite: bool,
}

impl Passage {
    #[inline(always)]
    pub(super) fn see<D: Dimension>(&mut self, (velocity, spin): VelocityAndSpin<D>) {
        let speed = velocity.length_squared();
        self.fastest = speed.larger(self.fastest);
        // Where velocities are finite, positions are, unless they were changed from outside.
        let finite = speed + spin.length_squared() < f64::INFINITY;
        self.infinite |= !finite;
    }

    pub(super) fn and(self, other: Self) -> Self {
        Self {
            fastest: self.fastest.larger(other.fastest),
            touched: self.touched || other.touched,
            crossed: self.crossed || other.crossed,
            infinite: self.infinite || other.infinite,
        }
    }
}

/// A grain, piston or wall where forces are evaluated.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Placed<D: Dimension> {
    pub position: D::Vector<f64>,
    /// 0 for pistons and walls.
    pub radius: f64,
    pub mass: f64,
    pub body: Body<D>,
    pub turns: [i32; 3],
    pub material: u16,
}

impl<D: Dimension> Placed<D> {
    /// Whether a grain is as it was left, apart from its velocity and spin.
    #[inline(always)]
    pub(super) fn is(&self, grain: &Grain<D>) -> bool {
        self.radius == grain.radius
            && self.mass == grain.mass
            && (self.body.inverse_mass > 0.0) == (grain.motion == Motion::Free)
            && self.position == grain.position
            && self.turns == grain.turns
            && self.material == grain.material.0
    }

    /// Reads a grain, apart from its velocity and spin.
    #[cold]
    pub(super) fn read(&mut self, grain: &Grain<D>) {
        self.position = grain.position;
        self.radius = grain.radius;
        self.mass = grain.mass;
        self.body.inverse_mass = grain.inverse_mass();
        self.body.inverse_inertia = grain.inverse_inertia();
        self.turns = grain.turns;
        self.material = grain.material.0;
    }

    #[inline(always)]
    pub(super) fn set_motion(&mut self, (velocity, spin): VelocityAndSpin<D>) {
        self.body.velocity = velocity;
        self.body.spin = spin;
    }

    /// v + t (f/m + g), and the same for the spin.
    #[inline(always)]
    pub(super) fn kicked(
        &self,
        (mut velocity, spin): VelocityAndSpin<D>,
        wrench: &Wrench<D>,
        (force, gravity): (D::Vector<f64>, D::Vector<f64>),
        time: f64,
    ) -> VelocityAndSpin<D> {
        if self.body.inverse_mass > 0.0 {
            velocity += ((wrench.force + force) * self.body.inverse_mass + gravity) * time;
        }
        (velocity, spin + wrench.torque * (self.body.inverse_inertia * time))
    }

    /// Brings it back into the cell.
    #[cold]
    pub(super) fn wrap(&mut self, cell: &Cell<D>) {
        cell.wrap(&mut self.position, &mut self.turns);
    }

    /// Writes a grain back and returns its kinetic energy.
    #[inline(always)]
    pub(super) fn write(&self, (velocity, spin): VelocityAndSpin<D>, grain: &mut Grain<D>, step: f64) -> f64 {
        if grain.motion != Motion::Fixed {
            grain.position = self.position;
            grain.turns = self.turns;
            grain.orientation = D::rotated(grain.orientation, (grain.spin + spin) * 0.5, step);
        }
        grain.velocity = velocity;
        grain.spin = spin;
        if grain.motion == Motion::Free {
            0.5 * (grain.mass * velocity.length_squared() + grain.inertia() * spin.length_squared())
        } else {
            0.0
        }
    }
}
