//! Where two parts touch: their gap, the contact point and its lever arms.

use crate::dimension::Dimension;
use crate::packing::Packing;
use crate::packing::contact::Identity;
use crate::packing::grain::Grain;
use crate::part::Part;
use crate::vector::Components;

impl<D: Dimension> Packing<D> {
    /// The present distance of two surfaces; negative is an overlap.
    pub fn gap(&self, identity: Identity) -> f64 {
        let grain = &self.grains[identity.first as usize];
        match identity.second() {
            Part::Grain(second) => {
                let other = &self.grains[second as usize];
                let separation = other.position - grain.position;
                if self.cell.is_open() {
                    return separation.length() - grain.radius - other.radius;
                }
                let shift = std::array::from_fn(|axis| {
                    identity.image[axis].wrapping_sub(grain.turns[axis]).wrapping_add(other.turns[axis])
                });
                let separation = self.cell.shifted(separation, shift);
                separation.length() - grain.radius - other.radius
            }
            boundary => {
                let (_, point, normal) = self.boundary(boundary);
                boundary_gap(grain, point, normal)
            }
        }
    }

    /// The lever arms of a contact with this gap: the distances of the contact point from the centres of the first and the second part.
    /// It lies in the middle of the gap between two grains, and on the surface of a piston or wall, which has no lever arm: this
    /// conserves angular momentum.
    #[inline(always)]
    pub fn arms(&self, identity: Identity, gap: f64) -> [f64; 2] {
        let radius = self.grains[identity.first as usize].radius;
        match identity.second() {
            Part::Grain(other) => grain_arms([radius, self.grains[other as usize].radius], gap),
            Part::Piston(_) | Part::Wall(_) => [radius + gap, 0.0],
        }
    }

    /// The present contact point of a contact with this normal.
    pub fn contact_point(&self, identity: Identity, normal: D::Vector<f64>) -> D::Vector<f64> {
        let [arm, _] = self.arms(identity, self.gap(identity));
        self.grains[identity.first as usize].position + normal * arm
    }
}

/// The gap between a grain and a boundary, given by a point and its normal.
#[inline]
pub(crate) fn boundary_gap<D: Dimension>(grain: &Grain<D>, point: D::Vector<f64>, normal: D::Vector<f64>) -> f64 {
    (grain.position - point).dot(normal) - grain.radius
}

/// The lever arms of two grains with these radii: from the centres to the middle of the gap.
#[inline(always)]
pub(crate) fn grain_arms([first, second]: [f64; 2], gap: f64) -> [f64; 2] {
    [first + 0.5 * gap, second + 0.5 * gap]
}
