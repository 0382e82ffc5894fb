//! What a step would cost with another solver: on a copy of the packing whose load changes a little.

use crate::course::{Make, engine};
use hardgrain::{Dimension, Engine, Packing, Stop, Threads};
use hardgrain_io::scene::{Numerics, SolverPlan, Way};
use std::time::Instant;

/// Steps that are timed, after one that makes the list of neighbours. All loads change before each of them by a share; at rest there would be nothing
/// to do.
const STEPS: usize = 2;
const CHANGE: f64 = 0.01;

/// A solver that needs more sweeps is no advice.
const MOST_SWEEPS: u32 = 5000;

/// How many times longer a step takes with other solvers; nothing where they do not converge either.
#[derive(Clone, Copy, Debug)]
pub(super) struct Trial {
    pub accelerated: Option<f64>,
    pub rigid: Option<f64>,
}

impl Trial {
    /// Makes the next steps of a packing with each solver, until forces are right to `error`.
    pub(super) fn of<D: Dimension>(packing: &Packing<D>, numerics: &Numerics, make: Make<D>, error: f64) -> Self {
        let tolerance = Stop::Tolerance { tolerance: error, max_sweeps: MOST_SWEEPS };
        let with = |way: Way| seconds(packing, numerics, way, make);
        let present = with(numerics.solver.way);
        let ratio = |way: Way| Some(with(way)? / present?);
        Self {
            accelerated: ratio(Way::Accelerated(tolerance)),
            rigid: ratio(Way::Rigid { tolerance: 1e-8, max_sweeps: MOST_SWEEPS }),
        }
    }
}

/// Seconds of a step: the shortest of some.
fn seconds<D: Dimension>(packing: &Packing<D>, numerics: &Numerics, way: Way, make: Make<D>) -> Option<f64> {
    let mut packing = packing.clone();
    let numerics = Numerics { solver: SolverPlan { way, warm: true, ..numerics.solver }, ..*numerics };
    let mut engine = engine(make, &numerics, 0, &Threads::default());
    let mut best = f64::INFINITY;
    for step in 0..=STEPS {
        if step > 0 {
            change(&mut packing);
        }
        let began = Instant::now();
        let report = engine.step(&mut packing).ok()?;
        if report.converged() == Some(false) {
            return None;
        }
        if step > 0 {
            best = best.min(began.elapsed().as_secs_f64());
        }
    }
    (best > 0.0).then_some(best)
}

/// Raises every load.
fn change<D: Dimension>(packing: &mut Packing<D>) {
    let more = 1.0 + CHANGE;
    packing.gravity = packing.gravity * more;
    packing.grains.iter_mut().for_each(|grain| grain.force = grain.force * more);
    packing.pistons.iter_mut().for_each(|piston| piston.force *= more);
}
