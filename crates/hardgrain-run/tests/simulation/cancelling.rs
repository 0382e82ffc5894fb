//! A cancelled step ends soon and changes nothing, whatever the solver.

use hardgrain::{CancelToken, Grain, Line, Order, Packing, Piston, Plane, Purpose, Seed, Stop, Surface, Wall};
use hardgrain_io::Scene;
use hardgrain_run::{Halt, Numerics, Simulation, SolverKind, Unobserved, Until};
use std::thread;
use std::time::{Duration, Instant};

/// Discs on a floor under a lid, nearly dense, with sides.
fn heap(side: u32) -> Packing<Plane> {
    let mut packing = Packing::<Plane>::new();
    packing.gravity = [0.0, -1.0].into();
    packing.materials.set_default(Surface::rough(0.3)).unwrap();
    let (width, mut draw) = (f64::from(side), Seed(5).stream(Purpose::Place, 0, 0));
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
    packing.add_wall(Wall::new([-0.5, 0.0], [1.0, 0.0])).unwrap();
    packing.add_wall(Wall::new([width, 0.0], [-1.0, 0.0])).unwrap();
    packing.add_piston(Piston::new([0.0, width], [0.0, -1.0], width).force(width)).unwrap();
    for number in 0..side * side {
        let (row, column) = (f64::from(number / side), f64::from(number % side));
        let place = [column + 0.25 * (row % 2.0), 0.5 + row * 0.99];
        packing.add(Grain::new(place, 0.49 - 0.02 * draw.uniform())).unwrap();
    }
    packing
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

/// Makes some steps while another thread cancels again and again. Returns how long each took to answer.
fn disturbed(
    packing: &Packing<Plane>,
    kind: SolverKind,
    steps: u64,
    threads: usize,
    cancels: usize,
) -> (u64, Vec<Duration>) {
    let token = CancelToken::new();
    let simulation = Simulation::from_packing(packing, Numerics::new(0.05, kind)).unwrap();
    let mut simulation = simulation.threads(threads).unwrap().cancelled_by(&token);
    let mut draw = Seed(9).stream(Purpose::Place, 1, 0);
    let mut answers = Vec::new();
    while simulation.packing().step < steps {
        let left = steps - simulation.packing().step;
        if answers.len() == cancels {
            simulation.run(Until::Steps(left), &mut Unobserved).unwrap();
            break;
        }
        token.reset();
        let wait = Duration::from_secs_f64(0.06 * draw.uniform());
        let cancel = token.clone();
        let waiting = thread::spawn(move || {
            thread::sleep(wait);
            cancel.cancel();
            Instant::now()
        });
        let before = (simulation.packing().step, simulation.packing().clone());
        let halt = simulation.run(Until::Steps(1), &mut Unobserved).unwrap();
        let returned = Instant::now();
        let asked = waiting.join().unwrap();
        match halt {
            Halt::Stopped => {
                assert!(*simulation.packing() == before.1, "a cancelled step changes nothing");
                answers.push(returned.saturating_duration_since(asked));
            }
            halt => assert!(halt == Halt::Reached && simulation.packing().step == before.0 + 1),
        }
        token.reset();
    }
    (simulation.packing().state_hash(), answers)
}

#[test]
fn cancelled_steps_end_soon_and_change_nothing() {
    if std::env::var_os("HARDGRAIN_CANCELS").is_some() {
        return a_hundred_cancels_on_ten_thousand_grains();
    }
    let packing = heap(40);
    for kind in kinds() {
        let (undisturbed, _) = disturbed(&packing, kind, 3, 1, 0);
        for threads in [1, 2] {
            let (hash, answers) = disturbed(&packing, kind, 3, threads, 6);
            assert_eq!(hash, undisturbed, "{kind:?} on {threads} threads");
            assert!(answers.iter().all(|time| *time < Duration::from_secs(2)), "{kind:?}: {answers:?}");
        }
    }
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
    let packing = heap(100);
    let mut all = Vec::new();
    for kind in kinds() {
        let (undisturbed, _) = disturbed(&packing, kind, 2, 1, 0);
        let (hash, answers) = disturbed(&packing, kind, 2, 2, 20);
        assert_eq!(hash, undisturbed, "{kind:?}");
        println!("{kind:?}: {} cancels, the slowest answer {:?}", answers.len(), answers.iter().max());
        all.extend(answers);
    }
    assert!(all.len() >= 100, "{}", all.len());
    assert!(all.iter().all(|time| *time < Duration::from_millis(200)), "{all:?}");
}
