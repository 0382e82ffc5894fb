//! Numbers of sweeps and factorisations, the stage that finished and the bits of the answer, for known problems: a change of a constant is
//! seen here.
//!
//! Numbers depend on rounding, and that on the instruction set: these are those of AVX2 and of AVX-512, and elsewhere the test says that
//! it compares nothing.

mod variations;

use hardgrain::{
    Components, ContactDynamics, Dimension, Engine, Grain, InputError, Packing, Piston, Plane, Problem, Purpose, Seed,
    Solution, Solver, Space, Stream, Surface, Wall,
};
use hardgrain_rigid::{FinishedBy, FrictionContact, Method, Rigid, Tuning};
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

    fn takes(&self, problem: &Problem<D>) -> Result<(), InputError> {
        self.0.takes(problem)
    }
}

/// What is compared: counts, a line for each solve, and a digest of all reactions, to their last bits.
#[derive(Clone, Debug, Default, PartialEq)]
struct Outcome {
    counts: Vec<String>,
    digest: u32,
}

impl Outcome {
    fn add(&mut self, counts: String, reactions: impl Iterator<Item = f64>) {
        self.counts.push(counts);
        // FNV-1a over words.
        self.digest = reactions.map(f64::to_bits).fold(self.digest ^ 0x811c_9dc5, |digest, bits| {
            let halves = [bits >> 32, bits & 0xffff_ffff].map(|half| u32::try_from(half).unwrap());
            halves.into_iter().fold(digest, |digest, half| (digest ^ half).wrapping_mul(0x0100_0193).rotate_left(7))
        });
    }

    /// One after the other.
    fn all(outcomes: impl IntoIterator<Item = Self>) -> Self {
        outcomes.into_iter().fold(Self::default(), |mut all, one| {
            all.counts.extend(one.counts);
            all.digest = all.digest.rotate_left(5) ^ one.digest;
            all
        })
    }
}

/// Steps of a packing, each after a change of it.
fn steps<D: Dimension>(
    tuning: &Tuning,
    mut packing: Packing<D>,
    (step, tolerance, max_sweeps): (f64, f64, u32),
    changes: &[fn(&mut Packing<D>)],
) -> Outcome {
    let told = Arc::new(Mutex::new(None));
    let solver = Told(Rigid::new(tolerance, max_sweeps).tuning(*tuning), told.clone());
    let mut engine = ContactDynamics::new(step, solver);
    let mut outcome = Outcome::default();
    for change in changes {
        change(&mut packing);
        let report = engine.step(&mut packing).unwrap();
        let finished_by = told.lock().unwrap().unwrap();
        let rows = engine.problem().rows.iter();
        let reactions =
            rows.flat_map(|row| [row.impulse.normal].into_iter().chain(row.impulse.tangent.as_slice().to_vec()));
        let force_error = [report.force_error, report.residual];
        outcome
            .add(format!("{finished_by:?} {} {}", report.sweeps, report.factorisations), reactions.chain(force_error));
    }
    outcome
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

fn general<const N: usize>(tuning: &Tuning, seed: u64, least: usize) -> Outcome {
    by_method(tuning, Method::Rigid, &random::<N>(seed, least), (1e-9, 300))
}

fn by_method<const N: usize>(
    tuning: &Tuning,
    method: Method,
    problem: &FrictionContact<N>,
    limits: (f64, u32),
) -> Outcome {
    let solved = method.solve_tuned(problem, limits, tuning);
    let mut outcome = Outcome::default();
    let finished_by = solved.finished_by.map_or(format!("{:?}", solved.status), |stage| format!("{stage:?}"));
    outcome.add(
        format!("{finished_by} {} {}", solved.sweeps, solved.factorisations),
        solved.reactions.into_iter().flatten(),
    );
    outcome
}

/// Two contacts that both want the same body elsewhere, beside one that can be solved: reactions grow without limit.
fn squeezed(tuning: &Tuning) -> Outcome {
    let blocks = [(0, 0), (0, 1), (1, 0), (1, 1)].map(|(i, j)| (i, j, [[if i == j { 1.0 } else { -1.0 }]]));
    let blocks: Vec<_> = blocks.into_iter().chain([(2, 2, [[1.0]])]).collect();
    let solves = [(-30.0, 1e-2), (-100.0, 1e-3)].into_iter().flat_map(|(push, tolerance)| {
        let free = vec![[-1.0], [-1.0], [push]];
        let problem = FrictionContact::<1>::new(free, vec![0.0; 3], blocks.clone()).unwrap();
        [Method::GaussSeidel, Method::Accelerated].map(|method| by_method(tuning, method, &problem, (tolerance, 3000)))
    });
    Outcome::all(solves)
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

type Case = (&'static str, fn(&Tuning) -> Outcome);

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
        Outcome::all([discs(4, 0.1, 0), discs(10, 0.05, 4), discs(8, 0.02, 0)])
    }),
    ("few spheres under random forces", |tuning| {
        let spheres = |friction: f64, seed: u64| {
            steps(tuning, stack::<Space>(&[3, 3, 3], friction, seed, 1.0), (0.1, 1e-8, 3000), &[still, still])
        };
        Outcome::all([spheres(0.05, 4), spheres(0.1, 0)])
    }),
    ("conjugate gradients", |tuning| {
        // As if factorisations were expensive and sweeps first were not cheaper.
        let tuning =
            Tuning { expensive: tuning.expensive / 60.0, usual_factorisations: 0.0, sweeps_before: 20, ..*tuning };
        let solves = |sides: [u32; 3], force: f64| {
            steps(&tuning, stack::<Space>(&sides, 0.3, 1, force), (1.0, 1e-8, 10_000), &[still, pressed])
        };
        Outcome::all([solves([5, 5, 5], 0.0), solves([3, 3, 40], 0.0), solves([4, 4, 4], 0.1)])
    }),
    ("sweeps before factorisations", |tuning| {
        // As if sweeps were cheap.
        let tuning = Tuning { cost_in_coloured_sweeps: (400.0, 120.0), ..*tuning };
        let discs = |friction: f64, seed: u64| {
            steps(&tuning, stack::<Plane>(&[8, 8], friction, seed, 2.0), (0.1, 1e-10, 20_000), &[still, still, pressed])
        };
        Outcome::all([discs(0.3, 1), discs(0.05, 2)])
    }),
    ("sweeps that are enough", |tuning| {
        // As if refinement were dear, and factorisations expensive.
        let tuning = Tuning { refinement_cheap: 10.0, expensive: tuning.expensive / 10.0, ..*tuning };
        let spheres = |force: f64| {
            steps(&tuning, stack::<Space>(&[5, 5, 5], 0.3, 1, force), (1.0, 1e-8, 10_000), &[still, pressed, still])
        };
        Outcome::all([spheres(0.0), spheres(0.3)])
    }),
    ("walls that close", |tuning| {
        let rough = |friction: f64, push: f64| {
            let mut packing = closing();
            packing.materials.set_default(Surface { friction, ..Surface::default() }).unwrap();
            packing.grains[0].force = [push, 0.0].into();
            steps(tuning, packing, (0.1, 1e-8, 200), &[still])
        };
        Outcome::all([rough(0.0, 0.0), rough(100.0, 1.0)])
    }),
    ("sweeps of general problems", |tuning| {
        let sweeps = |method| by_method(tuning, method, &random::<2>(0, 20), (1e-9, 300));
        Outcome::all([Method::GaussSeidel, Method::Accelerated].map(sweeps))
    }),
    ("sweeps without an answer", squeezed),
    ("general, on a line", |tuning| general::<1>(tuning, 3, 40)),
    ("general, in the plane", |tuning| Outcome::all((0..4).map(|seed| general::<2>(tuning, seed, 20)))),
    ("general, in space", |tuning| Outcome::all((0..2).map(|seed| general::<3>(tuning, seed, 20)))),
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
    &[
        "Sweeps 286 1",
        "Fallback 15813 217",
        "Selection 4366 21",
        "Sweeps 188 1",
        "KeptStates 406 2",
        "Selection 2682 14",
    ],
    &["Sweeps 152 0", "Sweeps 102 0", "Sweeps 4 0", "Sweeps 2167 1", "Fallback 12706 228", "Fallback 14179 259"],
    &["Fallback 400 26", "Fallback 400 76"],
    &["Converged 29 0", "Converged 47 0"],
    &["NotConverged 3000 0", "NotConverged 3000 0", "NotConverged 3000 0", "NotConverged 3000 0"],
    &["Convex 76 6"],
    &["Convex 46 4", "Convex 162 4", "Convex 54 4", "Convex 52 4"],
    &["Sweeps 36 0", "Convex 97 4"],
];

/// The digests of the cases, in their order: the same with AVX2 and with AVX-512 (which valgrind hides).
#[rustfmt::skip]
const DIGESTS: &[u32] = &[
    0x26cf_1b78, 0x6481_3577, 0xcd13_6031, 0xf31f_3102, 0xa76d_0ee8, 0x461e_4821, 0x0542_18b8, 0xfed4_2edf,
    0x8394_ef1f, 0xc67e_fee1, 0x9584_cb8b, 0xa763_0df1, 0x22b3_e7a6, 0xe3e1_e8b7, 0xb0c8_fc62, 0x91a9_2fba,
    0x8355_7719, 0x335a_699b, 0x8a28_0bf2, 0x0b56_d2f7, 0xa8f1_8ce3, 0xb925_ee13, 0x2c55_0e15, 0xb770_ad65,
    0x94ac_fd8b, 0x77bf_e7e9,
];

/// Whether numbers are those of this processor: kernels for others round differently.
fn is_comparable() -> bool {
    #[cfg(target_arch = "x86_64")]
    let comparable = std::arch::is_x86_feature_detected!("avx2") && std::arch::is_x86_feature_detected!("fma");
    #[cfg(not(target_arch = "x86_64"))]
    let comparable = false;
    if !comparable {
        eprintln!("NOT COMPARED: golden numbers are those of AVX2 and AVX-512, which this processor does not have");
    }
    comparable
}

#[test]
fn sweeps_and_factorisations_of_known_problems_stay() {
    let outcomes: Vec<Outcome> = CASES.iter().map(|(_, case)| case(&Tuning::DEFAULT)).collect();
    // Shown where the comparison fails.
    for outcome in &outcomes {
        println!("{:?}", outcome.counts);
    }
    if !is_comparable() {
        return;
    }
    let found: Vec<u32> = outcomes.iter().map(|outcome| outcome.digest).collect();
    for (((name, _), outcome), golden) in CASES.iter().zip(&outcomes).zip(GOLDEN) {
        assert_eq!(outcome.counts, *golden, "{name}");
    }
    assert_eq!(CASES.len(), GOLDEN.len());
    assert_eq!(found, DIGESTS, "{found:#010x?}");
}
