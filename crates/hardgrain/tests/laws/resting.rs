//! Packings at rest stay at rest: the base of a column carries its weight, and a pile does not creep.

use crate::scenes::{Setup, all_setups, column, converging, run, sweeping};
use hardgrain::{
    Components, ContactDynamics, Dimension, Grain, Line, Order, Packing, Part, Plane, Pooling, Purpose, Seed, Space,
    Stop, Surface, Wall,
};

fn base_carries_the_weight<D: Dimension>(setup: Setup) {
    let mut packing = column::<D>(30);
    let report = run(&mut converging(0.01, setup, 1e-14), &mut packing, 3);
    let load = packing.load_on(Part::Wall(0));
    assert!((load / 30.0 - 1.0).abs() < 1e-8, "{load} {report:?}");
    assert_eq!(report.contacts, 30);
}

#[test]
fn the_base_of_a_column_carries_its_weight() {
    for setup in all_setups() {
        base_carries_the_weight::<Line>(setup);
        base_carries_the_weight::<Plane>(setup);
        base_carries_the_weight::<Space>(setup);
    }
    let mut packing = column::<Line>(30);
    run(&mut ContactDynamics::new(0.01, Pooling), &mut packing, 3);
    assert!((packing.load_on(Part::Wall(0)) / 30.0 - 1.0).abs() < 1e-12);
}

/// Grains dropped onto a floor between walls along all other axes.
fn pile<D: Dimension>(count: usize, width: usize) -> Packing<D> {
    let mut packing = Packing::<D>::new();
    let axis = |which: usize, value: f64| D::Vector::from_fn(|axis| if axis == which { value } else { 0.0 });
    let down = D::AXES - 1;
    packing.gravity = axis(down, -1.0);
    packing.materials.set_default(Surface::rough(0.3)).unwrap();
    packing.add_wall(Wall::new(axis(down, 0.0), axis(down, 1.0))).unwrap();
    for side in 0..down {
        packing.add_wall(Wall::new(axis(side, 0.0), axis(side, 1.0))).unwrap();
        packing.add_wall(Wall::new(axis(side, 1.1 * width as f64), axis(side, -1.0))).unwrap();
    }
    let mut stream = Seed(9).stream(Purpose::Place, 0, 0);
    for index in 0..count {
        let cell =
            |axis: usize| (index / width.pow(u32::try_from(axis).unwrap())) % if axis == down { count } else { width };
        let place = D::Vector::from_fn(|axis| 0.55 + 1.1 * cell(axis) as f64 + 0.08 * (stream.uniform() - 0.5));
        packing.add(Grain::new(place, 0.4 + 0.1 * stream.uniform())).unwrap();
    }
    packing
}

/// Stops grains with fewer than two loaded contacts.
fn stop_rattlers<D: Dimension>(packing: &mut Packing<D>) {
    let mut touches = vec![0; packing.grains.len()];
    for known in &packing.memory {
        touches[known.identity.first as usize] += 1;
        if let Part::Grain(second) = known.identity.second() {
            touches[second as usize] += 1;
        }
    }
    for (grain, _) in packing.grains.iter_mut().zip(touches).filter(|&(_, touches)| touches < 2) {
        grain.velocity = D::Vector::default();
        grain.spin = D::Spin::default();
    }
}

/// Sweeps to a tolerance at which a packing at rest stays there. Creep is proportional to the tolerance: with 1e-9 it is about 1e-9 in all
/// 10 000 steps, but about 1e-6 with Jacobi sweeps.
fn converged<D: Dimension>(setup: Setup) -> ContactDynamics<D> {
    let tolerance = if setup.order == Order::Parallel { 1e-10 } else { 1e-9 };
    ContactDynamics::new(0.02, setup.solver(Stop::Tolerance { tolerance, max_sweeps: 20_000 }))
}

/// A packing of grains that have fallen and come to rest.
fn settled<D: Dimension>(order: Order, mut packing: Packing<D>) -> Packing<D> {
    // Fall and settle with few sweeps, then come to rest with converged steps.
    run(&mut sweeping(0.02, order, 60), &mut packing, 2000);
    let mut engine = converged(order.into());
    // Nothing stops a sphere that rolls on the floor without other contacts, or spins about the normal of its only contact.
    // Such rattlers are stopped by hand, and rest is judged by speeds instead of the energy.
    let fastest = |packing: &Packing<D>| packing.grains.iter().map(|g| g.velocity.length()).fold(0.0, f64::max);
    run(&mut engine, &mut packing, 1000);
    stop_rattlers(&mut packing);
    let mut steps = 0;
    while fastest(&packing) > 1e-9 {
        run(&mut engine, &mut packing, 1);
        steps += 1;
        assert!(steps < 3000, "{order:?}: no rest: {}", fastest(&packing));
    }
    packing
}

fn stays<D: Dimension>(setup: Setup, rest: &Packing<D>) {
    let (mut packing, mut engine) = (rest.clone(), converged(setup));
    for _ in 0..10_000 {
        let report = run(&mut engine, &mut packing, 1);
        assert_eq!(report.converged(), Some(true), "{setup:?}: {report:?}");
    }
    for (grain, at_rest) in packing.grains.iter().zip(&rest.grains) {
        let far = (grain.position - at_rest.position).length();
        assert!(far < 1e-6, "{setup:?}: a grain crept by {far}");
    }
}

/// Whichever order has produced the state of rest, and whichever continues.
fn piles_stay<D: Dimension>(width: usize) {
    let rest = settled(Order::Symmetric, pile::<D>(200, width));
    all_setups().for_each(|setup| stays(setup, &rest));
    let rest = settled(Order::Coloured, pile::<D>(200, width));
    stays(Order::Coloured.into(), &rest);
}

#[test]
fn a_pile_of_discs_at_rest_stays() {
    piles_stay::<Plane>(10);
}

#[test]
fn a_pile_of_spheres_at_rest_stays() {
    piles_stay::<Space>(5);
}
