//! Hardgrain as one of the codes.

use crate::scene::{Code, FRICTION, Place, STEP, Scene};
use hardgrain::{
    Accelerated, Components, ContactDynamics, Dimension, Engine, GaussSeidel, Grain, Order, Packing, Stop, Surface,
    Wall,
};
use hardgrain_rigid::Rigid;

/// How hardgrain solves a step.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Way {
    /// A step is made as so many small ones, with so many coloured sweeps in each. Rapier always works so.
    Coloured { steps: u32, sweeps: u32 },
    /// Accelerated sweeps until the forces are right to 1e-4, but so many at most.
    Accelerated { most: u32 },
    /// Factorisations until the contact laws hold to 1e-6.
    Rigid,
}

/// A scene as a packing.
pub(crate) fn packing<D: Dimension>(scene: &Scene) -> Packing<D> {
    let vector = |place: Place| D::Vector::from_fn(|axis| place[axis]);
    let mut packing = Packing::<D>::new();
    packing.gravity = vector(scene.gravity);
    packing.materials.set_default(Surface::rough(FRICTION)).expect("a good surface");
    for wall in &scene.walls {
        packing.add_wall(Wall::new(vector(wall.point), vector(wall.normal))).expect("a good wall");
    }
    for grain in &scene.grains {
        let grain = Grain::new(vector(grain.place), grain.radius).force(vector(grain.push));
        packing.add(grain).expect("a good grain");
    }
    packing
}

/// Where its grains are.
pub(crate) fn places<D: Dimension>(packing: &Packing<D>) -> Vec<Place> {
    let place = |position: &D::Vector<f64>| std::array::from_fn(|axis| *position.as_slice().get(axis).unwrap_or(&0.0));
    packing.grains.iter().map(|grain| place(&grain.position)).collect()
}

/// Hardgrain with a scene in it, which it solves in this way on one thread.
pub(crate) fn code<D: Dimension>(scene: &Scene, way: Way) -> Box<dyn Code> {
    let (steps, engine) = match way {
        Way::Coloured { steps, sweeps } => {
            let solver = GaussSeidel::new(Order::Coloured, Stop::Sweeps(sweeps));
            (steps, ContactDynamics::new(STEP / f64::from(steps), solver))
        }
        Way::Accelerated { most } => {
            let stop = Stop::Tolerance { tolerance: 1e-4, max_sweeps: most };
            (1, ContactDynamics::new(STEP, Accelerated::new(stop)))
        }
        Way::Rigid => (1, ContactDynamics::new(STEP, Rigid::new(1e-6, 10_000))),
    };
    Box::new(Ours { way, steps, engine, packing: packing::<D>(scene), sweeps: 0, pairs: 0 })
}

struct Ours<D: Dimension> {
    way: Way,
    steps: u32,
    engine: ContactDynamics<D>,
    packing: Packing<D>,
    // Of the last step.
    sweeps: u32,
    pairs: usize,
}

impl<D: Dimension> Code for Ours<D> {
    fn name(&self) -> String {
        match self.way {
            Way::Coloured { steps: 1, sweeps } => format!("hardgrain, {sweeps} coloured sweeps"),
            Way::Coloured { steps, sweeps } => format!("hardgrain, {steps} small steps of {sweeps}"),
            Way::Accelerated { most } => format!("hardgrain, accelerated, {most} at most"),
            Way::Rigid => "hardgrain, rigid".to_owned(),
        }
    }

    fn is_ours(&self) -> bool {
        true
    }

    fn step(&mut self) {
        self.sweeps = 0;
        for _ in 0..self.steps {
            let report = self.engine.step(&mut self.packing).expect("a good step");
            self.sweeps += report.sweeps;
            self.pairs = report.pairs;
        }
    }

    fn relaxations(&self) -> f64 {
        f64::from(self.sweeps)
    }

    fn contacts(&self) -> usize {
        self.pairs
    }

    fn places(&self) -> Vec<Place> {
        places(&self.packing)
    }

    fn kinetic_energy(&self) -> f64 {
        self.packing.kinetic_energy()
    }
}
