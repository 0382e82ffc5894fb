//! A scene gives the same bits however it is run: in a folder, in memory, in pieces of any length, saved and loaded in between, changed on
//! the way and run again from the scene that came of it; on one thread and on two.

use hardgrain::{Dimension, Purpose, Seed, Stream, in_dimension};
use hardgrain_io::Scene;
use hardgrain_run::{Finish, Halt, Simulation, Summary, Unobserved, Until, start};
use std::env::temp_dir;
use std::fs;
use std::process::id;

/// Scenes with settings that make them short.
const SHORT: [(&str, &[&str]); 12] = [
    ("bounce", &["time.duration=", "time.steps=300"]),
    ("chain", &["time.steps=300"]),
    ("column", &["time.steps=150"]),
    ("cradle", &["time.steps=300"]),
    ("drum", &["time.duration=", "time.steps=120"]),
    ("incline", &["time.duration=", "time.steps=200"]),
    (
        "piston",
        &[
            "grains.discs.arrange.count=100",
            "stages.compress.until={at_rest=1e-9, max_steps=320, stop_after=200, otherwise=\"continue\"}",
            "stages.ring.steps=60",
        ],
    ),
    (
        "sandpile",
        &[
            "grains.sand.arrange.count=40",
            "stages.pour.duration=",
            "stages.pour.steps=80",
            "stages.settle.until.max_steps=100",
        ],
    ),
    ("shear", &["time.duration=", "time.steps=80"]),
    (
        "silo",
        &[
            "grains.discs.arrange.count=60",
            "stages.fill.duration=",
            "stages.fill.steps=60",
            "stages.sink.duration=",
            "stages.sink.steps=20",
            "stages.settle.until.max_steps=100",
        ],
    ),
    ("soft", &["grains.spheres.arrange.count=60", "time.duration=", "time.steps=400"]),
    (
        "spheres",
        &["grains.spheres.arrange.count=60", "stages.compress.until={at_rest=1e-9, max_steps=260, stop_after=200}"],
    ),
];

/// What a scene is run with.
fn solvers(name: &str, axes: usize) -> Vec<&'static str> {
    if name == "soft" {
        return vec!["seed=3"];
    }
    let mut all = vec![
        "seed=3",
        "solver.order=coloured",
        "solver.order=parallel",
        "solver={kind=\"accelerated\",tolerance=1e-3,max_sweeps=300}",
        "solver={kind=\"rigid\",tolerance=1e-6,max_sweeps=100}",
    ];
    if axes == 1 {
        all.push("solver={kind=\"pooling\"}");
    }
    all
}

#[test]
fn a_scene_gives_the_same_bits_however_it_is_run() {
    let mut changed = 0;
    for (number, (name, keys)) in (0..).zip(SHORT) {
        let axes = Scene::builtin(name, &[]).expect("it is built in").dimension;
        for (which, solver) in (0..).zip(solvers(name, axes)) {
            let keys: Vec<String> = keys.iter().chain([&solver]).map(|key| (*key).to_owned()).collect();
            let scene = Scene::builtin(name, &keys).unwrap_or_else(|refusal| panic!("{name}: {refusal}"));
            let mut draw = Seed(17).stream(Purpose::Place, number, which);
            changed += in_dimension!(axes, D => agrees::<D>(&format!("{name} {solver}"), &scene, &mut draw));
        }
    }
    assert!(changed > 40, "{changed} changes on the way");
}

/// Returns the number of changes on the way.
fn agrees<D: Dimension>(name: &str, scene: &Scene, draw: &mut Stream) -> usize {
    let whole = run_whole::<D>(name, scene, 2);
    let in_a_folder = run_in_a_folder(name, scene, 1);
    assert_eq!(whole, in_a_folder.state_hash, "{name}: in memory and in a folder");
    let (pieces, _, _) = run_in_pieces::<D>(name, scene, draw, 1, false);
    assert_eq!(pieces, whole, "{name}: in pieces, saved and loaded");
    let (pieces, effective, changes) = run_in_pieces::<D>(name, scene, draw, 2, true);
    let again = run_whole::<D>(name, &effective, 1);
    assert_eq!(again, pieces, "{name}: changed, and run from the scene that came of it\n{}", effective.source.text);
    let in_a_folder = run_in_a_folder(name, &effective, 2);
    assert_eq!(in_a_folder.state_hash, pieces, "{name}: that scene in a folder");
    changes
}

fn run_whole<D: Dimension>(name: &str, scene: &Scene, threads: usize) -> String {
    let mut simulation = Simulation::<D>::new(scene.clone()).and_then(|made| made.threads(threads)).expect(name);
    let halt = simulation.run(Until::End, &mut Unobserved).expect(name);
    assert!(matches!(halt, Halt::Finished | Halt::NotAtRest), "{name}: {halt:?}");
    hash(&simulation)
}

fn hash<D: Dimension>(simulation: &Simulation<D>) -> String {
    format!("{:016x}", simulation.packing().state_hash())
}

fn run_in_a_folder(name: &str, scene: &Scene, threads: usize) -> Summary {
    let folder = temp_dir().join(format!("hardgrain-one-result-{}", id()));
    let run = start(scene, &folder, true, threads).unwrap_or_else(|error| panic!("{name}: {error}"));
    let Finish::Over(summary) = run.go(&mut Unobserved).expect(name) else { panic!("{name}: nobody stopped it") };
    fs::remove_dir_all(&folder).expect("it was just made");
    *summary
}

/// In pieces of random length, saved and loaded between some of them, changed between others if asked.
fn run_in_pieces<D: Dimension>(
    name: &str,
    scene: &Scene,
    draw: &mut Stream,
    threads: usize,
    change: bool,
) -> (String, Scene, usize) {
    let made = |simulation: Simulation<D>| simulation.threads(threads).expect(name);
    let mut simulation = made(Simulation::new(scene.clone()).expect(name));
    let (mut changes, mut below) = (0, |count: u32| u64::from(draw.below(count)));
    loop {
        match simulation.run(Until::Steps(below(90)), &mut Unobserved).expect(name) {
            Halt::Reached => {}
            Halt::Finished | Halt::NotAtRest => break,
            Halt::Stopped => panic!("{name}: nobody stopped it"),
        }
        match below(3) {
            0 => simulation = made(Simulation::load(&simulation.save().expect(name)).expect(name)),
            1 if change && simulation.stage().is_some() => {
                let set = settings(&simulation, below(10));
                simulation.change(&set).unwrap_or_else(|error| panic!("{name}: {set:?}: {error}"));
                changes += 1;
            }
            _ => {}
        }
    }
    (hash(&simulation), simulation.scene().clone(), changes)
}

/// Something that a stage may set.
fn settings<D: Dimension>(simulation: &Simulation<D>, which: u64) -> Vec<String> {
    let scene = simulation.scene();
    let numerics = &simulation.stage().expect("it goes on").numerics;
    let is_soft = numerics.solver.kind.is_soft();
    let piston = scene.pistons.first().map(|piston| format!("pistons.{}", piston.label));
    let wall = scene.walls.iter().find(|wall| !wall.label.is_empty()).map(|wall| format!("walls.{}", wall.label));
    let force =
        scene.forces.iter().find(|force| !force.label.is_empty()).map(|force| format!("forces.{}", force.label));
    let vector = |size: f64| format!("{:?}", [size, -2.0 * size, -size][..D::AXES].to_vec());
    match (which, piston, wall, force) {
        (0, ..) if numerics.solver.kind.fixed_sweeps().is_some() => {
            vec!["solver.sweeps=7".into(), "contact.rest_speed=0.01".into()]
        }
        (1, ..) if !is_soft => vec!["contact.friction=0.4".into(), "contact.restitution=0.2".into()],
        (2, ..) => vec![format!("gravity={}", vector(0.1))],
        (3, Some(piston), ..) => vec![format!("{piston}.force=0.3"), format!("{piston}.mass=3.0")],
        (4, Some(piston), ..) => {
            vec![format!("{piston}.pressure=0.01"), format!("{piston}.area=2.0"), format!("{piston}.speed=0.01")]
        }
        (5, _, Some(wall), _) => vec![format!("{wall}.velocity={}", vector(0.001))],
        (6, _, _, Some(force)) => vec![format!("{force}.value={}", vector(0.01))],
        (7, ..) if !is_soft => vec!["solver.kind=accelerated".into(), "solver.sweeps=20".into()],
        (8, ..) if !is_soft => {
            vec!["solver.kind=gauss-seidel".into(), "solver.order=random-blocks".into(), "solver.sweeps=9".into()]
        }
        _ => vec![format!("time.step={:?}", 0.75 * numerics.step)],
    }
}
