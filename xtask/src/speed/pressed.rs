//! Packings to measure on: a lattice of grains of many sizes, compressed until about as many neighbours touch as in a packing at rest.

use hardgrain::{
    Components, ContactDynamics, Dimension, Engine, GaussSeidel, Grain, Order, Packing, Problem, Purpose, Seed, Stop,
    Surface, Wall,
};

/// The smallest radius; the largest is a tenth more.
const SMALLEST: f64 = 0.45;

/// Heavy grains on a floor between walls, numbered layer by layer.
pub(super) fn pressed<D: Dimension>(count: usize) -> Packing<D> {
    let mut packing = Packing::<D>::new();
    let down = D::AXES - 1;
    let axis = |which: usize, value: f64| D::Vector::from_fn(|axis| if axis == which { value } else { 0.0 });
    packing.gravity = axis(down, -1.0);
    packing.materials.set_default(Surface::rough(0.3)).expect("a good surface");
    let power = |base: usize, axis: usize| (0..axis).fold(1, |product, _| product * base);
    let width = (1..=count).find(|&width| power(width, D::AXES) >= count).expect("a large enough box");
    // Distance of neighbours, and by which share of it a layer lies above the one in whose hollows it rests.
    let (spacing, rise) = match D::AXES {
        1 => (2.0 * SMALLEST, 1.0),
        2 => (0.94, 0.75_f64.sqrt()),
        _ => (0.945, 0.5_f64.sqrt()),
    };
    packing.add_wall(Wall::new(axis(down, 0.0), axis(down, 1.0))).expect("a good wall");
    for side in 0..down {
        let far = spacing * (width as f64 + 0.5);
        packing.add_wall(Wall::new(axis(side, 0.0), axis(side, 1.0))).expect("a good wall");
        packing.add_wall(Wall::new(axis(side, far), axis(side, -1.0))).expect("a good wall");
    }
    let mut stream = Seed(1).stream(Purpose::Place, 0, 0);
    for index in 0..count {
        let cell = |axis: usize| (index / power(width, axis)) % width;
        let shift = 0.5 * (cell(down) % 2) as f64;
        let place = |axis: usize| {
            let layers = cell(axis) as f64;
            spacing * (0.5 + if axis == down { rise * layers } else { layers + shift })
        };
        let grain = Grain::new(D::Vector::from_fn(place), SMALLEST * (1.0 + 0.1 * stream.uniform()));
        packing.add(grain).expect("a good grain");
    }
    packing
}

/// The contact problem after a few steps, with contacts along the Morton curve and forces still spreading downwards.
pub(super) fn problem<D: Dimension>(count: usize) -> Problem<D> {
    let mut packing = pressed::<D>(count);
    let mut engine = ContactDynamics::new(0.01, GaussSeidel::new(Order::Coloured, Stop::Sweeps(20)));
    make_steps(&mut engine, &mut packing, 4);
    engine.problem().clone()
}

pub(super) fn make_steps<D: Dimension>(engine: &mut ContactDynamics<D>, packing: &mut Packing<D>, count: u32) {
    for _ in 0..count {
        engine.step(packing).expect("a good step");
    }
}
