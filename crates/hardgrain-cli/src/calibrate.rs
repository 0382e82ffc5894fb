//! `calibrate`: the step and the sweeps that imitate given springs, and both ways for a scene.

use crate::failure::{CliError, positive};
use crate::lab::order_by_name;
use crate::output::{document, print};
use crate::table::{lined_up, number, warned};
use clap::Args;
use hardgrain::Order;
use hardgrain_io::Scene;
use hardgrain_theory::Imitation;
use serde::Serialize;
use std::path::PathBuf;

/// The step and the number of sweeps that make rigid grains act like springs of this stiffness and
/// damping.
///
/// The artefact turned round: h = γ/κ and N_I = γ²/(q m κ). Only strongly damped springs can be
/// imitated: γ must be at least √(q m κ), which takes one sweep. Units are whatever you use
/// consistently; SI: N/m, N s/m, kg, s.
///
/// With a scene it goes both ways, for the last stage and grains of the mean mass: from soft grains
/// to the step and the sweeps that imitate them, from rigid grains to the springs that they imitate;
/// and it says what a unit of simulated time costs with either, on one core of this machine.
///
/// Examples:
///   hardgrain calibrate --stiffness 1e5 --damping 30 --mass 0.001
///   hardgrain calibrate --scene piston.toml
#[derive(Args)]
#[command(verbatim_doc_comment, allow_negative_numbers = true)]
pub(crate) struct CalibrateArguments {
    /// Stiffness κ of a contact.
    #[arg(long, required_unless_present = "scene")]
    stiffness: Option<f64>,
    /// Damping γ of a contact.
    #[arg(long, required_unless_present = "scene")]
    damping: Option<f64>,
    /// Mass of a grain, m.
    #[arg(long, required_unless_present = "scene")]
    mass: Option<f64>,
    /// A scene with soft or rigid grains instead.
    #[arg(long, value_name = "FILE", conflicts_with_all = ["stiffness", "damping", "mass"])]
    scene: Option<PathBuf>,
    /// Change a value of the scene, as in `run`.
    #[arg(long, value_name = "KEY=VALUE", requires = "scene")]
    set: Vec<String>,
    /// The order in which a sweep visits the contacts; rigid grains of a scene have their own.
    #[arg(long, value_parser = order_by_name(), default_value = Order::default().name())]
    order: Order,
    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

/// More sweeps than this get a warning.
const MANY: u64 = 1_000_000;

/// A whole number as one, if it is small enough to be exact.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
fn whole(number: f64) -> Option<u64> {
    (0.0..9e15).contains(&number).then_some(number as u64)
}

#[derive(Serialize)]
struct SpringImitation {
    step: f64,
    sweeps: f64,
    sweeps_rounded: u64,
    stiffness: f64,
    damping: f64,
    warnings: Vec<String>,
}

impl CalibrateArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        if let Some(path) = &self.scene {
            let scene = Scene::read(path, &self.set)?;
            let found = hardgrain_run::Calibration::from_scene(&scene, self.order)?;
            return print(&if self.json { document(&found) } else { calibration_text(&found) });
        }
        let number = |name: &str, value: Option<f64>| positive(name, value.unwrap_or(f64::NAN));
        let asked =
            [number("stiffness", self.stiffness)?, number("damping", self.damping)?, number("mass", self.mass)?];
        let found = self.calibration(asked)?;
        print(&if self.json { document(&found) } else { self.table(asked, &found) })
    }

    fn calibration(&self, [kappa, gamma, mass]: [f64; 3]) -> Result<SpringImitation, CliError> {
        let order = hardgrain_run::theory_order(self.order);
        let springs = Imitation::from_springs(kappa, gamma, mass, order);
        let (stiffness, damping) = springs.springs();
        if ![springs.step, springs.sweeps, stiffness, damping].iter().all(|x| x.is_finite() && *x > 0.0) {
            return Err(CliError::beyond_numbers());
        }
        let mut warnings = Vec::new();
        let off = 100.0 * (stiffness / kappa - 1.0);
        if springs.sweeps < 1.0 {
            let least = Imitation::least_damping(kappa, mass, order);
            warnings.push(format!(
                "fewer than one sweep: these springs are damped too little to be imitated; one sweep makes them {:.3} times \
                 as stiff, and it takes a damping of {} or more",
                stiffness / kappa,
                number(Some(least))
            ));
        } else if off.abs() >= 1.0 {
            warnings.push(format!("rounding the sweeps changes stiffness and damping by {off:+.1} %"));
        }
        let Some(sweeps_rounded) = whole(springs.sweeps_rounded()) else {
            let sweeps = number(Some(springs.sweeps));
            return Err(CliError::Input(format!("{sweeps} sweeps a step are more than can be counted")));
        };
        if sweeps_rounded > MANY {
            warnings.push(format!("{sweeps_rounded} sweeps a step are more than anyone waits for"));
        }
        Ok(SpringImitation { step: springs.step, sweeps: springs.sweeps, sweeps_rounded, stiffness, damping, warnings })
    }

    fn table(&self, [stiffness, damping, mass]: [f64; 3], found: &SpringImitation) -> String {
        let row = |name: &str, value: f64| vec![name.to_string(), number(Some(value))];
        let head = format!(
            "To imitate springs κ = {stiffness}, γ = {damping} between grains of mass {mass} with {} sweeps:\n\n",
            self.order.name()
        );
        let rows = [
            row("time step h = γ/κ", found.step),
            row("sweeps a step N_I = γ²/(q m κ)", found.sweeps),
            vec!["rounded".into(), found.sweeps_rounded.to_string()],
            row("stiffness with that", found.stiffness),
            row("damping with that", found.damping),
        ];
        head + &lined_up(&rows) + &warned(&found.warnings)
    }
}

/// The calibration of a scene, in words and columns.
fn calibration_text(found: &hardgrain_run::Calibration) -> String {
    let row = |name: &str, value: f64| vec![name.to_string(), number(Some(value))];
    let to_rigid = found.imitation == "rigid";
    let head = if found.rigid_seconds.is_none() {
        "The grains of this scene are soft, and no rigid ones that are swept imitate them. It would take:\n\n"
    } else if to_rigid {
        "The grains of this scene are soft. Rigid ones that are swept imitate them with:\n\n"
    } else {
        "The grains of this scene are rigid and swept. They imitate springs, and soft ones imitate them with:\n\n"
    };
    let rigid = [
        row("time step of rigid grains h = γ/κ", found.step),
        row("sweeps a step N_I = γ²/(q m κ)", found.sweeps),
        row("rounded", found.sweeps_rounded),
    ];
    let soft = [
        row("stiffness κ between grains of the mean mass", found.stiffness),
        row("damping γ", found.damping),
        row("restitution of two that meet", found.restitution),
        row("time step of soft grains", found.soft_step),
    ];
    let rows: Vec<Vec<String>> = if to_rigid { [&rigid[..], &soft[..]] } else { [&soft[..], &rigid[..]] }.concat();
    let about = |seconds: f64| format!("{seconds:.1e} s");
    let soft_cost = format!("{} with soft grains, on one core of this machine", about(found.soft_seconds));
    let cost = match found.rigid_seconds {
        None => format!("\nA unit of simulated time takes about {soft_cost}.\n"),
        Some(rigid) => format!(
            "\nA unit of simulated time takes about {} with rigid grains and {soft_cost}: {} ones are {:.1} times cheaper.\n",
            about(rigid),
            found.cheaper,
            (rigid / found.soft_seconds).max(found.soft_seconds / rigid)
        ),
    };
    head.to_owned() + &lined_up(&rows) + &as_a_scene(found) + &cost + &warned(&found.warnings)
}

/// The keys of the other scene, and the factor for all keys that count steps; nothing where there is no such scene.
fn as_a_scene(found: &hardgrain_run::Calibration) -> String {
    if found.rigid_seconds.is_none() {
        return String::new();
    }
    let (solver, step, old) = if found.imitation == "rigid" {
        (format!("sweeps = {}", found.sweeps_rounded), found.step, found.soft_step)
    } else {
        // Twice κ/m: a contact of two equal grains moves the reduced mass m/2.
        let [stiffness, damping] = [found.stiffness, found.damping].map(|value| number(Some(2.0 * value / found.mass)));
        let springs = format!("stiffness = {stiffness}, damping = {damping}, scale = \"per-mass\"");
        (format!("kind = \"soft\", {springs}"), found.soft_step, found.step)
    };
    format!(
        "\nAs a scene: solver = {{ {solver} }}, time.step = {}\n\
         Whatever counts steps (steps, max_steps, every) has to be multiplied by {} for the same times; take out the keys of the \
         other kind of grains.\n",
        number(Some(step)),
        number(Some(old / step))
    )
}
