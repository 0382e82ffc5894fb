//! Accelerated sweeps find the same velocities as plain ones many times faster, and estimate their error.

use crate::scenes::{boxed, chain, cloud, column, run};
use hardgrain::{
    Accelerated, Components, ContactDynamics, Dimension, GaussSeidel, Grain, Impulse, InSequence, Line, Momentum,
    Order, Packing, Part, Piston, Plane, Problem, Seed, Solution, Solver, Space, Status, Stop, Surface, SweepLimits,
    Sweepable, Wall, accelerate,
};

const ROUGH: Surface = Surface::rough(0.5);

pub(crate) fn to(tolerance: f64) -> Stop {
    Stop::Tolerance { tolerance, max_sweeps: 200_000 }
}

/// The problem of the next step of a packing, with zero impulses.
pub(crate) fn frozen<D: Dimension>(packing: &Packing<D>) -> Problem<D> {
    let sweeps = GaussSeidel::new(Order::Forward, Stop::Sweeps(1));
    let mut engine = ContactDynamics::new(0.1, sweeps).cold_start();
    run(&mut engine, &mut packing.clone(), 1);
    let mut problem = engine.problem().clone();
    problem.rows.iter_mut().for_each(|row| row.impulse = Impulse::default());
    problem
}

pub(crate) fn solved<D: Dimension>(problem: &Problem<D>, mut solver: impl Solver<D>) -> (Problem<D>, Solution) {
    let mut problem = problem.clone();
    let solution = solver.solve(&mut problem, Seed(1), 0);
    (problem, solution)
}

/// The largest difference of velocities and spins, over the largest velocity.
fn difference<D: Dimension>(one: &Problem<D>, other: &Problem<D>) -> f64 {
    let (mut a, mut b) = (Vec::new(), Vec::new());
    one.velocities(&mut a);
    other.velocities(&mut b);
    let largest = a.iter().map(|body| body.velocity.length()).fold(0.0, f64::max);
    let apart = a.iter().zip(&b).map(|(a, b)| (a.velocity - b.velocity).length() + (a.spin - b.spin).length());
    apart.fold(0.0, f64::max) / largest
}

fn agrees<D: Dimension>(packing: &Packing<D>) {
    let problem = frozen(packing);
    assert!(problem.rows.len() > 5);
    let (plain, _) =
        solved(&problem, GaussSeidel::new(Order::Forward, Stop::Tolerance { tolerance: 1e-13, max_sweeps: 1_000_000 }));
    let (quick, solution) = solved(&problem, Accelerated::new(to(1e-10)));
    assert_eq!(solution.status, Status::Converged);
    assert!(difference(&plain, &quick) < 1e-7, "{}", difference(&plain, &quick));
    for row in &quick.rows {
        let Impulse { normal, tangent } = row.impulse;
        assert!(normal >= 0.0 && tangent.length() <= row.contact.friction * normal * (1.0 + 1e-12));
    }
}

#[test]
fn the_velocities_are_those_of_plain_sweeps() {
    for seed in 1..4 {
        agrees(&pressed::<Line>(8, seed));
        agrees(&pressed::<Plane>(5, seed));
        agrees(&pressed::<Space>(3, seed));
        agrees(&cloud_that_meets::<Plane>(5, seed));
        agrees(&cloud_that_meets::<Space>(3, seed));
    }
}

/// Grains pressed onto a floor by a piston and rubbed by moving walls.
pub(crate) fn pressed<D: Dimension>(side: usize, seed: u64) -> Packing<D> {
    let mut packing = boxed::<D>(side, seed, ROUGH);
    let (half, down) = (0.6 * side as f64, D::AXES - 1);
    let axis = |value: f64| D::Vector::from_fn(|axis| if axis == down { value } else { 0.0 });
    packing.add_piston(Piston::new(axis(half), axis(-1.0), 3.0).force(5.0)).unwrap();
    let mut engine = ContactDynamics::new(0.1, GaussSeidel::new(Order::Forward, Stop::Sweeps(30)));
    run(&mut engine, &mut packing, 60);
    packing
}

pub(crate) fn cloud_that_meets<D: Dimension>(side: usize, seed: u64) -> Packing<D> {
    let mut packing = cloud::<D>(side, seed, ROUGH);
    let mut engine = ContactDynamics::new(0.1, GaussSeidel::new(Order::Forward, Stop::Sweeps(30)));
    run(&mut engine, &mut packing, 15);
    packing
}

#[test]
fn sweeps_over_a_chain_grow_as_its_length() {
    // Plain sweeps until the wall carries 99 % of the load: (4/π²) n² ln 100, 1.87 n² of them.
    let plain = |grains: u32| 1.87 * f64::from(grains).powi(2);
    let mut sweeps = Vec::new();
    for grains in [125, 250, 500] {
        let mut problem = frozen(&chain(grains, 0.0, 1.0));
        let wall = problem.rows.iter().position(|row| row.second == grains).unwrap();
        // From then on the load stays right.
        let mut right = 0;
        let most = SweepLimits::for_size(problem.rows.len(), 1, 20_000);
        let (_, reached) =
            accelerate(&mut InSequence::new(&mut problem), &mut Momentum::default(), most, |system, look| {
                if !look.plain && (system.problem.rows[wall].impulse.normal / 0.1 - 1.0).abs() > 1e-2 {
                    right = look.sweeps + 2 + look.own / 10;
                }
                system.residual() / 1e-8
            });
        assert!(reached);
        sweeps.push(f64::from(right));
    }
    assert!(sweeps[2] < 0.01 * plain(500), "{sweeps:?}");
    // Twice the length takes twice the sweeps; looks are a tenth apart.
    for pair in sweeps.windows(2) {
        assert!((1.6..2.5).contains(&(pair[1] / pair[0])), "{sweeps:?}");
    }
}

/// Sweeps to a residual of 1e-8, by plain ones and by accelerated ones.
fn both_kinds<D: Dimension>(problem: &Problem<D>) -> (u32, u32) {
    let goal = 1e-8;
    let (mut problem, mut again) = (problem.clone(), problem.clone());
    let mut system = InSequence::new(&mut problem);
    let mut plain = 0;
    while system.residual() > goal && plain < 100_000 {
        for _ in 0..2 + plain / 10 {
            system.sweep(false);
            plain += 1;
        }
    }
    let mut system = InSequence::new(&mut again);
    let most = SweepLimits::for_size(problem.rows.len(), D::AXES, 200_000);
    let (quick, reached) =
        accelerate(&mut system, &mut Momentum::default(), most, |system, _| system.residual() / goal);
    assert!(reached);
    (plain, quick)
}

#[test]
fn packings_of_round_grains_take_no_more_than_twice_the_plain_sweeps_and_a_turn() {
    fn check<D: Dimension>(packing: &Packing<D>, sums: &mut (u32, u32)) {
        let problem = frozen(packing);
        let (plain, quick) = both_kinds(&problem);
        // Before anything can be said of a turn of accelerated sweeps there have to be some.
        let turn = 60.0 + 6.0 * (problem.rows.len() as f64).sqrt();
        assert!(f64::from(quick) <= 2.0 * f64::from(plain) + turn, "{quick} instead of {plain}");
        *sums = (sums.0 + plain, sums.1 + quick);
    }
    let mut sums = (0, 0);
    for seed in 1..9 {
        check(&pressed::<Line>(20, seed), &mut sums);
        check(&pressed::<Plane>(9, seed), &mut sums);
        check(&pressed::<Space>(4, seed), &mut sums);
        check(&cloud_that_meets::<Plane>(9, seed), &mut sums);
        check(&cloud_that_meets::<Space>(4, seed), &mut sums);
    }
    let (plain, quick) = sums;
    assert!(2 * quick < plain, "{quick} instead of {plain} in all");
}

#[test]
fn the_error_of_the_forces_is_known() {
    // A chain has a unique solution, so its forces can be compared.
    for grains in [20, 60, 200] {
        let problem = frozen(&chain(grains, 0.0, 1.0));
        for tolerance in [1e-1, 1e-2, 1e-4, 1e-6] {
            let (answer, solution) = solved(&problem, Accelerated::new(to(tolerance)));
            let (mut wrong, mut load) = (0.0, 0.0);
            for row in &answer.rows {
                wrong += (row.impulse.normal - 0.1).powi(2);
                load += row.impulse.normal.powi(2);
            }
            let error = (wrong / load).sqrt();
            let estimate = solution.force_error.unwrap();
            assert!(estimate <= tolerance && error <= estimate + 1e-12, "{grains}, {tolerance}: {error} {estimate}");
        }
    }
}

#[test]
fn steps_that_are_warm_are_cheap_and_the_load_goes_all_the_way() {
    let mut packing = pressed::<Plane>(8, 1);
    let mut engine = ContactDynamics::new(0.01, Accelerated::new(to(1e-4)));
    packing.walls[1].velocity = packing.walls[1].velocity * 0.0;
    let mut sweeps = 0;
    for step in 0..400 {
        let report = run(&mut engine, &mut packing, 1);
        assert!(report.converged() == Some(true) && report.force_error < 1e-4, "{report:?}");
        sweeps += if step < 300 { 0 } else { report.sweeps };
    }
    assert!(sweeps < 200 * 100, "{sweeps} sweeps in a hundred steps");
    let weight = packing.grains.iter().fold(0.0, |sum, grain| sum + 0.5 * grain.mass);
    let load = packing.load_on(Part::Wall(0));
    assert!(load > 0.5 * (5.0 + weight), "{load} of {weight}");
}

#[test]
fn a_fixed_number_of_sweeps_is_made_even_and_asks_for_nothing() {
    let problem = frozen(&pressed::<Plane>(4, 1));
    let (_, solution) = solved(&problem, Accelerated::new(Stop::Sweeps(7)));
    assert_eq!((solution.sweeps, solution.status), (8, Status::FixedSweeps));
}

#[test]
fn what_cannot_be_solved_is_said_to_be_so() {
    // A disc crushed between two walls.
    let mut packing = Packing::<Plane>::new();
    packing.add_wall(Wall::new([0.0, 0.0], [1.0, 0.0]).velocity([1.0, 0.0])).unwrap();
    packing.add_wall(Wall::new([1.0, 0.0], [-1.0, 0.0])).unwrap();
    packing.add(Grain::new([0.5, 0.0], 0.5)).unwrap();
    let stop = Stop::Tolerance { tolerance: 1e-6, max_sweeps: 1000 };
    let report = run(&mut ContactDynamics::new(0.01, Accelerated::new(stop)), &mut packing, 1);
    assert_eq!(report.status, Status::NotConverged);
    assert!(report.sweeps >= 1000 && report.residual > 0.0);
}

#[test]
fn a_few_sweeps_more_are_not_worse() {
    // The load on the wall of a chain after a limited number of sweeps from zero.
    for grains in [10, 100] {
        let problem = frozen(&column::<Line>(grains));
        let load = |solver: &mut dyn Solver<Line>| {
            let mut problem = problem.clone();
            solver.solve(&mut problem, Seed(1), 1);
            let on_wall = problem.rows.iter().filter(|row| row.second == grains);
            on_wall.fold(0.0, |sum, row| sum + row.impulse.normal)
        };
        let plain = load(&mut GaussSeidel::new(Order::Forward, Stop::Sweeps(10)));
        let (mut fixed, mut asked) = (plain, plain);
        for sweeps in [10, 12, 14, 20, 24, 30, 40, 80] {
            let more = load(&mut Accelerated::new(Stop::Sweeps(sweeps)));
            assert!(grains == 10 && sweeps > 30 || more >= fixed, "{sweeps}: {more} after {fixed}");
            let also = load(&mut Accelerated::new(Stop::Tolerance { tolerance: 1e-12, max_sweeps: sweeps }));
            assert!(grains == 10 && sweeps > 30 || also >= asked, "{sweeps}: {also} after {asked}");
            (fixed, asked) = (more, also);
        }
    }
}
