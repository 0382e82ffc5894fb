//! With the rigid solver nothing rings.

use hardgrain::{ContactDynamics, Engine, GaussSeidel, Order, Packing, Part, Plane, Remembered, Solver, Stop};
use hardgrain_lab::{PackingSettings, Unwatched, prepare};
use hardgrain_rigid::Rigid;

fn packing(friction: f64) -> Packing<Plane> {
    let settings = PackingSettings { grains: 200, friction, ..PackingSettings::default() };
    prepare::<Plane>(&settings, &Unwatched).unwrap().packing
}

/// How far the lid goes up and down in a hundred steps after its load was raised by 1 %.
fn swing(packing: &Packing<Plane>, solver: impl Solver<Plane> + 'static) -> f64 {
    let mut packing = packing.clone();
    let mut engine = ContactDynamics::new(1.0, solver);
    packing.pistons[0].force *= 1.01;
    let (mut least, mut most) = (f64::INFINITY, f64::NEG_INFINITY);
    for _ in 0..100 {
        engine.step(&mut packing).unwrap();
        let place = packing.pistons[0].position();
        (least, most) = (least.min(place), most.max(place));
    }
    most - least
}

#[test]
fn a_packing_does_not_ring() {
    for friction in [0.05, 0.5] {
        let packing = packing(friction);
        let soft = swing(&packing, GaussSeidel::new(Order::RandomSweep, Stop::Sweeps(40)));
        let rigid = swing(&packing, Rigid::new(1e-8, 10_000));
        assert!(rigid < 1e-3 * soft, "friction {friction}: {rigid:e} beside {soft:e}");
    }
}

#[test]
fn forces_at_rest_stay_what_they_are() {
    let mut packing = packing(0.5);
    let mut engine = ContactDynamics::new(1.0, Rigid::new(1e-8, 10_000));
    // Not in proportion: a grain that carries much is pushed aside as well.
    let carries = |a: &&Remembered<Plane>, b: &&Remembered<Plane>| a.reaction.normal.total_cmp(&b.reaction.normal);
    let loaded = packing.memory.iter().max_by(carries).unwrap().identity.first;
    packing.grains[loaded as usize].force = [0.01 * packing.pistons[0].force, 0.0].into();
    packing.pistons[0].force *= 1.01;
    let report = engine.step(&mut packing).unwrap();
    assert!(report.converged() == Some(true) && !report.fell_back && report.factorisations > 0, "{report:?}");
    assert!(report.force_error < 1e-6, "{report:?}");
    let reactions = |packing: &Packing<Plane>| packing.memory.iter().map(|known| known.reaction).collect::<Vec<_>>();
    let last = reactions(&packing);
    for _ in 0..5 {
        engine.step(&mut packing).unwrap();
        let now = reactions(&packing);
        let off: f64 = now.iter().zip(&last).map(|(now, last)| (*now - *last).length_squared()).sum();
        let load: f64 = last.iter().map(|last| last.length_squared()).sum();
        assert!(now.len() == last.len() && (off / load).sqrt() < 1e-6, "{:e}", (off / load).sqrt());
    }
    // What the lid presses with it gets back.
    let force = packing.pistons[0].force;
    assert!((packing.load_on(Part::Piston(0)) / force - 1.0).abs() < 1e-8);
}
