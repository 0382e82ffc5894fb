//! `calibrate`: the step and the sweeps that imitate given springs.

use crate::failure::{Failure, positive};
use crate::lab::order_by_name;
use crate::output::{document, print};
use crate::table::{lined_up, number, warned};
use clap::Args;
use hardgrain::Order;
use hardgrain_theory::Imitation;
use serde::Serialize;

/// The step and the number of sweeps that make rigid grains act like springs of this stiffness and damping.
///
/// The artefact turned round: h = γ/κ and N_I = γ²/(q m κ). Only strongly damped springs can be imitated: γ must be at
/// least √(q m κ), which takes one sweep. Units are whatever you use consistently; SI: N/m, N s/m, kg, s.
///
/// Example: hardgrain calibrate --stiffness 1e5 --damping 30 --mass 0.001
#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub(crate) struct Calibrate {
    /// Stiffness κ of a contact.
    #[arg(long)]
    stiffness: f64,
    /// Damping γ of a contact.
    #[arg(long)]
    damping: f64,
    /// Mass of a grain, m.
    #[arg(long)]
    mass: f64,
    /// The order in which a sweep visits the contacts.
    #[arg(long, value_parser = order_by_name(), default_value = Order::default().name())]
    order: Order,
    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

/// More sweeps than this are a slip of the finger or a hopeless case.
const MANY: u64 = 1_000_000;

/// A whole number as one, if it is small enough to be exact.
#[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "checked")]
fn whole(number: f64) -> Option<u64> {
    (0.0..9e15).contains(&number).then_some(number as u64)
}

#[derive(Serialize)]
struct Calibration {
    step: f64,
    sweeps: f64,
    sweeps_rounded: u64,
    stiffness: f64,
    damping: f64,
    warnings: Vec<String>,
}

impl Calibrate {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let found = self.calibration()?;
        print(&if self.json { document(&found) } else { self.table(&found) })
    }

    fn calibration(&self) -> Result<Calibration, Failure> {
        let (kappa, gamma) = (positive("stiffness", self.stiffness)?, positive("damping", self.damping)?);
        let (mass, order) = (positive("mass", self.mass)?, hardgrain_run::in_theory(self.order));
        let springs = Imitation::of(kappa, gamma, mass, order);
        let (stiffness, damping) = springs.springs();
        if ![springs.step, springs.sweeps, stiffness, damping].iter().all(|x| x.is_finite() && *x > 0.0) {
            return Err(Failure::Input(
                "these numbers are too large or too small to calculate with; choose other units".into(),
            ));
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
            return Err(Failure::Input(format!(
                "{} sweeps a step are more than can be counted",
                number(Some(springs.sweeps))
            )));
        };
        if sweeps_rounded > MANY {
            warnings.push(format!("{sweeps_rounded} sweeps a step are more than anyone waits for"));
        }
        Ok(Calibration { step: springs.step, sweeps: springs.sweeps, sweeps_rounded, stiffness, damping, warnings })
    }

    fn table(&self, found: &Calibration) -> String {
        let row = |name: &str, value: f64| vec![name.to_string(), number(Some(value))];
        let head = format!(
            "To imitate springs κ = {}, γ = {} between grains of mass {} with {} sweeps:\n\n",
            self.stiffness,
            self.damping,
            self.mass,
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
