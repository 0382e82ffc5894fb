//! The exact solver on a line, compared with the conditions of a solution and with converged sweeps.

use crate::scenes::{boxed, chain, converging, run};
use hardgrain::{
    Body, Contact, ContactDynamics, Grain, Impulse, Line, Order, Packing, Piston, Pooling, Problem, Row, Seed, Solver,
    Status, Surface, Vector, Wall,
};
use proptest::prelude::*;

#[test]
fn agrees_with_converged_sweeps() {
    let scene = || {
        let mut packing = boxed::<Line>(15, 4, Surface::rough(0.0).bouncing(0.4));
        packing.add_piston(Piston::new([-12.0], [1.0], 3.0).force(0.2)).unwrap();
        packing.walls.remove(0);
        packing.grains[7] = packing.grains[7].clone().fixed();
        packing
    };
    let (mut exact, mut swept) = (scene(), scene());
    let mut contacts = 0;
    for _ in 0..80 {
        let report = run(&mut ContactDynamics::new(0.1, Pooling), &mut exact, 1);
        assert_eq!(report.converged(), Some(true), "{report:?}");
        contacts += report.contacts;
        run(&mut converging(0.1, Order::Symmetric, 1e-14), &mut swept, 1);
        for (a, b) in exact.grains.iter().zip(&swept.grains) {
            assert!((a.velocity.0[0] - b.velocity.0[0]).abs() < 1e-9, "{} {}", a.velocity.0[0], b.velocity.0[0]);
        }
    }
    assert!(contacts > 200, "hardly anything touches: {contacts}");
}

#[test]
fn a_hundred_thousand_grains_keep_all_digits() {
    let count = 100_000;
    let mut packing = chain(count, 0.0, 0.05);
    let report = run(&mut ContactDynamics::new(1.0, Pooling), &mut packing, 1);
    assert_eq!(report.converged(), Some(true), "{report:?}");
    assert_eq!(report.contacts, count as usize);
    for known in &packing.memory {
        assert!((known.reaction.normal / 0.05 - 1.0).abs() < 1e-10, "{known:?}");
    }
}

#[test]
fn between_two_walls_the_answer_nearest_to_the_guess_is_taken() {
    let mut packing = chain(10, 0.0, 0.0);
    packing.add_wall(Wall::new([10.0], [-1.0])).unwrap();
    packing.grains[4].force = [0.3].into();
    let mut engine = ContactDynamics::new(1.0, Pooling);
    run(&mut engine, &mut packing, 1);
    // From zero: the grains on the right carry the force, those on the left nothing.
    let loads: Vec<f64> = packing.memory.iter().map(|known| known.reaction.normal).collect();
    assert_eq!(loads.len(), 6, "{loads:?}");
    assert!(loads.iter().all(|load| (load - 0.3).abs() < 1e-12), "{loads:?}");
    // An existing prestress remains.
    packing.grains[4].force = [0.0].into();
    let mut problem = engine.problem().clone();
    problem.bodies.iter_mut().for_each(|body| body.velocity = Vector([0.0]));
    problem.rows.iter_mut().for_each(|row| row.impulse.normal = 2.0);
    assert_eq!(Pooling.solve(&mut problem, Seed(0), 0).status, Status::Converged);
    assert!(problem.rows.iter().all(|row| (row.impulse.normal - 2.0).abs() < 1e-12), "{problem:?}");
}

#[test]
fn walls_that_crush_a_grain_are_reported_not_hidden() {
    let mut packing = Packing::<Line>::new();
    packing.add_wall(Wall::new([0.0], [1.0]).velocity([0.1])).unwrap();
    packing.add_wall(Wall::new([1.0], [-1.0])).unwrap();
    packing.add(Grain::new([0.5], 0.5)).unwrap();
    let report = run(&mut ContactDynamics::new(1.0, Pooling), &mut packing, 1);
    assert_eq!(report.converged(), Some(false), "{report:?}");
}

#[test]
fn a_closed_ring_is_left_to_sweeps() {
    let mut packing = Packing::<Line>::new();
    packing.cell = hardgrain::Cell::open().periodic(0, 0.0, 3.0).unwrap();
    for (index, speed) in [(0, 1.0), (1, 0.0), (2, -1.0)] {
        packing.add(Grain::new([f64::from(index)], 0.5).velocity([speed])).unwrap();
    }
    let report = run(&mut ContactDynamics::new(0.01, Pooling), &mut packing, 1);
    assert_eq!(report.converged(), Some(true), "{report:?}");
    assert!(packing.grains.iter().all(|grain| grain.velocity.0[0].abs() < 1e-9), "{packing:?}");
}

#[test]
fn a_piston_stops_at_the_nearest_of_two_fixed_grains() {
    for places in [[0.0, -1.0], [-1.0, 0.0]] {
        let mut packing = Packing::<Line>::new();
        for place in places {
            packing.add(Grain::new([place], 0.5).fixed()).unwrap();
        }
        packing.add_piston(Piston::new([1.0], [-1.0], 1.0).speed(1.0)).unwrap();
        let report = run(&mut ContactDynamics::new(1.0, Pooling), &mut packing, 5);
        assert_eq!(report.converged(), Some(true), "{report:?}");
        assert!((packing.pistons[0].point.0[0] - 0.5).abs() < 1e-12, "{packing:?}");
    }
}

#[test]
fn many_unequal_masses_stay_exact() {
    let mut packing = Packing::<Line>::new();
    packing.gravity = [-1.0].into();
    packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
    for index in 0..10_000_u32 {
        let speed = f64::from(index * 7919 % 101) * 0.01;
        let mass = if index % 2 == 0 { 1.0 } else { 10.0 };
        packing.add(Grain::new([0.5 + f64::from(index)], 0.5).mass(mass).velocity([speed])).unwrap();
    }
    let report = run(&mut ContactDynamics::new(0.1, Pooling), &mut packing, 2);
    assert_eq!((report.converged(), report.sweeps), (Some(true), 1), "{report:?}");
    assert!(report.overlap_max < 1e-10, "{report:?}");
}

#[test]
fn the_nearest_of_several_moving_walls_binds() {
    // From the right, where the wall that arrives first starts behind the other; and mirrored.
    for side in [1.0, -1.0] {
        let mut packing = Packing::<Line>::new();
        packing.add(Grain::new([0.0], 0.5).mass(1.0)).unwrap();
        packing.add_wall(Wall::new([0.6 * side], [-side]).velocity([-0.2 * side])).unwrap();
        packing.add_wall(Wall::new([0.8 * side], [-side]).velocity([-0.5 * side])).unwrap();
        let mut engine = ContactDynamics::new(1.0, Pooling);
        // In the first step both walls are near. Pooling must choose the right one, or it would fall back on sweeps.
        let report = run(&mut engine, &mut packing, 1);
        assert_eq!((report.pairs, report.converged(), report.sweeps), (2, Some(true), 1), "{report:?}");
        run(&mut engine, &mut packing, 1);
        assert!((packing.grains[0].position.0[0] + 0.7 * side).abs() < 1e-12, "{:?}", packing.grains[0]);
    }
}

#[test]
fn a_prestress_that_is_too_small_is_raised_no_more_than_needed() {
    let mut packing = chain(5, 0.0, 0.0);
    packing.add_wall(Wall::new([5.0], [-1.0])).unwrap();
    packing.grains[2].force = [0.3].into();
    let mut engine = ContactDynamics::new(1.0, Pooling);
    run(&mut engine, &mut packing, 1);
    let mut problem = engine.problem().clone();
    problem.rows.iter_mut().for_each(|row| row.impulse.normal = 0.2);
    Pooling.solve(&mut problem, Seed(0), 0);
    // Three contacts on the left, three on the right carry 0.3 more; the mean stays 0.2.
    let loads: Vec<f64> = problem.rows.iter().map(|row| row.impulse.normal).collect();
    let mean = loads.iter().sum::<f64>() / 6.0;
    assert!((mean - 0.2).abs() < 1e-12, "{loads:?}");
    assert_eq!(loads.iter().filter(|load| (**load - 0.05).abs() < 1e-12).count(), 3, "{loads:?}");
}

/// A chain with any masses, closing speeds and velocities, with or without a wall on the left.
fn any_chain() -> impl Strategy<Value = Problem<Line>> {
    let grain = (0.01_f64..100.0, -1.0_f64..1.0, -0.2_f64..0.5);
    (prop::collection::vec(grain, 1..40), any::<bool>()).prop_map(|(grains, wall)| {
        let mut bodies = vec![Body::default()];
        let mut rows = Vec::new();
        for (number, (mass, velocity, target)) in (1..).zip(grains) {
            let inverse_mass = 1.0 / mass;
            bodies.push(Body { velocity: Vector([velocity]), inverse_mass, ..Body::default() });
            let w_n = inverse_mass + bodies[number as usize - 1].inverse_mass;
            if number > 1 || wall {
                let contact = Contact { normal: Vector([1.0]), normal_mass: 1.0 / w_n, target, ..Contact::default() };
                rows.push(Row { first: number - 1, second: number, contact, impulse: Impulse::default() });
            }
        }
        Problem { bodies, rows, ..Problem::default() }
    })
}

proptest! {
    /// Signorini at every contact: no closing faster than allowed, no pulling, and no push where the gap stays open.
    #[test]
    fn every_contact_obeys_signorini(mut problem in any_chain()) {
        Pooling.solve(&mut problem, Seed(0), 0);
        let mut velocities = Vec::new();
        problem.velocities(&mut velocities);
        for row in &problem.rows {
            let (u_n, _) = row.contact.relative_velocity(&velocities[row.first as usize], &velocities[row.second as usize]);
            let slack = u_n + row.contact.target;
            prop_assert!(row.impulse.normal >= 0.0);
            prop_assert!(slack > -1e-10, "closes too fast: {}", slack);
            prop_assert!(row.impulse.normal * slack.abs() < 1e-8, "pushes an open gap: {:?}", row);
        }
    }
}
