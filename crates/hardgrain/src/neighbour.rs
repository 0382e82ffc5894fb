//! Who may touch whom within this step: a cell list that gives the same pairs in the same order every time.
//!
//! Grains are sorted into levels by how far they can touch, radius and stride, each level half as large as the one above,
//! and each level has its own grid whose cells are as wide as two of its grains touch. A grain looks into its own level
//! and into the coarser ones, always at the cells around it, so a few large or fast grains among many cost nothing extra.
//!
//! Grids are wrapped: cell indices are taken modulo the number of cells. Along a periodic axis that is the physics. Along
//! an open axis it bounds the memory however far a grain flies; cells that share a slot only add pairs that the distance
//! test throws out.

use crate::cell::Cell;
use crate::contact::{Identity, Pair, Part};
use crate::dimension::Dimension;
use crate::error::InputError;
use crate::grain::{Grain, Motion};
use crate::packing::{Boundary, Packing};
use crate::stride::Strides;
use crate::vector::Components;

/// Sizes 1 : 2⁶⁰ are told apart; smaller grains share the last level.
const LEVELS: u32 = 60;

/// Finds pairs. It holds only workspace and can be thrown away between steps.
#[derive(Clone, Debug, Default)]
pub struct Neighbours<D: Dimension> {
    // From the coarsest to the finest level.
    grids: Vec<Grid<D>>,
}

impl<D: Dimension> Neighbours<D> {
    /// All pairs with a gap below the sum of their strides, sorted by identity. Two parts that cannot move make no pair.
    ///
    /// # Errors
    /// When two grains have the same centre.
    pub fn detect(
        &mut self,
        packing: &Packing<D>,
        strides: &Strides,
        pairs: &mut Vec<Pair<D>>,
    ) -> Result<(), InputError> {
        self.find(packing, strides, pairs)?;
        if D::CHAIN {
            keep_nearest(packing, pairs);
        }
        Ok(())
    }

    /// The same, on a line also those that are hidden behind others.
    pub(crate) fn find(
        &mut self,
        packing: &Packing<D>,
        strides: &Strides,
        pairs: &mut Vec<Pair<D>>,
    ) -> Result<(), InputError> {
        pairs.clear();
        self.build(packing, strides);
        let mut slots = [0; 27];
        for (index, grid) in self.grids.iter().enumerate() {
            for one in &grid.members {
                for other_grid in &self.grids[..=index] {
                    let count = other_grid.around(one.position, &mut slots);
                    for &slot in &slots[..count] {
                        for other in other_grid.cell(slot) {
                            // Of one level both would find each other; the lower number reports.
                            let mine = other_grid.level < grid.level || one.number < other.number;
                            if mine && near(packing, one, other) {
                                between(packing, strides, [one.number, other.number], pairs)?;
                            }
                        }
                    }
                }
            }
        }
        for (grain, first) in packing.grains.iter().zip(0..) {
            pairs.extend(packing.boundaries().filter_map(|boundary| beside(grain, first, boundary, strides)));
        }
        pairs.sort_unstable_by_key(|pair| pair.identity);
        Ok(())
    }

    fn build(&mut self, packing: &Packing<D>, strides: &Strides) {
        let member = |(grain, number): (&Grain<D>, u32)| Member {
            position: grain.position,
            touch: grain.radius + strides.of(Part::Grain(number)),
            number,
        };
        let members = || packing.grains.iter().zip(0..).map(member);
        let widest = members().map(|member| member.touch).fold(0.0, f64::max);
        self.grids.iter_mut().for_each(|grid| grid.unsorted.clear());
        for member in members() {
            let level = level(widest, member.touch);
            let found = self.grids.binary_search_by_key(&level, |grid| grid.level);
            let index = found.unwrap_or_else(|index| {
                self.grids.insert(index, Grid { level, ..Grid::default() });
                index
            });
            self.grids[index].unsorted.push(member);
        }
        self.grids.retain(|grid| !grid.unsorted.is_empty());
        for grid in &mut self.grids {
            let touch = grid.unsorted.iter().map(|member| member.touch).fold(0.0, f64::max);
            grid.build(&packing.cell, 2.0 * touch);
        }
    }
}

/// Level 0 holds those that touch farthest and down to half of that, level 1 down to a quarter, and so on.
fn level(widest: f64, touch: f64) -> u32 {
    let mut bound = 0.5 * widest;
    let mut level = 0;
    while touch <= bound && level < LEVELS {
        bound *= 0.5;
        level += 1;
    }
    level
}

/// What the search has to know of a grain, kept together where it looks.
#[derive(Clone, Copy, Debug)]
struct Member<D: Dimension> {
    position: D::Vector<f64>,
    // Radius and stride.
    touch: f64,
    number: u32,
}

/// The grains of one level, sorted by the cell they lie in.
#[derive(Clone, Debug, Default)]
struct Grid<D: Dimension> {
    level: u32,
    unsorted: Vec<Member<D>>,
    members: Vec<Member<D>>,
    // The members of a cell are members[start[slot]..start[slot + 1]].
    start: Vec<u32>,
    slots: Vec<u32>,
    lower: D::Vector<f64>,
    cells_per_length: D::Vector<f64>,
    cells: [u32; 3],
}

impl<D: Dimension> Grid<D> {
    /// A counting sort: grains keep their order inside a cell.
    fn build(&mut self, cell: &Cell<D>, width: f64) {
        self.shape(cell, width);
        let mut slots = std::mem::take(&mut self.slots);
        slots.clear();
        slots.extend(self.unsorted.iter().map(|member| self.slot(self.address(member.position))));
        self.slots = slots;
        self.start.clear();
        self.start.resize(self.cells.iter().product::<u32>() as usize + 1, 0);
        for &slot in &self.slots {
            self.start[slot as usize] += 1;
        }
        // First the end of each cell, then, filling from the back, its start.
        let mut end = 0;
        for start in &mut self.start {
            end += *start;
            *start = end;
        }
        self.members.clone_from(&self.unsorted);
        for (member, &slot) in self.unsorted.iter().zip(&self.slots).rev() {
            self.start[slot as usize] -= 1;
            self.members[self.start[slot as usize] as usize] = *member;
        }
    }

    /// Chooses the number of cells: as fine as `width` allows, but not many more cells than grains.
    fn shape(&mut self, cell: &Cell<D>, width: f64) {
        let most = u32::try_from(self.unsorted.len()).unwrap_or(u32::MAX).saturating_mul(4).clamp(64, 1 << 30);
        self.cells = [1; 3];
        for axis in 0..D::AXES {
            let along = |member: &Member<D>| member.position.as_slice()[axis];
            let lowest = self.unsorted.iter().map(along).fold(f64::INFINITY, f64::min);
            let highest = self.unsorted.iter().map(along).fold(f64::NEG_INFINITY, f64::max);
            let (lower, length) = match cell.period(axis) {
                Some(period) => (cell.lower(axis), period),
                None => (lowest, highest - lowest + width),
            };
            // Saturates: whatever comes out is brought into range.
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
            let cells = (length / width) as u32;
            self.lower.as_mut_slice()[axis] = lower;
            self.cells[axis] = cells.clamp(1, most);
        }
        while self.cells.iter().map(|&cells| u64::from(cells)).product::<u64>() > u64::from(most) {
            let longest = (0..D::AXES).max_by_key(|&axis| self.cells[axis]).expect("there is an axis");
            self.cells[longest] = self.cells[longest].div_ceil(2);
        }
        for axis in 0..D::AXES {
            // Periodic cells fill the period exactly, so that wrapping is the physics.
            let per_length = cell.period(axis).map_or(1.0 / width, |period| f64::from(self.cells[axis]) / period);
            self.cells_per_length.as_mut_slice()[axis] = per_length;
        }
    }

    /// The cell of a position along each axis, wrapped.
    fn address(&self, position: D::Vector<f64>) -> [u32; 3] {
        let mut address = [0; 3];
        for (axis, index) in address.iter_mut().enumerate().take(D::AXES) {
            let place = position.as_slice()[axis] - self.lower.as_slice()[axis];
            // Saturates far out, where everything shares the last cell.
            #[allow(clippy::cast_possible_truncation)]
            let cell = (place * self.cells_per_length.as_slice()[axis]).floor() as i64;
            let cells = self.cells[axis];
            let inside = u32::try_from(cell).ok().filter(|&cell| cell < cells);
            let wrapped = || u32::try_from(cell.rem_euclid(i64::from(cells))).expect("a remainder of a u32");
            *index = inside.unwrap_or_else(wrapped);
        }
        address
    }

    fn slot(&self, [x, y, z]: [u32; 3]) -> u32 {
        (z * self.cells[1] + y) * self.cells[0] + x
    }

    fn cell(&self, slot: u32) -> &[Member<D>] {
        &self.members[self.start[slot as usize] as usize..self.start[slot as usize + 1] as usize]
    }

    /// The slots of the cells around a position, each once; the return value says how many there are.
    fn around(&self, position: D::Vector<f64>, slots: &mut [u32; 27]) -> usize {
        let address = self.address(position);
        // Along each axis the cell itself, the next and the previous one. With two cells on an axis both neighbours are
        // the same, with one cell there is none.
        let beside = |axis: usize| {
            let (index, cells) = (address[axis], self.cells[axis]);
            let next = if index + 1 == cells { 0 } else { index + 1 };
            let previous = if index == 0 { cells - 1 } else { index - 1 };
            ([index, next, previous], cells.min(3) as usize)
        };
        let ((xs, x_count), (ys, y_count), (zs, z_count)) = (beside(0), beside(1), beside(2));
        let mut count = 0;
        for &z in &zs[..z_count] {
            for &y in &ys[..y_count] {
                for &x in &xs[..x_count] {
                    slots[count] = self.slot([x, y, z]);
                    count += 1;
                }
            }
        }
        count
    }
}

/// Whether the gap between two grains is below the sum of their strides.
#[inline]
fn near<D: Dimension>(packing: &Packing<D>, one: &Member<D>, other: &Member<D>) -> bool {
    let (separation, _) = packing.cell.nearest(other.position - one.position);
    let touch = one.touch + other.touch;
    separation.length_squared() < touch * touch
}

/// Two grains as a pair, if at least one of them can move; in a narrow cell there may be a pair on either side.
pub(crate) fn between<D: Dimension>(
    packing: &Packing<D>,
    strides: &Strides,
    both: [u32; 2],
    pairs: &mut Vec<Pair<D>>,
) -> Result<(), InputError> {
    let (first, second) = (both[0].min(both[1]), both[0].max(both[1]));
    let (a, b) = (&packing.grains[first as usize], &packing.grains[second as usize]);
    if a.motion != Motion::Free && b.motion != Motion::Free {
        return Ok(());
    }
    let touching = a.radius + b.radius;
    let margin = strides.of(Part::Grain(first)) + strides.of(Part::Grain(second));
    let apart = b.position - a.position;
    // The other images are farther away than the nearest.
    let (nearest, reach) = (packing.cell.nearest(apart).0.length_squared(), touching + margin);
    if nearest > reach * reach * (1.0 + 1e-9) {
        return Ok(());
    }
    let images = if packing.cell.is_open() { 1 } else { 1 << D::AXES };
    for (separation, shift) in packing.cell.images(apart).take(images) {
        let distance = separation.length();
        if distance <= f64::EPSILON * touching {
            return Err(InputError::Coincident { first, second });
        }
        if distance < touching + margin {
            let image = std::array::from_fn(|axis| shift[axis].wrapping_add(a.turns[axis]).wrapping_sub(b.turns[axis]));
            let identity = Identity { first, second: Part::Grain(second), image };
            pairs.push(Pair { identity, gap: distance - touching, normal: separation * (1.0 / distance) });
        }
    }
    Ok(())
}

/// A grain and a piston or wall as a pair, if they are near and at least one of them can move.
pub(crate) fn beside<D: Dimension>(
    grain: &Grain<D>,
    first: u32,
    (second, point, normal): Boundary<D>,
    strides: &Strides,
) -> Option<Pair<D>> {
    let gap = (grain.position - point).dot(normal) - grain.radius;
    let mobile = grain.motion == Motion::Free || matches!(second, Part::Piston(_));
    let identity = Identity { first, second, image: [0; 3] };
    let near = gap < strides.of(Part::Grain(first)) + strides.of(second);
    (mobile && near).then(|| Pair { identity, gap, normal: -normal })
}

/// On a line a grain that can move hides what is behind it: a pair counts if it is the nearest for one of its two. Fixed
/// and prescribed grains, pistons and walls hide nothing, since they do not stop each other.
pub(crate) fn keep_nearest<D: Dimension>(packing: &Packing<D>, pairs: &mut Vec<Pair<D>>) {
    let mut nearest = vec![[f64::INFINITY; 2]; packing.grains.len()];
    let mobile = |grain: u32| packing.grains[grain as usize].motion == Motion::Free;
    // Each grain of a pair, the side on which the other one is, and whether that one can move.
    let ends = |pair: &Pair<D>| {
        let (first, right) = (pair.identity.first, usize::from(pair.normal.as_slice()[0] > 0.0));
        let (second, hides) = match pair.identity.second {
            Part::Grain(second) => (Some((second as usize, 1 - right, mobile(first))), mobile(second)),
            Part::Piston(_) | Part::Wall(_) => (None, false),
        };
        [Some((first as usize, right, hides)), second].into_iter().flatten()
    };
    for pair in pairs.iter() {
        for (grain, side, _) in ends(pair).filter(|end| end.2) {
            nearest[grain][side] = nearest[grain][side].min(pair.gap);
        }
    }
    pairs.retain(|pair| ends(pair).any(|(grain, side, _)| pair.gap <= nearest[grain][side]));
}
