//! The Morton curve, also called Z-order: bodies that are neighbours on it are neighbours in the packing, so that contacts visited along
//! it find their bodies in the cache.
//!
//! Space is cut into cells about a grain wide. Interleaving the bits of a cell's indices along the axes gives its place on the curve.

use crate::dimension::Dimension;
use crate::part::number;
use crate::problem::{Problem, Row};
use crate::tuning::SweepTuning;
use crate::vector::Components;

const FEWEST: usize = SweepTuning::DEFAULT.curve_from;

/// Bits of a digit of the radix sort. Any number gives the same order; 2048 counters fit into a cache.
const DIGIT: u32 = 11;

/// Sorts grains along the curve. It holds only workspace.
#[derive(Clone, Debug, Default)]
pub struct Morton {
    keys: Vec<(u64, u32)>,
    sorted: Vec<(u64, u32)>,
}

impl Morton {
    /// The place of every body of a problem: grains, given by position and radius, along the curve; then pistons and walls. It depends on
    /// the positions and radii alone. Where there are few grains `places` is empty.
    pub fn places<D: Dimension>(
        &mut self,
        grains: impl ExactSizeIterator<Item = (D::Vector<f64>, f64)> + Clone,
        boundaries: usize,
        places: &mut Vec<u32>,
    ) {
        places.clear();
        let count = grains.len();
        if count < FEWEST {
            return;
        }
        self.keys.clear();
        let cells = Cells::<D>::new(grains.clone());
        self.keys.extend(grains.zip(0..).map(|((position, _), number)| (cells.place(position), number)));
        self.sort();
        places.resize(count, 0);
        for (&(_, number), place) in self.keys.iter().zip(0..) {
            places[number as usize] = place;
        }
        places.extend((number(count)..).take(boundaries));
    }

    /// Radix sort, the lowest digit first; within a cell grains stay in the order of their numbers.
    fn sort(&mut self) {
        let bits = self.keys.iter().fold(0, |bits, (key, _)| bits | key);
        let mut shift = 0;
        while shift < u64::BITS && bits >> shift > 0 {
            let digit = |key: u64| usize::try_from(key >> shift & ((1 << DIGIT) - 1)).expect("eleven bits");
            let mut next = [0_u32; 1 << DIGIT];
            for (key, _) in &self.keys {
                next[digit(*key)] += 1;
            }
            let mut start = 0;
            for count in &mut next {
                start += std::mem::replace(count, start);
            }
            self.sorted.resize(self.keys.len(), (0, 0));
            for key in &self.keys {
                let place = &mut next[digit(key.0)];
                self.sorted[*place as usize] = *key;
                *place += 1;
            }
            std::mem::swap(&mut self.keys, &mut self.sorted);
            shift += DIGIT;
        }
    }
}

/// The contacts of a problem in the order of the curve, each at the place of whichever of its bodies comes first; contacts at the same
/// place stay in the order of their numbers. `next` is workspace.
pub(crate) fn contacts_in_order<D: Dimension>(problem: &Problem<D>, next: &mut Vec<u32>, order: &mut Vec<u32>) {
    if problem.curve.is_empty() {
        order.clear();
        order.extend(0..number(problem.rows.len()));
        return;
    }
    let place = |row: &Row<D>| problem.curve[row.first as usize].min(problem.curve[row.second as usize]);
    sort_by_place(problem.rows.iter().map(place), problem.bodies.len(), next, order);
}

/// Counting sort: the indices of `places`, all below `bound`, sorted by place; equal places stay in order. `next` is workspace.
pub(super) fn sort_by_place(
    places: impl ExactSizeIterator<Item = u32> + Clone,
    bound: usize,
    next: &mut Vec<u32>,
    sorted: &mut Vec<u32>,
) {
    next.clear();
    next.resize(bound, 0);
    sorted.resize(places.len(), 0);
    places.clone().for_each(|place| next[place as usize] += 1);
    let mut start = 0;
    for count in next.iter_mut() {
        start += std::mem::replace(count, start);
    }
    for (place, index) in places.zip(0..) {
        let next = &mut next[place as usize];
        sorted[*next as usize] = index;
        *next += 1;
    }
}

/// Cells about a grain wide.
struct Cells<D: Dimension> {
    lower: D::Vector<f64>,
    per_length: f64,
}

impl<D: Dimension> Cells<D> {
    /// Bits of an index: those of all axes together must fit into 64.
    const BITS: usize = 63 / D::AXES;

    fn new(grains: impl ExactSizeIterator<Item = (D::Vector<f64>, f64)> + Clone) -> Self {
        let count = grains.len() as f64;
        let lowest =
            |axis: usize| grains.clone().map(|(position, _)| position.as_slice()[axis]).fold(f64::INFINITY, f64::min);
        let lower = D::Vector::from_fn(lowest);
        let diameters = grains.fold(0.0, |sum, (_, radius)| sum + 2.0 * radius);
        Self { lower, per_length: count / diameters }
    }

    /// The place of a position on the curve.
    fn place(&self, position: D::Vector<f64>) -> u64 {
        let offset = position - self.lower;
        let mut place = 0;
        for (axis, length) in offset.as_slice().iter().enumerate() {
            // Saturates: grains that are very far away share the last cell.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let mut index = ((length * self.per_length) as u64).min((1 << Self::BITS) - 1);
            let mut bit = axis;
            while index > 0 {
                place |= (index & 1) << bit;
                index >>= 1;
                bit += D::AXES;
            }
        }
        place
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Plane, Purpose, Seed, Space};

    fn scattered<D: Dimension>(count: usize) -> Vec<(D::Vector<f64>, f64)> {
        let mut stream = Seed(1).stream(Purpose::Place, 0, 0);
        (0..count).map(|_| (D::Vector::from_fn(|_| 100.0 * stream.uniform() - 30.0), 0.5)).collect()
    }

    /// The places of some grains and one wall.
    fn places<D: Dimension>(grains: &[(D::Vector<f64>, f64)]) -> Vec<u32> {
        let mut places = vec![7];
        Morton::default().places::<D>(grains.iter().copied(), 1, &mut places);
        places
    }

    fn neighbours_are_near<D: Dimension>() {
        let grains = scattered::<D>(FEWEST);
        let places = places::<D>(&grains);
        let mut order = vec![u32::MAX; places.len()];
        for (&place, body) in places.iter().zip(0..) {
            order[place as usize] = body;
        }
        assert!(order.iter().all(|&body| body != u32::MAX), "every place once");
        assert_eq!(places[FEWEST] as usize, FEWEST, "walls come last");
        let position = |place: usize| grains[order[place] as usize].0;
        let steps = (1..FEWEST).map(|place| (position(place) - position(place - 1)).length());
        let mean = steps.fold(0.0, |sum, step| sum + step) / FEWEST as f64;
        // At random, two of them would be about 50 to 65 apart.
        assert!(mean < 8.0, "{mean}");
    }

    #[test]
    fn neighbours_on_the_curve_are_neighbours_in_the_packing() {
        neighbours_are_near::<Plane>();
        neighbours_are_near::<Space>();
    }

    #[test]
    fn a_grain_at_the_end_of_the_world_spoils_nothing() {
        let mut grains = scattered::<Space>(FEWEST);
        grains[5].0 = [1e300, 0.0, 0.0].into();
        assert_eq!(places::<Space>(&grains)[5] as usize, FEWEST - 1);
    }

    #[test]
    fn few_grains_stay_where_they_are() {
        assert!(places::<Plane>(&scattered::<Plane>(10)).is_empty());
    }
}
