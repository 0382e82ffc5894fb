//! The report of a step is right.

use crate::scenes::{all_setups, chain, run, sweeping};
use hardgrain::{Cell, ContactDynamics, Grain, Line, Order, Packing, Plane, Pooling, Surface, Wall};

#[test]
fn overlaps_are_measured_where_the_grains_are() {
    // Three loaded overlaps of 0.1, 0.2 and 0.3 at rest.
    let mut packing = Packing::<Line>::new();
    packing.add_wall(Wall::new([0.0], [1.0])).unwrap();
    for place in [0.4, 1.2, 1.9] {
        packing.add(Grain::new([place], 0.5).mass(1.0)).unwrap();
    }
    packing.grains[2].force = [-1.0].into();
    let report = run(&mut ContactDynamics::new(0.1, Pooling), &mut packing, 2);
    assert_eq!((report.contacts, report.pairs), (3, 3));
    assert!((report.overlap_max - 0.3).abs() < 1e-12, "{report:?}");
    assert!((report.overlap_mean - 0.2).abs() < 1e-12, "{report:?}");
}

#[test]
fn the_force_error_is_estimated_to_a_factor_of_two() {
    for (setup, (count, sweeps)) in
        all_setups().flat_map(|setup| [(20, 400), (20, 1000), (60, 5000)].map(|size| (setup, size)))
    {
        let mut packing = chain(count, 0.0, 0.05);
        let report = run(&mut sweeping(1.0, setup, sweeps), &mut packing, 1);
        let error: f64 = packing.memory.iter().map(|known| (known.reaction.normal - 0.05).powi(2)).sum();
        let error = (error / (f64::from(count) * 0.05 * 0.05)).sqrt();
        let ratio = report.force_error / error;
        assert!(
            (0.5..2.0).contains(&ratio),
            "{setup:?}, {count} grains, {sweeps} sweeps: {error} estimated as {}",
            report.force_error
        );
        assert!(report.residual < 0.02 * error, "the residual alone looks much better: {report:?}");
    }
}

#[test]
fn a_force_accelerates_by_its_share_of_the_mass() {
    for setup in all_setups() {
        let mut packing = Packing::<Plane>::new();
        packing.add(Grain::new([0.0, 0.0], 0.5).mass(2.0).force([3.0, 0.0])).unwrap();
        run(&mut sweeping(0.1, setup, 1), &mut packing, 10);
        assert!((packing.grains[0].velocity.0[0] - 1.5).abs() < 1e-12, "{setup:?}");
    }
}

type Change = fn(&mut Packing<Plane>);

/// Each change by itself changes the hash.
#[test]
fn the_hash_sees_everything_that_can_change_a_later_bit() {
    let mut packing = crate::scenes::boxed::<Plane>(4, 1, Surface::rough(0.3).bouncing(0.5));
    packing.add_piston(hardgrain::Piston::new([0.0, 5.0], [0.0, -1.0], 2.0)).unwrap();
    run(&mut sweeping(0.1, Order::RandomSweep, 5), &mut packing, 12);
    assert!(packing.memory.iter().any(|known| known.approach != [0.0, 0.0].into()), "nothing is about to bounce");
    let changes: [(&str, Change); 30] = [
        ("position", |p| p.grains[3].position.0[1] += 1e-9),
        ("velocity", |p| p.grains[3].velocity.0[1] += 1e-9),
        ("spin", |p| p.grains[3].spin.0[0] += 1e-9),
        ("orientation", |p| p.grains[3].orientation[0] += 1e-9),
        ("turns", |p| p.grains[3].turns[0] += 1),
        ("radius", |p| p.grains[3].radius += 1e-9),
        ("mass", |p| p.grains[3].mass += 1e-9),
        ("force", |p| p.grains[3].force.0[0] += 1e-9),
        ("motion", |p| p.grains[3].motion = hardgrain::Motion::Prescribed),
        ("material", |p| p.grains[3].material.0 = 1),
        ("gravity", |p| p.gravity.0[1] += 1e-9),
        ("cell", |p| p.cell = Cell::open().periodic(0, -50.0, 50.0).unwrap()),
        ("friction", |p| p.materials.set_default(Surface::rough(0.4)).unwrap()),
        ("step", |p| p.step += 1),
        ("time", |p| p.time += 1e-9),
        ("wall point", |p| p.walls[0].point.0[1] -= 1e-9),
        ("wall normal", |p| p.walls[0].normal.0[0] += 1e-9),
        ("wall velocity", |p| p.walls[0].velocity.0[0] += 1e-9),
        ("wall gone", |p| p.walls.truncate(1)),
        ("piston point", |p| p.pistons[0].point.0[1] += 1e-9),
        ("piston speed", |p| p.pistons[0].speed += 1e-9),
        ("piston mass", |p| p.pistons[0].mass += 1e-9),
        ("piston force", |p| p.pistons[0].force += 1e-9),
        ("normal reaction", |p| p.memory[0].reaction.normal += 1e-9),
        ("tangential reaction", |p| p.memory[0].reaction.tangent.0[0] += 1e-9),
        ("approach", |p| p.memory[0].approach.0[0] += 1e-9),
        ("taken", |p| p.memory[0].taken += 1e-9),
        ("identity", |p| p.memory[0].identity.image[0] += 1),
        ("feature", |p| p.memory[0].identity = p.memory[0].identity.with_features([0, 1])),
        ("memory gone", |p| p.memory.clear()),
    ];
    let hash = packing.state_hash();
    for (name, change) in changes {
        let mut other = packing.clone();
        change(&mut other);
        assert_ne!(other.state_hash(), hash, "{name}");
    }
}
