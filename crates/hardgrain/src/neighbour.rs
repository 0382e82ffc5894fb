//! Who may touch whom within this step: a cell list that gives the same pairs in the same order every time.
//!
//! Grains are sorted into levels by size, each level half as large as the one above, and each level has its own grid whose
//! cells are as wide as two of its grains reach. A grain looks into its own level and into the coarser ones, always at
//! the cells around it, so a few large grains among many small ones cost nothing extra.
//!
//! Grids are wrapped: cell indices are taken modulo the number of cells. Along a periodic axis that is the physics. Along
//! an open axis it bounds the memory however far a grain flies; cells that share a slot only add pairs that the distance
//! test throws out.

use crate::cell::Cell;
use crate::contact::{Identity, Pair, Part};
use crate::dimension::Dimension;
use crate::error::InputError;
use crate::grain::{Grain, Motion};
use crate::packing::Packing;
use crate::vector::Components;

/// Sizes 1 : 2²⁰ are told apart; smaller grains share the last level.
const LEVELS: usize = 20;

/// Finds pairs. It holds only workspace and can be thrown away between steps.
#[derive(Clone, Debug, Default)]
pub struct Neighbours<D: Dimension> {
    grids: Vec<Grid<D>>,
    level_of: Vec<usize>,
}

impl<D: Dimension> Neighbours<D> {
    /// All pairs with a gap below `margin`, sorted by identity. Two parts that cannot move make no pair.
    ///
    /// # Errors
    /// When two grains have the same centre.
    pub fn detect(&mut self, packing: &Packing<D>, margin: f64, pairs: &mut Vec<Pair<D>>) -> Result<(), InputError> {
        pairs.clear();
        self.build(packing, margin);
        for first in 0..packing.grains.len() {
            let level = self.level_of[first];
            for (index, grid) in self.grids.iter().enumerate().take(level + 1) {
                grid.around(packing.grains[first].position, |second| {
                    // Of one level both would find each other; the lower number reports.
                    if index < level || first < second as usize {
                        pairs.extend(between(packing, first, second as usize, margin)?);
                    }
                    Ok(())
                })?;
            }
        }
        for (grain, first) in packing.grains.iter().zip(0..) {
            pairs.extend(packing.boundaries().filter_map(|boundary| beside(grain, first, boundary, margin)));
        }
        pairs.sort_unstable_by_key(|pair| pair.identity);
        if D::CHAIN {
            keep_nearest(packing, pairs);
        }
        Ok(())
    }

    fn build(&mut self, packing: &Packing<D>, margin: f64) {
        let radius = |grain: &Grain<D>| grain.radius;
        let largest = packing.grains.iter().map(radius).fold(0.0, f64::max);
        self.level_of.clear();
        self.level_of.extend(packing.grains.iter().map(|grain| level(largest, grain.radius)));
        let levels = self.level_of.iter().max().map_or(0, |deepest| deepest + 1);
        self.grids.resize_with(levels, Grid::default);
        let mut widest = largest;
        for (index, grid) in self.grids.iter_mut().enumerate() {
            let members = (0..).zip(&self.level_of).filter(|&(_, &level)| level == index).map(|(grain, _)| grain);
            grid.build(packing, members, 2.0 * widest + margin);
            widest *= 0.5;
        }
    }
}

/// Level 0 holds the largest grains and those above half their size, level 1 those above a quarter, and so on.
fn level(largest: f64, radius: f64) -> usize {
    let mut bound = 0.5 * largest;
    let mut level = 0;
    while radius <= bound && level < LEVELS {
        bound *= 0.5;
        level += 1;
    }
    level
}

/// The grains of one level, sorted by the cell they lie in.
#[derive(Clone, Debug, Default)]
struct Grid<D: Dimension> {
    lower: D::Vector<f64>,
    cells_per_length: D::Vector<f64>,
    cells: [usize; 3],
    // Members of cell c are members[start[c]..start[c + 1]].
    start: Vec<u32>,
    members: Vec<u32>,
    slots: Vec<u32>,
}

impl<D: Dimension> Grid<D> {
    fn build(&mut self, packing: &Packing<D>, members: impl Iterator<Item = u32>, width: f64) {
        self.members.clear();
        self.members.extend(members);
        self.shape(packing, width);
        let position = |member: u32| packing.grains[member as usize].position;
        self.slots.clear();
        self.start.clear();
        self.start.resize(self.cells.iter().product::<usize>() + 1, 0);
        for &member in &self.members {
            let slot = self.slot(self.address(position(member)));
            self.slots.push(u32::try_from(slot).expect("fewer cells than 2^32"));
            self.start[slot + 1] += 1;
        }
        for slot in 1..self.start.len() {
            self.start[slot] += self.start[slot - 1];
        }
        // A counting sort: grains keep their order inside a cell.
        let (mut next, mut sorted) = (self.start.clone(), vec![0; self.members.len()]);
        for (&member, &slot) in self.members.iter().zip(&self.slots) {
            sorted[next[slot as usize] as usize] = member;
            next[slot as usize] += 1;
        }
        self.members = sorted;
    }

    /// Chooses the number of cells: as fine as `width` allows, but not many more cells than grains.
    fn shape(&mut self, packing: &Packing<D>, width: f64) {
        let most = 4 * self.members.len() + 64;
        self.cells = [1; 3];
        for axis in 0..D::AXES {
            let along = |&member: &u32| packing.grains[member as usize].position.as_slice()[axis];
            let lowest = self.members.iter().map(along).fold(f64::INFINITY, f64::min);
            let highest = self.members.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
            let (lower, length) = match packing.cell.period(axis) {
                Some(period) => (packing.cell.lower(axis), period),
                None => (lowest, highest - lowest + width),
            };
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let cells = ((length / width) as usize).clamp(1, most);
            self.lower.as_mut_slice()[axis] = lower;
            self.cells[axis] = cells;
        }
        while self.cells.iter().product::<usize>() > most {
            let longest = (0..D::AXES).max_by_key(|&axis| self.cells[axis]).expect("there is an axis");
            self.cells[longest] = self.cells[longest].div_ceil(2);
        }
        for axis in 0..D::AXES {
            // Periodic cells fill the period exactly, so that wrapping is the physics.
            let period = packing.cell.period(axis);
            let per_length = period.map_or(1.0 / width, |period| self.cells[axis] as f64 / period);
            self.cells_per_length.as_mut_slice()[axis] = per_length;
        }
    }

    fn address(&self, position: D::Vector<f64>) -> [i64; 3] {
        let mut address = [0; 3];
        for (axis, index) in address.iter_mut().enumerate().take(D::AXES) {
            let place = position.as_slice()[axis] - self.lower.as_slice()[axis];
            // Saturates far out, where everything shares the last cell.
            #[allow(clippy::cast_possible_truncation)]
            let cell = (place * self.cells_per_length.as_slice()[axis]).floor() as i64;
            *index = cell;
        }
        address
    }

    fn slot(&self, address: [i64; 3]) -> usize {
        let wrapped = |axis: usize| {
            let cells = i64::try_from(self.cells[axis]).expect("fewer cells than 2^32");
            usize::try_from(address[axis].rem_euclid(cells)).expect("a remainder is not negative")
        };
        (wrapped(2) * self.cells[1] + wrapped(1)) * self.cells[0] + wrapped(0)
    }

    /// Visits every member in the cells around a position once.
    fn around(
        &self,
        position: D::Vector<f64>,
        mut visit: impl FnMut(u32) -> Result<(), InputError>,
    ) -> Result<(), InputError> {
        let centre = self.address(position);
        // With two cells on an axis the left and the right neighbour are one and the same.
        let reach = |axis: usize| match self.cells[axis] {
            1 => 0..=0,
            2 => 0..=1,
            _ => -1..=1,
        };
        for z in reach(2) {
            for y in reach(1) {
                for x in reach(0) {
                    let step = [x, y, z];
                    let slot = self.slot(std::array::from_fn(|axis| centre[axis].saturating_add(step[axis])));
                    let range = self.start[slot] as usize..self.start[slot + 1] as usize;
                    for &member in &self.members[range] {
                        visit(member)?;
                    }
                }
            }
        }
        Ok(())
    }
}

/// Two grains as a pair, if they are near and at least one of them can move.
fn between<D: Dimension>(
    packing: &Packing<D>,
    one: usize,
    other: usize,
    margin: f64,
) -> Result<Option<Pair<D>>, InputError> {
    let (first, second) = (one.min(other), one.max(other));
    let (a, b) = (&packing.grains[first], &packing.grains[second]);
    let (separation, shift) = packing.cell.nearest(b.position - a.position);
    let (touching, squared) = (a.radius + b.radius, separation.length_squared());
    let reach = touching + margin;
    if squared >= reach * reach || (a.motion != Motion::Free && b.motion != Motion::Free) {
        return Ok(None);
    }
    let number = |index: usize| u32::try_from(index).expect("grains are counted in 32 bits");
    let distance = squared.sqrt();
    if distance <= f64::EPSILON * touching {
        return Err(InputError::Coincident { first: number(first), second: number(second) });
    }
    let image = std::array::from_fn(|axis| shift[axis].wrapping_add(a.turns[axis]).wrapping_sub(b.turns[axis]));
    let identity = Identity { first: number(first), second: Part::Grain(number(second)), image };
    Ok(Some(Pair { identity, gap: distance - touching, normal: separation * (1.0 / distance) }))
}

/// A grain and a piston or wall as a pair, if they are near and at least one of them can move.
fn beside<D: Dimension>(
    grain: &Grain<D>,
    first: u32,
    boundary: (Part, D::Vector<f64>, D::Vector<f64>),
    margin: f64,
) -> Option<Pair<D>> {
    let (second, point, normal) = boundary;
    let gap = (grain.position - point).dot(normal) - grain.radius;
    let mobile = grain.motion == Motion::Free || matches!(second, Part::Piston(_));
    let identity = Identity { first, second, image: [0; 3] };
    (mobile && gap < margin).then(|| Pair { identity, gap, normal: -normal })
}

/// On a line a grain touches its nearest neighbour on either side and nothing behind it.
fn keep_nearest<D: Dimension>(packing: &Packing<D>, pairs: &mut Vec<Pair<D>>) {
    let count = packing.grains.len();
    let mut nearest = vec![[f64::INFINITY; 2]; count];
    let ends = |pair: &Pair<D>| {
        let right = usize::from(pair.normal.as_slice()[0] > 0.0);
        let second = match pair.identity.second {
            Part::Grain(second) => Some((second as usize, 1 - right)),
            Part::Piston(_) | Part::Wall(_) => None,
        };
        [Some((pair.identity.first as usize, right)), second]
    };
    for pair in pairs.iter() {
        for (grain, side) in ends(pair).into_iter().flatten() {
            nearest[grain][side] = nearest[grain][side].min(pair.gap);
        }
    }
    pairs.retain(|pair| ends(pair).into_iter().flatten().all(|(grain, side)| pair.gap <= nearest[grain][side]));
}

/// The nearest separation of two positions in a cell, for a gap that is measured again after the grains have moved.
pub(crate) fn gap<D: Dimension>(packing: &Packing<D>, identity: Identity) -> f64 {
    let grain = &packing.grains[identity.first as usize];
    let beside = |point: D::Vector<f64>, normal: D::Vector<f64>| (grain.position - point).dot(normal) - grain.radius;
    match identity.second {
        Part::Grain(second) => {
            let other = &packing.grains[second as usize];
            let separation = Cell::nearest(&packing.cell, other.position - grain.position).0;
            separation.length() - grain.radius - other.radius
        }
        Part::Piston(index) => beside(packing.pistons[index as usize].point, packing.pistons[index as usize].normal),
        Part::Wall(index) => beside(packing.walls[index as usize].point, packing.walls[index as usize].normal),
    }
}
