//! What a warm step of the rigid solver takes besides arithmetic: time and memory with the order of elimination known from the step
//! before, and with that found anew. `cargo run --release --manifest-path benches/Cargo.toml --bin steps`.
//!
//! The step is one of a packing at rest whose load was raised by 1 %. Packings are prepared first, which takes minutes; with
//! `HARDGRAIN_PACKINGS=DIR` they are kept there.

use divan::{AllocProfiler, Bencher, black_box};
use hardgrain::{Dimension, Engine, GaussSeidel, Order, Plane, Problem, Seed, Solver, Space, Stop};
use hardgrain_lab::PackingSettings;
use hardgrain_rigid::Rigid;

#[global_allocator]
static MEMORY: AllocProfiler = AllocProfiler::system();

const TOLERANCE: f64 = 1e-8;
const MAX_SWEEPS: u32 = 20_000;

fn main() {
    divan::main();
}

/// Before it is solved: the step in which grains begin to weigh a hundredth of the load. Packings have two sizes.
fn warm<D: Dimension>(size: &str) -> Problem<D> {
    let (dimension, sizes) = if D::AXES == 2 { (2, [1000, 5000]) } else { (3, [500, 1000]) };
    let grains = sizes[usize::from(size == "large")];
    let settings = PackingSettings { grains, dimension, friction: 0.5, periodic: true, ..PackingSettings::default() };
    let mut packing = benches::packing::<D>(&settings);
    let (mut engine, last) = benches::recording(1.0, Rigid::new(TOLERANCE, MAX_SWEEPS));
    let (push, mass) = (&packing.pistons[0], packing.grains.iter().map(|grain| grain.mass).sum::<f64>());
    let weight = push.normal * (0.01 * push.force / mass);
    for share in [0.0, 0.0, 1.0] {
        packing.gravity = weight * share;
        engine.step(&mut packing).expect("a step");
    }
    last().0
}

/// The first of these finds the order; they are timed from the second on.
#[divan::bench(types = [Plane, Space], args = ["small", "large"], sample_count = 15, sample_size = 1)]
fn order_known<D: Dimension>(bencher: Bencher, size: &str) {
    let problem = warm::<D>(size);
    let mut rigid = Rigid::new(TOLERANCE, MAX_SWEEPS);
    Solver::<D>::solve(&mut rigid, &mut problem.clone(), Seed(0), 0);
    bencher.with_inputs(|| problem.clone()).bench_local_refs(|own| {
        black_box(Solver::<D>::solve(&mut rigid, own, Seed(0), 0));
    });
    assert_eq!(rigid.orders(), 1, "who touches whom has not changed");
}

#[divan::bench(types = [Plane, Space], args = ["small", "large"], sample_count = 15, sample_size = 1)]
fn order_new<D: Dimension>(bencher: Bencher, size: &str) {
    let problem = warm::<D>(size);
    bencher.with_inputs(|| (problem.clone(), Rigid::new(TOLERANCE, MAX_SWEEPS))).bench_local_refs(|(own, rigid)| {
        black_box(Solver::<D>::solve(rigid, own, Seed(0), 0));
    });
}

#[divan::bench(types = [Plane, Space], args = ["small", "large"], sample_count = 15, sample_size = 1)]
fn hundred_sweeps<D: Dimension>(bencher: Bencher, size: &str) {
    let problem = warm::<D>(size);
    let mut plain: GaussSeidel<D> = GaussSeidel::new(Order::Forward, Stop::Sweeps(100));
    bencher.with_inputs(|| problem.clone()).bench_local_refs(|own| {
        black_box(Solver::<D>::solve(&mut plain, own, Seed(0), 0));
    });
}
