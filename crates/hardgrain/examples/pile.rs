//! Two hundred discs fall into a box. In the end the floor carries their weight except for the part that the side walls carry.

use hardgrain::{ContactDynamics, Engine, GaussSeidel, Grain, Order, Packing, Part, Plane, Stop, Surface, Wall};
use std::error::Error;

/// The weight of the discs, the load on the floor and the final kinetic energy.
pub(crate) fn run() -> Result<(f64, f64, f64), Box<dyn Error>> {
    let mut packing = Packing::<Plane>::new();
    packing.gravity = [0.0, -1.0].into();
    packing.materials.set_default(Surface::rough(0.3))?;
    let floor = packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0]))?;
    packing.add_wall(Wall::new([0.0, 0.0], [1.0, 0.0]))?;
    packing.add_wall(Wall::new([12.0, 0.0], [-1.0, 0.0]))?;
    for row in 0..20 {
        for column in 0..10 {
            // Every other row is shifted, so that no column stands upright.
            let x = 1.0 + 1.1 * f64::from(column) + 0.4 * f64::from(row % 2);
            packing.add(Grain::new([x, 0.6 + 1.05 * f64::from(row)], 0.5))?;
        }
    }

    let solver = GaussSeidel::new(Order::RandomSweep, Stop::Tolerance { tolerance: 1e-6, max_sweeps: 300 });
    let mut engine = ContactDynamics::new(0.02, solver).seed(1);
    for _ in 0..2000 {
        engine.step(&mut packing)?;
    }
    let weight = packing.grains.iter().map(|grain| grain.mass).sum();
    Ok((weight, packing.load_on(Part::Wall(floor)), packing.kinetic_energy()))
}

fn main() -> Result<(), Box<dyn Error>> {
    let (weight, load, energy) = run()?;
    println!("the discs weigh {weight:.3}, the floor carries {load:.3}, kinetic energy {energy:.1e}");
    Ok(())
}
