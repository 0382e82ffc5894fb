//! Which answer counts when a problem was handed over to sweeps, and nobody has found one.

use crate::cone::{dot, multiply};
use crate::network::Network;
use crate::one::solve_one;
use crate::problem::Block;
use crate::stages::{Found, inside};

/// What leaves more than this share of what no reactions at all leave is nowhere near an answer.
const HOPELESS: f64 = 0.01;

impl<const N: usize> Found<N> {
    /// Takes what sweeps have left if it is better. Where neither comes anywhere near an answer that is decided by contacts at rest:
    /// strong friction weighs what slides so much that reactions which hold nearly miss more than none at all.
    pub(crate) fn hand_over(&mut self, net: &impl Network<N>, swept: &[Block<N>]) {
        let before = self.reactions.clone();
        self.offer(net, swept);
        let swept = inside(net, swept);
        if self.error > HOPELESS && unrest(net, &swept) < unrest(net, &before) {
            self.error = net.error(&swept);
            self.reactions = swept;
        }
    }
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
    use crate::delassus::Delassus;
    use crate::problem::FrictionContact;
    use crate::stages::Found;

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
