//! A cell list: grains sorted into the cells of a grid.
//!
//! Grids are wrapped: cell indices are taken modulo the number of cells. Along a periodic axis that is the periodicity itself.
//! Along an open axis it bounds the memory however far a grain flies; cells that share a slot only add pairs that the distance
//! test discards.

use crate::dimension::Dimension;
use crate::packing::Cell;
use crate::vector::Components;

/// No row.
pub(crate) const NONE: u32 = u32::MAX;

/// What the search needs of a grain, stored by cell.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Member<D: Dimension> {
    pub(crate) position: D::Vector<f64>,
    /// Radius and stride.
    pub(crate) touch: f64,
    pub(crate) number: u32,
}

/// The grains of one level, sorted by the cell they lie in.
#[derive(Clone, Debug, Default)]
pub(crate) struct Grid<D: Dimension> {
    pub(crate) level: u32,
    pub(crate) unsorted: Vec<Member<D>>,
    members: Vec<Member<D>>,
    // The members of a cell are members[start[slot]..start[slot + 1]].
    start: Vec<u32>,
    slots: Vec<u32>,
    lower: D::Vector<f64>,
    cells_per_length: D::Vector<f64>,
    pub(crate) cells: [u32; 3],
}

impl<D: Dimension> Grid<D> {
    pub(crate) fn of_level(level: u32) -> Self {
        Self { level, ..Self::default() }
    }

    /// Counting sort: grains keep their order inside a cell.
    pub(crate) fn build(&mut self, cell: &Cell<D>, width: f64) {
        self.set_shape(cell, width);
        let mut slots = std::mem::take(&mut self.slots);
        slots.clear();
        slots.extend(self.unsorted.iter().map(|member| self.slot(self.address(member.position))));
        self.slots = slots;
        self.start.clear();
        self.start.resize(self.cells.iter().product::<u32>() as usize + 1, 0);
        for &slot in &self.slots {
            self.start[slot as usize] += 1;
        }
        // First the end of each cell; filling from the back turns it into the start.
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

    /// Chooses the number of cells: as many as `width` allows, but not many more than grains.
    fn set_shape(&mut self, cell: &Cell<D>, width: f64) {
        let most = u32::try_from(self.unsorted.len()).unwrap_or(u32::MAX).saturating_mul(4).clamp(64, 1 << 30);
        self.cells = [1; 3];
        for axis in 0..D::AXES {
            let coordinate = |member: &Member<D>| member.position.as_slice()[axis];
            let lowest = self.unsorted.iter().map(coordinate).fold(f64::INFINITY, f64::min);
            let highest = self.unsorted.iter().map(coordinate).fold(f64::NEG_INFINITY, f64::max);
            let (lower, length) = match cell.period(axis) {
                Some(period) => (cell.lower(axis), period),
                None => (lowest, highest - lowest + width),
            };
            // Saturates; the result is clamped below.
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
            // Along a periodic axis the cells fill the period exactly.
            let per_length = cell.period(axis).map_or(1.0 / width, |period| f64::from(self.cells[axis]) / period);
            self.cells_per_length.as_mut_slice()[axis] = per_length;
        }
    }

    /// The cell of a position along each axis, wrapped.
    pub(crate) fn address(&self, position: D::Vector<f64>) -> [u32; 3] {
        let mut address = [0; 3];
        for (axis, index) in address.iter_mut().enumerate().take(D::AXES) {
            let place = position.as_slice()[axis] - self.lower.as_slice()[axis];
            // Saturates: grains that are very far away share the last cell.
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

    pub(crate) fn cell(&self, slot: u32) -> &[Member<D>] {
        &self.members[self.start[slot as usize] as usize..self.start[slot as usize + 1] as usize]
    }

    /// The number of rows of cells along the first axis.
    pub(crate) fn rows(&self) -> u32 {
        self.cells[1] * self.cells[2]
    }

    /// Half of the rows next to a row, chosen so that of every two neighbouring rows one is ahead of the other. `None` where there are
    /// so few cells that both sides are the same.
    pub(crate) fn rows_ahead(&self, y: u32, z: u32) -> Option<[u32; 4]> {
        let mut rows = [NONE; 4];
        if (0..D::AXES).any(|axis| self.cells[axis] < 3) {
            return None;
        }
        let ((ys, _), (zs, _)) = (beside(y, self.cells[1]), beside(z, self.cells[2]));
        if D::AXES > 1 {
            rows[0] = z * self.cells[1] + ys[1];
        }
        if D::AXES > 2 {
            for (row, y) in rows[1..].iter_mut().zip(ys) {
                *row = zs[1] * self.cells[1] + y;
            }
        }
        Some(rows)
    }

    /// The members of the cells x − 1, x and x + 1 of a row, in one slice or, at its ends, in several.
    #[inline]
    pub(crate) fn run(&self, row: u32, x: u32) -> [&[Member<D>]; 3] {
        let first = row * self.cells[0];
        if 0 < x && x + 1 < self.cells[0] {
            let [start, end] = [first + x - 1, first + x + 2].map(|slot| self.start[slot as usize] as usize);
            [&self.members[start..end], &[], &[]]
        } else {
            let (cells, count) = beside(x, self.cells[0]);
            let mut cells = cells.into_iter().take(count).map(|x| self.cell(first + x));
            std::array::from_fn(|_| cells.next().unwrap_or_default())
        }
    }

    /// The members of a cell and of those around it.
    pub(crate) fn around(&self, address: [u32; 3]) -> impl Iterator<Item = &Member<D>> {
        let [(xs, x_count), (ys, y_count), (zs, z_count)] =
            std::array::from_fn(|axis| beside(address[axis], self.cells[axis]));
        let rows = zs.into_iter().take(z_count).flat_map(move |z| ys.into_iter().take(y_count).map(move |y| (y, z)));
        let slots = rows.flat_map(move |(y, z)| xs.into_iter().take(x_count).map(move |x| self.slot([x, y, z])));
        slots.flat_map(|slot| self.cell(slot))
    }
}

/// A cell along an axis, the next and the previous one, and how many of these differ: with two cells on an axis both neighbours are the
/// same cell; with one cell there is none.
#[inline(always)]
fn beside(index: u32, cells: u32) -> ([u32; 3], usize) {
    let next = if index + 1 == cells { 0 } else { index + 1 };
    let previous = if index == 0 { cells - 1 } else { index - 1 };
    ([index, next, previous], cells.min(3) as usize)
}
