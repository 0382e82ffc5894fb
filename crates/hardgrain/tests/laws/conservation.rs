//! Contacts between free grains conserve momentum and, in an open cell, angular momentum: for every order and any number of
//! sweeps, since each single contact does.

use crate::scenes::{all_setups, boxed, cloud, moment, run, sweeping};
use hardgrain::{Components, Dimension, Line, Packing, Plane, Space, Surface};

const SURFACE: Surface = Surface::rough(0.4).bouncing(0.5);

fn momentum<D: Dimension>(packing: &Packing<D>) -> (D::Vector<f64>, f64) {
    let (mut sum, mut scale) = (D::Vector::default(), 0.0);
    for grain in &packing.grains {
        sum += grain.velocity * grain.mass;
        scale += grain.mass * grain.velocity.length();
    }
    (sum, scale)
}

fn angular_momentum<D: Dimension>(packing: &Packing<D>) -> (D::Spin<f64>, f64) {
    let (mut sum, mut scale) = (D::Spin::default(), 0.0);
    for grain in &packing.grains {
        let orbital = moment::<D>(grain.position, grain.velocity * grain.mass);
        let spin = grain.spin * grain.inertia();
        sum += orbital + spin;
        scale += orbital.length() + spin.length();
    }
    (sum, scale)
}

fn conserved<D: Dimension>(side: usize) {
    for order in all_setups() {
        for sweeps in [1, 6, 60] {
            let mut packing = cloud::<D>(side, 3, SURFACE);
            let (before, scale) = momentum(&packing);
            let (turning, turning_scale) = angular_momentum(&packing);
            let mut engine = sweeping(0.1, order, sweeps);
            let mut contacts = 0;
            for _ in 0..60 {
                contacts += run(&mut engine, &mut packing, 1).contacts;
                let drift = (momentum(&packing).0 - before).length();
                assert!(drift <= 1e-12 * scale, "{order:?} {sweeps}: momentum drifts by {drift}");
                let drift = (angular_momentum(&packing).0 - turning).length();
                assert!(drift <= 1e-12 * turning_scale, "{order:?} {sweeps}: angular momentum drifts by {drift}");
            }
            assert!(contacts > 30, "the cloud hardly collides: {contacts}");
        }
    }
}

#[test]
fn momentum_and_angular_momentum_on_a_line() {
    conserved::<Line>(12);
}

#[test]
fn momentum_and_angular_momentum_in_the_plane() {
    conserved::<Plane>(5);
}

#[test]
fn momentum_and_angular_momentum_in_space() {
    conserved::<Space>(3);
}

fn conserved_in_a_periodic_cell<D: Dimension>(side: usize) {
    for order in all_setups() {
        let mut packing = cloud::<D>(side, 4, SURFACE);
        let half = 0.52 * side as f64;
        let drift = D::Vector::from_fn(|axis| [0.3, -0.2, 0.1][axis]);
        packing.grains.iter_mut().for_each(|grain| grain.velocity += drift);
        for axis in 0..D::AXES {
            packing.cell = packing.cell.periodic(axis, -half, half).unwrap();
        }
        let (before, scale) = momentum(&packing);
        let mut engine = sweeping(0.1, order, 10);
        for _ in 0..100 {
            run(&mut engine, &mut packing, 1);
            let drift = (momentum(&packing).0 - before).length();
            assert!(drift <= 1e-12 * scale, "{order:?}: {drift}");
        }
        assert!(packing.grains.iter().any(|grain| grain.turns != [0; 3]), "nothing crossed the cell");
    }
}

#[test]
fn momentum_in_a_periodic_cell() {
    conserved_in_a_periodic_cell::<Line>(12);
    conserved_in_a_periodic_cell::<Plane>(6);
    conserved_in_a_periodic_cell::<Space>(4);
}

/// Energy balance: the change of energy is the work of gravity plus the work of the contacts.
#[test]
fn work_of_contacts_and_gravity_is_the_change_of_energy() {
    for setup in all_setups() {
        let mut packing = boxed::<Plane>(5, 1, SURFACE);
        packing.walls.iter_mut().for_each(|wall| wall.velocity = [0.0, 0.0].into());
        let mut engine = sweeping(0.1, setup, 20);
        for _ in 0..50 {
            let before = packing.kinetic_energy();
            let drive: f64 = packing
                .grains
                .iter()
                .map(|grain| {
                    let free = grain.velocity + packing.gravity * 0.1;
                    0.5 * grain.mass * (free.length_squared() - grain.velocity.length_squared())
                })
                .sum();
            let report = run(&mut engine, &mut packing, 1);
            let change = report.kinetic_energy - before;
            assert!(
                (change - drive - report.contact_work).abs() < 1e-12 * before,
                "{setup:?}: {change} {drive} {report:?}"
            );
        }
    }
}
