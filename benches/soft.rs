//! Grain-steps per second of soft spheres with friction that have settled under gravity.
//!
//! `cargo run --release --manifest-path benches/Cargo.toml --bin soft` lets a thousand of them come to rest and times steps
//! from there, as codes for soft grains are usually compared; then a hundred such packings side by side, numbered in order and numbered at random, on one
//! thread and on two. Arguments after `--` are other numbers of grains.

use hardgrain::soft::{SoftGrains, Spring, Springs};
use hardgrain::{Cell, Engine, Grain, Packing, Purpose, Seed, Space, Surface, Threads, Vector, Wall};
use std::time::Instant;

/// The number of rounds, of which the median is reported.
const ROUNDS: usize = 21;

/// The number of steps in which the spheres come to rest.
const SETTLE: usize = 120_000;

/// A tile of a thousand spheres of nearly one size on a floor, ten layers high and periodic sideways.
const TILE: usize = 1_000;
const SIDE: f64 = 11.5;

fn main() {
    let asked: Vec<usize> = std::env::args().filter_map(|word| word.parse().ok()).collect();
    let counts = if asked.is_empty() { vec![1_000, 100_000] } else { asked };
    let tile = settled();
    for count in counts {
        for (name, shuffled) in [("by place", false), ("by chance", true)] {
            if count > TILE || !shuffled {
                let packing = tiled(&tile, count, shuffled);
                for threads in 1..=1 + usize::from(packing.grains.len() > TILE) {
                    time(packing.clone(), name, threads);
                }
            }
        }
    }
}

fn time(mut packing: Packing<Space>, numbering: &str, threads: usize) {
    let mut engine = engine(50.0).threads(&Threads::new(threads));
    run(&mut packing, &mut engine, 100);
    let count = packing.grains.len();
    let contacts = packing.memory.len() as f64 / count as f64;
    let pairs = engine.step(&mut packing).expect("one more step").pairs as f64 / count as f64;
    let steps = (2_000_000 / count).max(4);
    let rates: Vec<f64> = (0..ROUNDS)
        .map(|_| {
            let start = Instant::now();
            run(&mut packing, &mut engine, steps);
            (steps * count) as f64 / start.elapsed().as_secs_f64()
        })
        .collect();
    let best = rates.iter().fold(0.0, |best: f64, rate| best.max(*rate)) / 1e6;
    let median = benches::median(rates) / 1e6;
    println!(
        "{count:>7} spheres numbered {numbering:<9}, {contacts:.2} contacts and {pairs:.2} pairs each, {threads} thread{}: \
         {median:.2} million grain-steps a second (best round {best:.2})",
        if threads == 1 { "" } else { "s" }
    );
}

/// One tile of spheres at rest.
fn settled() -> Packing<Space> {
    let mut packing = boxed(1);
    let mut stream = Seed(1).stream(Purpose::Order, 0, 0);
    for index in 0..TILE {
        let (x, z, y) = (index % 10, index / 10 % 10, index / 100);
        let place = [x, y, z].map(|i| 0.57 + 1.15 * i as f64 + 0.05 * stream.uniform());
        packing.add(Grain::new(place, 0.45 + 0.05 * stream.uniform()).mass(1.0)).unwrap();
    }
    run(&mut packing, &mut engine(150.0), SETTLE);
    packing
}

/// A larger packing of many tiles side by side.
fn tiled(tile: &Packing<Space>, count: usize, shuffled: bool) -> Packing<Space> {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a few hundred at most")]
    let tiles = ((count / TILE) as f64).sqrt().max(1.0) as u32;
    if tiles == 1 {
        return tile.clone();
    }
    let mut large = boxed(tiles);
    let shifts =
        (0..tiles * tiles).map(|place| Vector([f64::from(place % tiles) * SIDE, 0.0, f64::from(place / tiles) * SIDE]));
    let shifted = |shift| {
        tile.grains.iter().map(move |grain| Grain { position: grain.position + shift, turns: [0; 3], ..grain.clone() })
    };
    let mut grains: Vec<Grain<Space>> = shifts.flat_map(shifted).collect();
    if shuffled {
        Seed(2).stream(Purpose::Order, 0, 0).shuffle(&mut grains);
    }
    for grain in grains {
        large.add(grain).unwrap();
    }
    large
}

fn boxed(tiles: u32) -> Packing<Space> {
    let mut packing = Packing::<Space>::new();
    let side = SIDE * f64::from(tiles);
    packing.cell = Cell::open().periodic(0, 0.0, side).unwrap().periodic(2, 0.0, side).unwrap();
    packing.gravity = [0.0, -1.0, 0.0].into();
    packing.materials.set_default(Surface::rough(0.5)).unwrap();
    packing.add_wall(Wall::new([0.0; 3], [0.0, 1.0, 0.0])).unwrap();
    packing
}

fn engine(damping: f64) -> SoftGrains<Space> {
    let spring = Spring::normal(1e5, damping).tangent(2.0 / 7.0 * 1e5, 0.5 * damping);
    SoftGrains::new(2e-4, Springs::new(spring))
}

fn run(packing: &mut Packing<Space>, engine: &mut SoftGrains<Space>, steps: usize) {
    for _ in 0..steps {
        engine.step(packing).expect("spheres settle");
    }
}
