//! The neighbour search: hierarchical cell lists that give the same pairs in the same order every time.
//!
//! Grains are sorted into levels by their reach, radius plus stride; each level has half the reach of the one above and a grid
//! of its own whose cells are as wide as the sum of two reaches. A grain searches the cells around it in its own level and in
//! the coarser ones, so a few large or fast grains among many cost nothing extra.

use crate::dimension::Dimension;
use crate::error::InputError;
use crate::packing::{Boundary, Grain, Identity, Motion, Packing, Pair, boundary_gap};
use crate::part::Part;
use crate::search::grid::{Grid, Member, NONE};
use crate::search::stride::Strides;
use crate::threads::Threads;
use crate::tuning::StepTuning;
use crate::vector::Components;
use std::ops::Range;

/// The number of levels below the first one. Grains smaller than 2⁻⁶⁰ of the largest are lost in its rounding, and share the last.
const LEVELS: u32 = 60;

/// Finds pairs. It holds only workspace and can be thrown away between steps.
#[derive(Clone, Debug, Default)]
pub struct Neighbours<D: Dimension> {
    // From the coarsest to the finest level.
    grids: Vec<Grid<D>>,
    near: Vec<(u32, Part)>,
    // A level and a range of its rows each.
    blocks: Vec<(usize, Range<u32>)>,
    // The pairs of grains found in each block, and where those of each grain start.
    pieces: Vec<Vec<[u32; 2]>>,
    starts: Vec<u32>,
    seconds: Vec<u32>,
}

impl<D: Dimension> Neighbours<D> {
    /// All pairs with a gap below the sum of their strides, sorted by identity, except those of two parts that cannot move.
    ///
    /// # Errors
    /// When two grains have the same centre.
    #[inline(never)]
    pub fn detect(
        &mut self,
        packing: &Packing<D>,
        strides: &Strides,
        pairs: &mut Vec<Pair<D>>,
    ) -> Result<(), InputError> {
        let mut near = std::mem::take(&mut self.near);
        self.find(packing, strides, &mut near, &Threads::default());
        pairs.clear();
        let found = find_pairs(packing, strides, &near, pairs);
        self.near = near;
        found?;
        sort_pairs(packing, pairs, &mut Vec::new());
        Ok(())
    }

    /// All pairs of parts with a gap below the sum of their strides, within rounding, sorted.
    pub(crate) fn find(
        &mut self,
        packing: &Packing<D>,
        strides: &Strides,
        list: &mut Vec<(u32, Part)>,
        threads: &Threads,
    ) {
        self.build(packing, strides);
        let Self { grids, blocks, pieces, .. } = self;
        blocks.clear();
        blocks.extend(grids.iter().enumerate().flat_map(|(level, grid)| {
            let rows = grid.rows();
            (0..rows.div_ceil(ROWS)).map(move |block| (level, block * ROWS..rows.min((block + 1) * ROWS)))
        }));
        pieces.resize_with(blocks.len(), Vec::new);
        threads.each(blocks.iter().zip(&mut *pieces), |(_, ((level, rows), found))| {
            found.clear();
            let each = |one: &Member<D>, other: &Member<D>| {
                if near(packing, one, other) {
                    found.push([one.number.min(other.number), one.number.max(other.number)]);
                }
            };
            search_rows((grids, *level), rows.clone(), each);
        });
        self.sort(packing, strides, list);
    }

    /// Sorts the pairs of grains by counting sort, each grain followed by the boundaries near it.
    fn sort(&mut self, packing: &Packing<D>, strides: &Strides, list: &mut Vec<(u32, Part)>) {
        let Self { pieces, starts, seconds, .. } = self;
        let found = || pieces.iter().flatten();
        starts.clear();
        starts.resize(packing.grains.len() + 1, 0);
        found().for_each(|[first, _]| starts[*first as usize] += 1);
        let mut next = 0;
        for start in starts.iter_mut() {
            next += std::mem::replace(start, next);
        }
        seconds.resize(next as usize, 0);
        for [first, second] in found() {
            let next = &mut starts[*first as usize];
            seconds[*next as usize] = *second;
            *next += 1;
        }
        // Each start has moved on to that of the next grain.
        list.clear();
        let mut begin = 0;
        for ((grain, first), &end) in packing.grains.iter().zip(0..).zip(starts.iter()) {
            let own = &mut seconds[begin as usize..end as usize];
            own.sort_unstable();
            list.extend(own.iter().map(|&second| (first, Part::Grain(second))));
            let touching = packing.boundaries().filter_map(|boundary| boundary_pair(grain, first, boundary, strides));
            list.extend(touching.map(|pair| (first, pair.identity.second())));
            begin = end;
        }
    }

    fn build(&mut self, packing: &Packing<D>, strides: &Strides) {
        let member = |(grain, number): (&Grain<D>, u32)| Member {
            position: grain.position,
            touch: grain.radius + strides.stride_of(Part::Grain(number)),
            number,
        };
        let members = || packing.grains.iter().zip(0..).map(member);
        let widest = members().map(|member| member.touch).fold(0.0, f64::max);
        self.grids.iter_mut().for_each(|grid| grid.unsorted.clear());
        for member in members() {
            let level = level(widest, member.touch);
            let found = self.grids.binary_search_by_key(&level, |grid| grid.level);
            let index = found.unwrap_or_else(|index| {
                self.grids.insert(index, Grid::of_level(level));
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

/// Level 0 holds reaches from the widest down to half of it, level 1 down to a quarter, and so on.
fn level(widest: f64, touch: f64) -> u32 {
    let mut bound = 0.5 * widest;
    let mut level = 0;
    while touch <= bound && level < LEVELS {
        bound *= 0.5;
        level += 1;
    }
    level
}

const ROWS: u32 = StepTuning::DEFAULT.searched_per_task;

/// Calls `near` with all pairs of members in the same or neighbouring cells, each pair once: those of some rows of one level among
/// themselves and with those of coarser levels.
fn search_rows<D: Dimension>(
    (grids, level): (&[Grid<D>], usize),
    rows: Range<u32>,
    mut near: impl FnMut(&Member<D>, &Member<D>),
) {
    let grid = &grids[level];
    for row in rows {
        let (y, z) = (row % grid.cells[1], row / grid.cells[1]);
        let ahead = grid.rows_ahead(y, z);
        for x in 0..grid.cells[0] {
            let own = grid.cell(row * grid.cells[0] + x);
            for (index, one) in own.iter().enumerate() {
                if let Some(ahead) = &ahead {
                    own[index + 1..].iter().for_each(|other| near(one, other));
                    let next = if x + 1 == grid.cells[0] { 0 } else { x + 1 };
                    grid.cell(row * grid.cells[0] + next).iter().for_each(|other| near(one, other));
                    for &row in ahead.iter().take_while(|row| **row != NONE) {
                        grid.run(row, x).into_iter().flatten().for_each(|other| near(one, other));
                    }
                } else {
                    grid.around([x, y, z]).filter(|other| one.number < other.number).for_each(|other| near(one, other));
                }
                for coarser in &grids[..level] {
                    coarser.around(coarser.address(one.position)).for_each(|other| near(one, other));
                }
            }
        }
    }
}

/// Whether the gap between two grains is below the sum of their strides.
#[inline]
fn near<D: Dimension>(packing: &Packing<D>, one: &Member<D>, other: &Member<D>) -> bool {
    let (separation, _) = packing.cell.nearest(other.position - one.position);
    let touch = one.touch + other.touch;
    separation.length_squared() < touch * touch
}

/// The candidates that are pairs, in their order.
pub(crate) fn find_pairs<D: Dimension>(
    packing: &Packing<D>,
    strides: &Strides,
    candidates: &[(u32, Part)],
    pairs: &mut Vec<Pair<D>>,
) -> Result<(), InputError> {
    for &(first, second) in candidates {
        if let Part::Grain(second) = second {
            grain_pairs(packing, strides, [first, second], pairs)?;
        } else {
            pairs.extend(boundary_pair(&packing.grains[first as usize], first, packing.boundary(second), strides));
        }
    }
    Ok(())
}

/// Sorts pairs whose candidates were sorted, and on a line removes those that are hidden behind others; `nearest` is workspace.
pub(crate) fn sort_pairs<D: Dimension>(packing: &Packing<D>, pairs: &mut Vec<Pair<D>>, nearest: &mut Vec<[f64; 2]>) {
    // Only images of the same grain can be in the wrong order, and no two identities are equal.
    if !packing.cell.is_open() && !pairs.is_sorted_by_key(|pair| pair.identity) {
        pairs.sort_unstable_by_key(|pair| pair.identity);
    }
    if D::CHAIN {
        keep_nearest(packing, pairs, nearest);
    }
}

/// The pairs of two grains of which at least one can move. In a narrow cell there may be a pair on either side.
fn grain_pairs<D: Dimension>(
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
    let margin = strides.stride_of(Part::Grain(first)) + strides.stride_of(Part::Grain(second));
    let separation = b.position - a.position;
    // The other images are farther away than the nearest.
    let nearest = if packing.cell.is_open() { separation } else { packing.cell.nearest(separation).0 };
    let reach = touching + margin;
    if nearest.length_squared() > reach * reach * (1.0 + 1e-9) {
        return Ok(());
    }
    let mut add = |(separation, shift): (D::Vector<f64>, [i32; 3])| {
        let distance = separation.length();
        if distance <= f64::EPSILON * touching {
            return Err(InputError::Coincident { first, second });
        }
        if distance < touching + margin {
            let image = std::array::from_fn(|axis| shift[axis].wrapping_add(a.turns[axis]).wrapping_sub(b.turns[axis]));
            let identity = Identity::new(first, Part::Grain(second), image);
            pairs.push(Pair { identity, gap: distance - touching, normal: separation * (1.0 / distance) });
        }
        Ok(())
    };
    if packing.cell.is_open() { add((separation, [0; 3])) } else { packing.cell.images(separation).try_for_each(add) }
}

/// The pair of a grain and a boundary, if they are near and at least one of them can move.
fn boundary_pair<D: Dimension>(
    grain: &Grain<D>,
    first: u32,
    (second, point, normal): Boundary<D>,
    strides: &Strides,
) -> Option<Pair<D>> {
    let gap = boundary_gap(grain, point, normal);
    let mobile = grain.motion == Motion::Free || matches!(second, Part::Piston(_));
    let identity = Identity::new(first, second, [0; 3]);
    let near = gap < strides.stride_of(Part::Grain(first)) + strides.stride_of(second);
    (mobile && near).then(|| Pair { identity, gap, normal: -normal })
}

/// On a line a movable grain hides what is behind it: a pair is kept if it is the nearest for one of its two parts. Fixed and
/// prescribed grains, pistons and walls hide nothing, since they pass through each other.
fn keep_nearest<D: Dimension>(packing: &Packing<D>, pairs: &mut Vec<Pair<D>>, nearest: &mut Vec<[f64; 2]>) {
    nearest.clear();
    nearest.resize(packing.grains.len(), [f64::INFINITY; 2]);
    let mobile = |grain: u32| packing.grains[grain as usize].motion == Motion::Free;
    // Each grain of a pair, the side on which the other part is, and whether that part hides what is behind it.
    let ends = |pair: &Pair<D>| {
        let (first, right) = (pair.identity.first, usize::from(pair.normal.as_slice()[0] > 0.0));
        let (second, hides) = match pair.identity.second() {
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
