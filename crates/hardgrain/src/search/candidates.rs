//! A Verlet list: pairs of parts that may touch within many steps. It holds all pairs with a gap below the sum of their reaches, a reach
//! being a stride plus a skin, and is valid until a part has moved so far that its stride no longer fits into its reach. The pairs that a
//! step finds do not depend on when the list was made.

use crate::dimension::Dimension;
use crate::error::Failure;
use crate::packing::{Packing, Pair};
use crate::part::Part;
use crate::search::neighbour::{Neighbours, find_pairs, sort_pairs};
use crate::search::snapshot::Snapshot;
use crate::search::stride::Strides;
use crate::threads::Threads;
use crate::tuning::StepTuning;

/// A bound of rounding errors, in radii, of positions up to 10⁹ radii away.
const ROUNDING: f64 = 1e-6;

/// The candidates that a thread tests at a time.
const CHUNK: usize = if cfg!(test) { 16 } else { StepTuning::DEFAULT.tested_per_task };

/// The list and the packing it was made from. It holds only workspace.
#[derive(Clone, Debug, Default)]
pub struct Candidates<D: Dimension> {
    neighbours: Neighbours<D>,
    list: Vec<(u32, Part)>,
    chunks: Vec<Vec<Pair<D>>>,
    nearest: Vec<[f64; 2]>,
    reaches: Strides,
    snapshot: Snapshot<D>,
}

impl<D: Dimension> Candidates<D> {
    /// All pairs with a gap below the sum of their strides, sorted by identity: what [`Neighbours::detect`] finds.
    ///
    /// # Errors
    /// When two grains have the same centre.
    pub fn detect(
        &mut self,
        packing: &Packing<D>,
        strides: &Strides,
        pairs: &mut Vec<Pair<D>>,
        threads: &Threads,
    ) -> Result<(), Failure> {
        self.update(packing, strides, threads);
        pairs.clear();
        if D::CHAIN || self.list.len() <= CHUNK {
            find_pairs(packing, strides, &self.list, pairs)?;
            sort_pairs(packing, pairs, &mut self.nearest);
            return Ok(());
        }
        self.each_chunk(packing, strides, threads, |chunk| pairs.extend_from_slice(chunk))
    }

    /// The same, one chunk of pairs after the other.
    ///
    /// # Errors
    /// When two grains have the same centre.
    pub fn detect_in_chunks(
        &mut self,
        packing: &Packing<D>,
        strides: &Strides,
        threads: &Threads,
        each: impl FnMut(&[Pair<D>]),
    ) -> Result<(), Failure> {
        self.update(packing, strides, threads);
        self.each_chunk(packing, strides, threads, each)
    }

    fn each_chunk(
        &mut self,
        packing: &Packing<D>,
        strides: &Strides,
        threads: &Threads,
        mut each: impl FnMut(&[Pair<D>]),
    ) -> Result<(), Failure> {
        // On a line, whether a pair is hidden depends on the whole list.
        let size = if D::CHAIN { self.list.len().max(1) } else { CHUNK };
        self.chunks.resize_with(threads.count(), Vec::new);
        // One chunk per thread at a time. Two images of the same pair come from one candidate, so both are in one chunk.
        for some in self.list.chunks(size * threads.count()) {
            let lists = some.chunks(size);
            let count = lists.len();
            threads.try_each(lists.zip(&mut self.chunks), |(_, (list, pairs))| {
                pairs.clear();
                find_pairs(packing, strides, list, pairs)?;
                sort_pairs(packing, pairs, &mut Vec::new());
                Ok(())
            })?;
            self.chunks[..count].iter().for_each(|chunk| each(chunk));
        }
        Ok(())
    }

    /// Whether every pair with a gap below the sum of these strides is in the list.
    fn covers(&self, packing: &Packing<D>, strides: &Strides) -> bool {
        self.snapshot.is_near(packing, |part, moved| {
            let rounding =
                if let Part::Grain(grain) = part { ROUNDING * packing.grains[grain as usize].radius } else { 0.0 };
            moved <= self.reaches.stride_of(part) - strides.stride_of(part) - rounding
        })
    }

    /// Makes the list anew if it is no longer valid.
    fn update(&mut self, packing: &Packing<D>, strides: &Strides, threads: &Threads) {
        if self.covers(packing, strides) {
            return;
        }
        let radius = packing.grains.iter().fold(0.0, |sum, grain| sum + grain.radius) / packing.grains.len() as f64;
        self.reaches.map_from(strides, packing, |stride, part| {
            let radius = if let Part::Grain(grain) = part { packing.grains[grain as usize].radius } else { radius };
            stride + StepTuning::DEFAULT.skin.skin(stride, radius)
        });
        self.neighbours.find(packing, &self.reaches, &mut self.list, threads);
        self.snapshot.take(packing);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Cell, Components, Grain, Line, Motion, Piston, Plane, Purpose, Seed, Space, Wall};

    /// Grains of many sizes, one of them very fast, fly through a narrow cell that is periodic along x, between a wall and a moving piston.
    fn finds_what_a_search_finds<D: Dimension>(count: u32) {
        let mut stream = Seed(5).stream(Purpose::Place, 0, 0);
        let mut packing = Packing::<D>::new();
        let side = 3.0 + f64::from(count).powf(1.0 / D::AXES as f64);
        let vector =
            |direction: usize, value: f64| D::Vector::from_fn(|axis| if axis == direction { value } else { 0.0 });
        let last = D::AXES - 1;
        if !D::CHAIN {
            packing.cell = Cell::open().periodic(0, 0.0, 4.0).unwrap();
        }
        packing.add_wall(Wall::new(vector(last, -1.0), vector(last, 1.0))).unwrap();
        packing.add_piston(Piston::new(vector(last, side + 1.0), vector(last, -1.0), 1.0)).unwrap();
        for number in 0..count {
            let width = |axis: usize| if axis == 0 && !D::CHAIN { 4.0 } else { side };
            let place = D::Vector::from_fn(|axis| width(axis) * stream.uniform());
            let fast = if number == 3 { 20.0 } else { 1.0 };
            let velocity = D::Vector::from_fn(|_| fast * (stream.uniform() - 0.5));
            packing.add(Grain::new(place, 0.1 + 0.3 * stream.uniform()).velocity(velocity)).unwrap();
        }
        let (mut candidates, mut neighbours) = (Candidates::default(), Neighbours::default());
        let (mut made, mut seen) = (0, 0);
        let (mut kept, mut searched, mut shared) = (Vec::new(), Vec::new(), Vec::new());
        for step in 0..200 {
            let strides = Strides::uniform(&packing, if step % 50 == 49 { 0.1 } else { 0.002 });
            made += usize::from(!candidates.covers(&packing, &strides));
            candidates.detect(&packing, &strides, &mut kept, &Threads::default()).unwrap();
            candidates.clone().detect(&packing, &strides, &mut shared, &Threads::new(3)).unwrap();
            neighbours.detect(&packing, &strides, &mut searched).unwrap();
            assert_eq!(kept, searched, "step {step}");
            assert_eq!(kept, shared, "step {step}");
            seen += kept.len();
            for grain in &mut packing.grains {
                grain.position += grain.velocity * 0.001;
                packing.cell.wrap(&mut grain.position, &mut grain.turns);
            }
            packing.pistons[0].point += vector(last, -0.002);
        }
        assert!(seen > 1000 && made < 80, "{seen} pairs, {made} lists in 200 steps");
    }

    #[test]
    fn a_list_that_lives_long_finds_what_a_search_finds() {
        finds_what_a_search_finds::<Line>(60);
        finds_what_a_search_finds::<Plane>(80);
        finds_what_a_search_finds::<Space>(150);
    }

    #[test]
    fn a_grain_that_is_changed_from_outside_is_seen() {
        let mut packing = Packing::<Plane>::new();
        packing.add(Grain::new([0.0, 0.0], 0.5)).unwrap();
        packing.add(Grain::new([3.0, 0.0], 0.5)).unwrap();
        let strides = Strides::uniform(&packing, 0.01);
        let (mut candidates, mut pairs) = (Candidates::default(), Vec::new());
        candidates.detect(&packing, &strides, &mut pairs, &Threads::default()).unwrap();
        assert!(pairs.is_empty());
        packing.grains[1].radius = 2.6;
        candidates.detect(&packing, &strides, &mut pairs, &Threads::default()).unwrap();
        assert_eq!(pairs.len(), 1);
        packing.grains[0].motion = Motion::Fixed;
        packing.grains[1].motion = Motion::Fixed;
        candidates.detect(&packing, &strides, &mut pairs, &Threads::default()).unwrap();
        assert!(pairs.is_empty(), "two that cannot move");
    }
}
