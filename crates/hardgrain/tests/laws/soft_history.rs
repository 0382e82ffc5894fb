//! The workspace of an engine for soft grains does not influence the results: whatever is done to the packing between two steps, an old
//! engine gives the same bits as a new one.

use crate::scenes::{boxed, column, run};
use hardgrain::soft::{Integrator, SoftGrains, Spring, Springs};
use hardgrain::{
    Cell, Components, Dimension, Engine, Grain, Line, Material, Motion, Packing, Piston, Plane, Purpose, Seed, Space,
    Stream, Surface, Vector, Wall,
};

const SURFACE: Surface = Surface::rough(0.4);
const BOTH: [Integrator; 2] = [Integrator::VelocityVerlet, Integrator::SemiImplicitEuler];

fn soft<D: Dimension>(integrator: Integrator) -> SoftGrains<D> {
    let spring = Spring::normal(25.0, 0.4).tangent(8.0, 0.13);
    SoftGrains::new(0.01, Springs::new(spring)).integrator(integrator).allow_unstable()
}

fn along<D: Dimension>(which: usize, value: f64) -> D::Vector<f64> {
    D::Vector::from_fn(|axis| if axis == which { value } else { 0.0 })
}

/// Something is done to the packing, or to the engine by a step that fails.
fn change<D: Dimension>(kind: u32, stream: &mut Stream, packing: &mut Packing<D>, engine: &mut SoftGrains<D>) {
    let count = u32::try_from(packing.grains.len()).unwrap();
    let index = stream.below(count) as usize;
    let mut around = |width: f64| width * (stream.uniform() - 0.5);
    let grain = &mut packing.grains[index];
    match kind {
        0 => {
            let moved = grain.position + D::Vector::from_fn(|_| around(0.3));
            if packing.cell.holds(moved) {
                grain.position = moved;
            }
        }
        1 => grain.radius *= 1.0 + around(0.2),
        2 => grain.mass *= 1.0 + around(0.5),
        3 => grain.motion = Motion::Fixed,
        4 => grain.motion = Motion::Prescribed,
        5 => grain.motion = Motion::Free,
        6 => grain.material = Material(1),
        7 => {
            let wall = &mut packing.walls[0];
            wall.point += wall.normal * around(0.1);
        }
        8 => packing.materials.set_default(Surface::rough(0.5 + around(0.5))).unwrap(),
        9 => packing.memory.clear(),
        10 => packing.memory.iter_mut().for_each(|known| known.stretch = known.stretch * 0.5),
        11 => {
            packing.grains.remove(index);
            packing.memory.clear();
        }
        12 => packing.grains[index].velocity = D::Vector::from_fn(|_| around(2.0)),
        13 => packing.pistons.iter_mut().for_each(|piston| piston.mass *= 1.0 + around(0.2)),
        14 => packing.grains.swap(0, index),
        15 => {
            // A step that makes no sense, and back.
            let before = grain.velocity;
            grain.velocity = D::Vector::from_fn(|_| 1e200);
            let _ = engine.step(packing);
            packing.grains[index].velocity = before;
        }
        16 => {
            // The same, and something that makes sense has changed as well.
            let moved = grain.position + D::Vector::from_fn(|_| around(0.3));
            if packing.cell.holds(moved) {
                grain.position = moved;
            }
            let before = std::mem::replace(&mut packing.walls[0].normal, D::Vector::from_fn(|_| 3.0));
            assert!(engine.step(packing).is_err());
            packing.walls[0].normal = before;
        }
        17 if packing.cell != Cell::open() => grain.turns[0] += 1,
        _ => {
            // A wall stands where a piston was.
            if let Some(piston) = packing.pistons.pop() {
                packing.walls.insert(0, Wall::new(piston.point, piston.normal));
            }
        }
    }
}

fn history_does_not_matter<D: Dimension>(side: usize, periodic: bool) {
    let half = 0.6 * side as f64;
    let mut contacts = 0;
    for seed in 0..40 {
        let mut stream = Seed(seed).stream(Purpose::Place, 1, 0);
        let mut packing = boxed::<D>(side, seed + 1, SURFACE);
        let odd = packing.materials.named("odd").unwrap();
        packing.materials.set_pair(odd, Material::default(), Surface::rough(0.1)).unwrap();
        if periodic {
            packing.walls.truncate(1);
            packing.cell = Cell::open().periodic(0, -half, half).unwrap();
        }
        let down = D::AXES - 1;
        let mut lid = Piston::new(along::<D>(down, half - 0.2), along::<D>(down, -1.0), 5.0).force(1.0);
        lid.speed = 0.5;
        packing.pistons.push(lid);
        let mut engine = soft::<D>(BOTH[usize::try_from(seed % 2).unwrap()]);
        for _ in 0..8 {
            let kind = stream.below(19);
            change(kind, &mut stream, &mut packing, &mut engine);
            let (mut again, mut other) = (packing.clone(), soft::<D>(engine.integrator));
            for _ in 0..=stream.below(25) {
                let made = [engine.step(&mut packing), other.step(&mut again)].map(|made| made.map(|r| r.contacts));
                let [one, two] = made.map(|made| made.map_err(|error| error.to_string()));
                assert_eq!(one, two, "seed {seed}, {kind}");
                assert_eq!(packing.state_hash(), again.state_hash(), "seed {seed}, {kind}");
                contacts += one.unwrap_or(0);
            }
        }
    }
    assert!(contacts > 1000, "{contacts}");
}

#[test]
fn what_an_engine_has_seen_before_does_not_matter() {
    history_does_not_matter::<Line>(8, false);
    history_does_not_matter::<Plane>(4, false);
    history_does_not_matter::<Plane>(4, true);
    history_does_not_matter::<Space>(3, true);
}

#[test]
fn what_comes_near_grains_that_rest_is_seen() {
    for integrator in BOTH {
        let mut packing = column::<Plane>(3);
        let mut engine = soft::<Plane>(integrator);
        engine.springs = Springs::new(Spring::normal(1e3, 30.0).tangent(3e2, 10.0));
        run(&mut engine, &mut packing, 20_000);
        packing.add_wall(Wall::new([-0.499, 0.0], [1.0, 0.0])).unwrap();
        packing.walls[1].point = Vector([-10.0, 0.0]);
        run(&mut engine, &mut packing, 2);
        packing.walls[1].point = Vector([-0.499, 0.0]);
        assert_eq!(run(&mut engine, &mut packing, 1).contacts, 6, "{integrator:?}");
    }
}

#[test]
fn slow_grains_cross_the_cell_without_losing_their_contacts() {
    for integrator in BOTH {
        let mut packing = Packing::<Plane>::new();
        packing.cell = Cell::open().periodic(0, -3.0, 3.0).unwrap();
        // One grain is pressed against another that moves with a prescribed velocity, by the force of their overlap.
        packing.add(Grain::new([1.91, 0.0], 0.5).velocity([0.02, 0.0]).prescribed()).unwrap();
        packing.add(Grain::new([2.89, 0.0], 0.5).mass(1.0).velocity([0.02, 0.0])).unwrap();
        packing.grains[1].force = Vector([-0.5, 0.0]);
        let mut engine = soft::<Plane>(integrator);
        let mut touching = 0;
        for _ in 0..6000 {
            touching += engine.step(&mut packing).unwrap().contacts;
        }
        assert_eq!(touching, 6000, "{integrator:?}");
        assert!(packing.grains.iter().all(|grain| grain.turns[0] == 1), "{integrator:?}");
    }
}

#[test]
fn a_contact_that_opens_takes_nothing_from_those_that_stay() {
    let mut packing = Packing::<Plane>::new();
    packing.materials.set_default(SURFACE).unwrap();
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
    packing.gravity = Vector([0.0, -1.0]);
    for place in [0.0, 2.0, 4.0] {
        packing.add(Grain::new([place, 0.49], 0.5).mass(1.0)).unwrap();
    }
    let mut engine = soft::<Plane>(Integrator::VelocityVerlet);
    run(&mut engine, &mut packing, 100);
    // Without dashpots a contact is loaded until it opens.
    engine.springs = Springs::new(Spring::normal(25.0, 0.0).tangent(8.0, 0.0));
    // Two are dragged and stick; the first one leaves the floor.
    packing.grains[0].velocity = Vector([0.0, 0.3]);
    for grain in &mut packing.grains[1..] {
        (grain.velocity, grain.spin) = (Vector([0.05, 0.0]), Vector([0.0]));
    }
    let mut stretches = Vec::new();
    for _ in 0..40 {
        engine.step(&mut packing).unwrap();
        stretches.push(packing.memory.last().unwrap().stretch.0[0].abs());
    }
    assert_eq!(packing.memory.len(), 2);
    let alike = stretches.windows(2).all(|pair| (pair[1] - pair[0]).abs() < 6e-4);
    assert!(alike && stretches.iter().any(|stretch| *stretch > 2e-3), "{stretches:?}");
}

#[test]
fn a_stretch_keeps_its_length_when_its_contact_turns_far() {
    let turned = Space::turned_little(Vector([0.0, 0.3, 0.4]), Vector([0.0, 0.0, 1.0]));
    assert!((turned - Vector([0.0, 0.5, 0.0])).length() < 1e-15, "{turned:?}");
}
