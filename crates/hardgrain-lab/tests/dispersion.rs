//! Every standing wave obeys the lattice theory: ω within 1 % and τ within 3 % up to 0.85 k_c.

use hardgrain::Order;
use hardgrain_lab::dispersion::{DispersionResult, DispersionSettings, Mode, run};
use hardgrain_lab::{Problem, Unwatched};

fn measured(settings: &DispersionSettings) -> DispersionResult {
    run(settings, &Unwatched).unwrap()
}

fn off(mode: &Mode) -> (f64, f64) {
    let (lattice, measured) = (&mode.lattice, &mode.measured);
    (
        (measured.omega.unwrap() / lattice.omega.unwrap() - 1.0).abs(),
        (measured.tau.unwrap() / lattice.tau.unwrap() - 1.0).abs(),
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
            assert!(mode.measured.omega_stderr.unwrap() < 0.01 && mode.label == "oscillates");
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
    for (order, share) in [(Order::Parallel, 1.5), (Order::Forward, 1.5)] {
        let result = measured(&DispersionSettings { order, ..DispersionSettings::default() });
        for mode in result.modes.iter().filter(|mode| mode.k_over_critical < share) {
            let (omega, tau) = off(mode);
            assert!(omega < 1e-4 && tau < 1e-4, "{order:?}: {mode:?}");
        }
    }
}

#[test]
fn parallel_sweeps_let_the_shortest_waves_live() {
    let result = measured(&DispersionSettings { order: Order::Parallel, ..DispersionSettings::default() });
    // cos kd is −1 at the edge of the zone, and an even power of it 1 again: the last mode is the mirror of the first.
    let (first, last) = (&result.modes[0], &result.modes[49]);
    assert_eq!(last.label, "oscillates");
    assert!((last.measured.omega.unwrap() / first.measured.omega.unwrap() - 1.0).abs() < 1e-4);
    assert!((last.measured.tau.unwrap() / first.measured.tau.unwrap() - 1.0).abs() < 1e-4);
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
        Err(Problem::Setting { name, .. }) => name,
        other => panic!("{other:?}"),
    };
    let usual = DispersionSettings::default;
    assert_eq!(wrong(DispersionSettings { grains: 0, ..usual() }), "grains");
    assert_eq!(wrong(DispersionSettings { modes: Some(51), ..usual() }), "modes");
    assert_eq!(wrong(DispersionSettings { modes: Some(0), ..usual() }), "modes");
    assert_eq!(wrong(DispersionSettings { order: Order::Parallel, sweeps: 7, ..usual() }), "sweeps");
}
