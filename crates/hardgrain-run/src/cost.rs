//! The cost of a step on this machine, measured on a few contacts.

use crate::simulation::solvers::sweeps_per_step;
use hardgrain::soft::{SoftGrains, Spring, Springs, largest_step};
use hardgrain::{Body, Components, Contact, Dimension, Engine, Grain, Impulse, Packing, Problem, Row, sweep};
use hardgrain_io::Scene;
use hardgrain_io::scene::StagePlan;
use std::time::Instant;

/// A dense packing of frictional grains has about D contacts per grain in D dimensions.
pub(crate) fn contacts<D: Dimension>(grains: f64) -> f64 {
    grains * D::AXES as f64
}

/// Seconds for a scene; an upper bound where stages end at rest.
pub(crate) fn seconds<D: Dimension>(scene: &Scene, grains: f64, contacts: f64) -> f64 {
    let update = seconds_per_update::<D>();
    let is_soft = |stage: &StagePlan| stage.numerics.solver.kind.is_soft();
    let soft = if scene.stages.iter().any(is_soft) { seconds_per_soft_grain::<D>() } else { 0.0 };
    let stage = |stage: &StagePlan| {
        let steps = stage.end.most_steps() as f64;
        match sweeps_per_step(stage.numerics.solver.kind, D::AXES, grains) {
            Some(sweeps) => steps * rigid_step(grains, contacts, sweeps, update),
            None => steps * grains * soft,
        }
    };
    scene.stages.iter().map(stage).sum()
}

/// Seconds of a step of rigid grains: sweeps, detection and the rest.
pub(crate) fn rigid_step(grains: f64, contacts: f64, sweeps: f64, update: f64) -> f64 {
    // The rest of a step costs 45 updates per grain (measured).
    sweeps * contacts * update + 45.0 * grains * update
}

/// Seconds to relax one contact once, from sweeps over a chain.
pub(crate) fn seconds_per_update<D: Dimension>() -> f64 {
    const CONTACTS: u32 = 1000;
    let body = Body { inverse_mass: 1.0, inverse_inertia: 2.0, ..Body::default() };
    let mut bodies: Vec<Body<D>> = vec![body; CONTACTS as usize + 1];
    let mut normal = <D::Vector<f64>>::default();
    normal.as_mut_slice()[0] = 1.0;
    let contact = Contact { normal, normal_mass: 0.5, tangent_mass: 0.25, friction: 0.3, ..Contact::default() };
    let row = |first| Row { first, second: first + 1, contact, impulse: Impulse::default() };
    let mut problem = Problem { bodies: bodies.clone(), rows: (0..CONTACTS).map(row).collect(), ..Problem::default() };
    fastest(20, || sweep(problem.rows.iter_mut(), &mut bodies)) / f64::from(CONTACTS)
}

/// Seconds per step and soft grain, from a lattice of touching grains.
pub(crate) fn seconds_per_soft_grain<D: Dimension>() -> f64 {
    const GRAINS: usize = 1000;
    let side = [GRAINS, 32, 10][D::AXES - 1];
    let mut packing = Packing::<D>::new();
    for index in 0..side.pow(u32::try_from(D::AXES).expect("three axes at most")) {
        let coordinate = |axis: usize| index / side.pow(u32::try_from(axis).expect("three axes at most")) % side;
        let place = D::Vector::from_fn(|axis| 0.999 * coordinate(axis) as f64);
        packing.add(Grain::new(place, 0.5).mass(1.0)).expect("a lattice of grains");
    }
    let springs = Springs::new(Spring::normal(1.0, 0.5).tangent(0.3, 0.1));
    let mut engine = SoftGrains::new(0.1 * largest_step(&packing, &springs), springs);
    let grains = packing.grains.len() as f64;
    fastest(30, || _ = engine.step(&mut packing).expect("a lattice of grains makes steps")) / grains
}

/// Seconds of the fastest of several repetitions.
fn fastest(times: u32, mut act: impl FnMut()) -> f64 {
    let seconds = |_| {
        let began = Instant::now();
        act();
        began.elapsed().as_secs_f64()
    };
    (0..times).map(seconds).fold(f64::INFINITY, f64::min)
}
