//! Changes on the way: what they leave of a stage, what they replace, and what cannot be changed.

use hardgrain::{Line, Plane, Space};
use hardgrain_io::Scene;
use hardgrain_io::scene::{SolverKind, StageEnd, StageProgress};
use hardgrain_run::{Simulation, Unobserved, Until};

fn scene(rest: &str) -> Scene {
    let text = format!(
        "format = 1\ndimension = 1\n[solver]\nsweeps = 10\norder = \"forward\"\n[[grains]]\nlabel = \"chain\"\nradius = 0.5\n\
         mass = 1.0\narrange = {{ kind = \"row\", count = 5, first = [0.5], spacing = [1.0] }}\n[[walls]]\npoint = [0.0]\n\
         normal = [1.0]\n[[pistons]]\nlabel = \"lid\"\npoint = [5.0]\nnormal = [-1.0]\nmass = 2.0\nforce = 0.1\n{rest}"
    );
    Scene::from_text("scene", &text, &[], &|_| Err(String::new())).unwrap_or_else(|refusal| panic!("{refusal}"))
}

fn ends(simulation: &Simulation<Line>) -> Vec<(String, StageEnd)> {
    simulation.scene().stages.iter().map(|stage| (stage.name.clone(), stage.end)).collect()
}

#[test]
fn a_stage_ends_and_what_is_left_of_it_begins() {
    let mut simulation = Simulation::<Line>::new(scene("[time]\nstep = 0.1\nsteps = 100\n")).unwrap();
    simulation.run(Until::Steps(30), &mut Unobserved).unwrap();
    simulation.change(&["solver.sweeps=20"]).unwrap();
    let run = |name: &str, steps: u64| (name.to_owned(), StageEnd::Steps(steps));
    assert_eq!(ends(&simulation), [run("run", 30), run("run-2", 70)]);
    // Before the next step the new stage has not begun: what is set now is set with it.
    simulation.change(&["solver.tolerance=1e-6", "solver.max_sweeps=100"]).unwrap();
    simulation.change(&["pistons.lid.force=0.3"]).unwrap();
    assert_eq!(ends(&simulation), [run("run", 30), run("run-2", 70)]);
    let SolverKind::GaussSeidel(_, stop) = simulation.stage().unwrap().numerics.solver.kind else { panic!("sweeps") };
    assert_eq!(stop, hardgrain::Stop::Tolerance { tolerance: 1e-6, max_sweeps: 100 });
    simulation.run(Until::Steps(1), &mut Unobserved).unwrap();
    simulation.change(&["pistons.lid.pressure=0.4"]).unwrap();
    assert_eq!(ends(&simulation), [run("run", 30), run("run-2", 1), run("run-3", 69)]);
    simulation.run(Until::End, &mut Unobserved).unwrap();
    assert_eq!((simulation.packing().step, simulation.packing().pistons[0].force), (100, 0.4));
    let names: Vec<&str> = simulation.stages_done().iter().map(|stage| stage.name.as_str()).collect();
    assert_eq!(names, ["run", "run-2", "run-3"]);
}

#[test]
fn a_change_before_the_first_step_is_part_of_the_first_stage() {
    let mut simulation = Simulation::<Line>::new(scene("[time]\nstep = 0.1\nsteps = 100\n")).unwrap();
    simulation.change(&["pistons.lid.speed=0.5"]).unwrap();
    assert_eq!((ends(&simulation).len(), simulation.packing().pistons[0].speed), (1, 0.5));
    assert_eq!(simulation.totals().energy.start, 0.25, "it was there at the start");
}

#[test]
fn other_stages_and_comments_stay() {
    let stages = "[time]\nstep = 0.1\n# first\n[[stages]]\nname = \"a\" # this one\nduration = 5.0\n[stages.set]\ngravity = [0.1]\n\
                  [[stages]]\nname = \"b\"\nuntil = { at_rest = 1e-3, max_steps = 900, stop_after = 200 }\n";
    let mut simulation = Simulation::<Line>::new(scene(stages)).unwrap();
    simulation.run(Until::Steps(10), &mut Unobserved).unwrap();
    simulation.change(&["time.step=0.05"]).unwrap();
    assert_eq!(ends(&simulation)[1], ("a-2".into(), StageEnd::Steps(80)), "four units of time are left");
    assert!(simulation.scene().source.text.contains("# this one"), "{}", simulation.scene().source.text);
    simulation.run(Until::StageEnd, &mut Unobserved).unwrap();
    assert_eq!(simulation.stage().unwrap().name, "b");
    assert_eq!(simulation.packing().gravity, [0.1].into(), "set by the first");
    simulation.run(Until::Steps(250), &mut Unobserved).unwrap();
    simulation.change(&["solver.sweeps=11"]).unwrap();
    let StageEnd::AtRest { max_steps: 250, goes_on: true, .. } = ends(&simulation)[2].1 else {
        panic!("everything was stopped once: {:?}", ends(&simulation))
    };
    let StageEnd::AtRest { max_steps: 650, goes_on: false, stop_after: Some(200), .. } = ends(&simulation)[3].1 else {
        panic!("{:?}", ends(&simulation))
    };
}

#[test]
fn what_cannot_be_changed_changes_nothing() {
    let mut simulation = Simulation::<Line>::new(scene("[time]\nstep = 0.1\nsteps = 20\n")).unwrap();
    simulation.run(Until::Steps(5), &mut Unobserved).unwrap();
    let text = simulation.scene().source.text.clone();
    for (set, why) in [
        ("solver.sweeps=0", "sweeps"),
        ("grains.chain.radius=1", "cannot set"),
        ("pistons.lit.force=1", "lit"),
        ("solver.sweeps", "no ="),
        ("solver.sweeps=", "no value"),
        ("gravity=[1, 2]", "gravity"),
        ("=3", "key"),
    ] {
        let said = simulation.change(&[set]).expect_err(set).to_string();
        assert!(said.contains(why), "{set}: {said}");
        assert_eq!(simulation.scene().source.text, text, "{set}");
    }
    simulation.run(Until::End, &mut Unobserved).unwrap();
    let said = simulation.change(&["solver.sweeps=3"]).expect_err("it is over").to_string();
    assert!(said.contains("all stages are done"), "{said}");
}

#[test]
fn a_step_that_is_too_long_for_the_springs_is_refused() {
    let mut simulation = Simulation::<Space>::new(Scene::builtin("soft", &[]).unwrap()).unwrap();
    simulation.run(Until::Steps(3), &mut Unobserved).unwrap();
    let said = simulation.change(&["time.step=1.0"]).expect_err("far too long").to_string();
    assert!(said.contains("unstable"), "{said}");
    simulation.run(Until::Steps(3), &mut Unobserved).unwrap();
    assert_eq!(simulation.packing().step, 6);
}

#[test]
fn a_pressure_needs_a_face() {
    let text = "format = 1\ndimension = 2\ntime = { step = 0.1, steps = 50 }\nsolver = { sweeps = 5 }\n[[grains]]\nradius = 0.5\n\
                arrange = { kind = \"row\", count = 3, first = [0.5, 0.5], spacing = [1.0, 0.0] }\n[[pistons]]\nlabel = \"lid\"\n\
                point = [0.0, 1.0]\nnormal = [0.0, -1.0]\nmass = 1.0\n";
    let scene = Scene::from_text("open", text, &[], &|_| Err(String::new())).unwrap();
    let mut simulation = Simulation::<Plane>::new(scene).unwrap();
    simulation.run(Until::Steps(3), &mut Unobserved).unwrap();
    let said = simulation.change(&["pistons.lid.pressure=1.0"]).expect_err("its face has no size").to_string();
    assert!(said.contains("how large is the face of lid"), "{said}");
    simulation.change(&["pistons.lid.pressure=1.0", "pistons.lid.area=2.0"]).unwrap();
    simulation.run(Until::Steps(1), &mut Unobserved).unwrap();
    assert_eq!(simulation.packing().pistons[0].force, 2.0);
    let by_hand = Simulation::from_packing(simulation.packing(), simulation.stage().unwrap().numerics).unwrap();
    let said = by_hand.scene().changed(StageProgress { stage: 0, steps: 0 }, &["pistons.lid.pressure=1.0".into()]);
    let error = said.and_then(|scene| scene.packing::<Plane>()).expect_err("nor has it here").to_string();
    assert!(error.contains("how large is the face of lid"), "{error}");
}

#[test]
fn what_contradicts_itself_is_refused() {
    let mut simulation = Simulation::<Line>::new(scene("[time]\nstep = 0.1\nsteps = 20\n")).unwrap();
    for set in [["solver.sweeps=5", "solver.tolerance=1e-3"], ["pistons.lid.force=1", "pistons.lid.pressure=1"]] {
        assert!(simulation.change(&set).is_err(), "{set:?}");
    }
    simulation.change(&["solver.sweeps=80", "solver.kind=gauss-seidel"]).unwrap();
    assert_eq!(simulation.stage().unwrap().numerics.solver.kind.fixed_sweeps(), Some(80), "in any order");
}
