//! Materials: friction and restitution belong to a pair of materials, with a default for all other pairs.

use crate::digest::Digest;
use crate::error::InputError;

/// The material of a grain or wall, as a number in the packing's [`Materials`]. The first one, 0, always exists.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub struct Material(pub u16);

/// Friction and restitution between two surfaces.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Surface {
    /// Coulomb's coefficient μ: |R_t| ≤ μ R_n. Zero or more.
    pub friction: f64,
    /// Newton's coefficient e, from 0 to 1: a pair separates at e times the speed of its approach.
    pub restitution: f64,
}

impl Surface {
    /// The largest coefficient of friction for which normal velocities are not lost in rounding.
    pub const FRICTION_MAX: f64 = 1e12;

    /// A surface with friction and without restitution.
    pub const fn rough(friction: f64) -> Self {
        Self { friction, restitution: 0.0 }
    }

    /// The same with this restitution.
    #[must_use]
    pub const fn bouncing(self, restitution: f64) -> Self {
        Self { restitution, ..self }
    }

    fn check(self) -> Result<Self, InputError> {
        if !(self.friction >= 0.0 && self.friction.is_finite()) {
            return Err(InputError::range("friction", self.friction, "0 or more"));
        }
        if self.friction > Self::FRICTION_MAX {
            return Err(InputError::range(
                "friction",
                self.friction,
                "1e12 or less, beside which normal velocities are not yet lost in rounding",
            ));
        }
        if !(0.0..=1.0).contains(&self.restitution) {
            return Err(InputError::range("restitution", self.restitution, "between 0 and 1"));
        }
        Ok(self)
    }
}

/// The table of materials and of the surface constants of each pair.
#[derive(Clone, Debug, PartialEq)]
pub struct Materials {
    names: Vec<String>,
    default: Surface,
    // The lower half of a symmetric matrix, row by row; `None` means the default.
    pairs: Vec<Option<Surface>>,
}

impl Default for Materials {
    /// One material, without friction and restitution.
    fn default() -> Self {
        Self { names: vec![String::new()], default: Surface::default(), pairs: vec![None] }
    }
}

impl Materials {
    /// Sets the default for every pair without constants of its own.
    ///
    /// # Errors
    /// When friction is negative or restitution outside 0 … 1.
    pub fn set_default(&mut self, surface: Surface) -> Result<(), InputError> {
        self.default = surface.check()?;
        Ok(())
    }

    /// The default for every pair without constants of its own.
    pub fn default_surface(&self) -> Surface {
        self.default
    }

    /// All names in order: the first one is empty.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// The constants of just this pair of materials, if they were set.
    pub fn own_pair(&self, a: Material, b: Material) -> Option<Surface> {
        self.pairs[place(a, b)]
    }

    /// The material with this name, added if it is new.
    ///
    /// # Errors
    /// When there are more than 1000 materials.
    pub fn named(&mut self, name: &str) -> Result<Material, InputError> {
        let known = self.names.iter().position(|n| n == name);
        let index = known.unwrap_or(self.names.len());
        if index >= 1000 {
            return Err(InputError::range("number of materials", index as f64 + 1.0, "1000 or fewer"));
        }
        if known.is_none() {
            self.names.push(name.to_owned());
            self.pairs.resize(self.pairs.len() + self.names.len(), None);
        }
        Ok(Material(u16::try_from(index).expect("at most 1000 materials")))
    }

    /// Sets the constants of a pair of materials.
    ///
    /// # Errors
    /// When a material is not in the table or a value out of range.
    pub fn set_pair(&mut self, a: Material, b: Material, surface: Surface) -> Result<(), InputError> {
        let surface = surface.check()?;
        for material in [a, b] {
            if !self.has(material) {
                return Err(InputError::range("material", f64::from(material.0), "one that was named before"));
            }
        }
        self.pairs[place(a, b)] = Some(surface);
        Ok(())
    }

    /// The constants of a pair of materials.
    #[inline]
    pub fn pair(&self, a: Material, b: Material) -> Surface {
        self.own_pair(a, b).unwrap_or(self.default)
    }

    pub(crate) fn digest(&self, digest: &mut Digest) {
        digest.counts(&[self.names.len()]);
        let all = || (0..).map(Material).take(self.names.len());
        let pairs = all().flat_map(|a| all().map(move |b| self.pair(a, b)));
        for surface in pairs.chain([self.default]) {
            digest.numbers(&[surface.friction, surface.restitution]);
        }
    }

    /// Whether the table holds this material.
    pub fn has(&self, material: Material) -> bool {
        usize::from(material.0) < self.names.len()
    }

    /// The name of a material; empty for the first one and for those that are not in the table.
    pub fn name(&self, material: Material) -> &str {
        self.names.get(usize::from(material.0)).map_or("", String::as_str)
    }
}

/// The place of a pair in the lower half of a matrix.
#[inline]
fn place(a: Material, b: Material) -> usize {
    let (low, high) = (usize::from(a.0.min(b.0)), usize::from(a.0.max(b.0)));
    high * (high + 1) / 2 + low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_symmetric_and_survive_new_names() {
        let mut materials = Materials::default();
        materials.set_default(Surface::rough(0.5)).unwrap();
        let steel = materials.named("steel").unwrap();
        materials.set_pair(Material::default(), steel, Surface::rough(0.1)).unwrap();
        let glass = materials.named("glass").unwrap();
        assert_eq!(materials.named("steel").unwrap(), steel);
        assert_eq!(materials.pair(steel, Material::default()).friction, 0.1);
        assert_eq!(materials.pair(steel, glass).friction, 0.5);
        assert_eq!(materials.name(glass), "glass");
    }

    #[test]
    fn nonsense_is_refused() {
        let mut materials = Materials::default();
        for bad in [-0.1, f64::NAN, f64::INFINITY] {
            assert!(materials.set_default(Surface::rough(bad)).is_err());
        }
        assert!(materials.set_default(Surface::rough(0.0).bouncing(1.1)).is_err());
        assert!(materials.set_default(Surface::rough(1e17)).is_err());
        assert!(materials.set_pair(Material(3), Material(0), Surface::default()).is_err());
    }
}
