//! `lab`: one experiment, prediction beside measurement.

mod chain;
mod dispersion;
mod moduli;
mod order;
mod packing;
mod piston;
mod rigid_limit;
mod soft;

use crate::failure::CliError;
use crate::output::{OutputArguments, ResultFiles};
use crate::progress::ProgressBars;
use crate::table::{estimate, lined_up};
use clap::Subcommand;
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hardgrain::Order;
use hardgrain_analysis::Estimate;
use hardgrain_lab::{Exponents, Validate};
use serde::Serialize;

/// One experiment: prediction beside measurement.
///
/// In units of the (mean) diameter d and mass m of the grains and of the time step h.
#[derive(Subcommand)]
pub(crate) enum Lab {
    Order(order::OrderArguments),
    Chain(chain::ChainArguments),
    Dispersion(dispersion::DispersionArguments),
    Soft(soft::SoftArguments),
    Packing(packing::LabPacking),
    Piston(piston::PistonArguments),
    Moduli(moduli::ModuliArguments),
    RigidLimit(rigid_limit::RigidLimitArguments),
}

impl Lab {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match self {
            Self::Order(arguments) => arguments.run(),
            Self::Chain(arguments) => arguments.run(),
            Self::Dispersion(arguments) => arguments.run(),
            Self::Soft(arguments) => arguments.run(),
            Self::Packing(arguments) => arguments.run(),
            Self::Piston(arguments) => arguments.run(),
            Self::Moduli(arguments) => arguments.run(),
            Self::RigidLimit(arguments) => arguments.run(),
        }
    }
}

/// Checks settings, runs an experiment with them, shows the result and writes its files.
fn experiment<S: Validate, R: Serialize, E: Into<CliError>>(
    (name, output): (&'static str, &OutputArguments),
    settings: &S,
    run: impl FnOnce(&S, &ProgressBars) -> Result<R, E>,
    table: fn(&R) -> String,
    files: impl FnOnce(&R) -> ResultFiles,
) -> Result<(), CliError> {
    settings.check()?;
    output.prepare()?;
    let result = run(settings, &ProgressBars::new(name)).map_err(Into::into)?;
    output.finish(name, &result, || table(&result), || files(&result))
}

/// The exponents of ω and τ, from several sources.
fn exponents(header: &[&str], sources: &[&Exponents]) -> String {
    let row = |name: &str, of: fn(&Exponents) -> Option<Estimate>| {
        [name.to_owned()].into_iter().chain(sources.iter().map(|source| estimate(of(source), 4))).collect()
    };
    let header = header.iter().map(|heading| (*heading).to_owned()).collect();
    lined_up(&[header, row("ω", |found| found.omega), row("τ", |found| found.tau)])
}

/// Reads an order by its name, with the names and what they mean in `--help`.
pub(crate) fn order_by_name() -> impl TypedValueParser<Value = Order> {
    let values = Order::ALL.map(|order| PossibleValue::new(order.name()).help(meaning(order)));
    let find = |name: String| Order::ALL.into_iter().find(|order| order.name() == name).expect("one of the names");
    PossibleValuesParser::new(values).map(find)
}

fn meaning(order: Order) -> &'static str {
    match order {
        Order::Parallel => "all from the values before the sweep: q = 1/2",
        Order::RandomSweep => "each sweep a fresh random permutation, as in the paper: q = 0.797",
        Order::RandomBlocks => {
            "the same in blocks of contacts, blocks in random order: faster where caches are too small"
        }
        Order::RandomSequential => "independent random choices: q = 1/2",
        Order::Forward => "by number, always the same way: q = 1",
        Order::Symmetric => "sweeps alternate in direction: q = 1",
        Order::Coloured => "colour by colour, several contacts at once, the fastest: q = 1 in the long run",
        _ => "",
    }
}
