//! Sweeps: three dimensions, three sizes, three orders.

use super::by_hand::{ByHand, HandWritten};
use super::pressed::{self, problem};
use super::turns::{alternately, median, ratio};
use hardgrain::{
    Body, Coloured, Dimension, Line, Order, Plane, Problem, Purpose, RandomBlocks, Row, Seed, Space, Threads, sweep,
    sweep_visits,
};
use serde::Serialize;

/// Least number of contact updates in a timing.
const UPDATES: usize = 400_000;

/// From this number of grains on, random sweeps go in blocks: caches are too small for true ones.
const LARGE: usize = 100_000;

/// A number of contacts that fit easily into the nearest cache.
const IN_CACHE: usize = 64;

const SIZES: [(&str, usize); 3] = [("1k", 1_000), ("100k", 100_000), ("1m", 1_000_000)];

/// One row of the table.
#[allow(clippy::struct_field_names, reason = "the keys of the JSON object")]
#[derive(Debug, Serialize)]
pub struct Case {
    /// Dimension, grains and order.
    pub case: String,
    /// The order that was swept in: `random-blocks` where that stands for `random-sweep`.
    pub order: &'static str,
    /// Contacts.
    pub contacts: usize,
    /// Time of our sweeps for each contact.
    pub ns_per_update: f64,
    /// Time of the hand-written loop.
    pub by_hand_ns_per_update: f64,
    /// Hand-written over ours.
    pub ratio: f64,
    /// Time to draw the order, which neither includes.
    pub shuffle_ns_per_update: Option<f64>,
    /// Memory traffic of a contact, bodies included.
    pub bytes_per_contact: f64,
    /// The share of our time that this traffic would take without caches.
    pub share_of_bandwidth: f64,
    /// Time of our sweeps without any stall: a few contacts that share no body, in the nearest cache.
    pub instructions_ns_per_update: f64,
    /// That time over ours.
    pub share_of_instructions: f64,
}

pub(super) const HEAD: &str =
    "case                        contacts    ours  by hand   ratio  shuffle   bytes  memory  instructions";

impl Case {
    fn line(&self) -> String {
        let shuffle = self.shuffle_ns_per_update.map_or_else(|| "-".into(), |ns| format!("{ns:.2}"));
        let blocks = if self.order == "random-blocks" { "  in blocks (random-blocks)" } else { "" };
        format!(
            "{:26} {:>9} {:>7.2} {:>8.2} {:>7.2} {shuffle:>8} {:>7.0} {:>5.0} % {:>11.0} %{blocks}",
            self.case,
            self.contacts,
            self.ns_per_update,
            self.by_hand_ns_per_update,
            self.ratio,
            self.bytes_per_contact,
            100.0 * self.share_of_bandwidth,
            100.0 * self.share_of_instructions
        )
    }
}

/// Coloured sweeps on more than one thread.
#[derive(Clone, Debug, Serialize)]
pub struct ThreadScaling {
    /// Dimension, grains and order.
    pub case: String,
    /// Threads.
    pub threads: usize,
    /// Time for a contact.
    pub ns_per_update: f64,
    /// Time on one thread over that.
    pub speedup: f64,
    /// The speedup of as many small problems that share nothing, one for each thread: what the machine allows.
    pub limit: f64,
}

/// Bandwidth of one thread in GB/s, measured by changing a quarter of a gigabyte in place.
pub(super) fn bandwidth() -> f64 {
    let mut numbers = vec![1.0_f64; 1 << 25];
    let mut change = || numbers.iter_mut().for_each(|number| *number *= 1.000_000_1);
    let seconds = alternately(9, &mut [&mut change]);
    2.0 * size_of_val(numbers.as_slice()) as f64 / median(&seconds[0]) * 1e-9
}

/// Sweeps on one thread, in every dimension, size and order.
pub(super) fn all(bandwidth: f64, say: &impl Fn(&str)) -> Vec<Case> {
    let mut cases = Vec::new();
    for (name, grains) in SIZES {
        cases.extend(cases_of::<Line>(&format!("line-{name}"), grains, bandwidth, say));
        cases.extend(cases_of::<Plane>(&format!("plane-{name}"), grains, bandwidth, say));
        cases.extend(cases_of::<Space>(&format!("space-{name}"), grains, bandwidth, say));
    }
    cases
}

fn cases_of<D: HandWritten>(name: &str, grains: usize, bandwidth: f64, say: &impl Fn(&str)) -> [Case; 3] {
    let problem = problem::<D>(grains);
    [Order::RandomSweep, Order::Forward, Order::Coloured].map(|order| {
        let case = measured(format!("{name}-{}", order.name()), &problem, (order, grains), bandwidth);
        say(&case.line());
        case
    })
}

/// The first contacts of a problem, each with bodies of its own.
fn unconnected<D: Dimension>(problem: &Problem<D>) -> Problem<D> {
    let rows = problem.rows.iter().take(IN_CACHE).zip((0..).step_by(2));
    let (rows, bodies): (Vec<_>, Vec<_>) = rows
        .map(|(row, first)| {
            let bodies = [row.first, row.second].map(|body| problem.bodies[body as usize]);
            (Row { first, second: first + 1, ..*row }, bodies)
        })
        .unzip();
    Problem { rows, bodies: bodies.concat(), ..Problem::default() }
}

/// Times our sweeps, with and without stalls, and the hand-written loop alternately. The order is drawn once, outside the timings.
fn measured<D: HandWritten>(
    case: String,
    problem: &Problem<D>,
    (order, grains): (Order, usize),
    bandwidth: f64,
) -> Case {
    let mut by_hand = ByHand::new(problem);
    let own = if order == Order::RandomSweep && grains >= LARGE { Order::RandomBlocks } else { order };
    let [mut ours, mut cached] = [OwnSweeps::new(problem, own), OwnSweeps::new(&unconnected(problem), own)];
    let contacts = ours.rows.len();
    let (sweeps, cached_sweeps) = (UPDATES.div_ceil(contacts), UPDATES / cached.rows.len());
    let visits = shuffled(contacts);
    ours.draw();
    cached.draw();
    let mut hand_sweeps = || {
        for _ in 0..sweeps {
            if order == Order::RandomSweep {
                by_hand.visit(&visits);
            } else {
                by_hand.natural();
            }
        }
    };
    let turns = if grains >= 1_000_000 { 9 } else { 41 };
    let seconds =
        alternately(turns, &mut [&mut || ours.sweep(sweeps), &mut hand_sweeps, &mut || cached.sweep(cached_sweeps)]);
    let [ns_per_update, by_hand_ns_per_update, instructions_ns_per_update] =
        [(0, sweeps * contacts), (1, sweeps * contacts), (2, cached_sweeps * cached.rows.len())]
            .map(|(act, updates)| 1e9 * median(&seconds[act]) / updates as f64);
    let shuffle_ns_per_update = (order == Order::RandomSweep).then(|| {
        let drawn = alternately(5, &mut [&mut || ours.draw()]);
        1e9 * median(&drawn[0]) / contacts as f64
    });
    let bytes_per_contact = ours.bytes() as f64 / contacts as f64;
    Case {
        case,
        order: own.name(),
        contacts,
        ns_per_update,
        by_hand_ns_per_update,
        ratio: ratio(&seconds[1], &seconds[0]),
        shuffle_ns_per_update,
        bytes_per_contact,
        share_of_bandwidth: bytes_per_contact / bandwidth / ns_per_update,
        instructions_ns_per_update,
        share_of_instructions: instructions_ns_per_update / ns_per_update,
    }
}

/// Our sweeps over one problem, in one order.
struct OwnSweeps<D: Dimension> {
    order: Order,
    rows: Vec<Row<D>>,
    bodies: Vec<Body<D>>,
    visits: Vec<u32>,
    coloured: Coloured<D>,
    random_blocks: RandomBlocks<D>,
    drawn: u64,
}

impl<D: Dimension> OwnSweeps<D> {
    fn new(problem: &Problem<D>, order: Order) -> Self {
        let mut bodies = Vec::new();
        problem.velocities(&mut bodies);
        let (mut coloured, mut random_blocks) = (Coloured::default(), RandomBlocks::default());
        match order {
            Order::Coloured => coloured.start(problem),
            Order::RandomBlocks => random_blocks.start(problem, &bodies),
            _ => {}
        }
        Self { order, rows: problem.rows.clone(), bodies, visits: Vec::new(), coloured, random_blocks, drawn: 0 }
    }

    /// Draws the order of a sweep.
    fn draw(&mut self) {
        self.drawn += 1;
        match self.order {
            Order::RandomSweep => self.visits = shuffled(self.rows.len()),
            Order::RandomBlocks => self.random_blocks.arrange(Seed(1), 0, self.drawn),
            _ => {}
        }
    }

    fn sweep(&mut self, sweeps: usize) {
        let Self { rows, bodies, visits, coloured, random_blocks, .. } = self;
        match self.order {
            Order::Coloured => coloured.sweep(u32::try_from(sweeps).expect("less than 2^32")),
            Order::RandomBlocks => (0..sweeps).for_each(|_| random_blocks.sweep()),
            Order::RandomSweep => (0..sweeps).for_each(|_| sweep_visits(rows, visits, bodies)),
            _ => (0..sweeps).for_each(|_| sweep(rows.iter_mut(), bodies)),
        }
    }

    /// Memory traffic of a sweep.
    fn bytes(&self) -> usize {
        match self.order {
            Order::Coloured => self.coloured.bytes_per_sweep(),
            Order::RandomBlocks => self.random_blocks.bytes_per_sweep(),
            _ => 2 * (size_of_val(self.rows.as_slice()) + size_of_val(self.bodies.as_slice())),
        }
    }
}

fn shuffled(count: usize) -> Vec<u32> {
    let mut visits: Vec<u32> = (0..u32::try_from(count).expect("fewer contacts than 2^32")).collect();
    Seed(2).stream(Purpose::Order, 0, 0).shuffle(&mut visits);
    visits
}

/// Coloured sweeps of a hundred thousand grains on one, two, four … threads.
pub(super) fn scaling(say: &impl Fn(&str)) -> Vec<ThreadScaling> {
    let [line, plane, space] = [on_threads::<Line>, on_threads::<Plane>, on_threads::<Space>];
    [line("line-100k-coloured", say), plane("plane-100k-coloured", say), space("space-100k-coloured", say)].concat()
}

fn on_threads<D: Dimension>(case: &str, say: &impl Fn(&str)) -> Vec<ThreadScaling> {
    const GRAINS: usize = 100_000;
    let problem = problem::<D>(GRAINS);
    let most = std::thread::available_parallelism().map_or(1, usize::from).max(2);
    let counts: Vec<usize> = (0..10).map(|power| 1 << power).take_while(|&count| count < most).chain([most]).collect();
    let sweeps = 20;
    let mut acts: Vec<Box<dyn FnMut() + '_>> = Vec::new();
    for &count in &counts {
        let mut ours = OwnSweeps::new(&problem, Order::Coloured);
        ours.coloured.threads = Threads::new(count);
        acts.push(Box::new(move || ours.sweep(sweeps)));
        let small = pressed::problem::<D>(GRAINS / count);
        let mut small: Vec<OwnSweeps<D>> = (0..count).map(|_| OwnSweeps::new(&small, Order::Coloured)).collect();
        acts.push(Box::new(move || {
            let (own, others) = small.split_first_mut().expect("one thread at least");
            std::thread::scope(|scope| {
                for other in others {
                    scope.spawn(|| other.sweep(sweeps));
                }
                own.sweep(sweeps);
            });
        }));
    }
    let mut acts: Vec<&mut dyn FnMut()> = acts.iter_mut().map(|act| &mut **act as &mut dyn FnMut()).collect();
    let seconds = alternately(31, &mut acts);
    let measured = counts.into_iter().zip(seconds.chunks(2)).map(|(threads, own)| {
        let ns_per_update = 1e9 * median(&own[0]) / (sweeps * problem.rows.len()) as f64;
        let [speedup, limit] = [0, 1].map(|act| ratio(&seconds[0], &own[act]));
        say(&format!(
            "{case:22} {threads:>3} threads: {ns_per_update:>6.2} ns, {speedup:>5.2} times one; sharing nothing {limit:>5.2}"
        ));
        ThreadScaling { case: case.into(), threads, ns_per_update, speedup, limit }
    });
    measured.collect()
}
