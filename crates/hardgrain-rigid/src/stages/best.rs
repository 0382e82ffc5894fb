//! What was found: the best answer so far, how it was found, and how it is judged, mended and replaced.

use crate::block::{Block, dot, multiply, project};
use crate::local_solve::solve_one;
use crate::network::Network;
use crate::stages::refine::mend;

/// Forces are mended so many times at the end, with so many factorisations, of which all times use one while springs stay what
/// they are; and no more when forces have changed by this share of them.
const MENDS: u32 = 8;
const MENDING: u32 = 3;
const MENDED: f64 = 1e-6;
/// Each time leaves no more than this share of what forces miss.
const LESS: f64 = 0.5;
/// What leaves more than this share of what no reactions at all leave is nowhere near an answer.
const HOPELESS: f64 = 0.01;

/// What led to an answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Way {
    /// Nothing had to be done: the reactions at the start were right, as they were or in proportion.
    AtOnce,
    /// They were right, but not by so much that the next steps could rely on them: they are to be mended.
    Nearly,
    /// Sweeps, alone or at the end of a stage whose factorisations are dear.
    Sweeps,
    /// Factorisations: the interior-point stages, or contacts that stay as they are.
    Interior,
    /// None of these: the answer, right or not, is what accelerated sweeps have left, or the best there was if that is better.
    HandedOver,
}

/// What was found.
#[derive(Clone, Debug)]
pub(crate) struct Found<const N: usize> {
    pub(crate) reactions: Vec<Block<N>>,
    pub(crate) error: f64,
    pub(crate) sweeps: u32,
    pub(crate) way: Way,
    /// The relative error of the forces, where it was looked for.
    pub(crate) force_error: Option<f64>,
}

impl<const N: usize> Found<N> {
    /// At these reactions, before anything was done.
    pub(crate) fn at(net: &impl Network<N>, reactions: &[Block<N>]) -> Self {
        let reactions = inside(net, reactions);
        let error = net.error(&reactions);
        Self {
            error: if error.is_nan() { f64::INFINITY } else { error },
            reactions,
            sweeps: 0,
            way: Way::AtOnce,
            force_error: None,
        }
    }

    /// Takes reactions if they are better. Their error.
    pub(crate) fn offer(&mut self, net: &impl Network<N>, reactions: &[Block<N>]) -> f64 {
        let reactions = inside(net, reactions);
        let error = net.error(&reactions);
        if error < self.error {
            (self.error, self.reactions) = (error, reactions);
        }
        error
    }

    /// Takes what sweeps have left if it is better. Where neither comes anywhere near an answer that is decided by contacts at rest:
    /// strong friction weighs what slides so much that reactions which hold nearly miss more than none at all.
    pub(crate) fn hand_over(&mut self, net: &impl Network<N>, swept: &[Block<N>]) {
        let before = self.reactions.clone();
        let error = self.offer(net, swept);
        let swept = inside(net, swept);
        if self.error > HOPELESS && unrest(net, &swept) < unrest(net, &before) {
            (self.error, self.reactions) = (error, swept);
        }
    }

    /// Mends what is wrong with the forces all over the packing, which no contact notices.
    pub(crate) fn mend(&mut self, net: &mut impl Network<N>) {
        let most = net.factorisations() + MENDING;
        for _ in 0..MENDS {
            if self.force_error.is_some_and(|error| error <= MENDED) || net.factorisations() >= most {
                return;
            }
            let Some((mended, now)) = mend(net, &self.reactions) else { return };
            let before = self.force_error.replace(now);
            let error = net.error(&mended);
            // What is no better, or misses hardly less than before, stays as it is, with the error that it has.
            let better = error <= self.error && before.is_none_or(|before| now <= LESS * before);
            if !better {
                return;
            }
            (self.reactions, self.error) = (mended, error);
        }
    }
}

/// The nearest reactions that friction allows.
pub(crate) fn inside<const N: usize>(net: &impl Network<N>, reactions: &[Block<N>]) -> Vec<Block<N>> {
    reactions.iter().zip(net.friction()).map(|(reaction, &mu)| project(*reaction, mu)).collect()
}

/// By how much velocities inside the contacts would change if every contact was relaxed once more, all from the same state.
fn unrest<const N: usize>(net: &impl Network<N>, reactions: &[Block<N>]) -> f64 {
    let mut velocities = Vec::new();
    net.velocities(reactions, &mut velocities);
    let contacts = reactions.iter().zip(&velocities).zip(net.own()).zip(net.friction());
    let each = contacts.map(|(((reaction, velocity), own), &mu)| {
        let pushed = multiply(own, reaction);
        let relaxed = solve_one(own, &std::array::from_fn(|axis| velocity[axis] - pushed[axis]), mu);
        let change = multiply(own, &std::array::from_fn(|axis| relaxed[axis] - reaction[axis]));
        dot(&change, &change)
    });
    each.sum::<f64>().sqrt()
}

#[cfg(test)]
mod tests {
    use super::Found;
    use crate::delassus::Delassus;
    use crate::problem::FrictionContact;

    #[test]
    fn strong_friction_does_not_hide_that_a_contact_holds_nearly() {
        // It sticks with (1, -1); an error of a thousandth there is a thousand times what nothing misses.
        let problem =
            FrictionContact::<2>::new(vec![[-1.0, 1.0]], vec![1e6], [(0, 0, [[1.0, 0.0], [0.0, 1.0]])]).unwrap();
        let net = Delassus::new(&problem);
        let after = |swept: [f64; 2]| {
            let mut found = Found::at(&net, &[[0.0; 2]]);
            found.hand_over(&net, &[swept]);
            (found.reactions[0], found.error)
        };
        let (held, error) = after([1.0, -0.999]);
        assert!(held == [1.0, -0.999] && error > 100.0, "{held:?} {error}");
        // What is farther from rest than nothing is not taken, and what is no number neither.
        for wild in [[100.0, 0.0], [f64::NAN, 0.0], [f64::INFINITY, 0.0]] {
            assert_eq!(after(wild).0, [0.0; 2]);
        }
        assert_eq!(after([1.0, -1.0]), ([1.0, -1.0], 0.0));
    }
}
