//! Whole steps, and finding who may touch whom.

use super::pressed::pressed;
use super::turns::{in_turns, median, ratio};
use hardgrain::{
    ContactDynamics, Dimension, Engine, GaussSeidel, Neighbours, Order, Packing, Piston, Plane, Space, Stop, Strides,
    sweep,
};
use serde::Serialize;
use std::process::Command;

/// What finding pairs costs.
#[derive(Debug, Serialize)]
pub struct Detection {
    /// Which.
    pub case: String,
    /// Pairs found.
    pub pairs: usize,
    /// Time of a search from nothing.
    pub milliseconds: f64,
    /// The same in sweeps in the natural order.
    pub sweeps: f64,
}

/// What steps of many spheres need.
#[derive(Debug, Serialize)]
pub struct Memory {
    /// The order of the sweeps.
    pub order: &'static str,
    /// Contacts that carry a load.
    pub contacts: usize,
    /// Contacts in the problem: they and those that might close.
    pub rows: usize,
    /// Largest memory of a process that does nothing else, in GB, where the system tells.
    pub gigabytes: Option<f64>,
}

/// What a step costs.
#[derive(Debug, Serialize)]
pub struct Step {
    /// Which.
    pub case: String,
    /// Sweeps of a step.
    pub sweeps: u32,
    /// Time of a step.
    pub milliseconds: f64,
    /// What as many sweeps more would take, over the whole step.
    pub share_of_sweeps: f64,
}

pub(super) fn detection(say: &impl Fn(&str)) -> Vec<Detection> {
    vec![search::<Plane>("plane-100k", 100_000, say), search::<Space>("space-1m", 1_000_000, say)]
}

fn search<D: Dimension>(case: &str, grains: usize, say: &impl Fn(&str)) -> Detection {
    let mut packing = pressed::<D>(grains);
    let mut engine = ContactDynamics::new(0.01, GaussSeidel::new(Order::Forward, Stop::Sweeps(5)));
    for _ in 0..2 {
        engine.step(&mut packing).expect("a good step");
    }
    let (mut rows, mut bodies) = (engine.problem().rows.clone(), engine.problem().bodies.clone());
    let strides = Strides::uniform(&packing, 0.01);
    let (mut neighbours, mut pairs) = (Neighbours::default(), Vec::new());
    let mut find = || neighbours.detect(&packing, &strides, &mut pairs).expect("no two centres coincide");
    let seconds = in_turns(5, &mut [&mut find, &mut || sweep(rows.iter_mut(), &mut bodies)]);
    let (milliseconds, sweeps) = (1e3 * median(&seconds[0]), ratio(&seconds[0], &seconds[1]));
    say(&format!("{case:12} {milliseconds:>8.1} ms for {} pairs, {sweeps:.1} sweeps", pairs.len()));
    Detection { case: case.into(), pairs: pairs.len(), milliseconds, sweeps }
}

/// Asks a process of its own for each order.
pub(super) fn memory(say: &impl Fn(&str)) -> Vec<Memory> {
    let ask = |order: Order| {
        let itself = std::env::current_exe().expect("a program that runs has a file");
        let out = Command::new(itself).args(["speed", order.name()]).output().expect("it has just been run");
        let told = String::from_utf8_lossy(&out.stdout);
        let mut numbers = told.split_whitespace().filter_map(|word| word.parse::<f64>().ok());
        let mut next = || numbers.next();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "counts")]
        let (contacts, rows) = (next().unwrap_or(0.0) as usize, next().unwrap_or(0.0) as usize);
        Memory { order: order.name(), contacts, rows, gigabytes: next() }
    };
    [Order::Forward, Order::Coloured]
        .map(|order| {
            let found = ask(order);
            let most = found.gigabytes.map_or("?".into(), |gigabytes| format!("{gigabytes:.2}"));
            let Memory { order, contacts, rows, .. } = found;
            say(&format!("space-1m-{order:12} {contacts} loaded contacts of {rows}: {most} GB"));
            found
        })
        .into()
}

/// Some steps of a million spheres: loaded contacts, all contacts, and the most memory that this process has had.
pub fn steps_of_a_million(order: Order) -> String {
    let mut packing = pressed::<Space>(1_000_000);
    let mut engine = ContactDynamics::new(0.02, GaussSeidel::new(order, Stop::Sweeps(5)));
    for _ in 0..8 {
        engine.step(&mut packing).expect("a good step");
    }
    let gigabytes = most_memory().map_or_else(String::new, |most| most.to_string());
    format!("{} {} {gigabytes}", packing.memory.len(), engine.problem().rows.len())
}

/// The largest memory that this process has had.
fn most_memory() -> Option<f64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find(|line| line.starts_with("VmHWM:"))?;
    let kilobytes: f64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes * 1024e-9)
}

pub(super) fn steps(say: &impl Fn(&str)) -> Vec<Step> {
    let piston = under_a_piston(1_000);
    let mut large = pressed::<Plane>(100_000);
    settle(&mut large, 20);
    [
        ("piston-1k-random-sweep", &piston, Order::RandomSweep, 200),
        ("piston-1k-coloured", &piston, Order::Coloured, 200),
        ("plane-100k-random-blocks", &large, Order::RandomBlocks, 2),
        ("plane-100k-coloured", &large, Order::Coloured, 2),
    ]
    .map(|(case, packing, order, steps)| {
        let step = whole(case, packing, order, steps);
        say(&format!(
            "{case:26} {:>9.3} ms a step of 40 sweeps, {:.0} % of it in sweeps",
            step.milliseconds,
            100.0 * step.share_of_sweeps
        ));
        step
    })
    .into()
}

/// Discs at rest under a piston.
fn under_a_piston(grains: usize) -> Packing<Plane> {
    let mut packing = pressed::<Plane>(grains);
    let top = packing.grains.iter().map(|grain| grain.position.0[1] + grain.radius).fold(0.0, f64::max);
    packing.gravity = [0.0, 0.0].into();
    packing.add_piston(Piston::new([0.0, top], [0.0, -1.0], 50.0).force(0.01)).expect("a good piston");
    settle(&mut packing, 3000);
    packing
}

fn settle(packing: &mut Packing<Plane>, steps: u32) {
    let mut engine = ContactDynamics::new(0.05, GaussSeidel::new(Order::Coloured, Stop::Sweeps(40)));
    for _ in 0..steps {
        engine.step(packing).expect("a good step");
    }
}

/// Steps of 40 sweeps, and of 80: the difference is what 40 sweeps take.
fn whole(case: &str, packing: &Packing<Plane>, order: Order, steps: u32) -> Step {
    let sweeps = 40;
    let engine = |sweeps: u32| {
        let mut engine = ContactDynamics::new(0.05, GaussSeidel::new(order, Stop::Sweeps(sweeps)));
        let mut packing = packing.clone();
        move || {
            for _ in 0..steps {
                engine.step(&mut packing).expect("a good step");
            }
        }
    };
    let (mut once, mut twice) = (engine(sweeps), engine(2 * sweeps));
    let seconds = in_turns(11, &mut [&mut once, &mut twice]);
    let share_of_sweeps = ratio(&seconds[1], &seconds[0]) - 1.0;
    Step { case: case.into(), sweeps, milliseconds: 1e3 * median(&seconds[0]) / f64::from(steps), share_of_sweeps }
}
