//! Walls and pistons: flat boundaries of a half-space. A wall is fixed or moves as prescribed. A piston has a mass and moves
//! along its normal n only, with the acceleration (F + Σ R_n)/m + g·n.

use crate::dimension::Dimension;
use crate::packing::grain::Label;
use crate::packing::material::Material;
use crate::vector::Components;

/// A flat boundary of the half-space that its normal points into.
#[derive(Clone, Debug, PartialEq)]
pub struct Wall<D: Dimension> {
    /// A point on the surface.
    pub point: D::Vector<f64>,
    /// Unit vector from the wall towards the grains.
    pub normal: D::Vector<f64>,
    /// Prescribed velocity: its normal component moves the wall, its tangential component makes it a conveyor belt.
    pub velocity: D::Vector<f64>,
    /// Its material.
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

    /// Sets the velocity.
    #[must_use]
    pub fn velocity(self, velocity: impl Into<D::Vector<f64>>) -> Self {
        Self { velocity: velocity.into(), ..self }
    }

    /// Sets the material.
    #[must_use]
    pub fn material(self, material: Material) -> Self {
        Self { material, ..self }
    }

    /// Sets the name.
    #[must_use]
    pub fn label(self, label: Label) -> Self {
        Self { label, ..self }
    }
}

/// A wall with a mass that moves along its normal only.
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
    /// Force along the normal: a positive one presses the piston against the grains.
    pub force: f64,
    /// Its material.
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

    /// Sets the force along its normal.
    #[must_use]
    pub fn force(self, force: f64) -> Self {
        Self { force, ..self }
    }

    /// Sets the speed along its normal.
    #[must_use]
    pub fn speed(self, speed: f64) -> Self {
        Self { speed, ..self }
    }

    /// Sets the material.
    #[must_use]
    pub fn material(self, material: Material) -> Self {
        Self { material, ..self }
    }

    /// Sets the name.
    #[must_use]
    pub fn label(self, label: Label) -> Self {
        Self { label, ..self }
    }

    /// Its position along its normal.
    pub fn position(&self) -> f64 {
        self.point.dot(self.normal)
    }

    /// Its velocity as a vector.
    pub fn velocity(&self) -> D::Vector<f64> {
        self.normal * self.speed
    }
}

/// The unit vector. A vector without a direction is returned unchanged and rejected by the check.
fn unit<D: Dimension>(direction: D::Vector<f64>) -> D::Vector<f64> {
    let length = direction.length();
    if length > 0.0 && length.is_finite() { direction * (1.0 / length) } else { direction }
}
