//! The scenes of the law tests, in memory, with every solver and order.

use super::{DigestRows, Job, instruction_set};
use hardgrain::soft::{SoftGrains, Spring, Springs};
use hardgrain::{
    Accelerated, ContactDynamics, Dimension, Engine, GaussSeidel, Line, Order, Packing, Plane, Pooling, Solver, Space,
    Stop, Surface, Threads,
};
use hardgrain_rigid::Rigid;
use std::path::Path;

#[path = "../../../hardgrain/tests/laws/scenes.rs"]
#[allow(dead_code, reason = "the law tests use all of it")]
mod scenes;

const SURFACE: Surface = Surface::rough(0.4).bouncing(0.3);

/// Steps of each, and the sweeps of a step.
const STEPS: usize = 60;
const SWEEPS: u32 = 7;
/// Steps of the rigid solver.
const RIGID_STEPS: usize = 20;
/// Steps of soft grains, and their length.
const SOFT_STEP: f64 = 0.01;
const SOFT_STEPS: usize = 200;

/// One job for each scene.
pub(super) fn jobs<'a>() -> Vec<Job<'a>> {
    let mut jobs = vec![
        job("law chain", 1.0, || scenes::chain(30, 0.5, 0.05), on_a_line),
        job("law cloud on a line", 0.1, || scenes::cloud::<Line>(12, 1, SURFACE), on_a_line),
        job("law box on a line", 0.1, || scenes::boxed::<Line>(12, 1, SURFACE), on_a_line),
        job("law column on a line", 0.01, || scenes::column::<Line>(12), on_a_line),
    ];
    jobs.extend(in_dimension::<Plane>("the plane", 5));
    jobs.extend(in_dimension::<Space>("space", 3));
    jobs.extend([blocks::<Line>("on a line", 2600), blocks::<Plane>("in the plane", 26)]);
    jobs
}

/// A crowd with a Morton curve, whose contacts make several random blocks.
fn blocks<'a, D: Dimension>(place: &'static str, side: usize) -> Job<'a> {
    Box::new(move |_: &Path| {
        let solver = |threads: &Threads| GaussSeidel::new(Order::RandomBlocks, Stop::Sweeps(2)).threads(threads);
        let digest = state(0.005, solver, &crowd::<D>(side), 3)?;
        Ok(DigestRows::from([(format!("law big crowd {place} random-blocks"), digest)]))
    })
}

fn in_dimension<'a, D: Dimension>(place: &str, side: usize) -> Vec<Job<'a>> {
    let none = |_: &mut DigestRows, _: &str, _: f64, _: &Packing<D>| Ok(());
    vec![
        job(&format!("law cloud in {place}"), 0.1, move || scenes::cloud::<D>(side, 1, SURFACE), none),
        job(&format!("law box in {place}"), 0.1, move || scenes::boxed::<D>(side, 1, SURFACE), soft),
        // So near that most of them touch, and many enough for threads.
        job(&format!("law crowd in {place}"), 0.005, move || crowd::<D>(side), soft),
        job(&format!("law column in {place}"), 0.01, || scenes::column::<D>(12), none),
    ]
}

fn crowd<D: Dimension>(side: usize) -> Packing<D> {
    let mut packing = scenes::boxed::<D>(4 * side, 1, SURFACE);
    packing.grains.iter_mut().for_each(|grain| grain.position = grain.position * 0.83);
    packing
}

/// The exact solver, where it applies.
fn on_a_line(rows: &mut DigestRows, name: &str, step: f64, packing: &Packing<Line>) -> Result<(), String> {
    rows.insert(format!("{name} pooling"), state(step, |_| Pooling, packing, STEPS)?);
    Ok(())
}

/// Springs of every kind in place of rigid contacts.
fn soft<D: Dimension>(rows: &mut DigestRows, name: &str, _: f64, packing: &Packing<D>) -> Result<(), String> {
    let springs = Springs::new(Spring::normal(25.0, 0.4).tangent(8.0, 0.13));
    let linear = SoftGrains::new(SOFT_STEP, springs.clone());
    let hertz = SoftGrains::new(SOFT_STEP, springs.hertz());
    for (kind, engine) in [("soft", linear.clone()), ("soft Hertz", hertz), ("soft bonded", linear.bonded())] {
        rows.insert(
            format!("{name} {kind}"),
            engine_state(|threads| engine.clone().threads(threads), packing, SOFT_STEPS)?,
        );
    }
    Ok(())
}

fn job<'a, D: Dimension>(
    name: &str,
    step: f64,
    scene: impl Fn() -> Packing<D> + Send + Sync + 'a,
    more: impl Fn(&mut DigestRows, &str, f64, &Packing<D>) -> Result<(), String> + Send + Sync + 'a,
) -> Job<'a> {
    let name = name.to_owned();
    Box::new(move |_: &Path| {
        let packing = scene();
        let mut rows = DigestRows::new();
        for order in Order::ALL {
            let solver = |threads: &Threads| GaussSeidel::new(order, Stop::Sweeps(SWEEPS)).threads(threads);
            rows.insert(format!("{name} {}", order.name()), state(step, solver, &packing, STEPS)?);
        }
        let stop = Stop::Tolerance { tolerance: 1e-3, max_sweeps: 1000 };
        let solver = |threads: &Threads| Accelerated::new(stop).threads(threads);
        rows.insert(format!("{name} accelerated"), state(step, solver, &packing, STEPS)?);
        if packing.grains.len() < 1000 {
            let rigid = state(step, |_| Rigid::new(1e-8, 1000), &packing, RIGID_STEPS)?;
            rows.insert(format!("{name} rigid {}", instruction_set()), rigid);
        }
        more(&mut rows, &name, step, &packing)?;
        Ok(rows)
    })
}

/// The state after some steps with a solver.
fn state<D: Dimension, S: Solver<D> + 'static>(
    step: f64,
    solver: impl Fn(&Threads) -> S,
    packing: &Packing<D>,
    steps: usize,
) -> Result<String, String> {
    engine_state(|threads| ContactDynamics::new(step, solver(threads)).seed(1).threads(threads), packing, steps)
}

/// The state after some steps, on one thread and on two.
fn engine_state<D: Dimension, E: Engine<D>>(
    engine: impl Fn(&Threads) -> E,
    packing: &Packing<D>,
    steps: usize,
) -> Result<String, String> {
    let mut hashes = [0; 2];
    for (hash, count) in hashes.iter_mut().zip([1, 2]) {
        let (mut engine, mut packing) = (engine(&Threads::new(count)), packing.clone());
        for _ in 0..steps {
            engine.step(&mut packing).map_err(|error| error.to_string())?;
        }
        *hash = packing.state_hash();
    }
    if hashes[0] != hashes[1] {
        return Err(format!("one thread {:016x}, two threads {:016x}", hashes[0], hashes[1]));
    }
    Ok(format!("state {:016x}", hashes[0]))
}
