//! Sweeps and linear solves around the stages: before them, between them, and to finish one that is nearly right.

use super::best::{Best, FinishedBy};
use super::convergence::Convergence;
use super::refine::refine;
use crate::block::{Block, dot};
use crate::network::Network;
use crate::tuning::Tuning;
use hardgrain::linear_size;

/// The search for an answer: the best so far, and the sweeps left.
pub(crate) struct Search<const N: usize> {
    pub(crate) tuning: Tuning,
    pub(crate) best: Best<N>,
    tolerance: f64,
    sweeps_left: u32,
}

/// Digits that a tolerance asks for, at least one and no more than numbers have.
fn digits(tolerance: f64) -> f64 {
    let mut digits = 1.0;
    let mut asked = 0.1;
    while asked > tolerance && digits < 20.0 {
        digits += 1.0;
        asked *= 0.1;
    }
    digits
}

/// The same reactions times a factor such that they do no work: right if all loads on a packing at rest have changed by that factor.
/// `None` if it is above `most` or below its inverse: then it is not the load that has changed.
fn in_proportion<const N: usize>(net: &impl Network<N>, reactions: &[Block<N>], most: f64) -> Option<Vec<Block<N>>> {
    let mut velocities = Vec::new();
    net.velocities(reactions, &mut velocities);
    let (mut by_free, mut by_all) = (0.0, 0.0);
    for ((reaction, velocity), free) in reactions.iter().zip(&velocities).zip(&net.data().free) {
        by_free += dot(reaction, free);
        by_all += dot(reaction, velocity);
    }
    // r·(q + f W r) = 0.
    let factor = by_free / (by_free - by_all);
    let scaled = |reaction: &Block<N>| reaction.map(|number| factor * number);
    (1.0 / most..=most).contains(&factor).then(|| reactions.iter().map(scaled).collect())
}

impl<const N: usize> Search<N> {
    pub(crate) fn new(net: &impl Network<N>, first: &[Block<N>], tolerance: f64, max_sweeps: u32) -> Self {
        Self { tuning: *net.tuning(), best: Best::new(net, first), tolerance, sweeps_left: max_sweeps }
    }

    pub(crate) fn done(&self) -> bool {
        self.best.error <= self.tolerance
    }

    /// Whether it ends here: with an answer, or as the work is cancelled.
    pub(crate) fn ends(&self, net: &impl Network<N>) -> bool {
        self.done() || net.is_cancelled()
    }

    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of sweeps")]
    pub(crate) fn sweeps_per_factorisation(net: &impl Network<N>) -> u32 {
        net.cost().sweeps as u32
    }

    /// Sweeps that are to finish a stage: fewer where an iteration of it is mostly a factorisation, since several may be needed.
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of sweeps")]
    fn finishing_sweeps(&self, net: &impl Network<N>) -> u32 {
        let cost = net.cost();
        if cost.is_expensive { (self.tuning.finishing_share * cost.sweeps) as u32 } else { cost.sweeps as u32 }
    }

    /// Takes the last reactions in proportion to the load, if these are right or far better than the last ones themselves.
    pub(crate) fn try_proportion(&mut self, net: &impl Network<N>, last: &[Block<N>]) {
        let Some(scaled) = in_proportion(net, last, self.tuning.proportion) else { return };
        let before = self.best.clone();
        self.best.offer(net, &scaled);
        if !self.done() && self.best.error > self.tuning.proportion_gain * before.error {
            self.best = before;
        }
    }

    pub(crate) fn sweep(&mut self, net: &mut impl Network<N>, sweeps: u32) {
        let mut reactions = self.best.reactions.clone();
        self.sweep_over(net, &mut reactions, sweeps, self.tolerance);
    }

    /// Sweeps over these reactions to this error, as many as are left. Returns their error.
    fn sweep_over(&mut self, net: &mut impl Network<N>, reactions: &mut Vec<Block<N>>, sweeps: u32, aim: f64) -> f64 {
        let sweeps = sweeps.min(self.sweeps_left);
        if sweeps > 0 {
            let made = net.sweep(reactions, sweeps, aim);
            self.best.sweeps += made;
            self.sweeps_left = self.sweeps_left.saturating_sub(made);
        }
        self.best.offer(net, reactions)
    }

    /// The sweeps that are expected to be enough, if they cost less than factorisations; fewer if they converge more slowly.
    pub(crate) fn sweep_first(&mut self, net: &mut impl Network<N>) {
        let Tuning { sweeps_per_contact, sweeps_digits, usual_factorisations, first_gain, .. } = self.tuning;
        let along_edge = linear_size(net.data().free.len(), N);
        let expected = sweeps_per_contact * along_edge * digits(self.tolerance) / sweeps_digits;
        let cost = net.cost();
        if !cost.is_expensive || expected > usual_factorisations * cost.sweeps {
            return;
        }
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a number of sweeps")]
        let part = (self.tuning.first_part * expected) as u32;
        let aim = self.tuning.hidden * self.tolerance;
        let mut promised = self.tolerance.sqrt().min(first_gain * self.best.error);
        for _ in 0..self.tuning.first_parts {
            let mut reactions = self.best.reactions.clone();
            self.sweep_over(net, &mut reactions, part, aim);
            if self.best.error <= aim || self.best.error > promised {
                return;
            }
            promised = first_gain * self.best.error;
        }
    }

    /// If contacts keep the states in which the last forces and some sweeps have left them, one linear solve finds the answer; if some
    /// change, sweeps and solves alternate, and if these stall, more sweeps follow.
    pub(crate) fn keep_states(&mut self, net: &mut impl Network<N>) {
        if net.cost().is_expensive {
            return;
        }
        let (solves, share) = self.tuning.kept_states;
        for _ in 0..solves {
            let before = self.best.error;
            if self.done() {
                return;
            }
            let Some((mut refined, force_error)) = refine(net, &self.best.reactions) else { return };
            self.best.finished_by = FinishedBy::KeptStates;
            self.best.offer(net, &refined);
            if self.done() {
                self.best.force_error = Some(force_error);
                return;
            }
            self.sweep_over(net, &mut refined, Self::sweeps_per_factorisation(net), self.tolerance);
            if self.best.error > share * before && !self.sweep_on(net) {
                return;
            }
        }
    }

    /// Blocks of sweeps until one helps: only one, but close to the tolerance as many as the stages would cost. Whether one did.
    fn sweep_on(&mut self, net: &mut impl Network<N>) -> bool {
        let Tuning { usual_factorisations, polish_sweeps, close, kept_states, .. } = self.tuning;
        let mut left = usual_factorisations * net.cost().sweeps;
        loop {
            let before = self.best.error;
            self.sweep(net, polish_sweeps);
            if self.best.error <= kept_states.1 * before || self.done() {
                return true;
            }
            left -= f64::from(polish_sweeps);
            if left <= 0.0 || self.best.error > close * self.tolerance || net.is_cancelled() {
                return false;
            }
        }
    }

    /// Sweeps after a stage, for as long as they help.
    pub(crate) fn polish(&mut self, net: &mut impl Network<N>) {
        for _ in 0..self.tuning.polish_blocks {
            let before = self.best.error;
            self.sweep(net, self.tuning.polish_sweeps);
            if self.done() || self.best.error > self.tuning.polish_gain * before {
                return;
            }
        }
    }

    /// Whether a stage is to continue after an iteration that has led to these reactions.
    pub(crate) fn goes_on(
        &mut self,
        net: &mut impl Network<N>,
        reactions: &[Block<N>],
        gap: f64,
        convergence: &mut Convergence,
    ) -> bool {
        let error = self.best.offer(net, reactions);
        if error < convergence.trial {
            convergence.trial = self.tuning.trial_again * error;
            self.finish(net, reactions, error);
        }
        !self.done() && gap > self.tuning.gap_closed && !convergence.stalled(error, gap)
    }

    /// The errors left may be local, then sweeps remove them fastest; or spread over the packing, with every contact in the right state,
    /// then refinement does, unless more sweeps are cheaper.
    fn finish(&mut self, net: &mut impl Network<N>, reactions: &[Block<N>], mut error: f64) {
        let Tuning { finishing_rounds, finishing_gain, close, polish_gain, hidden, hidden_divisor, .. } = self.tuning;
        let is_expensive = net.cost().is_expensive;
        let mut reactions = reactions.to_vec();
        let mut refinement_helps = false;
        for _ in 0..finishing_rounds {
            // Half is left for later, should this fail.
            let sweeps = self.finishing_sweeps(net).min(self.sweeps_left / 2);
            let swept = self.sweep_over(net, &mut reactions, sweeps, self.tolerance);
            if self.done() {
                if is_expensive {
                    // What they still hide is cheaper to sweep away than to refine.
                    self.sweep_over(net, &mut reactions, sweeps / hidden_divisor, hidden * self.tolerance);
                    self.best.finished_by = FinishedBy::Sweeps;
                }
                return;
            }
            if is_expensive {
                // Only if once more is enough at this rate.
                if swept * (swept / error) > self.tolerance {
                    return;
                }
                error = swept;
                continue;
            }
            if swept > finishing_gain * error && !(refinement_helps && swept <= close * self.tolerance) {
                return;
            }
            let Some((refined, force_error)) = refine(net, &reactions) else { return };
            error = self.best.offer(net, &refined);
            refinement_helps = error <= polish_gain * swept;
            if self.done() {
                self.best.force_error = Some(force_error);
                return;
            }
            if error < swept {
                reactions = refined;
            } else {
                error = swept;
            }
        }
    }

    /// Some sweeps, which may be enough, or a start; only a few where they are neither.
    pub(crate) fn sweep_before(&mut self, net: &mut impl Network<N>) {
        let most = Self::sweeps_per_factorisation(net).min(self.tuning.sweeps_before);
        let promised = self.tolerance.sqrt().sqrt() * self.best.error;
        let first = if net.cost().is_moderate { most / self.tuning.probe_divisor } else { most };
        self.sweep(net, first);
        if most > first && self.best.error <= promised && !self.done() {
            self.sweep(net, most - first);
        }
    }
}
