//! q of every order, first sweep and long run, within 1 %; and the appendix term by term.

use hardgrain::Order;
use hardgrain_lab::order::{OrderResult, OrderSettings, run};
use hardgrain_lab::{Error, Unwatched};

/// Chains of the usual length; of several blocks where there are blocks.
fn settings(order: Order) -> OrderSettings {
    let usual = OrderSettings { order, ..OrderSettings::default() };
    if order == Order::RandomBlocks { OrderSettings { contacts: 10_000, ..usual } } else { usual }
}

fn measured(order: Order) -> OrderResult {
    run(&settings(order), &Unwatched).unwrap()
}

#[test]
fn every_order_spreads_forces_as_predicted() {
    let expected = [
        (Order::Parallel, 0.5, 0.5),
        (Order::RandomSweep, 0.797_442_5, 0.797_442_5),
        (Order::RandomBlocks, 0.797_442_5, 0.797_442_5),
        (Order::RandomSequential, 0.5, 0.5),
        (Order::Forward, 1.0, 1.0),
        (Order::Symmetric, 1.0, 1.0),
        (Order::Coloured, 0.75, 1.0),
    ];
    for (order, q, in_the_long_run) in expected {
        let result = measured(order);
        assert!((result.predicted.q / q - 1.0).abs() < 1e-6);
        assert!((result.measured.q.value / q - 1.0).abs() < 0.01, "{order:?}: {:?}", result.measured);
        let (long, error) = (result.measured.q_long_run.value, result.measured.q_long_run.error);
        assert!((long - in_the_long_run).abs() < 4.0 * error + 2e-4, "{order:?}: {:?}", result.measured);
    }
}

#[test]
fn the_appendix_holds_term_by_term() {
    for order in Order::ALL {
        let result = run(&OrderSettings { samples: 4000, ..settings(order) }, &Unwatched).unwrap();
        assert_eq!(result.weights.len(), 6);
        for weight in &result.weights {
            let off = (weight.measured.value - weight.predicted).abs();
            assert!(off < 4.0 * weight.measured.error + 1e-9, "{order:?}: {weight:?}");
        }
        assert!(result.weights[1].measured.error < 0.01);
    }
}

#[test]
fn short_chains_and_single_samples_do() {
    for contacts in [20, 60] {
        for order in [Order::RandomSweep, Order::Forward] {
            let result =
                run(&OrderSettings { order, contacts, samples: 4000, seed: 1, flaw: None }, &Unwatched).unwrap();
            assert!(
                (result.measured.q.value / result.predicted.q - 1.0).abs() < 0.01,
                "{contacts}: {:?}",
                result.measured
            );
        }
    }
    let one = run(&OrderSettings { samples: 1, ..OrderSettings::default() }, &Unwatched).unwrap();
    assert!(one.measured.q.error.is_nan());
}

#[test]
fn nonsense_is_named() {
    for (settings, expected) in [
        (OrderSettings { contacts: 2, ..OrderSettings::default() }, "contacts"),
        (OrderSettings { samples: 0, ..OrderSettings::default() }, "samples"),
    ] {
        assert!(matches!(run(&settings, &Unwatched), Err(Error::Setting { name, .. }) if name == expected));
    }
}
