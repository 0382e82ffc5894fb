//! What the order of a sweep does: the paper's appendix, the damping of the parallel order, sweeps that stop by
//! themselves.

use crate::scenes::{boxed, cloud, column, run, sweeping};
use hardgrain::{
    Body, Contact, ContactDynamics, Dimension, GaussSeidel, Grain, Impulse, Line, Order, Packing, Plane, Problem, Row,
    Seed, Solver, Space, Status, Stop, Surface, Vector, sweep,
};

const CONTACTS: u32 = 20_000;

/// A long chain at rest whose reactions are a constant and a smooth wave of 200 contacts: all of the wave is error.
fn disturbed() -> Problem<Line> {
    let body = Body { inverse_mass: 1.0, ..Body::default() };
    let contact = Contact { normal: Vector([1.0]), normal_mass: 0.5, ..Contact::default() };
    let row = |first: u32| {
        let wave = (f64::from(first) * std::f64::consts::TAU / 200.0).sin();
        let impulse = Impulse { normal: 10.0 + wave, tangent: Vector([]) };
        Row { first, second: first + 1, contact, impulse }
    };
    let mut problem = Problem {
        bodies: vec![body; CONTACTS as usize + 1],
        rows: (0..CONTACTS).map(row).collect(),
        ..Problem::default()
    };
    // The constant part is what an outer load balances.
    problem.bodies[0].velocity = Vector([10.0]);
    problem.bodies[CONTACTS as usize].velocity = Vector([-10.0]);
    problem
}

/// ⟨ΔR⟩/δR of one sweep: the change of the forces over the change that the parallel update would make.
fn gain(order: Order, sweeps: u64) -> f64 {
    let start = disturbed();
    let mut together = start.clone();
    GaussSeidel::new(Order::Parallel, Stop::Sweeps(1)).solve(&mut together, Seed(1), 0);
    let mut solver = GaussSeidel::new(order, Stop::Sweeps(1));
    let (mut product, mut square) = (0.0, 0.0);
    for step in 0..sweeps {
        let mut problem = start.clone();
        solver.solve(&mut problem, Seed(1), step);
        // Away from the ends, which are not smooth.
        for index in 100..CONTACTS as usize - 100 {
            let before = start.rows[index].impulse.normal;
            let delta = together.rows[index].impulse.normal - before;
            product += delta * (problem.rows[index].impulse.normal - before);
            square += delta * delta;
        }
    }
    product / square
}

#[test]
fn a_random_sweep_changes_a_smooth_error_as_the_appendix_says() {
    let expected = 4.0 * 1.0_f64.exp().sqrt() - 5.0;
    for order in [Order::RandomSweep, Order::RandomBlocks] {
        let measured = gain(order, 40);
        assert!((measured / expected - 1.0).abs() < 0.005, "{order:?}: {measured}, expected {expected}");
    }
}

#[test]
fn the_other_orders_have_their_own_gain() {
    // Twice q in the first sweep: parallel ½, random-sequential ½, forward 1, two colours ¾.
    for (order, expected) in [
        (Order::Parallel, 1.0),
        (Order::RandomSequential, 1.0),
        (Order::Forward, 2.0),
        (Order::Symmetric, 2.0),
        (Order::Coloured, 1.5),
    ] {
        let measured = gain(order, if order == Order::RandomSequential { 40 } else { 1 });
        assert!((measured / expected - 1.0).abs() < 0.02, "{order:?}: {measured}, expected {expected}");
    }
}

#[test]
fn parallel_is_undamped_on_the_line() {
    let report = run(&mut sweeping(0.01, Order::Parallel, 10), &mut column::<Line>(30), 3);
    assert_eq!(report.damping, 1.0);
}

#[test]
fn parallel_is_damped_no_more_than_needed() {
    // A disc in a cradle of three fixed ones, pressed into it: it touches z = 3, so λ = 3 and the factor is ⅔.
    let mut packing = Packing::<Plane>::new();
    packing.gravity = [0.0, -1.0].into();
    packing.materials.set_default(Surface::rough(0.5)).unwrap();
    packing.add(Grain::new([0.0, 0.0], 0.5)).unwrap();
    for place in [[-0.8, -0.6], [0.0, -1.0], [0.8, -0.6]] {
        packing.add(Grain::new(place, 0.5).fixed()).unwrap();
    }
    // Far away something flies fast: it must not matter.
    packing.add(Grain::new([500.0, 0.0], 0.5).velocity([100.0, 0.0])).unwrap();
    let report = run(&mut sweeping(0.01, Order::Parallel, 50), &mut packing, 3);
    assert_eq!((report.damping, report.contacts), (2.0 / 3.0, 3), "{report:?}");
}

#[test]
fn symmetric_sweeps_go_forward_and_back() {
    let mut by_order = disturbed();
    let mut by_hand = by_order.clone();
    GaussSeidel::new(Order::Symmetric, Stop::Sweeps(2)).solve(&mut by_order, Seed(1), 0);
    let mut bodies = Vec::new();
    by_hand.velocities(&mut bodies);
    sweep(by_hand.rows.iter_mut(), &mut bodies);
    sweep(by_hand.rows.iter_mut().rev(), &mut bodies);
    assert_eq!(by_order, by_hand);
}

fn parallel_is_stable<D: Dimension>(side: usize) {
    let mut packing = boxed::<D>(side, 1, Surface::rough(0.5));
    packing.walls[1].velocity = D::Vector::default();
    let mut engine = sweeping(0.1, Order::Parallel, 300);
    let mut report = run(&mut engine, &mut packing, 1);
    let mut smallest = report.damping;
    for _ in 0..300 {
        report = run(&mut engine, &mut packing, 1);
        smallest = smallest.min(report.damping);
    }
    assert!(smallest < 1.0, "a packing needs damping");
    assert!(report.damping > 0.1, "damped more than needed: {report:?}");
    assert!(report.residual < 1e-2 && report.kinetic_energy.is_finite(), "{report:?}");
}

#[test]
fn parallel_is_damped_and_stable_in_the_plane_and_in_space() {
    parallel_is_stable::<Plane>(6);
    parallel_is_stable::<Space>(4);
}

#[test]
fn sweeps_stop_at_the_tolerance_or_at_the_cap() {
    let solve = |tolerance: f64, max_sweeps: u32| {
        let stop = Stop::Tolerance { tolerance, max_sweeps };
        let mut engine = ContactDynamics::new(0.01, GaussSeidel::new(Order::RandomSweep, stop));
        run(&mut engine, &mut column::<Plane>(20), 1)
    };
    let reached = solve(1e-6, 100_000);
    assert_eq!(reached.status, Status::Converged);
    assert!(reached.residual <= 1e-6 && reached.sweeps > 50 && reached.sweeps < 10_000, "{reached:?}");
    // A slow solver has a small residual long before it is right: the report says so.
    assert!(reached.force_error > 100.0 * reached.residual, "{reached:?}");
    let missed = solve(1e-6, 10);
    assert_eq!((missed.status, missed.sweeps), (Status::NotConverged, 10));
    let fixed = run(&mut sweeping(0.01, Order::RandomSweep, 10), &mut column::<Plane>(20), 1);
    assert_eq!((fixed.status, fixed.sweeps, fixed.converged()), (Status::FixedSweeps, 10, None));
}

#[test]
fn velocities_after_a_solve_are_those_of_its_impulses() {
    let mut packing = cloud::<Plane>(6, 5, Surface::rough(0.4));
    let mut engine = sweeping(0.1, Order::Forward, 5);
    run(&mut engine, &mut packing, 12);
    assert!(engine.problem().rows.len() > 20);
    let to = Stop::Tolerance { tolerance: 1e-6, max_sweeps: 500 };
    for (order, stop) in Order::ALL.into_iter().flat_map(|order| [(order, Stop::Sweeps(7)), (order, to)]) {
        let mut problem = engine.problem().clone();
        let mut solver = GaussSeidel::new(order, stop);
        let (mut told, mut added_up) = (Vec::new(), Vec::new());
        solver.solve(&mut problem, Seed(1), 0);
        solver.velocities(&problem, &mut told);
        problem.velocities(&mut added_up);
        assert!(told == added_up, "{} {stop:?}", order.name());
    }
}
