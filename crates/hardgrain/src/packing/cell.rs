//! The cell: open, or periodic along any of its axes. Contacts follow the minimum-image convention.

use crate::digest::Digest;
use crate::dimension::Dimension;
use crate::error::InputError;
use crate::vector::Components;

/// The periodic axes and their ranges.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Cell<D: Dimension> {
    lower: D::Vector<f64>,
    // 0 where the cell is open.
    period: D::Vector<f64>,
}

impl<D: Dimension> Cell<D> {
    /// A cell without periodic axes.
    pub fn open() -> Self {
        Self::default()
    }

    /// The same cell, periodic along `axis` (0 is x) from `lower` to `upper`.
    ///
    /// # Errors
    /// When there is no such axis, or the range is empty or not finite.
    pub fn periodic(self, axis: usize, lower: f64, upper: f64) -> Result<Self, InputError> {
        self.with_period(axis, lower, upper - lower)
    }

    /// The same cell, periodic along `axis` from `lower` to `lower + width`. With [`lower`](Self::lower) and [`period`](Self::period) of
    /// another cell it reproduces that cell bit for bit.
    ///
    /// # Errors
    /// As for [`periodic`](Self::periodic).
    pub fn with_period(mut self, axis: usize, lower: f64, width: f64) -> Result<Self, InputError> {
        if axis >= D::AXES {
            return Err(InputError::range("periodic axis", axis as f64, "smaller than the dimension"));
        }
        if !(lower.is_finite() && width.is_finite() && width > 0.0) {
            return Err(InputError::range("width of the periodic cell", width, "finite and above 0"));
        }
        self.lower.as_mut_slice()[axis] = lower;
        self.period.as_mut_slice()[axis] = width;
        Ok(self)
    }

    /// The period along an axis, if it is periodic.
    pub fn period(&self, axis: usize) -> Option<f64> {
        Some(self.period.as_slice()[axis]).filter(|&period| period > 0.0)
    }

    /// The lower edge along an axis; meaningless for open axes.
    pub fn lower(&self, axis: usize) -> f64 {
        self.lower.as_slice()[axis]
    }

    pub(crate) fn digest(&self, digest: &mut Digest) {
        digest.numbers(self.lower.as_slice());
        digest.numbers(self.period.as_slice());
    }

    /// The axes that are periodic, with their periods.
    pub fn periodic_axes(&self) -> impl Iterator<Item = (usize, f64)> {
        let period = self.period;
        (0..D::AXES).map(move |axis| (axis, period.as_slice()[axis])).filter(|&(_, period)| period > 0.0)
    }

    /// Whether no axis is periodic.
    #[inline]
    pub(crate) fn is_open(&self) -> bool {
        self.period.as_slice().iter().all(|period| *period == 0.0)
    }

    /// Whether a position lies inside the range of every periodic axis, edges included.
    pub fn holds(&self, position: D::Vector<f64>) -> bool {
        self.periodic_axes().all(|(axis, period)| {
            let place = position.as_slice()[axis] - self.lower(axis);
            (0.0..=period).contains(&place)
        })
    }

    /// Whether a position needs no wrapping. The upper edge of a cell belongs to the next one.
    #[inline(always)]
    pub(crate) fn is_inside(&self, position: D::Vector<f64>) -> bool {
        let mut inside = true;
        let edges = self.lower.as_slice().iter().zip(self.period.as_slice());
        for (place, (lower, period)) in position.as_slice().iter().zip(edges) {
            let offset = place - lower;
            inside &= *period == 0.0 || (offset >= 0.0 && offset < *period);
        }
        inside
    }

    /// The separation of the nearest images, and the number of periods added to it along each axis.
    #[inline]
    pub fn nearest(&self, mut separation: D::Vector<f64>) -> (D::Vector<f64>, [i32; 3]) {
        let mut shift = [0; 3];
        let periods = self.period.as_slice().iter();
        for ((component, period), shift) in separation.as_mut_slice().iter_mut().zip(periods).zip(&mut shift) {
            // Both positions lie in the cell, so the nearest image is at most one period away. An open axis has period 0.
            if *period > 0.0 && *component > 0.5 * period {
                *component -= period;
                *shift = -1;
            } else if *period > 0.0 && *component < -0.5 * period {
                *component += period;
                *shift = 1;
            }
        }
        (separation, shift)
    }

    /// All images of a separation that are less than a period away along every axis, the nearest one first.
    pub(crate) fn images(&self, separation: D::Vector<f64>) -> impl Iterator<Item = (D::Vector<f64>, [i32; 3])> {
        let (nearest, shift) = self.nearest(separation);
        let period = self.period;
        (0..1_usize << D::AXES).filter_map(move |sides| {
            let (mut image, mut shift) = (nearest, shift);
            for axis in (0..D::AXES).filter(|axis| sides >> axis & 1 == 1) {
                let (period, component) = (period.as_slice()[axis], &mut image.as_mut_slice()[axis]);
                if period == 0.0 {
                    return None;
                }
                // The image on the other side.
                let side = if *component > 0.0 { -1.0 } else { 1.0 };
                *component += side * period;
                shift[axis] += if side > 0.0 { 1 } else { -1 };
            }
            Some((image, shift))
        })
    }

    /// A separation shifted by whole periods.
    #[inline(always)]
    pub(crate) fn shifted(&self, mut separation: D::Vector<f64>, shift: [impl Into<f64>; 3]) -> D::Vector<f64> {
        let periods = self.period.as_slice().iter().zip(shift);
        for (component, (period, shift)) in separation.as_mut_slice().iter_mut().zip(periods) {
            *component += period * shift.into();
        }
        separation
    }

    /// Wraps a position into the cell and counts the crossings.
    pub fn wrap(&self, position: &mut D::Vector<f64>, turns: &mut [i32; 3]) {
        for (axis, period) in self.periodic_axes() {
            let place = &mut position.as_mut_slice()[axis];
            let crossings = ((*place - self.lower(axis)) / period).floor();
            if crossings != 0.0 {
                *place -= crossings * period;
                // Saturates at two thousand million crossings.
                #[allow(clippy::cast_possible_truncation)]
                let count = crossings as i32;
                turns[axis] = turns[axis].saturating_add(count);
                // Rounding may leave it slightly outside.
                *place = place.clamp(self.lower(axis), self.lower(axis) + period);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Plane, Vector};

    #[test]
    fn nearest_images_and_crossings() {
        let cell = Cell::<Plane>::open().periodic(0, -1.0, 9.0).unwrap();
        let (separation, shift) = cell.nearest(Vector([9.5, 30.0]));
        assert_eq!((separation, shift), (Vector([-0.5, 30.0]), [-1, 0, 0]));
        let (mut position, mut turns) = (Vector([-1.25, -40.0]), [2, 0, 0]);
        cell.wrap(&mut position, &mut turns);
        assert_eq!((position, turns), (Vector([8.75, -40.0]), [1, 0, 0]));
        assert!(cell.holds(position) && !cell.holds(Vector([9.5, 0.0])));
    }

    #[test]
    fn nonsense_is_refused() {
        for (axis, lower, upper) in
            [(2, 0.0, 1.0), (0, 1.0, 1.0), (0, 2.0, 1.0), (0, f64::NAN, 1.0), (0, 0.0, f64::INFINITY)]
        {
            assert!(Cell::<Plane>::open().periodic(axis, lower, upper).is_err());
        }
    }
}
