//! `lab order`.

use super::order_by_name;
use crate::failure::CliError;
use crate::output::OutputArguments;
use crate::progress::ProgressBars;
use crate::table::{counted, fixed, lined_up, number, percent, with_error};
use clap::Args;
use hardgrain::Order;
use hardgrain_lab::order::{OrderResult, OrderSettings, run};

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
        hardgrain_lab::Validate::check(&settings)?;
        self.output.prepare()?;
        let result = run(&settings, &ProgressBars::new("order"))?;
        let files = || vec![("csv", result.csv()), ("svg", hardgrain_figures::order::figure(&result).svg())];
        self.output.finish("order", &result, || table(&result), files)
    }
}

fn table(result: &OrderResult) -> String {
    let OrderResult { settings, predicted, measured, .. } = result;
    let row = |name: &str, predicted: f64, q: f64, error: f64| {
        vec![
            name.to_string(),
            fixed(Some(predicted), 5),
            with_error(Some(q), Some(error).filter(|error| error.is_finite()), 5),
            percent(Some(q), Some(predicted)),
        ]
    };
    let head = format!(
        "Order {}, {} contacts, {}\n\n",
        settings.order.name(),
        settings.contacts,
        counted(settings.samples, "sample")
    );
    let rows = [
        ["q", "predicted", "measured", "off"].map(String::from).to_vec(),
        row("first sweep", predicted.q, measured.q, measured.q_stderr),
        row("long run", predicted.q_long_run, measured.q_long_run, measured.q_long_run_stderr),
    ];
    let header = ["share of a change r contacts away", "predicted", "measured", ""].map(String::from).to_vec();
    let weights = result.weights.iter().map(|weight| {
        let error = if weight.stderr.is_finite() {
            format!("± {}", number(Some(if weight.stderr < 1e-12 { 0.0 } else { weight.stderr })))
        } else {
            String::new()
        };
        let measured = number(Some(weight.measured).map(|w| if w.abs() < 1e-12 { 0.0 } else { w }));
        vec![format!("r = {}", weight.distance), number(Some(weight.predicted)), measured, error]
    });
    let weights: Vec<_> = [header].into_iter().chain(weights).collect();
    head + &lined_up(&rows) + "\n" + &lined_up(&weights)
}
