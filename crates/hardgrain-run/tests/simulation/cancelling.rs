//! A cancelled step ends soon and changes nothing, whatever the solver.

use hardgrain::{CancelToken, Grain, Line, Order, Packing, Piston, Plane, Purpose, Seed, Stop, Surface, Wall};
use hardgrain_io::Scene;
use hardgrain_run::{Halt, Numerics, Simulation, SolverKind, Unobserved, Until};
use std::thread;
use std::time::{Duration, Instant};

/// Discs on a floor under a lid, between sides, after a few steps: most of them touch.
fn heap(side: u32) -> Packing<Plane> {
    let mut packing = Packing::<Plane>::new();
    packing.gravity = [0.0, -1.0].into();
    packing.materials.set_default(Surface::rough(0.3)).unwrap();
    let (width, height) = (f64::from(side) + 0.5, 3.0_f64.sqrt() / 2.0 * f64::from(side) + 0.2);
    let mut draw = Seed(5).stream(Purpose::Place, 0, 0);
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
    packing.add_wall(Wall::new([0.0, 0.0], [1.0, 0.0])).unwrap();
    packing.add_wall(Wall::new([width, 0.0], [-1.0, 0.0])).unwrap();
    packing.add_piston(Piston::new([0.0, height], [0.0, -1.0], width).force(width)).unwrap();
    for number in 0..side * side {
        let (row, column) = (number / side, f64::from(number % side));
        let place = [0.5 + column + 0.5 * f64::from(row % 2), 0.5 + 3.0_f64.sqrt() / 2.0 * f64::from(row)];
        packing.add(Grain::new(place, 0.5 - 0.001 * draw.uniform())).unwrap();
    }
    let sweeps = SolverKind::GaussSeidel(Order::Forward, Stop::Sweeps(20));
    let mut simulation = Simulation::from_packing(&packing, Numerics::new(0.05, sweeps)).unwrap();
    simulation.run(Until::Steps(40), &mut Unobserved).unwrap();
    assert!(simulation.contacts().len() > (side * side) as usize, "{} contacts", simulation.contacts().len());
    simulation.into_packing()
}

fn kinds() -> [SolverKind; 6] {
    let stop = Stop::Tolerance { tolerance: 1e-14, max_sweeps: 400 };
    [
        SolverKind::GaussSeidel(Order::RandomSweep, Stop::Sweeps(300)),
        SolverKind::GaussSeidel(Order::Coloured, Stop::Sweeps(600)),
        SolverKind::GaussSeidel(Order::Parallel, stop),
        SolverKind::GaussSeidel(Order::RandomBlocks, stop),
        SolverKind::Accelerated(stop),
        SolverKind::Rigid { tolerance: 1e-10, max_sweeps: 400 },
    ]
}

/// The state after some steps, and how long one of them took.
fn undisturbed(packing: &Packing<Plane>, kind: SolverKind, steps: u64) -> (u64, Duration) {
    let mut simulation = Simulation::from_packing(packing, Numerics::new(0.05, kind)).unwrap();
    let began = Instant::now();
    simulation.run(Until::Steps(steps), &mut Unobserved).unwrap();
    (simulation.packing().state_hash(), began.elapsed() / u32::try_from(steps).unwrap())
}

/// The same while another thread cancels again and again, at random moments of a step. Returns how long each answer took.
fn disturbed(
    packing: &Packing<Plane>,
    kind: SolverKind,
    (steps, threads, cancels): (u64, usize, usize),
    step: Duration,
) -> (u64, Vec<Duration>) {
    let token = CancelToken::new();
    let simulation = Simulation::from_packing(packing, Numerics::new(0.05, kind)).unwrap();
    let mut simulation = simulation.threads(threads).unwrap().cancelled_by(&token);
    let mut draw = Seed(9).stream(Purpose::Place, 1, 0);
    let mut answers = Vec::new();
    while simulation.packing().step < steps && answers.len() < cancels {
        let wait = step.mul_f64(0.8 * draw.uniform());
        let cancel = token.clone();
        let before = simulation.packing().clone();
        let waiting = thread::spawn(move || {
            thread::sleep(wait);
            cancel.cancel();
            Instant::now()
        });
        let halt = simulation.run(Until::Steps(1), &mut Unobserved).unwrap();
        let returned = Instant::now();
        let asked = waiting.join().unwrap();
        if halt == Halt::Stopped {
            assert!(*simulation.packing() == before, "a cancelled step changes nothing");
            answers.push(returned.saturating_duration_since(asked));
        } else {
            assert!(halt == Halt::Reached && simulation.packing().step == before.step + 1);
        }
        token.reset();
    }
    let left = steps - simulation.packing().step;
    simulation.run(Until::Steps(left), &mut Unobserved).unwrap();
    (simulation.packing().state_hash(), answers)
}

/// Cancels steps of every kind on one thread and on two, and returns all times to answer.
fn cancelled(packing: &Packing<Plane>, cancels: usize) -> Vec<Duration> {
    let mut all = Vec::new();
    for kind in kinds() {
        let (hash, step) = undisturbed(packing, kind, 2);
        for threads in [1, 2] {
            let (disturbed, answers) = disturbed(packing, kind, (2, threads, cancels), step);
            assert_eq!(disturbed, hash, "{kind:?} on {threads} threads");
            println!("{kind:?}, {threads} threads: {} cancels, slowest {:?}", answers.len(), answers.iter().max());
            all.extend(answers);
        }
    }
    all
}

#[test]
fn cancelled_steps_end_soon_and_change_nothing() {
    if std::env::var_os("HARDGRAIN_CANCELS").is_some() {
        return a_hundred_cancels_on_ten_thousand_grains();
    }
    let answers = cancelled(&heap(30), 3);
    assert!(answers.len() >= 12, "{} cancels met a step", answers.len());
    // Where nothing else runs, within milliseconds.
    assert!(answers.iter().all(|time| *time < Duration::from_secs(1)), "{answers:?}");
}

#[test]
fn the_beginning_of_a_stage_is_taken_back_as_well() {
    let text = "format = 1\ndimension = 1\ntime = { step = 0.1 }\nsolver = { sweeps = 5 }\n[[grains]]\nlabel = \"row\"\nradius = 0.5\n\
                arrange = { kind = \"row\", count = 3, first = [0.5], spacing = [1.0] }\n[[walls]]\nlabel = \"left\"\npoint = [0.0]\n\
                normal = [1.0]\n[[pistons]]\nlabel = \"lid\"\npoint = [3.0]\nnormal = [-1.0]\nmass = 1.0\n[[forces]]\n\
                label = \"push\"\non = \"row\"\nvalue = [0.1]\n[[stages]]\nname = \"a\"\nsteps = 2\n[[stages]]\nname = \"b\"\nsteps = 2\n\
                [stages.set]\ngravity = [-0.5]\ncontact = { restitution = 0.5 }\nforces.push.value = [0.2]\n\
                walls.left.velocity = [0.01]\npistons.lid = { pressure = 0.1, mass = 2.0, speed = -0.1 }\n";
    let scene =
        Scene::from_text("two stages", text, &[], &|_| Err(String::new())).unwrap_or_else(|why| panic!("{why}"));
    let token = CancelToken::new();
    let mut simulation = Simulation::<Line>::new(scene.clone()).unwrap().cancelled_by(&token);
    simulation.run(Until::StageEnd, &mut Unobserved).unwrap();
    let (before, energy) = (simulation.packing().clone(), simulation.totals().energy);
    token.cancel();
    assert_eq!(simulation.run(Until::End, &mut Unobserved).unwrap(), Halt::Stopped);
    assert!(*simulation.packing() == before && simulation.totals().energy == energy, "{:?}", simulation.packing());
    token.reset();
    simulation.run(Until::End, &mut Unobserved).unwrap();
    let mut undisturbed = Simulation::<Line>::new(scene).unwrap();
    undisturbed.run(Until::End, &mut Unobserved).unwrap();
    assert_eq!(simulation.packing().state_hash(), undisturbed.packing().state_hash());
    assert_eq!(simulation.totals(), undisturbed.totals());
}

/// The same on ten thousand grains, which takes minutes: `HARDGRAIN_CANCELS=1 cargo test --release -p hardgrain-run cancelled`.
fn a_hundred_cancels_on_ten_thousand_grains() {
    let answers = cancelled(&heap(100), 10);
    assert!(answers.len() >= 100, "{} cancels met a step", answers.len());
    assert!(answers.iter().all(|time| *time < Duration::from_millis(200)), "{answers:?}");
}
