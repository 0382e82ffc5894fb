//! The solvers and engines that a scene asks for: how each is made, what it costs, and which springs it imitates. A new one needs
//! an arm in each function here, and in the methods of `SolverKind`.

use hardgrain::{Accelerated, ContactDynamics, Dimension, GaussSeidel, Order, Pooling, Stop, Threads};
use hardgrain_io::scene::{Numerics, SoftPlan, SolverKind};
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

/// Plain sweeps that cost as much as a step, without what else it does; `None` for soft grains, which make none. An upper bound
/// where the solver stops at a tolerance.
pub(crate) fn sweeps_per_step(kind: SolverKind, axes: usize, grains: f64) -> Option<f64> {
    let sweeps = match kind {
        SolverKind::GaussSeidel(_, Stop::Sweeps(sweeps)) => f64::from(sweeps),
        SolverKind::GaussSeidel(_, Stop::Tolerance { max_sweeps, .. }) => f64::from(max_sweeps).min(200.0),
        // An accelerated sweep costs two plain ones; smooth motion needs some 50 per step.
        SolverKind::Accelerated(Stop::Sweeps(sweeps)) => 2.0 * f64::from(sweeps),
        SolverKind::Accelerated(Stop::Tolerance { max_sweeps, .. }) => 2.0 * f64::from(max_sweeps).min(50.0),
        // A step with motion takes some ten factorisations of some 60 sweeps each, or in space some hundred sweeps per grain
        // along an edge; a step with so much sliding that it falls back to sweeps takes some 200 factorisations.
        SolverKind::Rigid { .. } if axes == 3 => 200.0 * grains.cbrt(),
        SolverKind::Rigid { .. } => 600.0,
        SolverKind::Pooling => 5.0,
        SolverKind::Soft(_) => return None,
    };
    Some(sweeps)
}

/// What springs the contacts of a solver are like.
pub(crate) enum Elasticity {
    /// Those that follow from the order and the number of sweeps.
    Imitated(Order, Stop),
    /// Those that the scene gives.
    Chosen(SoftPlan),
    /// None: a forecast of how rigid grains are, and why there are no springs to calibrate.
    Absent(String, &'static str),
}

/// What springs the contacts of this solver are like.
pub(crate) fn elasticity(kind: SolverKind) -> Elasticity {
    let accelerated = "accelerated sweeps are no springs: they carry forces through the whole packing in every step";
    let exact = "this scene is solved exactly: its grains are rigid, and no springs are";
    match kind {
        SolverKind::GaussSeidel(order, stop) => Elasticity::Imitated(order, stop),
        SolverKind::Accelerated(Stop::Tolerance { tolerance, .. }) => {
            let forecast = format!("forces are to be right to {tolerance:e}: rigid, wherever that is reached");
            Elasticity::Absent(forecast, accelerated)
        }
        SolverKind::Accelerated(Stop::Sweeps(_)) => {
            let forecast = "accelerated sweeps are no springs: nothing is known before they are made";
            Elasticity::Absent(forecast.into(), accelerated)
        }
        SolverKind::Rigid { tolerance, .. } => {
            let forecast = format!("contacts are to obey their laws to {tolerance:e}: rigid, wherever that is reached");
            Elasticity::Absent(forecast, exact)
        }
        SolverKind::Pooling => Elasticity::Absent("the solver is exact: rigid".into(), exact),
        SolverKind::Soft(plan) => Elasticity::Chosen(plan),
    }
}
