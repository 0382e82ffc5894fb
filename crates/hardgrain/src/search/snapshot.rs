//! The parts of a packing as they were when a list of pairs was made: a Verlet list is valid until some part has moved too far.

use crate::dimension::Dimension;
use crate::packing::{Boundary, Cell, Material, Motion, Packing};
use crate::part::Part;
use crate::vector::Components;

/// A packing as it was, as far as pairs depend on it.
#[derive(Clone, Debug, Default)]
pub(crate) struct Snapshot<D: Dimension> {
    grains: Vec<GrainSnapshot<D>>,
    boundaries: Vec<(Boundary<D>, Material)>,
    pub(crate) cell: Cell<D>,
}

#[derive(Clone, Copy, Debug)]
struct GrainSnapshot<D: Dimension> {
    position: D::Vector<f64>,
    turns: [i32; 3],
    radius: f64,
    motion: Motion,
    material: Material,
}

impl<D: Dimension> Snapshot<D> {
    pub(crate) fn take(&mut self, packing: &Packing<D>) {
        self.grains.clear();
        self.grains.extend(packing.grains.iter().map(|grain| GrainSnapshot {
            position: grain.position,
            turns: grain.turns,
            radius: grain.radius,
            motion: grain.motion,
            material: grain.material,
        }));
        self.boundaries.clear();
        self.boundaries.extend(packing.boundaries().map(|boundary| (boundary, packing.material_of(boundary.0))));
        self.cell = packing.cell;
    }

    /// Whether the cell is the same, and all pistons and walls are, apart from where they stand.
    pub(crate) fn has_boundaries_of(&self, packing: &Packing<D>) -> bool {
        self.cell == packing.cell
            && self.boundaries.len() == packing.pistons.len() + packing.walls.len()
            && self.boundaries.iter().zip(packing.boundaries()).all(|((then, material), now)| {
                then.0 == now.0 && then.2 == now.2 && *material == packing.material_of(now.0)
            })
    }

    /// Whether only positions and radii have changed, and no part has moved too far, the change of its radius included.
    pub(crate) fn is_near(&self, packing: &Packing<D>, mut near: impl FnMut(Part, f64) -> bool) -> bool {
        self.has_boundaries_of(packing)
            && self.grains.len() == packing.grains.len()
            && self
                .boundaries
                .iter()
                .zip(packing.boundaries())
                .all(|((then, _), now)| near(now.0, (now.1 - then.1).dot(then.2).abs()))
            && self.grains.iter().zip(&packing.grains).zip(0..).all(|((then, grain), number)| {
                let turned = std::array::from_fn(|axis| grain.turns[axis].wrapping_sub(then.turns[axis]));
                let moved = self.cell.shifted(grain.position - then.position, turned).length();
                grain.motion == then.motion
                    && grain.material == then.material
                    && near(Part::Grain(number), moved + (grain.radius - then.radius).abs())
            })
    }
}
