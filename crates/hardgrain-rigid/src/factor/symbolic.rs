//! The symbolic factorisation: the elimination tree and its fronts. It depends on who touches whom and on nothing else, and is kept
//! while that stays the same.
//!
//! A *front* (a supernode) is a run of bodies that are eliminated together, with the bodies that this couples; fronts form a tree,
//! and each passes its Schur complement on to its parent.

use super::dissection::short;
use super::order::{minimum_degree, nested_dissection};
use crate::tuning::Tuning;
use hardgrain::Threads;
use std::ops::Range;

/// A front: its pivots are the degrees of freedom `first .. first + pivots`, and they couple to its rows, all of them later.
#[derive(Clone, Debug)]
pub(crate) struct Front {
    pub(crate) first: usize,
    pub(crate) pivots: usize,
    // Where its rows are among those of all fronts, and its children.
    rows: Range<usize>,
    children: Range<usize>,
    /// Whether it has an odd number of ancestors.
    pub(crate) odd: bool,
}

impl Front {
    pub(crate) fn rows(&self) -> usize {
        self.rows.len()
    }

    /// The size of its Schur complement.
    pub(crate) fn complement(&self) -> usize {
        self.rows() * self.rows()
    }

    /// Pivots and rows.
    pub(crate) fn size(&self) -> usize {
        self.pivots + self.rows()
    }
}

/// The order of elimination, and the fronts, each after its children.
#[derive(Clone, Debug, Default)]
pub(crate) struct EliminationTree {
    /// The first degree of freedom of each body.
    pub(crate) start: Vec<usize>,
    pub(crate) fronts: Vec<Front>,
    /// The front of each degree of freedom.
    pub(crate) front: Vec<u32>,
    // Of all fronts: the rows, where each of them is in the parent, and the children.
    rows: Vec<u32>,
    in_parent: Vec<u32>,
    children: Vec<u32>,
}

impl EliminationTree {
    /// Of bodies with these numbers of degrees of freedom, and the pairs of them that touch: in the order of minimum degree, or of nested
    /// dissection where that fills less. That is not tried once these threads are cancelled.
    pub(crate) fn new(sizes: &[usize], pairs: &[(u32, u32)], tuning: &Tuning, threads: &Threads) -> Self {
        let tree = Self::in_order(&minimum_degree(sizes.len(), pairs), sizes, pairs, tuning);
        if tree.multiplications() < tuning.dissection_from * sizes.len() as f64 {
            return tree;
        }
        let Some(order) = nested_dissection(sizes.len(), pairs, tuning, threads) else { return tree };
        let other = Self::in_order(&order, sizes, pairs, tuning);
        if other.multiplications() < tree.multiplications() { other } else { tree }
    }

    fn in_order(order: &[u32], sizes: &[usize], pairs: &[(u32, u32)], tuning: &Tuning) -> Self {
        let (order, columns) = columns(order, pairs);
        let mut start = vec![0; sizes.len()];
        let mut begin = vec![0; sizes.len() + 1];
        for (place, &body) in order.iter().enumerate() {
            start[body as usize] = begin[place];
            begin[place + 1] = begin[place] + sizes[body as usize];
        }
        let (fronts, rows) = fronts(&columns, &begin, &tuning.amalgamation);
        let mut front = vec![0; begin[sizes.len()]];
        for (index, own) in fronts.iter().enumerate() {
            front[own.first..own.first + own.pivots].fill(short(index));
        }
        let mut tree = Self { start, fronts, front, rows, in_parent: Vec::new(), children: Vec::new() };
        tree.link();
        tree
    }

    pub(crate) fn rows(&self, front: &Front) -> &[u32] {
        &self.rows[front.rows.clone()]
    }

    /// Where each of the rows of a front is in the parent.
    pub(crate) fn in_parent(&self, front: &Front) -> &[u32] {
        &self.in_parent[front.rows.clone()]
    }

    pub(crate) fn children(&self, front: &Front) -> impl Iterator<Item = &Front> {
        self.children[front.children.clone()].iter().map(|&child| &self.fronts[child as usize])
    }

    /// Where a degree of freedom is in a front.
    pub(crate) fn place(&self, front: &Front, dof: usize) -> u32 {
        short(if dof < front.first + front.pivots {
            dof - front.first
        } else {
            let row = self.rows(front).binary_search(&short(dof));
            front.pivots + row.expect("a front knows what its pivots couple to")
        })
    }

    /// Degrees of freedom.
    pub(crate) fn dofs(&self) -> usize {
        self.front.len()
    }

    /// Multiplications of a symmetric factorisation.
    pub(crate) fn multiplications(&self) -> f64 {
        let work = |front: &Front| {
            let (pivots, rows) = (front.pivots as f64, front.rows() as f64);
            pivots * (pivots * pivots / 6.0 + rows * pivots / 2.0 + rows * rows / 2.0)
        };
        self.fronts.iter().map(work).sum()
    }

    fn link(&mut self) {
        let parent = |front: &Front| self.rows(front).first().map(|&row| self.front[row as usize]);
        let mut links: Vec<(u32, u32)> = Vec::with_capacity(self.fronts.len());
        let mut in_parent = vec![0; self.rows.len()];
        for (index, front) in self.fronts.iter().enumerate() {
            let Some(parent) = parent(front) else { continue };
            for (place, &row) in in_parent[front.rows.clone()].iter_mut().zip(self.rows(front)) {
                *place = self.place(&self.fronts[parent as usize], row as usize);
            }
            links.push((parent, short(index)));
        }
        self.in_parent = in_parent;
        links.sort_unstable();
        self.children = links.iter().map(|&(_, child)| child).collect();
        for siblings in links.chunk_by(|a, b| a.0 == b.0) {
            let begin = links.partition_point(|link| link.0 < siblings[0].0);
            self.fronts[siblings[0].0 as usize].children = begin..begin + siblings.len();
        }
        // From the end, where parents come first.
        for &(parent, child) in links.iter().rev() {
            self.fronts[child as usize].odd = !self.fronts[parent as usize].odd;
        }
    }
}

/// The elimination tree in postorder: the bodies in that order, and for each the places of those that its elimination couples, all of
/// them later, the first being its parent.
fn columns(order: &[u32], pairs: &[(u32, u32)]) -> (Vec<u32>, Vec<Vec<u32>>) {
    let bodies = order.len();
    let structure = |order: &[u32]| {
        let mut place = vec![0_u32; bodies];
        order.iter().enumerate().for_each(|(at, &body)| place[body as usize] = short(at));
        let mut columns: Vec<Vec<u32>> = vec![Vec::new(); bodies];
        for &(a, b) in pairs {
            let (a, b) = (place[a as usize], place[b as usize]);
            columns[a.min(b) as usize].push(a.max(b));
        }
        // Each passes all that it couples on to the first of them.
        for at in 0..bodies {
            let mut column = std::mem::take(&mut columns[at]);
            column.sort_unstable();
            column.dedup();
            if let Some((&parent, rest)) = column.split_first() {
                columns[parent as usize].extend(rest);
            }
            columns[at] = column;
        }
        columns
    };
    let first = structure(order);
    // Children before parents, the widest child last.
    let mut children: Vec<Vec<u32>> = vec![Vec::new(); bodies];
    let mut stack: Vec<u32> = Vec::new();
    for (at, column) in first.iter().enumerate().rev() {
        match column.first() {
            Some(&parent) => children[parent as usize].push(short(at)),
            None => stack.push(short(at)),
        }
    }
    let mut post = Vec::with_capacity(bodies);
    while let Some(at) = stack.pop() {
        post.push(order[at as usize]);
        let own = &mut children[at as usize];
        own.sort_by_key(|&child| (first[child as usize].len(), child));
        stack.extend(own.iter());
    }
    post.reverse();
    let columns = structure(&post);
    (post, columns)
}

/// Supernodes: runs of bodies with the same rows but for few zeros, merged by relaxed amalgamation; and these rows. `begin` is where the
/// degrees of freedom of each body begin.
fn fronts(columns: &[Vec<u32>], begin: &[usize], amalgamation: &[(usize, f64)]) -> (Vec<Front>, Vec<u32>) {
    // Bodies from..to with the rows of the last of them, and the zeros stored.
    struct Supernode {
        from: usize,
        to: usize,
        zeros: usize,
    }
    let width = |place: usize| begin[place + 1] - begin[place];
    let rows_of = |last: usize| columns[last].iter().map(|&row| width(row as usize)).sum::<usize>();
    let mut runs: Vec<Supernode> = Vec::new();
    for at in 0..columns.len() {
        let mut run = Supernode { from: at, to: at + 1, zeros: 0 };
        let rows = rows_of(at);
        while let Some(last) = runs.last() {
            // The parent of the last one must be in this run.
            if columns[last.to - 1].first().is_none_or(|&parent| (parent as usize) >= run.to) {
                break;
            }
            let (above, below) = (begin[last.to] - begin[last.from], begin[run.to] - begin[run.from]);
            let pivots = above + below;
            let zeros = last.zeros + run.zeros + above * (below + rows - rows_of(last.to - 1));
            let all = pivots * (pivots + 1) / 2 + pivots * rows;
            let share = zeros as f64 / all as f64;
            if !amalgamation.iter().any(|&(most, zeros)| pivots <= most && share < zeros) {
                break;
            }
            run = Supernode { from: last.from, to: run.to, zeros };
            runs.pop();
        }
        runs.push(run);
    }
    let mut rows = Vec::new();
    let mut front = |run: &Supernode| {
        let first = rows.len();
        for &row in &columns[run.to - 1] {
            rows.extend((begin[row as usize]..begin[row as usize + 1]).map(short));
        }
        let pivots = begin[run.to] - begin[run.from];
        Front { first: begin[run.from], pivots, rows: first..rows.len(), children: 0..0, odd: false }
    };
    // Fixed bodies have no degrees of freedom.
    let fronts = runs.iter().map(&mut front).filter(|front| front.pivots > 0).collect();
    (fronts, rows)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A cube with this number of bodies along each edge.
    fn cube(edge: u32) -> (usize, Vec<(u32, u32)>) {
        let number = |x: u32, y: u32, z: u32| (z * edge + y) * edge + x;
        let mut pairs = Vec::new();
        for (x, y, z) in (0..edge.pow(3)).map(|i| (i % edge, i / edge % edge, i / edge / edge)) {
            let ahead = [(x + 1, y, z), (x, y + 1, z), (x, y, z + 1)];
            let inside = ahead.into_iter().filter(|&(x, y, z)| x.max(y).max(z) < edge);
            pairs.extend(inside.map(|(a, b, c)| (number(x, y, z), number(a, b, c))));
        }
        (edge.pow(3) as usize, pairs)
    }

    #[test]
    fn dissection_orders_every_body_once_and_fills_less_in_space() {
        let (bodies, mut pairs) = cube(14);
        let sizes = vec![6; bodies];
        let tree = |order: &[u32]| EliminationTree::in_order(order, &sizes, &pairs, &Tuning::DEFAULT).multiplications();
        let degree = tree(&minimum_degree(bodies, &pairs));
        let dissected = tree(&nested_dissection(bodies, &pairs, &Tuning::DEFAULT, &Threads::default()).unwrap());
        assert!(dissected < 0.9 * degree, "{dissected:e} {degree:e}");
        // A hub that touches all, a second cube apart, and some bodies that touch none.
        let (hub, shift) = (u32::try_from(bodies).unwrap(), u32::try_from(bodies).unwrap() + 1);
        pairs.extend(cube(8).1.into_iter().map(|(a, b)| (a + shift, b + shift)));
        pairs.extend((0..hub).map(|body| (body, hub)));
        let all = bodies + 1 + 512 + 700;
        let mut order = nested_dissection(all, &pairs, &Tuning::DEFAULT, &Threads::default()).unwrap();
        assert_eq!(order.last(), Some(&hub));
        order.sort_unstable();
        assert!(order.iter().copied().eq(0..u32::try_from(all).unwrap()));
    }
}
