//! What a warm step of the rigid solver takes besides arithmetic: time and memory with the order of elimination known from the step
//! before, and with that found anew. `cargo run --release --manifest-path benches/Cargo.toml --bin steps`.
//!
//! The step is one of a packing at rest whose load was raised by 1 %. Packings are prepared first, which takes minutes; with
//! `HARDGRAIN_PACKINGS=DIR` they are kept there.

use divan::{AllocProfiler, Bencher, black_box};
use hardgrain::{
    ContactDynamics, Dimension, Engine, GaussSeidel, Order, Plane, Problem, Seed, Solution, Solver, Space, Stop,
};
use hardgrain_lab::{PackingCache, PackingSettings, Unwatched};
use hardgrain_rigid::Rigid;
use std::sync::{Arc, Mutex};

#[global_allocator]
static MEMORY: AllocProfiler = AllocProfiler::system();

const TOLERANCE: f64 = 1e-8;
const MAX_SWEEPS: u32 = 20_000;
/// Discs, and spheres.
const DISCS: [u32; 2] = [1000, 5000];
const SPHERES: [u32; 2] = [500, 1000];

fn main() {
    divan::main();
}

/// Keeps the last problem as it was before it was solved.
#[derive(Debug)]
struct Noting<D: Dimension> {
    inner: Rigid<D>,
    seen: Arc<Mutex<Option<Problem<D>>>>,
}

impl<D: Dimension> Solver<D> for Noting<D> {
    fn solve(&mut self, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution {
        *self.seen.lock().expect("nobody else holds it") = Some(problem.clone());
        self.inner.solve(problem, seed, step)
    }
}

/// Before it is solved: the step in which grains begin to weigh a hundredth of the load.
fn warm<D: Dimension>(grains: u32) -> Problem<D> {
    let dimension = u32::try_from(D::AXES).expect("few");
    let settings = PackingSettings { grains, dimension, friction: 0.5, periodic: true, ..PackingSettings::default() };
    let cache = PackingCache::new(std::env::var_os("HARDGRAIN_PACKINGS").map(Into::into));
    let mut packing = cache.packing::<D>(&settings, &Unwatched).expect("it comes to rest").packing;
    let seen = Arc::new(Mutex::new(None));
    let noting = Noting { inner: Rigid::new(TOLERANCE, MAX_SWEEPS), seen: Arc::clone(&seen) };
    let mut engine: ContactDynamics<D> = ContactDynamics::new(1.0, noting);
    let (push, mass) = (&packing.pistons[0], packing.grains.iter().map(|grain| grain.mass).sum::<f64>());
    let weight = push.normal * (0.01 * push.force / mass);
    for share in [0.0, 0.0, 1.0] {
        packing.gravity = weight * share;
        engine.step(&mut packing).expect("a step");
    }
    seen.lock().expect("nobody else holds it").take().expect("a problem")
}

/// The first of these finds the order; they are timed from the second on.
fn with_order_known<D: Dimension>(bencher: Bencher, grains: u32) {
    let problem = warm::<D>(grains);
    let mut rigid = Rigid::new(TOLERANCE, MAX_SWEEPS);
    Solver::<D>::solve(&mut rigid, &mut problem.clone(), Seed(0), 0);
    bencher.with_inputs(|| problem.clone()).bench_local_refs(|own| {
        black_box(Solver::<D>::solve(&mut rigid, own, Seed(0), 0));
    });
    assert_eq!(rigid.orders(), 1, "who touches whom has not changed");
}

fn with_order_new<D: Dimension>(bencher: Bencher, grains: u32) {
    let problem = warm::<D>(grains);
    bencher.with_inputs(|| (problem.clone(), Rigid::new(TOLERANCE, MAX_SWEEPS))).bench_local_refs(|(own, rigid)| {
        black_box(Solver::<D>::solve(rigid, own, Seed(0), 0));
    });
}

fn by_plain_sweeps<D: Dimension>(bencher: Bencher, grains: u32) {
    let problem = warm::<D>(grains);
    let mut plain: GaussSeidel<D> = GaussSeidel::new(Order::Forward, Stop::Sweeps(100));
    bencher.with_inputs(|| problem.clone()).bench_local_refs(|own| {
        black_box(Solver::<D>::solve(&mut plain, own, Seed(0), 0));
    });
}

#[divan::bench(args = DISCS, sample_count = 15, sample_size = 1)]
fn discs_order_known(bencher: Bencher, grains: u32) {
    with_order_known::<Plane>(bencher, grains);
}

#[divan::bench(args = DISCS, sample_count = 15, sample_size = 1)]
fn discs_order_new(bencher: Bencher, grains: u32) {
    with_order_new::<Plane>(bencher, grains);
}

#[divan::bench(args = DISCS, sample_count = 15, sample_size = 1)]
fn discs_hundred_sweeps(bencher: Bencher, grains: u32) {
    by_plain_sweeps::<Plane>(bencher, grains);
}

#[divan::bench(args = SPHERES, sample_count = 15, sample_size = 1)]
fn spheres_order_known(bencher: Bencher, grains: u32) {
    with_order_known::<Space>(bencher, grains);
}

#[divan::bench(args = SPHERES, sample_count = 15, sample_size = 1)]
fn spheres_order_new(bencher: Bencher, grains: u32) {
    with_order_new::<Space>(bencher, grains);
}

#[divan::bench(args = SPHERES, sample_count = 15, sample_size = 1)]
fn spheres_hundred_sweeps(bencher: Bencher, grains: u32) {
    by_plain_sweeps::<Space>(bencher, grains);
}
