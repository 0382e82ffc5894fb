//! Soft grains obey the laws of rigid ones and some of their own.

use crate::incline::{slid, slope};
use crate::invariance::{View, driven, everything, numbers_do_not_matter_to, turn, turn_in_space};
use crate::scenes::{boxed, cloud, column, moment, run};
use hardgrain::soft::{Integrator, SoftGrains, Spring, Springs, largest_step};
use hardgrain::{
    Cell, Components, Dimension, Engine, Failure, Grain, InputError, Line, Packing, Part, Piston, Plane, Space,
    Surface, Threads, Vector, Wall,
};

const SURFACE: Surface = Surface::rough(0.4);
const STEP: f64 = 0.01;
const BOTH: [Integrator; 2] = [Integrator::VelocityVerlet, Integrator::SemiImplicitEuler];

/// Springs in this unit of mass, scaled from [`STEP`] to the given step.
fn springs(mass: f64, step: f64) -> Springs {
    let unit = mass * (STEP / step).powi(2);
    Springs::new(Spring::normal(25.0 * unit, 0.4 * unit * step / STEP).tangent(8.0 * unit, 0.13 * unit * step / STEP))
}

fn soft<D: Dimension>(mass: f64, step: f64) -> SoftGrains<D> {
    SoftGrains::new(step, springs(mass, step))
}

fn momenta<D: Dimension>(packing: &Packing<D>) -> (D::Vector<f64>, D::Spin<f64>) {
    packing.grains.iter().fold(Default::default(), |(linear, angular), grain| {
        let momentum = grain.velocity * grain.mass;
        (linear + momentum, angular + moment::<D>(grain.position, momentum) + grain.spin * grain.inertia())
    })
}

fn conserves<D: Dimension>(side: usize) {
    for integrator in BOTH {
        for springs in [springs(1.0, STEP), springs(1.0, STEP).hertz(), springs(1.0, STEP).per_mass()] {
            let mut packing = cloud::<D>(side, 3, SURFACE);
            let (linear, angular) = momenta(&packing);
            let mut engine = SoftGrains::new(STEP, springs).integrator(integrator);
            let contacts: usize = (0..300).map(|_| run(&mut engine, &mut packing, 1).contacts).sum();
            let (after, turning) = momenta(&packing);
            assert!(contacts > 300, "{contacts}");
            assert!((after - linear).length() < 1e-12, "{integrator:?}: {after:?} {linear:?}");
            assert!((turning - angular).length() < 1e-11, "{integrator:?}: {turning:?} {angular:?}");
        }
    }
}

#[test]
fn momentum_and_angular_momentum_are_conserved() {
    conserves::<Line>(12);
    conserves::<Plane>(5);
    conserves::<Space>(3);
}

fn invariant<D: Dimension>(side: usize, others: Vec<View<D>>) {
    let same = || View::<D>::new(|v| v, |s| s);
    let boost = D::Vector::from_fn(|axis| [0.7, -1.3, 0.4][axis]);
    View { boost, ..same() }.changes_nothing_for(&driven::<D>(side), (300, STEP), soft);
    View { mass: 5.3, length: 3.7, time: 0.31, ..same() }.changes_nothing_for(&everything(side), (300, STEP), soft);
    for view in others {
        view.changes_nothing_for(&everything(side), (300, STEP), soft);
    }
    numbers_do_not_matter_to(&everything::<D>(side), 300, || soft(1.0, STEP), 1e-9);
}

#[test]
fn observers_units_mirrors_rotations_and_numbers_do_not_matter() {
    invariant::<Line>(12, vec![View::<Line>::new(|Vector([x])| Vector([-x]), |s| s)]);
    invariant::<Plane>(5, vec![View::<Plane>::new(|Vector([x, y])| Vector([-x, y]), |s| -s), View::new(turn, |s| s)]);
    let mirrored = |Vector([x, y, z]): Vector<f64, 3>| Vector([x, -y, -z]);
    let mirror = View::<Space>::new(|Vector([x, y, z])| Vector([-x, y, z]), mirrored);
    invariant::<Space>(3, vec![mirror, View::new(turn_in_space, turn_in_space)]);
}

fn rolls_or_slides<D: Dimension>(rolling: f64, threshold: f64) {
    for angle in [0.1_f64, 0.4, 0.9] {
        let threshold = threshold * angle.tan();
        for friction in [0.0, 0.5 * threshold, 0.95 * threshold, 1.05 * threshold, 3.0 * threshold] {
            let mut packing = slope::<D>(angle, friction);
            let spring = Spring::normal(1e5, 100.0).tangent(3e4, 100.0);
            let mut engine = SoftGrains::new(1e-4, Springs::new(spring));
            run(&mut engine, &mut packing, 20_000);
            let (measured, slip) = slid(&packing);
            let rolls = friction > threshold;
            let expected = if rolls { rolling * angle.sin() } else { angle.sin() - friction * angle.cos() };
            assert!((measured / expected - 1.0).abs() < 0.01, "{friction}: {measured}, expected {expected}");
            assert_eq!(slip < 1e-3 * measured, rolls, "{friction}: slips {slip}");
        }
    }
}

#[test]
fn grains_roll_or_slide_down_an_incline() {
    rolls_or_slides::<Plane>(2.0 / 3.0, 1.0 / 3.0);
    rolls_or_slides::<Space>(5.0 / 7.0, 2.0 / 7.0);
}

fn base_carries_the_weight<D: Dimension>() {
    let mut packing = column::<D>(30);
    let mut engine = SoftGrains::new(1e-4, Springs::new(Spring::normal(3e4, 600.0).tangent(1e4, 200.0)));
    run(&mut engine, &mut packing, 300_000);
    let load = packing.load_on(Part::Wall(0));
    assert!((load / 30.0 - 1.0).abs() < 1e-8, "{load}");
    // Each contact is compressed by the weight above it.
    let squeezed: f64 = (1..=30).map(f64::from).sum::<f64>() / 3e4;
    let top = packing.grains[29].position.as_slice()[D::AXES - 1];
    assert!((top - (29.5 - squeezed)).abs() < 1e-8, "{top}");
}

#[test]
fn the_base_of_a_column_carries_its_weight() {
    base_carries_the_weight::<Line>();
    base_carries_the_weight::<Plane>();
    base_carries_the_weight::<Space>();
}

fn same_bits<D: Dimension>(side: usize, cell: Cell<D>) {
    for integrator in BOTH {
        let mut whole = cloud::<D>(side, 2, SURFACE);
        whole.cell = cell;
        // Fast enough to cross the cell.
        for grain in &mut whole.grains {
            grain.velocity = grain.velocity * 3.0;
        }
        let engine = || soft(1.0, STEP).integrator(integrator);
        let mut parts = whole.clone();
        run(&mut engine(), &mut whole, 600);
        // A new engine makes its list of pairs at another time.
        for steps in [1, 137, 262, 200] {
            run(&mut engine(), &mut parts, steps);
        }
        assert_eq!(whole.state_hash(), parts.state_hash(), "{integrator:?}");
        assert_eq!(whole, parts);
        assert!(cell.periodic_axes().next().is_none() || whole.grains.iter().any(|grain| grain.turns != [0; 3]));
    }
}

#[test]
fn a_new_engine_continues_bit_for_bit() {
    same_bits::<Line>(12, Cell::open());
    same_bits::<Plane>(5, Cell::open().periodic(1, -3.0, 3.0).unwrap());
    same_bits::<Space>(3, Cell::open().periodic(0, -2.5, 2.5).unwrap().periodic(2, -2.5, 2.5).unwrap());
}

#[test]
fn any_number_of_threads_gives_the_same_bits() {
    // More grains than one block, in an order that mixes the blocks, with every kind of part.
    let mut packing = everything::<Plane>(60);
    let half = packing.grains.len() / 2;
    let back = packing.grains.split_off(half);
    let front = std::mem::take(&mut packing.grains);
    packing.grains = front.into_iter().zip(back).flat_map(|(a, b)| [a, b]).collect();
    for integrator in BOTH {
        let hashes = [1, 2, 7].map(|threads| {
            let mut packing = packing.clone();
            let mut engine = soft(1.0, STEP).integrator(integrator).threads(&Threads::new(threads));
            let report = run(&mut engine, &mut packing, 60);
            (packing.state_hash(), report.kinetic_energy.to_bits(), report.contact_work.to_bits())
        });
        assert!(hashes.iter().all(|hash| *hash == hashes[0]), "{hashes:?}");
    }
}

/// Changes of the packing between steps are seen, although the list of pairs is older.
#[test]
fn changes_from_outside_are_seen() {
    let mut packing = boxed::<Plane>(5, 1, SURFACE);
    let mut engine = soft(1.0, STEP);
    run(&mut engine, &mut packing, 5);
    let changes: [fn(&mut Packing<Plane>); 8] = [
        |packing| packing.grains[7].position = packing.grains[8].position + Vector([0.6, 0.1]),
        |packing| packing.grains[3].radius *= 1.3,
        |packing| packing.grains[4].mass *= 2.0,
        |packing| packing.walls[0].point.0[1] += 0.3,
        |packing| packing.walls[0].normal = Vector([0.6, 0.8]),
        |packing| packing.materials.set_default(Surface::rough(0.1)).unwrap(),
        |packing| packing.grains[2] = packing.grains[2].clone().fixed(),
        |packing| packing.memory.clear(),
    ];
    for change in changes {
        change(&mut packing);
        let mut again = packing.clone();
        run(&mut engine, &mut packing, 40);
        run(&mut soft(1.0, STEP), &mut again, 40);
        assert_eq!(packing.state_hash(), again.state_hash());
    }
}

#[test]
fn the_stable_step_of_a_bonded_row_is_exact() {
    for damping in [0.0, 3.0] {
        let row = || {
            let mut packing = Packing::<Line>::new();
            for index in 0..60 {
                let speed = if index % 2 == 0 { 1e-9 } else { -1e-9 };
                packing.add(Grain::new([f64::from(index)], 0.5).mass(1.0).velocity([speed])).unwrap();
            }
            packing
        };
        let springs = Springs::new(Spring::normal(100.0, damping));
        let largest = largest_step(&row(), &springs);
        for integrator in BOTH {
            let fastest = |share: f64| {
                let mut packing = row();
                let mut engine = SoftGrains::new(share * largest, springs.clone()).integrator(integrator);
                let mut bonded = engine.clone().bonded().allow_unstable();
                // An unstable run may end with two grains at the same place.
                let _ = (0..1000).try_for_each(|_| bonded.step(&mut packing).map(|_| ()));
                let refused = engine.step(&mut row());
                assert_eq!(refused.is_err(), share > 1.0, "{refused:?}");
                packing.grains.iter().map(|grain| grain.velocity.length()).fold(0.0, f64::max)
            };
            assert!(fastest(0.98) < 1e-7, "{integrator:?} {damping}: {}", fastest(0.98));
            assert!(fastest(1.03) > 1.0, "{integrator:?} {damping}: {}", fastest(1.03));
        }
    }
}

#[test]
fn steps_that_are_too_long_are_refused_with_the_largest_one() {
    let mut packing = boxed::<Space>(3, 1, SURFACE);
    let largest = largest_step(&packing, &springs(1.0, STEP));
    let before = packing.clone();
    let error = soft(1.0, STEP).step(&mut packing).map(|_| ()).err();
    assert!(error.is_none(), "{error:?}");
    packing = before.clone();
    let mut engine = SoftGrains::new(1.01 * largest, springs(1.0, STEP));
    let error = engine.step(&mut packing).unwrap_err();
    match error.failure {
        Failure::Input(InputError::Unstable { largest: said, .. }) => assert_eq!(said, largest),
        other => panic!("{other:?}"),
    }
    assert_eq!(packing, before, "nothing was touched");
    engine.allow_unstable = true;
    engine.step(&mut packing).unwrap();
}

#[test]
fn a_large_light_disc_among_many_small_ones_is_stable_where_it_is_allowed() {
    let ring = || {
        let mut packing = Packing::<Plane>::new();
        packing.add(Grain::new([0.0, 0.0], 10.0).mass(1.0).velocity([1e-3, 0.0])).unwrap();
        for index in 0..120 {
            let angle = f64::from(index) * std::f64::consts::TAU / 120.0;
            packing.add(Grain::new([10.249 * angle.cos(), 10.249 * angle.sin()], 0.25).fixed()).unwrap();
        }
        packing
    };
    let springs = Springs::new(Spring::normal(1e5, 0.0));
    let largest = largest_step(&ring(), &springs);
    let speed = |step: f64| {
        let mut packing = ring();
        let mut engine = SoftGrains::new(step, springs.clone()).allow_unstable();
        (0..300).map(|_| run(&mut engine, &mut packing, 1).kinetic_energy).fold(0.0, f64::max)
    };
    assert!(speed(0.99 * largest) < 1e-6, "{}", speed(0.99 * largest));
    assert!(speed(2.5 * largest) > 1e-3, "{largest}: {}", speed(2.5 * largest));
}

#[test]
fn a_step_that_fails_leaves_no_trace() {
    let mut packing = boxed::<Plane>(5, 1, SURFACE);
    let mut engine = soft(1.0, STEP);
    run(&mut engine, &mut packing, 100);
    assert!(packing.memory.len() > 5);
    let mut again = packing.clone();
    engine.time_step = 10.0;
    assert!(engine.step(&mut packing).is_err());
    engine.time_step = STEP;
    run(&mut engine, &mut packing, 20);
    run(&mut soft(1.0, STEP), &mut again, 20);
    assert_eq!(packing.state_hash(), again.state_hash());
}

#[test]
fn a_light_lid_on_many_grains_is_refused_when_it_touches() {
    let mut packing = Packing::<Plane>::new();
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
    for index in 0..40 {
        packing.add(Grain::new([f64::from(index), 0.5], 0.5).mass(1.0)).unwrap();
    }
    packing.add_piston(Piston::new([0.0, 1.001], [0.0, -1.0], 0.01).force(1.0)).unwrap();
    let mut engine = SoftGrains::new(0.01, Springs::new(Spring::normal(100.0, 1.0)));
    let failure = (0..1000).find_map(|_| engine.step(&mut packing).err()).expect("it falls on them");
    assert!(matches!(failure.failure, Failure::Input(InputError::Unstable { .. })), "{failure:?}");
    // All 40 contacts act on the piston: 2 · 40 κ/m, damped.
    let text = failure.to_string();
    assert!(text.contains("0.00") || text.contains("e-"), "{text}");
}

#[test]
fn only_bonds_pull() {
    let pulled = |bonded: bool| {
        let mut packing = Packing::<Plane>::new();
        for (x, force) in [(0.0, -1.0), (1.0, 1.0)] {
            packing.add(Grain::new([x, 0.0], 0.5).mass(1.0).force([force, 0.0])).unwrap();
        }
        let mut engine = SoftGrains::new(0.01, Springs::new(Spring::normal(100.0, 10.0)));
        engine.bonded = bonded;
        run(&mut engine, &mut packing, 2000);
        packing.grains[1].position.0[0] - packing.grains[0].position.0[0]
    };
    assert!((pulled(true) - 1.01).abs() < 1e-9, "held: {}", pulled(true));
    assert!(pulled(false) > 100.0, "gone: {}", pulled(false));
}

#[test]
fn numbers_that_stop_being_numbers_are_refused_and_nothing_is_touched() {
    let mut packing = boxed::<Plane>(4, 1, SURFACE);
    run(&mut soft(1.0, STEP), &mut packing, 3);
    for change in [
        |packing: &mut Packing<Plane>| packing.grains[1].velocity = Vector([f64::NAN, 0.0]),
        |packing: &mut Packing<Plane>| packing.grains[1].spin = Vector([f64::INFINITY]),
        |packing: &mut Packing<Plane>| packing.grains[1].velocity = Vector([1e200, 0.0]),
        |packing: &mut Packing<Plane>| packing.grains[1].mass = 0.0,
    ] {
        let mut bad = packing.clone();
        change(&mut bad);
        let before = format!("{bad:?}");
        assert!(soft(1.0, STEP).step(&mut bad).is_err());
        assert_eq!(format!("{bad:?}"), before);
    }
    for spring in [Spring::normal(0.0, 0.0), Spring::normal(-1.0, 0.0), Spring::normal(1.0, -1.0)] {
        assert!(SoftGrains::new(STEP, Springs::new(spring)).step(&mut packing).is_err());
    }
    assert!(SoftGrains::new(f64::NAN, springs(1.0, STEP)).step(&mut packing).is_err());
    assert!(soft(1.0, STEP).step(&mut Packing::<Plane>::new()).is_err());
}
