//! A curve that fills space (Morton's): who lies near on it lies near in the packing, so that what a sweep needs next is in the
//! cache already.
//!
//! Space is cut into cells about a grain wide, and the bits of a cell's indices along the axes, taken in turns, are its place on the curve.

use crate::dimension::Dimension;
use crate::packing::Packing;
use crate::problem::{Problem, Row};
use crate::vector::Components;

/// Fewer grains than these fit into a cache in any order.
const FEW: usize = 10_000;

/// Bits of a digit: 2048 counters fit into a cache.
const DIGIT: u32 = 11;

/// Workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Curve {
    keys: Vec<(u64, u32)>,
    sorted: Vec<(u64, u32)>,
}

impl Curve {
    /// The place of every body of a problem: grains along the curve, then pistons and walls. It follows from where the grains are, and from
    /// nothing else. Few grains stay as they are numbered, and `places` is empty.
    pub(crate) fn follow<D: Dimension>(&mut self, packing: &Packing<D>, places: &mut Vec<u32>) {
        places.clear();
        if packing.grains.len() < FEW {
            return;
        }
        self.keys.clear();
        let cells = Cells::of(packing);
        self.keys.extend(packing.grains.iter().zip(0..).map(|(grain, number)| (cells.place(grain.position), number)));
        self.sort();
        places.resize(packing.grains.len(), 0);
        for (&(_, number), place) in self.keys.iter().zip(0..) {
            places[number as usize] = place;
        }
        let boundaries = packing.pistons.len() + packing.walls.len();
        let grains = u32::try_from(packing.grains.len()).expect("parts are counted in 32 bits");
        places.extend((grains..).take(boundaries));
    }

    /// Digit by digit, the lowest first; within a cell grains stay in the order of their numbers.
    fn sort(&mut self) {
        let most = self.keys.iter().fold(0, |most, (key, _)| most | key);
        let mut shift = 0;
        while shift < u64::BITS && most >> shift > 0 {
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

/// Contacts along the curve: by whichever of their bodies comes first on it, and as they are numbered where that is the same.
pub(crate) fn contacts<D: Dimension>(problem: &Problem<D>, next: &mut Vec<u32>, along: &mut Vec<u32>) {
    if problem.curve.is_empty() {
        along.clear();
        along.extend(0..u32::try_from(problem.rows.len()).expect("fewer contacts than 2^32"));
        return;
    }
    let place = |row: &Row<D>| problem.curve[row.first as usize].min(problem.curve[row.second as usize]);
    sort_by_place(problem.rows.iter().map(place), problem.bodies.len(), next, along);
}

/// Which of some things, with places from 0 up to but without `bound`, comes first, second …; those at one place stay in order.
pub(crate) fn sort_by_place(
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
    for (place, thing) in places.zip(0..) {
        let next = &mut next[place as usize];
        sorted[*next as usize] = thing;
        *next += 1;
    }
}

/// Cells about a grain wide.
struct Cells<D: Dimension> {
    lower: D::Vector<f64>,
    per_length: f64,
}

impl<D: Dimension> Cells<D> {
    /// Bits of an index: all axes together must fit into 64.
    const BITS: usize = 63 / D::AXES;

    fn of(packing: &Packing<D>) -> Self {
        let lowest = |axis: usize| {
            packing.grains.iter().map(|grain| grain.position.as_slice()[axis]).fold(f64::INFINITY, f64::min)
        };
        let diameters = packing.grains.iter().fold(0.0, |sum, grain| sum + 2.0 * grain.radius);
        Self { lower: D::Vector::from_fn(lowest), per_length: packing.grains.len() as f64 / diameters }
    }

    /// The place of a position on the curve.
    fn place(&self, position: D::Vector<f64>) -> u64 {
        let way = position - self.lower;
        let mut place = 0;
        for (axis, along) in way.as_slice().iter().enumerate() {
            // Saturates: what is very far away shares the last cell.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let mut index = ((along * self.per_length) as u64).min((1 << Self::BITS) - 1);
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
    use crate::{Grain, Plane, Purpose, Seed, Space, Wall};

    fn scattered<D: Dimension>(count: usize) -> Packing<D> {
        let mut packing = Packing::<D>::new();
        let mut stream = Seed(1).stream(Purpose::Place, 0, 0);
        for _ in 0..count {
            packing.add(Grain::new(D::Vector::from_fn(|_| 100.0 * stream.uniform() - 30.0), 0.5)).unwrap();
        }
        let along = |value: f64| D::Vector::from_fn(|axis| if axis == 0 { value } else { 0.0 });
        packing.add_wall(Wall::new(along(-31.0), along(1.0))).unwrap();
        packing
    }

    fn who_is_near_on_it_is_near<D: Dimension>() {
        let packing = scattered::<D>(FEW);
        let mut places = Vec::new();
        Curve::default().follow(&packing, &mut places);
        let mut along = vec![u32::MAX; places.len()];
        for (&place, body) in places.iter().zip(0..) {
            along[place as usize] = body;
        }
        assert!(along.iter().all(|&body| body != u32::MAX), "every place once");
        assert_eq!(places[FEW] as usize, FEW, "walls come last");
        let position = |place: usize| packing.grains[along[place] as usize].position;
        let steps = (1..FEW).map(|place| (position(place) - position(place - 1)).length());
        let mean = steps.fold(0.0, |sum, step| sum + step) / FEW as f64;
        // At random, two of them would be about 50 to 65 apart.
        assert!(mean < 8.0, "{mean}");
    }

    #[test]
    fn neighbours_on_the_curve_are_neighbours_in_the_packing() {
        who_is_near_on_it_is_near::<Plane>();
        who_is_near_on_it_is_near::<Space>();
    }

    #[test]
    fn a_grain_at_the_end_of_the_world_spoils_nothing() {
        let mut packing = scattered::<Space>(FEW);
        packing.grains[5].position = [1e300, 0.0, 0.0].into();
        let mut places = Vec::new();
        Curve::default().follow(&packing, &mut places);
        assert_eq!(places[5] as usize, FEW - 1);
    }

    #[test]
    fn few_grains_stay_where_they_are() {
        let mut places = vec![7];
        Curve::default().follow(&scattered::<Plane>(10), &mut places);
        assert!(places.is_empty());
    }
}
