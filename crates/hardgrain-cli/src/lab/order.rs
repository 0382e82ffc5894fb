//! `lab order`.

use super::experiment::{experiment, order_by_name};
use crate::failure::CliError;
use crate::output::OutputArguments;
use crate::table::{columns, counted, estimate, fixed, number, percent};
use clap::Args;
use hardgrain::Order;
use hardgrain_analysis::Estimate;
use hardgrain_figures::order::figure;
use hardgrain_lab::order::{OrderResult, OrderSettings, SweepWeight, run};

/// How fast a sweep of this order spreads forces: q, from the first sweep and in the long run.
///
/// First sweep: every contact of a chain closes with the same small speed; q is half the mean change of the reactions over what
/// the parallel update would change. Long run: how fast the longest wave of a force error decays once all memory of the first
/// sweep is gone, extrapolated from two chains to one without ends. For the random sweep the terms of the paper's appendix are
/// measured one by one.
///
/// Example: hardgrain lab order --order forward --json
#[derive(Args)]
#[command(allow_negative_numbers = true)]
pub(crate) struct OrderArguments {
    /// The order in which a sweep visits the contacts.
    #[arg(long, value_parser = order_by_name(), default_value = Order::default().name())]
    order: Order,
    /// Contacts of the chain of the first sweeps; the long run has chains of its own.
    #[arg(long, default_value_t = OrderSettings::default().contacts)]
    contacts: u32,
    /// How many first sweeps are averaged over.
    #[arg(long, default_value_t = OrderSettings::default().samples)]
    samples: u32,
    /// The seed of random orders.
    #[arg(long, default_value_t = OrderSettings::default().seed)]
    seed: u64,
    #[command(flatten)]
    output: OutputArguments,
}

impl OrderArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let Self { order, contacts, samples, seed, .. } = *self;
        let settings = OrderSettings { order, contacts, samples, seed, flaw: None };
        let files = |result: &OrderResult| vec![("csv", result.csv()), ("svg", figure(result).svg())];
        experiment(("order", &self.output), &settings, |settings, watch| Ok(run(settings, watch)?), table, files)
    }
}

fn table(result: &OrderResult) -> String {
    let OrderResult { settings, predicted, measured, .. } = result;
    let head = format!(
        "Order {}, {} contacts, {}\n\n",
        settings.order.name(),
        settings.contacts,
        counted(settings.samples, "sample")
    );
    let q = columns(
        &[
            ("q", |row: &(&str, f64, Estimate)| row.0.into()),
            ("predicted", |row| fixed(Some(row.1), 5)),
            ("measured", |row| estimate(Some(known(row.2)), 5)),
            ("off", |row| percent(Some(row.2.value), Some(row.1))),
        ],
        &[("first sweep", predicted.q, measured.q), ("long run", predicted.q_long_run, measured.q_long_run)],
    );
    // What is left of rounding is 0.
    let weights = columns(
        &[
            ("share of a change r contacts away", |weight: &SweepWeight| format!("r = {}", weight.distance)),
            ("predicted", |weight| number(Some(weight.predicted))),
            ("measured", |weight| {
                number(Some(if weight.measured.value.abs() < 1e-12 { 0.0 } else { weight.measured.value }))
            }),
            ("", |weight| match weight.measured.error {
                error if !error.is_finite() => String::new(),
                error => format!("± {}", number(Some(if error < 1e-12 { 0.0 } else { error }))),
            }),
        ],
        &result.weights,
    );
    head + &q + "\n" + &weights
}

/// An error that is no number is not known.
fn known(found: Estimate) -> Estimate {
    let error = if found.error.is_finite() { found.error } else { f64::INFINITY };
    Estimate { error, ..found }
}
