//! Invariance within rounding: Galilean boosts, rotations, reflections, units, and the numbering of the grains.

use crate::scenes::{all_setups, boxed, chain, cloud, converging, run, sweeping};
use hardgrain::{
    Components, ContactDynamics, Dimension, Engine, Line, Order, Packing, Piston, Plane, Pooling, Space, Surface,
    Vector,
};
use std::fmt::Debug;

const SURFACE: Surface = Surface::rough(0.4).bouncing(0.5);
const STEPS: usize = 30;
const STEP: f64 = 0.1;

/// A change of the frame of reference: how it transforms polar vectors, spins, masses, lengths and times.
pub(crate) struct View<D: Dimension> {
    pub vector: fn(D::Vector<f64>) -> D::Vector<f64>,
    pub spin: fn(D::Spin<f64>) -> D::Spin<f64>,
    pub mass: f64,
    pub length: f64,
    pub time: f64,
    pub boost: D::Vector<f64>,
}

impl<D: Dimension> View<D> {
    pub(crate) fn new(vector: fn(D::Vector<f64>) -> D::Vector<f64>, spin: fn(D::Spin<f64>) -> D::Spin<f64>) -> Self {
        Self { vector, spin, mass: 1.0, length: 1.0, time: 1.0, boost: D::Vector::default() }
    }

    fn apply(&self, packing: &Packing<D>) -> Packing<D> {
        let mut other = packing.clone();
        let speed = self.length / self.time;
        let place = |x: D::Vector<f64>| (self.vector)(x) * self.length + self.boost * (packing.time * self.time);
        for grain in &mut other.grains {
            grain.position = place(grain.position);
            grain.velocity = (self.vector)(grain.velocity) * speed + self.boost;
            grain.spin = (self.spin)(grain.spin) * (1.0 / self.time);
            grain.radius *= self.length;
            grain.mass *= self.mass;
            grain.force = (self.vector)(grain.force) * (self.mass * speed / self.time);
        }
        for wall in &mut other.walls {
            wall.point = place(wall.point);
            wall.normal = (self.vector)(wall.normal);
            wall.velocity = (self.vector)(wall.velocity) * speed + self.boost;
        }
        for piston in &mut other.pistons {
            piston.point = place(piston.point);
            piston.normal = (self.vector)(piston.normal);
            piston.speed *= speed;
            piston.mass *= self.mass;
            piston.force *= self.mass * speed / self.time;
        }
        other.gravity = (self.vector)(packing.gravity) * (speed / self.time);
        other
    }

    /// Steps and transformation commute, for every order.
    fn changes_nothing(&self, packing: &Packing<D>) {
        for order in all_setups() {
            for sweeps in [1, 15] {
                self.changes_nothing_for(packing, (STEPS, STEP), |_, step| sweeping(step, order, sweeps));
            }
        }
    }

    /// The same for an engine made from the unit of mass and the step.
    pub(crate) fn changes_nothing_for<E: Engine<D> + Debug>(
        &self,
        packing: &Packing<D>,
        (steps, step): (usize, f64),
        engine: impl Fn(f64, f64) -> E,
    ) {
        let (mut here, mut there) = (packing.clone(), self.apply(packing));
        let (mut engine_here, mut engine_there) = (engine(1.0, step), engine(self.mass, step * self.time));
        let mut contacts = 0;
        for _ in 0..steps {
            contacts += run(&mut engine_here, &mut here, 1).contacts;
            run(&mut engine_there, &mut there, 1);
        }
        assert!(contacts > steps, "hardly anything touches: {contacts}");
        let difference = self.difference(&self.apply(&here), &there);
        assert!(difference < 1e-8, "{engine_here:?}: {difference}");
    }

    fn difference(&self, a: &Packing<D>, b: &Packing<D>) -> f64 {
        let speed = self.length / self.time;
        let grains = a.grains.iter().zip(&b.grains).map(|(a, b)| {
            let place = (a.position - b.position).length() / self.length;
            let velocity = (a.velocity - b.velocity).length() / speed;
            place.max(velocity).max((a.spin - b.spin).length() * self.time)
        });
        let pistons = a.pistons.iter().zip(&b.pistons).map(|(a, b)| (a.point - b.point).length() / self.length);
        grains.chain(pistons).fold(0.0, f64::max)
    }
}

/// A box in which one grain is pulled and one goes its prescribed way.
pub(crate) fn driven<D: Dimension>(side: usize) -> Packing<D> {
    let mut packing = boxed::<D>(side, 2, SURFACE);
    packing.grains[1].force = D::Vector::from_fn(|axis| [0.4, -0.2, 0.3][axis]);
    // Slow, so that nothing is crushed: a problem without a solution has no invariance.
    packing.grains[2].velocity = packing.grains[2].velocity * 0.1;
    packing.grains[2] = packing.grains[2].clone().prescribed();
    packing
}

/// The same with a fixed grain and a piston on top: every kind of contact.
pub(crate) fn everything<D: Dimension>(side: usize) -> Packing<D> {
    let mut packing = driven::<D>(side);
    let top = D::Vector::from_fn(|axis| if axis == D::AXES - 1 { 0.6 * side as f64 } else { 0.0 });
    packing.add_piston(Piston::new(top, -top, 2.0).force(1.0).speed(0.3)).unwrap();
    packing.grains[5] = packing.grains[5].clone().fixed();
    packing
}

fn boost_and_units<D: Dimension>(side: usize) {
    let same = || View::<D>::new(|v| v, |s| s);
    let boost = D::Vector::from_fn(|axis| [0.7, -1.3, 0.4][axis]);
    // Without the piston and the fixed grain, which cannot be boosted.
    View { boost, ..same() }.changes_nothing(&driven::<D>(side));
    View { mass: 5.3, length: 3.7, time: 0.31, ..same() }.changes_nothing(&everything(side));
}

#[test]
fn galilean_boost_and_units() {
    boost_and_units::<Line>(12);
    boost_and_units::<Plane>(5);
    boost_and_units::<Space>(3);
}

#[test]
fn the_exact_solver_is_as_invariant() {
    let views = [
        View { boost: Vector([0.7]), ..View::<Line>::new(|v| v, |s| s) },
        View { mass: 5.3, length: 3.7, time: 0.31, ..View::new(|v| v, |s| s) },
        View::<Line>::new(|Vector([x])| Vector([-x]), |s| s),
    ];
    for view in views {
        view.changes_nothing_for(&driven(12), (STEPS, STEP), |_, step| ContactDynamics::new(step, Pooling));
    }
}

#[test]
fn mirror() {
    View::<Line>::new(|Vector([x])| Vector([-x]), |s| s).changes_nothing(&everything(12));
    View::<Plane>::new(|Vector([x, y])| Vector([-x, y]), |s| -s).changes_nothing(&everything(5));
    let spin = |Vector([x, y, z]): Vector<f64, 3>| Vector([x, -y, -z]);
    View::<Space>::new(|Vector([x, y, z])| Vector([-x, y, z]), spin).changes_nothing(&everything(3));
}

pub(crate) fn turn(Vector([x, y]): Vector<f64, 2>) -> Vector<f64, 2> {
    let (sin, cos) = 0.7_f64.sin_cos();
    Vector([cos * x - sin * y, sin * x + cos * y])
}

/// By 0.7 about the z axis, then by 0.7 about the x axis.
pub(crate) fn turn_in_space(Vector([x, y, z]): Vector<f64, 3>) -> Vector<f64, 3> {
    let Vector([x, y]) = turn(Vector([x, y]));
    let Vector([y, z]) = turn(Vector([y, z]));
    Vector([x, y, z])
}

#[test]
fn rotation() {
    View::<Plane>::new(turn, |s| s).changes_nothing(&everything(5));
    View::<Space>::new(turn_in_space, turn_in_space).changes_nothing(&everything(3));
}

/// Reverses the numbers of the grains.
fn renumbered<D: Dimension>(packing: &Packing<D>) -> Packing<D> {
    let mut other = packing.clone();
    other.grains.reverse();
    other
}

fn numbers_do_not_matter<D: Dimension>(packing: &Packing<D>, engine: impl Fn() -> ContactDynamics<D>, tolerance: f64) {
    numbers_do_not_matter_to(packing, STEPS, engine, tolerance);
}

pub(crate) fn numbers_do_not_matter_to<D: Dimension, E: Engine<D>>(
    packing: &Packing<D>,
    steps: usize,
    engine: impl Fn() -> E,
    tolerance: f64,
) {
    let (mut here, mut there) = (packing.clone(), renumbered(packing));
    let mut contacts = 0;
    for _ in 0..steps {
        contacts += run(&mut engine(), &mut here, 1).contacts;
        run(&mut engine(), &mut there, 1);
    }
    assert!(contacts > steps, "hardly anything touches: {contacts}");
    let difference = View::new(|v| v, |s| s).difference(&here, &renumbered(&there));
    assert!(difference < tolerance, "{difference}");
}

#[test]
fn numbers_of_grains_do_not_matter_to_the_parallel_order() {
    numbers_do_not_matter(&everything::<Line>(12), || sweeping(STEP, Order::Parallel, 15), 1e-9);
    numbers_do_not_matter(&everything::<Plane>(5), || sweeping(STEP, Order::Parallel, 15), 1e-9);
    numbers_do_not_matter(&everything::<Space>(3), || sweeping(STEP, Order::Parallel, 15), 1e-9);
}

#[test]
fn numbers_of_grains_do_not_matter_to_the_exact_solver() {
    numbers_do_not_matter(&everything::<Line>(12), || ContactDynamics::new(STEP, Pooling), 1e-10);
    let pressed = chain(50, 0.01, 0.05);
    numbers_do_not_matter(&pressed, || ContactDynamics::new(1.0, Pooling), 1e-10);
}

fn converged_frictionless<D: Dimension>(side: usize) {
    for order in all_setups() {
        let mut packing = cloud::<D>(side, 8, Surface::rough(0.0).bouncing(0.5));
        packing.walls = everything::<D>(side).walls;
        numbers_do_not_matter(&packing, || converging(STEP, order, 1e-13), 1e-7);
    }
}

#[test]
fn numbers_of_grains_do_not_matter_to_converged_frictionless_solves() {
    converged_frictionless::<Line>(12);
    converged_frictionless::<Plane>(5);
    converged_frictionless::<Space>(3);
}
