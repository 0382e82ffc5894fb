//! The experiment of the paper: fifty grains fly against a wall and are pressed onto it. They are rigid and inelastic, and yet
//! they oscillate, because forty sweeps are too few to carry the force from one end to the other.

use hardgrain::{ContactDynamics, Engine, GaussSeidel, Grain, Line, Order, Packing, Stop, Wall};
use std::error::Error;

/// The position of the last grain after each of 600 steps.
pub(crate) fn run() -> Result<Vec<f64>, Box<dyn Error>> {
    let mut packing = Packing::<Line>::new();
    packing.add_wall(Wall::new([0.0], [1.0]))?;
    for i in 0..50 {
        // The grains touch each other, at a distance of one diameter from the wall.
        packing.add(Grain::new([1.5 + f64::from(i)], 0.5).mass(1.0))?;
    }
    packing.grains[49].force = [-0.05].into();

    let solver = GaussSeidel::new(Order::RandomSweep, Stop::Sweeps(40));
    let mut engine = ContactDynamics::new(1.0, solver).seed(1);
    let mut places = Vec::new();
    for _ in 0..600 {
        engine.step(&mut packing)?;
        places.push(packing.grains[49].position.0[0]);
    }
    Ok(places)
}

fn main() -> Result<(), Box<dyn Error>> {
    for (step, place) in run()?.iter().enumerate().step_by(10) {
        println!("{step:4} {place:.6}");
    }
    Ok(())
}
