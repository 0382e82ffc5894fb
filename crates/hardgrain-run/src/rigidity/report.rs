//! The report on how rigid the grains of a run were, as it stands in run.json.

use super::loads::BoundaryLoad;
use super::springs::Basis;
use crate::simulation::energy::EnergyBalance;
use serde::{Deserialize, Deserializer, Serialize};

/// How rigid the grains were at the end of a run, in the units of the scene.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rigidity {
    /// Sweeps a step: those asked for, or the mean where a tolerance was.
    pub sweeps: Option<f64>,
    /// What one of them does against a slow wave, in this packing.
    pub q: Option<f64>,
    /// The order that has this q.
    #[serde(default)]
    pub order: Option<String>,
    /// How far one step's sweeps carry a force, √(q N_I) d.
    pub reach: Option<f64>,
    /// Largest extent of the packing, L.
    pub length: f64,
    /// Mean diameter, d.
    pub diameter: f64,
    /// Where the next four come from.
    pub basis: Option<Basis>,
    /// κ of a contact between two grains, on average; κ = q m N_I/h² for equal ones.
    pub apparent_stiffness: Option<f64>,
    /// c; √(q N_I) d/h on a chain.
    pub apparent_sound_speed: Option<f64>,
    /// ω at which the packing would ring if its load changed a little; nothing if it would not.
    pub omega: Option<f64>,
    /// The time within which that would die away.
    pub tau: Option<f64>,
    /// Residual of the last step.
    #[serde(deserialize_with = "or_endless")]
    pub residual: f64,
    /// What one step's sweeps leave undone when forces have to change, over that change; or the relative error of the forces in
    /// the last step where a solver stops when they are right.
    #[serde(deserialize_with = "or_endless")]
    pub force_error: f64,
    /// Relative error of the forces in the last step: what the solver says, or what its residual may hide.
    #[serde(deserialize_with = "or_endless")]
    pub force_error_last: f64,
    /// The share of all steps in which forces were right to 1 %, by what the solver or its residual says.
    pub steps_right: f64,
    /// Overlaps, over d.
    pub overlap: Overlap,
    /// Where energy went.
    pub energy: EnergyBalance,
    /// Whether these are the forces of the rigid solver, with all that can be trusted of them.
    pub certified: bool,
    /// What walls and pistons carry in the last step.
    pub boundaries: Vec<BoundaryLoad>,
    /// The share of the load that walls carry then; 1 at rest. Nothing where loads cancel.
    pub carried: Option<f64>,
    /// In words.
    pub verdict: String,
    /// What is known to go wrong, in words.
    pub warnings: Vec<String>,
    /// What to do.
    pub advice: Vec<Advice>,
}

/// Overlaps, over the mean diameter.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Overlap {
    /// Mean over the contacts of the last step.
    pub mean: f64,
    /// Largest of the last step.
    pub max: f64,
    /// Largest of the whole run.
    pub largest: f64,
}

/// Something to do, and what a step would cost then.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// What for; empty where that is clear.
    pub aim: String,
    /// What to change in the scene.
    pub action: String,
    /// How many times longer a step would take; nothing where it is not known. For solvers that stop when they are right: one
    /// whose loads change by a percent.
    pub cost: Option<f64>,
    /// The same where nothing changes, for solvers that stop when they are right.
    #[serde(default)]
    pub cost_at_rest: Option<f64>,
}

impl Advice {
    pub(super) fn new(aim: &str, action: impl Into<String>, cost: Option<f64>) -> Self {
        Self { aim: aim.into(), action: action.into(), cost, cost_at_rest: None }
    }

    /// In words.
    pub fn words(&self) -> String {
        let times = |cost: f64| match cost {
            cost if cost < 0.1 => format!("×{cost:.2}"),
            cost if cost < 10.0 => format!("×{cost:.1}"),
            cost => format!("×{cost:.0}"),
        };
        let cost = match (self.cost, self.cost_at_rest) {
            (Some(cost), Some(at_rest)) => format!(" ({} where loads change, {} at rest)", times(cost), times(at_rest)),
            (Some(cost), None) => format!(" ({})", times(cost)),
            _ => String::new(),
        };
        let aim = if self.aim.is_empty() { String::new() } else { format!("{}: ", self.aim) };
        format!("{aim}{}{cost}", self.action)
    }
}

/// A number; JSON has none for what is endless and writes nothing.
fn or_endless<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(source)?.unwrap_or(f64::INFINITY))
}
