//! What the program writes of scenes: that of a packing made by hand, and files that a scene names.

use super::fault::Refusal;
use super::plan::{Numerics, Scene, SolverKind, SolverPlan, SpringPlan};
use super::values::Place;
use crate::PackingState;
use crate::checkpoint::encode_packing;
use hardgrain::soft::{Integrator, Scale, SpringLaw};
use hardgrain::{Dimension, Packing, Shock, Stop};
use std::fmt::{Display, Write};

/// The name of the packing in the text of such a scene.
const PACKING: &str = "start.hg";

/// Steps of a run that has no end of its own: the most that a stage may have.
const ENDLESS: u64 = super::check::MOST_STEPS;

impl Scene {
    /// The scene of a packing that was made by hand. It starts at step 0 and time 0, has a single stage `run` without an end of its
    /// own, and names grains, walls and pistons by their labels.
    ///
    /// # Errors
    /// When the packing or a setting is invalid.
    pub fn from_packing<D: Dimension>(packing: &Packing<D>, numerics: &Numerics, seed: u64) -> Result<Self, Refusal> {
        let text = format!(
            "format = 1\ndimension = {}\nseed = {seed}\nstart = \"{PACKING}\"\n\n[time]\nstep = {:?}\nsteps = {ENDLESS}\n\n\
             [contact]\nrest_speed = {:?}\n\n[solver]\n{}",
            D::AXES,
            numerics.step,
            numerics.rest_speed,
            solver_keys(&numerics.solver)
        );
        let state = PackingState::from_packing(packing);
        let files = |_: &str| encode_packing(0, &state).map_err(|error| error.to_string());
        Self::from_text("packing made by hand", &text, &[], &files)
    }
}

/// The keys of `[solver]`, a line each.
fn solver_keys(solver: &SolverPlan) -> String {
    let mut text = String::new();
    let mut word = |key: &str, value: &str| _ = writeln!(text, "{key} = \"{value}\"");
    let mut others: Vec<(&str, String)> = Vec::new();
    match solver.kind {
        SolverKind::GaussSeidel(order, stop) => {
            word("kind", "gauss-seidel");
            word("order", order.name());
            others.extend(stop_keys(stop));
        }
        SolverKind::Accelerated(stop) => {
            word("kind", "accelerated");
            others.extend(stop_keys(stop));
        }
        SolverKind::Rigid { tolerance, max_sweeps } => {
            word("kind", "rigid");
            others.extend(stop_keys(Stop::Tolerance { tolerance, max_sweeps }));
        }
        SolverKind::Pooling => word("kind", "pooling"),
        SolverKind::Soft(plan) => {
            word("kind", "soft");
            match plan.strength {
                SpringPlan::Springs { spring, scale, law } => {
                    word("law", if law == SpringLaw::Hertz { "hertz" } else { "linear" });
                    word("scale", if scale == Scale::PerMass { "per-mass" } else { "same" });
                    others.extend([
                        number("stiffness", spring.stiffness),
                        number("damping", spring.damping),
                        number("tangent_stiffness", spring.tangent_stiffness),
                        number("tangent_damping", spring.tangent_damping),
                    ]);
                }
                SpringPlan::Collisions { contact_time } => others.push(number("contact_time", contact_time)),
            }
            let verlet = plan.integrator == Integrator::VelocityVerlet;
            word("integrator", if verlet { "velocity-verlet" } else { "semi-implicit-euler" });
            others.extend([plain("bonded", plan.bonded), plain("allow_unstable", plan.allow_unstable)]);
        }
    }
    if !matches!(solver.kind, SolverKind::Soft(_)) {
        word("shock", if solver.shock == Shock::FullGap { "full-gap" } else { "quasi-inelastic" });
        word("start", if solver.warm { "warm" } else { "cold" });
    }
    for (key, value) in &others {
        _ = writeln!(text, "{key} = {value}");
    }
    text
}

fn stop_keys(stop: Stop) -> Vec<(&'static str, String)> {
    match stop {
        Stop::Sweeps(sweeps) => vec![plain("sweeps", sweeps)],
        Stop::Tolerance { tolerance, max_sweeps } => {
            vec![number("tolerance", tolerance), plain("max_sweeps", max_sweeps)]
        }
    }
}

/// A number with all its digits.
fn number(key: &'static str, value: f64) -> (&'static str, String) {
    (key, format!("{value:?}"))
}

fn plain(key: &'static str, value: impl Display) -> (&'static str, String) {
    (key, value.to_string())
}

/// Positions and radii as CSV that reads back bit for bit.
pub(crate) fn table_text(rows: &[(Place, Option<f64>)], dimension: usize) -> String {
    let radius = rows.iter().any(|(_, radius)| radius.is_some()).then_some("radius");
    let mut text = ["x", "y", "z"].into_iter().take(dimension).chain(radius).collect::<Vec<_>>().join(",");
    for (place, radius) in rows {
        let values = place[..dimension].iter().chain(radius);
        let line: Vec<String> = values.map(|value| format!("{value:e}")).collect();
        text.push('\n');
        text += &line.join(",");
    }
    text + "\n"
}
