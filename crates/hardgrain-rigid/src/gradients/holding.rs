//! Conjugate gradients for W r = c among the contacts that hold.
//!
//! What a contact does to itself is inverted, and that is all. Since W = Hᵀ H the length of a step follows from H p alone, so that one
//! pass over the contacts makes an iteration. Friction that follows would make W lopsided: it is added when the rest is found, and
//! what that moves is found again.

use crate::cone::{dot, inverse, multiply};
use crate::moves::{Moves, of, of_mut, seen, spread};
use crate::network::Hold;
use crate::problem::{Block, Coupling};

/// Friction follows so many times at most.
const FOLLOWS: u32 = 10;
/// Each time the rest is found this much better than is asked for.
const BETTER: f64 = 0.5;

/// Contacts that hold, some of them only along their normal.
#[derive(Debug)]
pub(crate) struct Holding<const N: usize, const K: usize> {
    contacts: Vec<Held<N, K>>,
    // How many numbers the bodies have, with room behind them.
    size: usize,
}

/// A contact that holds: which one, where the numbers of its bodies begin and how these move it, the inverse of what it does to itself
/// in directions in which it holds, and what follows its normal reaction.
#[derive(Clone, Copy, Debug)]
struct Held<const N: usize, const K: usize> {
    contact: usize,
    starts: [usize; 2],
    moves: Moves<N, K>,
    inverse: Coupling<N>,
    follows: Block<N>,
    // What it is still to be moved by, that divided by what it does to itself, in which direction its reaction goes, how far it has gone.
    left: Block<N>,
    divided: Block<N>,
    toward: Block<N>,
    found: Block<N>,
}

impl<const N: usize, const K: usize> Holding<N, K> {
    /// All contacts: how each holds, where the numbers of its bodies, so many in all, begin and how these move it.
    pub(crate) fn new(numbers: usize, contacts: impl Iterator<Item = (Hold<N>, [usize; 2], Moves<N, K>)>) -> Self {
        let none = [0.0; N];
        let held = |(contact, (hold, starts, moves)): (usize, (Hold<N>, [usize; 2], Moves<N, K>))| {
            let own = |i: usize, j: usize| {
                let both = moves[i].as_flattened().iter().zip(moves[j].as_flattened());
                both.fold(0.0, |sum, (a, b)| sum + a * b)
            };
            let (inverse, follows) = match hold {
                Hold::Open => return None,
                Hold::Sticks => (inverse(&std::array::from_fn(|i| std::array::from_fn(|j| own(i, j)))), none),
                Hold::Slides(follows) => {
                    let mut inverse = [none; N];
                    inverse[0][0] = 1.0 / own(0, 0);
                    (inverse, follows)
                }
            };
            Some(Held {
                contact,
                starts,
                moves,
                inverse,
                follows,
                left: none,
                divided: none,
                toward: none,
                found: none,
            })
        };
        Self { contacts: contacts.enumerate().filter_map(held).collect(), size: numbers + K }
    }

    /// Changes of all reactions that move contacts which hold as wanted, but for this share of it; nothing where that would need more
    /// iterations than these. And how many were made.
    pub(crate) fn find(&mut self, wanted: &[Block<N>], share: f64, most: u32) -> (Option<Vec<Block<N>>>, u32) {
        self.contacts.iter_mut().for_each(|held| held.left = wanted[held.contact]);
        let aim = share * share * self.missed();
        let mut changes = vec![[0.0; N]; wanted.len()];
        let mut made = 0;
        for _ in 0..FOLLOWS {
            made += self.solve(BETTER * BETTER * aim, most - made);
            let missed = self.missed();
            if missed.is_nan() || missed > aim {
                return (None, made);
            }
            let follow = |held: &Held<N, K>| held.follows.map(|follows| follows * held.found[0]);
            let mut numbers = vec![0.0; self.size];
            for held in &self.contacts {
                let aside = follow(held);
                let change = &mut changes[held.contact];
                (0..N).for_each(|line| change[line] += held.found[line] + aside[line]);
                (0..2).for_each(|end| spread(&held.moves, end, &aside, of_mut(&mut numbers, held.starts[end])));
            }
            for held in &mut self.contacts {
                let moved = seen(&held.moves, held.starts.map(|start| of(&numbers, start)));
                held.left.iter_mut().zip(moved).for_each(|(left, moved)| *left -= moved);
            }
            if self.missed() <= aim {
                return (Some(changes), made);
            }
        }
        (None, made)
    }

    /// How much is left, where contacts hold.
    fn missed(&self) -> f64 {
        self.contacts.iter().fold(0.0, |sum, held| sum + dot(&held.left, &multiply(&held.inverse, &held.left)))
    }

    /// Makes what is left small enough, as long as friction does not follow. How many iterations were made.
    fn solve(&mut self, enough: f64, most: u32) -> u32 {
        let (mut toward, mut next) = (vec![0.0; self.size], vec![0.0; self.size]);
        let mut length = 0.0;
        for held in &mut self.contacts {
            held.divided = multiply(&held.inverse, &held.left);
            (held.toward, held.found) = ([0.0; N], [0.0; N]);
            length += dot(&held.left, &held.divided);
            (0..2).for_each(|end| spread(&held.moves, end, &held.divided, of_mut(&mut toward, held.starts[end])));
        }
        let (mut made, mut turn) = (0, 0.0);
        while length > enough && made < most {
            let step = length / toward.iter().fold(0.0, |sum, number| sum + number * number);
            next.fill(0.0);
            let mut now = 0.0;
            for held in &mut self.contacts {
                let moved = seen(&held.moves, held.starts.map(|start| of(&toward, start)));
                for (line, moved) in moved.into_iter().enumerate() {
                    held.toward[line] = held.divided[line] + turn * held.toward[line];
                    held.found[line] += step * held.toward[line];
                    held.left[line] -= step * moved;
                }
                held.divided = multiply(&held.inverse, &held.left);
                now += dot(&held.left, &held.divided);
                (0..2).for_each(|end| spread(&held.moves, end, &held.divided, of_mut(&mut next, held.starts[end])));
            }
            turn = now / length;
            toward.iter_mut().zip(&next).for_each(|(toward, next)| *toward = next + turn * *toward);
            length = now;
            made += 1;
        }
        made
    }
}

#[cfg(test)]
mod tests {
    use super::{Block, Hold, Holding, Moves};

    const K: usize = 3;

    /// Three bodies, a wall, and contacts among them.
    fn contacts(holds: [Hold<2>; 4]) -> Vec<(Hold<2>, [usize; 2], Moves<2, K>)> {
        let moves = |seed: usize, first: usize, second: usize| -> Moves<2, K> {
            let number = |line: usize, end: usize, k: usize, count: usize| {
                if k < count { ((seed + 5 * line + 3 * end + 2 * k) % 7) as f64 - 2.5 } else { 0.0 }
            };
            std::array::from_fn(|line| {
                std::array::from_fn(|end| std::array::from_fn(|k| number(line, end, k, [first, second][end])))
            })
        };
        let ends =
            [([0, 3], moves(1, 3, 3)), ([3, 6], moves(2, 3, 3)), ([0, 6], moves(4, 3, 3)), ([6, 9], moves(3, 3, 0))];
        ends.into_iter().zip(holds).map(|((starts, moves), hold)| (hold, starts, moves)).collect()
    }

    /// How reactions move all contacts.
    fn moved(contacts: &[(Hold<2>, [usize; 2], Moves<2, K>)], reactions: &[Block<2>]) -> Vec<Block<2>> {
        let mut numbers = [0.0; 9 + K];
        for ((_, starts, moves), reaction) in contacts.iter().zip(reactions) {
            for (line, ends) in moves.iter().enumerate() {
                for (start, end) in starts.iter().zip(ends) {
                    (0..K).for_each(|k| numbers[start + k] += end[k] * reaction[line]);
                }
            }
        }
        let one = |moves: &[[f64; K]; 2], starts: &[usize; 2]| {
            (0..2).map(|end| (0..K).map(|k| moves[end][k] * numbers[starts[end] + k]).sum::<f64>()).sum::<f64>()
        };
        contacts.iter().map(|(_, starts, moves)| std::array::from_fn(|line| one(&moves[line], starts))).collect()
    }

    #[test]
    fn contacts_that_hold_move_as_wanted_and_friction_follows() {
        let contacts = contacts([Hold::Sticks, Hold::Slides([0.0, -0.1]), Hold::Open, Hold::Sticks]);
        let wanted = [[1.0, -2.0], [0.5, 7.0], [3.0, 3.0], [-1.0, 0.3]];
        let mut holding = Holding::new(9, contacts.iter().copied());
        let (changes, made) = holding.find(&wanted, 1e-9, 200);
        let changes = changes.unwrap();
        assert!(made > 4, "{made}");
        assert_eq!(changes[2], [0.0; 2]);
        assert!((changes[1][1] + 0.1 * changes[1][0]).abs() < 1e-12 && changes[1][0] != 0.0, "{changes:?}");
        let moved = moved(&contacts, &changes);
        for (contact, line) in [(0, 0), (0, 1), (1, 0), (3, 0), (3, 1)] {
            assert!((moved[contact][line] - wanted[contact][line]).abs() < 1e-7, "{moved:?}");
        }
        // Too few, and what is no number.
        assert_eq!(holding.find(&wanted, 1e-9, 3), (None, 3));
        assert!(holding.find(&[[f64::NAN; 2]; 4], 1e-9, 30).0.is_none());
        // Nothing is wanted.
        assert_eq!(holding.find(&[[0.0; 2]; 4], 1e-9, 30), (Some(vec![[0.0; 2]; 4]), 0));
    }
}
