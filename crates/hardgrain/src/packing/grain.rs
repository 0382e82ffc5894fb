//! Grains. The moment of inertia is m r²/2 for a disc and 2 m r²/5 for a sphere.

use crate::dimension::Dimension;
use crate::packing::material::Material;

/// A name shared by any number of grains, as a number in the packing's [`Labels`]. The first one, 0, is no name.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Label(pub u32);

/// The table of labels. Each name is stored once, however many grains have it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Labels(Vec<String>);

impl Default for Labels {
    fn default() -> Self {
        Self(vec![String::new()])
    }
}

impl Labels {
    /// The label with this name, added if it is new.
    pub fn named(&mut self, name: &str) -> Label {
        let index = self.0.iter().position(|known| known == name).unwrap_or(self.0.len());
        if index == self.0.len() {
            self.0.push(name.to_owned());
        }
        Label(u32::try_from(index).expect("fewer labels than grains"))
    }

    /// All names in order. The first one is empty and stands for no name.
    pub fn names(&self) -> &[String] {
        &self.0
    }

    /// The name of a label; empty for no name and for a label that is not in the table.
    pub fn name(&self, label: Label) -> &str {
        self.0.get(label.0 as usize).map_or("", String::as_str)
    }
}

/// How a grain moves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Motion {
    /// By Newton's law.
    #[default]
    Free,
    /// Not at all.
    Fixed,
    /// With constant velocity and spin, whatever touches it.
    Prescribed,
}

/// A grain: its state, its constants and the external force on it.
///
/// ```
/// use hardgrain::{Grain, Plane};
/// let disc = Grain::<Plane>::new([0.0, 1.0], 0.5).density(2.0).velocity([0.1, 0.0]);
/// assert!((disc.mass - std::f64::consts::FRAC_PI_2).abs() < 1e-15);
/// ```
#[derive(Clone, Debug, PartialEq)]
pub struct Grain<D: Dimension> {
    /// Centre, inside the cell along its periodic axes.
    pub position: D::Vector<f64>,
    /// Velocity of the centre.
    pub velocity: D::Vector<f64>,
    /// Angular velocity.
    pub spin: D::Spin<f64>,
    /// Orientation.
    pub orientation: D::Orientation,
    /// How often it has crossed the periodic cell along each axis: position + turns × period is its unwrapped position.
    pub turns: [i32; 3],
    /// Radius.
    pub radius: f64,
    /// Mass.
    pub mass: f64,
    /// External force; it acts in every step until it is changed.
    pub force: D::Vector<f64>,
    /// Its material.
    pub material: Material,
    /// Its name.
    pub label: Label,
    /// Free, fixed or prescribed.
    pub motion: Motion,
}

impl<D: Dimension> Grain<D> {
    /// A grain at rest with density 1.
    pub fn new(position: impl Into<D::Vector<f64>>, radius: f64) -> Self {
        Self {
            position: position.into(),
            velocity: D::Vector::default(),
            spin: D::Spin::default(),
            orientation: D::UPRIGHT,
            turns: [0; 3],
            radius,
            mass: D::volume(radius),
            force: D::Vector::default(),
            material: Material::default(),
            label: Label::default(),
            motion: Motion::Free,
        }
    }

    /// Sets the mass.
    #[must_use]
    pub fn mass(self, mass: f64) -> Self {
        Self { mass, ..self }
    }

    /// Sets the mass by the density (per length, area or volume).
    #[must_use]
    pub fn density(self, density: f64) -> Self {
        let mass = density * D::volume(self.radius);
        Self { mass, ..self }
    }

    /// Sets the velocity.
    #[must_use]
    pub fn velocity(self, velocity: impl Into<D::Vector<f64>>) -> Self {
        Self { velocity: velocity.into(), ..self }
    }

    /// Sets the spin.
    #[must_use]
    pub fn spin(self, spin: impl Into<D::Spin<f64>>) -> Self {
        Self { spin: spin.into(), ..self }
    }

    /// Sets the external force.
    #[must_use]
    pub fn force(self, force: impl Into<D::Vector<f64>>) -> Self {
        Self { force: force.into(), ..self }
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

    /// Fixes it: velocity and spin are zero from now on.
    #[must_use]
    pub fn fixed(self) -> Self {
        let (velocity, spin) = (D::Vector::default(), D::Spin::default());
        Self { motion: Motion::Fixed, velocity, spin, ..self }
    }

    /// Prescribes its motion: velocity and spin stay constant, whatever touches it.
    #[must_use]
    pub fn prescribed(self) -> Self {
        Self { motion: Motion::Prescribed, ..self }
    }

    /// Moment of inertia about the centre.
    pub fn inertia(&self) -> f64 {
        D::INERTIA * self.mass * self.radius * self.radius
    }

    /// 1/m; 0 for a grain that is fixed or prescribed.
    #[inline]
    pub fn inverse_mass(&self) -> f64 {
        if self.motion == Motion::Free { 1.0 / self.mass } else { 0.0 }
    }

    /// 1/I; 0 for a grain that is fixed or prescribed.
    #[inline]
    pub fn inverse_inertia(&self) -> f64 {
        if self.motion == Motion::Free { 1.0 / self.inertia() } else { 0.0 }
    }
}
