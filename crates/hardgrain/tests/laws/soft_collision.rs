//! Collisions of two soft grains: the closed forms for springs and dashpots that never pull, and the energy error of the integrators.

use crate::scenes::run;
use hardgrain::soft::{Integrator, SoftGrains, Spring, Springs};
use hardgrain::{Components, Dimension, Engine, Grain, Line, Packing, Plane, Purpose, Seed, Space, Wall};
use hardgrain_theory::Collision;

/// Two grains of masses 1 and 3 that fly at each other along the first axis, `apart` from touching.
fn pair<D: Dimension>(apart: f64) -> Packing<D> {
    let along = |x: f64| D::Vector::from_fn(|axis| if axis == 0 { x } else { 0.0 });
    let mut packing = Packing::<D>::new();
    packing.add(Grain::new(along(-0.5 - 0.5 * apart), 0.5).mass(1.0).velocity(along(0.75))).unwrap();
    packing.add(Grain::new(along(0.5 + 0.5 * apart), 0.5).mass(3.0).velocity(along(-0.25))).unwrap();
    packing
}

fn relative_speed<D: Dimension>(packing: &Packing<D>) -> f64 {
    packing.grains[1].velocity.as_slice()[0] - packing.grains[0].velocity.as_slice()[0]
}

/// Restitution and contact time, measured with 20 000 steps in the expected time.
fn measured<D: Dimension>(spring: Spring, integrator: Integrator, expected: f64) -> (f64, f64) {
    let step = expected / 20_000.0;
    let mut engine = SoftGrains::new(step, Springs::new(spring)).integrator(integrator);
    let mut packing = pair::<D>(3.3 * step);
    let mut touching = 0;
    for _ in 0..22_000 {
        touching += run(&mut engine, &mut packing, 1).contacts;
    }
    assert!(packing.memory.is_empty(), "they have parted");
    (relative_speed(&packing), f64::from(u32::try_from(touching).unwrap()) * step)
}

fn collides_as_calculated<D: Dimension>() {
    // Relative to critical damping, 2 √(κ M) with M = 3/4.
    for ratio in [0.0, 0.1, 0.5, 0.75, 1.0, 1.3, 4.0] {
        let spring = Spring::normal(1000.0, ratio * 2.0 * 750.0_f64.sqrt());
        let theory = Collision::new(spring.stiffness, spring.damping, 4.0 / 3.0);
        for integrator in [Integrator::VelocityVerlet, Integrator::SemiImplicitEuler] {
            let (restitution, time) = measured::<D>(spring, integrator, theory.contact_time());
            assert!(
                (restitution / theory.restitution() - 1.0).abs() < 1e-3,
                "{integrator:?} {ratio}: {restitution} {theory:?}"
            );
            assert!((time / theory.contact_time() - 1.0).abs() < 1e-3, "{integrator:?} {ratio}: {time} {theory:?}");
        }
    }
}

#[test]
fn restitution_and_contact_time_are_those_of_a_dashpot_that_never_pulls() {
    collides_as_calculated::<Line>();
    collides_as_calculated::<Plane>();
    collides_as_calculated::<Space>();
}

#[test]
fn springs_from_restitution_and_contact_time() {
    for (restitution, time) in [(1.0, 0.1), (0.9, 0.01), (0.5, 0.1), (0.1, 0.1)] {
        let found = Collision::with(restitution, time);
        let spring = Spring::normal(found.stiffness_per_mass, found.damping_per_mass);
        let step = time / 5000.0;
        let mut engine = SoftGrains::new(step, Springs::new(spring).per_mass());
        let mut packing = pair::<Line>(3.3 * step);
        let touching = (0..6000).filter(|_| run(&mut engine, &mut packing, 1).contacts > 0).count();
        assert!((relative_speed(&packing) / restitution - 1.0).abs() < 1e-3, "{restitution}");
        assert!((touching as f64 * step / time - 1.0).abs() < 1e-3, "{restitution}");
        // The same at a wall, whatever the mass.
        let mut packing = Packing::<Line>::new();
        packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
        packing.add(Grain::new([0.5 + 3.3 * step], 0.5).mass(7.0).velocity([-1.0])).unwrap();
        run(&mut engine, &mut packing, 6000);
        assert!((packing.grains[0].velocity.0[0] / restitution - 1.0).abs() < 1e-3, "{restitution}");
    }
}

/// A Hertz contact: the largest overlap is (5 M v²/4κ)^{2/5}, as all kinetic energy is then in ⅖ κ ξ^{5/2}.
#[test]
fn hertz_stores_the_energy_it_should() {
    let mut packing = pair::<Space>(1e-4);
    let stiffness = 5e4;
    let mut engine = SoftGrains::new(1e-5, Springs::new(Spring::normal(stiffness, 0.0)).hertz());
    let deepest = (0..20_000).map(|_| run(&mut engine, &mut packing, 1).overlap_max).fold(0.0, f64::max);
    let expected = (5.0 * 0.75 / (4.0 * stiffness)).powf(0.4);
    assert!((deepest / expected - 1.0).abs() < 1e-4, "{deepest} {expected}");
    assert!((relative_speed(&packing) - 1.0).abs() < 1e-4);
}

/// The root mean square of the energy gained in a collision of `steps` steps without damping, over many initial distances.
///
/// The error at first touch depends on its time within a step, and the error at separation cancels it if it happens at the
/// same time within a step: a collision of a whole number of steps would show no error.
fn energy_error(steps: f64) -> f64 {
    let time = Collision::new(1000.0, 0.0, 4.0 / 3.0).contact_time();
    let step = time / steps;
    let mut squares = 0.0;
    let count = 400;
    let mut stream = Seed(4).stream(Purpose::Place, 0, 0);
    for _ in 0..count {
        let mut engine = SoftGrains::new(step, Springs::new(Spring::normal(1000.0, 0.0)));
        let mut packing = pair::<Line>(step * (1.0 + stream.uniform()));
        while packing.time < 1.4 * time {
            run(&mut engine, &mut packing, 1);
        }
        let gain = relative_speed(&packing).powi(2) - 1.0;
        squares += gain * gain;
    }
    (squares / f64::from(count)).sqrt()
}

#[test]
fn the_energy_error_of_a_collision_falls_with_the_square_of_the_step() {
    let (coarse, fine) = (energy_error(40.37), energy_error(160.37));
    let power = (coarse / fine).ln() / (160.37_f64 / 40.37).ln();
    assert!((power - 2.0).abs() < 0.15, "{power}: {coarse} {fine}");
}

#[test]
fn ten_thousand_collisions_have_no_bias() {
    // A grain between two walls at an incommensurate distance.
    let step = 2e-3;
    let mut packing = Packing::<Line>::new();
    packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
    packing.add_wall(Wall::new([1.1 + 0.01 * std::f64::consts::SQRT_2], [-1.0])).unwrap();
    packing.add(Grain::new([0.55], 0.5).mass(1.0).velocity([1.0])).unwrap();
    let mut engine = SoftGrains::new(step, Springs::new(Spring::normal(1000.0, 0.0)));
    let (mut collisions, mut touched, mut before, mut gains) = (0_u32, false, 1.0, Vec::new());
    while collisions < 10_000 {
        let touches = engine.step(&mut packing).unwrap().contacts > 0;
        if touched && !touches {
            let energy = packing.grains[0].velocity.length_squared();
            gains.push(energy - before);
            before = energy;
            collisions += 1;
        }
        touched = touches;
    }
    let rms = (gains.iter().map(|gain| gain * gain).sum::<f64>() / 1e4).sqrt();
    let drift = (before - 1.0).abs();
    // Systematic errors would add up to 10⁴ rms and a random walk to 10² rms; errors that cancel give 0.
    assert!(rms > 1e-8, "there is an error to look at: {rms}");
    assert!(drift < 100.0 * rms, "{drift} after 10 000 collisions of ±{rms}");
}
