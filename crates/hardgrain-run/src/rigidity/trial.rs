//! Times other solvers on a copy of the packing whose load changes slightly.

use crate::simulation::solvers::engine;
use hardgrain::{Dimension, Engine, Order, Packing, StepReport, Stop, Threads};
use hardgrain_io::scene::{Numerics, SolverKind, SolverPlan};
use std::time::Instant;

/// Number of timed steps, after one that builds the neighbour list. Loads change by the fraction `CHANGE` once in `CHANGED` steps;
/// `FORGOTTEN` steps later the packing counts as at rest.
const STEPS: usize = 200;
const CHANGED: usize = 100;
const FORGOTTEN: usize = 50;
const CHANGE: f64 = 0.01;

/// Number of timed steps with a fixed number of sweeps, which all take equally long.
const ALIKE: usize = 20;

/// A solver that needs more sweeps is not advised.
const MOST_SWEEPS: u32 = 5000;

/// The time of a step with another solver, in seconds or relative to the present one.
#[derive(Clone, Copy, Debug)]
pub(super) struct StepPrice {
    /// Of a step in which loads change by a percent.
    pub changed: f64,
    /// Of a step at rest; none where the time for the trial ran out.
    pub at_rest: Option<f64>,
    /// Of the fastest step.
    least: f64,
}

/// The cost of other solvers; none where they do not converge.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub accelerated: Option<StepPrice>,
    pub rigid: Option<StepPrice>,
    /// The fraction of the time of a step spent in sweeps now.
    pub sweeping: Option<f64>,
}

impl Trial {
    /// Makes the next steps of a packing with each solver, to a force error of `error`; the present one makes `sweeps` sweeps in
    /// this `order`. Each solver gets `budget` seconds, and at least one step unless the threads are cancelled.
    pub(super) fn run<D: Dimension>(
        packing: &Packing<D>,
        numerics: &Numerics,
        (order, sweeps, error): (Order, u32, f64),
        (budget, threads): (f64, &Threads),
    ) -> Self {
        let tolerance = Stop::Tolerance { tolerance: error, max_sweeps: MOST_SWEEPS };
        let with = |kind: SolverKind, steps: usize| seconds(packing, numerics, kind, (steps, budget, threads));
        let sweeping =
            |times: u32| with(SolverKind::GaussSeidel(order, Stop::Sweeps(sweeps.saturating_mul(times))), ALIKE);
        let present = sweeping(1);
        let ratio = |other: Option<StepPrice>| {
            let (other, one) = (other?, present?.least);
            let at_rest = other.at_rest.map(|price| price / one);
            Some(StepPrice { changed: other.changed / one, at_rest, least: other.least / one })
        };
        // The extra time with twice the sweeps is that of the sweeps.
        let twice = ratio(sweeping(2)).map(|twice| (twice.least - 1.0).clamp(0.0, 1.0));
        Self {
            accelerated: ratio(with(SolverKind::Accelerated(tolerance), STEPS)),
            rigid: ratio(with(SolverKind::Rigid { tolerance: 1e-8, max_sweeps: MOST_SWEEPS }, STEPS)),
            sweeping: twice,
        }
    }
}

/// Seconds of a step: medians.
fn seconds<D: Dimension>(
    packing: &Packing<D>,
    numerics: &Numerics,
    kind: SolverKind,
    (steps, budget, threads): (usize, f64, &Threads),
) -> Option<StepPrice> {
    let mut packing = packing.clone();
    let numerics = Numerics { solver: SolverPlan { kind, warm: true, ..numerics.solver }, ..*numerics };
    let mut engine = engine(&numerics, 0, threads);
    let fails = |report: &StepReport| report.converged() == Some(false);
    if engine.step(&mut packing).ok().is_none_or(|report| fails(&report)) {
        return None;
    }
    let (mut changed, mut at_rest) = (Vec::new(), Vec::new());
    let all = Instant::now();
    for step in 0..steps {
        if step > 0 && all.elapsed().as_secs_f64() > budget {
            break;
        }
        let since = step % CHANGED;
        if since == 0 {
            change(&mut packing);
        }
        let began = Instant::now();
        if fails(&engine.step(&mut packing).ok()?) {
            return None;
        }
        let seconds = began.elapsed().as_secs_f64();
        if since == 0 {
            changed.push(seconds);
        } else if since >= FORGOTTEN {
            at_rest.push(seconds);
        }
    }
    let least = changed.iter().chain(&at_rest).copied().fold(f64::INFINITY, f64::min);
    let median = |mut times: Vec<f64>| {
        times.sort_unstable_by(f64::total_cmp);
        // The lower of two middle values, as other programs only add time.
        times.get(times.len().saturating_sub(1) / 2).copied()
    };
    let price = StepPrice { changed: median(changed)?, at_rest: median(at_rest), least };
    (least > 0.0).then_some(price)
}

/// Raises every load, and pushes grains alternately with a fraction of the forces they carry: if all loads changed alike, the forces
/// would only be scaled.
fn change<D: Dimension>(packing: &mut Packing<D>) {
    let more = 1.0 + CHANGE;
    packing.gravity = packing.gravity * more;
    packing.grains.iter_mut().for_each(|grain| grain.force = grain.force * more);
    packing.pistons.iter_mut().for_each(|piston| piston.force *= more);
    for (number, known) in packing.memory.iter().enumerate() {
        let share = if number % 2 == 0 { CHANGE } else { -CHANGE };
        let grain = &mut packing.grains[known.identity.first as usize];
        grain.force += known.force() * share;
    }
}
