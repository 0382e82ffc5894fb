//! Accelerated and plain sweeps beside each other, in the steps of running simulations.
//!
//! Each scene runs up to some moment. From there it continues with well converged steps, and some of these steps are also solved,
//! from their warm start, by plain sweeps as contacts are numbered, by plain ones in colours and by accelerated ones (which
//! are in colours), until the forces are right to 1e-3. Rigid grains with friction leave a choice of forces, so an answer is not
//! compared with another one: forces are right when many more plain sweeps leave them as they are. Plain sweeps are as many as
//! they have to be, as seen from outside; accelerated ones are, too, and once more as many as they take by themselves, which do not
//! know. Steps in which any of these makes no progress are named and not counted, some have no answer; nor are steps whose forces are
//! right before any sweep.
//!
//! ```text
//! cargo run --release --manifest-path benches/Cargo.toml --bin running [-- piston|sandpile|shear …]       some minutes for each
//! ```

use benches::{median, recording};
use hardgrain::{
    Accelerated, Coloured, Dimension, Engine, GaussSeidel, Impulse, InColours, Momentum, Order, Packing, Plane,
    Problem, Seed, Solver, Stop, SweepLimits, Sweepable, accelerate,
};
use hardgrain_io::scene::Scene;
use hardgrain_run::{Simulation, Unobserved, Until};
use std::path::Path;
use std::time::Instant;

/// The error of the forces that is asked for.
const ERROR: f64 = 1e-3;
/// How often each solve is timed; the median counts.
const TIMES: usize = 5;
/// Sweeps after which a solve is given up: plain ones, and accelerated ones.
const MOST_PLAIN: u32 = 100_000;
const MOST: u32 = 60_000;
/// Plain sweeps that confirm forces: right ones stay as they are. The forces are compared this many times on the way.
const CONFIRMING_SWEEPS: u32 = 20_000;
const COMPARISONS: u32 = 40;
/// A tolerance that no change of the forces ever meets.
const NEVER: f64 = 1e-300;
/// The number of steps of each scene that are measured.
const MEASURED_STEPS: u32 = 20;

/// A scene, what is changed in it, and what is done after its stages.
struct Case {
    name: &'static str,
    changes: &'static [&'static str],
    then: fn(&mut Packing<Plane>),
    step: f64,
    // Steps from one that is measured to the next.
    interval: u32,
}

const CASES: [Case; 3] = [
    // At rest; then the load is raised by a hundredth.
    Case {
        name: "piston",
        changes: &["stages.1.steps=1"],
        then: |packing| packing.pistons[0].force *= 1.01,
        step: 1.0,
        interval: 1,
    },
    // A thousand discs that have fallen and still slide down the heap.
    Case {
        name: "sandpile",
        changes: &[
            "grains.0.arrange.count=81",
            "grains.0.arrange.first=[-40.0,0.0]",
            "grains.1.arrange.count=1000",
            "grains.1.arrange.lower=[-12.0,0.6]",
            "grains.1.arrange.upper=[12.0,60.0]",
            "walls.0.point=[-40.5,0.0]",
            "walls.1.point=[40.5,0.0]",
            "stages.0.duration=15",
            "stages.1.until=",
            "stages.1.duration=1",
        ],
        then: |_| {},
        step: 0.01,
        interval: 5,
    },
    // A thousand discs under a lid that presses, on a rough plate that moves.
    Case {
        name: "shear",
        changes: &[
            "cell.periodic.x=[0.0,40.0]",
            "grains.0.arrange.count=40",
            "grains.0.velocity=[0.2,0.0]",
            "grains.1.arrange.count=40",
            "grains.1.arrange.first=[0.25,21.66]",
            "grains.1.motion=free",
            "grains.1.velocity=[0.0,0.0]",
            "grains.2.arrange.counts=[40,24]",
            "pistons=[{label=\"lid\",point=[0.0,23.0],normal=[0.0,-1.0],mass=40.0,force=400.0}]",
            "time.duration=40",
        ],
        then: |_| {},
        step: 0.01,
        interval: 5,
    },
];

/// How far the forces are from right ones: what many plain sweeps change in them, or the first of them if that is plenty.
fn error<D: Dimension>(problem: &Problem<D>) -> f64 {
    let mut right = problem.clone();
    let mut error = 0.0;
    for _ in 0..COMPARISONS {
        plain(&mut right, Order::Forward, CONFIRMING_SWEEPS / COMPARISONS);
        let (mut off, mut load) = (0.0, 0.0);
        for (row, right) in problem.rows.iter().zip(&right.rows) {
            off += (row.impulse - right.impulse).length_squared();
            load += right.impulse.length_squared();
        }
        error = if load > 0.0 { (off / load).sqrt() } else { 0.0 };
        if error > 3.0 * ERROR {
            break;
        }
    }
    error
}

/// What an answer took, and how wrong it is.
#[derive(Clone, Copy)]
struct Cost {
    sweeps: u32,
    seconds: f64,
    error: f64,
}

impl Cost {
    fn is_right(self) -> bool {
        self.error <= ERROR
    }
}

/// Forces on the way of a solve, and after how many sweeps they were seen.
type Looks<D> = Vec<(u32, Vec<Impulse<D>>)>;

/// The cost of the fewest sweeps that lead to right forces, to within a tenth; of the most there may be if none do. Plain
/// sweeps come closer all the time; accelerated ones may leave and come back, and the first time counts.
fn cost<D: Dimension>(
    warm: &Problem<D>,
    looks: &Looks<D>,
    is_monotonic: bool,
    solve: impl Fn(&mut Problem<D>, u32),
) -> Cost {
    let off = |(_, impulses): &(u32, Vec<Impulse<D>>)| {
        let mut problem = warm.clone();
        problem.rows.iter_mut().zip(impulses).for_each(|(row, impulse)| row.impulse = *impulse);
        error(&problem)
    };
    let last = looks.len() - 1;
    let first = if is_monotonic {
        looks[..last].partition_point(|look| off(look) > ERROR)
    } else {
        looks[..last].iter().position(|look| off(look) <= ERROR).unwrap_or(last)
    };
    let sweeps = looks[first].0;
    let time = || {
        let mut problem = warm.clone();
        let clock = Instant::now();
        solve(&mut problem, sweeps);
        clock.elapsed().as_secs_f64()
    };
    Cost { sweeps, seconds: median((0..TIMES).map(|_| time()).collect()), error: off(&looks[first]) }
}

/// The forces on the way of plain sweeps in this order.
fn looks_of_plain<D: Dimension>(warm: &Problem<D>, order: Order) -> Looks<D> {
    let mut problem = warm.clone();
    let (mut looks, mut made) = (vec![(0, impulses(&problem))], 0);
    while made < MOST_PLAIN {
        let more = (2 + 2 * (made / 20)).min(MOST_PLAIN - made);
        plain(&mut problem, order, more);
        made += more;
        looks.push((made, impulses(&problem)));
    }
    looks
}

/// The forces on the way of accelerated sweeps.
fn looks_of_accelerated<D: Dimension>(warm: &Problem<D>) -> Looks<D> {
    let mut problem = warm.clone();
    let mut looks = vec![(0, impulses(&problem))];
    let rows = &mut problem.rows;
    let mut colours = Coloured::default();
    race(&mut InColours::new(warm, &mut colours), MOST, |system, sweeps| {
        system.write(rows);
        looks.push((sweeps, rows.iter().map(|row| row.impulse).collect()));
    });
    looks
}

/// Makes this number of accelerated sweeps; plain ones run in parallel.
fn accelerated<D: Dimension>(problem: &mut Problem<D>, sweeps: u32) {
    let mut colours = Coloured::default();
    race(&mut InColours::new(problem, &mut colours), sweeps, |_, _| ());
    colours.write(&mut problem.rows);
}

/// Accepts no answer before this number of sweeps, on which the way there does not depend.
fn race<'a, D: Dimension>(
    system: &mut InColours<'a, D>,
    sweeps: u32,
    mut look: impl FnMut(&mut InColours<'a, D>, u32),
) {
    let most = SweepLimits::for_size(system.contacts(), D::AXES, MOST);
    accelerate(system, &mut Momentum::default(), most, |system, seen| {
        look(system, seen.sweeps);
        let error = system.measure()[0].max(2.0 * NEVER) / NEVER;
        if seen.sweeps >= sweeps { 0.0 } else { error }
    });
}

fn impulses<D: Dimension>(problem: &Problem<D>) -> Vec<Impulse<D>> {
    problem.rows.iter().map(|row| row.impulse).collect()
}

fn plain<D: Dimension>(problem: &mut Problem<D>, order: Order, sweeps: u32) {
    GaussSeidel::new(order, Stop::Sweeps(sweeps)).solve(problem, Seed(0), 0);
}

/// Accelerated sweeps that do not know when they are right, but stop by their own estimate.
fn by_itself<D: Dimension>(warm: &Problem<D>) -> Cost {
    let stop = Stop::Tolerance { tolerance: ERROR, max_sweeps: MOST };
    let solve = || {
        let (mut problem, clock) = (warm.clone(), Instant::now());
        let sweeps = Accelerated::new(stop).solve(&mut problem, Seed(0), 0).sweeps;
        (clock.elapsed().as_secs_f64(), sweeps, problem)
    };
    let (first, sweeps, problem) = solve();
    let seconds = median((1..TIMES).map(|_| solve().0).chain([first]).collect());
    Cost { sweeps, seconds, error: error(&problem) }
}

/// How many times less time accelerated sweeps have taken than plain ones in the steps that count.
fn tell(counted: &[[f64; 4]]) {
    println!(
        "times faster:                                    all steps together   median of steps   of {} steps",
        counted.len()
    );
    let sum = |which: usize| counted.iter().map(|seconds| seconds[which]).sum::<f64>();
    for (plain, order) in ["as contacts are numbered", "in colours"].iter().enumerate() {
        for (quick, kind) in [(2, "accelerated"), (3, "by itself")] {
            let ratios = counted.iter().map(|seconds| seconds[plain] / seconds[quick]).collect();
            println!(
                "  {kind:<12} than plain ones {order:<25} {:>14.2} {:>17.2}",
                sum(plain) / sum(quick),
                median(ratios)
            );
        }
    }
    println!();
}

fn main() {
    let wanted: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with("--")).collect();
    for case in CASES.iter().filter(|case| wanted.is_empty() || wanted.iter().any(|name| name == case.name)) {
        let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("../scenes/{}.toml", case.name));
        let changes: Vec<String> = case.changes.iter().map(|change| (*change).to_owned()).collect();
        let scene = Scene::read(&path, &changes).unwrap_or_else(|refusal| panic!("{refusal}"));
        let mut simulation = Simulation::<Plane>::new(scene.clone()).expect("the grains find their places");
        simulation.run(Until::End, &mut Unobserved).expect("the scene runs");
        let mut packing = simulation.into_packing();
        (case.then)(&mut packing);
        let limit = Stop::Tolerance { tolerance: 1e-6, max_sweeps: MOST };
        let (mut engine, last) = recording(case.step, Accelerated::new(limit));
        println!(
            "{}: {} grains; sweeps, milliseconds and error to be right to {ERROR:e}",
            case.name,
            scene.grain_count()
        );
        println!(
            "contacts       as contacts are numbered          in colours              accelerated            by itself"
        );
        let mut counted: Vec<[f64; 4]> = Vec::new();
        for step in 0..MEASURED_STEPS * case.interval {
            engine.step(&mut packing).expect("the scene goes on");
            let (warm, _) = last();
            if step % case.interval > 0 {
                continue;
            }
            let solved_by = |order: Order| {
                cost(&warm, &looks_of_plain(&warm, order), true, |problem, sweeps| plain(problem, order, sweeps))
            };
            let costs = [
                solved_by(Order::Forward),
                solved_by(Order::Coloured),
                cost(&warm, &looks_of_accelerated(&warm), false, accelerated),
                by_itself(&warm),
            ];
            let cell =
                |Cost { sweeps, seconds, error }: &Cost| format!("{sweeps:>10} {:>8.2} {error:.0e}", 1e3 * seconds);
            let right = costs.iter().filter(|cost| cost.is_right()).count();
            let note = match (right, costs[0].sweeps) {
                (_, 0) => "   right from the start: not counted",
                (0, _) => "   none is right: not counted",
                (1..=3, _) => "   not all are right: not counted",
                _ => "",
            };
            println!("{:>8} {}{note}", warm.rows.len(), costs.iter().map(cell).collect::<Vec<_>>().join("  "));
            if note.is_empty() {
                counted.push(costs.map(|cost| cost.seconds));
            }
        }
        tell(&counted);
    }
}
