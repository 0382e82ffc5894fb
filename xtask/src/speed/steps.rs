//! Whole steps, and finding who may touch whom.

use super::pressed::pressed;
use super::turns::{in_turns, median, ratio};
use hardgrain::{
    ContactDynamics, Dimension, Engine, GaussSeidel, Neighbours, Order, Packing, Piston, Plane, Space, Stop, Strides,
    sweep,
};
use serde::Serialize;

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
    /// Largest memory of this process so far, in GB, where the system tells.
    pub memory_gb: Option<f64>,
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
    let memory_gb = memory();
    let (mut rows, mut bodies) = (engine.problem().rows.clone(), engine.problem().bodies.clone());
    let strides = Strides::uniform(&packing, 0.01);
    let (mut neighbours, mut pairs) = (Neighbours::default(), Vec::new());
    let mut find = || neighbours.detect(&packing, &strides, &mut pairs).expect("no two centres coincide");
    let seconds = in_turns(5, &mut [&mut find, &mut || sweep(rows.iter_mut(), &mut bodies)]);
    let (milliseconds, sweeps) = (1e3 * median(&seconds[0]), ratio(&seconds[0], &seconds[1]));
    let told = memory_gb.map_or_else(String::new, |gb| format!("; at most {gb:.2} GB of memory so far"));
    say(&format!("{case:12} {milliseconds:>8.1} ms for {} pairs, {sweeps:.1} sweeps{told}", pairs.len()));
    Detection { case: case.into(), pairs: pairs.len(), milliseconds, sweeps, memory_gb }
}

/// The largest memory that this process has had.
fn memory() -> Option<f64> {
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
