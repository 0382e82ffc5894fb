//! Who may touch whom within this step: a cell list that gives the same pairs in the same order every time.
//!
//! Grains are sorted into levels by how far they can touch, radius and stride, each level half as large as the one above,
//! and each level has its own grid whose cells are as wide as two of its grains touch. A grain looks into its own level
//! and into the coarser ones, always at the cells around it, so a few large or fast grains among many cost nothing extra.

use crate::dimension::Dimension;
use crate::error::InputError;
use crate::packing::{Boundary, Grain, Identity, Motion, Packing, Pair};
use crate::part::Part;
use crate::search::grid::{Grid, Member, NONE};
use crate::search::stride::Strides;
use crate::threads::Threads;
use crate::vector::Components;
use std::ops::Range;

/// Sizes 1 : 2⁶⁰ are told apart; smaller grains share the last level.
const LEVELS: u32 = 60;

/// Finds pairs. It holds only workspace and can be thrown away between steps.
#[derive(Clone, Debug, Default)]
pub struct Neighbours<D: Dimension> {
    // From the coarsest to the finest level.
    grids: Vec<Grid<D>>,
    near: Vec<(u32, Part)>,
    // Some rows of a level each.
    blocks: Vec<(usize, Range<u32>)>,
    // What each thread has found, in numbers of grains, and where those of each grain start.
    pieces: Vec<Vec<[u32; 2]>>,
    starts: Vec<u32>,
    seconds: Vec<u32>,
}

impl<D: Dimension> Neighbours<D> {
    /// All pairs with a gap below the sum of their strides, sorted by identity. Two parts that cannot move make no pair.
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
        let looked = look(packing, strides, &near, pairs);
        self.near = near;
        looked?;
        put_in_order(packing, pairs, &mut Vec::new());
        Ok(())
    }

    /// Every two parts with a gap below the sum of their strides, sorted, and perhaps some whose gap is a hair wider.
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
            Look { grids, level: *level }.rows(rows.clone(), each);
        });
        self.sort(packing, strides, list);
    }

    /// Puts the pairs of grains that were found in order, and the boundaries near each grain behind them.
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
        // Each start has moved on to where the next grain's begin.
        list.clear();
        let mut begin = 0;
        for ((grain, first), &end) in packing.grains.iter().zip(0..).zip(starts.iter()) {
            let own = &mut seconds[begin as usize..end as usize];
            own.sort_unstable();
            list.extend(own.iter().map(|&second| (first, Part::Grain(second))));
            let touching = packing.boundaries().filter_map(|boundary| beside(grain, first, boundary, strides));
            list.extend(touching.map(|pair| (first, pair.identity.second)));
            begin = end;
        }
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

/// A thread looks at so many rows of cells at a time.
const ROWS: u32 = 64;

/// Looks for pairs with the members of one level: among themselves, and with those of coarser levels.
struct Look<'a, D: Dimension> {
    grids: &'a [Grid<D>],
    level: usize,
}

impl<D: Dimension> Look<'_, D> {
    /// Hands over all that are in cells beside each other, every two once.
    fn rows(&self, rows: Range<u32>, mut near: impl FnMut(&Member<D>, &Member<D>)) {
        let grid = &self.grids[self.level];
        for row in rows {
            let (y, z) = (row % grid.cells[1], row / grid.cells[1]);
            let ahead = grid.rows_ahead(y, z);
            for x in 0..grid.cells[0] {
                let own = grid.cell(row * grid.cells[0] + x);
                for (index, one) in own.iter().enumerate() {
                    own[index + 1..].iter().for_each(|other| near(one, other));
                    if let Some(ahead) = &ahead {
                        let next = if x + 1 == grid.cells[0] { 0 } else { x + 1 };
                        grid.cell(row * grid.cells[0] + next).iter().for_each(|other| near(one, other));
                        for &row in ahead.iter().take_while(|row| **row != NONE) {
                            grid.run(row, x).into_iter().flatten().for_each(|other| near(one, other));
                        }
                    } else {
                        grid.everywhere_else([x, y, z], |other| {
                            if one.number < other.number {
                                near(one, other);
                            }
                        });
                    }
                    self.coarser(one, &mut near);
                }
            }
        }
    }

    fn coarser(&self, one: &Member<D>, near: &mut impl FnMut(&Member<D>, &Member<D>)) {
        for grid in &self.grids[..self.level] {
            let mut slots = [0; 27];
            let count = grid.around(grid.address(one.position), &mut slots);
            for &slot in &slots[..count] {
                grid.cell(slot).iter().for_each(|other| near(one, other));
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

/// The pairs among some candidates, in their order.
pub(crate) fn look<D: Dimension>(
    packing: &Packing<D>,
    strides: &Strides,
    candidates: &[(u32, Part)],
    pairs: &mut Vec<Pair<D>>,
) -> Result<(), InputError> {
    for &(first, second) in candidates {
        if let Part::Grain(second) = second {
            between(packing, strides, [first, second], pairs)?;
        } else {
            pairs.extend(beside(&packing.grains[first as usize], first, packing.boundary(second), strides));
        }
    }
    Ok(())
}

/// Sorts pairs whose candidates were sorted, and on a line leaves those out that are hidden behind others; `nearest` is workspace.
pub(crate) fn put_in_order<D: Dimension>(packing: &Packing<D>, pairs: &mut Vec<Pair<D>>, nearest: &mut Vec<[f64; 2]>) {
    // Only images of one and the same grain can be in the wrong order; no two pairs are the same.
    if !packing.cell.is_open() && !pairs.is_sorted_by_key(|pair| pair.identity) {
        pairs.sort_unstable_by_key(|pair| pair.identity);
    }
    if D::CHAIN {
        keep_nearest(packing, pairs, nearest);
    }
}

/// Two grains as a pair, if at least one of them can move; in a narrow cell there may be a pair on either side.
fn between<D: Dimension>(
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
    let nearest = if packing.cell.is_open() { apart } else { packing.cell.nearest(apart).0 };
    let reach = touching + margin;
    if nearest.length_squared() > reach * reach * (1.0 + 1e-9) {
        return Ok(());
    }
    let mut look = |(separation, shift): (D::Vector<f64>, [i32; 3])| {
        let distance = separation.length();
        if distance <= f64::EPSILON * touching {
            return Err(InputError::Coincident { first, second });
        }
        if distance < touching + margin {
            let image = std::array::from_fn(|axis| shift[axis].wrapping_add(a.turns[axis]).wrapping_sub(b.turns[axis]));
            let identity = Identity { first, second: Part::Grain(second), image };
            pairs.push(Pair { identity, gap: distance - touching, normal: separation * (1.0 / distance) });
        }
        Ok(())
    };
    if packing.cell.is_open() { look((apart, [0; 3])) } else { packing.cell.images(apart).try_for_each(look) }
}

/// A grain and a piston or wall as a pair, if they are near and at least one of them can move.
fn beside<D: Dimension>(
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
fn keep_nearest<D: Dimension>(packing: &Packing<D>, pairs: &mut Vec<Pair<D>>, nearest: &mut Vec<[f64; 2]>) {
    nearest.clear();
    nearest.resize(packing.grains.len(), [f64::INFINITY; 2]);
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
