//! Warnings about known faults, and advice on more rigid grains with its cost.

use super::end::RunEnd;
use super::faults::warning;
use super::report::{Advice, Rigidity};
use super::trial::Trial;
use crate::simulation::progress::{RIGID, Totals};
use hardgrain::{Dimension, Order, Stop};
use hardgrain_io::scene::SolverKind;

/// Mean overlap over diameter above which advice on overlaps is given.
const OVERLAP: f64 = 1e-3;

/// Relative excess of returned over dissipated energy that is more than rounding.
const ENERGY_GAIN: f64 = 1e-6;

/// Overlaps fall at least with this power of the number of sweeps: 1 under a slow load, less after impacts.
const OVERLAP_EXPONENT: f64 = 0.7;

/// Safety factor on the sweeps of the theory, as a packing is not a chain.
const MARGIN: f64 = 1.25;

/// The advice when all is well.
pub(super) const NOTHING: &str = "nothing needs to change";

/// More sweeps per step are not advised.
const MOST_SWEEPS: f64 = 1e6;

/// Known faults that showed in the run, and others that occurred.
pub(super) fn warnings<D: Dimension>(end: &RunEnd<'_, D>, diameter: f64) -> Vec<String> {
    let totals = end.totals;
    let seen = end.faults(diameter).into_iter();
    let mut all: Vec<String> = seen.map(|(fault, names)| warning(fault, &names, end.scene.stages.len())).collect();
    let soft = end.numerics.solver.kind.is_soft();
    if totals.energy.given_back > totals.energy.taken * (1.0 + ENERGY_GAIN) && !soft {
        let made = totals.energy.given_back - totals.energy.taken;
        all.push(format!(
            "energy from nothing: contacts gave {made:.2e} more than they took; use more sweeps or a smaller time.step"
        ));
    }
    if totals.missed > 0 {
        all.push(format!(
            "the search missed {} contacts, and their overlaps stay; a smaller time.step would not",
            totals.missed
        ));
    }
    if totals.not_converged > 0 {
        let (missed, steps) = (totals.not_converged, totals.steps);
        all.push(format!("{missed} of {steps} steps missed the tolerance; raise solver.max_sweeps, or ask for less with solver.tolerance"));
    }
    all
}

/// First advice: to avoid known faults, and to reach rest.
pub(super) fn first<D: Dimension>(end: &RunEnd<'_, D>, diameter: f64) -> Vec<Advice> {
    let seen = end.faults(diameter).into_iter();
    let mut all: Vec<Advice> = seen.map(|(fault, _)| Advice::new("before all else", fault.action(), None)).collect();
    all.extend(end.restless.map(|stage| {
        let action =
            format!("raise until.max_steps of stage {stage}, or give it until.stop_after; it did not come to rest");
        Advice::new("before all else", action, None)
    }));
    all
}

/// Advice on sweeps that end before convergence. The error falls exponentially with the number of sweeps, overlaps with a power
/// of it. `asked`: whether the scene asks for a tolerance.
pub(super) fn about_sweeps(
    found: &Rigidity,
    (order, asked): (Order, bool),
    axes: usize,
    tried: Option<Trial>,
) -> Vec<Advice> {
    let Some(sweeps) = found.sweeps else { return Vec::new() };
    let falls = -found.force_error.clamp(f64::MIN_POSITIVE, 1.0).ln() / sweeps;
    // An odd number of parallel sweeps on a row is unstable.
    let even = |more: f64| if order == Order::Parallel && axes == 1 { 2.0 * (0.5 * more).ceil() } else { more };
    let needed = even((MARGIN * -RIGID.ln() / falls).ceil().max(1.0));
    // The fraction of the time of a step spent in sweeps; 1 where it was not measured.
    let share = tried.and_then(|tried| tried.sweeping).unwrap_or(1.0);
    let cost = |more: f64| Some(1.0 + share * (more / sweeps - 1.0));
    if found.force_error <= RIGID {
        let enough = needed < 0.7 * sweeps && !asked;
        let less =
            Advice::new("", format!("nothing needs to change; {needed:.0} sweeps would still be rigid"), cost(needed));
        return vec![if enough { less } else { Advice::new("", NOTHING, None) }];
    }
    let mut all = Vec::new();
    let name = order.name();
    let use_more = |more: f64| {
        // In packings the number is an estimate only.
        let about = if axes > 1 { "about " } else { "" };
        let instead = if asked { " in place of solver.tolerance" } else { "" };
        format!("use {about}{more:.0} {name} sweeps{instead}")
    };
    // Overlaps of another origin do not vanish with sweeps.
    if found.overlap.mean > OVERLAP && found.advice.is_empty() {
        let enough = even((sweeps * (found.overlap.mean / OVERLAP).powf(1.0 / OVERLAP_EXPONENT)).ceil());
        all.push(Advice::new("for mean overlaps below 0.1 % of a diameter", use_more(enough), cost(enough)));
    }
    let aim = "for forces right to 1 %";
    if needed < MOST_SWEEPS {
        all.push(Advice::new(aim, use_more(needed), cost(needed)));
    }
    let [accelerated, rigid] = tried.map_or([None, None], |tried| [tried.accelerated, tried.rigid]);
    let stop =
        format!("use solver.kind = \"accelerated\" with solver.tolerance = {RIGID} in place of sweeps and order");
    for (action, price) in [(stop, accelerated), ("use solver.kind = \"rigid\"".to_owned(), rigid)] {
        // A solver that did not converge in the trial is not advised.
        if tried.is_none() || price.is_some() {
            let cost_at_rest = price.and_then(|price| price.at_rest);
            all.push(Advice { cost_at_rest, ..Advice::new(aim, action, price.map(|price| price.changed)) });
        }
    }
    if order != Order::Coloured && axes > 1 {
        all.push(Advice::new("to save time", "set solver.order = \"coloured\": as many sweeps in less of it", None));
    }
    all
}

/// Advice on solvers with a tolerance, and on soft grains.
pub(super) fn about_solver(found: &Rigidity, kind: SolverKind, totals: &Totals) -> Advice {
    let said = match kind {
        SolverKind::Soft(_) => {
            "stiffer springs and a smaller time.step make overlaps smaller; solver.kind = \"rigid\" makes none"
        }
        _ if found.force_error <= RIGID && totals.not_converged == 0 => NOTHING,
        SolverKind::Rigid { .. } | SolverKind::Pooling => {
            "look at the steps that did not converge (0 in a column \"converged\" of the series): there may be no forces that obey every contact"
        }
        SolverKind::GaussSeidel(..) if totals.not_converged > 0 => {
            "raise solver.max_sweeps, or use solver.kind = \"accelerated\", which needs fewer sweeps"
        }
        SolverKind::GaussSeidel(..) => {
            "use a smaller solver.tolerance, or solver.kind = \"accelerated\", which knows the error of its forces"
        }
        SolverKind::Accelerated(Stop::Sweeps(_)) => "raise solver.sweeps, or use solver.kind = \"rigid\"",
        SolverKind::Accelerated(_) => {
            "raise solver.max_sweeps, ask for less with a larger solver.tolerance, or use solver.kind = \"rigid\""
        }
    };
    Advice::new("", said, None)
}
