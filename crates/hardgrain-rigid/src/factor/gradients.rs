//! Conjugate gradients for M + H E Hᵀ: no factorisation, and no fill.
//!
//! What couples the numbers of one body with each other is inverted, body by body, and that is all: iterations grow with the length of a
//! packing and with the root of what distinguishes stiff springs from soft ones. At the beginning of a stage that is little.

use crate::block::{Coupling, inverse, multiply, unit};
use crate::jacobian::{Moves, of, of_mut, seen, spread};

/// A matrix 1 + Σ BᵀB, with one B for each contact.
#[derive(Debug)]
pub(crate) struct Springy<const N: usize, const K: usize> {
    ties: Vec<Tie<N, K>>,
    bodies: Vec<Own<K>>,
    // The answer to what was asked last.
    found: Vec<f64>,
}

/// A contact: where the numbers of its two bodies begin, and its B.
#[derive(Clone, Copy, Debug)]
struct Tie<const N: usize, const K: usize> {
    starts: [usize; 2],
    moves: Moves<N, K>,
}

/// A body: where its numbers begin, what couples them with each other, and later the inverse of that.
#[derive(Clone, Copy, Debug)]
struct Own<const K: usize> {
    start: usize,
    count: usize,
    matrix: Coupling<K>,
}

impl<const N: usize, const K: usize> Default for Springy<N, K> {
    fn default() -> Self {
        Self { ties: Vec::new(), bodies: Vec::new(), found: Vec::new() }
    }
}

impl<const N: usize, const K: usize> Springy<N, K> {
    /// So many numbers in all; bodies, each with the first of its numbers and how many there are; and contacts, each with its two
    /// bodies, how these move it, and its spring, which must be symmetric.
    pub(crate) fn put<'a>(
        &mut self,
        numbers: usize,
        bodies: impl Iterator<Item = (usize, usize)>,
        contacts: impl Iterator<Item = ([usize; 2], &'a Moves<N, K>, &'a Coupling<N>)>,
    ) {
        let Self { ties, bodies: owns, found } = self;
        owns.clear();
        owns.extend(bodies.map(|(start, count)| Own { start, count, matrix: unit() }));
        found.clear();
        found.resize(numbers + K, 0.0);
        ties.clear();
        for (ends, moves, spring) in contacts {
            let root = lower(spring);
            let line = |line: usize, end: usize| -> [f64; K] {
                std::array::from_fn(|k| (line..N).fold(0.0, |sum, j| sum + root[j][line] * moves[j][end][k]))
            };
            let tie = Tie {
                starts: ends.map(|body| owns[body].start),
                moves: std::array::from_fn(|i| std::array::from_fn(|end| line(i, end))),
            };
            for (end, &body) in ends.iter().enumerate() {
                for i in 0..K {
                    for j in 0..K {
                        let add = |sum: f64, line: &[[f64; K]; 2]| sum + line[end][i] * line[end][j];
                        owns[body].matrix[i][j] = tie.moves.iter().fold(owns[body].matrix[i][j], add);
                    }
                }
            }
            ties.push(tie);
        }
        for own in owns {
            own.matrix = inverse(&own.matrix);
        }
    }

    /// Replaces numbers by what the matrix makes them of, but for this share of them. How many iterations were made, and whether that
    /// was enough; where more than `most` would be needed, numbers stay as they were.
    pub(crate) fn solve(&mut self, numbers: &mut [f64], tolerance: f64, most: u32) -> (u32, bool) {
        let size = self.found.len();
        let mut found = std::mem::take(&mut self.found);
        let (mut rest, mut divided, mut image) = (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
        rest[..numbers.len()].copy_from_slice(numbers);
        self.divide(&rest, &mut divided);
        let enough = tolerance * tolerance * dot(&rest, &divided);
        // From what was found last: what is asked next is often nearly the same.
        self.times(&found, &mut image);
        rest.iter_mut().zip(&image).for_each(|(rest, image)| *rest -= image);
        self.divide(&rest, &mut divided);
        let mut toward = divided.clone();
        let mut length = dot(&rest, &divided);
        let mut made = 0;
        while length > enough && made < most {
            self.times(&toward, &mut image);
            let step = length / dot(&toward, &image);
            found.iter_mut().zip(&toward).for_each(|(found, toward)| *found += step * toward);
            rest.iter_mut().zip(&image).for_each(|(rest, image)| *rest -= step * image);
            self.divide(&rest, &mut divided);
            let now = dot(&rest, &divided);
            let turn = now / length;
            toward.iter_mut().zip(&divided).for_each(|(toward, divided)| *toward = divided + turn * *toward);
            length = now;
            made += 1;
        }
        // Not a number is not enough either, nor is what rounding has left below nothing.
        let good = enough.is_finite() && (0.0..=enough).contains(&length);
        if good {
            let count = numbers.len();
            numbers.copy_from_slice(&found[..count]);
        }
        self.found = found;
        (made, good)
    }

    fn times(&self, numbers: &[f64], into: &mut [f64]) {
        into.copy_from_slice(numbers);
        for Tie { starts, moves } in &self.ties {
            let pull = seen(moves, starts.map(|start| of(numbers, start)));
            (0..2).for_each(|end| spread(moves, end, &pull, of_mut(into, starts[end])));
        }
    }

    fn divide(&self, numbers: &[f64], into: &mut [f64]) {
        for own in &self.bodies {
            let divided = multiply(&own.matrix, of(numbers, own.start));
            into[own.start..own.start + own.count].copy_from_slice(&divided[..own.count]);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// L with L Lᵀ this matrix, which is positive or has directions in which it is nothing.
fn lower<const N: usize>(matrix: &Coupling<N>) -> Coupling<N> {
    let mut root = [[0.0; N]; N];
    for column in 0..N {
        let rest = |root: &Coupling<N>, row: usize| {
            (0..column).fold(matrix[row][column], |rest, k| rest - root[row][k] * root[column][k])
        };
        let pivot = rest(&root, column);
        if pivot > 0.0 {
            root[column][column] = pivot.sqrt();
            (column + 1..N).for_each(|row| root[row][column] = rest(&root, row) / root[column][column]);
        }
    }
    root
}

#[cfg(test)]
mod tests {
    use super::{Moves, Springy};

    const K: usize = 6;

    #[test]
    fn what_was_found_is_what_was_asked_for() {
        // Bodies in a row: one that does not move, one with one number only, two with all; and contacts that couple all they have.
        let bodies = [(0, 6), (7, 6), (6, 1), (0, 0)];
        let moves = |seed: usize, count: usize| -> [[f64; K]; 2] {
            std::array::from_fn(|i| {
                std::array::from_fn(|k| if k < count { ((seed + 7 * i + 3 * k) % 11) as f64 - 5.0 } else { 0.0 })
            })
        };
        let (a, b, c, d, e) = (moves(1, 6), moves(4, 6), moves(8, 6), moves(2, 1), moves(3, 0));
        let springs = [[[2.0, 0.5], [0.5, 1.0]], [[1e3, 0.0], [0.0, 0.0]]];
        let contacts = [
            ([0, 1], [&a, &b], &springs[0]),
            ([1, 2], [&c, &d], &springs[1]),
            ([0, 3], [&c, &e], &springs[0]),
            // A body beside its own image.
            ([1, 1], [&a, &c], &springs[0]),
        ];
        let by_lines: Vec<Moves<2, K>> =
            contacts.iter().map(|(_, [first, second], _)| std::array::from_fn(|i| [first[i], second[i]])).collect();
        let mut gradients = Springy::<2, K>::default();
        let given = contacts.iter().zip(&by_lines).map(|((bodies, _, spring), moves)| (*bodies, moves, *spring));
        gradients.put(13, bodies.into_iter(), given);
        let asked: Vec<f64> = (0..13).map(|k| f64::from(k) - 4.0).collect();
        let mut numbers = asked.clone();
        assert_eq!(gradients.solve(&mut numbers, 1e-12, 2), (2, false));
        assert_eq!(numbers, asked);
        assert!(gradients.solve(&mut numbers, 1e-12, 100).1);
        // 1 + H E Hᵀ, written out.
        let mut image = numbers.clone();
        for ([first, second], [left, right], spring) in contacts {
            let ends = [(bodies[first], left), (bodies[second], right)];
            let seen = |line: usize| {
                ends.iter()
                    .map(|((start, count), moves)| {
                        (0..*count).map(|k| moves[line][k] * numbers[start + k]).sum::<f64>()
                    })
                    .sum::<f64>()
            };
            let seen = [seen(0), seen(1)];
            for ((start, count), moves) in ends {
                for k in 0..count {
                    image[start + k] +=
                        (0..2).map(|i| moves[i][k] * (spring[i][0] * seen[0] + spring[i][1] * seen[1])).sum::<f64>();
                }
            }
        }
        for (image, asked) in image.iter().zip(&asked) {
            assert!((image - asked).abs() < 1e-9, "{image} is not {asked}");
        }
        // Asked for the same again, it knows.
        let mut again = asked.clone();
        assert_eq!(gradients.solve(&mut again, 1e-11, 100), (0, true));
    }
}
