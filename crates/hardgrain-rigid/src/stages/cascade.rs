//! The order of the stages.

use super::best::{Best, FinishedBy};
use super::convergence::Convergence;
use super::convex::{WarmStart, convex};
use super::exact::{Proximal, exact};
use super::search::Search;
use crate::block::Block;
use crate::network::Network;
use crate::tuning::Tuning;
use FinishedBy::{Compliance, Convex, Exact, FirstGuess, Refinement, Selection, Sweeps};

/// A stage, given the reactions at the start.
type StageFn<const N: usize, T> = fn(&mut Search<N>, &mut T, &[Block<N>]);

/// Searches for reactions with an error within the tolerance, from these.
pub(crate) fn solve<const N: usize, T: Network<N>>(
    net: &mut T,
    last: &[Block<N>],
    tolerance: f64,
    max_sweeps: u32,
) -> Best<N> {
    let mut search = Search::new(net, last, tolerance, max_sweeps);
    let warm = last.iter().flatten().any(|number| *number != 0.0);
    if warm && !search.done() {
        search.try_proportion(net, last);
    }
    if search.done() {
        let safe = search.best.error <= search.tuning.hidden * tolerance;
        search.best.finished_by = if safe { FirstGuess } else { Refinement };
        return search.best;
    }
    let last = search.best.reactions.clone();
    search.best.finished_by = Sweeps;
    if warm {
        search.sweep(net, Search::sweeps_per_factorisation(net));
        search.keep_states(net);
    }
    if !search.done() {
        search.sweep_first(net);
    }
    if search.ends(net) {
        return search.best;
    }
    let stages: [(FinishedBy, StageFn<N, T>); 4] =
        [(Selection, select), (Convex, convex_stage), (Exact, exact_stage), (Compliance, compliant)];
    for (name, stage) in stages.into_iter().skip(usize::from(!warm)) {
        search.best.finished_by = name;
        stage(&mut search, net, &last);
        if !search.ends(net) && name != Compliance {
            search.polish(net);
        }
        if search.ends(net) {
            return search.best;
        }
    }
    search.best.finished_by = FinishedBy::Fallback;
    let mut reactions = last;
    search.best.sweeps += net.sweep(&mut reactions, max_sweeps, tolerance);
    search.best.fall_back(net, &reactions);
    search.best
}

/// The exact stage next to the last reactions.
fn select<const N: usize>(search: &mut Search<N>, net: &mut impl Network<N>, last: &[Block<N>]) {
    let proximal = Proximal { centre: last, strength: search.tuning.selection };
    follow_exact_path(search, net, Some(proximal));
}

/// The exact stage from zero reactions.
fn exact_stage<const N: usize>(search: &mut Search<N>, net: &mut impl Network<N>, _: &[Block<N>]) {
    follow_exact_path(search, net, None);
}

fn follow_exact_path<const N: usize, T: Network<N>>(
    search: &mut Search<N>,
    net: &mut T,
    proximal: Option<Proximal<'_, N>>,
) {
    let mut convergence = Convergence::new(net);
    exact(net, proximal, |net: &mut T, reactions: &[Block<N>], gap| {
        search.goes_on(net, reactions, gap, &mut convergence)
    });
}

/// Some sweeps, and the convex stage.
fn convex_stage<const N: usize, T: Network<N>>(search: &mut Search<N>, net: &mut T, _: &[Block<N>]) {
    if search.best.sweeps == 0 {
        search.sweep_before(net);
    }
    if search.done() {
        search.best.finished_by = Sweeps;
        return;
    }
    let Tuning { warm_margin, warm_margins, .. } = search.tuning;
    let reactions = search.best.reactions.clone();
    let margin = (warm_margin * search.best.error).max(warm_margins.0);
    let near = !net.cost().is_moderate && margin <= warm_margins.1;
    let start = near.then_some(WarmStart { reactions: &reactions, margin });
    let mut convergence = Convergence::new(net);
    convex(net, start, |net: &mut T, reactions: &[Block<N>], gap: f64| {
        let goes_on = search.goes_on(net, reactions, gap, &mut convergence);
        if convergence.rises() && net.stop_gradients() {
            convergence.forget();
        }
        goes_on && !convergence.exhausted()
    });
}

/// The exact stage with a proximal term that weakens from round to round.
fn compliant<const N: usize, T: Network<N>>(search: &mut Search<N>, net: &mut T, _: &[Block<N>]) {
    let Tuning { compliance, compliance_factor, compliance_rounds, compliance_gain, .. } = search.tuning;
    let zero = net.data().residuals_of_zero();
    let mut strength = compliance;
    let mut centre = search.best.reactions.clone();
    for _ in 0..compliance_rounds {
        let mut convergence = Convergence::new(net);
        let proximal = Proximal { centre: &centre, strength };
        let mut round = (f64::INFINITY, Vec::new());
        exact(net, Some(proximal), |net: &mut T, reactions: &[Block<N>], gap| {
            search.best.offer(net, reactions);
            // How well the problem with the proximal term is solved.
            let reactions = super::best::projected(net, reactions);
            let mut velocities = Vec::new();
            net.velocities(&reactions, &mut velocities);
            proximal.add(net.data(), &reactions, &mut velocities);
            let error = net.data().residuals(&reactions, &velocities).relative_to(zero);
            if error < round.0 {
                round = (error, reactions);
            }
            let far = error > compliance_gain.1 * search.best.error;
            !search.done() && far && !convergence.stalled(error, gap)
        });
        if search.ends(net) {
            return;
        }
        if round.0.is_finite() && round.0 < compliance_gain.0 * net.error(&round.1) {
            centre = round.1;
            strength /= compliance_factor;
        } else {
            strength *= compliance_factor;
        }
    }
}
