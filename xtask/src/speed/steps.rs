//! The cost of whole steps and of the search for pairs.

use super::pressed::{make_steps, pressed};
use super::turns::{alternately, median, ratio};
use hardgrain::{
    Body, ContactDynamics, Dimension, Engine, GaussSeidel, Grain, Neighbours, Order, Packing, Piston, Plane, Problem,
    Purpose, Seed, Solution, Solver, Space, Stop, Strides, Surface, Wall, sweep,
};
use serde::{Deserialize, Serialize};
use std::process::Command;
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The cost of a search for pairs.
#[derive(Debug, Serialize)]
pub struct Detection {
    /// Dimension, grains and, for steps, order.
    pub case: String,
    /// Pairs found.
    pub pairs: usize,
    /// Time of a search from nothing.
    pub milliseconds: f64,
    /// The same in sweeps in the natural order.
    pub sweeps: f64,
}

/// The memory of steps of many spheres.
#[derive(Debug, Serialize, Deserialize)]
pub struct PeakMemory {
    /// The order of the sweeps.
    pub order: String,
    /// Contacts that carry a load.
    pub contacts: usize,
    /// Contacts in the problem: these and those that might close.
    pub rows: usize,
    /// Peak memory in GB of a process that does nothing else, on systems that report it.
    pub gigabytes: Option<f64>,
}

/// The cost of a step.
#[derive(Debug, Serialize)]
pub struct StepCost {
    /// Dimension, grains and, for steps, order.
    pub case: String,
    /// Sweeps in a step.
    pub sweeps: u32,
    /// Time of a step.
    pub milliseconds: f64,
    /// The time of these sweeps over that of the step.
    pub share_of_sweeps: f64,
}

pub(super) fn detection(say: &impl Fn(&str)) -> Vec<Detection> {
    vec![search::<Plane>("plane-100k", 100_000, say), search::<Space>("space-1m", 1_000_000, say)]
}

fn search<D: Dimension>(case: &str, grains: usize, say: &impl Fn(&str)) -> Detection {
    let mut packing = pressed::<D>(grains);
    let mut engine = ContactDynamics::new(0.01, GaussSeidel::new(Order::Forward, Stop::Sweeps(5)));
    make_steps(&mut engine, &mut packing, 2);
    let (mut rows, mut bodies) = (engine.problem().rows.clone(), engine.problem().bodies.clone());
    let strides = Strides::uniform(&packing, 0.01);
    let (mut neighbours, mut pairs) = (Neighbours::default(), Vec::new());
    let mut find = || neighbours.detect(&packing, &strides, &mut pairs).expect("no two centres coincide");
    let seconds = alternately(5, &mut [&mut find, &mut || sweep(rows.iter_mut(), &mut bodies)]);
    let (milliseconds, sweeps) = (1e3 * median(&seconds[0]), ratio(&seconds[0], &seconds[1]));
    say(&format!("{case:12} {milliseconds:>8.1} ms for {} pairs, {sweeps:.1} sweeps", pairs.len()));
    Detection { case: case.into(), pairs: pairs.len(), milliseconds, sweeps }
}

/// Runs a process of its own for each order.
pub(super) fn memory(say: &impl Fn(&str)) -> Vec<PeakMemory> {
    let ask = |order: Order| {
        let itself = std::env::current_exe().expect("a program that runs has a file");
        let out = Command::new(itself).args(["speed", order.name()]).output().expect("it has just been run");
        let found: PeakMemory = serde_json::from_slice(&out.stdout).expect("what `steps_of_a_million` has found");
        let PeakMemory { order, contacts, rows, gigabytes } = &found;
        let most = gigabytes.map_or("?".into(), |gigabytes| format!("{gigabytes:.2}"));
        say(&format!("space-1m-{order:12} {contacts} loaded contacts of {rows}: {most} GB"));
        found
    };
    [Order::Forward, Order::Coloured].map(ask).into()
}

/// Makes a few steps of a million spheres in this process, which should do nothing else.
pub fn steps_of_a_million(order: Order) -> PeakMemory {
    let mut packing = pressed::<Space>(1_000_000);
    let mut engine = ContactDynamics::new(0.02, GaussSeidel::new(order, Stop::Sweeps(5)));
    make_steps(&mut engine, &mut packing, 8);
    let (contacts, rows) = (packing.memory.len(), engine.problem().rows.len());
    PeakMemory { order: order.name().into(), contacts, rows, gigabytes: peak_memory() }
}

/// Peak memory of this process.
fn peak_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024e-9)
}

pub(super) fn steps(say: &impl Fn(&str)) -> Vec<StepCost> {
    let piston = under_a_piston();
    let mut large = pressed::<Plane>(100_000);
    settle(&mut large, 0.05, 20);
    [
        ("piston-1k-random-sweep", &piston, 1.0, Order::RandomSweep, 2000),
        ("piston-1k-coloured", &piston, 1.0, Order::Coloured, 2000),
        ("plane-100k-random-blocks", &large, 0.05, Order::RandomBlocks, 20),
        ("plane-100k-coloured", &large, 0.05, Order::Coloured, 20),
    ]
    .map(|(case, packing, step, order, steps)| {
        let step = measure_step(case, packing, step, order, steps);
        say(&format!(
            "{case:26} {:>9.3} ms a step of 40 sweeps, {:.0} % of it in sweeps",
            step.milliseconds,
            100.0 * step.share_of_sweeps
        ));
        step
    })
    .into()
}

/// The piston scene: a thousand discs of radii between 0.5 and 1 in a box 42 wide, brought to rest under its lid.
fn under_a_piston() -> Packing<Plane> {
    let mut packing = Packing::new();
    packing.materials.set_default(Surface::rough(0.05)).expect("a good surface");
    for (point, normal) in [([0.0, 0.0], [0.0, 1.0]), ([0.0, 0.0], [1.0, 0.0]), ([42.0, 0.0], [-1.0, 0.0])] {
        packing.add_wall(Wall::new(point, normal)).expect("a good wall");
    }
    packing.add_piston(Piston::new([0.0, 105.0], [0.0, -1.0], 50.0).force(0.01)).expect("a good piston");
    let mut stream = Seed(1).stream(Purpose::Place, 0, 0);
    for number in 0..1000 {
        let radius = 0.5 + 0.5 * stream.uniform();
        // Anywhere in a square of its own.
        let mut coordinate = |cell: u32| 2.08 * f64::from(cell) + radius + (2.08 - 2.0 * radius) * stream.uniform();
        let place = [coordinate(number % 20), coordinate(number / 20)];
        packing.add(Grain::new(place, radius).mass(4.0 * radius * radius)).expect("a good grain");
    }
    settle(&mut packing, 1.0, 10_000);
    packing
}

fn settle(packing: &mut Packing<Plane>, step: f64, steps: u32) {
    let mut engine = ContactDynamics::new(step, GaussSeidel::new(Order::Coloured, Stop::Sweeps(40)));
    make_steps(&mut engine, packing, steps);
}

/// Times steps of 40 sweeps. Each problem is also solved with 80: the difference is the time of 40 sweeps.
fn measure_step(case: &str, packing: &Packing<Plane>, step: f64, order: Order, steps: u32) -> StepCost {
    let sweeps = 40;
    let spent = Arc::new(Mutex::new([0.0; 2]));
    let [once, twice] = [1, 2].map(|times| GaussSeidel::new(order, Stop::Sweeps(times * sweeps)));
    let solver = Timed { once, twice, problem: Problem::default(), spent: Arc::clone(&spent) };
    let (mut engine, mut packing) = (ContactDynamics::new(step, solver), packing.clone());
    let (mut shares, mut milliseconds) = (Vec::new(), Vec::new());
    for _ in 0..steps {
        let start = Instant::now();
        engine.step(&mut packing).expect("a good step");
        let [extra, longer] = std::mem::take(&mut *spent.lock().expect("nobody else has it"));
        let own = start.elapsed().as_secs_f64() - extra;
        shares.push(longer / own);
        milliseconds.push(1e3 * own);
    }
    StepCost { case: case.into(), sweeps, milliseconds: median(&milliseconds), share_of_sweeps: median(&shares) }
}

/// Solves every problem, and a copy of it with twice the sweeps.
#[derive(Debug)]
struct Timed {
    once: GaussSeidel<Plane>,
    twice: GaussSeidel<Plane>,
    problem: Problem<Plane>,
    /// Seconds that the copy took, and by how much longer its solution took.
    spent: Arc<Mutex<[f64; 2]>>,
}

impl Solver<Plane> for Timed {
    fn solve(&mut self, problem: &mut Problem<Plane>, seed: Seed, step: u64) -> Solution {
        let start = Instant::now();
        self.problem.clone_from(problem);
        let copied = start.elapsed().as_secs_f64();
        self.twice.solve(&mut self.problem, seed, step);
        let extra = start.elapsed().as_secs_f64();
        let solution = self.once.solve(problem, seed, step);
        let once = start.elapsed().as_secs_f64() - extra;
        let mut spent = self.spent.lock().expect("nobody else has it");
        *spent = [spent[0] + extra, spent[1] + extra - copied - once];
        solution
    }

    fn velocities(&mut self, problem: &Problem<Plane>, into: &mut Vec<Body<Plane>>) {
        self.once.velocities(problem, into);
    }

    fn follows_the_curve(&self) -> bool {
        self.once.follows_the_curve()
    }
}
