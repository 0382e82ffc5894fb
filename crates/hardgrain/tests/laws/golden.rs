//! How many sweeps known problems take, the residual they leave and the bits of their answer: a change of any constant of `AcceleratedTuning`, and of those of
//! `SweepTuning` that order contacts or inspect answers, shows here. A change that is meant renews the table.

use crate::accelerated::{cloud_that_meets, frozen, pressed, solved, to};
use crate::scenes::{chain, column};
use hardgrain::{
    Accelerated, Components, ContactDynamics, Dimension, Engine, GaussSeidel, Grain, Line, Order, Packing, Plane,
    Problem, Solver, Space, Stop, Surface, Wall,
};
use std::fmt::Write;

/// The sweeps and the residual of each solve.
struct Table(String);

impl Table {
    fn solve<D: Dimension>(&mut self, name: &str, problem: &Problem<D>, solver: impl Solver<D>) {
        let (answer, solution) = solved(problem, solver);
        let (sweeps, residual, error) = (solution.sweeps, solution.residual, solution.force_error.unwrap_or(0.0));
        let contacts = problem.rows.len();
        writeln!(
            self.0,
            "{name}: {contacts} contacts, {sweeps} sweeps, {residual:.2e} {error:.2e} {:08x}",
            digest(&answer)
        )
        .unwrap();
    }

    /// The rows of a table that is written down, and those found.
    fn is(&self, known: &str) {
        let rows =
            |text: &str| text.lines().map(str::trim).filter(|row| !row.is_empty()).collect::<Vec<_>>().join("\n");
        assert_eq!(rows(&self.0), rows(known), "found:\n{}", self.0);
    }
}

/// A digest of all impulses, to their last bits: FNV-1a over words.
fn digest<D: Dimension>(problem: &Problem<D>) -> u32 {
    let impulses = problem.rows.iter().map(|row| row.impulse);
    let numbers = impulses.flat_map(|impulse| [impulse.normal].into_iter().chain(impulse.tangent.as_slice().to_vec()));
    numbers.map(f64::to_bits).fold(0x811c_9dc5, |digest: u32, bits| {
        let halves = [bits >> 32, bits & 0xffff_ffff].map(|half| u32::try_from(half).unwrap());
        halves.into_iter().fold(digest, |digest, half| (digest ^ half).wrapping_mul(0x0100_0193).rotate_left(7))
    })
}

/// The problem of a step whose bodies have places along a Morton curve.
fn along_the_curve<D: Dimension>(packing: &Packing<D>) -> Problem<D> {
    let mut engine = ContactDynamics::new(0.1, GaussSeidel::new(Order::Coloured, Stop::Sweeps(1))).cold_start();
    engine.step(&mut packing.clone()).unwrap();
    engine.problem().clone()
}

/// Spheres in a cubic lattice on a floor, under gravity.
fn lattice(side: u32) -> Packing<Space> {
    let mut packing = Packing::new();
    packing.gravity = [0.1, 0.2, -1.0].into();
    packing.materials.set_default(Surface::rough(0.3)).unwrap();
    packing.add_wall(Wall::new([0.0; 3], [0.0, 0.0, 1.0])).unwrap();
    for index in 0..side.pow(3) {
        let place = [index % side, index / side % side, index / side / side].map(|cell| 0.5 + f64::from(cell));
        packing.add(Grain::new(place, 0.5).mass(1.0)).unwrap();
    }
    packing
}

#[test]
fn accelerated_sweeps_are_as_many_as_ever() {
    let mut table = Table(String::new());
    table.solve("few contacts of a column", &frozen(&column::<Line>(30)), Accelerated::new(to(1e-8)));
    table.solve("a chain", &frozen(&chain(200, 0.0, 1.0)), Accelerated::new(to(1e-6)));
    table.solve("a long chain", &frozen(&chain(600, 0.0, 1.0)), Accelerated::new(to(1e-3)));
    let stuck = frozen(&column::<Plane>(100));
    table.solve("discs that stick", &stuck, Accelerated::new(to(1e-6)));
    for (side, seed) in [(5, 1), (5, 2), (9, 1), (9, 2), (16, 3)] {
        let sliding = frozen(&pressed::<Plane>(side, seed));
        table.solve("discs that slide", &sliding, Accelerated::new(to(1e-6)));
        table.solve("discs that slide, roughly", &sliding, Accelerated::new(to(3e-2)));
    }
    let many = frozen(&pressed::<Plane>(20, 1));
    table.solve("many discs that slide, roughly", &many, Accelerated::new(to(3e-2)));
    for (side, seed) in [(3, 1), (6, 1), (7, 2)] {
        let sliding = frozen(&pressed::<Space>(side, seed));
        table.solve("spheres that slide", &sliding, Accelerated::new(to(1e-6)));
    }
    table.solve("discs that meet", &frozen(&cloud_that_meets::<Plane>(16, 1)), Accelerated::new(to(1e-6)));
    table.solve("spheres that meet", &frozen(&cloud_that_meets::<Space>(6, 1)), Accelerated::new(to(1e-6)));
    let sliding = frozen(&pressed::<Plane>(16, 1));
    for max_sweeps in [30, 100, 300] {
        let stop = Stop::Tolerance { tolerance: 1e-12, max_sweeps };
        table.solve("sweeps exhausted", &sliding, Accelerated::new(stop));
        table.solve("a number of sweeps", &sliding, Accelerated::new(Stop::Sweeps(max_sweeps)));
    }
    table.is(ACCELERATED);
}

#[test]
fn plain_sweeps_are_as_many_as_ever() {
    let mut table = Table(String::new());
    let discs = along_the_curve(&pressed::<Plane>(9, 1));
    let stop = Stop::Tolerance { tolerance: 1e-6, max_sweeps: 20_000 };
    for order in Order::ALL {
        table.solve(order.name(), &discs, GaussSeidel::new(order, stop));
    }
    table.solve(
        "sweeps exhausted",
        &discs,
        GaussSeidel::new(Order::Forward, Stop::Tolerance { tolerance: 1e-6, max_sweeps: 10 }),
    );
    let (line, space) = (frozen(&chain(3000, 0.0, 1.0)), along_the_curve(&lattice(24)));
    let stop = Stop::Tolerance { tolerance: 0.02, max_sweeps: 1000 };
    for order in [Order::Coloured, Order::RandomBlocks] {
        table.solve(order.name(), &line, GaussSeidel::new(order, stop));
        table.solve(order.name(), &space, GaussSeidel::new(order, stop));
    }
    table.is(PLAIN);
}

const ACCELERATED: &str = "
    few contacts of a column: 30 contacts, 904 sweeps, 8.03e-14 2.64e-9 e2fa2c8f
    a chain: 200 contacts, 2998 sweeps, 1.28e-13 1.87e-7 89b7b998
    a long chain: 600 contacts, 5904 sweeps, 4.02e-11 5.28e-4 80f119a2
    discs that stick: 100 contacts, 2885 sweeps, 1.60e-10 5.84e-7 4cc3291d
    discs that slide: 56 contacts, 502 sweeps, 3.22e-10 4.23e-7 d653a4bf
    discs that slide, roughly: 56 contacts, 144 sweeps, 1.33e-5 1.75e-2 611a652b
    discs that slide: 50 contacts, 446 sweeps, 1.47e-10 1.93e-7 186ffc9b
    discs that slide, roughly: 50 contacts, 114 sweeps, 1.17e-5 5.79e-3 bed0a77a
    discs that slide: 186 contacts, 1846 sweeps, 7.42e-11 2.71e-7 2d5c129a
    discs that slide, roughly: 186 contacts, 178 sweeps, 2.82e-5 1.68e-2 148d9e7a
    discs that slide: 204 contacts, 1341 sweeps, 1.47e-11 5.35e-8 0a123ee0
    discs that slide, roughly: 204 contacts, 178 sweeps, 1.29e-4 2.87e-2 230e0da0
    discs that slide: 699 contacts, 1809 sweeps, 4.27e-13 4.51e-9 af77e066
    discs that slide, roughly: 699 contacts, 414 sweeps, 3.22e-6 8.04e-3 2a4d9979
    many discs that slide, roughly: 1268 contacts, 2193 sweeps, 1.01e-6 1.63e-2 6b5096f0
    spheres that slide: 76 contacts, 201 sweeps, 1.60e-9 9.33e-7 056c92d9
    spheres that slide: 843 contacts, 465 sweeps, 2.90e-10 5.18e-7 0450c205
    spheres that slide: 1499 contacts, 340 sweeps, 2.48e-10 5.79e-7 03e1e81e
    discs that meet: 590 contacts, 100 sweeps, 1.00e-10 9.36e-7 b5cb766c
    spheres that meet: 537 contacts, 88 sweeps, 1.24e-10 1.63e-7 8b23f3ae
    sweeps exhausted: 688 contacts, 30 sweeps, 1.59e-2 1.68e2 9f19f7c3
    a number of sweeps: 688 contacts, 30 sweeps, 1.59e-2 1.68e2 7b9b0583
    sweeps exhausted: 688 contacts, 100 sweeps, 1.27e-3 6.69e-1 debec3ff
    a number of sweeps: 688 contacts, 100 sweeps, 9.36e-4 1.00e0 14b76ae6
    sweeps exhausted: 688 contacts, 300 sweeps, 3.68e-4 1.45e-1 4a540d5d
    a number of sweeps: 688 contacts, 300 sweeps, 1.05e-4 1.00e0 b3ea9b5e
";

const PLAIN: &str = "
    parallel: 186 contacts, 4036 sweeps, 9.05e-7 0.00e0 f6524704
    random-sweep: 186 contacts, 1411 sweeps, 9.71e-7 0.00e0 3e44203e
    random-blocks: 186 contacts, 1411 sweeps, 9.71e-7 0.00e0 3e44203e
    random-sequential: 186 contacts, 1411 sweeps, 8.17e-7 0.00e0 25b0c677
    forward: 186 contacts, 2276 sweeps, 7.52e-7 0.00e0 527a1245
    symmetric: 186 contacts, 3335 sweeps, 8.74e-7 0.00e0 90fd529a
    coloured: 186 contacts, 1880 sweeps, 7.56e-7 0.00e0 142f4ee7
    sweeps exhausted: 186 contacts, 10 sweeps, 3.11e-2 0.00e0 3d243d8e
    coloured: 3000 contacts, 16 sweeps, 1.92e-2 0.00e0 3022a29d
    coloured: 40320 contacts, 26 sweeps, 1.88e-2 0.00e0 0d4d0353
    random-blocks: 3000 contacts, 20 sweeps, 1.77e-2 0.00e0 a2bec13a
    random-blocks: 40320 contacts, 32 sweeps, 1.91e-2 0.00e0 0d40787a
";
