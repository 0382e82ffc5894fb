//! Contacts worth sweeping over.

use hardgrain::{
    Components, ContactDynamics, Dimension, Engine, GaussSeidel, Grain, Order, Packing, Problem, Purpose, Seed, Stop,
    Surface, Wall,
};

/// The contact problem of grains that settle on a floor between walls, with some contacts sticking and some sliding.
pub(crate) fn settled<D: Dimension>(count: usize) -> Problem<D> {
    let mut packing = Packing::<D>::new();
    let down = D::AXES - 1;
    let axis = |which: usize, value: f64| D::Vector::from_fn(|axis| if axis == which { value } else { 0.0 });
    packing.gravity = axis(down, -1.0);
    packing.materials.set_default(Surface::rough(0.3)).expect("a good surface");
    let power = |base: usize, axis: usize| (0..axis).fold(1, |product, _| product * base);
    let width = (1..=count).find(|&width| power(width, D::AXES) >= count).expect("a large enough box");
    let mut walls = vec![Wall::new(axis(down, 0.0), axis(down, 1.0))];
    for side in 0..down {
        walls.push(Wall::new(axis(side, 0.0), axis(side, 1.0)));
        walls.push(Wall::new(axis(side, 0.98 * width as f64 + 0.5), axis(side, -1.0)));
    }
    for wall in walls {
        packing.add_wall(wall).expect("a good wall");
    }
    let mut stream = Seed(1).stream(Purpose::Place, 0, 0);
    for index in 0..count {
        let cell = |axis: usize| (index / power(width, axis)) % width;
        // Every other layer is shifted, so that it rests in the hollows of the one below.
        let shift = 0.5 * (cell(down) % 2) as f64;
        let place = |along: usize| {
            let (spacing, shift) = if along == down { (0.9, 0.0) } else { (0.98, shift) };
            0.5 + spacing * cell(along) as f64 + shift
        };
        let grain = Grain::new(D::Vector::from_fn(place), 0.45 + 0.05 * stream.uniform());
        packing.add(grain).expect("a good grain");
    }
    let mut engine = ContactDynamics::new(0.02, GaussSeidel::new(Order::RandomSweep, Stop::Sweeps(10)));
    for _ in 0..50 {
        engine.step(&mut packing).expect("a good step");
    }
    engine.problem().clone()
}
