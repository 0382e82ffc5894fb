//! `lab chain`.

use super::experiment::{experiment, exponents, order_by_name};
use crate::failure::CliError;
use crate::output::OutputArguments;
use crate::table::{columns, counted, estimate, fixed, percent};
use clap::Args;
use hardgrain::Order;
use hardgrain_analysis::Estimate;
use hardgrain_figures::chain as figures;
use hardgrain_lab::chain::{self, ChainResult, ChainSettings};
use hardgrain_lab::scaling::{self, ScalingResult, ScalingSettings};

/// The paper's experiment: rigid grains fly against a wall, are pressed on it, and ring.
///
/// The last grain is pushed. The row closes a gap, hits the wall, opens and closes for a while. One
/// damping time after the last open contact only the longest wave is left, and the place of the last
/// grain is fitted with x0 + A exp(-t/tau) sin(omega t + phi): with everything free, and with omega
/// and tau given by the theory, as in the paper.
///
/// With a list of sweeps the experiment is made for each of them, and the exponents of omega ~ N_I^a
/// and tau ~ N_I^b are fitted.
///
/// Examples:
///   hardgrain lab chain
///   hardgrain lab chain --order forward --grains 100 -o chain100
///   hardgrain lab chain --sweeps 5,10,20,40,80,160
#[derive(Args)]
#[command(verbatim_doc_comment, allow_negative_numbers = true)]
pub(crate) struct ChainArguments {
    /// Number of grains.
    #[arg(long, default_value_t = ChainSettings::default().grains)]
    grains: u32,
    /// Sweeps a step, N_I; or several, separated by commas.
    #[arg(long, value_delimiter = ',', default_values_t = [ChainSettings::default().sweeps])]
    sweeps: Vec<u32>,
    /// The force on the last grain, in units of d m/h²; a positive one presses.
    #[arg(long, default_value_t = ChainSettings::default().force)]
    force: f64,
    /// The way to the wall at the start, in units of d.
    #[arg(long, default_value_t = ChainSettings::default().gap)]
    gap: f64,
    /// The order in which a sweep visits the contacts.
    #[arg(long, value_parser = order_by_name(), default_value = Order::default().name())]
    order: Order,
    /// The first seed.
    #[arg(long, default_value_t = ChainSettings::default().seed)]
    seed: u64,
    /// How many seeds, one run each.
    #[arg(long, default_value_t = ChainSettings::default().seeds)]
    seeds: u32,
    /// How many steps; if nothing is said, until six damping times of the steady ringing have passed.
    #[arg(long)]
    steps: Option<u32>,
    #[command(flatten)]
    output: OutputArguments,
}

impl ChainArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let Self { grains, force, gap, order, seed, seeds, steps, .. } = *self;
        let sweeps = self.sweeps.clone();
        let chain = ChainSettings { grains, sweeps: sweeps[0], force, gap, order, seed, seeds, steps, flaw: None };
        let place = ("chain", &self.output);
        if sweeps.len() > 1 {
            let files = |result: &ScalingResult| vec![("csv", result.csv()), ("svg", figures::scaling(result).svg())];
            let settings = ScalingSettings { sweeps, chain };
            experiment(place, &settings, |settings, watch| Ok(scaling::run(settings, watch)?), scaling_table, files)
        } else {
            let files = |result: &ChainResult| vec![("csv", result.csv()), ("svg", figures::figure(result).svg())];
            experiment(place, &chain, |settings, watch| Ok(chain::run(settings, watch)?), table, files)
        }
    }
}

/// A name, digits behind the point, theories, and the measurement.
type ChainQuantity = (&'static str, usize, [Option<f64>; 3], Option<Estimate>);

/// The result in words and columns.
fn table(result: &ChainResult) -> String {
    let ChainResult { settings, predicted, lattice, lattice_with_ends, measured, .. } = result;
    let head = format!(
        "{} pressed against a wall with F = {} d m/h², {} a step, order {}, {}\n\n",
        counted(settings.grains, "rigid grain"),
        settings.force,
        counted(settings.sweeps, "sweep"),
        settings.order.name(),
        counted(measured.runs, "run"),
    );
    let found = measured.oscillation;
    // Off the best theory there is.
    let rows = columns(
        &[
            ("", |row: &ChainQuantity| row.0.into()),
            ("continuum", |row| fixed(row.2[0], row.1)),
            ("lattice", |row| fixed(row.2[1], row.1)),
            ("with ends", |row| fixed(row.2[2], row.1)),
            ("measured", |row| estimate(row.3, row.1)),
            ("off with ends", |row| percent(row.3.map(|found| found.value), row.2[2])),
        ],
        &[
            ("frequency ω h", 5, [predicted, lattice, lattice_with_ends].map(|wave| wave.omega), found.omega),
            ("damping time τ/h", 3, [predicted, lattice, lattice_with_ends].map(|wave| wave.tau), found.tau),
        ],
    );
    head + &rows + "\n" + &remarks(result)
}

fn remarks(result: &ChainResult) -> String {
    let measured = &result.measured;
    let reason = measured.reason.as_deref().unwrap_or_default();
    if measured.fitted == 0 {
        return format!("Nothing was measured: {reason}.\n");
    }
    let missing = if measured.fitted < measured.runs {
        format!("Only {} of {} runs were fitted; the others: {reason}.\n", measured.fitted, measured.runs)
    } else {
        String::new()
    };
    let share = |value: Option<f64>| fixed(value.map(|value| 100.0 * value), 3);
    format!(
        "{missing}Last open contact at step {}; fitted from step {} to {} (means over runs).\n\
         Unexplained by the curve with ω and τ given, in % of the amplitude at the start of the fit: \
         lattice with ends {} (of the mean over runs {}), continuum {}; with ω and τ fitted {}.\n\
         The grains are rigid and do not bounce. What rings is the solver: it stops after {}.\n",
        fixed(measured.transient, 0),
        fixed(measured.window_start, 0),
        fixed(measured.window_end, 0),
        share(measured.fit_residual),
        share(measured.fit_residual_of_mean),
        share(measured.fit_residual_continuum),
        share(measured.fit_residual_free),
        counted(result.settings.sweeps, "sweep"),
    )
}

fn scaling_table(result: &ScalingResult) -> String {
    let chain = &result.settings.chain;
    let head = format!(
        "{}, order {}, {}\n\n",
        counted(chain.grains, "rigid grain"),
        chain.order.name(),
        counted(result.rows[0].measured.runs, "run")
    );
    let rows = columns(
        &[
            ("sweeps N_I", |row: &ChainResult| row.settings.sweeps.to_string()),
            ("ω h theory", |row| fixed(row.lattice_with_ends.omega, 5)),
            ("measured", |row| estimate(row.measured.oscillation.omega, 5)),
            ("off", |row| percent(row.measured.oscillation.values().omega, row.lattice_with_ends.omega)),
            ("τ/h theory", |row| fixed(row.lattice_with_ends.tau, 3)),
            ("measured", |row| estimate(row.measured.oscillation.tau, 3)),
            ("off", |row| percent(row.measured.oscillation.values().tau, row.lattice_with_ends.tau)),
        ],
        &result.rows,
    );
    let exponents = exponents(
        &["exponent of N_I", "continuum", "lattice", "measured"],
        &[&result.predicted, &result.lattice, &result.measured],
        &[("ω", |found| found.omega), ("τ", |found| found.tau)],
        4,
    );
    let note = "\ntheory: the lattice with the ends of the chain\n\n";
    let few = "\nExponents need three different numbers of sweeps at which the chain rings.\n";
    let few = if result.measured.omega.is_none() { few } else { "" };
    head + &rows + note + &exponents + few
}
