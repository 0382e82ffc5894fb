//! The best reactions so far: how they were found, and how they are judged, refined and replaced.

use super::refine::refine;
use crate::block::{Block, dot, multiply, project};
use crate::local_solve::solve_one;
use crate::network::Network;
use crate::tuning::Tuning;

/// What has finished a solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum FinishedBy {
    /// Nothing was needed: the first guess was right, as it was or in proportion to the load.
    FirstGuess,
    /// The first guess was right, but not so well that later steps could rely on it: it was refined.
    Refinement,
    /// Sweeps, alone or after a stage whose factorisations are expensive.
    Sweeps,
    /// Contacts that keep the state (open, sticking, sliding) of the last step: linear solves, with sweeps between.
    KeptStates,
    /// The exact stage next to the reactions of the last step, with sweeps and refinement.
    Selection,
    /// The convex stage, with sweeps and refinement.
    Convex,
    /// The exact stage, with sweeps and refinement.
    Exact,
    /// The exact stage with compliant contacts that become stiffer.
    Compliance,
    /// None of these: the solver fell back to accelerated sweeps. The answer, right or not, is theirs, or the best before if that is better.
    Fallback,
}

impl FinishedBy {
    /// Whether factorisations have made the answer, so that errors all over the packing are small, too.
    pub(crate) fn is_by_factorisation(self) -> bool {
        matches!(self, Self::KeptStates | Self::Selection | Self::Convex | Self::Exact | Self::Compliance)
    }
}

/// The best reactions so far.
#[derive(Clone, Debug)]
pub(crate) struct Best<const N: usize> {
    pub(crate) reactions: Vec<Block<N>>,
    pub(crate) error: f64,
    pub(crate) sweeps: u32,
    pub(crate) finished_by: FinishedBy,
    /// The relative error of the forces, where it is known.
    pub(crate) force_error: Option<f64>,
}

impl<const N: usize> Best<N> {
    /// The first guess.
    pub(crate) fn new(net: &impl Network<N>, reactions: &[Block<N>]) -> Self {
        let reactions = projected(net, reactions);
        let error = net.error(&reactions);
        let error = if error.is_nan() { f64::INFINITY } else { error };
        Self { error, reactions, sweeps: 0, finished_by: FinishedBy::FirstGuess, force_error: None }
    }

    /// Takes reactions if they are better. Returns their error.
    pub(crate) fn offer(&mut self, net: &impl Network<N>, reactions: &[Block<N>]) -> f64 {
        let reactions = projected(net, reactions);
        let error = net.error(&reactions);
        if error < self.error {
            (self.error, self.reactions) = (error, reactions);
        }
        error
    }

    /// Takes what sweeps have left if it is better. Where neither is near an answer, the better one is that nearer to rest: strong
    /// friction weighs sliding so much that reactions which nearly hold have a larger error than none at all.
    pub(crate) fn fall_back(&mut self, net: &impl Network<N>, swept: &[Block<N>]) {
        let before = self.reactions.clone();
        let error = self.offer(net, swept);
        let swept = projected(net, swept);
        let hopeless = self.error > net.tuning().hopeless;
        if hopeless && change_by_relaxation(net, &swept) < change_by_relaxation(net, &before) {
            (self.error, self.reactions) = (error, swept);
        }
    }

    /// Refines errors that spread over the whole packing, which no single contact shows.
    pub(crate) fn refine(&mut self, net: &mut impl Network<N>) {
        let Tuning { refinements, refinement_factorisations, refined, refinement_gain, .. } = *net.tuning();
        let most = net.factorisations() + refinement_factorisations;
        for _ in 0..refinements {
            if self.force_error.is_some_and(|error| error <= refined) || net.factorisations() >= most {
                return;
            }
            let Some((reactions, now)) = refine(net, &self.reactions) else { return };
            let before = self.force_error.replace(now);
            let error = net.error(&reactions);
            // No better, or hardly: it stays as it is, with the force error that it has.
            let better = error <= self.error && before.is_none_or(|before| now <= refinement_gain * before);
            if !better {
                return;
            }
            (self.reactions, self.error) = (reactions, error);
        }
    }
}

/// Reactions projected on Coulomb's cone.
pub(crate) fn projected<const N: usize>(net: &impl Network<N>, reactions: &[Block<N>]) -> Vec<Block<N>> {
    reactions.iter().zip(&net.data().friction).map(|(reaction, &mu)| project(*reaction, mu)).collect()
}

/// The change of velocities inside the contacts if each was relaxed once more, all from the same state: a Jacobi sweep.
fn change_by_relaxation<const N: usize>(net: &impl Network<N>, reactions: &[Block<N>]) -> f64 {
    let mut velocities = Vec::new();
    net.velocities(reactions, &mut velocities);
    let data = net.data();
    let contacts = reactions.iter().zip(&velocities).zip(&data.diagonal).zip(&data.friction);
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
    use super::Best;
    use crate::delassus::DelassusSystem;
    use crate::problem::FrictionContact;
    use crate::tuning::Tuning;

    #[test]
    fn strong_friction_does_not_hide_that_a_contact_holds_nearly() {
        // It sticks with (1, -1); an error of a thousandth there is a thousand times that of zero reactions.
        let problem =
            FrictionContact::<2>::new(vec![[-1.0, 1.0]], vec![1e6], [(0, 0, [[1.0, 0.0], [0.0, 1.0]])]).unwrap();
        let net = DelassusSystem::new(&problem, &Tuning::DEFAULT);
        let after = |swept: [f64; 2]| {
            let mut best = Best::new(&net, &[[0.0; 2]]);
            best.fall_back(&net, &[swept]);
            (best.reactions[0], best.error)
        };
        let (held, error) = after([1.0, -0.999]);
        assert!(held == [1.0, -0.999] && error > 100.0, "{held:?} {error}");
        // Neither what is farther from rest than zero is taken, nor what is not finite.
        for wild in [[100.0, 0.0], [f64::NAN, 0.0], [f64::INFINITY, 0.0]] {
            assert_eq!(after(wild).0, [0.0; 2]);
        }
        assert_eq!(after([1.0, -1.0]), ([1.0, -1.0], 0.0));
    }
}
