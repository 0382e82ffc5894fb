//! Who may touch whom for many steps. The list holds every two parts that are nearer than the sum of their reaches, a reach being a stride
//! and some more, and is good as long as no part has come so far that its stride no longer fits into its reach. Which pairs a step sees
//! does not depend on when the list was made.

use crate::dimension::Dimension;
use crate::error::Failure;
use crate::packing::{Boundary, Cell, Motion, Packing, Pair};
use crate::part::Part;
use crate::search::neighbour::{Neighbours, look, put_in_order};
use crate::search::stride::Strides;
use crate::threads::Threads;
use crate::vector::Components;

/// A reach is longer than a stride by so many strides,
const STRIDES: f64 = 10.0;
/// but by no less than this share of a radius, so that what hardly moves is listed once,
const THINNEST: f64 = 0.05;
/// and no more than this, or the list is longer than it is worth.
const THICKEST: f64 = 0.5;
/// A share of a radius that is more than any rounding.
const ROUNDING: f64 = 1e-6;

/// So many candidates are looked at by one thread at a time.
const PIECE: usize = if cfg!(test) { 16 } else { 8192 };

/// The list and what it was made from. It holds only workspace.
#[derive(Clone, Debug, Default)]
pub(crate) struct Candidates<D: Dimension> {
    neighbours: Neighbours<D>,
    list: Vec<(u32, Part)>,
    pieces: Vec<Vec<Pair<D>>>,
    nearest: Vec<[f64; 2]>,
    reaches: Strides,
    grains: Vec<Then<D>>,
    boundaries: Vec<Boundary<D>>,
    cell: Cell<D>,
}

/// What a grain was like when the list was made.
#[derive(Clone, Copy, Debug)]
struct Then<D: Dimension> {
    position: D::Vector<f64>,
    turns: [i32; 3],
    radius: f64,
    motion: Motion,
}

impl<D: Dimension> Candidates<D> {
    /// All pairs with a gap below the sum of their strides, sorted by identity: what [`Neighbours::detect`] finds.
    pub(crate) fn detect(
        &mut self,
        packing: &Packing<D>,
        strides: &Strides,
        pairs: &mut Vec<Pair<D>>,
        threads: &Threads,
    ) -> Result<(), Failure> {
        self.renew(packing, strides, threads);
        pairs.clear();
        if D::CHAIN || self.list.len() <= PIECE {
            look(packing, strides, &self.list, pairs)?;
            put_in_order(packing, pairs, &mut self.nearest);
            return Ok(());
        }
        self.in_pieces(packing, strides, threads, |piece| pairs.extend_from_slice(piece))
    }

    /// The same, some pairs after the other.
    pub(crate) fn pieces(
        &mut self,
        packing: &Packing<D>,
        strides: &Strides,
        threads: &Threads,
        each: impl FnMut(&[Pair<D>]),
    ) -> Result<(), Failure> {
        self.renew(packing, strides, threads);
        self.in_pieces(packing, strides, threads, each)
    }

    fn in_pieces(
        &mut self,
        packing: &Packing<D>,
        strides: &Strides,
        threads: &Threads,
        mut each: impl FnMut(&[Pair<D>]),
    ) -> Result<(), Failure> {
        // On a line what is behind a piece decides who is hidden.
        let size = if D::CHAIN { self.list.len().max(1) } else { PIECE };
        self.pieces.resize_with(threads.count(), Vec::new);
        // As many at a time as there are threads. Where a grain touches two images of another one, both are in one piece.
        for some in self.list.chunks(size * threads.count()) {
            let lists = some.chunks(size);
            let count = lists.len();
            threads.try_each(lists.zip(&mut self.pieces), |(_, (list, pairs))| {
                pairs.clear();
                look(packing, strides, list, pairs)?;
                put_in_order(packing, pairs, &mut Vec::new());
                Ok(())
            })?;
            self.pieces[..count].iter().for_each(|piece| each(piece));
        }
        Ok(())
    }

    /// Makes the list anew if it is no longer good.
    fn renew(&mut self, packing: &Packing<D>, strides: &Strides, threads: &Threads) {
        if !self.cover(packing, strides) {
            self.make(packing, strides, threads);
        }
    }

    /// Whether every pair with a gap below the sum of these strides is in the list.
    fn cover(&self, packing: &Packing<D>, strides: &Strides) -> bool {
        self.cell == packing.cell
            && self.grains.len() == packing.grains.len()
            && self.boundaries.len() == packing.pistons.len() + packing.walls.len()
            && self.boundaries.iter().zip(packing.boundaries()).all(|(then, now)| {
                let moved = (now.1 - then.1).dot(then.2).abs();
                then.0 == now.0 && then.2 == now.2 && moved + strides.of(now.0) <= self.reaches.of(now.0)
            })
            && self.grains.iter().zip(&packing.grains).zip(0..).all(|((then, grain), number)| {
                let turned = std::array::from_fn(|axis| grain.turns[axis].wrapping_sub(then.turns[axis]));
                let moved = self.cell.shifted(grain.position - then.position, turned).length();
                let part = Part::Grain(number);
                let room = self.reaches.of(part) - strides.of(part) - ROUNDING * grain.radius;
                grain.radius == then.radius && grain.motion == then.motion && moved <= room
            })
    }

    fn make(&mut self, packing: &Packing<D>, strides: &Strides, threads: &Threads) {
        let radius = packing.grains.iter().fold(0.0, |sum, grain| sum + grain.radius) / packing.grains.len() as f64;
        self.reaches.change_from(strides, |stride, part| {
            let radius = if let Part::Grain(grain) = part { packing.grains[grain as usize].radius } else { radius };
            stride + (STRIDES * stride).clamp(THINNEST * radius, THICKEST * radius)
        });
        self.neighbours.find(packing, &self.reaches, &mut self.list, threads);
        self.boundaries.clear();
        self.boundaries.extend(packing.boundaries());
        self.cell = packing.cell;
        self.grains.clear();
        self.grains.extend(packing.grains.iter().map(|grain| Then {
            position: grain.position,
            turns: grain.turns,
            radius: grain.radius,
            motion: grain.motion,
        }));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Grain, Line, Piston, Plane, Purpose, Seed, Space, Wall};

    /// Grains of many sizes that fly about through a cell which is periodic along x and narrow, one of them very fast, between a wall and a
    /// piston that moves.
    fn finds_what_a_search_finds<D: Dimension>(count: u32) {
        let mut stream = Seed(5).stream(Purpose::Place, 0, 0);
        let mut packing = Packing::<D>::new();
        let side = 3.0 + f64::from(count).powf(1.0 / D::AXES as f64);
        let vector = |along: usize, value: f64| D::Vector::from_fn(|axis| if axis == along { value } else { 0.0 });
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
            made += usize::from(!candidates.cover(&packing, &strides));
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
