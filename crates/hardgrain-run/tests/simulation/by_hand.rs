//! Packings made by hand: the same as their twin that a scene describes, also in the report; with a scene of their own.

use hardgrain::soft::{Integrator, Scale, Spring, SpringLaw};
use hardgrain::{Cell, Grain, Line, Order, Packing, Piston, Plane, Shock, Space, Stop, Surface, Wall};
use hardgrain_io::Scene;
use hardgrain_io::scene::{SoftPlan, SpringPlan};
use hardgrain_run::{Numerics, Rigidity, Simulation, SolverKind, Unobserved, Until};
use proptest::prelude::*;

const TWIN: &str = r#"
format = 1
dimension = 2
gravity = [0.0, -1.0]
contact = { friction = 0.3 }
time = { step = 0.01, steps = 1000 }
solver = { sweeps = 20, order = "forward" }

[cell]
periodic = { x = [0.0, 8.0] }

[[grains]]
label = "floor"
motion = "fixed"
radius = 0.5
arrange = { kind = "row", count = 8, first = [0.5, 0.0], spacing = [1.0, 0.0] }

[[grains]]
label = "discs"
radius = 0.45
density = 2.0
arrange = { kind = "grid", counts = [8, 5], first = [0.5, 0.96], spacing = [1.0, 0.92] }

[[pistons]]
label = "lid"
point = [0.0, 5.2]
normal = [0.0, -1.0]
mass = 3.0
force = 2.0
"#;

fn twin() -> Scene {
    Scene::from_text("twin", TWIN, &[], &|_| Err(String::new())).unwrap()
}

pub(crate) fn by_hand() -> Packing<Plane> {
    let mut packing = Packing::<Plane>::new();
    packing.gravity = [0.0, -1.0].into();
    packing.cell = Cell::open().periodic(0, 0.0, 8.0).unwrap();
    packing.materials.set_default(Surface::rough(0.3)).unwrap();
    let lid = packing.labels.named("lid");
    packing.add_piston(Piston::new([0.0, 5.2], [0.0, -1.0], 3.0).force(2.0).label(lid)).unwrap();
    let (floor, discs) = (packing.labels.named("floor"), packing.labels.named("discs"));
    for column in 0..8 {
        packing.add(Grain::new([0.5 + f64::from(column), 0.0], 0.5).fixed().label(floor)).unwrap();
    }
    for row in 0..5 {
        for column in 0..8 {
            let place = [0.5 + f64::from(column), 0.96 + 0.92 * f64::from(row)];
            packing.add(Grain::new(place, 0.45).density(2.0).label(discs)).unwrap();
        }
    }
    packing
}

pub(crate) fn sweeps(count: u32) -> Numerics {
    Numerics::new(0.01, SolverKind::GaussSeidel(Order::Forward, Stop::Sweeps(count)))
}

/// A report without the prices that a clock has measured.
fn untimed(mut report: Rigidity) -> Rigidity {
    report.advice.retain(|advice| !advice.action.contains("solver.kind"));
    report.advice.iter_mut().for_each(|advice| (advice.cost, advice.cost_at_rest) = (None, None));
    report
}

#[test]
fn a_packing_made_by_hand_has_the_report_of_its_twin() {
    let mut simulation = Simulation::from_packing(&by_hand(), sweeps(20)).unwrap();
    let mut described = Simulation::<Plane>::new(twin()).unwrap();
    for count in [1, 30, 200, 400] {
        simulation.run(Until::Steps(count), &mut Unobserved).unwrap();
        described.run(Until::Steps(count), &mut Unobserved).unwrap();
        assert_eq!(simulation.packing().grains.len(), described.packing().grains.len());
        let places = |packing: &Packing<Plane>| packing.grains.iter().map(|grain| grain.position).collect::<Vec<_>>();
        assert_eq!(places(simulation.packing()), places(described.packing()), "after {count} more steps");
        let report = untimed(simulation.rigidity());
        assert_eq!(report, untimed(described.rigidity()), "after {count} more steps");
        assert!(report.boundaries.iter().any(|own| own.label == "lid") || count < 400, "{:?}", report.boundaries);
    }
}

#[test]
fn its_scene_runs_elsewhere_with_the_same_bits() {
    let mut simulation = Simulation::from_packing(&by_hand(), sweeps(20)).unwrap();
    simulation.run(Until::Steps(50), &mut Unobserved).unwrap();
    simulation.change(&["solver.sweeps=5", "pistons.lid.force=4.0"]).unwrap();
    simulation.run(Until::Steps(50), &mut Unobserved).unwrap();
    let mut again = Simulation::<Plane>::new(simulation.scene().clone()).unwrap();
    again.run(Until::Steps(100), &mut Unobserved).unwrap();
    assert_eq!(again.packing().state_hash(), simulation.packing().state_hash());
    assert_eq!(again.packing().pistons[0].force, 4.0);
}

#[test]
fn what_is_wrong_by_hand_is_said() {
    let mut packing = by_hand();
    packing.grains[3].radius = -1.0;
    let error = Simulation::from_packing(&packing, sweeps(20)).err().expect("a negative radius").to_string();
    assert!(error.contains("radius of floor[3] is -1"), "{error}");
    let error = Simulation::from_packing(&by_hand(), sweeps(0)).err().expect("no sweeps").to_string();
    assert!(error.contains("sweeps"), "{error}");
    let error = Simulation::from_packing(&by_hand(), Numerics::new(-0.1, sweeps(1).solver.kind)).err();
    assert!(error.expect("a negative step").to_string().contains("step"));
    let error = Simulation::from_packing(&by_hand(), Numerics::new(0.1, SolverKind::Pooling)).err();
    assert!(error.expect("on a line only").to_string().contains("line"));
    assert!(Simulation::from_packing(&Packing::<Line>::new(), sweeps(1)).is_err(), "without grains");
    let error = Simulation::<Space>::new(twin()).err().expect("another dimension").to_string();
    assert!(error.contains("dimension 2, not 3"), "{error}");
}

#[test]
fn a_packing_that_was_spoilt_between_steps_is_refused_and_can_be_mended() {
    let mut simulation = Simulation::from_packing(&by_hand(), sweeps(20)).unwrap();
    simulation.run(Until::Steps(10), &mut Unobserved).unwrap();
    assert_eq!(simulation.edited_after(), None);
    simulation.packing_mut().grains[9].mass = f64::NAN;
    let error = simulation.step().expect_err("a mass that is no number").to_string();
    assert!(error.contains("mass"), "{error}");
    simulation.packing_mut().grains[9].mass = 1.0;
    simulation.packing_mut().pistons[0].force = 0.5;
    simulation.run(Until::Steps(10), &mut Unobserved).unwrap();
    assert_eq!((simulation.packing().step, simulation.packing().pistons[0].force), (20, 0.5), "forces stay as set");
    assert_eq!(simulation.edited_after(), Some(10));
}

#[test]
fn grains_may_come_and_go_between_steps() {
    let mut simulation = Simulation::from_packing(&by_hand(), sweeps(20)).unwrap();
    simulation.run(Until::Steps(100), &mut Unobserved).unwrap();
    simulation.packing_mut().grains.truncate(20);
    let error = simulation.step().expect_err("contacts of grains that are gone").to_string();
    assert!(error.contains("clear the memory"), "{error}");
    simulation.packing_mut().memory.clear();
    simulation.packing_mut().add(Grain::new([4.0, 4.0], 0.2)).unwrap();
    simulation.run(Until::Steps(100), &mut Unobserved).unwrap();
    assert_eq!(simulation.packing().grains.len(), 21);
    let again = Simulation::<Plane>::load(&simulation.save().unwrap()).unwrap();
    assert_eq!(again.packing().state_hash(), simulation.packing().state_hash());
    assert_eq!(again.edited_after(), Some(100));
}

fn kinds() -> impl Strategy<Value = SolverKind> {
    let stop = prop_oneof![
        (1_u32..500).prop_map(Stop::Sweeps),
        (1e-12..0.5, 1_u32..100_000).prop_map(|(tolerance, max_sweeps)| Stop::Tolerance { tolerance, max_sweeps }),
    ];
    let order = proptest::sample::select(Order::ALL.to_vec());
    let springs = (1e-3..1e6, 0.0..1e3, 0.0..1e6, 0.0..1e3, any::<bool>(), any::<bool>());
    let springs = springs.prop_map(|(stiffness, damping, other, tangent, hertz, per_mass)| SpringPlan::Springs {
        spring: Spring::normal(stiffness, damping).tangent(other, tangent),
        scale: if per_mass { Scale::PerMass } else { Scale::Same },
        law: if hertz { SpringLaw::Hertz } else { SpringLaw::Linear },
    });
    let soft = (springs, any::<bool>()).prop_map(|(strength, verlet)| {
        let integrator = if verlet { Integrator::VelocityVerlet } else { Integrator::SemiImplicitEuler };
        SolverKind::Soft(SoftPlan { strength, integrator, bonded: false, allow_unstable: true })
    });
    prop_oneof![
        (order, stop.clone()).prop_map(|(order, stop)| SolverKind::GaussSeidel(order, stop)),
        stop.prop_map(SolverKind::Accelerated),
        (1e-12..0.5, 1_u32..100_000).prop_map(|(tolerance, max_sweeps)| SolverKind::Rigid { tolerance, max_sweeps }),
        soft,
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    /// A scene that is written for a packing asks for just what was asked for.
    #[test]
    fn settings_are_written_and_read_again(kind in kinds(), step in 1e-9..1e9, rest_speed in 0.0..1e3, cold in any::<bool>(), seed in 0_u64..1 << 60) {
        let mut packing = Packing::<Plane>::new();
        packing.add(Grain::new([0.0, 1.0], 0.5)).unwrap();
        packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
        let mut numerics = Numerics { rest_speed, ..Numerics::new(step, kind) };
        if cold && !matches!(kind, SolverKind::Soft(_)) {
            (numerics.solver.warm, numerics.solver.shock) = (false, Shock::FullGap);
        }
        let scene = Scene::from_packing(&packing, &numerics, seed).unwrap();
        prop_assert_eq!(scene.stages[0].numerics, numerics);
        prop_assert_eq!(scene.seed, seed);
    }
}
