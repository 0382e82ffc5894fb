//! Invalid input gives an error message, never a panic or NaN.

use crate::scenes::{all_setups, boxed, cloud, run, sweeping};
use hardgrain::{
    Cell, Components, ContactDynamics, Dimension, Engine, Failure, GaussSeidel, Grain, InputError, Line, Order,
    Packing, Part, Piston, Plane, Pooling, Space, Status, Stop, Surface, Wall,
};
use proptest::prelude::*;

/// The message of a step that must fail.
fn refusal<D: Dimension>(packing: &mut Packing<D>) -> String {
    let before = packing.state_hash();
    let error = sweeping(0.1, Order::RandomSweep, 5).step(packing).unwrap_err();
    assert_eq!(packing.state_hash(), before, "a refused step changes nothing");
    error.to_string()
}

#[test]
fn coincident_centres() {
    let mut packing = Packing::<Space>::new();
    for x in [5.0, 1.0, 5.0] {
        packing.add(Grain::new([x, 0.0, 0.0], 0.5)).unwrap();
    }
    assert_eq!(refusal(&mut packing), "step 0: grains 0 and 2 have the same centre; move one of them");
}

#[test]
fn radius_and_mass_must_be_above_zero() {
    let mut packing = Packing::<Plane>::new();
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY, 1e-320] {
        assert!(packing.add(Grain::new([0.0, 0.0], bad)).is_err(), "radius {bad}");
        assert!(packing.add(Grain::new([0.0, 0.0], 0.5).mass(bad)).is_err(), "mass {bad}");
        assert!(packing.add_piston(Piston::new([0.0, 0.0], [0.0, 1.0], bad)).is_err(), "piston {bad}");
    }
    let message = packing.add(Grain::new([0.0, 0.0], -1.0)).unwrap_err().to_string();
    assert_eq!(message, "radius of grain 0 is -1; it must be finite and above 0");
}

#[test]
fn not_a_number_anywhere() {
    for bad in [f64::NAN, f64::INFINITY, f64::NEG_INFINITY] {
        let mut packing = Packing::<Plane>::new();
        assert!(packing.add(Grain::new([0.0, bad], 0.5)).is_err());
        assert!(packing.add(Grain::new([0.0, 0.0], 0.5).velocity([bad, 0.0])).is_err());
        assert!(packing.add(Grain::new([0.0, 0.0], 0.5).spin([bad])).is_err());
        assert!(packing.add(Grain::new([0.0, 0.0], 0.5).force([bad, 0.0])).is_err());
        assert!(packing.add_wall(Wall::new([bad, 0.0], [0.0, 1.0])).is_err());
        assert!(packing.add_wall(Wall::new([0.0, 0.0], [bad, 1.0])).is_err());
        assert!(packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0]).velocity([bad, 0.0])).is_err());
        assert!(packing.add_piston(Piston::new([0.0, 0.0], [0.0, 1.0], 1.0).force(bad)).is_err());
        assert!(packing.add_piston(Piston::new([0.0, 0.0], [0.0, 1.0], 1.0).speed(bad)).is_err());
        packing.add(Grain::new([0.0, 0.0], 0.5)).unwrap();
        packing.gravity = [0.0, bad].into();
        assert!(refusal(&mut packing).contains("gravity"));
    }
}

#[test]
fn a_normal_without_direction() {
    let mut packing = Packing::<Plane>::new();
    let error = packing.add_wall(Wall::new([0.0, 0.0], [0.0, 0.0])).unwrap_err();
    assert_eq!(error, InputError::NoDirection { place: Part::Wall(0) });
}

#[test]
fn grains_outside_the_periodic_cell() {
    let mut packing = Packing::<Plane>::new();
    packing.cell = Cell::open().periodic(1, 0.0, 8.0).unwrap();
    let error = packing.add(Grain::new([0.0, 9.0], 0.5)).unwrap_err();
    assert_eq!(error, InputError::OutsideCell { grain: 0, axis: 1, value: 9.0 });
    // The same when the cell comes later.
    let mut packing = Packing::<Plane>::new();
    packing.add(Grain::new([0.0, 9.0], 0.5)).unwrap();
    packing.cell = Cell::open().periodic(1, 0.0, 8.0).unwrap();
    assert!(refusal(&mut packing).contains("outside the periodic cell"));
}

#[test]
fn a_cell_too_narrow_to_tell_images_apart() {
    let mut packing = Packing::<Plane>::new();
    packing.cell = Cell::open().periodic(0, 0.0, 2.0).unwrap();
    packing.add(Grain::new([1.0, 0.0], 0.5)).unwrap();
    assert!(refusal(&mut packing).contains("make it wider than 2"));
}

#[test]
fn a_wall_across_a_periodic_axis() {
    let mut packing = Packing::<Plane>::new();
    packing.cell = Cell::open().periodic(0, 0.0, 8.0).unwrap();
    packing.add(Grain::new([1.0, 1.0], 0.5)).unwrap();
    packing.add_wall(Wall::new([0.0, 0.0], [1.0, 1.0])).unwrap();
    assert!(refusal(&mut packing).contains("wall 0 blocks axis 0"));
}

#[test]
fn an_empty_packing() {
    assert_eq!(refusal(&mut Packing::<Line>::new()), "step 0: the packing has no grains; add at least one");
}

#[test]
fn a_problem_that_the_solver_does_not_know() {
    let mut packing = boxed::<Plane>(3, 1, Surface::default());
    let before = packing.state_hash();
    let error = ContactDynamics::new(0.1, Pooling).step(&mut packing).unwrap_err();
    let message = "step 0: pooling does not know grains in the plane or in space; use Gauss–Seidel sweeps";
    assert_eq!((error.to_string().as_str(), packing.state_hash()), (message, before));
}

#[test]
fn a_grain_squeezed_between_overlapping_walls() {
    let squeezed = |width: f64| {
        let mut packing = Packing::<Plane>::new();
        packing.add_wall(Wall::new([0.0, 0.0], [1.0, 0.0])).unwrap();
        packing.add_wall(Wall::new([width, 0.0], [-1.0, 0.0])).unwrap();
        packing.add(Grain::new([0.5 * width, 0.0], 0.5)).unwrap();
        packing
    };
    assert!(refusal(&mut squeezed(0.6)).contains("leave 0.6 for grain 0, which needs 1"));
    assert!(refusal(&mut squeezed(-0.5)).contains("behind"));
    for setup in all_setups() {
        // A slightly narrow gap is accepted: the overlap stays as it is.
        let mut tight = squeezed(0.9999);
        let report = run(&mut sweeping(0.1, setup, 20), &mut tight, 50);
        assert_eq!(tight.kinetic_energy(), 0.0, "{setup:?}: {report:?}");
        // Walls that crush a grain allow no solution: the status says so, and numbers stay finite.
        let mut crushed = squeezed(1.0);
        crushed.walls[0].velocity = [0.01, 0.0].into();
        let stop = Stop::Tolerance { tolerance: 1e-8, max_sweeps: 100 };
        let mut engine = ContactDynamics::new(0.1, setup.solver(stop));
        let report = run(&mut engine, &mut crushed, 20);
        assert_eq!(report.status, Status::NotConverged, "{setup:?}");
        assert!(report.kinetic_energy.is_finite() && report.overlap_max.is_finite(), "{setup:?}");
    }
}

#[test]
fn a_number_that_stops_being_one_is_named_with_its_grain_and_step() {
    for setup in all_setups() {
        let mut packing = cloud::<Plane>(3, 1, Surface::rough(0.1));
        let mut engine = sweeping(0.1, setup, 5);
        run(&mut engine, &mut packing, 7);
        packing.grains[4].force = [f64::NAN, 0.0].into();
        let error = engine.step(&mut packing).unwrap_err();
        assert_eq!(error.to_string(), "step 7: force of grain 4 is NaN; it must be a finite number");
        // Overflow during a step is detected before anything moves.
        packing.grains[4].force = [0.0, 0.0].into();
        packing.grains[2].velocity = [1e308, 0.0].into();
        engine.time_step = 1e10;
        let before = packing.state_hash();
        let error = engine.step(&mut packing).unwrap_err();
        assert_eq!((error.step, &error.failure), (7, &Failure::NotFinite { what: "velocity", place: Part::Grain(2) }));
        assert!(error.to_string().starts_with("step 7: the velocity of grain 2"), "{error}");
        assert_eq!(packing.state_hash(), before);
    }
}

#[test]
fn nonsense_in_the_middle_of_a_run() {
    type Change = fn(&mut Packing<Plane>);
    let changes: [(&str, Change); 12] = [
        ("mass", |p| p.grains[0].mass = -1.0),
        ("radius", |p| p.grains[0].radius = 0.0),
        ("position", |p| p.grains[0].position.0[0] = f64::NAN),
        ("orientation", |p| p.grains[0].orientation[0] = f64::NAN),
        ("material", |p| p.grains[0].material = hardgrain::Material(9)),
        ("normal", |p| p.walls[0].normal = [0.0, 0.0].into()),
        ("normal", |p| p.walls[0].normal = [f64::NAN, 0.0].into()),
        ("point", |p| p.walls[0].point = [f64::NAN, 0.0].into()),
        ("no grains", |p| p.grains.clear()),
        ("outside", |p| p.cell = Cell::open().periodic(0, 50.0, 60.0).unwrap()),
        ("gravity", |p| p.gravity.0[0] = f64::INFINITY),
        ("speed", |p| p.pistons[0].speed = f64::NAN),
    ];
    let mut good = boxed::<Plane>(4, 1, Surface::rough(0.3).bouncing(0.5));
    good.walls.pop();
    good.add_piston(Piston::new([0.0, 5.0], [0.0, -1.0], 2.0)).unwrap();
    run(&mut sweeping(0.1, Order::RandomSweep, 5), &mut good, 12);
    for (word, change) in changes {
        let mut packing = good.clone();
        change(&mut packing);
        let message = refusal(&mut packing);
        assert!(message.starts_with("step 12: ") && message.contains(word), "{word}: {message}");
    }
    // Removing parts leaves memories of contacts that no longer exist: no panic.
    let removals: [Change; 4] =
        [|p| p.grains.truncate(15), |p| p.walls.clear(), |p| p.pistons.clear(), |p| p.grains.truncate(1)];
    for remove in removals {
        let mut packing = good.clone();
        remove(&mut packing);
        run(&mut sweeping(0.1, Order::RandomSweep, 5), &mut packing, 5);
    }
    let behind = good.add_piston(Piston::new([0.0, -10.0], [0.0, -1.0], 1.0)).unwrap_err();
    assert!(behind.to_string().contains("behind piston 1"), "{behind}");
}

#[test]
fn energies_that_overflow() {
    for (velocity, spin) in [(1e200, 0.0), (0.0, 1e200)] {
        let mut packing = Packing::<Space>::new();
        packing.add(Grain::new([0.0; 3], 0.5).velocity([velocity, 0.0, 0.0]).spin([spin, 0.0, 0.0])).unwrap();
        assert!(refusal(&mut packing).contains("no longer a finite number"));
    }
}

#[test]
fn settings_without_sense() {
    let mut packing = cloud::<Plane>(2, 1, Surface::default());
    for bad in [0.0, -1.0, f64::NAN, f64::INFINITY] {
        let error = sweeping(bad, Order::Forward, 5).step(&mut packing).unwrap_err();
        assert!(error.to_string().contains("time step"), "{error}");
    }
    let mut engine = sweeping(0.1, Order::Forward, 5);
    engine.rest_speed = f64::NAN;
    assert!(engine.step(&mut packing).is_err());
    for bad in [-1.0, 1.0, f64::NAN] {
        let stop = Stop::Tolerance { tolerance: bad, max_sweeps: 10 };
        let mut engine = ContactDynamics::new(0.1, GaussSeidel::new(Order::Forward, stop));
        assert!(engine.step(&mut packing).unwrap_err().to_string().contains("tolerance"));
    }
    let error = sweeping(0.1, Order::Forward, 0).step(&mut packing).unwrap_err();
    assert_eq!(error.to_string(), "step 0: number of sweeps is 0; it must be 1 or more");
}

#[test]
fn a_fixed_grain_under_a_piston() {
    for setup in all_setups() {
        let mut packing = Packing::<Plane>::new();
        packing.materials.set_default(Surface::rough(0.5)).unwrap();
        packing.add(Grain::new([0.0, 0.0], 0.5).fixed()).unwrap();
        packing.add_piston(Piston::new([0.0, 1.0], [0.0, -1.0], 2.0).force(1.0)).unwrap();
        run(&mut sweeping(0.1, setup, 5), &mut packing, 50);
        assert!((packing.pistons[0].point.0[1] - 0.5).abs() < 1e-12, "{setup:?}: {:?}", packing.pistons[0]);
        assert!((packing.load_on(Part::Grain(0)) - 1.0).abs() < 1e-12, "{setup:?}");
    }
}

proptest! {
    /// For any input a step ends with an error or with numbers that are not NaN.
    #[test]
    fn any_numbers_at_all(values in prop::collection::vec(any::<f64>(), 12), step in any::<f64>(), sweeps in 0..4_u32) {
        let mut packing = Packing::<Plane>::new();
        let _ = packing.add(Grain::new([values[0], values[1]], values[2]).mass(values[3]));
        let _ = packing.add(Grain::new([values[4], values[5]], values[6]).velocity([values[7], values[8]]));
        let _ = packing.add(Grain::new([0.0, 1.0], 0.5));
        let _ = packing.add_wall(Wall::new([values[9], 0.0], [values[10], values[11]]));
        for setup in all_setups() {
            let mut packing = packing.clone();
            let mut engine = sweeping(step, setup, sweeps);
            for _ in 0..3 {
                if engine.step(&mut packing).is_ok() {
                    prop_assert!(packing.grains.iter().all(|g| g.position.length_squared() >= 0.0));
                }
            }
        }
    }
}
