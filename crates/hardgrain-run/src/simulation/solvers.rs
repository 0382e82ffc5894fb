//! The solvers and engines that a scene asks for.

use hardgrain::{Accelerated, ContactDynamics, Dimension, GaussSeidel, Line, Pooling, Threads};
use hardgrain_io::scene::{Numerics, SolverKind};
use hardgrain_rigid::Rigid;

/// Builds an engine of rigid grains from a time step, a solver and threads.
pub(crate) type MakeEngine<D> = fn(f64, SolverKind, &Threads) -> ContactDynamics<D>;

/// The solvers that work in any dimension.
pub(crate) fn sweeping<D: Dimension>(step: f64, kind: SolverKind, threads: &Threads) -> ContactDynamics<D> {
    let engine = match kind {
        SolverKind::GaussSeidel(order, stop) => {
            ContactDynamics::new(step, GaussSeidel::new(order, stop).threads(threads))
        }
        SolverKind::Accelerated(stop) => ContactDynamics::new(step, Accelerated::new(stop).threads(threads)),
        SolverKind::Rigid { tolerance, max_sweeps } => {
            ContactDynamics::new(step, Rigid::new(tolerance, max_sweeps).threads(threads))
        }
        SolverKind::Pooling => unreachable!("a scene that pools off the line is refused"),
        SolverKind::Soft(_) => unreachable!("soft grains have an engine of their own"),
    };
    engine.threads(threads)
}

/// In one dimension there is also pooling, an exact solver.
pub(crate) fn on_line(step: f64, kind: SolverKind, threads: &Threads) -> ContactDynamics<Line> {
    match kind {
        SolverKind::Pooling => ContactDynamics::new(step, Pooling).threads(threads),
        other => sweeping(step, other, threads),
    }
}

/// The engine of a stage with rigid grains.
pub(crate) fn engine<D: Dimension>(
    make: MakeEngine<D>,
    numerics: &Numerics,
    seed: u64,
    threads: &Threads,
) -> ContactDynamics<D> {
    let engine = make(numerics.step, numerics.solver.kind, threads);
    let mut engine = engine.seed(seed).shock(numerics.solver.shock);
    engine.warm_start = numerics.solver.warm;
    engine.rest_speed = numerics.rest_speed;
    engine
}
