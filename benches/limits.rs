//! What the rigid solver can do: `cargo run --release --manifest-path benches/Cargo.toml --bin limits -- [boxes] [flows] [warm]`.
//!
//! - boxes: packings between walls under a load, a shear and an impact, from nothing to 1e-6: how many are solved, and how;
//! - flows: the same without side walls, sheared so fast that many contacts slide, beside accelerated sweeps;
//! - warm: steps of a packing at rest whose load is raised by 1 %, or whose grains begin or cease to weigh 1 % of it, in units of
//!   plain sweeps
//!   over the same contacts. What carries nothing falls as soon as it weighs something, and then the packing is not at rest: so it is taken away, or left to fall.
//!
//! Packings are prepared first, which takes minutes; with `HARDGRAIN_PACKINGS=DIR` they are kept there.

use benches::recording;
use hardgrain::{
    Coloured, ContactDynamics, Engine, GaussSeidel, Impulse, InColours, Momentum, Order, Packing, Plane, Problem, Seed,
    Solution, Solver, Status, Stop, Surface, SweepLimits, accelerate,
};
use hardgrain_lab::PackingSettings;
use hardgrain_rigid::Rigid;
use std::time::Instant;

const TOLERANCE: f64 = 1e-6;
const MAX_SWEEPS: u32 = 20_000;

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    for (name, part) in [("boxes", boxes as fn()), ("flows", flows), ("warm", warm)] {
        if asked.is_empty() || asked.iter().any(|word| word == name) {
            part();
        }
    }
}

fn packing(grains: u32, friction: f64, seed: u64, periodic: bool) -> Packing<Plane> {
    benches::packing(&PackingSettings { grains, friction, seed, periodic, ..PackingSettings::default() })
}

#[derive(Clone, Copy, Debug)]
enum Load {
    Static,
    /// Sideways in proportion to the height; the momentum in units of what the load gives in a step.
    Shear(f64),
    /// The lid moves down with ten times the speed that the load gives it in a step.
    Impact,
}

/// The problem of a cold-started step, with this friction.
fn problem(packing: &Packing<Plane>, friction: f64, load: Load) -> Problem<Plane> {
    let mut packing = packing.clone();
    packing.materials.set_default(Surface { friction, ..Surface::default() }).expect("a coefficient");
    let (force, height) = (packing.pistons[0].force, -packing.pistons[0].position());
    let mass: f64 = packing.grains.iter().map(|grain| grain.mass).sum();
    match load {
        Load::Static => {}
        Load::Shear(momentum) => {
            for grain in &mut packing.grains {
                grain.velocity.0[0] = 2.0 * momentum * force / mass * grain.position.0[1] / height;
            }
        }
        Load::Impact => packing.pistons[0].speed = 10.0 * force / packing.pistons[0].mass,
    }
    let plain = GaussSeidel::new(Order::Forward, Stop::Sweeps(1));
    let mut engine = ContactDynamics::new(1.0, plain).cold_start();
    engine.step(&mut packing).expect("a step");
    let mut problem = engine.problem().clone();
    problem.rows.iter_mut().for_each(|row| row.impulse = Impulse::default());
    problem
}

/// The outcome of one problem.
struct Outcome {
    solution: Solution,
    seconds: f64,
    /// Whether accelerated sweeps alone solve it, and their time in seconds.
    accelerated: bool,
    accelerated_seconds: f64,
}

fn outcome(problem: &Problem<Plane>) -> Outcome {
    let mut own = problem.clone();
    let began = Instant::now();
    let solution = Solver::<Plane>::solve(&mut Rigid::new(TOLERANCE, MAX_SWEEPS), &mut own, Seed(0), 0);
    let seconds = began.elapsed().as_secs_f64();
    let nothing = problem.violation_of_nothing();
    let began = Instant::now();
    let most = SweepLimits::for_size(problem.rows.len(), 2, MAX_SWEEPS);
    let mut colours = Coloured::default();
    let mut system = InColours::new(problem, &mut colours);
    let (_, accelerated) =
        accelerate(&mut system, &mut Momentum::default(), most, |system, _| system.measure()[1] / nothing / TOLERANCE);
    Outcome { solution, seconds, accelerated, accelerated_seconds: began.elapsed().as_secs_f64() }
}

/// Prints a class of problems: their number, how many each method solves, how many fell back, and the mean cost.
fn print(name: &str, outcomes: &[Outcome]) {
    let count = |is: fn(&Outcome) -> bool| outcomes.iter().filter(|outcome| is(outcome)).count();
    let mean = |of: fn(&Outcome) -> f64| outcomes.iter().map(of).sum::<f64>() / outcomes.len() as f64;
    println!(
        "{name:<28} {:>3} of {:>3}  handed over {:>2}  accelerated {:>3}  factorisations {:>6.1}  seconds {:>8.3}  accelerated {:>8.3}",
        count(|outcome| outcome.solution.status == Status::Converged),
        outcomes.len(),
        count(|outcome| outcome.solution.fell_back),
        count(|outcome| outcome.accelerated),
        mean(|outcome| f64::from(outcome.solution.factorisations)),
        mean(|outcome| outcome.seconds),
        mean(|outcome| outcome.accelerated_seconds)
    );
}

fn boxes() {
    println!("packings between walls, from nothing to {TOLERANCE:e}; seconds each");
    let loads = [Load::Static, Load::Shear(2.0), Load::Impact];
    let mut all = Vec::new();
    for (grains, seeds) in [(500, 3), (1000, 3), (2000, 2), (5000, 1)] {
        let packings: Vec<_> = (1..=seeds).map(|seed| packing(grains, 0.05, seed, false)).collect();
        all.extend(classes(grains, &packings, &[0.05, 0.3, 0.5, 1.0], &loads));
    }
    print("all", &all);
}

fn flows() {
    println!("packings without side walls, sheared, from nothing to {TOLERANCE:e}; seconds each");
    for grains in [500, 1000, 2000] {
        let packings: Vec<_> = (1..=5).map(|seed| packing(grains, 0.05, seed, true)).collect();
        classes(grains, &packings, &[0.05, 0.3, 0.5], &[2.0, 20.0].map(Load::Shear));
    }
}

/// Solves these packings under each load and prints a line for each friction.
fn classes(grains: u32, packings: &[Packing<Plane>], frictions: &[f64], loads: &[Load]) -> Vec<Outcome> {
    let class = |friction: &f64| {
        let problems = packings.iter().flat_map(|packing| loads.iter().map(|load| problem(packing, *friction, *load)));
        let outcomes: Vec<Outcome> = problems.map(|problem| outcome(&problem)).collect();
        print(&format!("{grains} discs, friction {friction}"), &outcomes);
        outcomes
    };
    frictions.iter().flat_map(class).collect()
}

/// Takes away the grains that carry next to nothing.
fn take_rattlers_away(packing: &mut Packing<Plane>) {
    let mut engine = ContactDynamics::new(1.0, Rigid::<Plane>::new(1e-8, MAX_SWEEPS));
    engine.step(&mut packing.clone()).expect("a step");
    let mut held = vec![0; packing.grains.len()];
    let little = 1e-7 * packing.pistons[0].force;
    for row in engine.problem().rows.iter().filter(|row| row.impulse.normal > little) {
        for end in [row.first, row.second] {
            held.get_mut(end as usize).into_iter().for_each(|held| *held += 1);
        }
    }
    let mut held = held.into_iter();
    packing.grains.retain(|_| held.next().is_some_and(|by| by > 1));
    packing.memory.clear();
}

fn warm() {
    println!(
        "steps at rest, solved to 1e-8; in every third one the load is raised by 1 %, or grains begin or cease to weigh 1 % of it; in plain sweeps over the same contacts"
    );
    for grains in [1000, 10_000] {
        for (friction, change) in
            [0.05, 0.5].into_iter().flat_map(|mu| ["load", "weight", "rattlers fall"].map(|change| (mu, change)))
        {
            let mut packing = packing(grains, friction, 1, grains > 5000);
            if change == "weight" {
                take_rattlers_away(&mut packing);
            }
            let mass: f64 = packing.grains.iter().map(|grain| grain.mass).sum();
            let weight = 0.01 * packing.pistons[0].force / mass;
            let (mut engine, solved) = recording(1.0, Rigid::new(1e-8, MAX_SWEEPS));
            let (mut last, mut touched): (Vec<Impulse<Plane>>, Vec<(u32, u32)>) = Default::default();
            for step in 0..12 {
                match (step % 3, change) {
                    (2, "load") => packing.pistons[0].force *= 1.01,
                    (2, _) => packing.gravity = [0.0, if step % 2 == 0 { -weight } else { 0.0 }].into(),
                    _ => {}
                }
                let report = engine.step(&mut packing).expect("a step");
                let (mut own, seconds) = solved();
                let began = Instant::now();
                let mut plain: GaussSeidel<Plane> = GaussSeidel::new(Order::Forward, Stop::Sweeps(100));
                plain.solve(&mut own, Seed(0), 0);
                let sweep = began.elapsed().as_secs_f64() / 100.0;
                let now: Vec<_> = engine.problem().rows.iter().map(|row| row.impulse).collect();
                let touch: Vec<_> = engine.problem().rows.iter().map(|row| (row.first, row.second)).collect();
                let off: f64 = now.iter().zip(&last).map(|(now, last)| (*now - *last).length_squared()).sum();
                let load: f64 = now.iter().map(|now| now.length_squared()).sum();
                println!(
                    "{grains:>6} discs, friction {friction:<4} {change} step {step:>2}: {:>5.0} plain sweeps ({:.4} s), factorisations {:>2}, sweeps {:>4}, {}{}",
                    seconds / sweep,
                    seconds,
                    report.factorisations,
                    report.sweeps,
                    if touch == touched {
                        format!("forces changed by {:.1e}", (off / load).sqrt())
                    } else {
                        "others touch".to_string()
                    },
                    if report.fell_back { ", handed over" } else { "" }
                );
                (last, touched) = (now, touch);
            }
        }
    }
}
