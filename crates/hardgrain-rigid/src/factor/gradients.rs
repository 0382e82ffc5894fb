//! Preconditioned conjugate gradients for 1 + H E Hᵀ, in degrees of freedom scaled by masses: no factorisation, and no fill.
//!
//! The preconditioner is block Jacobi: the diagonal block of each body. Iterations grow with the length of a packing and with the
//! square root of the ratio of stiff springs to soft ones, which is small at the beginning of a stage.

use crate::block::{Coupling, identity, inverse, multiply};
use crate::jacobian::{ContactJacobian, add_reaction, body, body_mut, relative_velocity};
use hardgrain::Threads;

/// A matrix 1 + Σ BᵀB, with one B for each contact.
#[derive(Debug, Default)]
pub(crate) struct ConjugateGradients<const N: usize, const K: usize> {
    contacts: Vec<ScaledContact<N, K>>,
    bodies: Vec<BodyBlock<K>>,
    // The last solution.
    found: Vec<f64>,
}

/// A contact: where the degrees of freedom of its two bodies start, and B = Cᵀ Hᵀ with E = C Cᵀ.
#[derive(Clone, Copy, Debug)]
struct ScaledContact<const N: usize, const K: usize> {
    starts: [usize; 2],
    jacobian: ContactJacobian<N, K>,
}

/// A body: where its degrees of freedom start, their number, and its diagonal block, later the inverse of that.
#[derive(Clone, Copy, Debug)]
struct BodyBlock<const K: usize> {
    start: usize,
    count: usize,
    block: Coupling<K>,
}

impl<const N: usize, const K: usize> ConjugateGradients<N, K> {
    /// Prepares for this number of degrees of freedom in all; bodies, each with its start and count; and contacts, each with its two
    /// bodies, its Jacobian, and its spring, which must be symmetric.
    pub(crate) fn put<'a>(
        &mut self,
        dofs: usize,
        bodies: impl Iterator<Item = (usize, usize)>,
        contacts: impl Iterator<Item = ([usize; 2], &'a ContactJacobian<N, K>, &'a Coupling<N>)>,
    ) {
        self.bodies.clear();
        self.bodies.extend(bodies.map(|(start, count)| BodyBlock { start, count, block: identity() }));
        self.found.clear();
        self.found.resize(dofs + K, 0.0);
        self.contacts.clear();
        for (ends, jacobian, spring) in contacts {
            let root = cholesky(spring);
            let row = |row: usize, end: usize| -> [f64; K] {
                std::array::from_fn(|k| (row..N).fold(0.0, |sum, j| sum + root[j][row] * jacobian[j][end][k]))
            };
            let contact = ScaledContact {
                starts: ends.map(|body| self.bodies[body].start),
                jacobian: std::array::from_fn(|i| std::array::from_fn(|end| row(i, end))),
            };
            for (end, &body) in ends.iter().enumerate() {
                let block = &mut self.bodies[body].block;
                for i in 0..K {
                    for j in 0..K {
                        let add = |sum: f64, row: &[[f64; K]; 2]| sum + row[end][i] * row[end][j];
                        block[i][j] = contact.jacobian.iter().fold(block[i][j], add);
                    }
                }
            }
            self.contacts.push(contact);
        }
        for body in &mut self.bodies {
            body.block = inverse(&body.block);
        }
    }

    /// Solves in place to this relative tolerance, starting from the last solution, as successive right-hand sides are often nearly the
    /// same. Returns the number of iterations and whether it converged; if not, `numbers` are unchanged. It ends once these threads are
    /// cancelled.
    pub(crate) fn solve(
        &mut self,
        numbers: &mut [f64],
        tolerance: f64,
        max_iterations: u32,
        threads: &Threads,
    ) -> (u32, bool) {
        let size = self.found.len();
        let mut found = std::mem::take(&mut self.found);
        let (mut residual, mut preconditioned, mut image) = (vec![0.0; size], vec![0.0; size], vec![0.0; size]);
        residual[..numbers.len()].copy_from_slice(numbers);
        self.precondition(&residual, &mut preconditioned);
        let enough = tolerance * tolerance * dot(&residual, &preconditioned);
        self.multiply(&found, &mut image);
        residual.iter_mut().zip(&image).for_each(|(residual, image)| *residual -= image);
        self.precondition(&residual, &mut preconditioned);
        let mut direction = preconditioned.clone();
        let mut squared = dot(&residual, &preconditioned);
        let mut iterations = 0;
        while squared > enough && iterations < max_iterations && !threads.is_cancelled() {
            self.multiply(&direction, &mut image);
            let step = squared / dot(&direction, &image);
            found.iter_mut().zip(&direction).for_each(|(found, direction)| *found += step * direction);
            residual.iter_mut().zip(&image).for_each(|(residual, image)| *residual -= step * image);
            self.precondition(&residual, &mut preconditioned);
            let now = dot(&residual, &preconditioned);
            let turn = now / squared;
            let turned = direction.iter_mut().zip(&preconditioned);
            turned.for_each(|(direction, preconditioned)| *direction = preconditioned + turn * *direction);
            squared = now;
            iterations += 1;
        }
        // NaN has not converged, nor has what rounding has left below 0.
        let converged = enough.is_finite() && (0.0..=enough).contains(&squared);
        if converged {
            let count = numbers.len();
            numbers.copy_from_slice(&found[..count]);
        }
        self.found = found;
        (iterations, converged)
    }

    fn multiply(&self, numbers: &[f64], into: &mut [f64]) {
        into.copy_from_slice(numbers);
        for ScaledContact { starts, jacobian } in &self.contacts {
            let pull = relative_velocity(jacobian, starts.map(|start| body(numbers, start)));
            (0..2).for_each(|end| add_reaction(jacobian, end, &pull, body_mut(into, starts[end])));
        }
    }

    fn precondition(&self, numbers: &[f64], into: &mut [f64]) {
        for &BodyBlock { start, count, ref block } in &self.bodies {
            let divided = multiply(block, body(numbers, start));
            into[start..start + count].copy_from_slice(&divided[..count]);
        }
    }
}

fn dot(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).fold(0.0, |sum, (a, b)| sum + a * b)
}

/// L with L Lᵀ this matrix, which is positive semidefinite.
fn cholesky<const N: usize>(matrix: &Coupling<N>) -> Coupling<N> {
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
    use super::{ConjugateGradients, ContactJacobian, Threads};

    const K: usize = 6;

    #[test]
    fn what_was_found_is_what_was_asked_for() {
        // A fixed body, one with one degree of freedom, two with all; and contacts that couple them.
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
        let by_lines: Vec<ContactJacobian<2, K>> =
            contacts.iter().map(|(_, [first, second], _)| std::array::from_fn(|i| [first[i], second[i]])).collect();
        let mut gradients = ConjugateGradients::<2, K>::default();
        let given = contacts.iter().zip(&by_lines).map(|((bodies, _, spring), moves)| (*bodies, moves, *spring));
        gradients.put(13, bodies.into_iter(), given);
        let asked: Vec<f64> = (0..13).map(|k| f64::from(k) - 4.0).collect();
        let (threads, mut numbers) = (Threads::default(), asked.clone());
        assert_eq!(gradients.solve(&mut numbers, 1e-12, 2, &threads), (2, false));
        assert_eq!(numbers, asked);
        assert!(gradients.solve(&mut numbers, 1e-12, 100, &threads).1);
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
        // The same right-hand side again takes no iteration.
        let mut again = asked.clone();
        assert_eq!(gradients.solve(&mut again, 1e-11, 100, &threads), (0, true));
    }
}
