//! `lab rigid-limit`.

use super::experiment::{experiment, exponents};
use super::packing::kept_in;
use crate::failure::CliError;
use crate::output::OutputArguments;
use crate::table::{TableColumn, columns, counted, estimate, fixed, lined_up, number, percent};
use clap::Args;
use clap::builder::{PossibleValuesParser, TypedValueParser};
use hardgrain_figures::rigid_limit as figures;
use hardgrain_lab::LimitSolver;
use hardgrain_lab::rigid_limit::{self, GrowthExponents, RigidLimitResult, RigidLimitSettings, SizeRow};
use std::path::PathBuf;

/// How many sweeps a load takes from top to bottom, against the size of the system.
///
/// A packing at rest, periodic sideways or between walls, is solved once from zero reactions, and
/// sweeps are counted until the base carries the load to within the tolerance: an error of the force,
/// not a residual, which is small long before. The paper expects sweeps ~ L², so that the work goes
/// with n² in the plane and n^(5/3) in space; it thinks of contacts that stick, and that is measured
/// too. In one dimension it is the chain. Accelerated sweeps should grow with L only.
///
/// Then the load grows in each of five steps by ten times the tolerance, nine by the lid and one by
/// the weight of the grains (a chain is only pressed): steps of a running simulation, which start
/// from the forces of the last one. What the base has to carry is then taken from a solve that is a
/// hundred times as exact; for the rigid solver from itself, and by how much that may be wrong by its
/// certificate counts as an error.
///
/// Examples:
///   hardgrain lab rigid-limit
///   hardgrain lab rigid-limit --dimension 1 --tolerance 0.001 --solver accelerated
///   hardgrain lab rigid-limit --dimension 3 --sizes 250,500,1000,2000 --keep packings
///   hardgrain lab rigid-limit --solver rigid --sizes 500,1000,2000,5000 --tolerance 1e-6 --keep DIR
///   hardgrain lab rigid-limit --solver rigid --beside gauss-seidel,accelerated --walls
#[derive(Args)]
#[command(verbatim_doc_comment, allow_negative_numbers = true)]
pub(crate) struct RigidLimitArguments {
    /// 1: a chain, 2: discs, 3: spheres.
    #[arg(long, default_value_t = RigidLimitSettings::default().dimension)]
    dimension: u32,
    /// Numbers of grains, separated by commas [default: 125,250,500,1000 discs, 250,500,1000,2000 spheres,
    /// 50,100,200,400 in a chain].
    #[arg(long, value_delimiter = ',')]
    sizes: Option<Vec<u32>>,
    /// The solver: plain sweeps in random order, the paper's, accelerated ones, or the rigid solver.
    #[arg(long, default_value = LimitSolver::GaussSeidel.name(), value_parser = method_by_name())]
    solver: LimitSolver,
    /// Solve the same by these too, and compare; several are separated by commas.
    #[arg(long, value_delimiter = ',', value_parser = method_by_name(), value_name = "SOLVER")]
    beside: Vec<LimitSolver>,
    /// Put walls at the sides. They carry some of the load by friction; what all walls carry of it counts then.
    #[arg(long)]
    walls: bool,
    /// The error of the load at the base that is asked for.
    #[arg(long, default_value_t = RigidLimitSettings::default().tolerance)]
    tolerance: f64,
    /// How many packings of each size, with seeds from the first on.
    #[arg(long, default_value_t = RigidLimitSettings::default().packings)]
    packings: u32,
    /// Coulomb's coefficient.
    #[arg(long, default_value_t = RigidLimitSettings::default().friction)]
    friction: f64,
    /// The first seed.
    #[arg(long, default_value_t = RigidLimitSettings::default().seed)]
    seed: u64,
    /// Keep prepared packings in this folder, and take them from there if they are there.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
    #[command(flatten)]
    output: OutputArguments,
}

fn method_by_name() -> impl TypedValueParser<Value = LimitSolver> {
    let methods = LimitSolver::ALL;
    PossibleValuesParser::new(methods.map(LimitSolver::name)).map(move |name| {
        *methods.iter().find(|method| method.name() == name).expect("only names of methods are let through")
    })
}

impl RigidLimitArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let Self { dimension, solver, walls, tolerance, packings, friction, seed, .. } = *self;
        let sizes = self.sizes.clone().unwrap_or_else(|| RigidLimitSettings::usual_sizes(dimension));
        let mut beside = Vec::new();
        for &other in &self.beside {
            if other == solver || beside.contains(&other) {
                return Err(CliError::flag("beside", format_args!("{} is named a second time", other.name())));
            }
            beside.push(other);
        }
        let settings =
            RigidLimitSettings { dimension, sizes, solver, beside, walls, tolerance, packings, friction, seed };
        let files = |result: &RigidLimitResult| vec![("csv", result.csv()), ("svg", figures::figure(result).svg())];
        let (place, cache) = (("rigid-limit", &self.output), || kept_in(self.keep.as_deref()));
        experiment(place, &settings, |settings, watch| Ok(rigid_limit::run(settings, &cache()?, watch)?), tables, files)
    }
}

fn tables(result: &RigidLimitResult) -> String {
    let each: Vec<String> = [result].into_iter().chain(&result.beside).map(table).collect();
    let beside = (!result.beside.is_empty()).then(|| side_by_side(result));
    each.into_iter().chain(beside).collect::<Vec<_>>().join("\n")
}

/// How long each of them takes for the same.
fn side_by_side(result: &RigidLimitResult) -> String {
    let all: Vec<&RigidLimitResult> = [result].into_iter().chain(&result.beside).collect();
    let named = |what: &str, of: &RigidLimitResult| format!("{what}{}", of.settings.solver.name());
    let compared = |title: &str, seconds: fn(&SizeRow) -> f64, error: fn(&SizeRow) -> f64| {
        let times = result.beside.iter().map(|other| named("times ", other));
        let header =
            all.iter().map(|of| named("", of)).chain(times).chain(all.iter().map(|of| named("load off, ", of)));
        let header = ["grains n".to_owned()].into_iter().chain(header).collect();
        let rows = result.rows.iter().enumerate().map(|(at, row)| {
            let of = |what: fn(&SizeRow) -> f64| all.iter().map(move |of| what(&of.rows[at]));
            let times = of(seconds).skip(1).map(|other| fixed(Some(other / seconds(row)), 2));
            let off = of(error).map(|error| format!("{error:.1e}"));
            let seconds = of(seconds).map(|seconds| number(Some(seconds)));
            [row.grains.to_string()].into_iter().chain(seconds).chain(times).chain(off).collect()
        });
        format!("{title}\n\n{}", lined_up(&[header].into_iter().chain(rows).collect::<Vec<_>>()))
    };
    compared("CPU seconds of one solve from nothing, side by side", |row| row.seconds, |row| row.load_error)
        + "\n"
        + &compared("CPU seconds of a running step", |row| row.running_seconds, |row| row.running_load_error)
}

fn table(result: &RigidLimitResult) -> String {
    let settings = &result.settings;
    let head = format!(
        "Sweeps of {} from zero reactions until the base carries the load to within {}, dimension {}, {} of each size\n\n",
        settings.solver.name(),
        settings.tolerance,
        settings.dimension,
        counted(settings.packings, if settings.dimension == 1 { "run" } else { "packing" }),
    );
    if settings.solver == LimitSolver::Rigid {
        return rigid_table(result);
    }
    let plain = settings.solver == LimitSolver::GaussSeidel;
    let [chain, wave, other] = if plain {
        ["chain of that length", "slowest wave", "off"]
    } else {
        ["plain in a chain", "plain, slowest wave", "times fewer"]
    };
    let columns_of: [TableColumn<'_, SizeRow>; 10] = [
        ("grains n", |row| row.grains.to_string()),
        ("L/d", |row| fixed(Some(row.length), 2)),
        (chain, |row| fixed(Some(row.predicted), 0)),
        (wave, |row| fixed(row.springs, 0)),
        ("if all stick", |row| estimate(Some(row.sticking), 0)),
        ("sweeps", |row| estimate(Some(row.sweeps), 0)),
        (
            other,
            if plain {
                |row| percent(Some(row.sweeps.value), row.springs)
            } else {
                |row| fixed(row.springs.map(|springs| springs / row.sweeps.value), 1)
            },
        ),
        ("CPU seconds", |row| number(Some(row.seconds))),
        ("in a running step", |row| estimate(Some(row.running), 0)),
        ("CPU seconds", |row| number(Some(row.running_seconds))),
    ];
    head + &columns(&columns_of, &result.rows) + "\n" + &growth(result) + &remarks(result)
}

/// The rigid solver makes factorisations, and sweeps where they help or are enough.
fn rigid_table(result: &RigidLimitResult) -> String {
    let RigidLimitResult { settings, predicted, measured, running, .. } = result;
    let head = format!(
        "The rigid solver from zero reactions until contacts miss their laws by 1e-8 of what there was to be solved; the load at the \
         base is then right to within {}. Dimension {}, {} of each size\n\n",
        settings.tolerance,
        settings.dimension,
        counted(settings.packings, if settings.dimension == 1 { "run" } else { "packing" }),
    );
    let columns_of: [TableColumn<'_, SizeRow>; 11] = [
        ("grains n", |row| row.grains.to_string()),
        ("L/d", |row| fixed(Some(row.length), 2)),
        ("plain sweeps, slowest wave", |row| fixed(row.springs, 0)),
        ("factorisations", |row| fixed(Some(row.factorisations), 1)),
        ("sweeps", |row| fixed(Some(row.sweeps.value), 0)),
        ("CPU seconds", |row| number(Some(row.seconds))),
        ("load off by", |row| format!("{:.1e}", row.load_error)),
        ("in a running step: factorisations", |row| fixed(Some(row.running_factorisations), 1)),
        ("sweeps", |row| fixed(Some(row.running.value), 0)),
        ("CPU seconds", |row| number(Some(row.running_seconds))),
        ("load off by", |row| format!("{:.1e}", row.running_load_error)),
    ];
    let growth = exponents(
        &["exponent of", "hoped for", "measured", "in a running step"],
        &[&GrowthExponents { work: None, ..*predicted }, measured, running],
        &[("factorisations in n", |g| g.factorisations), ("seconds in n", |g| g.work)],
        3,
    );
    let too_few = [measured, running].iter().any(|growth| growth.factorisations.is_none());
    let reason = if !too_few {
        ""
    } else if result.rows.len() < 3 {
        "\nThere is no exponent of fewer than three sizes.\n"
    } else {
        "\nFactorisations have no exponent where a solve takes fewer than four.\n"
    };
    head + &columns(&columns_of, &result.rows) + "\n" + &growth + reason
}

fn growth(result: &RigidLimitResult) -> String {
    let paper = if result.settings.solver == LimitSolver::GaussSeidel { "paper" } else { "expected" };
    exponents(
        &["exponent of", paper, "slowest wave", "if all stick", "measured", "in a running step"],
        &[&result.predicted, &result.springs, &result.sticking, &result.measured, &result.running],
        &[("sweeps in L", |g| g.length), ("sweeps in n", |g| g.sweeps), ("seconds in n", |g| g.work)],
        3,
    )
}

/// What the numbers mean.
fn remarks(result: &RigidLimitResult) -> String {
    let plain = result.settings.solver == LimitSolver::GaussSeidel;
    let ratios: Vec<f64> =
        result.rows.iter().filter(|_| plain).filter_map(|row| Some(row.sweeps.value / row.springs?)).collect();
    let mut text = String::from("\n");
    if result.settings.dimension > 1 && ratios.iter().any(|ratio| *ratio > 1.2) {
        text += "The paper's estimate, like springs, is about contacts that stick. With Coulomb's law many slide on the way, and it \
                 takes more sweeps; the smaller the error that is asked for, the more of them.\n";
    }
    if ratios.iter().any(|ratio| *ratio < 0.8) {
        text += "The load at the base is right long before the slowest motion is over: that one hardly shifts load, and the forces \
                 inside are not yet known to this error.\n";
    }
    for (growth, whose) in [(&result.sticking, "of contacts that stick"), (&result.measured, "measured")] {
        if let Some(found) = growth.length.filter(|_| result.settings.dimension > 1) {
            let (expected, whom) = if plain { (2.0, "the paper's 2") } else { (1.0, "the 1 of waves") };
            let off = (found.value - expected) / found.error;
            let verdict = if off.abs() <= 2.0 { "agrees with" } else { "is not" };
            text.extend([format!(
                "The exponent of L {whose} {verdict} {whom}: it is off by {off:+.1} standard errors.\n"
            )]);
        }
    }
    text
}
