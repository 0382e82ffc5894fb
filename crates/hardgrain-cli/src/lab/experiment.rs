//! What the commands of `lab` have in common: how an experiment is run and shown, exponents, and orders by name.

use crate::failure::CliError;
use crate::output::{OutputArguments, ResultFiles};
use crate::progress::ProgressBars;
use crate::table::{estimate, lined_up};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use hardgrain::Order;
use hardgrain_analysis::Estimate;
use hardgrain_lab::Validate;
use serde::Serialize;

/// Checks settings, runs an experiment with them, shows the result and writes its files.
pub(super) fn experiment<S: Validate, R: Serialize>(
    (name, output): (&'static str, &OutputArguments),
    settings: &S,
    run: impl FnOnce(&S, &ProgressBars) -> Result<R, CliError>,
    table: fn(&R) -> String,
    files: impl FnOnce(&R) -> ResultFiles,
) -> Result<(), CliError> {
    settings.check()?;
    output.prepare()?;
    let result = run(settings, &ProgressBars::new(name))?;
    output.finish(name, &result, || table(&result), || files(&result))
}

/// A name, and the exponent that a source has under it.
type NamedExponent<'a, S> = (&'a str, fn(&S) -> Option<Estimate>);

/// Exponents by name, from several sources.
pub(super) fn exponents<S>(
    header: &[&str],
    sources: &[&S],
    exponents: &[NamedExponent<'_, S>],
    digits: usize,
) -> String {
    let header = header.iter().map(|heading| (*heading).to_owned()).collect();
    let rows = exponents.iter().map(|(name, of)| {
        [(*name).to_owned()].into_iter().chain(sources.iter().map(|source| estimate(of(source), digits))).collect()
    });
    lined_up(&[header].into_iter().chain(rows).collect::<Vec<_>>())
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
