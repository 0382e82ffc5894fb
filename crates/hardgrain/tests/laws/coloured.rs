//! Coloured sweeps relax one contact after the other in a stated order, whatever the SIMD path, the number of threads and what was solved
//! before.

use hardgrain::Components;
use hardgrain::{
    Accelerated, Coloured, ContactDynamics, Dimension, Engine, GaussSeidel, Grain, Line, Order, Packing, Path, Piston,
    Plane, Problem, Purpose, Seed, Solver, Space, Stop, Surface, Threads, Wall, sweep_visits,
};

/// Contacts in a window. Small, so that there are many.
const WINDOW: usize = 20;

fn plain<D: Dimension>(sweeps: u32) -> GaussSeidel<D> {
    GaussSeidel::new(Order::Coloured, Stop::Sweeps(sweeps)).windows_of(WINDOW)
}

fn quick<D: Dimension>(sweeps: u32) -> Accelerated<D> {
    Accelerated::new(Stop::Sweeps(sweeps)).windows_of(WINDOW)
}

/// Grains at random places on a floor under a lid, many of them in each other's way, and one that never moves.
fn heap<D: Dimension>(count: u32) -> Problem<D> {
    let mut packing = Packing::<D>::new();
    packing.materials.set_default(Surface::rough(0.3)).unwrap();
    let mut stream = Seed(3).stream(Purpose::Place, 0, 0);
    let side = f64::from(count).powf(1.0 / D::AXES as f64) * 0.8;
    for number in 0..count {
        let place = D::Vector::from_fn(|_| side * stream.uniform());
        let velocity = D::Vector::from_fn(|_| stream.uniform() - 0.5);
        let grain = Grain::new(place, 0.4 + 0.2 * stream.uniform()).velocity(velocity);
        packing.add(if number == 7 { grain.fixed() } else { grain }).unwrap();
    }
    let up = |sign: f64| D::Vector::from_fn(|axis| if axis + 1 == D::AXES { sign } else { 0.0 });
    packing.add_wall(Wall::new(up(0.0), up(1.0))).unwrap();
    packing.add_piston(Piston::new(up(side), up(-1.0), 5.0).force(1.0)).unwrap();
    let mut engine = ContactDynamics::new(0.01, GaussSeidel::new(Order::Forward, Stop::Sweeps(2)));
    engine.step(&mut packing).unwrap();
    engine.problem().clone()
}

#[test]
fn a_problem_that_makes_no_sense_leaves_nothing_to_sweep() {
    let (large, mut small) = (heap::<Plane>(300), heap::<Plane>(40));
    small.curve = (0..).map(|place| 3 * place).take(small.bodies.len()).collect();
    let mut coloured = Coloured::default();
    coloured.start(&large);
    let start = std::panic::AssertUnwindSafe(|| coloured.start(&small));
    assert!(std::panic::catch_unwind(start).is_err());
    let sweep = std::panic::AssertUnwindSafe(|| coloured.clone().sweep(3));
    assert!(std::panic::catch_unwind(sweep).is_err(), "and never elsewhere in memory");
    coloured.start(&large);
    coloured.sweep(2);
    Coloured::<Plane>::default().sweep(1);
}

#[test]
fn a_contact_of_two_bodies_that_never_turn_is_visited_once() {
    let mut problem = heap::<Plane>(40);
    problem.bodies.iter_mut().for_each(|body| body.inverse_inertia = 0.0);
    let mut visits = Coloured::visits(&problem);
    visits.sort_unstable();
    assert!(visits.into_iter().eq(0..u32::try_from(problem.rows.len()).unwrap()));
}

fn every_path_is_one_contact_after_the_other<D: Dimension>(count: u32) {
    let problem = heap::<D>(count);
    assert!(problem.rows.len() > 5 * WINDOW, "{} contacts", problem.rows.len());
    let visits = Coloured::visits_by_windows(&problem, WINDOW);
    let mut by_one = problem.clone();
    let mut bodies = Vec::new();
    bodies.clone_from(&by_one.bodies);
    for row in visits.iter().map(|&contact| &by_one.rows[contact as usize]) {
        row.push(row.impulse, &mut bodies);
    }
    for _ in 0..5 {
        sweep_visits(&mut by_one.rows, &visits, &mut bodies);
    }
    let bits = |problem: &Problem<D>| -> Vec<u64> {
        let numbers = problem
            .rows
            .iter()
            .flat_map(|row| std::iter::once(row.impulse.normal).chain(row.impulse.tangent.as_slice().iter().copied()));
        numbers.map(f64::to_bits).collect()
    };
    let mut accelerated = None;
    for path in Path::ALL {
        if !path.is_available() {
            println!("SKIPPED: this machine cannot go {path:?}");
            continue;
        }
        for threads in [1, 2, 3, 7] {
            let mut by_path = problem.clone();
            let solver = plain(5);
            solver.path(path).threads(&Threads::new(threads)).solve(&mut by_path, Seed(1), 0);
            assert_eq!(bits(&by_path), bits(&by_one), "{path:?} on {threads} threads");
            let mut quickly = problem.clone();
            let solver = quick(30);
            let solution = solver.path(path).threads(&Threads::new(threads)).solve(&mut quickly, Seed(1), 0);
            let bits = (bits(&quickly), solution.residual.to_bits(), solution.force_error.map(f64::to_bits));
            assert_eq!(accelerated.get_or_insert_with(|| bits.clone()), &bits, "{path:?} on {threads} threads");
        }
    }
}

#[test]
fn what_was_solved_before_does_not_matter() {
    let problems = [heap::<Plane>(300), heap::<Plane>(120), heap::<Plane>(40), heap::<Plane>(300)];
    let (mut used, mut used_quickly) = (plain(5), quick(20));
    for problem in problems {
        let [mut one, mut other] = [problem.clone(), problem.clone()];
        let solutions = [used.solve(&mut one, Seed(1), 0), plain(5).solve(&mut other, Seed(1), 0)];
        assert!(solutions[0] == solutions[1] && one == other, "{solutions:?}");
        let [mut one, mut other] = [problem.clone(), problem];
        let solutions = [used_quickly.solve(&mut one, Seed(1), 0), quick(20).solve(&mut other, Seed(1), 0)];
        assert!(solutions[0] == solutions[1] && one == other, "{solutions:?}");
        assert!((solutions[0].residual / residual(&one) - 1.0).abs() < 1e-9, "{solutions:?}");
    }
}

/// With the velocities added up in the order of the contacts.
fn residual<D: Dimension>(problem: &Problem<D>) -> f64 {
    let mut bodies = Vec::new();
    problem.velocities(&mut bodies);
    problem.residual(&bodies)
}

#[test]
fn every_path_on_any_number_of_threads_leads_to_the_same_bits() {
    every_path_is_one_contact_after_the_other::<Line>(300);
    every_path_is_one_contact_after_the_other::<Plane>(300);
    every_path_is_one_contact_after_the_other::<Space>(500);
}
