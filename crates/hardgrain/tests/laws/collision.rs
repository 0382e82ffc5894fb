//! Single collisions: the two-step shock, Newton's restitution, and the height of rebound.

use crate::scenes::{Setup, all_setups, run, sweeping};
use hardgrain::{Components, Dimension, Grain, Line, Packing, Plane, Space, Surface, Wall};

fn along<D: Dimension>(value: f64) -> D::Vector<f64> {
    D::Vector::from_fn(|axis| if axis == 0 { value } else { 0.0 })
}

/// The speeds of two grains of masses 1 and `mass` after a head-on collision.
fn head_on<D: Dimension>(setup: Setup, mass: f64, restitution: f64) -> [f64; 2] {
    let mut packing = Packing::<D>::new();
    packing.materials.set_default(Surface::rough(0.5).bouncing(restitution)).unwrap();
    packing.add(Grain::new(along::<D>(-0.53), 0.5).mass(1.0).velocity(along::<D>(1.0))).unwrap();
    packing.add(Grain::new(along::<D>(0.52), 0.5).mass(mass).velocity(along::<D>(-0.5))).unwrap();
    run(&mut sweeping(0.01, setup, 1), &mut packing, 20);
    [0, 1].map(|grain| packing.grains[grain].velocity.as_slice()[0])
}

fn newton<D: Dimension>(setup: Setup) {
    for mass in [1.0, 3.0, 0.01] {
        for restitution in [0.0, 0.3, 0.9, 1.0] {
            let speeds = head_on::<D>(setup, mass, restitution);
            let centre = (1.0 - 0.5 * mass) / (1.0 + mass);
            let leaving = 1.5 * restitution / (1.0 + mass);
            let expected = [centre - mass * leaving, centre + leaving];
            for (speed, expected) in speeds.iter().zip(expected) {
                assert!((speed - expected).abs() < 1e-12, "mass {mass}, e {restitution}: {speeds:?} {expected:?}");
            }
        }
    }
}

#[test]
fn head_on_pair_sticks_bounces_or_exchanges_velocities() {
    for setup in all_setups() {
        newton::<Line>(setup);
        newton::<Plane>(setup);
        newton::<Space>(setup);
        let [a, b] = head_on::<Line>(setup, 1.0, 1.0);
        assert!((a + 0.5).abs() < 1e-12 && (b - 1.0).abs() < 1e-12, "equal masses exchange velocities: {a} {b}");
        let [a, b] = head_on::<Line>(setup, 1.0, 0.0);
        assert!((a - b).abs() < 1e-12, "e = 0 sticks: {a} {b}");
    }
}

#[test]
fn an_inelastic_collision_takes_two_steps() {
    for setup in all_setups() {
        let mut packing = Packing::<Line>::new();
        packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
        packing.add(Grain::new([0.53], 0.5).mass(1.0).velocity([-0.1])).unwrap();
        let mut engine = sweeping(1.0, setup, 1);
        run(&mut engine, &mut packing, 1);
        // First the gap closes …
        assert_eq!(packing.grains[0].position.0[0], 0.5);
        assert!((packing.grains[0].velocity.0[0] + 0.03).abs() < 1e-15);
        run(&mut engine, &mut packing, 1);
        // … then the velocity vanishes.
        assert!(packing.grains[0].velocity.0[0].abs() < 1e-16);
    }
}

/// The height of rebound of a ball that falls from 1 under gravity 1.
fn rise<D: Dimension>(setup: Setup, restitution: f64, step: f64) -> f64 {
    let up = |height: f64| D::Vector::from_fn(|axis| if axis == D::AXES - 1 { height } else { 0.0 });
    let height = |packing: &Packing<D>| packing.grains[0].position.as_slice()[D::AXES - 1] - 0.5;
    let mut packing = Packing::<D>::new();
    packing.gravity = up(-1.0);
    packing.materials.set_default(Surface::rough(0.2).bouncing(restitution)).unwrap();
    packing.add_wall(Wall::new(up(0.0), up(1.0))).unwrap();
    packing.add(Grain::new(up(1.5), 0.5)).unwrap();
    let mut engine = sweeping(step, setup, 1);
    while packing.memory.is_empty() {
        run(&mut engine, &mut packing, 1);
    }
    let mut highest = height(&packing);
    while packing.time < 5.0 {
        run(&mut engine, &mut packing, 1);
        highest = highest.max(height(&packing));
    }
    highest
}

#[test]
fn a_ball_rises_to_e_squared_of_its_height() {
    for setup in all_setups() {
        for restitution in [0.9, 0.5, 0.0] {
            for step in [0.02, 0.01, 0.005] {
                for height in [
                    rise::<Line>(setup, restitution, step),
                    rise::<Plane>(setup, restitution, step),
                    rise::<Space>(setup, restitution, step),
                ] {
                    let error = (height - restitution * restitution).abs();
                    assert!(error < 3.0 * step, "e = {restitution}, h = {step}: rises to {height}");
                }
            }
        }
    }
}

/// The largest relative change of energy in elastic oblique collisions of two discs with many offsets.
fn elastic_error(setup: Setup, step: f64) -> f64 {
    let mut worst: f64 = 0.0;
    for number in 0..60 {
        let offset = 0.015 * f64::from(number);
        let mut packing = Packing::<Plane>::new();
        packing.materials.set_default(Surface::rough(0.0).bouncing(1.0)).unwrap();
        packing.add(Grain::new([-0.6 - 0.001 * f64::from(number), 0.0], 0.5).mass(1.0).velocity([1.0, 0.0])).unwrap();
        packing.add(Grain::new([0.6, offset], 0.5).mass(1.0)).unwrap();
        let mut engine = sweeping(step, setup, 1);
        while packing.time < 1.0 {
            run(&mut engine, &mut packing, 1);
        }
        assert!(packing.grains[1].velocity.length() > 0.0, "they missed each other");
        worst = worst.max((packing.kinetic_energy() / 0.5 - 1.0).abs());
    }
    worst
}

#[test]
fn oblique_elastic_collisions_keep_the_energy_to_second_order() {
    for setup in all_setups() {
        let errors = [0.04, 0.02, 0.01].map(|step| elastic_error(setup, step));
        assert!(errors[0] < 0.02, "{errors:?}");
        assert!(errors[1] < errors[0] / 3.0 && errors[2] < errors[1] / 3.0, "{errors:?}");
    }
}

#[test]
fn slow_contacts_do_not_bounce() {
    for setup in all_setups() {
        let mut packing = Packing::<Line>::new();
        packing.materials.set_default(Surface::rough(0.0).bouncing(1.0)).unwrap();
        packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
        packing.add(Grain::new([0.53], 0.5).mass(1.0).velocity([-0.1])).unwrap();
        let mut engine = sweeping(1.0, setup, 1);
        engine.rest_speed = 0.2;
        run(&mut engine, &mut packing, 10);
        assert!(packing.grains[0].velocity.0[0].abs() < 1e-15);
    }
}

#[test]
fn materials_meet_pair_by_pair() {
    for setup in all_setups() {
        let mut packing = Packing::<Line>::new();
        let rubber = packing.materials.named("rubber").unwrap();
        packing.materials.set_pair(rubber, rubber, Surface::rough(0.0).bouncing(1.0)).unwrap();
        packing.add_wall(Wall::new([0.0], [1.0]).material(rubber)).unwrap();
        packing.add(Grain::new([0.53], 0.5).mass(1.0).velocity([-0.1]).material(rubber)).unwrap();
        let mut clay = packing.clone();
        clay.walls[0].material = hardgrain::Material::default();
        run(&mut sweeping(1.0, setup, 1), &mut packing, 10);
        run(&mut sweeping(1.0, setup, 1), &mut clay, 10);
        assert!((packing.grains[0].velocity.0[0] - 0.1).abs() < 1e-15);
        assert!(clay.grains[0].velocity.0[0].abs() < 1e-15);
    }
}
