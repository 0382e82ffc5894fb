//! `lab piston`.

use super::experiment::{experiment, exponents, order_by_name};
use super::packing::{PackingArguments, grains};
use crate::failure::CliError;
use crate::output::{OutputArguments, ResultFiles};
use crate::table::{TableColumn, columns, columns_and_remarks, counted, estimate, fixed, share};
use clap::Args;
use hardgrain::Order;
use hardgrain_figures::piston as figures;
use hardgrain_lab::Shape;
use hardgrain_lab::piston::{self, MeasuredCounterpart, PistonResult, PistonRow, PistonSettings};

/// A fit that leaves more than this share of the amplitude is no good one.
const POOR: f64 = 0.05;

/// The paper's second experiment: a packing under a piston rings when the load is raised a little.
///
/// Packings are prepared once (see `hardgrain lab packing`) and rung for each number of sweeps. When
/// only one wave is left, the place of the piston is fitted with x0 + A exp(-t/tau) sin(omega t +
/// phi), everything free, and the exponents of omega ~ N_I^a and tau ~ N_I^b follow, with their
/// errors over packings.
///
/// Beside the measurement stand the continuum (a = 1/2, b = -1), the lattice, omega h = arccos
/// exp(-h/tau), which makes a a little smaller than 1/2 (taken out by omega -> sqrt(-2 ln cos omega
/// h)/h, a is 1/2 again), and springs of stiffness 2 q N_I/(w h²) in the place of the contacts of the
/// same packings.
///
/// Examples:
///   hardgrain lab piston
///   hardgrain lab piston --dimension 3
///   hardgrain lab piston --load-step 0.1      grains slide, and the damping exponent leaves -1
///   hardgrain lab piston --packings 10 --keep packings -o piston
#[derive(Args)]
#[command(verbatim_doc_comment, allow_negative_numbers = true)]
pub(crate) struct PistonArguments {
    /// Sweeps a step, N_I, separated by commas [default: 10,20,40,80,160; for spheres 2,4,8,16,32].
    #[arg(long, value_delimiter = ',')]
    sweeps: Option<Vec<u32>>,
    /// The order in which a sweep visits the contacts; not parallel, not random-sequential.
    #[arg(long, value_parser = order_by_name(), default_value = Order::default().name())]
    order: Order,
    /// How many packings, with seeds from the first on.
    #[arg(long, default_value_t = PistonSettings::default().packings)]
    packings: u32,
    /// By which share the load is raised.
    #[arg(long, default_value_t = PistonSettings::default().load_step)]
    load_step: f64,
    /// Ring the same packings with soft grains as well: springs 2 q N_I/(w h²) and dashpots κ h in every contact. Takes
    /// minutes.
    #[arg(long)]
    soft: bool,
    #[command(flatten)]
    packing: PackingArguments,
    #[command(flatten)]
    output: OutputArguments,
}

impl PistonArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let packing = self.packing.settings(false);
        let usual = if packing.dimension == 3 { vec![2, 4, 8, 16, 32] } else { PistonSettings::default().sweeps };
        let sweeps = self.sweeps.clone().unwrap_or(usual);
        let Self { packings, load_step, soft, order, .. } = *self;
        let settings = PistonSettings { sweeps, order, packings, load_step, soft, packing };
        let (place, cache) = (("piston", &self.output), || self.packing.cache());
        experiment(place, &settings, |settings, watch| Ok(piston::run(settings, &cache()?, watch)?), table, files)
    }
}

fn files(result: &PistonResult) -> ResultFiles {
    let subtitle = "the first packing; lines: normal forces, red above the mean; rattlers are white";
    let picture = figures::picture(result, subtitle).map(|picture| ("network.svg", picture));
    let curves = [
        ("csv", result.csv()),
        ("svg", figures::exponents(result).svg()),
        ("ringing.svg", figures::ringing(result).svg()),
        ("shape.svg", figures::shape(result).svg()),
    ];
    curves.into_iter().chain(picture).collect()
}

fn table(result: &PistonResult) -> String {
    let settings = &result.settings;
    let head = format!(
        "{} of {} under a piston, friction {}, load raised by {} of itself, order {}\n\n",
        counted(settings.packings, "packing"),
        grains(&settings.packing),
        settings.packing.friction,
        settings.load_step,
        settings.order.name(),
    );
    let columns: [TableColumn<'_, PistonRow>; 9] = [
        ("sweeps N_I", |row| row.sweeps.to_string()),
        ("ω h springs", |row| fixed(row.springs.omega, 4)),
        ("measured", |row| estimate(row.measured.oscillation.omega, 4)),
        ("off", |row| share(row.measured.off.omega)),
        ("from τ", |row| fixed(row.lattice.omega, 4)),
        ("τ/h springs", |row| fixed(row.springs.tau, 3)),
        ("measured", |row| estimate(row.measured.oscillation.tau, 3)),
        ("off", |row| share(row.measured.off.tau)),
        ("rest, %", |row| fixed(row.measured.fit_residual.map(|rest| 100.0 * rest), 2)),
    ];
    let rows = columns_and_remarks(&columns, &result.rows, |row| {
        let (fitted, all) = (row.measured.fitted, settings.packings);
        let reason = row.measured.reason.as_ref().filter(|_| fitted < all)?;
        Some(format!("{fitted} of {all} fitted: {reason}"))
    });
    let notes = "\nsprings: 2 q N_I/(w h²) in the place of each contact, with q of the packing; from τ: arccos e^(−h/τ); \
                 rest: unexplained by the fit, of the amplitude\n\n";
    let exponents = exponents(
        &["exponent of N_I", "continuum", "lattice", "springs", "measured", "lattice taken out", "in the first swings"],
        &[
            &result.predicted,
            &result.lattice.without_errors(),
            &result.springs,
            &result.measured.exponents,
            &result.measured.without_lattice,
            &result.measured.first_swings,
        ],
        &[("ω", |found| found.omega), ("τ", |found| found.tau)],
        4,
    );
    head + &rows + notes + &counterparts(result) + &exponents + &remarks(result)
}

/// Soft packings beside rigid ones.
fn counterparts(result: &PistonResult) -> String {
    let rows = result.rows.iter().filter_map(|row| Some((row, row.soft.as_ref()?, result.settings.packings)));
    let rows: Vec<(&PistonRow, &MeasuredCounterpart, u32)> = rows.collect();
    if rows.is_empty() {
        return String::new();
    }
    let columns_of: [TableColumn<'_, (&PistonRow, &MeasuredCounterpart, u32)>; 11] = [
        ("sweeps N_I", |(row, ..)| row.sweeps.to_string()),
        ("ω h rigid", |(row, ..)| fixed(row.measured.oscillation.values().omega, 4)),
        ("soft theory", |(_, soft, _)| fixed(soft.springs.omega, 4)),
        ("soft", |(_, soft, _)| fixed(soft.oscillation.omega, 4)),
        ("soft off rigid", |(_, soft, _)| share(soft.off.omega)),
        ("τ/h rigid", |(row, ..)| fixed(row.measured.oscillation.values().tau, 3)),
        ("soft theory", |(_, soft, _)| fixed(soft.springs.tau, 3)),
        ("soft", |(_, soft, _)| fixed(soft.oscillation.tau, 3)),
        ("soft off rigid", |(_, soft, _)| share(soft.off.tau)),
        ("worst rest, %", |(_, soft, _)| fixed(soft.fit_residual_largest.map(|rest| 100.0 * rest), 2)),
        ("fitted", |(_, soft, packings)| format!("{} of {packings}", soft.fitted)),
    ];
    columns(&columns_of, &rows)
        + "\nsoft: the same packings with springs κ = 2 q N_I/(w h²) and dashpots κ h, with q of a chain\n\n"
}

fn remarks(result: &PistonResult) -> String {
    let measured = &result.measured;
    let mut text = String::from("\n");
    if measured.exponents.omega.is_none() {
        text += "Exponents need three different numbers of sweeps at which the packing rings.\n";
    }
    let q: Vec<String> = result.packings.iter().map(|packing| fixed(packing.q, 4)).collect();
    let chain = hardgrain_run::theory_order(result.settings.order).q();
    text.extend([format!("q of these packings: {} (a chain has {chain:.4}).\n", q.join(", "))]);
    if result.packings.iter().any(|packing| packing.q.is_none()) {
        text += "Where there is a dash, many slow motions answer the push together, as in packings that are held by hardly more \
                 contacts than they need: there is no single wave for springs to predict, and what is fitted is a mixture.\n";
    }
    if (1..result.settings.packings).contains(&measured.packings) {
        let all = counted(result.settings.packings, "packing");
        let fitted = measured.packings;
        text.extend([format!(
            "Exponents are those of {fitted} of {all}: the others do not ring at three numbers of sweeps.\n"
        )]);
    }
    if measured.fit_residual.is_some_and(|rest| rest > POOR) {
        text += "Where more than 5 % of the amplitude are left unexplained there is not one damped sine, and ω and τ mean little.\n";
    }
    text.extend(measured.slides.then(|| {
        format!(
            "Grains slide: up to {:.0} % of the contacts at once. This load step is no small one: sliding damps the first \
             swings, and from the first turning point on the damping exponent is {} instead of −1.\n",
            100.0 * measured.sliding,
            estimate(measured.first_swings.tau, 3),
        )
    }));
    text.extend(result.shape.as_ref().map(|Shape { sweeps, off_quarter_wave, off_springs, .. }| {
        format!(
            "Displacement against height at N_I = {sweeps}: off the quarter wave by {off_quarter_wave:.3} of the piston's \
             amplitude (rms), off the springs by {off_springs:.3}.\n"
        )
    }));
    text + &demonstrated(result) + "\n"
}

/// What the other solvers did to the packing at rest.
fn demonstrated(result: &PistonResult) -> String {
    let shown = &result.demonstrations;
    let (cold, gap) = (&shown.cold_start, &shown.full_gap);
    let broke = gap.broke.as_ref().map_or(String::new(), |why| format!(" ({why})"));
    let sinks = if cold.sunk > 1e-3 { "sinks" } else { "moves" };
    let fate = if gap.network_lost > 0.2 || gap.broke.is_some() { "comes apart" } else { "holds" };
    format!(
        "The same packing at rest, constant load, {} of {}: as in the paper the piston moves by {:.1e} d; started cold it \
         {sinks} by {:.3} d and goes on at {:.1e} d/h; with the full gap it {fate}: {:.0} % of the contacts and {:.0} % of \
         the force network are lost{broke}.",
        counted(shown.warm_start.steps, "step"),
        counted(shown.sweeps, "sweep"),
        shown.warm_start.sunk,
        cold.sunk,
        cold.speed,
        100.0 * gap.contacts_lost,
        100.0 * gap.network_lost,
    )
}
