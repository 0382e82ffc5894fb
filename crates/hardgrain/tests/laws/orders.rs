//! The orders of sweeps: the gains of the paper's appendix, the damping of Jacobi sweeps, and stopping by tolerance.

use crate::scenes::{all_setups, boxed, cloud, column, run, sweeping};
use hardgrain::{
    Body, Components, Contact, ContactDynamics, Dimension, Engine, GaussSeidel, Grain, Impulse, Line, Order, Packing,
    Plane, Problem, Purpose, Row, Seed, Solver, Space, Status, Stop, Surface, Vector, sweep,
};
use std::f64::consts::TAU;

const CONTACTS: u32 = 20_000;

/// A long chain at rest whose reactions are a constant plus a smooth wave of 200 contacts: the wave is the error.
fn disturbed() -> Problem<Line> {
    let body = Body { inverse_mass: 1.0, ..Body::default() };
    let contact = Contact { normal: Vector([1.0]), normal_mass: 0.5, ..Contact::default() };
    let row = |first: u32| {
        let wave = (f64::from(first) * TAU / 200.0).sin();
        let impulse = Impulse { normal: 10.0 + wave, tangent: Vector([]) };
        Row { first, second: first + 1, contact, impulse }
    };
    let mut problem = Problem {
        bodies: vec![body; CONTACTS as usize + 1],
        rows: (0..CONTACTS).map(row).collect(),
        ..Problem::default()
    };
    // An external load balances the constant part.
    problem.bodies[0].velocity = Vector([10.0]);
    problem.bodies[CONTACTS as usize].velocity = Vector([-10.0]);
    problem
}

/// ⟨ΔR⟩/δR of one sweep: the change of the forces over the change of a Jacobi sweep.
fn gain(order: Order, sweeps: u64) -> f64 {
    let start = disturbed();
    let mut jacobi = start.clone();
    GaussSeidel::new(Order::Parallel, Stop::Sweeps(1)).solve(&mut jacobi, Seed(1), 0);
    let mut solver = GaussSeidel::new(order, Stop::Sweeps(1));
    let (mut product, mut square) = (0.0, 0.0);
    for step in 0..sweeps {
        let mut problem = start.clone();
        solver.solve(&mut problem, Seed(1), step);
        // Away from the ends, which are not smooth.
        for index in 100..CONTACTS as usize - 100 {
            let before = start.rows[index].impulse.normal;
            let delta = jacobi.rows[index].impulse.normal - before;
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

/// A lattice of loaded contacts that do not slip, and a standing wave of this length in the velocities along the last axis: the problem,
/// and the wave at each body.
fn waving<D: Dimension>(width: u32, length: f64) -> (Problem<D>, Vec<f64>) {
    let last = D::AXES - 1;
    let rise = if D::AXES == 2 { 0.75_f64.sqrt() } else { 0.5_f64.sqrt() };
    let mut packing = Packing::<D>::new();
    let mut stream = Seed(1).stream(Purpose::Place, 0, 0);
    for number in 0..(0..D::AXES).fold(1, |count, _| count * width) {
        let cell = |axis: usize| (0..axis).fold(number, |rest, _| rest / width) % width;
        let shift = 0.5 * f64::from(cell(last) % 2);
        let place =
            |axis| 0.94 * if axis == last { rise * f64::from(cell(axis)) } else { f64::from(cell(axis)) + shift };
        packing.add(Grain::new(D::Vector::from_fn(place), 0.45 * (1.0 + 0.1 * stream.uniform()))).unwrap();
    }
    let mut engine = sweeping(0.01, Order::RandomBlocks, 1);
    engine.step(&mut packing).unwrap();
    let mut problem = engine.problem().clone();
    let mut touching = engine.pairs().iter().map(|pair| pair.gap < 0.0);
    problem.rows.retain(|_| touching.next().unwrap());
    for row in &mut problem.rows {
        row.contact = Contact { target: 0.0, friction: 1e3, ..row.contact };
        row.impulse = Impulse { normal: 10.0, ..Impulse::default() };
    }
    problem.bodies.iter_mut().for_each(|body| (body.velocity, body.spin) = Default::default());
    let mut pushed = Vec::new();
    problem.velocities(&mut pushed);
    let wave: Vec<f64> =
        packing.grains.iter().map(|grain| (TAU * grain.position.as_slice()[last] / length).sin()).collect();
    for ((body, pushed), wave) in problem.bodies.iter_mut().zip(pushed).zip(&wave) {
        body.velocity = D::Vector::from_fn(|axis| if axis == last { *wave } else { 0.0 }) - pushed.velocity;
        body.spin = D::Spin::default() - pushed.spin;
    }
    (problem, wave)
}

/// The fraction of the wave that some sweeps remove (∝ q N_I where it is small), averaged over seeds.
fn taken<D: Dimension>((start, wave): &(Problem<D>, Vec<f64>), order: Order, sweeps: u32) -> f64 {
    let along = |problem: &Problem<D>| {
        let mut bodies = Vec::new();
        problem.velocities(&mut bodies);
        let momentum = |body: &Body<D>| body.velocity.as_slice()[D::AXES - 1] / body.inverse_mass;
        bodies.iter().zip(wave).fold(0.0, |sum, (body, wave)| sum + momentum(body) * wave)
    };
    let seeds = if order == Order::Forward { 1 } else { 3_u32 };
    let left = (0..seeds).fold(0.0, |sum, seed| {
        let mut problem = start.clone();
        GaussSeidel::new(order, Stop::Sweeps(sweeps)).solve(&mut problem, Seed(u64::from(seed)), 0);
        sum + along(&problem)
    });
    1.0 - left / along(start) / f64::from(seeds)
}

fn blocks_are_like_one<D: Dimension>(width: u32, length: f64) {
    let start = waving::<D>(width, length);
    assert!(!start.0.curve.is_empty(), "large enough for a curve");
    for sweeps in [1, 20] {
        let [blocks, all] = [Order::RandomBlocks, Order::RandomSweep].map(|order| taken(&start, order, sweeps));
        assert!((0.005..0.5).contains(&all), "{all}");
        assert!((blocks / all - 1.0).abs() < 0.005, "{sweeps} sweeps: {blocks} in blocks, {all} as a whole");
        // Another order removes more.
        let forward = taken(&start, Order::Forward, sweeps);
        assert!(forward / all > 1.1, "{sweeps} sweeps: {forward} forward");
    }
}

#[test]
fn random_blocks_spread_momentum_through_packings_as_random_sweeps_do() {
    blocks_are_like_one::<Plane>(100, 40.0);
    blocks_are_like_one::<Space>(42, 40.0);
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
    // A fast grain far away must not matter.
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
    for setup in all_setups() {
        let solve = |tolerance: f64, max_sweeps: u32| {
            let stop = Stop::Tolerance { tolerance, max_sweeps };
            run(&mut ContactDynamics::new(0.01, setup.solver(stop)), &mut column::<Plane>(20), 1)
        };
        let reached = solve(1e-6, 100_000);
        assert_eq!(reached.status, Status::Converged, "{setup:?}");
        assert!(reached.residual <= 1e-6 && reached.sweeps > 50 && reached.sweeps < 10_000, "{setup:?}: {reached:?}");
        // The residual is much smaller than the error of the forces; the report estimates the latter.
        assert!(reached.force_error > 100.0 * reached.residual, "{setup:?}: {reached:?}");
        let missed = solve(1e-6, 10);
        assert_eq!((missed.status, missed.sweeps), (Status::NotConverged, 10), "{setup:?}");
        let fixed = run(&mut sweeping(0.01, setup, 10), &mut column::<Plane>(20), 1);
        assert_eq!((fixed.status, fixed.sweeps, fixed.converged()), (Status::FixedSweeps, 10, None), "{setup:?}");
    }
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
        let (mut reported, mut summed) = (Vec::new(), Vec::new());
        solver.solve(&mut problem, Seed(1), 0);
        solver.velocities(&problem, &mut reported);
        problem.velocities(&mut summed);
        assert!(reported == summed, "{} {stop:?}", order.name());
    }
}
