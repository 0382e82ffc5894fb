//! `lab soft`.

use super::experiment::{experiment, order_by_name};
use crate::failure::CliError;
use crate::output::OutputArguments;
use crate::table::{TableColumn, columns, counted, estimate, fixed, percent};
use clap::Args;
use hardgrain::Order;
use hardgrain_analysis::Estimate;
use hardgrain_figures::soft as figures;
use hardgrain_lab::soft::{self, RowResponse, SoftResult, SoftSettings};

/// The paper's comparison: a row of rigid grains beside one of soft grains with the springs that its
/// sweeps amount to.
///
/// Both rows stand against a wall when the last grain is pushed, and ring. The soft one has springs
/// kappa = q m N_I/h^2 and dashpots gamma = q m N_I/h, twice that at the wall, and is held together.
/// At rest both are shorter. Then the load goes down to nine tenths and back a few times, and down to
/// one tenth and back: the soft row returns to where it was, the rigid one keeps overlaps.
///
/// Examples:
///   hardgrain lab soft
///   hardgrain lab soft --sweeps 10 --grains 30 -o soft10
#[derive(Args)]
#[command(verbatim_doc_comment, allow_negative_numbers = true)]
pub(crate) struct SoftArguments {
    /// Number of grains.
    #[arg(long, default_value_t = SoftSettings::default().grains)]
    grains: u32,
    /// Sweeps a step, N_I, of the rigid row. The springs of the soft one follow from it.
    #[arg(long, default_value_t = SoftSettings::default().sweeps)]
    sweeps: u32,
    /// The force on the last grain, in units of d m/h²; a positive one presses.
    #[arg(long, default_value_t = SoftSettings::default().force)]
    force: f64,
    /// The order in which a sweep visits the contacts.
    #[arg(long, value_parser = order_by_name(), default_value = Order::default().name())]
    order: Order,
    /// How often the load goes down and up again, gently and then deeply.
    #[arg(long, default_value_t = SoftSettings::default().cycles)]
    cycles: u32,
    /// The first seed.
    #[arg(long, default_value_t = SoftSettings::default().seed)]
    seed: u64,
    /// How many seeds, one run of the rigid row each.
    #[arg(long, default_value_t = SoftSettings::default().seeds)]
    seeds: u32,
    #[command(flatten)]
    output: OutputArguments,
}

impl SoftArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let Self { grains, sweeps, force, order, cycles, seed, seeds, .. } = *self;
        let settings = SoftSettings { grains, sweeps, force, order, cycles, seed, seeds, flaw: None };
        let files = |result: &SoftResult| vec![("csv", result.csv()), ("svg", figures::figure(result).svg())];
        experiment(("soft", &self.output), &settings, |settings, watch| Ok(soft::run(settings, watch)?), table, files)
    }
}

/// A number of a row.
type Of = fn(&RowResponse) -> Option<f64>;

/// A name, digits behind the point, theories of continuum, rigid and soft row, and both measurements.
type SoftQuantity = (&'static str, usize, [Option<f64>; 3], Option<Estimate>, Option<f64>);

fn table(result: &SoftResult) -> String {
    let SoftResult { settings, predicted, lattice, measured, .. } = result;
    let head = format!(
        "{} pressed against a wall with F = {} d m/h²\n\
         rigid: {} a step, order {}, {}\n\
         soft: κ = {:.4} m/h², γ = {:.4} m/h, twice that at the wall, held together, {} a rigid step\n\n",
        counted(settings.grains, "grain"),
        settings.force,
        counted(settings.sweeps, "sweep"),
        settings.order.name(),
        counted(measured.runs, "run"),
        result.stiffness,
        result.damping,
        counted(measured.substeps, "soft step"),
    );
    let row = |name: &'static str, digits: usize, expected: [Option<f64>; 3], of: Of| {
        let error = measured.rigid_stderr.as_ref().and_then(of).unwrap_or(f64::INFINITY);
        let rigid = of(&measured.rigid).map(|value| Estimate { value, error });
        (name, digits, expected, rigid, of(&measured.soft))
    };
    let shrunk = Some(predicted.shrinkage);
    let rows = [
        row("frequency ω h", 5, [predicted.omega, lattice.rigid.omega, lattice.soft.omega], |row| row.omega),
        row("damping time τ/h", 3, [predicted.tau, lattice.rigid.tau, lattice.soft.tau], |row| row.tau),
        row(
            "stiffness h²κ/m, small changes",
            3,
            [Some(result.stiffness), Some(lattice.rigid_stiffness), Some(result.stiffness)],
            |row| Some(row.stiffness),
        ),
        row("shrinkage under load, d", 5, [shrunk, None, shrunk], |row| Some(row.shrinkage)),
        row("after gentle cycles", 5, [shrunk, None, shrunk], |row| Some(row.shrinkage_after_gentle_cycles)),
        row("after deep cycles", 5, [shrunk, None, shrunk], |row| Some(row.shrinkage_after_deep_cycles)),
    ];
    let columns_of: [TableColumn<'_, SoftQuantity>; 7] = [
        ("", |row| row.0.into()),
        ("continuum", |row| fixed(row.2[0], row.1)),
        ("rigid theory", |row| fixed(row.2[1], row.1)),
        ("rigid", |row| estimate(row.3, row.1)),
        ("soft theory", |row| fixed(row.2[2], row.1)),
        ("soft", |row| fixed(row.4, row.1)),
        ("rigid off soft", |row| percent(row.3.map(|found| found.value), row.4)),
    ];
    head + &columns(&columns_of, &rows) + "\n" + &remarks(result)
}

/// Whether the first of two numbers is larger by more than its error could make it.
fn grew(change: f64, error: Option<f64>) -> bool {
    change > 2.0 * error.unwrap_or(0.0) && change > 1e-6
}

fn remarks(result: &SoftResult) -> String {
    let measured = &result.measured;
    if measured.fitted == 0 {
        return "The rigid row does not ring: its sweeps carry a load from end to end within a step or two, and there is nothing that \
                springs could be compared with. Take more grains or fewer sweeps.\n"
            .into();
    }
    let missing = if measured.fitted < measured.runs {
        format!("Only {} of {} rigid rows were fitted.\n", measured.fitted, measured.runs)
    } else {
        String::new()
    };
    missing + &trajectories(result) + "\n" + &ratchet(result) + "\n" + &single(result)
}

fn trajectories(result: &SoftResult) -> String {
    let SoftResult { lattice, measured, .. } = result;
    let percent = |found: Option<Estimate>| {
        found.map(|found| Estimate { value: 100.0 * found.value, error: 100.0 * found.error })
    };
    format!(
        "Difference of the two trajectories, each seen from where it rests, rms in % of the amplitude: {} from step {} on, \
         when contacts no longer open and close; {} when the load is then eased by a tenth (theory {}: the rigid row answers a \
         load within the step in which it comes and is half a step ahead).\n",
        estimate(percent(measured.trajectory_difference), 2),
        result.window[0],
        estimate(percent(measured.trajectory_difference_eased), 2),
        fixed(lattice.trajectory_difference_eased.map(|share| 100.0 * share), 2),
    )
}

/// What cycles of the load leave behind.
fn ratchet(result: &SoftResult) -> String {
    let SoftResult { settings, measured, .. } = result;
    let rigid = &measured.rigid;
    let deep = rigid.shrinkage_after_deep_cycles - rigid.shrinkage_after_gentle_cycles;
    let gentle = rigid.shrinkage_after_gentle_cycles - rigid.shrinkage;
    let error = measured.rigid_stderr.as_ref().map(|error| error.shrinkage_after_deep_cycles);
    let by = |change: f64| {
        let way = if change < 0.0 { "longer" } else { "shorter" };
        format!("{:.5} d {way}", change.abs())
    };
    let why = if grew(deep, error) {
        "Rigid grains have nothing that pushes an overlap out. A contact that approaches is stopped where it is, and what the \
         sweeps fail to stop in a step stays as overlap. While all contacts push, easing a load takes back what it had pressed \
         in, and a small change of it is elastic. But a contact that opens gives nothing back, and closing presses anew"
    } else {
        "Rigid grains have nothing that pushes an overlap out, but here the cycles have pressed in no more than they took back"
    };
    format!(
        "Springs forget: after every cycle the soft row, which is held together and may pull, is as long as before. {why}: after {} \
         down to a tenth of the load, with some contact open in {} steps, the row is {}; after as many gentle ones, with \
         some contact open in {} steps, {}.\n",
        counted(settings.cycles, "cycle"),
        fixed(Some(rigid.open_in_deep_cycles), 0),
        by(deep),
        fixed(Some(rigid.open_in_gentle_cycles), 0),
        by(gentle),
    )
}

/// What a single contact knows of springs.
fn single(result: &SoftResult) -> String {
    let measured = &result.measured;
    let chance = match measured.contact_correlation {
        Some(found) => format!("and the chance in overlap and reaction of a contact has the correlation {found:.4}"),
        None => "(what chance does to single contacts takes two seeds and a random order to see)".into(),
    };
    format!(
        "At rest all rigid contacts carry the same force, but their overlaps differ by {} % (soft: {} %), {chance}: a single contact \
         knows no spring. Averages are elastic: the mean reaction and the mean overlap of all contacts have the correlation {} \
         while the row rings (soft, with its dashpots: {}).\n",
        fixed(Some(100.0 * measured.rigid.overlap_spread), 1),
        fixed(Some(100.0 * measured.soft.overlap_spread), 1),
        fixed(Some(measured.rigid.mean_correlation), 5),
        fixed(Some(measured.soft.mean_correlation), 5),
    )
}
