//! Orientation follows spin, and tangential reactions turn with their contacts.

use crate::scenes::{all_setups, cloud, run, sweeping};
use hardgrain::{
    Components, ContactDynamics, Dimension, GaussSeidel, Grain, Order, Packing, Plane, Problem, Seed, Solution, Solver,
    Space, Stop, Surface, Vector, Wall,
};

#[test]
fn a_rolling_disc_turns_as_far_as_it_rolls() {
    for setup in all_setups() {
        let mut packing = Packing::<Plane>::new();
        packing.gravity = [0.3, -1.0].into();
        packing.materials.set_default(Surface::rough(1.0)).unwrap();
        packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
        packing.add(Grain::new([0.0, 0.5], 0.5)).unwrap();
        run(&mut sweeping(0.01, setup, 1), &mut packing, 500);
        let grain = &packing.grains[0];
        assert!(grain.position.0[0] > 1.0);
        assert!((grain.orientation[0] + grain.position.0[0] / 0.5).abs() < 1e-9, "clockwise: {grain:?}");
    }
}

#[test]
fn a_rolling_sphere_turns_as_far_as_it_rolls() {
    for setup in all_setups() {
        let mut packing = Packing::<Space>::new();
        packing.gravity = [0.0, 0.3, -1.0].into();
        packing.materials.set_default(Surface::rough(1.0)).unwrap();
        packing.add_wall(Wall::new([0.0, 0.0, 0.0], [0.0, 0.0, 1.0])).unwrap();
        packing.add(Grain::new([0.0, 0.0, 0.5], 0.5)).unwrap();
        run(&mut sweeping(0.001, setup, 1), &mut packing, 2000);
        let grain = &packing.grains[0];
        // It rolls along y, so it turns about −x by y/r.
        let half = -grain.position.0[1] / 0.5 / 2.0;
        let expected = Vector([half.cos(), half.sin(), 0.0, 0.0]);
        assert!((Vector(grain.orientation) - expected).length() < 1e-5, "{grain:?} {expected:?}");
    }
}

#[test]
fn a_prescribed_grain_keeps_its_spin() {
    for setup in all_setups() {
        let mut packing = Packing::<Plane>::new();
        packing.add(Grain::new([0.0, 0.0], 0.5).spin([3.0]).velocity([0.0, 1.0]).prescribed()).unwrap();
        packing.add(Grain::new([0.0, 3.0], 0.5)).unwrap();
        run(&mut sweeping(0.01, setup, 5), &mut packing, 300);
        let grain = &packing.grains[0];
        assert!((grain.orientation[0] - 9.0).abs() < 1e-9 && grain.spin.0[0] == 3.0, "{grain:?}");
        assert!(packing.grains[1].velocity.0[1] > 0.99, "pushed along: {:?}", packing.grains[1]);
    }
}

/// A solver that checks the first guess before it sweeps.
#[derive(Debug)]
struct Checking<D: Dimension>(GaussSeidel<D>);

impl<D: Dimension> Solver<D> for Checking<D> {
    fn solve(&mut self, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution {
        for row in &problem.rows {
            let lifted = D::lift(row.contact.normal, row.impulse.tangent);
            let (leak, length) = (lifted.dot(row.contact.normal).abs(), lifted.length());
            assert!(leak <= 1e-14 * length, "a tangential guess along the normal: {row:?}");
        }
        self.0.solve(problem, seed, step)
    }
}

#[test]
fn guesses_lie_in_the_tangent_plane_and_keep_their_length() {
    let mut packing = cloud::<Space>(3, 3, Surface::rough(0.5));
    let sweeps = || GaussSeidel::new(Order::RandomSweep, Stop::Sweeps(10));
    let mut engine = ContactDynamics::new(0.1, Checking(sweeps()));
    let contacts: usize = (0..40).map(|_| run(&mut engine, &mut packing, 1).contacts).sum();
    assert!(contacts > 100, "hardly anything touches: {contacts}");
    // Two spheres roll on each other: the normal turns far, and the friction that holds them must not decay.
    let mut pair = Packing::<Space>::new();
    pair.materials.set_default(Surface::rough(0.9)).unwrap();
    for side in [-1.0, 1.0] {
        let grain = Grain::new([0.5 * side, 0.0, 0.0], 0.5).velocity([0.0, 0.1 * side, 0.0]).force([-side, 0.0, 0.0]);
        pair.add(grain).unwrap();
    }
    run(&mut ContactDynamics::new(0.05, Checking(sweeps())), &mut pair, 100);
}
