//! A piston is a wall with a mass: it moves by its force, gravity and the grains that touch it.

use crate::scenes::{Setup, all_setups, converging, run, sweeping};
use hardgrain::{Components, Dimension, Grain, Line, Packing, Part, Piston, Plane, Space, Surface, Wall};

fn up<D: Dimension>(height: f64) -> D::Vector<f64> {
    D::Vector::from_fn(|axis| if axis == D::AXES - 1 { height } else { 0.0 })
}

fn falls_freely<D: Dimension>(setup: Setup) {
    let mut packing = Packing::<D>::new();
    packing.gravity = up::<D>(-2.0);
    packing.add(Grain::new(up::<D>(-100.0), 0.5)).unwrap();
    packing.add_piston(Piston::new(up::<D>(3.0), up::<D>(-1.0), 4.0).force(8.0)).unwrap();
    run(&mut sweeping(0.01, setup, 1), &mut packing, 100);
    // Acceleration g·n + F/m = 2 + 2 along the normal.
    assert!((packing.pistons[0].speed - 4.0).abs() < 1e-12, "{:?}", packing.pistons[0]);
    assert!((packing.pistons[0].position() - (-3.0 + 0.5 * 4.0 * 1.01)).abs() < 1e-12);
}

#[test]
fn it_answers_to_force_and_gravity() {
    for setup in all_setups() {
        falls_freely::<Line>(setup);
        falls_freely::<Plane>(setup);
        falls_freely::<Space>(setup);
    }
}

#[test]
fn it_takes_part_in_a_collision_with_its_own_mass() {
    for setup in all_setups() {
        let mut packing = Packing::<Plane>::new();
        packing.materials.set_default(Surface::rough(0.0).bouncing(1.0)).unwrap();
        packing.add(Grain::new([0.0, 0.0], 0.5).mass(1.0).velocity([0.0, 1.0])).unwrap();
        packing.add_piston(Piston::new([0.0, 0.55], [0.0, -1.0], 3.0)).unwrap();
        run(&mut sweeping(0.01, setup, 1), &mut packing, 20);
        // Elastic: the grain turns with −½, the piston is pushed up with ½ (against its normal).
        assert!((packing.grains[0].velocity.0[1] + 0.5).abs() < 1e-12);
        assert!((packing.pistons[0].speed + 0.5).abs() < 1e-12);
    }
}

/// A layer of grains carries a heavy piston: each carries its share, and the floor carries everything.
fn many_contacts<D: Dimension>(setup: Setup, count: u32) {
    let mut packing = Packing::<D>::new();
    packing.gravity = up::<D>(-1.0);
    packing.materials.set_default(Surface::rough(0.3)).unwrap();
    let floor = packing.add_wall(Wall::new(up::<D>(0.0), up::<D>(1.0))).unwrap();
    for index in 0..count {
        let place = D::Vector::from_fn(|axis| match axis {
            axis if axis == D::AXES - 1 => 0.5,
            0 => 1.5 * f64::from(index),
            _ => 0.0,
        });
        packing.add(Grain::new(place, 0.5).mass(1.0)).unwrap();
    }
    let piston = packing.add_piston(Piston::new(up::<D>(1.0), up::<D>(-1.0), 50.0).force(7.0)).unwrap();
    let report = run(&mut converging(0.01, setup, 1e-14), &mut packing, 3);
    assert_eq!(report.contacts, 2 * count as usize);
    let (load, weight) = (packing.load_on(Part::Piston(piston)), packing.load_on(Part::Wall(floor)));
    assert!((load / 57.0 - 1.0).abs() < 1e-8, "the grains hold {load}");
    assert!((weight / (57.0 + f64::from(count)) - 1.0).abs() < 1e-8, "the floor holds {weight}");
    assert!(packing.pistons[piston as usize].speed.abs() < 1e-9);
}

#[test]
fn it_rests_on_any_number_of_grains() {
    for setup in all_setups() {
        many_contacts::<Line>(setup, 1);
        many_contacts::<Plane>(setup, 12);
        many_contacts::<Space>(setup, 12);
    }
}

#[test]
fn it_does_not_move_aside() {
    for setup in all_setups() {
        // A spinning disc under the piston rubs against it: the disc moves sideways, the piston does not.
        let mut packing = Packing::<Plane>::new();
        packing.materials.set_default(Surface::rough(0.5)).unwrap();
        packing.add(Grain::new([0.0, 0.0], 0.5).spin([5.0])).unwrap();
        packing.add_piston(Piston::new([0.0, 0.5], [0.0, -1.0], 1.0).force(1.0)).unwrap();
        run(&mut sweeping(0.01, setup, 5), &mut packing, 50);
        assert!(packing.grains[0].velocity.0[0].abs() > 0.1);
        assert_eq!(packing.pistons[0].point.0[0], 0.0);
    }
}

#[test]
fn a_moving_wall_pushes_and_a_belt_drags() {
    for setup in all_setups() {
        let mut packing = Packing::<Plane>::new();
        packing.gravity = [0.0, -1.0].into();
        packing.materials.set_default(Surface::rough(0.5)).unwrap();
        packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0]).velocity([0.3, 0.2])).unwrap();
        packing.add(Grain::new([0.0, 0.5], 0.5)).unwrap();
        run(&mut sweeping(0.01, setup, 5), &mut packing, 500);
        let grain = &packing.grains[0];
        assert!((grain.velocity.0[1] - 0.2).abs() < 1e-12, "lifted with the floor: {grain:?}");
        assert!((packing.walls[0].point.0[1] - 1.0).abs() < 1e-9);
        // The surface of the disc sticks to the belt: v + ω r = 0.3, and friction gave it v = ω r I/(m r²)… a third.
        assert!((grain.velocity.0[0] - 0.1).abs() < 1e-9, "{grain:?}");
        // A fixed grain stays and a prescribed one keeps its velocity.
        let mut packing = Packing::<Space>::new();
        packing.gravity = [0.0, 0.0, -1.0].into();
        packing.add(Grain::new([0.0, 0.0, 0.0], 0.5).fixed()).unwrap();
        packing.add(Grain::new([5.0, 0.0, 0.0], 0.5).velocity([0.0, 1.0, 0.0]).prescribed()).unwrap();
        packing.add(Grain::new([0.0, 0.0, 1.0], 0.5)).unwrap();
        run(&mut sweeping(0.01, setup, 5), &mut packing, 100);
        assert_eq!(packing.grains[0].position.0, [0.0, 0.0, 0.0]);
        assert!((packing.grains[1].position.0[1] - 1.0).abs() < 1e-12);
        assert!((packing.grains[2].position.0[2] - 1.0).abs() < 1e-12, "held up by the fixed one");
    }
}
