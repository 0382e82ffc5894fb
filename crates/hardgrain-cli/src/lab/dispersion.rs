//! `lab dispersion`.

use super::experiment::{experiment, order_by_name};
use crate::failure::CliError;
use crate::output::OutputArguments;
use crate::table::{TableColumn, columns_and_remarks, counted, estimate, fixed, percent};
use clap::Args;
use hardgrain::Order;
use hardgrain_figures::dispersion::figure;
use hardgrain_lab::dispersion::{DispersionResult, DispersionSettings, Mode, run};

/// Every standing wave of a pressed chain, one at a time: omega(k) and tau(k).
///
/// A chain stands against a wall under load, all contacts closed, and its grains get the velocities of one mode. What is
/// left of the mode after each step is averaged over the seeds and fitted with a damped sine. The table has the paper's
/// continuum and the exact lattice beside it and ends with where the paper's formulas hold.
///
/// Example: hardgrain lab dispersion --sweeps 10 -o dispersion10
#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub(crate) struct DispersionArguments {
    /// Number of grains, which is also the number of modes.
    #[arg(long, default_value_t = DispersionSettings::default().grains)]
    grains: u32,
    /// Sweeps a step, N_I.
    #[arg(long, default_value_t = DispersionSettings::default().sweeps)]
    sweeps: u32,
    /// The order in which a sweep visits the contacts.
    #[arg(long, value_parser = order_by_name(), default_value = Order::default().name())]
    order: Order,
    /// How many of the lowest modes; all if nothing is said.
    #[arg(long)]
    modes: Option<u32>,
    /// The first seed.
    #[arg(long, default_value_t = DispersionSettings::default().seed)]
    seed: u64,
    /// How many seeds a mode. Orders without chance need one.
    #[arg(long, default_value_t = DispersionSettings::default().seeds)]
    seeds: u32,
    #[command(flatten)]
    output: OutputArguments,
}

impl DispersionArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let Self { order, grains, sweeps, modes, seed, seeds, .. } = *self;
        let settings = DispersionSettings { grains, sweeps, order, modes, seed, seeds, flaw: None };
        let files = |result: &DispersionResult| vec![("csv", result.csv()), ("svg", figure(result).svg())];
        experiment(("dispersion", &self.output), &settings, |settings, watch| Ok(run(settings, watch)?), table, files)
    }
}

fn table(result: &DispersionResult) -> String {
    let settings = &result.settings;
    let head = format!(
        "{}, {} a step, order {}; k_c d = {:.4}; lattice: with the ends of the chain\n\n",
        counted(settings.grains, "grain"),
        counted(settings.sweeps, "sweep"),
        settings.order.name(),
        result.critical_wavenumber
    );
    // Modes that are gone are many and all alike: the first few are enough, JSON has them all.
    let gone = result.modes.iter().filter(|mode| is_gone(mode)).count();
    let mut shown = 0;
    let rows = result.modes.iter().filter(|mode| {
        shown += usize::from(is_gone(mode));
        !is_gone(mode) || shown <= 3
    });
    let columns: [TableColumn<'_, Mode>; 10] = [
        ("mode", |mode| mode.mode.to_string()),
        ("k/k_c", |mode| format!("{:.3}", mode.k_over_critical)),
        ("ω h: continuum", |mode| fixed(mode.predicted.omega, 4)),
        ("lattice", |mode| fixed(mode.lattice_with_ends.omega, 4)),
        ("measured", |mode| estimate(mode.measured.omega, 4)),
        ("off", |mode| percent(mode.measured.values().omega, mode.lattice_with_ends.omega)),
        ("τ/h: continuum", |mode| fixed(mode.predicted.tau, 3)),
        ("lattice", |mode| fixed(mode.lattice_with_ends.tau, 3)),
        ("measured", |mode| estimate(mode.measured.tau, 3)),
        ("off", |mode| percent(mode.measured.values().tau, mode.lattice_with_ends.tau)),
    ];
    let remark = |mode: &Mode| if mode.label == "oscillates" { mode.reason.clone() } else { Some(mode.label.into()) };
    let rows = columns_and_remarks(&columns, rows, remark);
    let rest =
        if gone > 3 { format!("… and {} more that are gone within a step\n", gone - 3) } else { String::new() };
    head + &rows + &rest + "\n" + &verdict(result)
}

fn is_gone(mode: &Mode) -> bool {
    mode.measured.omega.is_none() && mode.label != "oscillates"
}

/// Where the paper's formulas hold.
fn verdict(result: &DispersionResult) -> String {
    let check = &result.continuum;
    let (Some(omega), Some(omega_at)) = (check.omega_worst, check.omega_worst_at) else {
        return "No mode below k_c could be measured to 0.5 %, so the paper's formulas were not tested.\n".into();
    };
    let (tau, tau_at) = (check.tau_worst.unwrap_or(f64::NAN), check.tau_worst_at.unwrap_or(f64::NAN));
    let holds = match check.omega_holds_up_to {
        _ if omega.abs() < 0.01 => format!("holds within 1 % for all measured modes (up to {omega_at:.2} k_c)"),
        Some(share) => format!("holds within 1 % up to mode k = {share:.2} k_c"),
        None => "is off by more than 1 % for every mode that could be measured to 0.5 %".into(),
    };
    let limit = check.omega_holds_up_to_in_theory;
    let seen = result.modes.iter().any(|mode| mode.k_over_critical < 1.0 && mode.measured.values().omega > Some(1.25));
    let edge = if seen { "The true frequency does not fall to 0 at k_c but goes on to π/(2h).\n" } else { "" };
    let off = 100.0 * omega;
    let tau_holds = if tau.abs() < 0.03 { "holds" } else { "does not hold" };
    format!(
        "The paper's ω(k) {holds} (by the lattice theory up to {limit:.2} k_c); the worst is {off:+.1} % at \
         {omega_at:.2} k_c.\n{edge}\
         The paper's τ(k) {tau_holds} for the modes below k_c: at most {:+.1} % off, at {tau_at:.2} k_c.\n",
        100.0 * tau
    )
}
