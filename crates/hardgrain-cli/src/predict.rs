//! `predict`: the closed forms for given numbers.

use crate::failure::{CliError, positive};
use crate::lab::order_by_name;
use crate::output::{document, print};
use crate::table::{counted, lined_up, number, warned};
use clap::Args;
use hardgrain::Order;
use hardgrain_theory::{Continuum, Lattice, rigidity, standing_wave};
use serde::Serialize;

/// What a solver that stops early makes of rigid grains, from the paper's closed forms.
///
/// Units are whatever you use consistently: with lengths in metres, masses in kilograms and times in
/// seconds the results are in SI units. Without any flags this is the paper's chain in units of grain
/// and step.
///
/// ω and τ belong to the longest wave of a chain of this length that is held at one end, k = π/(2L).
/// They are given twice: by the paper's continuum, and by the exact theory of the lattice, which
/// holds for short waves too.
///
/// Examples:
///   hardgrain predict
///   hardgrain predict --sweeps 100 --step 1e-4 --mass 4e-6 --diameter 1e-3 --length 0.1 --json
#[derive(Args)]
#[command(verbatim_doc_comment, allow_negative_numbers = true)]
pub(crate) struct PredictArguments {
    /// The order in which a sweep visits the contacts.
    #[arg(long, value_parser = order_by_name(), default_value = Order::default().name())]
    order: Order,
    /// Sweeps a step, N_I.
    #[arg(long, default_value_t = 40)]
    sweeps: u32,
    /// Time step h.
    #[arg(long, default_value_t = 1.0)]
    step: f64,
    /// Mass of a grain, m.
    #[arg(long, default_value_t = 1.0)]
    mass: f64,
    /// Diameter of a grain, d.
    #[arg(long, default_value_t = 1.0)]
    diameter: f64,
    /// Length of the system, L; fifty diameters if nothing is said.
    #[arg(long)]
    length: Option<f64>,
    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Prediction {
    q: f64,
    diffusion: f64,
    drive: f64,
    sound_speed: f64,
    critical_wavenumber: f64,
    critical_wavelength: f64,
    stiffness: f64,
    damping: f64,
    reach: f64,
    wavenumber: f64,
    omega: Option<f64>,
    tau: f64,
    sweeps_for_rigidity: f64,
    sweeps_for_percent: f64,
    lattice: LatticePrediction,
    warnings: Vec<String>,
    settings: PredictionSettings,
}

#[derive(Serialize)]
struct LatticePrediction {
    omega: Option<f64>,
    tau: Option<f64>,
}

#[derive(Serialize)]
struct PredictionSettings {
    order: &'static str,
    sweeps: u32,
    step: f64,
    mass: f64,
    diameter: f64,
    length: f64,
}

impl PredictArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let prediction = self.prediction()?;
        print(&if self.json { document(&prediction) } else { prediction.table() })
    }

    fn prediction(&self) -> Result<Prediction, CliError> {
        if self.sweeps == 0 {
            return Err(CliError::flag("sweeps", "0 sweeps solve nothing; at least 1"));
        }
        let step = positive("step", self.step)?;
        let mass = positive("mass", self.mass)?;
        let diameter = positive("diameter", self.diameter)?;
        let length = positive("length", self.length.unwrap_or(50.0 * diameter))?;
        if length < diameter {
            let wrong = format!("{length} is shorter than one grain of diameter {diameter}");
            return Err(CliError::flag("length", wrong));
        }
        let (order, sweeps) = (hardgrain_run::theory_order(self.order), self.sweeps);
        let chain = Continuum { q: order.q(), sweeps: sweeps.into(), step, mass, diameter };
        let lattice = Lattice { order, sweeps, step, diameter };
        let wavenumber = standing_wave(1, length);
        let prediction = Prediction {
            q: chain.q,
            diffusion: chain.diffusion(),
            drive: chain.drive(),
            sound_speed: chain.sound_speed(),
            critical_wavenumber: chain.critical_wavenumber(),
            critical_wavelength: chain.critical_wavelength(),
            stiffness: chain.stiffness(),
            damping: chain.damping(),
            reach: chain.reach(),
            wavenumber,
            omega: chain.frequency(wavenumber),
            tau: chain.damping_time(wavenumber),
            sweeps_for_rigidity: rigidity::sweeps_to_reach(chain.q, length / diameter),
            sweeps_for_percent: rigidity::sweeps_for_error(chain.q, length / diameter, 0.01),
            lattice: LatticePrediction { omega: lattice.frequency(wavenumber), tau: lattice.damping_time(wavenumber) },
            warnings: warnings(&lattice, length / diameter),
            settings: PredictionSettings { order: self.order.name(), sweeps, step, mass, diameter, length },
        };
        let numbers =
            [prediction.diffusion, prediction.sound_speed, prediction.stiffness, prediction.damping, prediction.tau];
        if numbers.iter().all(|number| number.is_finite() && *number > 0.0) {
            return Ok(prediction);
        }
        Err(CliError::beyond_numbers())
    }
}

/// Waves that grow.
fn warnings(lattice: &Lattice, grains_long: f64) -> Vec<String> {
    // Up to the edge of the zone, or what a shorter chain has of it.
    let shortest = std::f64::consts::PI / lattice.diameter * (1.0 - 0.5 / grains_long);
    let growth = lattice.growth(shortest);
    let warning = format!(
        "an odd number of {} sweeps lets short waves grow, by the factor {growth:.2} a step; take an even number",
        if lattice.order == hardgrain_theory::SweepOrder::Parallel { "parallel" } else { "these" }
    );
    if growth > 1.0 { vec![warning] } else { Vec::new() }
}

impl Prediction {
    fn table(&self) -> String {
        let PredictionSettings { order, sweeps, step, mass, diameter, length } = &self.settings;
        let row = |name: &str, symbol: &str, value: Option<f64>| vec![format!("{name:<33}{symbol}"), number(value)];
        let rows = [
            row("spreading per sweep", "q", Some(self.q)),
            row("diffusion of forces", "D = q N_I d²/h", Some(self.diffusion)),
            row("sound speed", "c = √(q N_I) d/h", Some(self.sound_speed)),
            row("apparent contact stiffness", "κ = q m N_I/h²", Some(self.stiffness)),
            row("apparent contact damping", "γ = q m N_I/h", Some(self.damping)),
            row("reach of a step", "√(q N_I) d", Some(self.reach)),
            row("critical wave number", "k_c = 2c/D", Some(self.critical_wavenumber)),
            row("critical wave length", "2π/k_c", Some(self.critical_wavelength)),
            row("longest wave: frequency", "ω, continuum", self.omega),
            row("", "ω, lattice", self.lattice.omega),
            row("longest wave: damping time", "τ, continuum", Some(self.tau)),
            row("", "τ, lattice", self.lattice.tau),
            row("sweeps to reach from end to end", "(L/d)²/q", Some(self.sweeps_for_rigidity)),
            row("sweeps for forces right to 1 %", "", Some(self.sweeps_for_percent)),
        ];
        let head = format!(
            "{order}, {} a step, h = {step}, m = {mass}, d = {diameter}, L = {length}\n\n",
            counted(*sweeps, "sweep")
        );
        let gone = if self.omega.is_none() {
            "\nThe longest wave is shorter than the critical one: the continuum has no frequency for it, and it is gone \
             within a step.\n"
        } else {
            ""
        };
        head + &lined_up(&rows) + gone + &warned(&self.warnings)
    }
}
