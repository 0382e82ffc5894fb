//! The chain of the paper: solved exactly it stops at once, with forty sweeps it rebounds, without warm start it creeps.

use crate::scenes::{all_setups, chain, run, sweeping};
use hardgrain::{ContactDynamics, Line, Order, Packing, Pooling};

#[test]
fn exactly_solved_it_stops_dead() {
    let mut packing = chain(50, 1.0, 0.05);
    let mut engine = ContactDynamics::new(1.0, Pooling);
    while packing.grains[0].position.0[0] > 0.5 + 1e-12 {
        let report = run(&mut engine, &mut packing, 1);
        assert!(packing.step < 60, "it never arrives");
        assert_eq!(report.converged(), Some(true), "{report:?}");
    }
    // The step that closed the gap to the wall left no gap anywhere and no overlap.
    for (index, grain) in packing.grains.iter().enumerate() {
        assert!((grain.position.0[0] - 0.5 - index as f64).abs() < 1e-12, "grain {index} at {}", grain.position.0[0]);
    }
    for _ in 0..100 {
        let report = run(&mut engine, &mut packing, 1);
        assert!(packing.grains.iter().all(|grain| grain.velocity.0[0].abs() < 1e-12), "it moves");
        assert!(report.overlap_max < 1e-12, "{report:?}");
        assert_eq!(report.contacts, 50);
    }
    let load = packing.load_on(hardgrain::Part::Wall(0));
    assert!((load / 0.05 - 1.0).abs() < 1e-12, "the wall carries {load}");
}

#[test]
fn with_forty_sweeps_it_rebounds() {
    for setup in all_setups() {
        let mut packing = chain(50, 1.0, 0.05);
        let mut engine = sweeping(1.0, setup, 40);
        let mut backwards = f64::NEG_INFINITY;
        let mut overlap: f64 = 0.0;
        for _ in 0..200 {
            overlap = overlap.max(run(&mut engine, &mut packing, 1).overlap_max);
            let mean: f64 = packing.grains.iter().map(|grain| grain.velocity.0[0]).sum::<f64>() / 50.0;
            backwards = backwards.max(mean);
        }
        // It arrives with about −0.045.
        assert!(backwards > 0.015, "the whole chain flies back with {backwards}");
        assert!(overlap > 1e-2, "rigid grains overlap by {overlap}");
    }
}

#[test]
fn without_warm_start_it_creeps() {
    // The closing speed of ten contacts in the middle of the chain, away from both ends.
    let closing = |cold: bool, wait: usize| {
        let mut packing = chain(50, 1.0, 0.05);
        let engine = sweeping(1.0, Order::RandomSweep, 40);
        let mut engine = if cold { engine.cold_start() } else { engine };
        let length = |packing: &Packing<Line>| packing.grains[30].position.0[0] - packing.grains[20].position.0[0];
        run(&mut engine, &mut packing, wait);
        let before = length(&packing);
        run(&mut engine, &mut packing, 50);
        (before - length(&packing)) / 50.0
    };
    let warm = closing(false, 1500);
    assert!(warm.abs() < 1e-9, "warm started it rests: {warm}");
    // Each step starts from zero reactions, so N_I sweeps of gain q must rebuild the force F from the closing speed of each
    // contact: F = γ Δv with γ = q m N_I/h.
    let expected = 10.0 * 0.05 / (0.797 * 40.0);
    let cold = closing(true, 300);
    assert!((cold / expected - 1.0).abs() < 0.02, "cold started it shrinks by {cold} a step, expected {expected}");
}
