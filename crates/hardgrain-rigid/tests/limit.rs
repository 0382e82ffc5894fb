//! Laws of the rigid solver.

use hardgrain::{
    ContactDynamics, Engine, Grain, Impulse, Line, Packing, Part, Piston, Plane, Pooling, Problem, Seed, Solver, Space,
    Status, Surface, Threads, Wall,
};
use hardgrain_rigid::{Certificate, FrictionContact, InvalidProblem, Method, Rigid, SolveStatus as Ended};

/// A row of grains against a wall, the last one pushed.
fn chain(grains: u32) -> Packing<Line> {
    let mut packing = Packing::new();
    packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
    for i in 0..grains {
        packing.add(Grain::new([0.5 + f64::from(i)], 0.5).mass(1.0)).unwrap();
    }
    packing.grains[grains as usize - 1].force = [-1.0].into();
    packing
}

#[test]
fn a_chain_of_any_length_is_exact() {
    for grains in [1000, 100_000] {
        let mut packing = chain(grains);
        let report = ContactDynamics::new(1.0, Rigid::new(1e-8, 100)).step(&mut packing).unwrap();
        assert_eq!(report.converged(), Some(true));
        let worst = packing.memory.iter().fold(0.0_f64, |worst, known| worst.max((known.reaction.normal - 1.0).abs()));
        assert!(worst < 1e-8, "{grains}: {worst:e}");
    }
}

#[test]
fn the_general_method_agrees_with_pooling() {
    let mut engine = ContactDynamics::new(1.0, Pooling);
    engine.step(&mut chain(300)).unwrap();
    let problem = FrictionContact::<1>::from_step(engine.problem()).unwrap();
    let solved = Method::Rigid.solve(&problem, 1e-13, 1000);
    let off = engine.problem().rows.iter().zip(&solved.reactions).map(|(row, found)| row.impulse.normal - found[0]);
    assert!(off.fold(0.0_f64, |worst, off| worst.max(off.abs())) < 1e-8, "{}", solved.mixed_error);
}

/// Discs in a box, stacked like bricks, under a lid; sizes differ a little, so that some contacts carry more.
fn bricks(columns: u32, rows: u32, friction: f64) -> Packing<Plane> {
    let mut packing = Packing::new();
    packing.materials.set_default(Surface { friction, ..Surface::default() }).unwrap();
    let width = f64::from(columns) + 0.5;
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
    packing.add_wall(Wall::new([0.0, 0.0], [1.0, 0.0])).unwrap();
    packing.add_wall(Wall::new([width, 0.0], [-1.0, 0.0])).unwrap();
    let height = 0.75_f64.sqrt();
    for row in 0..rows {
        for column in 0..columns {
            let x = 0.5 + f64::from(column) + if row % 2 == 1 { 0.5 } else { 0.0 };
            packing.add(Grain::new([x, 0.5 + height * f64::from(row)], 0.5).mass(1.0)).unwrap();
        }
    }
    packing.gravity = [0.0, -0.001].into();
    let top = 1.0 + height * f64::from(rows - 1);
    packing.add_piston(Piston::new([0.0, top], [0.0, -1.0], 5.0).force(0.1)).unwrap();
    packing
}

fn impulses(problem: &Problem<Plane>) -> Vec<Impulse<Plane>> {
    problem.rows.iter().map(|row| row.impulse).collect()
}

fn change(now: &[Impulse<Plane>], before: &[Impulse<Plane>]) -> f64 {
    let square = |all: &mut dyn Iterator<Item = Impulse<Plane>>| all.fold(0.0, |sum, p| sum + p.length_squared());
    let off = square(&mut now.iter().zip(before).map(|(now, before)| *now - *before));
    (off / square(&mut before.iter().copied())).sqrt()
}

#[test]
fn the_base_carries_what_lies_on_it_in_one_step() {
    for friction in [0.0, 0.05, 0.5] {
        let mut packing = bricks(8, 12, friction);
        let mut engine = ContactDynamics::new(0.1, Rigid::new(1e-10, 10_000));
        let report = engine.step(&mut packing).unwrap();
        assert!(report.converged() == Some(true) && !report.fell_back, "{friction}: {report:?}");
        let sure = Certificate::compute(engine.problem());
        let aside: f64 = [1, 2].map(|wall| packing.load_on(Part::Wall(wall))).iter().sum();
        assert!(aside > 0.0 && sure.force_error.unwrap() < 1e-6, "{friction}: {sure:?}");
        // All that weighs is carried by the base and, by friction, the walls aside; without it by the base alone.
        let whole = 0.1 + 0.001 * (5.0 + 8.0 * 12.0);
        let base = packing.load_on(Part::Wall(0));
        let most = friction * aside;
        assert!((base - whole).abs() < most + 1e-8, "{friction}: {base} of {whole}");
        // After one piston the bodies are the walls; of what rubs on them aside only what is upright counts, and that is all.
        let first = u32::try_from(packing.body(Part::Wall(0))).unwrap();
        let rubs = sure.boundaries.iter().filter(|load| load.body > first);
        let rubs: f64 = rubs.map(|load| load.tangential / 0.1).sum();
        assert!((base + rubs - whole).abs() < 1e-8, "{friction}: {base} and {rubs} of {whole}");
        assert!(packing.grains.iter().all(|grain| grain.velocity.0.iter().all(|v| v.abs() < 1e-8)), "nothing moves");
    }
}

#[test]
fn a_lid_that_weighs_nothing_spoils_no_tolerance() {
    for mass in [5.0, 1e-3, 1e-6, 1e-9, 1e-12] {
        let mut packing = bricks(8, 12, 0.3);
        packing.pistons[0].mass = mass;
        let mut engine = ContactDynamics::new(0.1, Rigid::new(1e-8, 10_000));
        let report = engine.step(&mut packing).unwrap();
        let sure = Certificate::compute(engine.problem());
        let carried: f64 = packing.load_on(Part::Piston(0));
        let right = (carried - 0.1).abs() < 1e-6 + 0.001 * mass && sure.force_error.is_some_and(|error| error < 1e-4);
        assert!(right || report.converged() == Some(false), "{mass}: {carried} {:?} {report:?}", sure.force_error);
        // A light one is solved all the same.
        assert!(right || mass < 1e-8, "{mass}: {carried} {:?}", sure.force_error);
    }
}

#[test]
fn forces_at_rest_stay_and_follow_a_load_smoothly() {
    let mut packing = bricks(8, 12, 0.3);
    let mut engine = ContactDynamics::new(0.1, Rigid::new(1e-10, 10_000));
    let mut last = Vec::new();
    for step in 0..6 {
        engine.step(&mut packing).unwrap();
        let now = impulses(engine.problem());
        if step > 1 {
            assert!(change(&now, &last) < 1e-6, "step {step}: {:e}", change(&now, &last));
        }
        last = now;
    }
    packing.pistons[0].force *= 1.01;
    engine.step(&mut packing).unwrap();
    let moved = change(&impulses(engine.problem()), &last);
    assert!((1e-4..0.03).contains(&moved), "{moved:e}");
}

#[test]
fn a_step_in_which_contacts_stay_as_they_are_takes_one_factorisation() {
    for friction in [0.05, 0.5] {
        let mut packing = bricks(16, 20, friction);
        let mut engine = ContactDynamics::new(0.1, Rigid::new(1e-8, 10_000));
        let cold = engine.step(&mut packing).unwrap();
        engine.step(&mut packing).unwrap();
        let mut before = impulses(engine.problem());
        for weight in [1.0002, 1.0004, 1.0001] {
            packing.gravity = [0.0, -0.001 * weight].into();
            let report = engine.step(&mut packing).unwrap();
            let now = impulses(engine.problem());
            assert_eq!(report.converged(), Some(true));
            assert!(report.factorisations == 1 && cold.factorisations > 3, "{friction}: {report:?}");
            let changed = change(&now, &before);
            assert!(changed > 1e-6 && changed < 1e-3, "{friction}: {changed:e}");
            before = now;
        }
    }
}

#[test]
fn loads_that_change_alike_multiply_forces() {
    let mut packing = bricks(8, 12, 0.3);
    let mut engine = ContactDynamics::new(0.1, Rigid::new(1e-10, 10_000));
    (0..5).for_each(|_| assert_eq!(engine.step(&mut packing).unwrap().converged(), Some(true)));
    let last = impulses(engine.problem());
    packing.gravity = packing.gravity * 1.5;
    packing.pistons[0].force *= 1.5;
    let report = engine.step(&mut packing).unwrap();
    assert!(report.converged() == Some(true) && report.factorisations <= 1 && report.sweeps == 0, "{report:?}");
    let moved = change(&impulses(engine.problem()), &last);
    assert!((moved - 0.5).abs() < 1e-6, "{moved}");
}

#[test]
fn what_is_left_of_the_velocities_does_not_add_up_until_forces_jump() {
    // A row of discs, as soft to errors as anything: what contacts miss by 1e-8 can be wrong by 1e-5 in its forces.
    let mut packing = Packing::<Plane>::new();
    packing.add_wall(Wall::new([0.0, 0.0], [1.0, 0.0])).unwrap();
    for i in 0..50 {
        packing.add(Grain::new([0.5 + f64::from(i), 0.0], 0.5).mass(1.0)).unwrap();
    }
    packing.grains[49].force = [-0.05, 0.0].into();
    let mut engine = ContactDynamics::new(1.0, Rigid::new(1e-8, 10_000));
    let mut last = Vec::new();
    for step in 0..300 {
        let report = engine.step(&mut packing).unwrap();
        assert_eq!(report.converged(), Some(true), "{step}");
        let now = impulses(engine.problem());
        if step > 20 {
            assert!(change(&now, &last) < 1e-7, "step {step}: {:e}", change(&now, &last));
            assert!((packing.load_on(Part::Wall(0)) / 0.05 - 1.0).abs() < 1e-7, "{step}");
        }
        last = now;
    }
    assert!(packing.kinetic_energy() < 1e-20, "{:e}", packing.kinetic_energy());
}

#[test]
fn the_same_problem_has_the_same_bits_whatever_was_solved_before() {
    let mut packing = bricks(8, 12, 0.3);
    let mut engine = ContactDynamics::new(0.1, Rigid::new(1e-8, 10_000)).cold_start();
    engine.step(&mut packing).unwrap();
    let mut problem = engine.problem().clone();
    problem.rows.iter_mut().for_each(|row| row.impulse = Impulse::default());
    let solve = |solver: &mut Rigid<Plane>| {
        let mut own = problem.clone();
        Solver::<Plane>::solve(solver, &mut own, Seed(0), 0);
        impulses(&own)
    };
    let mut used = Rigid::new(1e-8, 10_000);
    let mut other = ContactDynamics::<Plane>::new(0.1, Rigid::new(1e-8, 10_000));
    other.step(&mut bricks(5, 4, 0.1)).unwrap();
    assert_eq!(solve(&mut used), solve(&mut used));
    assert_eq!(solve(&mut used), solve(&mut Rigid::new(1e-8, 10_000)));
}

#[test]
fn threads_change_no_bit() {
    let solve = |threads: usize| {
        let mut packing = bricks(60, 50, 0.3);
        let solver = Rigid::new(1e-8, 10_000).threads(&Threads::new(threads));
        let mut engine = ContactDynamics::new(0.1, solver);
        let mut bits = Vec::new();
        for load in [1.0, 1.01] {
            packing.pistons[0].force *= load;
            let report = engine.step(&mut packing).unwrap();
            assert!(report.sweeps > 0 && report.factorisations > 0, "{report:?}");
            bits.push(impulses(engine.problem()));
        }
        bits
    };
    let alone = solve(1);
    assert!(alone[0].len() > 3 * 2048, "several windows of contacts");
    for threads in [2, 3, 7] {
        assert_eq!(solve(threads), alone, "{threads} threads");
    }
}

#[test]
fn spheres_are_held_too() {
    // A pyramid of five in a trough without a lid: the upper one rests on four.
    let mut packing = Packing::<Space>::new();
    packing.materials.set_default(Surface { friction: 0.6, ..Surface::default() }).unwrap();
    packing.gravity = [0.0, 0.0, -1.0].into();
    packing.add_wall(Wall::new([0.0; 3], [0.0, 0.0, 1.0])).unwrap();
    for (x, y) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
        packing.add(Grain::new([x, y, 0.5], 0.5).mass(1.0)).unwrap();
    }
    packing.add(Grain::new([0.5, 0.5, 0.5 + 0.5_f64.sqrt()], 0.5).mass(1.0)).unwrap();
    let mut engine = ContactDynamics::new(0.01, Rigid::new(1e-10, 10_000));
    let report = engine.step(&mut packing).unwrap();
    assert!(report.converged() == Some(true) && !report.fell_back, "{report:?}");
    assert!((packing.load_on(Part::Wall(0)) - 5.0).abs() < 1e-7, "{}", packing.load_on(Part::Wall(0)));
    assert!(packing.grains.iter().all(|grain| grain.velocity.0.iter().all(|v| v.abs() < 1e-9)));
}

#[test]
fn what_cannot_be_solved_ends_with_a_status() {
    // Two walls that close on a grain.
    let mut packing = Packing::<Plane>::new();
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0]).velocity([0.0, 0.1])).unwrap();
    packing.add_wall(Wall::new([0.0, 1.0], [0.0, -1.0]).velocity([0.0, -0.1])).unwrap();
    packing.add(Grain::new([0.0, 0.5], 0.5).mass(1.0)).unwrap();
    let report = ContactDynamics::new(0.1, Rigid::new(1e-8, 200)).step(&mut packing).unwrap();
    assert!(report.status == Status::NotConverged && report.fell_back, "{report:?}");
    // Nor are forces called right.
    assert!(report.force_error > 0.1, "{report:?}");
    // The same without a single number that can be used; if they are too small to be told apart it is no problem at all.
    let problem =
        |w: f64| FrictionContact::<1>::new(vec![[1e308], [-1e308]], vec![0.0; 2], [(0, 0, [[w]]), (1, 1, [[1e8 * w]])]);
    assert_ne!(Method::Rigid.solve(&problem(1e-110).unwrap(), 1e-8, 50).status, Ended::Converged);
    assert!(matches!(problem(1e-308), Err(InvalidProblem::TooSmall { .. })));
    // No sweep at all, no tolerance.
    for (tolerance, max_sweeps) in [(1e-8, 0), (0.0, 10), (f64::NAN, 10)] {
        let solver = Rigid::new(tolerance, max_sweeps);
        assert!(Solver::<Plane>::check(&solver).is_err());
    }
}

#[test]
fn friction_that_has_become_too_weak_is_not_kept() {
    // What a disc is held back with as long as friction is strong.
    let mut packing = Packing::<Plane>::new();
    packing.materials.set_default(Surface { friction: 0.5, ..Surface::default() }).unwrap();
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
    packing.add(Grain::new([0.0, 0.5], 0.5).mass(1.0).force([0.4, -1.0])).unwrap();
    let mut engine = ContactDynamics::new(0.1, Rigid::new(1e-10, 1000));
    engine.step(&mut packing).unwrap();
    let mut problem = engine.problem().clone();
    for friction in [0.5, 0.05, 0.0] {
        problem.rows[0].contact.friction = friction;
        let solution = Solver::<Plane>::solve(&mut Rigid::new(1e-10, 1000), &mut problem, Seed(0), 0);
        let Impulse { normal, tangent } = problem.rows[0].impulse;
        assert_eq!(solution.status, Status::Converged);
        assert!(tangent.0[0].abs() <= friction * normal * (1.0 + 1e-12), "{friction}: {normal} {tangent:?}");
    }
}

/// Spheres in a cube under a lid, stacked straight.
fn crate_of_spheres(edge: u32, friction: f64) -> Packing<Space> {
    let mut packing = Packing::new();
    packing.materials.set_default(Surface { friction, ..Surface::default() }).unwrap();
    let width = f64::from(edge);
    packing.add_wall(Wall::new([0.0; 3], [0.0, 1.0, 0.0])).unwrap();
    for axis in [0, 2] {
        let unit = |length: f64| std::array::from_fn(|other| if other == axis { length } else { 0.0 });
        packing.add_wall(Wall::new([0.0; 3], unit(1.0))).unwrap();
        packing.add_wall(Wall::new(unit(width), unit(-1.0))).unwrap();
    }
    for i in 0..edge.pow(3) {
        let place = [i % edge, i / edge / edge, i / edge % edge].map(|at| 0.5 + f64::from(at));
        packing.add(Grain::new(place, 0.5).mass(1.0)).unwrap();
    }
    packing.gravity = [0.0, -0.001, 0.0].into();
    packing.add_piston(Piston::new([0.0, width, 0.0], [0.0, -1.0, 0.0], 5.0).force(0.1)).unwrap();
    packing
}

#[test]
fn sweeps_come_first_where_factorisations_cost_more() {
    let mut packing = crate_of_spheres(9, 0.3);
    let report = ContactDynamics::new(1.0, Rigid::new(1e-8, 10_000)).step(&mut packing).unwrap();
    assert_eq!(report.converged(), Some(true));
    assert!(report.factorisations < 5 && !report.fell_back && report.sweeps > 0, "{report:?}");
    // The weight of 729 spheres and of the lid, and what pushes it.
    let load = 734.0 * 0.001 + 0.1;
    assert!((packing.load_on(Part::Wall(0)) / load - 1.0).abs() < 1e-6);
    // In the plane factorisations do.
    let mut packing = bricks(30, 30, 0.3);
    let report = ContactDynamics::new(1.0, Rigid::new(1e-8, 10_000)).step(&mut packing).unwrap();
    assert!(report.converged() == Some(true) && report.factorisations > 5, "{report:?}");
}
