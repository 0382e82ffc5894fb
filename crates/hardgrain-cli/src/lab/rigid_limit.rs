//! `lab rigid-limit`.

use crate::failure::Failure;
use crate::output::Output;
use crate::progress::Progress;
use crate::table::{counted, fixed, lined_up, number, percent, with_error};
use clap::{Args, ValueEnum};
use hardgrain_figures::rigid_limit as figures;
use hardgrain_lab::Shelf;
use hardgrain_lab::rigid_limit::{self, RigidLimitResult, RigidLimitSettings};
use std::path::PathBuf;

/// The solvers that can be asked.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
enum Method {
    /// Sweeps in random order, the paper's.
    GaussSeidel,
}

/// How many sweeps a load takes from top to bottom, against the size of the system.
///
/// A packing at rest, periodic sideways, is solved once from zero reactions, and sweeps are counted until the base carries
/// the load to within the tolerance: an error of the force, not a residual, which is small long before. The paper expects
/// sweeps ~ L² (of contacts that stick: at small tolerances, late sliding takes longer), so that the work goes with n² in the plane and n^(5/3) in space. In one dimension it is the chain.
///
/// Examples:
///   hardgrain lab rigid-limit
///   hardgrain lab rigid-limit --dimension 1 --tolerance 0.001
///   hardgrain lab rigid-limit --dimension 3 --sizes 250,500,1000,2000 --keep packings
#[derive(Args)]
#[command(verbatim_doc_comment, allow_negative_numbers = true)]
pub(crate) struct RigidLimitArguments {
    /// 1: a chain, 2: discs, 3: spheres.
    #[arg(long, default_value_t = RigidLimitSettings::default().dimension)]
    dimension: u32,
    /// Numbers of grains, separated by commas [default: 125,250,500,1000 discs, 250,500,1000,2000 spheres,
    /// 25,50,100,200,400 in a chain].
    #[arg(long, value_delimiter = ',')]
    sizes: Option<Vec<u32>>,
    /// The solver.
    #[arg(long, value_enum, default_value_t = Method::GaussSeidel)]
    solver: Method,
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
    output: Output,
}

impl RigidLimitArguments {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let Self { dimension, tolerance, packings, friction, seed, .. } = *self;
        let sizes = self.sizes.clone().unwrap_or_else(|| RigidLimitSettings::usual_sizes(dimension));
        let solver = match self.solver {
            Method::GaussSeidel => "gauss-seidel",
        };
        let settings = RigidLimitSettings { dimension, sizes, solver, tolerance, packings, friction, seed };
        hardgrain_lab::Settings::check(&settings)?;
        self.output.prepare()?;
        if let Some(folder) = &self.keep {
            std::fs::create_dir_all(folder).map_err(|error| Failure::file(folder, &error))?;
        }
        let result = rigid_limit::run(&settings, &Shelf::new(self.keep.clone()), &Progress::new("rigid-limit"))?;
        let files = || vec![("csv", result.csv()), ("svg", figures::figure(&result).svg())];
        self.output.finish("rigid-limit", &result, || table(&result), files)
    }
}

fn table(result: &RigidLimitResult) -> String {
    let settings = &result.settings;
    let head = format!(
        "Sweeps of {} from zero reactions until the base carries the load to within {}, dimension {}, {} of each size\n\n",
        settings.solver,
        settings.tolerance,
        settings.dimension,
        counted(settings.packings, if settings.dimension == 1 { "run" } else { "packing" }),
    );
    let header = ["grains n", "L/d", "chain of that length", "slowest wave", "sweeps", "off", "CPU seconds"];
    let rows = result.rows.iter().map(|row| {
        vec![
            row.grains.to_string(),
            fixed(Some(row.length), 2),
            fixed(Some(row.predicted), 0),
            fixed(row.springs, 0),
            with_error(Some(row.sweeps), row.sweeps_stderr, 0),
            percent(Some(row.sweeps), row.springs),
            number(Some(row.seconds)),
        ]
    });
    let rows: Vec<_> = [header.map(String::from).to_vec()].into_iter().chain(rows).collect();
    let (predicted, springs, measured) = (&result.predicted, &result.springs, &result.measured);
    let exponents = lined_up(&[
        ["exponent of", "paper", "slowest wave", "measured"].map(String::from).to_vec(),
        vec![
            "sweeps in L".into(),
            fixed(predicted.length_exponent, 3),
            with_error(springs.length_exponent, springs.length_exponent_stderr, 3),
            with_error(measured.length_exponent, measured.length_exponent_stderr, 3),
        ],
        vec![
            "sweeps in n".into(),
            fixed(predicted.sweeps_exponent, 3),
            with_error(springs.sweeps_exponent, springs.sweeps_exponent_stderr, 3),
            with_error(measured.sweeps_exponent, measured.sweeps_exponent_stderr, 3),
        ],
        vec![
            "seconds in n".into(),
            fixed(predicted.work_exponent, 3),
            String::from("–"),
            with_error(measured.work_exponent, measured.work_exponent_stderr, 3),
        ],
    ]);
    head + &lined_up(&rows) + "\n" + &exponents + &remarks(result)
}

/// What the numbers mean.
fn remarks(result: &RigidLimitResult) -> String {
    let ratios: Vec<f64> = result.rows.iter().filter_map(|row| Some(row.sweeps / row.springs?)).collect();
    let mut lines = vec![String::new()];
    if result.settings.dimension > 1 && ratios.iter().any(|ratio| *ratio > 1.2) {
        lines.push(
            "Springs stick. From zero reactions many contacts slide first, and it takes more sweeps than the slowest wave of \
             springs needs; the smaller the error that is asked for, the more of them."
                .into(),
        );
    }
    if ratios.iter().any(|ratio| *ratio < 0.8) {
        lines.push(
            "The load at the base is right long before the slowest motion is over: that one hardly shifts load, and the forces \
             inside are not yet known to this error."
                .into(),
        );
    }
    let measured = &result.measured;
    if let (Some(found), Some(error)) = (measured.length_exponent, measured.length_exponent_stderr)
        && result.settings.dimension > 1
    {
        let off = (found - 2.0) / error;
        let verdict = if off.abs() <= 2.0 { "agrees with the paper's 2" } else { "is not the paper's 2" };
        lines.push(format!("The exponent of L {verdict}: it is off by {off:+.1} standard errors."));
    }
    lines.join("\n") + "\n"
}
