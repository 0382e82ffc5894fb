//! The area of the face of a piston between the walls, pistons and periodic axes around it.

use crate::dimension::Dimension;
use crate::packing::Packing;
use crate::vector::Components;

/// A normal with a component above this is parallel to an axis.
const PARALLEL: f64 = 1.0 - 1e-9;

impl<D: Dimension> Packing<D> {
    /// The length (in the plane) or area (in space) of a piston's face; 1 on a line. Along every axis other than that of its motion
    /// it extends from boundary to boundary, or over a period. `None` if the piston does not move along an axis or a side is open.
    ///
    /// # Panics
    /// When there is no such piston.
    pub fn face(&self, piston: usize) -> Option<f64> {
        let normal = self.pistons[piston].normal;
        let own = (0..D::AXES).find(|&axis| normal.as_slice()[axis].abs() > PARALLEL)?;
        (0..D::AXES).filter(|&axis| axis != own).try_fold(1.0, |area, axis| Some(area * self.room(axis)?))
    }

    /// The distance between the innermost boundaries along an axis, or its period.
    fn room(&self, axis: usize) -> Option<f64> {
        if let Some(period) = self.cell.period(axis) {
            return Some(period);
        }
        let places = |side: f64| {
            let facing = self.boundaries().filter(move |(_, _, normal)| normal.as_slice()[axis] * side > PARALLEL);
            facing.map(move |(_, point, _)| point.as_slice()[axis] * side).fold(f64::NEG_INFINITY, f64::max)
        };
        let room = -places(-1.0) - places(1.0);
        room.is_finite().then_some(room.max(0.0))
    }
}

#[cfg(test)]
mod tests {
    use crate::{Cell, Packing, Piston, Plane, Space, Wall};

    #[test]
    fn faces_lie_between_walls_pistons_and_periods() {
        let mut box_2d = Packing::<Plane>::new();
        box_2d.add_piston(Piston::new([0.0, 9.0], [0.0, -1.0], 1.0)).unwrap();
        assert_eq!(box_2d.face(0), None);
        box_2d.add_wall(Wall::new([2.0, 0.0], [1.0, 0.0])).unwrap();
        box_2d.add_wall(Wall::new([1.0, 0.0], [1.0, 0.0])).unwrap();
        assert_eq!(box_2d.face(0), None);
        box_2d.add_piston(Piston::new([7.0, 0.0], [-1.0, 0.0], 1.0)).unwrap();
        assert_eq!(box_2d.face(0), Some(5.0));
        assert_eq!(box_2d.face(1), None);
        let mut column = Packing::<Space>::new();
        column.cell = Cell::open().periodic(0, -1.0, 2.0).unwrap().periodic(2, 0.0, 5.0).unwrap();
        column.add_piston(Piston::new([0.0, 9.0, 0.0], [0.0, -2.0, 0.0], 1.0)).unwrap();
        column.add_piston(Piston::new([0.0, 9.0, 0.0], [1.0, -2.0, 0.0], 1.0)).unwrap();
        assert_eq!((column.face(0), column.face(1)), (Some(15.0), None));
    }
}
