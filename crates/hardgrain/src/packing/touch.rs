//! Where two parts touch: gap, normal, contact point, lever arms and branch.

use crate::dimension::Dimension;
use crate::packing::Packing;
use crate::packing::contact::{Identity, Remembered};
use crate::packing::grain::Grain;
use crate::part::Part;
use crate::vector::Components;

/// Where two parts touch, or would touch if they were nearer.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Touch<D: Dimension> {
    /// Distance of the surfaces; negative is an overlap.
    pub gap: f64,
    /// Unit vector from the first to the second.
    pub normal: D::Vector<f64>,
    /// The contact point. It lies in the middle of the gap between two grains, and on the surface of a piston or wall: this conserves
    /// angular momentum.
    pub point: D::Vector<f64>,
    /// Its distances from the centres of the first and the second: the lever arms. A piston or wall has none.
    pub arms: [f64; 2],
    /// The branch vector, from the centre of the first to that of the second, or to the piston or wall.
    pub branch: D::Vector<f64>,
}

impl<D: Dimension> Packing<D> {
    /// Where two parts touch at present.
    #[inline(always)]
    pub fn touch(&self, identity: Identity) -> Touch<D> {
        let grain = &self.grains[identity.first as usize];
        match identity.second() {
            Part::Grain(second) => {
                let other = &self.grains[second as usize];
                let separation = self.separation(identity, [grain, other]);
                let distance = separation.length();
                let gap = distance - grain.radius - other.radius;
                self.touch_along(identity, gap, separation * (1.0 / distance))
            }
            boundary => {
                let (_, point, normal) = self.boundary(boundary);
                self.touch_along(identity, boundary_gap(grain, point, normal), -normal)
            }
        }
    }

    /// From the centre of one grain to that image of the other which this contact belongs to.
    #[inline(always)]
    fn separation(&self, identity: Identity, [grain, other]: [&Grain<D>; 2]) -> D::Vector<f64> {
        let separation = other.position - grain.position;
        if self.cell.is_open() {
            return separation;
        }
        let shift = std::array::from_fn(|axis| {
            identity.image[axis].wrapping_sub(grain.turns[axis]).wrapping_add(other.turns[axis])
        });
        self.cell.shifted(separation, shift)
    }

    #[inline(always)]
    fn touch_along(&self, identity: Identity, gap: f64, normal: D::Vector<f64>) -> Touch<D> {
        let grain = &self.grains[identity.first as usize];
        let second = if let Part::Grain(other) = identity.second() { self.grains[other as usize].radius } else { 0.0 };
        let arms = self.arms(identity, gap);
        let (point, branch) = (grain.position + normal * arms[0], normal * (grain.radius + second + gap));
        Touch { gap, normal, point, arms, branch }
    }

    /// The lever arms of a contact with this gap, for those that know it: a search has found it, and at gap 0 they are the radii.
    #[inline(always)]
    pub fn arms(&self, identity: Identity, gap: f64) -> [f64; 2] {
        let radius = self.grains[identity.first as usize].radius;
        match identity.second() {
            Part::Grain(other) => grain_arms([radius, self.grains[other as usize].radius], gap),
            Part::Piston(_) | Part::Wall(_) => [radius + gap, 0.0],
        }
    }
}

impl<D: Dimension> Remembered<D> {
    /// Where the two touch at present, with the normal of the last step, along which the reaction has acted.
    pub fn touch(&self, packing: &Packing<D>) -> Touch<D> {
        packing.touch_along(self.identity, packing.touch(self.identity).gap, self.normal)
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
