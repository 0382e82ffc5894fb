//! Every path, on any number of threads, is one contact after the other.

use super::*;
use crate::solver::sweeps::relax;
use crate::{
    Accelerated, ContactDynamics, Engine, GaussSeidel, Grain, Line, Order, Packing, Piston, Plane, Purpose, Seed,
    Solver, Space, Stop, Surface, Wall,
};

/// Small, so that there are many.
const WINDOW: usize = 20;

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

fn every_path_is_one_contact_after_the_other<D: Dimension>(count: u32) {
    let problem = heap::<D>(count);
    assert!(problem.rows.len() > 2 * LANES, "{} contacts", problem.rows.len());
    let mut colours = Colours::default();
    colours.window = WINDOW;
    colours.find(&problem);
    assert!(colours.windows.len() > 5 && colours.groups.len() < colours.windows.len(), "{:?}", colours.groups);
    let visits: Vec<u32> = colours.visits().collect();
    let mut sorted = visits.clone();
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..u32::try_from(problem.rows.len()).unwrap()), "each once");
    for colour in colours.batches.iter().take(colours.alone.batches.start) {
        let mut grains: Vec<u32> = colour
            .iter()
            .filter(|&&contact| contact != NONE)
            .map(|&contact| &problem.rows[colours.along[contact as usize] as usize])
            .flat_map(|row| [row.first, row.second])
            .filter(|&body| problem.bodies[body as usize].inverse_mass > 0.0)
            .collect();
        let all = grains.len();
        grains.sort_unstable();
        grains.dedup();
        assert_eq!(grains.len(), all, "no grain twice in one colour");
    }
    assert!(D::CHAIN || !colours.alone.batches.is_empty(), "the lid is touched");
    let mut by_one = problem.clone();
    let mut bodies = Vec::new();
    bodies.clone_from(&by_one.bodies);
    for row in visits.iter().map(|&contact| &by_one.rows[contact as usize]) {
        row.push(row.impulse, &mut bodies);
    }
    for _ in 0..5 {
        for &contact in &visits {
            relax(&mut by_one.rows[contact as usize], &mut bodies);
        }
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
        if !path.here() {
            println!("SKIPPED: this machine cannot go {path:?}");
            continue;
        }
        for threads in [1, 2, 3, 7] {
            let mut by_path = problem.clone();
            let solver = GaussSeidel::new(Order::Coloured, Stop::Sweeps(5)).window(WINDOW);
            solver.path(path).threads(&Threads::new(threads)).solve(&mut by_path, Seed(1), 0);
            assert_eq!(bits(&by_path), bits(&by_one), "{path:?} on {threads} threads");
            let mut quickly = problem.clone();
            let solver = Accelerated::new(Stop::Sweeps(30)).window(WINDOW);
            let solution = solver.path(path).threads(&Threads::new(threads)).solve(&mut quickly, Seed(1), 0);
            let bits = (bits(&quickly), solution.residual.to_bits(), solution.force_error.map(f64::to_bits));
            assert_eq!(accelerated.get_or_insert_with(|| bits.clone()), &bits, "{path:?} on {threads} threads");
        }
    }
}

#[test]
fn every_path_on_any_number_of_threads_leads_to_the_same_bits() {
    every_path_is_one_contact_after_the_other::<Line>(300);
    every_path_is_one_contact_after_the_other::<Plane>(300);
    every_path_is_one_contact_after_the_other::<Space>(500);
}
