//! Determinism: equal seeds give equal bits, on any number of threads and after a restart.

use crate::scenes::{boxed, cloud, run, sweeping};
use hardgrain::{
    Accelerated, Cell, ContactDynamics, Dimension, GaussSeidel, Line, Order, Packing, Path, Plane, Space, Stop,
    Surface, Threads,
};
use std::thread;

const SURFACE: Surface = Surface::rough(0.4).bouncing(0.3);

fn hash<D: Dimension>(mut packing: Packing<D>, order: Order, seed: u64) -> u64 {
    run(&mut sweeping(0.1, order, 7).seed(seed), &mut packing, 40);
    packing.state_hash()
}

fn same_bits<D: Dimension>(side: usize) {
    for order in Order::ALL {
        let scene = || boxed::<D>(side, 1, SURFACE);
        let alone = hash(scene(), order, 1);
        assert_eq!(alone, hash(scene(), order, 1));
        assert_eq!(
            alone != hash(scene(), order, 2),
            order.is_random(),
            "{order:?}: only random orders depend on the seed"
        );
        for threads in [1, 2, 7] {
            let hashes: Vec<u64> = thread::scope(|scope| {
                let started: Vec<_> = (0..threads).map(|_| scope.spawn(|| hash(scene(), order, 1))).collect();
                started.into_iter().map(|thread| thread.join().unwrap()).collect()
            });
            assert!(hashes.iter().all(|&hash| hash == alone), "{order:?} on {threads} threads");
        }
    }
}

#[test]
fn equal_seeds_equal_bits_on_any_number_of_threads() {
    same_bits::<Line>(12);
    same_bits::<Plane>(5);
    same_bits::<Space>(3);
}

/// With enough grains for many windows and blocks, and for a Morton curve.
fn large_packings_have_the_same_bits<D: Dimension>(side: usize) {
    let mut scene = boxed::<D>(side, 1, SURFACE);
    assert!(scene.grains.len() > 10_000, "{}", scene.grains.len());
    // Denser, so that most touch.
    scene.grains.iter_mut().for_each(|grain| grain.position = grain.position * 0.83);
    let hash = |order: Order, path: Path, threads: usize| {
        let threads = Threads::new(threads);
        let solver = GaussSeidel::new(order, Stop::Sweeps(4)).path(path).threads(&threads);
        let mut packing = scene.clone();
        let mut engine = ContactDynamics::new(0.005, solver).threads(&threads);
        run(&mut engine, &mut packing, 2);
        assert!(engine.pairs().len() > 10_000 && packing.memory.len() > 1_000, "{} pairs", engine.pairs().len());
        packing.state_hash()
    };
    for order in Order::ALL {
        let alone = hash(order, Path::Portable, 1);
        for threads in [2, 3, 7] {
            assert_eq!(alone, hash(order, Path::best(), threads), "{order:?} on {threads} threads");
        }
        for path in Path::ALL.into_iter().filter(|path| order == Order::Coloured && path.is_available()) {
            assert_eq!(alone, hash(order, path, 1), "{path:?}");
        }
    }
}

#[test]
fn a_large_packing_has_the_same_bits_on_any_number_of_threads_and_any_path() {
    large_packings_have_the_same_bits::<Line>(10_500);
    large_packings_have_the_same_bits::<Plane>(101);
    large_packings_have_the_same_bits::<Space>(22);
}

#[test]
fn accelerated_sweeps_have_the_same_bits_on_any_number_of_threads_and_any_path() {
    let mut scene = boxed::<Plane>(101, 1, SURFACE);
    scene.grains.iter_mut().for_each(|grain| grain.position = grain.position * 0.83);
    let engine = |path: Path, threads: usize| {
        let threads = Threads::new(threads);
        let solver = Accelerated::new(Stop::Tolerance { tolerance: 0.1, max_sweeps: 40 }).path(path).threads(&threads);
        ContactDynamics::new(0.005, solver).threads(&threads)
    };
    let mut alone = scene.clone();
    run(&mut engine(Path::Portable, 1), &mut alone, 4);
    for (path, threads) in [(Path::Portable, 2), (Path::best(), 1), (Path::best(), 3), (Path::Avx2, 7)] {
        // A new engine takes over after half of the steps.
        let mut packing = scene.clone();
        run(&mut engine(path, threads), &mut packing, 2);
        run(&mut engine(path, threads), &mut packing, 2);
        assert_eq!(alone.state_hash(), packing.state_hash(), "{path:?} on {threads} threads");
    }
}

#[test]
fn a_curve_made_by_a_new_engine_is_the_same() {
    let mut whole = boxed::<Plane>(101, 1, SURFACE);
    for order in [Order::Coloured, Order::RandomBlocks] {
        let mut parts = whole.clone();
        run(&mut sweeping(0.005, order, 4), &mut whole, 4);
        run(&mut sweeping(0.005, order, 4), &mut parts, 2);
        run(&mut sweeping(0.005, order, 4), &mut parts, 2);
        assert_eq!(whole.state_hash(), parts.state_hash(), "{order:?}");
    }
}

#[test]
fn different_initial_states_have_different_hashes() {
    let one = cloud::<Plane>(4, 1, SURFACE);
    let mut other = one.clone();
    assert_eq!(one.state_hash(), other.state_hash());
    other.grains[3].spin.0[0] += 1e-15;
    assert_ne!(one.state_hash(), other.state_hash());
}

fn restarts_with_the_same_bits<D: Dimension>(side: usize, cell: Cell<D>) {
    for order in Order::ALL {
        let mut whole = cloud::<D>(side, 2, SURFACE);
        whole.cell = cell;
        let mut first = whole.clone();
        run(&mut sweeping(0.1, order, 7), &mut whole, 60);
        run(&mut sweeping(0.1, order, 7), &mut first, 30);
        // All state is in the packing: a new engine takes over.
        let mut second = first.clone();
        drop(first);
        run(&mut sweeping(0.1, order, 7), &mut second, 30);
        assert_eq!(whole.state_hash(), second.state_hash(), "{order:?}");
        assert_eq!(whole, second);
    }
}

#[test]
fn a_new_engine_continues_bit_for_bit() {
    restarts_with_the_same_bits::<Line>(12, Cell::open());
    let periodic = Cell::open().periodic(1, -3.0, 3.0).unwrap();
    restarts_with_the_same_bits::<Plane>(5, periodic);
    restarts_with_the_same_bits::<Space>(3, Cell::open());
}

#[test]
fn crossing_the_periodic_cell_does_not_forget_reactions() {
    // Two discs pressed together cross the edge of the cell without a change of their contact.
    let pressed = |cell: Cell<Plane>| {
        let mut packing = Packing::<Plane>::new();
        packing.cell = cell;
        for (x, force) in [(8.0, 1.0), (9.0, -1.0)] {
            let grain = hardgrain::Grain::new([x, 1.0], 0.5).velocity([0.05, 0.0]).force([force, 0.0]);
            packing.add(grain).unwrap();
        }
        let mut engine = sweeping(0.5, Order::RandomSweep, 1);
        let mut reactions = Vec::new();
        for _ in 0..200 {
            run(&mut engine, &mut packing, 1);
            reactions.push((packing.memory[0].identity, packing.memory[0].reaction.normal));
        }
        (reactions, packing)
    };
    let (open, _) = pressed(Cell::open());
    let (periodic, packing) = pressed(Cell::open().periodic(0, 0.0, 10.0).unwrap());
    assert!(packing.grains.iter().all(|grain| grain.turns[0] == 1), "both crossed once");
    for ((identity, reaction), (same, expected)) in periodic.iter().zip(&open) {
        assert_eq!(identity, same);
        assert!((reaction - expected).abs() < 1e-10, "{reaction} {expected}");
    }
}
