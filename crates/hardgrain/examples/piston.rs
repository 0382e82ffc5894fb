//! Discs under a piston: compress them to rest, raise the load by a thousandth, and watch the rigid packing oscillate.

use hardgrain::{
    ContactDynamics, Engine, GaussSeidel, Grain, Order, Packing, Piston, Plane, Purpose, Seed, Stop, Surface, Wall,
};
use std::error::Error;

/// The position of the piston along its normal in the 200 steps after the load was raised.
pub(crate) fn run() -> Result<Vec<f64>, Box<dyn Error>> {
    let mut packing = Packing::<Plane>::new();
    packing.materials.set_default(Surface::rough(0.05))?;
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0]))?;
    packing.add_wall(Wall::new([0.0, 0.0], [1.0, 0.0]))?;
    packing.add_wall(Wall::new([10.0, 0.0], [-1.0, 0.0]))?;
    let mut sizes = Seed(1).stream(Purpose::Draw, 0, 0);
    for i in 0..100 {
        // A loose grid of discs, radii between 0.3 and 0.6.
        let place = [0.7 + 1.22 * f64::from(i % 8), 0.7 + 1.22 * f64::from(i / 8)];
        packing.add(Grain::new(place, 0.3 + 0.3 * sizes.uniform()))?;
    }
    let piston = packing.add_piston(Piston::new([0.0, 18.0], [0.0, -1.0], 20.0).force(0.01))? as usize;

    let mut engine = ContactDynamics::new(1.0, GaussSeidel::new(Order::RandomSweep, Stop::Sweeps(30))).seed(1);
    for _ in 0..6000 {
        engine.step(&mut packing)?;
    }
    packing.pistons[piston].force *= 1.001;
    (0..200)
        .map(|_| engine.step(&mut packing).map(|_| packing.pistons[piston].position()).map_err(Into::into))
        .collect()
}

fn main() -> Result<(), Box<dyn Error>> {
    let places = run()?;
    for (step, place) in places.iter().enumerate() {
        println!("{step:4} {:+.4e}", place - places[0]);
    }
    Ok(())
}
