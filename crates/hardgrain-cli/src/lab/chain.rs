//! `lab chain`.

use super::order_by_name;
use crate::failure::CliError;
use crate::output::OutputArguments;
use crate::progress::ProgressBars;
use crate::table::{counted, fixed, lined_up, percent, with_error};
use clap::Args;
use hardgrain::Order;
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
        let chain = ChainSettings { grains, sweeps: self.sweeps[0], force, gap, order, seed, seeds, steps, flaw: None };
        if self.sweeps.len() > 1 { self.run_several(chain) } else { self.run_one(&chain) }
    }

    fn run_one(&self, settings: &ChainSettings) -> Result<(), CliError> {
        hardgrain_lab::Validate::check(settings)?;
        self.output.prepare()?;
        let result = chain::run(settings, &ProgressBars::new("chain"))?;
        let files = || vec![("csv", result.csv()), ("svg", figures::figure(&result).svg())];
        self.output.finish("chain", &result, || table(&result), files)
    }

    fn run_several(&self, chain: ChainSettings) -> Result<(), CliError> {
        let settings = ScalingSettings { sweeps: self.sweeps.clone(), chain };
        hardgrain_lab::Validate::check(&settings)?;
        self.output.prepare()?;
        let result = scaling::run(&settings, &ProgressBars::new("chain"))?;
        let files = || vec![("csv", result.csv()), ("svg", figures::scaling(&result).svg())];
        self.output.finish("chain", &result, || scaling_table(&result), files)
    }
}

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
    // Off the best theory there is.
    let header = ["", "continuum", "lattice", "with ends", "measured", "off with ends"];
    let rows = [
        header.map(String::from).to_vec(),
        vec![
            "frequency ω h".into(),
            fixed(predicted.omega, 5),
            fixed(lattice.omega, 5),
            fixed(lattice_with_ends.omega, 5),
            with_error(measured.omega, measured.omega_stderr, 5),
            percent(measured.omega, lattice_with_ends.omega),
        ],
        vec![
            "damping time τ/h".into(),
            fixed(predicted.tau, 3),
            fixed(lattice.tau, 3),
            fixed(lattice_with_ends.tau, 3),
            with_error(measured.tau, measured.tau_stderr, 3),
            percent(measured.tau, lattice_with_ends.tau),
        ],
    ];
    head + &lined_up(&rows) + "\n" + &remarks(result)
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
    let header = ["sweeps N_I", "ω h theory", "measured", "off", "τ/h theory", "measured", "off"];
    let rows = result.rows.iter().map(|row| {
        vec![
            row.settings.sweeps.to_string(),
            fixed(row.lattice_with_ends.omega, 5),
            with_error(row.measured.omega, row.measured.omega_stderr, 5),
            percent(row.measured.omega, row.lattice_with_ends.omega),
            fixed(row.lattice_with_ends.tau, 3),
            with_error(row.measured.tau, row.measured.tau_stderr, 3),
            percent(row.measured.tau, row.lattice_with_ends.tau),
        ]
    });
    let rows: Vec<_> = [header.map(String::from).to_vec()].into_iter().chain(rows).collect();
    let (predicted, lattice, measured) = (&result.predicted, &result.lattice, &result.measured);
    let exponents = [
        ["exponent of N_I", "continuum", "lattice", "measured"].map(String::from).to_vec(),
        vec![
            "ω".into(),
            fixed(predicted.omega_exponent, 4),
            fixed(lattice.omega_exponent, 4),
            with_error(measured.omega_exponent, measured.omega_exponent_stderr, 4),
        ],
        vec![
            "τ".into(),
            fixed(predicted.tau_exponent, 4),
            fixed(lattice.tau_exponent, 4),
            with_error(measured.tau_exponent, measured.tau_exponent_stderr, 4),
        ],
    ];
    let note = "\ntheory: the lattice with the ends of the chain\n\n";
    let few = "\nExponents need three different numbers of sweeps at which the chain rings.\n";
    let few = if measured.omega_exponent.is_none() { few } else { "" };
    head + &lined_up(&rows) + note + &lined_up(&exponents) + few
}
