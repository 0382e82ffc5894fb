//! Walls and pistons: flat boundaries of a half-space. A wall is immobile or moves as prescribed; a piston has a finite
//! mass, moves along its normal only and answers to a force and to every grain that touches it. Its acceleration is
//! (F + Σ R_n)/m + g·n, all counted along the normal.

use crate::dimension::Dimension;
use crate::packing::grain::Label;
use crate::packing::material::Material;
use crate::vector::Components;

/// The boundary of the half-space that the normal points into.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall<D: Dimension> {
    /// A point on the surface.
    pub point: D::Vector<f64>,
    /// Unit vector from the wall towards the grains.
    pub normal: D::Vector<f64>,
    /// Prescribed velocity: along the normal the wall moves, along its surface it is a conveyor belt.
    pub velocity: D::Vector<f64>,
    /// What it is made of.
    pub material: Material,
    /// Its name.
    pub label: Label,
}

impl<D: Dimension> Wall<D> {
    /// A wall at rest through `point`. The normal points towards the grains; its length does not matter.
    pub fn new(point: impl Into<D::Vector<f64>>, normal: impl Into<D::Vector<f64>>) -> Self {
        Self {
            point: point.into(),
            normal: unit::<D>(normal.into()),
            velocity: D::Vector::default(),
            material: Material::default(),
            label: Label::default(),
        }
    }

    /// Lets it move with this velocity.
    #[must_use]
    pub fn velocity(self, velocity: impl Into<D::Vector<f64>>) -> Self {
        Self { velocity: velocity.into(), ..self }
    }

    /// Makes it of this material.
    #[must_use]
    pub fn material(self, material: Material) -> Self {
        Self { material, ..self }
    }

    /// Names it.
    #[must_use]
    pub fn label(self, label: Label) -> Self {
        Self { label, ..self }
    }
}

/// A wall of finite mass that moves along its normal only.
#[derive(Clone, Debug, PartialEq)]
pub struct Piston<D: Dimension> {
    /// A point on the surface.
    pub point: D::Vector<f64>,
    /// Unit vector from the piston towards the grains.
    pub normal: D::Vector<f64>,
    /// Speed along the normal.
    pub speed: f64,
    /// Mass.
    pub mass: f64,
    /// Force along the normal: a positive one presses the piston on the grains.
    pub force: f64,
    /// What it is made of.
    pub material: Material,
    /// Its name.
    pub label: Label,
}

impl<D: Dimension> Piston<D> {
    /// A piston at rest through `point`. The normal points towards the grains; its length does not matter.
    pub fn new(point: impl Into<D::Vector<f64>>, normal: impl Into<D::Vector<f64>>, mass: f64) -> Self {
        Self {
            point: point.into(),
            normal: unit::<D>(normal.into()),
            speed: 0.0,
            mass,
            force: 0.0,
            material: Material::default(),
            label: Label::default(),
        }
    }

    /// Presses it with this force along its normal.
    #[must_use]
    pub fn force(self, force: f64) -> Self {
        Self { force, ..self }
    }

    /// Gives it this speed along its normal.
    #[must_use]
    pub fn speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }

    /// Makes it of this material.
    #[must_use]
    pub fn material(self, material: Material) -> Self {
        Self { material, ..self }
    }

    /// Names it.
    #[must_use]
    pub fn label(self, label: Label) -> Self {
        Self { label, ..self }
    }

    /// Its place along its normal.
    pub fn position(&self) -> f64 {
        self.point.dot(self.normal)
    }

    /// Its velocity as a vector.
    pub fn velocity(&self) -> D::Vector<f64> {
        self.normal * self.speed
    }
}

/// The direction of a vector. A vector without one stays as it is, for the check to refuse.
fn unit<D: Dimension>(direction: D::Vector<f64>) -> D::Vector<f64> {
    let length = direction.length();
    if length > 0.0 && length.is_finite() { direction * (1.0 / length) } else { direction }
}
