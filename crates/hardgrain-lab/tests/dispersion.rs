//! Every standing wave obeys the lattice theory: ω within 1 % and τ within 3 % up to 0.85 k_c.

use hardgrain::Order;
use hardgrain_lab::dispersion::{DispersionResult, DispersionSettings, Mode, run};
use hardgrain_lab::{Error, Unwatched};

fn measured(settings: &DispersionSettings) -> DispersionResult {
    run(settings, &Unwatched).unwrap()
}

fn off(mode: &Mode) -> (f64, f64) {
    let (lattice, measured) = (&mode.lattice, &mode.measured);
    (
        (measured.omega.unwrap().value / lattice.omega.unwrap() - 1.0).abs(),
        (measured.tau.unwrap().value / lattice.tau.unwrap() - 1.0).abs(),
    )
}

#[test]
fn random_sweeps_follow_the_lattice() {
    for sweeps in [10, 20, 40, 100] {
        let result = measured(&DispersionSettings { sweeps, ..DispersionSettings::default() });
        assert_eq!(result.modes.len(), 50);
        let long: Vec<&Mode> = result.modes.iter().filter(|mode| mode.k_over_critical <= 0.85).collect();
        assert!(long.len() >= 3);
        for mode in long {
            let (omega, tau) = off(mode);
            assert!(omega < 0.01 && tau < 0.03, "N_I = {sweeps}: {mode:?}");
            assert!(mode.measured.omega.unwrap().error < 0.01 && mode.label == "oscillates");
        }
        // The paper's ω fails near k_c, its τ holds.
        let check = &result.continuum;
        assert!(check.omega_worst.unwrap() < -0.3, "{check:?}");
        assert!(check.tau_worst.unwrap().abs() < 0.03, "{check:?}");
        assert!((0.15..0.3).contains(&check.omega_holds_up_to_in_theory), "{check:?}");
        // Short waves are gone, and nothing is invented for them.
        let last = result.modes.last().unwrap();
        assert_eq!((last.label, last.measured.omega, last.measured.tau), ("gone within a step", None, None));
        assert_eq!(last.predicted.omega, None);
    }
}

#[test]
fn without_chance_every_mode_is_exact() {
    // Also where a wave passes through zero exactly on a step: ω h = k d for one forward or two parallel sweeps.
    // There k_c lies so near the edge of the zone that waves are gone before it.
    for (order, sweeps, share) in [
        (Order::Parallel, 40, 1.5),
        (Order::Forward, 40, 1.5),
        (Order::Forward, 3, 1.2),
        (Order::Parallel, 2, 0.75),
        (Order::Forward, 1, 0.75),
    ] {
        let result = measured(&DispersionSettings { order, sweeps, ..DispersionSettings::default() });
        for mode in result.modes.iter().filter(|mode| mode.k_over_critical < share) {
            let (omega, tau) = off(mode);
            assert!(omega < 1e-4 && tau < 1e-4, "{order:?} {sweeps}: {mode:?}");
        }
    }
}

#[test]
fn errors_are_those_of_repeated_experiments() {
    // Twenty experiments of ten seeds each: their scatter is what each says of itself.
    let all: Vec<Mode> = (0..20)
        .map(|i| DispersionSettings { modes: Some(3), seeds: 10, seed: 1000 * i, ..DispersionSettings::default() })
        .map(|settings| measured(&settings).modes[2].clone())
        .collect();
    let both: [(Vec<f64>, Vec<f64>); 2] = [
        (
            all.iter().map(|m| m.measured.omega.unwrap().value).collect(),
            all.iter().map(|m| m.measured.omega.unwrap().error).collect(),
        ),
        (
            all.iter().map(|m| m.measured.tau.unwrap().value).collect(),
            all.iter().map(|m| m.measured.tau.unwrap().error).collect(),
        ),
    ];
    for (value, error) in both {
        let mean = value.iter().sum::<f64>() / 20.0;
        let scatter = (value.iter().map(|x| (x - mean).powi(2)).sum::<f64>() / 19.0).sqrt();
        let said = error.iter().sum::<f64>() / 20.0;
        assert!((0.6..1.6).contains(&(said / scatter)), "said {said}, is {scatter}");
    }
}

#[test]
fn one_run_of_a_random_order_has_no_error() {
    let result = measured(&DispersionSettings { modes: Some(2), seeds: 1, ..DispersionSettings::default() });
    assert!(result.modes.iter().all(|mode| mode.measured.omega.is_some_and(|omega| omega.error.is_infinite())));
}

#[test]
fn parallel_sweeps_let_the_shortest_waves_live() {
    let result = measured(&DispersionSettings { order: Order::Parallel, ..DispersionSettings::default() });
    // cos kd is −1 at the edge of the zone, and an even power of it 1 again: the last mode is the mirror of the first.
    let (first, last) = (&result.modes[0], &result.modes[49]);
    assert_eq!(last.label, "oscillates");
    assert!((last.measured.omega.unwrap().value / first.measured.omega.unwrap().value - 1.0).abs() < 1e-4);
    assert!((last.measured.tau.unwrap().value / first.measured.tau.unwrap().value - 1.0).abs() < 1e-4);
}

#[test]
fn beyond_the_critical_wave_modes_are_gone() {
    for sweeps in [2, 10, 40] {
        let result = measured(&DispersionSettings { sweeps, seeds: 5, ..DispersionSettings::default() });
        for mode in result.modes.iter().filter(|mode| mode.k_over_critical > 1.0) {
            assert_eq!(mode.label, "gone within a step", "{mode:?}");
        }
    }
}

#[test]
fn few_modes_are_the_lowest_ones() {
    let few = DispersionSettings { modes: Some(3), seeds: 5, ..DispersionSettings::default() };
    let result = measured(&few);
    assert_eq!(result.modes.iter().map(|mode| mode.mode).collect::<Vec<_>>(), [1, 2, 3]);
    assert_eq!(measured(&few), result);
}

#[test]
fn nonsense_is_named() {
    let wrong = |settings: DispersionSettings| match run(&settings, &Unwatched) {
        Err(Error::Setting { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    let usual = DispersionSettings::default;
    assert_eq!(wrong(DispersionSettings { grains: 0, ..usual() }), "grains");
    assert_eq!(wrong(DispersionSettings { modes: Some(51), ..usual() }), "modes");
    assert_eq!(wrong(DispersionSettings { modes: Some(0), ..usual() }), "modes");
    assert_eq!(wrong(DispersionSettings { order: Order::Parallel, sweeps: 7, ..usual() }), "sweeps");
}
