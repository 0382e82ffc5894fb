//! The report on how rigid the grains of a run were, as it stands in run.json.

use super::loads::BoundaryLoad;
use super::springs::Basis;
use crate::simulation::energy::EnergyBalance;
use serde::{Deserialize, Deserializer, Serialize};

/// How rigid the grains were at the end of a run, in the units of the scene.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Rigidity {
    /// Sweeps per step: their given number, or the mean where a tolerance is given.
    pub sweeps: Option<f64>,
    /// q: convergence rate per sweep of the slowest mode of this packing.
    pub q: Option<f64>,
    /// The order of the sweeps.
    #[serde(default)]
    pub order: Option<String>,
    /// Reach of one step, √(q N_I) d.
    pub reach: Option<f64>,
    /// Largest extent of the packing, L.
    pub length: f64,
    /// Mean diameter, d.
    pub diameter: f64,
    /// Origin of the next four.
    pub basis: Option<Basis>,
    /// Mean stiffness κ of a contact between two grains; q m N_I/h² for equal ones.
    pub apparent_stiffness: Option<f64>,
    /// Sound speed c; √(q N_I) d/h on a chain.
    pub apparent_sound_speed: Option<f64>,
    /// Frequency ω of the response to a small change of the load; none if overdamped.
    pub omega: Option<f64>,
    /// Decay time τ of that response.
    pub tau: Option<f64>,
    /// Residual of the last step.
    #[serde(deserialize_with = "or_endless")]
    pub residual: f64,
    /// Fraction of a change of the forces that one step's sweeps leave undone; for solvers with a tolerance the relative force
    /// error of the last step.
    #[serde(deserialize_with = "or_endless")]
    pub force_error: f64,
    /// Relative force error of the last step: reported by the solver, or bounded by its residual.
    #[serde(deserialize_with = "or_endless")]
    pub force_error_last: f64,
    /// Fraction of all steps with a relative force error of at most 1 %, by the solver or its residual.
    pub steps_right: f64,
    /// Overlaps, over d.
    pub overlap: Overlap,
    /// Energy balance.
    pub energy: EnergyBalance,
    /// Whether the forces are those of the rigid solver, with a certificate.
    pub certified: bool,
    /// Loads on walls and pistons in the last step.
    pub boundaries: Vec<BoundaryLoad>,
    /// Fraction of the load that walls carry; 1 at rest. None where loads cancel.
    pub carried: Option<f64>,
    /// In words.
    pub verdict: String,
    /// Known faults, in words.
    pub warnings: Vec<String>,
    /// Advice.
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

/// A change of the scene, and its effect on the cost of a step.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Advice {
    /// Its aim; empty where that is clear.
    pub aim: String,
    /// What to change in the scene.
    pub action: String,
    /// Factor on the time of a step; none where unknown. For solvers with a tolerance: of a step in which loads change by a
    /// percent.
    pub cost: Option<f64>,
    /// The same for a step at rest, for solvers with a tolerance.
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

/// A number; JSON writes null for infinity.
fn or_endless<'de, D: Deserializer<'de>>(source: D) -> Result<f64, D::Error> {
    Ok(Option::deserialize(source)?.unwrap_or(f64::INFINITY))
}
