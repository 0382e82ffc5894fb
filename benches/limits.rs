//! What the rigid solver can do: `cargo run --release --manifest-path benches/Cargo.toml --bin limits -- [boxes] [flows] [warm]`.
//!
//! - boxes: packings between walls under a load, a shear and an impact, from nothing to 1e-6: how many are solved, and how;
//! - flows: the same without side walls, sheared so fast that many contacts slide, beside accelerated sweeps;
//! - warm: steps of a packing at rest whose load is raised by 1 %, or whose grains begin or cease to weigh 1 % of it, in units of
//!   plain sweeps
//!   over the same contacts. What carries nothing falls as soon as it weighs something, and then the packing is not at rest: so it is taken away, or left to fall.
//!
//! Packings are prepared first, which takes minutes; with `HARDGRAIN_PACKINGS=DIR` they are kept there.

use hardgrain::{
    Coloured, ContactDynamics, Engine, GaussSeidel, Impulse, InColours, Momentum, Order, Packing, Plane, Problem, Seed,
    Solution, Solver, Status, Stop, Surface, SweepLimits, accelerate,
};
use hardgrain_lab::{PackingCache, PackingSettings, Unwatched};
use hardgrain_rigid::Rigid;
use std::sync::{Arc, Mutex};
use std::time::Instant;

const TOLERANCE: f64 = 1e-6;
const MAX_SWEEPS: u32 = 20_000;

fn main() {
    let asked: Vec<String> = std::env::args().skip(1).filter(|word| !word.starts_with('-')).collect();
    let wants = |name: &str| asked.is_empty() || asked.iter().any(|word| word == name);
    let cache = PackingCache::new(std::env::var_os("HARDGRAIN_PACKINGS").map(Into::into));
    if wants("boxes") {
        boxes(&cache);
    }
    if wants("flows") {
        flows(&cache);
    }
    if wants("warm") {
        warm(&cache);
    }
}

fn packing(cache: &PackingCache, grains: u32, friction: f64, seed: u64, periodic: bool) -> Packing<Plane> {
    let settings = PackingSettings { grains, friction, seed, periodic, ..PackingSettings::default() };
    cache.packing::<Plane>(&settings, &Unwatched).expect("it comes to rest").packing
}

#[derive(Clone, Copy, Debug)]
enum Load {
    Static,
    /// Sideways in proportion to the height; the momentum in units of what the load gives in a step.
    Shear(f64),
    /// The lid comes down with ten times what the load gives it in a step.
    Impact,
}

/// The problem of a step from nothing, with this friction.
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

fn solve(problem: &Problem<Plane>) -> (Solution, f64) {
    let mut own = problem.clone();
    let began = Instant::now();
    let solution = Solver::<Plane>::solve(&mut Rigid::new(TOLERANCE, MAX_SWEEPS), &mut own, Seed(0), 0);
    (solution, began.elapsed().as_secs_f64())
}

/// Whether accelerated sweeps alone get there, and in how many seconds.
fn accelerated(problem: &Problem<Plane>) -> (bool, f64) {
    let nothing = problem.violation_of_nothing();
    let began = Instant::now();
    let most = SweepLimits::for_size(problem.rows.len(), 2, MAX_SWEEPS);
    let mut colours = Coloured::default();
    let mut system = InColours::new(problem, &mut colours);
    let (_, good) =
        accelerate(&mut system, &mut Momentum::default(), most, |system, _| system.measure()[1] / nothing / TOLERANCE);
    (good, began.elapsed().as_secs_f64())
}

/// A class of problems: how many there are, are solved by either, were handed over; factorisations and seconds.
#[derive(Default)]
struct Tally {
    all: u32,
    rigid: u32,
    fell_back: u32,
    accelerated: u32,
    factorisations: u32,
    seconds: [f64; 2],
}

impl Tally {
    fn add(&mut self, problem: &Problem<Plane>) {
        let (solution, seconds) = solve(problem);
        let (good, other_seconds) = accelerated(problem);
        self.all += 1;
        self.rigid += u32::from(solution.status == Status::Converged);
        self.fell_back += u32::from(solution.fell_back);
        self.accelerated += u32::from(good);
        self.factorisations += solution.factorisations;
        self.seconds[0] += seconds;
        self.seconds[1] += other_seconds;
    }

    fn plus(&mut self, other: &Self) {
        self.all += other.all;
        self.rigid += other.rigid;
        self.fell_back += other.fell_back;
        self.accelerated += other.accelerated;
        self.factorisations += other.factorisations;
        self.seconds[0] += other.seconds[0];
        self.seconds[1] += other.seconds[1];
    }

    fn print(&self, name: &str) {
        println!(
            "{name:<28} {:>3} of {:>3}  handed over {:>2}  accelerated {:>3}  factorisations {:>6.1}  seconds {:>8.3}  accelerated {:>8.3}",
            self.rigid,
            self.all,
            self.fell_back,
            self.accelerated,
            f64::from(self.factorisations) / f64::from(self.all),
            self.seconds[0] / f64::from(self.all),
            self.seconds[1] / f64::from(self.all)
        );
    }
}

fn boxes(cache: &PackingCache) {
    println!("packings between walls, from nothing to {TOLERANCE:e}; seconds each");
    let mut whole = Tally::default();
    for (grains, seeds) in [(500, 3), (1000, 3), (2000, 2), (5000, 1)] {
        let packings: Vec<_> = (1..=seeds).map(|seed| packing(cache, grains, 0.05, seed, false)).collect();
        for friction in [0.05, 0.3, 0.5, 1.0] {
            let mut tally = Tally::default();
            for packing in &packings {
                for load in [Load::Static, Load::Shear(2.0), Load::Impact] {
                    tally.add(&problem(packing, friction, load));
                }
            }
            tally.print(&format!("{grains} discs, friction {friction}"));
            whole.plus(&tally);
        }
    }
    whole.print("all");
}

fn flows(cache: &PackingCache) {
    println!("packings without side walls, sheared, from nothing to {TOLERANCE:e}; seconds each");
    for grains in [500, 1000, 2000] {
        let packings: Vec<_> = (1..=5).map(|seed| packing(cache, grains, 0.05, seed, true)).collect();
        for friction in [0.05, 0.3, 0.5] {
            let mut tally = Tally::default();
            for packing in &packings {
                for momentum in [2.0, 20.0] {
                    tally.add(&problem(packing, friction, Load::Shear(momentum)));
                }
            }
            tally.print(&format!("{grains} discs, friction {friction}"));
        }
    }
}

/// A problem before it was solved, and the seconds that took.
type Noted = (Problem<Plane>, f64);

/// Keeps the last problem as it was before it was solved, and how long that took.
#[derive(Debug)]
struct Noting {
    inner: Rigid<Plane>,
    seen: Arc<Mutex<Option<Noted>>>,
}

impl Solver<Plane> for Noting {
    fn solve(&mut self, problem: &mut Problem<Plane>, seed: Seed, step: u64) -> Solution {
        let before = problem.clone();
        let began = Instant::now();
        let solution = Solver::<Plane>::solve(&mut self.inner, problem, seed, step);
        *self.seen.lock().expect("nobody else holds it") = Some((before, began.elapsed().as_secs_f64()));
        solution
    }
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

fn warm(cache: &PackingCache) {
    println!(
        "steps at rest, solved to 1e-8; in every third one the load is raised by 1 %, or grains begin or cease to weigh 1 % of it; in plain sweeps over the same contacts"
    );
    for grains in [1000, 10_000] {
        for (friction, change) in
            [0.05, 0.5].into_iter().flat_map(|mu| ["load", "weight", "rattlers fall"].map(|change| (mu, change)))
        {
            let mut packing = packing(cache, grains, friction, 1, grains > 5000);
            if change == "weight" {
                take_rattlers_away(&mut packing);
            }
            let mass: f64 = packing.grains.iter().map(|grain| grain.mass).sum();
            let weight = 0.01 * packing.pistons[0].force / mass;
            let seen = Arc::new(Mutex::new(None));
            let noting = Noting { inner: Rigid::new(1e-8, MAX_SWEEPS), seen: Arc::clone(&seen) };
            let mut engine = ContactDynamics::new(1.0, noting);
            let (mut last, mut touched): (Vec<Impulse<Plane>>, Vec<(u32, u32)>) = Default::default();
            for step in 0..12 {
                match (step % 3, change) {
                    (2, "load") => packing.pistons[0].force *= 1.01,
                    (2, _) => packing.gravity = [0.0, if step % 2 == 0 { -weight } else { 0.0 }].into(),
                    _ => {}
                }
                let report = engine.step(&mut packing).expect("a step");
                let (before, seconds) = seen.lock().expect("nobody else holds it").take().expect("a problem");
                let mut own = before.clone();
                let began = Instant::now();
                let mut plain: GaussSeidel<Plane> = GaussSeidel::new(Order::Forward, Stop::Sweeps(100));
                plain.solve(&mut own, Seed(0), 0);
                let sweep = began.elapsed().as_secs_f64() / 100.0;
                let now: Vec<_> = engine.problem().rows.iter().map(|row| row.impulse).collect();
                let touch: Vec<_> = engine.problem().rows.iter().map(|row| (row.first, row.second)).collect();
                let off: f64 = now.iter().zip(&last).map(|(now, last)| now.since(*last).length_squared()).sum();
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
