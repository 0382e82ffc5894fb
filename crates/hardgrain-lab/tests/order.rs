//! q of every order, first sweep and long run, within 1 %; and the appendix term by term.

use hardgrain::Order;
use hardgrain_lab::order::{OrderResult, OrderSettings, run};
use hardgrain_lab::{Problem, Unwatched};

fn measured(order: Order) -> OrderResult {
    run(&OrderSettings { order, ..OrderSettings::default() }, &Unwatched).unwrap()
}

#[test]
fn every_order_spreads_forces_as_predicted() {
    let expected = [
        (Order::Parallel, 0.5),
        (Order::RandomSweep, 0.797_442_5),
        (Order::RandomSequential, 0.5),
        (Order::Forward, 1.0),
        (Order::Symmetric, 1.0),
    ];
    for (order, q) in expected {
        let result = measured(order);
        assert!((result.predicted.q / q - 1.0).abs() < 1e-6);
        assert!((result.measured.q / q - 1.0).abs() < 0.01, "{order:?}: {:?}", result.measured);
        assert!((result.measured.q_long_run / q - 1.0).abs() < 0.01, "{order:?}: {:?}", result.measured);
    }
}

#[test]
fn the_appendix_holds_term_by_term() {
    let settings = OrderSettings { samples: 4000, ..OrderSettings::default() };
    let result = run(&settings, &Unwatched).unwrap();
    assert_eq!(result.weights.len(), 6);
    for weight in &result.weights {
        let predicted = weight.predicted.unwrap();
        let off = (weight.measured - predicted).abs();
        assert!(off < 4.0 * weight.stderr + 1e-9, "{weight:?}");
    }
    assert!(result.weights[2].stderr < 0.01 * result.weights[2].predicted.unwrap());
}

#[test]
fn short_chains_and_single_samples_do() {
    for contacts in [8, 20, 50, 100] {
        let result = run(&OrderSettings { contacts, samples: 2000, ..OrderSettings::default() }, &Unwatched).unwrap();
        assert!((result.measured.q / result.predicted.q - 1.0).abs() < 0.02, "{contacts}: {:?}", result.measured);
    }
    let one = run(&OrderSettings { samples: 1, ..OrderSettings::default() }, &Unwatched).unwrap();
    assert!(one.measured.q_stderr.is_nan());
}

#[test]
fn nonsense_is_named() {
    for (settings, expected) in [
        (OrderSettings { contacts: 2, ..OrderSettings::default() }, "contacts"),
        (OrderSettings { samples: 0, ..OrderSettings::default() }, "samples"),
    ] {
        assert!(matches!(run(&settings, &Unwatched), Err(Problem::Setting { name, .. }) if name == expected));
    }
}
