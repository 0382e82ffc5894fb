//! The contacts of a packing as flat arrays.

use hardgrain::{Dimension, Packing, Part};

/// The contacts that carried a load in the last step, one entry for each in every array, sorted by identity.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Contacts<D: Dimension> {
    /// The number of the first grain.
    pub first: Vec<u32>,
    /// What it touches.
    pub second: Vec<Part>,
    /// Where they touch now.
    pub point: Vec<D::Vector<f64>>,
    /// Unit vector from the first to the second, as it was in the last step: the normal reaction acts along it.
    pub normal: Vec<D::Vector<f64>>,
    /// The present distance of the surfaces; negative is an overlap.
    pub gap: Vec<f64>,
    /// Normal reaction, positive where they push each other apart.
    pub normal_reaction: Vec<f64>,
    /// Tangential reaction on the second.
    pub tangential_reaction: Vec<D::Vector<f64>>,
}

impl<D: Dimension> Contacts<D> {
    /// The contacts of a packing, all of whose parts are there.
    pub fn from_packing(packing: &Packing<D>) -> Self {
        let mut all = Self::default();
        for known in &packing.memory {
            let touch = packing.touch(known.identity);
            all.first.push(known.identity.first);
            all.second.push(known.identity.second());
            all.point.push(touch.point);
            all.normal.push(known.normal);
            all.gap.push(touch.gap);
            all.normal_reaction.push(known.reaction.normal);
            all.tangential_reaction.push(D::lift(known.normal, known.reaction.tangent));
        }
        all
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.first.len()
    }

    /// Whether nothing touches.
    pub fn is_empty(&self) -> bool {
        self.first.is_empty()
    }
}
