//! A step that is written out of public acts is the step of the engine, bit for bit.

use crate::scenes::{boxed, run};
use hardgrain::acts::{
    Bounce, Candidates, Freeze, advance, check_motion, limit_bounces, overlaps, predict, remember, undetected,
};
use hardgrain::{
    Body, ContactDynamics, Dimension, Failure, GaussSeidel, Line, Order, Packing, Pair, Plane, Problem, Seed, Shock,
    Solver, Space, Stop, Strides, Surface, Threads,
};

const STEP: f64 = 0.1;
const REST_SPEED: f64 = 0.01;

/// How often a step of the engine searches and solves at most.
const SEARCHES: u32 = hardgrain::StepTuning::DEFAULT.searches;
const SOLVES: u32 = hardgrain::StepTuning::DEFAULT.solves;

/// The workspace of a step.
#[derive(Default)]
struct Acts<D: Dimension> {
    candidates: Candidates<D>,
    strides: Strides,
    wider: Strides,
    pairs: Vec<Pair<D>>,
    problem: Problem<D>,
    bounces: Vec<Bounce>,
    velocities: Vec<Body<D>>,
    was_loaded: Vec<bool>,
    searched_again: u32,
    slowed_down: u32,
    bounced: usize,
}

impl<D: Dimension> Acts<D> {
    fn step(&mut self, packing: &mut Packing<D>, solver: &mut impl Solver<D>) -> Result<(f64, f64), Failure> {
        let threads = Threads::default();
        predict(packing, STEP, &mut self.problem.bodies, &threads)?;
        self.strides.predict(packing, &self.problem.bodies, STEP);
        for search in 1.. {
            self.candidates.detect(packing, &self.strides, &mut self.pairs, &threads)?;
            let freeze =
                Freeze { packing, step: STEP, shock: Shock::QuasiInelastic, warm_start: true, threads: &threads };
            freeze.freeze(&self.pairs, &mut self.problem, &mut self.bounces, &mut self.was_loaded);
            solver.takes(&self.problem)?;
            self.solve(packing.step, solver);
            check_motion(packing, &self.velocities, STEP, &threads)?;
            if search == SEARCHES || self.missed(packing, &threads)? == 0 {
                break;
            }
            self.searched_again += 1;
            std::mem::swap(&mut self.strides, &mut self.wider);
        }
        self.bounced += self.bounces.len();
        remember(packing, &self.pairs, &self.problem, &self.velocities, (STEP, REST_SPEED), &self.was_loaded);
        advance(packing, &self.velocities, STEP, &threads);
        Ok(overlaps(packing, &self.pairs))
    }

    fn solve(&mut self, step: u64, solver: &mut impl Solver<D>) {
        for solve in 1.. {
            solver.solve(&mut self.problem, Seed(1), step);
            solver.velocities(&self.problem, &mut self.velocities);
            if solve == SOLVES || !limit_bounces(&mut self.problem, &self.bounces, &self.velocities) {
                return;
            }
            self.slowed_down += 1;
        }
    }

    /// The number of pairs that meet undetected.
    fn missed(&mut self, packing: &Packing<D>, threads: &Threads) -> Result<usize, Failure> {
        let mut missed = 0;
        if self.wider.widen(&self.strides, packing, &self.velocities, STEP) {
            let mut undetected = undetected(packing, &self.pairs, &self.velocities, STEP);
            let count = |wider: &[Pair<D>]| missed += undetected(wider);
            self.candidates.detect_in_chunks(packing, &self.wider, threads, count)?;
        }
        Ok(missed)
    }
}

/// How often it has searched and solved again.
fn acts_make_a_step<D: Dimension>() -> [u32; 2] {
    let mut packing = boxed::<D>(4, 7, Surface::rough(0.4).bouncing(0.8));
    let mut by_engine = packing.clone();
    let sweeps = || GaussSeidel::new(Order::RandomSweep, Stop::Sweeps(15));
    let mut engine = ContactDynamics::new(STEP, sweeps()).seed(1);
    engine.rest_speed = REST_SPEED;
    let (mut acts, mut solver) = (Acts::default(), sweeps());
    let mut contacts = 0;
    for step in 0..80 {
        let overlaps = acts.step(&mut packing, &mut solver).unwrap();
        let report = run(&mut engine, &mut by_engine, 1);
        assert_eq!(packing.state_hash(), by_engine.state_hash(), "step {step}");
        assert_eq!(overlaps, (report.overlap_max, report.overlap_mean));
        contacts += report.contacts;
    }
    assert!(contacts > 20 && acts.bounced > 10, "{contacts} contacts, {} bounces", acts.bounced);
    [acts.searched_again, acts.slowed_down]
}

#[test]
fn a_step_of_public_acts_is_that_of_the_engine() {
    let again = [acts_make_a_step::<Line>(), acts_make_a_step::<Plane>(), acts_make_a_step::<Space>()];
    assert!(again.iter().any(|[_, slowed_down]| *slowed_down > 0), "{again:?}");
}
