//! The energy balance: the work of loads and of driven walls and grains, step by step.
//!
//! A step moves everything by h v with the velocities at its end, so loads do the work h F·v, and driven walls and grains the
//! work h R·v at their contacts. The part of this work that does not appear as kinetic energy is dissipated by the contacts; if
//! the kinetic energy grows by more, the contacts have returned the difference.

use hardgrain::{Components, Dimension, Grain, Motion, Packing, Part};
use hardgrain_analysis::touching;
use serde::{Deserialize, Serialize};

/// Relative size below which a difference of energies is rounding.
const ROUNDING: f64 = 1e-14;

/// The energy balance of a run. Its fields stand in checkpoints in this order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct EnergyBalance {
    /// Kinetic energy at the start.
    pub start: f64,
    /// Kinetic energy at the end.
    pub end: f64,
    /// Work of loads and driven walls.
    pub put_in: f64,
    /// Energy dissipated by contacts, summed over steps in which they dissipated some.
    pub taken: f64,
    /// Energy returned by contacts, summed over steps in which they returned some. Inelastic rigid grains return none.
    pub given_back: f64,
    /// Energy lost when grains were stopped by hand: rattlers, or everything on the way to rest.
    pub stopped: f64,
}

impl EnergyBalance {
    /// Before the first step.
    pub(crate) fn open(kinetic: f64) -> Self {
        Self { start: kinetic, end: kinetic, ..Self::default() }
    }

    /// Books a step in which loads did the work `put_in`.
    pub(crate) fn step(&mut self, put_in: f64, kinetic: f64) {
        let taken = put_in - (kinetic - self.end);
        // In free flight contacts dissipate nothing; the difference is rounding.
        let is_rounding = taken.abs() <= ROUNDING * (put_in.abs() + kinetic + self.end);
        let taken = if is_rounding { 0.0 } else { taken };
        self.put_in += put_in;
        self.taken += taken.max(0.0);
        self.given_back += (-taken).max(0.0);
        self.end = kinetic;
    }

    /// Books velocities set by a stage.
    pub(crate) fn set(&mut self, kinetic: f64) {
        self.put_in += kinetic - self.end;
        self.end = kinetic;
    }

    /// Books grains stopped by hand.
    pub(crate) fn stop(&mut self, kinetic: f64) {
        self.stopped += self.end - kinetic;
        self.end = kinetic;
    }
}

/// The work of all loads, driven walls and driven grains in the last step.
pub(crate) fn put_in<D: Dimension>(packing: &Packing<D>, step: f64) -> f64 {
    let mut driven = packing.walls.iter().any(|wall| wall.velocity != D::Vector::default());
    let mut power = 0.0;
    for (grain, contacts) in packing.grains.iter().zip(touching(packing)) {
        match grain.motion {
            Motion::Free => {
                let force = packing.gravity * grain.mass + grain.force;
                // In free flight the mean velocity over the step differs from the final one by half a step of acceleration.
                let late = if contacts > 0 { 0.0 } else { 0.5 * step / grain.mass };
                power += force.dot(grain.velocity - force * late);
            }
            Motion::Prescribed => driven = true,
            Motion::Fixed => {}
        }
    }
    for piston in &packing.pistons {
        power += (piston.force + piston.mass * packing.gravity.dot(piston.normal)) * piston.speed;
    }
    if driven {
        power += power_of_driven(packing);
    }
    power * step
}

/// The power that walls and grains with a prescribed velocity supply through their contacts.
fn power_of_driven<D: Dimension>(packing: &Packing<D>) -> f64 {
    packing.memory.iter().fold(0.0, |sum, known| {
        let (force, normal) = (known.force(), known.normal);
        // The velocity of the surface at the contact: the arm is positive along the normal, negative against it.
        let surface = |grain: &Grain<D>, arm: f64| grain.velocity + D::lift(normal, D::slip(grain.spin, normal)) * arm;
        let [first_arm, second_arm] = packing.arms(known.identity, 0.0);
        let first = &packing.grains[known.identity.first as usize];
        let of_first = if first.motion == Motion::Prescribed { force.dot(surface(first, first_arm)) } else { 0.0 };
        let of_second = match known.identity.second() {
            Part::Wall(number) => -force.dot(packing.walls[number as usize].velocity),
            Part::Grain(number) => {
                let second = &packing.grains[number as usize];
                if second.motion == Motion::Prescribed { -force.dot(surface(second, -second_arm)) } else { 0.0 }
            }
            Part::Piston(_) => 0.0,
        };
        sum + of_first + of_second
    })
}
