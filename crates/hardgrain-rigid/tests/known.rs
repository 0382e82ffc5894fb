//! Problems whose answers are known.

use hardgrain::{
    Components, ContactDynamics, Dimension, Engine, GaussSeidel, Grain, Order, Packing, Plane, Solver, Space, Stop,
    Surface, Wall,
};
use hardgrain_rigid::{FrictionContact, InvalidProblem, Method, SolveStatus, solve_one};
use proptest::prelude::*;

const PLAIN: [[f64; 2]; 2] = [[1.0, 0.0], [0.0, 1.0]];

#[test]
fn one_contact_in_every_regime() {
    // It goes away; it sticks; it slides either way; without friction it slides freely.
    assert_eq!(solve_one(&PLAIN, &[1.0, 5.0], 0.5), [0.0, 0.0]);
    assert_eq!(solve_one(&PLAIN, &[-2.0, 0.5], 0.5), [2.0, -0.5]);
    assert_eq!(solve_one(&PLAIN, &[-2.0, 5.0], 0.5), [2.0, -1.0]);
    assert_eq!(solve_one(&PLAIN, &[-2.0, -5.0], 0.5), [2.0, 1.0]);
    assert_eq!(solve_one(&PLAIN, &[-2.0, -5.0], 0.0), [2.0, 0.0]);
}

#[test]
fn a_rod_that_stands_askew_jams_or_slides() {
    // Normal and tangent couple. Sliding to the right: u_N = W_NN r_N + W_NT r_T + q_N = 0 with r_T = −μ r_N.
    let w = [[2.0, 0.8], [0.8, 1.0]];
    let [normal, tangent] = solve_one(&w, &[-1.0, 3.0], 0.5);
    assert!((normal - 1.0 / (2.0 - 0.5 * 0.8)).abs() < 1e-14 && (tangent + 0.5 * normal).abs() < 1e-14);
}

#[test]
fn a_contact_that_opens_without_friction_makes_no_error() {
    let problem = FrictionContact::<2>::new(vec![[1.0, 2.0]], vec![0.0], [(0, 0, PLAIN)]).unwrap();
    assert_eq!((problem.mixed_error(&[[0.0, 0.0]]), problem.natural_error(&[[0.0, 0.0]])), (0.0, 0.0));
    assert!(problem.mixed_error(&[[-1.0, 0.0]]) > 0.1, "what pulls is wrong");
}

#[test]
fn a_rod_that_digs_in_jams() {
    // Painlevé's rod: sliding on would press it together all the more, W_NN < μ W_NT. Only a stop is left, by a reaction many
    // times the one that friction does not know of: r = −W⁻¹ q.
    let (w, free) = ([[1.0, 0.9], [0.9, 1.0]], [-1.0, 3.0]);
    let [normal, tangent] = solve_one(&w, &free, 2.0);
    assert!((normal - 3.7 / 0.19).abs() < 1e-9 && (tangent + 3.9 / 0.19).abs() < 1e-9, "{normal} {tangent}");
    let blocks = [(0, 0, w)];
    let problem = FrictionContact::<2>::new(vec![free], vec![2.0], blocks).unwrap();
    for method in Method::ALL {
        let solved = method.solve(&problem, 1e-12, 10);
        assert_eq!(solved.status, SolveStatus::Converged, "{method:?}");
        assert!((solved.reactions[0][0] - normal).abs() < 1e-9);
    }
}

#[test]
fn a_rod_that_can_neither_stop_nor_slide_ends_with_a_status() {
    // W is singular and u_T = u_N + 4 whatever the reaction is. A stop is impossible, and sliding needs r_N (1 − μ) = 1.
    let problem = |friction: f64| {
        FrictionContact::<2>::new(vec![[-1.0, 3.0]], vec![friction], [(0, 0, [[1.0, 1.0], [1.0, 1.0]])]).unwrap()
    };
    for method in Method::ALL {
        let slides = method.solve(&problem(0.5), 1e-12, 100);
        assert_eq!(slides.status, SolveStatus::Converged, "{method:?} {slides:?}");
        assert!((slides.reactions[0][0] - 2.0).abs() < 1e-9 && (slides.reactions[0][1] + 1.0).abs() < 1e-9);
        for friction in [1.0, 1.5] {
            let none = method.solve(&problem(friction), 1e-8, 100);
            assert_ne!(none.status, SolveStatus::Converged, "{method:?} {none:?}");
        }
    }
}

#[test]
fn a_contact_that_has_no_answer_by_itself_may_have_one_beside_others() {
    // The first digs in and is all but singular; the second pushes it away.
    let blocks = [
        (0, 0, [[1.0, 1.0], [1.0, 0.999_999]]),
        (0, 1, [[0.9, 0.0], [0.9, 0.0]]),
        (1, 0, [[0.9, 0.9], [0.0, 0.0]]),
        (1, 1, PLAIN),
    ];
    let problem = FrictionContact::<2>::new(vec![[-1.0, 3.0], [-2.0, 0.1]], vec![3.0, 0.5], blocks).unwrap();
    for method in Method::ALL {
        let solved = method.solve(&problem, 1e-10, 1000);
        assert_eq!(solved.status, SolveStatus::Converged, "{method:?} {solved:?}");
        let off = solved.reactions.iter().flatten().zip([0.0, 0.0, 2.0, -0.1]).map(|(number, known)| number - known);
        assert!(off.map(f64::abs).fold(0.0, f64::max) < 1e-9, "{method:?} {solved:?}");
    }
}

/// Whether a reaction obeys the law of its contact.
fn obeys<const N: usize>(w: &[[f64; N]; N], free: &[f64; N], friction: f64) -> Result<(), TestCaseError> {
    let r = solve_one(w, free, friction);
    let u: [f64; N] = std::array::from_fn(|i| free[i] + (0..N).map(|j| w[i][j] * r[j]).sum::<f64>());
    let size = |v: &[f64]| v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let (speed, force) = (size(free), size(&r));
    prop_assert!(r[0] >= 0.0 && u[0] >= -1e-9 * speed && r[0] * u[0] <= 1e-9 * force * speed);
    prop_assert!(size(&r[1..]) <= friction * r[0] * (1.0 + 1e-12));
    if size(&r[1..]) < friction * r[0] * (1.0 - 1e-9) {
        prop_assert!(size(&u[1..]) <= 1e-8 * speed, "{r:?} {u:?}");
    } else if force > 0.0 {
        let along: f64 = (1..N).map(|i| r[i] * u[i]).sum();
        prop_assert!((along + size(&r[1..]) * size(&u[1..])).abs() <= 1e-7 * force * speed, "{r:?} {u:?}");
    }
    Ok(())
}

proptest! {
    #[test]
    fn what_any_contact_says_is_a_number(
        w in prop::array::uniform9(-1.0..1.0_f64), free in prop::array::uniform3(-1.0..1.0_f64), friction in 0.0..4.0_f64,
    ) {
        // W may be anything, and often has no answer.
        let w: [[f64; 3]; 3] = std::array::from_fn(|i| {
            std::array::from_fn(|j| if i + j == 0 { w[0].abs() + 0.01 } else { w[3 * i + j] })
        });
        let numbers = solve_one(&w, &free, friction);
        prop_assert!(numbers.iter().all(|number| number.is_finite()), "{numbers:?}");
        let numbers = solve_one(&[[w[0][0], w[0][1]], [w[1][0], w[1][1]]], &[free[0], free[1]], friction);
        prop_assert!(numbers.iter().all(|number| number.is_finite()), "{numbers:?}");
    }

    #[test]
    fn any_contact_is_solved(
        a in prop::array::uniform9(-1.0..1.0_f64), free in prop::array::uniform3(-1.0..1.0_f64), friction in 0.0..2.0_f64,
    ) {
        // A Aᵀ and something on the diagonal.
        let w: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| {
            (0..3).map(|k| a[3 * i + k] * a[3 * j + k]).sum::<f64>() + if i == j { 0.05 } else { 0.0 }
        }));
        obeys(&w, &free, friction)?;
        obeys(&[[w[0][0], w[0][1]], [w[1][0], w[1][1]]], &[free[0], free[1]], friction)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 2000, failure_persistence: None, ..ProptestConfig::default() })]

    /// W of rank 1 or 2, and free velocities that reactions can stop.
    #[test]
    fn a_contact_that_does_not_give_way_in_every_direction_is_solved(
        a in prop::array::uniform6(-1.0..1.0_f64), motion in prop::array::uniform2(-1.0..1.0_f64), friction in 0.0..2.0_f64,
        rank in 1..3_usize,
    ) {
        let arm = |i: usize| &a[2 * i..2 * i + rank];
        let dot = |x: &[f64], y: &[f64]| x.iter().zip(y).map(|(x, y)| x * y).sum::<f64>();
        let w: [[f64; 3]; 3] = std::array::from_fn(|i| std::array::from_fn(|j| dot(arm(i), arm(j))));
        let free: [f64; 3] = std::array::from_fn(|i| dot(arm(i), &motion));
        prop_assume!(w[0][0] > 0.05);
        obeys(&w, &free, friction)?;
        obeys(&[[w[0][0], w[0][1]], [w[1][0], w[1][1]]], &[free[0], free[1]], friction)?;
    }
}

/// A disc in a wedge of two walls, pressed into it; or a square of four discs between four walls, which holds more forces than are
/// needed.
fn frozen<D: Dimension>(packing: &mut Packing<D>) -> hardgrain::Problem<D> {
    let mut engine = ContactDynamics::new(0.1, GaussSeidel::new(Order::Forward, Stop::Sweeps(1))).cold_start();
    engine.step(packing).unwrap();
    engine.problem().clone()
}

#[test]
fn a_disc_in_a_wedge_rests_on_both_sides() {
    let mut packing = Packing::<Plane>::new();
    packing.gravity = [0.0, -1.0].into();
    let (sine, cosine) = (0.6, 0.8);
    for side in [-1.0, 1.0] {
        packing.add_wall(Wall::new([0.0, 0.0], [side * sine, cosine])).unwrap();
    }
    packing.add(Grain::new([0.0, 0.5 / cosine], 0.5).mass(1.0)).unwrap();
    let problem = FrictionContact::<2>::from_step(&frozen(&mut packing)).unwrap();
    for method in Method::ALL {
        let solved = method.solve(&problem, 1e-12, 1000);
        assert_eq!(solved.status, SolveStatus::Converged);
        // Each side carries half of the weight: 2 r cos = m g h.
        for [normal, tangent] in solved.reactions {
            assert!((normal - 0.1 / (2.0 * cosine)).abs() < 1e-12 && tangent.abs() < 1e-12, "{normal} {tangent}");
        }
    }
}

#[test]
fn two_discs_in_a_wedge_press_each_other() {
    // Side by side, with the sides of the wedge sloping at arcsin 0.6. Neither may turn, and by symmetry nothing pulls along the
    // contact between them, so nothing pulls along the sides either, whatever the friction: r cos = m g h, and the discs press
    // each other with what is left of that, r sin.
    let (sine, cosine) = (0.6, 0.8);
    for friction in [0.0, 0.2, 1.0] {
        let mut packing = Packing::<Plane>::new();
        packing.gravity = [0.0, -1.0].into();
        packing.materials.set_default(Surface::rough(friction)).unwrap();
        for side in [-1.0, 1.0] {
            packing.add_wall(Wall::new([0.0, 0.0], [-side * sine, cosine])).unwrap();
            packing.add(Grain::new([0.5 * side, 0.5 * (1.0 + sine) / cosine], 0.5).mass(1.0)).unwrap();
        }
        let step = frozen(&mut packing);
        let problem = FrictionContact::<2>::from_step(&step).unwrap();
        assert_eq!(problem.contacts(), 3);
        for method in Method::ALL {
            let solved = method.solve(&problem, 1e-12, 10_000);
            assert_eq!(solved.status, SolveStatus::Converged, "{method:?} {friction}");
            for (row, [normal, tangent]) in step.rows.iter().zip(solved.reactions) {
                let known = 0.1 / cosine * if row.second < 2 { sine } else { 1.0 };
                assert!((normal - known).abs() < 1e-10 && tangent.abs() < 1e-10, "{method:?} {normal} {tangent}");
            }
        }
    }
}

fn square<D: Dimension>(side: u32) -> Packing<D> {
    let mut packing = Packing::<D>::new();
    packing.materials.set_default(Surface::rough(0.3)).unwrap();
    let along = |which: usize, value: f64| D::Vector::from_fn(|axis| if axis == which { value } else { 0.0 });
    packing.gravity = along(D::AXES - 1, -1.0) + along(0, 0.1);
    for axis in 0..D::AXES {
        packing.add_wall(Wall::new(along(axis, 0.0), along(axis, 1.0))).unwrap();
        packing.add_wall(Wall::new(along(axis, f64::from(side)), along(axis, -1.0))).unwrap();
    }
    for index in 0..side.pow(u32::try_from(D::AXES).unwrap()) {
        let place = |axis: usize| 0.5 + f64::from(index / side.pow(u32::try_from(axis).unwrap()) % side);
        packing.add(Grain::new(D::Vector::from_fn(place), 0.5).mass(1.0)).unwrap();
    }
    packing
}

fn nothing_moves<D: Dimension, const N: usize>(side: u32) {
    let problem = FrictionContact::<N>::from_step(&frozen(&mut square::<D>(side))).unwrap();
    for method in Method::ALL {
        let solved = method.solve(&problem, 1e-11, 100_000);
        assert_eq!(solved.status, SolveStatus::Converged, "{method:?} {} {}", solved.mixed_error, solved.sweeps);
        let speeds = problem.velocities(&solved.reactions);
        assert!(speeds.iter().flatten().all(|speed| speed.abs() < 1e-9), "{method:?}");
        assert!(solved.natural_error < 1e-8);
    }
}

#[test]
fn a_square_that_holds_more_forces_than_it_needs_stands_still() {
    nothing_moves::<Plane, 2>(2);
    nothing_moves::<Plane, 2>(6);
    nothing_moves::<Space, 3>(2);
}

#[test]
fn a_few_accelerated_sweeps_do_hardly_less_than_as_many_plain_ones_in_a_packing() {
    for gravity in [[0.1, -1.0], [0.0, -1.0], [0.7, -1.0]] {
        let mut packing = square::<Plane>(15);
        packing.gravity = gravity.into();
        let problem = FrictionContact::<2>::from_step(&frozen(&mut packing)).unwrap();
        for sweeps in [12, 16, 20, 30, 40] {
            let error = |method: Method| method.solve(&problem, 1e-12, sweeps).mixed_error;
            let (plain, quick) = (error(Method::GaussSeidel), error(Method::Accelerated));
            assert!(quick < 1.25 * plain, "{sweeps}: {quick} instead of {plain}");
        }
    }
}

#[test]
fn the_problem_of_a_step_converts_with_its_answer() {
    let mut packing = square::<Space>(3);
    let step = frozen(&mut packing);
    let problem = FrictionContact::<3>::from_step(&step).unwrap();
    let mut plain = step.clone();
    plain.rows.iter_mut().for_each(|row| row.impulse = hardgrain::Impulse::default());
    GaussSeidel::new(Order::Forward, Stop::Sweeps(5)).solve(&mut plain, hardgrain::Seed(0), 0);
    let general = Method::GaussSeidel.solve(&problem, 0.0, 5);
    for (row, reaction) in plain.rows.iter().zip(&general.reactions) {
        let size = row.impulse.tangent.length();
        let other = reaction[1].hypot(reaction[2]);
        assert!((row.impulse.normal - reaction[0]).abs() < 1e-12 && (size - other).abs() < 1e-12);
    }
}

#[test]
fn what_has_no_answer_ends_with_a_status() {
    // Two contacts on one immobile line that both want the same body elsewhere: W is singular, q not in its range.
    let blocks = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| (i, j, [[if i == j { 1.0 } else { -1.0 }]]));
    let problem = FrictionContact::<1>::new(vec![[-1.0], [-1.0]], vec![0.0, 0.0], blocks).unwrap();
    for method in Method::ALL {
        let solved = method.solve(&problem, 1e-8, 200);
        assert_ne!(solved.status, SolveStatus::Converged, "{method:?} {}", solved.mixed_error);
    }
    // The same beside a contact that can be solved. Reactions grow until the mixed error is small beside them.
    let blocks: Vec<_> = blocks.into_iter().chain([(2, 2, [[1.0]])]).collect();
    for (push, tolerance) in [(-10.0, 1e-2), (-10.0, 1e-3), (-100.0, 1e-3)] {
        let problem = FrictionContact::<1>::new(vec![[-1.0], [-1.0], [push]], vec![0.0; 3], blocks.clone()).unwrap();
        for method in Method::ALL {
            let solved = method.solve(&problem, tolerance, 50_000);
            // By factorisations the natural error comes first, and reactions grow no further than that becomes smaller.
            let first = method == Method::Rigid && push == -10.0;
            assert!(solved.mixed_error <= if first { 1e-2 } else { 1e-3 }, "{method:?} {push} {}", solved.mixed_error);
            assert!(solved.natural_error > tolerance, "{method:?} {push} {}", solved.natural_error);
            assert_ne!(solved.status, SolveStatus::Converged, "{method:?} {push} {}", solved.mixed_error);
        }
    }
    // Hardly anything of the whole cannot be solved, but that cannot.
    for (squeeze, tolerance) in [(-1e-4, 1e-4), (-5e-4, 1e-4), (-1e-4, 1e-8)] {
        let free = vec![[squeeze], [squeeze], [-1.0]];
        let problem = FrictionContact::<1>::new(free, vec![0.0; 3], blocks.clone()).unwrap();
        for method in Method::ALL {
            let solved = method.solve(&problem, tolerance, 20_000);
            assert_ne!(solved.status, SolveStatus::Converged, "{method:?} {squeeze} {}", solved.mixed_error);
        }
    }
}

/// A network of contacts that share bodies, some pressed more than they can be: none of the 256 sets of closed ones solves it.
fn crushed() -> FrictionContact<1> {
    let free = [
        -0.908_547_689_872_440_9,
        0.688_543_101_660_577_3,
        -0.972_612_880_917_711_7,
        -1.158_901_463_488_149_8,
        0.695_771_946_281_141_1,
        -0.538_362_085_380_466_3,
        0.249_037_775_956_929_97,
        -0.621_101_052_518_354_8,
    ];
    let pairs = [
        (0, 0, 0.028_515_819_321_040_78),
        (1, 1, 0.011_516_520_873_671_188),
        (1, 7, -0.067_584_493_130_740_26),
        (2, 2, 0.130_901_530_186_456_7),
        (2, 4, 0.292_117_971_477_938_05),
        (2, 7, -0.672_415_498_251_451_2),
        (3, 3, 0.565_767_814_606_443_3),
        (3, 4, -0.154_995_988_839_667_36),
        (4, 4, 0.919_392_798_984_926_2),
        (4, 7, -1.500_552_751_826_145_7),
        (5, 5, 0.714_316_755_887_485_4),
        (6, 6, 3.009_592_274_030_622),
        (7, 7, 3.850_684_960_037_117_6),
    ];
    let mirrored = pairs.into_iter().filter(|(i, j, _)| i != j).map(|(i, j, w)| (j, i, w));
    let blocks: Vec<_> = pairs.into_iter().chain(mirrored).map(|(i, j, w)| (i, j, [[w]])).collect();
    FrictionContact::new(free.map(|q| [q]).to_vec(), vec![0.0; 8], blocks).unwrap()
}

#[test]
fn what_has_no_answer_is_not_solved_by_large_reactions() {
    for tolerance in [1e-3, 1e-4, 1e-6] {
        for method in Method::ALL {
            let solved = method.solve(&crushed(), tolerance, 20_000);
            assert!(solved.natural_error > 1e-2, "{method:?} {tolerance}: {}", solved.natural_error);
            assert_ne!(solved.status, SolveStatus::Converged, "{method:?} {tolerance}: {}", solved.mixed_error);
        }
    }
}

#[test]
fn numbers_that_are_no_problem_are_refused() {
    let new = |free: Vec<[f64; 2]>, friction: Vec<f64>, blocks: Vec<(usize, usize, [[f64; 2]; 2])>| {
        FrictionContact::new(free, friction, blocks).err()
    };
    assert_eq!(new(vec![], vec![], vec![]), Some(InvalidProblem::Empty));
    assert!(matches!(new(vec![[0.0; 2]], vec![], vec![]), Some(InvalidProblem::Friction { .. })));
    assert!(matches!(new(vec![[0.0; 2]], vec![-1.0], vec![]), Some(InvalidProblem::Value { .. })));
    assert!(matches!(new(vec![[0.0; 2]], vec![1e16], vec![(0, 0, PLAIN)]), Some(InvalidProblem::TooRough { .. })));
    assert!(matches!(new(vec![[f64::NAN, 0.0]], vec![1.0], vec![]), Some(InvalidProblem::Value { .. })));
    assert!(matches!(new(vec![[0.0; 2]], vec![1.0], vec![(0, 1, PLAIN)]), Some(InvalidProblem::Outside { .. })));
    assert!(matches!(new(vec![[0.0; 2]], vec![1.0], vec![]), Some(InvalidProblem::Immovable { .. })));
    // Squares of these vanish, and with them all errors. Nothing at all is no such number.
    let small = [[1e-165, 0.0], [0.0, 1e-165]];
    assert!(matches!(new(vec![[-1.0, 3.0]], vec![0.4], vec![(0, 0, small)]), Some(InvalidProblem::TooSmall { .. })));
    assert!(matches!(new(vec![[-1e-165, 0.0]], vec![0.4], vec![(0, 0, PLAIN)]), Some(InvalidProblem::TooSmall { .. })));
    assert_eq!(new(vec![[0.0; 2]], vec![0.4], vec![(0, 0, PLAIN)]), None);
}
