//! Inelastic contacts only dissipate energy: in converged steps, and in cold-started frictionless sweeps however few they are.
//! With warm start and few sweeps they return energy, which is the artefact that the paper is about.

use crate::scenes::{all_setups, chain, cloud, converging, run, sweeping};
use hardgrain::{ContactDynamics, Dimension, Grain, Line, Order, Packing, Plane, Pooling, Space, Surface, Wall};

fn never_grows_when_converged<D: Dimension>(side: usize) {
    for order in all_setups().filter(|setup| setup.order != Order::RandomSequential) {
        let mut packing = cloud::<D>(side, 5, Surface::rough(0.3));
        let mut engine = converging(0.1, order, 1e-11);
        let mut energy = packing.kinetic_energy();
        let mut contacts = 0;
        for step in 0..60 {
            let report = run(&mut engine, &mut packing, 1);
            contacts += report.contacts;
            assert_eq!(report.converged(), Some(true), "{report:?}");
            assert!(report.kinetic_energy <= energy * (1.0 + 1e-9), "{order:?} step {step}: {energy} {report:?}");
            assert!(report.contact_work <= 1e-9 * energy);
            energy = report.kinetic_energy;
        }
        assert!(contacts > 20, "hardly anything touches: {contacts}");
    }
}

#[test]
fn converged_steps_never_gain_energy() {
    never_grows_when_converged::<Line>(10);
    never_grows_when_converged::<Plane>(5);
    never_grows_when_converged::<Space>(3);
}

fn never_grows_from_cold_start<D: Dimension>(side: usize) {
    for order in all_setups().filter(|setup| setup.order != Order::Parallel) {
        for sweeps in [1, 2, 5, 30] {
            let mut packing = cloud::<D>(side, 6, Surface::default());
            let mut engine = sweeping(0.1, order, sweeps).cold_start();
            let mut energy = packing.kinetic_energy();
            let mut contacts = 0;
            for _ in 0..60 {
                let report = run(&mut engine, &mut packing, 1);
                contacts += report.contacts;
                assert!(report.kinetic_energy <= energy * (1.0 + 1e-14), "{order:?} {sweeps}: {energy} {report:?}");
                energy = report.kinetic_energy;
            }
            assert!(contacts > 20, "hardly anything touches: {contacts}");
        }
    }
}

#[test]
fn cold_started_frictionless_sweeps_never_gain_energy() {
    never_grows_from_cold_start::<Line>(10);
    never_grows_from_cold_start::<Plane>(5);
    never_grows_from_cold_start::<Space>(3);
}

#[test]
fn warm_started_few_sweeps_give_energy_back() {
    for setup in all_setups() {
        // Fifty grains fly freely against the wall. They are inelastic, so they should all stop.
        let mut packing = chain(50, 1.0, 0.0);
        packing.grains.iter_mut().for_each(|grain| grain.velocity = [-0.05].into());
        let thrown = packing.kinetic_energy();
        let mut engine = sweeping(1.0, setup, 40);
        let energies: Vec<f64> = (0..200).map(|_| run(&mut engine, &mut packing, 1).kinetic_energy).collect();
        let least = energies.iter().copied().fold(f64::INFINITY, f64::min);
        let turning = energies.iter().position(|&energy| energy == least).unwrap();
        let most = energies[turning..].iter().copied().fold(0.0, f64::max);
        assert!(least < 0.3 * thrown, "{setup:?}: the chain is not stopped: {least} of {thrown}");
        assert!((0.3..0.6).contains(&(most / thrown)), "{setup:?}: {most} of {thrown} came back");
    }
}

#[test]
fn the_full_gap_law_gains_energy_and_the_quasi_inelastic_one_does_not() {
    let overlapping = || {
        let mut packing = chain(2, 5.0, 0.0);
        packing.grains[1].position = [6.4].into();
        packing
    };
    for setup in all_setups() {
        let (mut kept, mut pushed) = (overlapping(), overlapping());
        run(&mut sweeping(1.0, setup, 10), &mut kept, 5);
        let mut full = sweeping(1.0, setup, 10).shock(hardgrain::Shock::FullGap);
        run(&mut full, &mut pushed, 5);
        assert_eq!(kept.kinetic_energy(), 0.0, "{setup:?}");
        // An overlap of 0.1 pushed out within a step: each grain leaves with 0.05.
        assert!((pushed.kinetic_energy() - 0.0025).abs() < 1e-12, "{setup:?}: {}", pushed.kinetic_energy());
    }
}

#[test]
fn bounces_give_back_no_more_than_was_taken() {
    for restitution in [1.0, 0.9, 0.7] {
        // A grain bounces off the wall and is hit by the next one in the same step.
        let mut packing = Packing::<Line>::new();
        packing.materials.set_default(Surface::rough(0.0).bouncing(restitution)).unwrap();
        packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
        packing.add(Grain::new([0.500_025], 0.5).mass(1.0).velocity([-1.0])).unwrap();
        packing.add(Grain::new([1.506_325], 0.5).mass(1.0).velocity([-0.37])).unwrap();
        let thrown = packing.kinetic_energy();
        let mut engine = ContactDynamics::new(0.01, Pooling);
        let mut most = 0;
        for _ in 0..6 {
            let report = run(&mut engine, &mut packing, 1);
            let energy = report.kinetic_energy;
            assert!(energy <= thrown * (1.0 + 1e-9), "e = {restitution}: {energy} of {thrown}");
            most = most.max(report.sweeps);
        }
        // Pooling passes over the chain once, and once more each time the bounce is slowed down; the report counts the passes.
        assert!(most > 1, "e = {restitution}: {most} passes");
        assert!(packing.kinetic_energy() > 0.1 * thrown, "they bounce: {}", packing.kinetic_energy());
        // Two grains between walls, for a long time.
        let mut packing = Packing::<Line>::new();
        packing.materials.set_default(Surface::rough(0.0).bouncing(restitution)).unwrap();
        packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
        packing.add_wall(Wall::new([10.0], [-1.0])).unwrap();
        packing.add(Grain::new([2.0], 0.5).mass(1.0).velocity([1.0])).unwrap();
        packing.add(Grain::new([6.0], 0.5).mass(1.0).velocity([-0.37])).unwrap();
        let thrown = packing.kinetic_energy();
        let mut engine = ContactDynamics::new(0.01, Pooling);
        for _ in 0..50_000 {
            let energy = run(&mut engine, &mut packing, 1).kinetic_energy;
            assert!(energy <= thrown * (1.0 + 1e-6), "e = {restitution}: {energy} of {thrown}");
        }
    }
}
