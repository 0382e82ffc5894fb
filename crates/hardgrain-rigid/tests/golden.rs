//! Numbers of sweeps and factorisations, and the stage that finished, for known problems: a change of a constant is seen here.
//!
//! Counts may depend on rounding, and that on the instruction set: these are those of AVX-512, and elsewhere the test says that it
//! compares nothing.

use hardgrain::{
    Components, ContactDynamics, Dimension, Engine, Grain, InputError, Packing, Piston, Plane, Problem, Purpose, Seed,
    Solution, Solver, Space, Stream, Surface, Wall,
};
use hardgrain_rigid::{FinishedBy, FrictionContact, Rigid, Tuning, solve_rigid};
use std::sync::{Arc, Mutex};

/// A rigid solver that tells what has finished.
#[derive(Debug)]
struct Told<D: Dimension>(Rigid<D>, Arc<Mutex<Option<FinishedBy>>>);

impl<D: Dimension> Solver<D> for Told<D> {
    fn solve(&mut self, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution {
        let solution = self.0.solve(problem, seed, step);
        *self.1.lock().unwrap() = self.0.finished_by();
        solution
    }

    fn follows_the_curve(&self) -> bool {
        self.0.follows_the_curve()
    }

    fn check(&self) -> Result<(), InputError> {
        self.0.check()
    }
}

/// What is counted: a line for each solve.
type Counts = Vec<String>;

/// Steps of a packing, each after a change of it.
fn steps<D: Dimension>(
    tuning: &Tuning,
    mut packing: Packing<D>,
    (step, tolerance, max_sweeps): (f64, f64, u32),
    changes: &[fn(&mut Packing<D>)],
) -> Counts {
    let told = Arc::new(Mutex::new(None));
    let solver = Told(Rigid::new(tolerance, max_sweeps).tuning(*tuning), told.clone());
    let mut engine = ContactDynamics::new(step, solver);
    let each = changes.iter().map(|change| {
        change(&mut packing);
        let report = engine.step(&mut packing).unwrap();
        let finished_by = told.lock().unwrap().unwrap();
        format!("{finished_by:?} {} {}", report.sweeps, report.factorisations)
    });
    each.collect()
}

/// Discs in a box, stacked like bricks, under a lid.
fn bricks(columns: u32, rows: u32, friction: f64) -> Packing<Plane> {
    let mut packing = Packing::new();
    packing.materials.set_default(Surface { friction, ..Surface::default() }).unwrap();
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
    packing.add_wall(Wall::new([0.0, 0.0], [1.0, 0.0])).unwrap();
    packing.add_wall(Wall::new([f64::from(columns) + 0.5, 0.0], [-1.0, 0.0])).unwrap();
    let height = 0.75_f64.sqrt();
    for (row, column) in (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column))) {
        let x = 0.5 + f64::from(column) + if row % 2 == 1 { 0.5 } else { 0.0 };
        packing.add(Grain::new([x, 0.5 + height * f64::from(row)], 0.5).mass(1.0)).unwrap();
    }
    packing.gravity = [0.0, -0.001].into();
    let top = 1.0 + height * f64::from(rows - 1);
    packing.add_piston(Piston::new([0.0, top], [0.0, -1.0], 5.0).force(0.1)).unwrap();
    packing
}

/// Grains of random mass, stacked straight in a box under a lid, each with a random force of up to half of `force`.
fn stack<D: Dimension>(sides: &[u32], friction: f64, seed: u64, force: f64) -> Packing<D> {
    let mut packing = Packing::<D>::new();
    packing.materials.set_default(Surface { friction, ..Surface::default() }).unwrap();
    let along = |which: usize, value: f64| D::Vector::from_fn(|axis| if axis == which { value } else { 0.0 });
    let up = D::AXES - 1;
    for (axis, side) in sides.iter().enumerate() {
        packing.add_wall(Wall::new(along(axis, 0.0), along(axis, 1.0))).unwrap();
        if axis < up {
            packing.add_wall(Wall::new(along(axis, f64::from(*side)), along(axis, -1.0))).unwrap();
        }
    }
    let mut random = Seed(seed).stream(Purpose::Draw, 7, 0);
    for index in 0..sides.iter().product::<u32>() {
        let mut left = index;
        let at: Vec<f64> = sides
            .iter()
            .map(|side| {
                let at = 0.5 + f64::from(left % side);
                left /= side;
                at
            })
            .collect();
        let mut grain = Grain::new(D::Vector::from_fn(|axis| at[axis]), 0.5).mass(0.5 + random.uniform());
        grain.force = D::Vector::from_fn(|_| force * (random.uniform() - 0.5));
        packing.add(grain).unwrap();
    }
    packing.gravity = along(up, -0.01);
    packing.add_piston(Piston::new(along(up, f64::from(sides[up])), along(up, -1.0), 5.0).force(0.5)).unwrap();
    packing
}

/// Contacts whose velocities follow from random motions.
fn random<const N: usize>(seed: u64, least: usize) -> FrictionContact<N> {
    let mut random = Seed(seed).stream(Purpose::Draw, N as u64, 0);
    let spread = |random: &mut Stream| random.uniform() + random.uniform() + random.uniform() - 1.5;
    let contacts = least + random.below(19) as usize;
    let motions = [3, 5, 10, 20][random.below(4) as usize] * contacts * N / 5 + 1;
    let arms: Vec<Vec<f64>> = (0..contacts * N).map(|_| (0..motions).map(|_| spread(&mut random)).collect()).collect();
    let number = |a: usize, b: usize| arms[a].iter().zip(&arms[b]).map(|(a, b)| a * b).sum::<f64>();
    let block =
        |i: usize, j: usize| (i, j, std::array::from_fn(|x| std::array::from_fn(|y| number(N * i + x, N * j + y))));
    let blocks: Vec<_> =
        (0..contacts).flat_map(|i| (0..contacts).map(move |j| (i, j))).map(|(i, j)| block(i, j)).collect();
    let free = (0..contacts).map(|_| {
        let mut free: [f64; N] = std::array::from_fn(|_| spread(&mut random));
        free[0] = -free[0].abs();
        free
    });
    let free: Vec<[f64; N]> = free.collect();
    FrictionContact::new(free, vec![0.5; contacts], blocks).unwrap()
}

fn general<const N: usize>(tuning: &Tuning, seed: u64, least: usize) -> Counts {
    let solved = solve_rigid(&random::<N>(seed, least), 1e-9, 300, tuning);
    vec![format!("{:?} {} {}", solved.finished_by.unwrap(), solved.sweeps, solved.factorisations)]
}

/// Two walls that close on a disc: there is no answer.
fn closing() -> Packing<Plane> {
    let mut packing = Packing::<Plane>::new();
    packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0]).velocity([0.0, 0.1])).unwrap();
    packing.add_wall(Wall::new([0.0, 1.0], [0.0, -1.0]).velocity([0.0, -0.1])).unwrap();
    packing.add(Grain::new([0.0, 0.5], 0.5).mass(1.0)).unwrap();
    packing
}

fn heavier(packing: &mut Packing<Plane>) {
    packing.gravity = packing.gravity * 1.5;
    packing.pistons[0].force *= 1.5;
}

fn pressed<D: Dimension>(packing: &mut Packing<D>) {
    packing.pistons[0].force *= 1.01;
}

fn tilted(packing: &mut Packing<Plane>) {
    packing.gravity = [0.001, -0.001].into();
}

fn still<D: Dimension>(_: &mut Packing<D>) {}

type Case = (&'static str, fn(&Tuning) -> Counts);

const CASES: &[Case] = &[
    ("bricks at rest, then loads in proportion, then pressed", |tuning| {
        steps(tuning, bricks(8, 12, 0.3), (0.1, 1e-10, 10_000), &[still, still, still, still, heavier, pressed])
    }),
    ("more bricks, tilted and back", |tuning| {
        let back: fn(&mut Packing<Plane>) = |packing| packing.gravity = [0.0, -0.001].into();
        steps(tuning, bricks(14, 14, 0.3), (0.1, 1e-8, 2000), &[still, tilted, back, tilted])
    }),
    ("frictionless discs under random forces", |tuning| {
        steps(tuning, stack::<Plane>(&[15, 15], 0.0, 0, 2.0), (0.1, 1e-8, 3000), &[still, still, still, still])
    }),
    ("slippery discs under random forces", |tuning| {
        steps(tuning, stack::<Plane>(&[15, 15], 0.05, 2, 2.0), (0.1, 1e-8, 3000), &[still, still, still])
    }),
    ("rough discs under random forces", |tuning| {
        steps(tuning, stack::<Plane>(&[15, 15], 0.3, 1, 2.0), (0.1, 1e-8, 3000), &[still])
    }),
    ("a few sweeps", |tuning| {
        steps(tuning, stack::<Plane>(&[4, 3], 0.3, 1, 0.0), (0.1, 1e-6, 3000), &[still, pressed])
    }),
    ("many discs", |tuning| steps(tuning, bricks(60, 50, 0.3), (0.1, 1e-8, 10_000), &[still, pressed])),
    ("many discs, stacked", |tuning| {
        steps(tuning, stack::<Plane>(&[50, 45], 0.5, 2, 0.3), (0.1, 1e-8, 10_000), &[still])
    }),
    ("spheres", |tuning| steps(tuning, stack::<Space>(&[4, 4, 4], 0.3, 1, 0.05), (0.1, 1e-8, 3000), &[still, still])),
    ("frictionless spheres under random forces", |tuning| {
        steps(tuning, stack::<Space>(&[5, 5, 5], 0.0, 1, 1.0), (0.1, 1e-8, 3000), &[still, still, still])
    }),
    ("rough spheres under random forces", |tuning| {
        steps(tuning, stack::<Space>(&[5, 5, 5], 0.3, 1, 1.0), (0.1, 1e-8, 3000), &[still])
    }),
    ("a crate of spheres", |tuning| {
        steps(tuning, stack::<Space>(&[9, 9, 9], 0.3, 1, 0.0), (1.0, 1e-8, 10_000), &[still, still, pressed])
    }),
    ("a crate of spheres under random forces", |tuning| {
        steps(tuning, stack::<Space>(&[8, 8, 8], 0.3, 1, 0.3), (1.0, 1e-8, 10_000), &[still])
    }),
    ("a pole of spheres", |tuning| {
        steps(tuning, stack::<Space>(&[3, 3, 80], 0.3, 1, 0.0), (1.0, 1e-8, 10_000), &[still, pressed])
    }),
    ("a tower of spheres", |tuning| {
        steps(tuning, stack::<Space>(&[6, 6, 40], 0.3, 1, 0.01), (1.0, 1e-8, 10_000), &[still])
    }),
    ("few discs under random forces", |tuning| {
        let discs = |side: u32, friction: f64, seed: u64| {
            steps(
                tuning,
                stack::<Plane>(&[side, side], friction, seed, 2.0),
                (0.1, 1e-8, 3000),
                &[still, still, pressed],
            )
        };
        [discs(4, 0.1, 0), discs(10, 0.05, 4), discs(8, 0.02, 0)].concat()
    }),
    ("few spheres under random forces", |tuning| {
        let spheres = |friction: f64, seed: u64| {
            steps(tuning, stack::<Space>(&[3, 3, 3], friction, seed, 1.0), (0.1, 1e-8, 3000), &[still, still])
        };
        [spheres(0.05, 4), spheres(0.1, 0)].concat()
    }),
    ("conjugate gradients", |tuning| {
        // As if factorisations were expensive and sweeps first were not cheaper.
        let tuning =
            Tuning { expensive: tuning.expensive / 60.0, usual_factorisations: 0.0, sweeps_before: 20, ..*tuning };
        let solves = |sides: [u32; 3], force: f64| {
            steps(&tuning, stack::<Space>(&sides, 0.3, 1, force), (1.0, 1e-8, 10_000), &[still, pressed])
        };
        [solves([5, 5, 5], 0.0), solves([3, 3, 40], 0.0), solves([4, 4, 4], 0.1)].concat()
    }),
    ("walls that close", |tuning| steps(tuning, closing(), (0.1, 1e-8, 200), &[still])),
    ("general, on a line", |tuning| general::<1>(tuning, 3, 40)),
    ("general, in the plane", |tuning| (0..4).flat_map(|seed| general::<2>(tuning, seed, 20)).collect()),
    ("general, in space", |tuning| (0..2).flat_map(|seed| general::<3>(tuning, seed, 20)).collect()),
];

/// The counts of each case, in its order.
const GOLDEN: &[&[&str]] = &[
    &["Convex 124 4", "Refinement 0 1", "Refinement 0 1", "Refinement 0 1", "Refinement 0 1", "KeptStates 62 1"],
    &["Convex 132 4", "KeptStates 132 2", "KeptStates 132 2", "KeptStates 132 2"],
    &["Convex 98 6", "KeptStates 1398 3", "KeptStates 132 1", "KeptStates 132 1"],
    &["Convex 460 14", "Fallback 5532 195", "Exact 2126 52"],
    &["Exact 2000 31"],
    &["Convex 72 4", "Sweeps 36 1"],
    &["Convex 122 8", "KeptStates 92 1"],
    &["Exact 1902 31"],
    &["Convex 68 5", "FirstGuess 0 0"],
    &["Convex 34 10", "KeptStates 520 4", "Convex 2121 31"],
    &["Convex 1794 10"],
    &["Sweeps 316 1", "FirstGuess 0 0", "Sweeps 142 1"],
    &["Sweeps 5911 1"],
    &["Convex 30 5", "Sweeps 46 1"],
    &["Sweeps 426 1"],
    &[
        "Convex 132 9",
        "Selection 1428 9",
        "KeptStates 60 1",
        "Convex 662 14",
        "Selection 1926 24",
        "Selection 1732 20",
        "Convex 294 6",
        "Selection 1506 13",
        "KeptStates 312 2",
    ],
    &["Convex 300 16", "Compliance 3000 172", "Convex 836 11", "Compliance 3000 153"],
    &["Sweeps 82 4", "Sweeps 52 1", "Sweeps 81 4", "Sweeps 78 1", "Sweeps 71 4", "Sweeps 78 1"],
    &["Fallback 400 26"],
    &["Convex 76 6"],
    &["Convex 46 4", "Convex 162 4", "Convex 54 4", "Convex 52 4"],
    &["Sweeps 36 0", "Convex 97 4"],
];

/// Whether counts are those of this processor.
fn is_comparable() -> bool {
    #[cfg(target_arch = "x86_64")]
    let comparable = std::arch::is_x86_feature_detected!("avx512f");
    #[cfg(not(target_arch = "x86_64"))]
    let comparable = false;
    if !comparable {
        eprintln!("NOT COMPARED: golden counts are those of AVX-512, which this processor does not have");
    }
    comparable
}

#[test]
fn sweeps_and_factorisations_of_known_problems_stay() {
    let counts: Vec<Counts> = CASES.iter().map(|(_, case)| case(&Tuning::DEFAULT)).collect();
    if is_comparable() {
        for (((name, _), counts), golden) in CASES.iter().zip(&counts).zip(GOLDEN) {
            assert_eq!(counts, golden, "{name}");
        }
        assert_eq!(CASES.len(), GOLDEN.len());
    }
}

type Variation = (&'static str, fn(&mut Tuning));

/// Every constant with another value.
#[rustfmt::skip]
#[allow(clippy::too_many_lines, reason = "a list")]
fn variations() -> Vec<Variation> {
    vec![
        ("cost_in_coloured_sweeps", |tuning| tuning.cost_in_coloured_sweeps = (60.0 * 3.0, 120.0 * 3.0)),
        ("cost_in_plain_sweeps", |tuning| tuning.cost_in_plain_sweeps = (40.0 * 3.0, 300.0 * 3.0)),
        ("cost_in_gradients", |tuning| tuning.cost_in_gradients = (20.0 * 3.0, 800.0 * 3.0)),
        ("expensive", |tuning| tuning.expensive = 1e6),
        ("corrections", |tuning| tuning.corrections = [500.0, 5000.0, 10_000.0]),
        ("amalgamation", |tuning| tuning.amalgamation = [(3, 0.3), (12, 0.05), (32, 0.02), (usize::MAX, 0.01)]),
        ("dissection_from", |tuning| tuning.dissection_from = f64::MAX),
        ("dissection_leaf", |tuning| tuning.dissection_leaf = 60),
        ("dissection_ends", |tuning| tuning.dissection_ends = 2),
        ("dissection_smoothing", |tuning| tuning.dissection_smoothing = 4),
        ("dissection_side", |tuning| tuning.dissection_side = 0.3),
        ("dissection_separator", |tuning| tuning.dissection_separator = 0.02),
        ("dissection_hub", |tuning| tuning.dissection_hub = 1),
        ("solve_residual", |tuning| tuning.solve_residual = 1e-20),
        ("gradients_tolerance", |tuning| tuning.gradients_tolerance = (1e-3 * 3.0, 1e-4 * 3.0)),
        ("gradients_longest", |tuning| tuning.gradients_longest = 1.3 * 3.0),
        ("gradients_share", |tuning| tuning.gradients_share = 0.9),
        ("stage_iterations", |tuning| tuning.stage_iterations = 12),
        ("step_length", |tuning| tuning.step_length = 0.9),
        ("short_step", |tuning| tuning.short_step = 0.5),
        ("second_order_clip", |tuning| tuning.second_order_clip = 5.0 * 3.0),
        ("centring_power", |tuning| tuning.centring_power = 2),
        ("outliers", |tuning| tuning.outliers = 10.0 * 3.0),
        ("longer_step", |tuning| tuning.longer_step = (1.5 * 3.0, 0.1 * 3.0)),
        ("correction_gain", |tuning| tuning.correction_gain = 0.1 * 3.0),
        ("convex_start", |tuning| tuning.convex_start = (3.0 * 3.0, 0.1 * 3.0)),
        ("convex_proximal", |tuning| tuning.convex_proximal = 1e-6),
        ("clearly_inside", |tuning| tuning.clearly_inside = 0.1),
        ("warm_margin", |tuning| tuning.warm_margin = 10.0 * 3.0),
        ("warm_margins", |tuning| tuning.warm_margins = (0.05 * 3.0, 1.0 * 3.0)),
        ("exact_start", |tuning| tuning.exact_start = 3.0 * 3.0),
        ("exact_warm_start", |tuning| tuning.exact_warm_start = 0.01 * 3.0),
        ("selection", |tuning| tuning.selection = 1e-5),
        ("compliance", |tuning| tuning.compliance = 1e-2 * 3.0),
        ("compliance_factor", |tuning| tuning.compliance_factor = 4.0 * 3.0),
        ("compliance_rounds", |tuning| tuning.compliance_rounds = 4),
        ("compliance_gain", |tuning| tuning.compliance_gain = (0.3 * 3.0, 0.05 * 3.0)),
        ("trial", |tuning| tuning.trial = 1e-7 * 3.0),
        ("trial_limits", |tuning| tuning.trial_limits = (1e-4 * 3.0, 1e-2 * 3.0)),
        ("trial_again", |tuning| tuning.trial_again = 0.3 * 3.0),
        ("gap_closed", |tuning| tuning.gap_closed = 1e-6),
        ("stalled_error", |tuning| tuning.stalled_error = (5, 0.7)),
        ("stalled_gap", |tuning| tuning.stalled_gap = (2, 0.9)),
        ("gradients_rise", |tuning| tuning.gradients_rise = 0.5),
        ("exhausted", |tuning| tuning.exhausted = 2),
        ("finishing_share", |tuning| tuning.finishing_share = 0.4 * 3.0),
        ("finishing_gain", |tuning| tuning.finishing_gain = 0.003 * 3.0),
        ("finishing_rounds", |tuning| tuning.finishing_rounds = 1),
        ("close", |tuning| tuning.close = 1.5),
        ("hidden", |tuning| tuning.hidden = 0.01 * 3.0),
        ("hidden_divisor", |tuning| tuning.hidden_divisor = 1),
        ("polish_sweeps", |tuning| tuning.polish_sweeps = 600 / 2),
        ("polish_blocks", |tuning| tuning.polish_blocks = 1),
        ("polish_gain", |tuning| tuning.polish_gain = 0.2 * 3.0),
        ("proportion", |tuning| tuning.proportion = 1.2),
        ("proportion_gain", |tuning| tuning.proportion_gain = 0.2 * 3.0),
        ("kept_states", |tuning| tuning.kept_states = (2, 0.25)),
        ("sweeps_per_contact", |tuning| tuning.sweeps_per_contact = 100.0 * 3.0),
        ("sweeps_digits", |tuning| tuning.sweeps_digits = 8.0 * 3.0),
        ("usual_factorisations", |tuning| tuning.usual_factorisations = 3.0),
        ("first_part", |tuning| tuning.first_part = 0.25),
        ("first_parts", |tuning| tuning.first_parts = 1),
        ("first_gain", |tuning| tuning.first_gain = 0.2 * 3.0),
        ("sweeps_before", |tuning| tuning.sweeps_before = 300 / 2),
        ("probe_divisor", |tuning| tuning.probe_divisor = 1),
        ("far", |tuning| tuning.far = 1e3),
        ("holding", |tuning| tuning.holding = 1e4),
        ("sliding", |tuning| tuning.sliding = 1.0),
        ("refinements", |tuning| tuning.refinements = 1),
        ("refinement_factorisations", |tuning| tuning.refinement_factorisations = 0),
        ("refined", |tuning| tuning.refined = 1e-12),
        ("refinement_gain", |tuning| tuning.refinement_gain = 0.5 * 3.0),
        ("refinement_cheap", |tuning| tuning.refinement_cheap = 10.0),
        ("refinement_share", |tuning| tuning.refinement_share = 30.0),
        ("hopeless", |tuning| tuning.hopeless = 1e9),
        ("divergence_error", |tuning| tuning.divergence_error = 0.5 * 3.0),
        ("divergence_growth", |tuning| tuning.divergence_growth = 1.02 * 3.0),
        ("divergence_from", |tuning| tuning.divergence_from = 1),
    ]
}

/// Takes minutes: every case with every other constant. Constants that are compiled in are not among them.
#[test]
fn every_constant_is_seen() {
    if std::env::var_os("HARDGRAIN_VARY_TUNING").is_none() {
        eprintln!("\n*** SKIPPED: set HARDGRAIN_VARY_TUNING after a change of constants or cases ***\n");
        return;
    }
    let all = |tuning: &Tuning| -> Vec<Counts> { CASES.iter().map(|(_, case)| case(tuning)).collect() };
    let golden = all(&Tuning::DEFAULT);
    let mut unseen = Vec::new();
    for (name, vary) in variations() {
        let mut tuning = Tuning::DEFAULT;
        vary(&mut tuning);
        let seen = CASES.iter().zip(&golden).position(|((_, case), golden)| case(&tuning) != *golden);
        match seen {
            Some(case) => eprintln!("{name}: {}", CASES[case].0),
            None => unseen.push(name),
        }
    }
    assert!(unseen.iter().all(|name| UNSEEN.contains(name)), "no case sees {unseen:?}");
}

/// Constants that no case sees: those of dissection change only what factorisations fill, those of divergence belong to the sweeps of
/// general problems (`known.rs`), and the others decide in rarer problems.
const UNSEEN: &[&str] = &[
    "dissection_from",
    "dissection_leaf",
    "dissection_ends",
    "dissection_smoothing",
    "dissection_side",
    "dissection_separator",
    "dissection_hub",
    "divergence_error",
    "divergence_growth",
    "divergence_from",
    "gradients_share",
    "longer_step",
    "trial",
    "gradients_rise",
    "finishing_rounds",
    "close",
    "hidden_divisor",
    "sweeps_before",
    "refinements",
    "refinement_gain",
    "refinement_share",
    "hopeless",
];
