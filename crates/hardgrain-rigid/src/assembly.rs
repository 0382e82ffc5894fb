//! Which contact adds what to which front: 1 + H E Hᵀ, one pair of bodies at a time.

use crate::block::{Block, Coupling};
use crate::factor::multifrontal::Panel;
use crate::factor::short;
use crate::factor::symbolic::EliminationTree;
use crate::jacobian::ContactJacobian;

/// A contact between two bodies: where the degrees of freedom of each start, their numbers, and how these move the contact.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ContactEnds<const N: usize, const K: usize> {
    pub(crate) starts: [u32; 2],
    pub(crate) counts: [u32; 2],
    pub(crate) jacobian: ContactJacobian<N, K>,
}

/// A block that a contact adds to a front.
#[derive(Clone, Copy, Debug)]
struct FrontEntry {
    contact: u32,
    // Which ends give the row and the column, and where these are.
    ends: (u8, u8),
    place: (u32, u32),
}

/// The order of contacts, and what each adds to which front.
#[derive(Debug, Default)]
pub(crate) struct Assembly {
    /// The step's number of each contact: contacts are in the order in which fronts need them.
    pub(crate) order: Vec<u32>,
    // Entries, and the first of each front.
    entries: Vec<FrontEntry>,
    begin: Vec<usize>,
}

impl Assembly {
    /// For contacts between these pairs of bodies, which have these numbers of degrees of freedom.
    pub(crate) fn new(tree: &EliminationTree, pairs: &[(u32, u32)], counts: &[usize]) -> Self {
        let ends = |contact: u32| {
            let (first, second) = pairs[contact as usize];
            [first as usize, second as usize].map(|body| (tree.start[body], counts[body]))
        };
        // The front of the end that is eliminated first; none where neither moves.
        let front = |contact: u32| {
            let moving = ends(contact).into_iter().filter(|end| end.1 > 0);
            moving.map(|end| end.0).min().map_or(u32::MAX, |first| tree.front[first])
        };
        let mut order: Vec<u32> = (0..short(pairs.len())).collect();
        order.sort_by_cached_key(|&contact| front(contact));
        let mut entries: Vec<(u32, FrontEntry)> = Vec::with_capacity(4 * order.len());
        for (contact, &of_step) in order.iter().enumerate() {
            let ends = ends(of_step);
            let mut add = |row: usize, column: usize| {
                let index = tree.front[ends[row].0.min(ends[column].0)];
                let place = |end: usize| tree.place(&tree.fronts[index as usize], ends[end].0);
                let (place, ends) = ((place(row), place(column)), (u8::from(row == 1), u8::from(column == 1)));
                entries.push((index, FrontEntry { contact: short(contact), ends, place }));
            };
            (0..2).filter(|&end| ends[end].1 > 0).for_each(|end| add(end, end));
            if ends[0].1 > 0 && ends[1].1 > 0 {
                add(0, 1);
                add(1, 0);
            }
        }
        entries.sort_by_key(|entry| entry.0);
        let begin = |front: usize| entries.partition_point(|entry| (entry.0 as usize) < front);
        let begin = (0..=tree.fronts.len()).map(begin).collect();
        Self { order, entries: entries.into_iter().map(|entry| entry.1).collect(), begin }
    }

    /// Adds to the panel of a front with this number of pivots what contacts with these stiffnesses add; in the symmetric case the lower
    /// half.
    pub(crate) fn assemble<const N: usize, const K: usize>(
        &self,
        (front, pivots): (usize, usize),
        panel: &mut Panel<'_>,
        symmetric: bool,
        (contacts, stiffnesses): (&[ContactEnds<N, K>], &[Coupling<N>]),
    ) {
        for pivot in 0..pivots {
            panel.part(pivot, pivot, 1)[0] += 1.0;
        }
        for entry in &self.entries[self.begin[front]..self.begin[front + 1]] {
            let (row_at, column_at) = (entry.place.0 as usize, entry.place.1 as usize);
            if symmetric && row_at < column_at {
                continue;
            }
            let ContactEnds { counts, jacobian, .. } = &contacts[entry.contact as usize];
            let (row, column) = (entry.ends.0 as usize, entry.ends.1 as usize);
            let stiffness = &stiffnesses[entry.contact as usize];
            let pull: [Block<N>; K] = std::array::from_fn(|k| {
                std::array::from_fn(|i| (0..N).fold(0.0, |sum, j| sum + stiffness[i][j] * jacobian[j][column][k]))
            });
            for (k, pull) in pull.iter().enumerate().take(counts[column] as usize) {
                let add: [f64; K] =
                    std::array::from_fn(|axis| (0..N).fold(0.0, |sum, i| sum + jacobian[i][row][axis] * pull[i]));
                let into = panel.part(row_at, column_at + k, counts[row] as usize);
                into.iter_mut().zip(add).for_each(|(number, add)| *number += add);
            }
        }
    }
}
