//! The solvers and engines that a scene asks for.

use hardgrain::{Accelerated, ContactDynamics, Dimension, GaussSeidel, Pooling, Threads};
use hardgrain_io::scene::{Numerics, SolverKind};
use hardgrain_rigid::Rigid;

/// The engine of a stage with rigid grains.
pub(crate) fn engine<D: Dimension>(numerics: &Numerics, seed: u64, threads: &Threads) -> ContactDynamics<D> {
    let step = numerics.step;
    let engine = match numerics.solver.kind {
        SolverKind::GaussSeidel(order, stop) => {
            ContactDynamics::new(step, GaussSeidel::new(order, stop).threads(threads))
        }
        SolverKind::Accelerated(stop) => ContactDynamics::new(step, Accelerated::new(stop).threads(threads)),
        SolverKind::Rigid { tolerance, max_sweeps } => {
            ContactDynamics::new(step, Rigid::new(tolerance, max_sweeps).threads(threads))
        }
        SolverKind::Pooling => ContactDynamics::new(step, Pooling),
        SolverKind::Soft(_) => unreachable!("soft grains have an engine of their own"),
    };
    let mut engine = engine.threads(threads).seed(seed).shock(numerics.solver.shock);
    engine.warm_start = numerics.solver.warm;
    engine.rest_speed = numerics.rest_speed;
    engine
}
