//! What a user should know and could do: warnings about what is known to go wrong, and ways to more rigid grains with their price.

use super::trial::Trial;
use super::{RIGID, Rigidity};
use crate::progress::Totals;
use hardgrain::{Order, Shock, Stop};
use hardgrain_io::scene::{Numerics, Way};
use serde::{Deserialize, Serialize};

/// Overlaps above this share of a diameter are worth a word, on average over contacts.
const OVERLAP: f64 = 1e-3;

/// Contacts that give back more than this share more than they took have made energy, and not by rounding.
const MADE: f64 = 1e-6;

/// Nobody makes more sweeps a step.
const MOST_SWEEPS: f64 = 1e6;

/// Something to do, and what a step would cost then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// What for; empty where that is clear.
    pub aim: String,
    /// What to change in the scene.
    pub action: String,
    /// How many times longer a step would take; nothing where it is not known.
    pub cost: Option<f64>,
}

impl Advice {
    fn new(aim: &str, action: impl Into<String>, cost: Option<f64>) -> Self {
        Self { aim: aim.into(), action: action.into(), cost }
    }

    /// In words.
    pub fn words(&self) -> String {
        let cost = match self.cost {
            Some(cost) if cost < 10.0 => format!(" (×{cost:.1})"),
            Some(cost) => format!(" (×{cost:.0})"),
            None => String::new(),
        };
        let aim = if self.aim.is_empty() { String::new() } else { format!("{}: ", self.aim) };
        format!("{aim}{}{cost}", self.action)
    }
}

/// Whether a step ends before its forces are right.
fn stops_early(way: Way, totals: &Totals) -> bool {
    let fixed = matches!(way, Way::GaussSeidel(_, Stop::Sweeps(_)) | Way::Accelerated(Stop::Sweeps(_)));
    fixed || totals.not_converged > 0
}

/// What is known to go wrong.
pub(super) fn warnings(numerics: &Numerics, totals: &Totals) -> Vec<String> {
    let mut all = Vec::new();
    let solver = &numerics.solver;
    let soft = matches!(solver.way, Way::Soft(_));
    if !solver.warm && !soft && stops_early(solver.way, totals) {
        all.push("creep: reactions start from nothing in every step, and the sweeps do not find all of them again, so that whatever is loaded sinks and goes on sinking; set solver.start = \"warm\"".into());
    }
    if solver.shock == Shock::FullGap && !soft {
        all.push("explosion: overlaps are pushed out within a step, which makes energy from nothing and can tear a dense packing apart; set solver.shock = \"quasi-inelastic\"".into());
    }
    if totals.energy.given_back > totals.energy.taken * (1.0 + MADE) && !soft {
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

/// What to do about a fixed number of sweeps. Errors fall by the same factor with every sweep of a step, overlaps as one over the sweeps.
pub(super) fn about_sweeps(found: &Rigidity, order: Order, axes: usize, tried: Option<Trial>) -> Vec<Advice> {
    let Some(sweeps) = found.sweeps else { return Vec::new() };
    let falls = -found.force_error.clamp(f64::MIN_POSITIVE, 1.0).ln() / sweeps;
    let needed = (-RIGID.ln() / falls).ceil().max(1.0);
    if found.force_error <= RIGID {
        let enough = needed < 0.7 * sweeps;
        let less = Advice::new(
            "",
            format!("nothing needs to change; {needed:.0} sweeps would still be rigid"),
            Some(needed / sweeps),
        );
        return vec![if enough { less } else { Advice::new("", "nothing needs to change", None) }];
    }
    let mut all = Vec::new();
    let name = order.name();
    if found.overlap.mean > OVERLAP {
        let enough = (sweeps * found.overlap.mean / OVERLAP).ceil();
        let action = format!("use {enough:.0} {name} sweeps");
        all.push(Advice::new("for mean overlaps below 0.1 % of a diameter", action, Some(enough / sweeps)));
    }
    let aim = "for forces right to 1 %";
    if needed < MOST_SWEEPS {
        all.push(Advice::new(aim, format!("use {needed:.0} {name} sweeps"), Some(needed / sweeps)));
    }
    let [accelerated, rigid] = tried.map_or([None, None], |tried| [tried.accelerated, tried.rigid]);
    for (kind, cost) in [("accelerated", accelerated), ("rigid", rigid)] {
        // One that was tried in vain is no advice.
        if tried.is_none() || cost.is_some() {
            all.push(Advice::new(aim, format!("use solver.kind = \"{kind}\""), cost));
        }
    }
    if order != Order::Coloured && axes > 1 {
        all.push(Advice::new("to save time", "set solver.order = \"coloured\": as many sweeps in less of it", None));
    }
    all
}

/// Of solvers that stop when they are right, and of soft grains.
pub(super) fn about_way(found: &Rigidity, way: Way, totals: &Totals) -> Advice {
    let said = match way {
        Way::Soft(_) => {
            "stiffer springs and a smaller time.step make overlaps smaller; solver.kind = \"rigid\" makes none"
        }
        _ if found.force_error <= RIGID && totals.not_converged == 0 => "nothing needs to change",
        Way::Rigid { .. } | Way::Pooling => {
            "look at the steps that did not converge: there may be no forces that obey every contact"
        }
        Way::GaussSeidel(..) => {
            "use a smaller solver.tolerance, or solver.kind = \"accelerated\", which knows the error of its forces"
        }
        Way::Accelerated(_) => "raise solver.max_sweeps or solver.sweeps, or use solver.kind = \"rigid\"",
    };
    Advice::new("", said, None)
}
