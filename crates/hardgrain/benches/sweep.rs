//! The generic sweep beside a loop written by hand for one dimension, on the same contacts in the same run.
//!
//! `cargo bench -p hardgrain` first prints the ratio of the two, measured in turns so that a busy machine slows both, then
//! the times one by one. Filters go through: `cargo bench -p hardgrain -- plane`.

#[path = "sweep/by_hand.rs"]
mod by_hand;
#[path = "sweep/settled.rs"]
mod settled;

use divan::{Bencher, counter::ItemsCount};
use hardgrain::{Dimension, GaussSeidel, Order, Plane, Purpose, Seed, Solver, Space, Stop, sweep, sweep_visits};
use std::time::Instant;

const SIZES: [usize; 2] = [1_000, 100_000];
/// Coloured sweeps of a solve.
const SWEEPS: u32 = 100;

/// Contacts, and one sweep over them.
type Sweep = (usize, Box<dyn FnMut()>);

fn main() {
    println!("time of the loop written by hand over ours, median of turns (0.9 or more is fine)");
    for (name, ours, by_hand) in [
        ("plane natural", ours::<Plane> as fn(usize, bool) -> Sweep, plane_by_hand as fn(usize, bool) -> Sweep),
        ("space natural", ours::<Space>, space_by_hand),
        ("plane random ", ours::<Plane>, plane_by_hand),
        ("space random ", ours::<Space>, space_by_hand),
        ("plane coloured", coloured::<Plane>, plane_by_hand),
        ("space coloured", coloured::<Space>, space_by_hand),
    ] {
        for count in SIZES {
            let random = name.contains("random");
            let ((contacts, mut ours), (others, mut by_hand)) = (ours(count, random), by_hand(count, random));
            let (ratio, seconds) = compare(&mut ours, contacts, &mut by_hand, others);
            let rate = 1e-6 / seconds;
            println!("{name} {count:>7} grains: {ratio:.2}   ({rate:.0} million contact updates a second)");
        }
    }
    divan::main();
}

/// The median ratio of the times that the two take for a contact, measured in turns, and the median time of the first.
fn compare(ours: &mut dyn FnMut(), contacts: usize, by_hand: &mut dyn FnMut(), others: usize) -> (f64, f64) {
    let time = |sweep: &mut dyn FnMut(), contacts: usize| {
        let sweeps = (400_000 / contacts).max(1);
        let start = Instant::now();
        (0..sweeps).for_each(|_| sweep());
        start.elapsed().as_secs_f64() / sweeps as f64 / contacts as f64
    };
    let turns = if contacts > 1_000_000 { 9 } else { 81 };
    let mut pairs: Vec<(f64, f64)> = (0..turns).map(|_| (time(ours, contacts), time(by_hand, others))).collect();
    pairs.sort_by(|a, b| (a.1 / a.0).total_cmp(&(b.1 / b.0)));
    let ratio = pairs[turns / 2].1 / pairs[turns / 2].0;
    pairs.sort_by(|a, b| a.0.total_cmp(&b.0));
    (ratio, pairs[turns / 2].0)
}

fn shuffled(count: usize) -> Vec<u32> {
    let mut visits: Vec<u32> = (0..u32::try_from(count).expect("fewer contacts than 2^32")).collect();
    Seed(2).stream(Purpose::Order, 0, 0).shuffle(&mut visits);
    visits
}

fn ours<D: Dimension>(count: usize, random: bool) -> Sweep {
    let problem = settled::settled::<D>(count);
    let (mut bodies, mut rows) = (problem.bodies, problem.rows);
    let (contacts, visits) = (rows.len(), shuffled(rows.len()));
    if random {
        (contacts, Box::new(move || sweep_visits(&mut rows, &visits, &mut bodies)))
    } else {
        (contacts, Box::new(move || sweep(rows.iter_mut(), &mut bodies)))
    }
}

/// Coloured sweeps, many in one solve, with all that is around them.
fn coloured<D: Dimension>(count: usize, _: bool) -> Sweep {
    let mut problem = settled::settled::<D>(count);
    let mut solver = GaussSeidel::new(Order::Coloured, Stop::Sweeps(SWEEPS));
    let contacts = problem.rows.len() * SWEEPS as usize;
    (contacts, Box::new(move || assert_eq!(solver.solve(&mut problem, Seed(1), 0).sweeps, SWEEPS)))
}

fn plane_by_hand(count: usize, random: bool) -> Sweep {
    let (mut bodies, mut contacts) = by_hand::in_the_plane(&settled::settled(count));
    let (number, visits) = (contacts.len(), shuffled(contacts.len()));
    if random {
        (number, Box::new(move || visits.iter().for_each(|&visit| contacts[visit as usize].relax(&mut bodies))))
    } else {
        (number, Box::new(move || contacts.iter_mut().for_each(|contact| contact.relax(&mut bodies))))
    }
}

fn space_by_hand(count: usize, random: bool) -> Sweep {
    let (mut bodies, mut contacts) = by_hand::in_space(&settled::settled(count));
    let (number, visits) = (contacts.len(), shuffled(contacts.len()));
    if random {
        (number, Box::new(move || visits.iter().for_each(|&visit| contacts[visit as usize].relax(&mut bodies))))
    } else {
        (number, Box::new(move || contacts.iter_mut().for_each(|contact| contact.relax(&mut bodies))))
    }
}

fn bench(bencher: Bencher, (contacts, sweep): Sweep) {
    bencher.counter(ItemsCount::new(contacts)).bench_local(sweep);
}

#[divan::bench(args = SIZES)]
fn plane_natural_by_hand(bencher: Bencher, count: usize) {
    bench(bencher, plane_by_hand(count, false));
}

#[divan::bench(args = SIZES)]
fn plane_natural_ours(bencher: Bencher, count: usize) {
    bench(bencher, ours::<Plane>(count, false));
}

#[divan::bench(args = SIZES)]
fn plane_random_by_hand(bencher: Bencher, count: usize) {
    bench(bencher, plane_by_hand(count, true));
}

#[divan::bench(args = SIZES)]
fn plane_random_ours(bencher: Bencher, count: usize) {
    bench(bencher, ours::<Plane>(count, true));
}

#[divan::bench(args = SIZES)]
fn space_natural_by_hand(bencher: Bencher, count: usize) {
    bench(bencher, space_by_hand(count, false));
}

#[divan::bench(args = SIZES)]
fn space_natural_ours(bencher: Bencher, count: usize) {
    bench(bencher, ours::<Space>(count, false));
}

#[divan::bench(args = SIZES)]
fn space_random_by_hand(bencher: Bencher, count: usize) {
    bench(bencher, space_by_hand(count, true));
}

#[divan::bench(args = SIZES)]
fn space_random_ours(bencher: Bencher, count: usize) {
    bench(bencher, ours::<Space>(count, true));
}
