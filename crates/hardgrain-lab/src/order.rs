//! How fast a sweep spreads forces: q, from the first sweep and in the long run.
//!
//! **First sweep.** All contacts of a pressed chain close with the same small speed, so that the parallel update would
//! change every reaction by the same δR. One sweep changes it by ⟨ΔR⟩ = 2q δR; contacts near the ends are left out.
//!
//! **Weights.** If a single contact closes, δR is 0 at all others, and the sweep's ΔR at distance r, over all samples, is
//! p_r/2^r of it: the appendix term by term.
//!
//! **Long run.** The reactions carry an error in the shape of the longest wave. Many sweeps later what is left of it, each
//! sweep leaving ρ = 1 − 2q(1 − cos kd), is q after all memory of the first sweep is gone. The ends of the chain change this by
//! a share inversely proportional to its length, so it is measured in two chains, one half as long, and extrapolated.

use crate::estimate::{exact, keys};
use crate::flaw::{Flaw, FlawedSweeps};
use crate::line::{row, steps, sweeping};
use crate::settings::{Error, Validate, by_name, within};
use crate::watch::{Progress, side_by_side};
use hardgrain::{Engine, Line, Order, Part, Problem, Seed, Solver, Stop};
use hardgrain_analysis::Estimate;
use hardgrain_run::theory_order;
use hardgrain_theory::standing_wave;
use serde::Serialize;

/// Contacts this far from an end are unaffected by it, within 2^−32.
const MARGIN: usize = 32;

/// In shorter chains every contact is affected by the ends.
const CONTACTS_MIN: u32 = 20;

/// Distances at which weights are measured.
const DISTANCES: usize = 6;

/// Probes for the weights are this far apart, so that they do not affect each other.
const APART: usize = 40;

/// Contacts of the chain in which the long run is followed, and how many runs. A second chain half as long shows what the
/// ends do.
const LONG_RUN: (u32, u64) = (120, 20);
/// The same for orders without chance.
const LONG_RUN_SURE: (u32, u64) = (300, 1);
/// Sweeps before the long run is measured, and while it is, in lifetimes of the slowest mode. The others decay nine times
/// faster or more.
const LIFETIMES: (f64, f64) = (1.0, 1.0);

/// What to measure.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OrderSettings {
    /// The order of the sweeps.
    #[serde(serialize_with = "by_name")]
    pub order: Order,
    /// Contacts of the chain.
    pub contacts: u32,
    /// How many sweeps are averaged over.
    pub samples: u32,
    /// The seed of random orders.
    pub seed: u64,
    /// A deliberate error in the physics.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub flaw: Option<Flaw>,
}

impl Default for OrderSettings {
    fn default() -> Self {
        Self { order: Order::RandomSweep, contacts: 1000, samples: 1000, seed: 1, flaw: None }
    }
}

impl Validate for OrderSettings {
    fn check(&self) -> Result<(), Error> {
        within("contacts", self.contacts, CONTACTS_MIN, 1_000_000)?;
        within("samples", self.samples, 1, 1_000_000)
    }
}

/// q from the theory.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PredictedOrder {
    /// q of the first sweep.
    pub q: f64,
    /// q after many sweeps.
    pub q_long_run: f64,
}

/// q from sweeps. The errors are 0 for orders without chance, and no numbers of a single sample.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct MeasuredOrder {
    /// q of the first sweep.
    #[serde(flatten, serialize_with = "keys::q")]
    pub q: Estimate,
    /// q after many sweeps.
    #[serde(flatten, serialize_with = "keys::q_long_run")]
    pub q_long_run: Estimate,
    /// What one sweep carries away from the wall less what it carries towards it, over both together.
    #[serde(flatten, serialize_with = "keys::asymmetry")]
    pub asymmetry: Estimate,
}

/// How much of a change r contacts away one sweep carries here.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct SweepWeight {
    /// r, in contacts.
    pub distance: u32,
    /// The theory: p_r/2^r of the appendix for the random sweep.
    pub predicted: f64,
    /// The mean over samples and over both sides.
    #[serde(flatten, serialize_with = "keys::measured")]
    pub measured: Estimate,
}

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct OrderResult {
    /// "order".
    pub experiment: &'static str,
    /// What was asked.
    pub settings: OrderSettings,
    /// Theory.
    pub predicted: PredictedOrder,
    /// Measurement.
    pub measured: MeasuredOrder,
    /// The terms of the appendix, one by one.
    pub weights: Vec<SweepWeight>,
    /// Contacts of the longer chain of the long run.
    pub long_run_contacts: u32,
    /// Error of the slowest mode after every second sweep, on average over the long runs; 1 at the start.
    #[serde(skip)]
    pub relaxation: Vec<f64>,
}

/// What one sweep of a chain does, beyond what it started from: impulses from the wall on.
pub(crate) struct Bench {
    order: Order,
    flaw: Option<Flaw>,
    /// Before any sweep: all impulses are 1.
    pub(crate) start: Problem<Line>,
    /// The rows of the contacts, from the wall outwards.
    pub(crate) from_wall: Vec<usize>,
}

impl Bench {
    /// A pressed chain at rest in its exact forces, all 1.
    pub(crate) fn new(order: Order, contacts: u32, flaw: Option<Flaw>) -> Result<Self, Error> {
        let mut packing = row(contacts, 0.0, 0.0, 1.0);
        let mut engine = sweeping(Order::Forward, 1, 0, None);
        engine.step(&mut packing)?;
        let mut start = engine.problem().clone();
        start.rows.iter_mut().for_each(|row| row.impulse.normal = 1.0);
        let last = contacts as usize - 1;
        start.bodies.iter_mut().for_each(|body| body.velocity = [0.0].into());
        start.bodies[last].velocity = [-1.0].into();
        let mut from_wall: Vec<usize> = (0..start.rows.len()).collect();
        // The wall's contact first, then by the number of the first grain.
        from_wall.sort_by_key(|&index| match engine.pairs()[index].identity.second() {
            Part::Grain(_) => engine.pairs()[index].identity.first + 1,
            _ => 0,
        });
        Ok(Self { order, flaw, start, from_wall })
    }

    /// Sweeps in this order.
    pub(crate) fn sweeps(&self, count: u32) -> FlawedSweeps {
        FlawedSweeps::new(self.order, Stop::Sweeps(count), self.flaw)
    }

    /// How the impulses differ from 1 after one sweep from velocities that start with `closing(contact)`.
    fn sweep(&self, seed: u64, sample: u64, closing: impl Fn(usize) -> f64) -> Vec<f64> {
        let mut problem = self.start.clone();
        let mut speed = 0.0;
        for grain in 0..self.from_wall.len() {
            speed -= closing(grain);
            problem.bodies[grain].velocity.0[0] += speed;
        }
        self.sweeps(1).solve(&mut problem, Seed(seed), sample);
        self.from_wall.iter().map(|&index| problem.rows[index].impulse.normal - 1.0).collect()
    }
}

/// Runs the experiment.
///
/// # Errors
/// When a setting makes no sense.
pub fn run(settings: &OrderSettings, watch: &dyn Progress) -> Result<OrderResult, Error> {
    settings.check()?;
    let theory = theory_order(settings.order);
    let samples = if settings.order.is_random() { settings.samples } else { 1 };
    let bench = Bench::new(settings.order, settings.contacts, settings.flaw)?;
    let chances: Vec<u64> = (0..u64::from(samples)).collect();
    let first = side_by_side(&chances, watch, |&sample| Ok::<_, Error>(bench.first_sweep(settings.seed, sample)))?;
    let mean = |values: Vec<f64>| {
        let mean = Estimate::mean(&values).expect("at least one sample");
        if settings.order.is_random() { mean } else { exact(mean.value) }
    };
    let asymmetry = mean(first.iter().map(|first| first.asymmetry).collect());
    let both = first.iter().flat_map(|first| &first.weights[1..]).sum::<f64>() / first.len() as f64;
    let weight = |r: usize| {
        let distance = u32::try_from(r).expect("a small number");
        let measured = mean(first.iter().map(|first| first.weights[r]).collect());
        SweepWeight { distance, predicted: theory.first_sweep_weight(distance), measured }
    };
    let (long_contacts, long_runs) = if settings.order.is_random() { LONG_RUN } else { LONG_RUN_SURE };
    let runs: Vec<u64> = (0..long_runs).collect();
    let long_bench = |contacts| Bench::new(settings.order, contacts, settings.flaw);
    let benches = (long_bench(long_contacts)?, long_bench(long_contacts / 2)?);
    let long = side_by_side(&runs, watch, |&run| {
        let (whole, half) = (benches.0.long_run(settings.seed, run), benches.1.long_run(settings.seed, run));
        // The contribution of the ends to q is inversely proportional to the length.
        Ok::<_, Error>((2.0 * whole.0 - half.0, whole.1))
    })?;
    let mean_at = |sweep: usize| long.iter().map(|(_, curve)| curve[sweep]).sum::<f64>() / long.len() as f64;
    Ok(OrderResult {
        experiment: "order",
        settings: settings.clone(),
        predicted: PredictedOrder { q: theory.q_first_sweep(), q_long_run: theory.q() },
        measured: MeasuredOrder {
            q: mean(first.iter().map(|first| first.q).collect()),
            q_long_run: mean(long.iter().map(|(q, _)| *q).collect()),
            asymmetry: if both > 0.0 {
                Estimate { value: asymmetry.value / both, error: asymmetry.error / both }
            } else {
                exact(0.0)
            },
        },
        weights: (0..DISTANCES.min(settings.contacts as usize / 2)).map(weight).collect(),
        long_run_contacts: long_contacts,
        relaxation: (0..long[0].1.len()).map(mean_at).collect(),
    })
}

/// What a first sweep does: q, the weights of both sides together, and what goes away from the wall less what goes towards it.
struct FirstSweep {
    q: f64,
    weights: Vec<f64>,
    asymmetry: f64,
}

impl Bench {
    /// From one sweep each.
    fn first_sweep(&self, seed: u64, sample: u64) -> FirstSweep {
        let contacts = self.from_wall.len();
        let margin = MARGIN.min(contacts / 4);
        // Relaxing alone, a contact between two grains of mass 1 that close with speed u takes the impulse u/2. Small, so
        // that nothing opens.
        let closing = 1e-3;
        let all = self.sweep(seed, sample, |_| closing);
        let inner = &all[margin..contacts - margin];
        let q = inner.iter().sum::<f64>() / inner.len() as f64 / closing;
        let probes: Vec<usize> = (contacts / 2 % APART..contacts).step_by(APART).collect();
        let probes = if probes.len() > 2 { &probes[1..probes.len() - 1] } else { &[contacts / 2] };
        // Of two colours each has its own weights: the mean counts.
        let shifts = if self.order == Order::Coloured { 2 } else { 1 };
        let norm = (shifts * probes.len()) as f64 * closing;
        let (mut towards, mut away) = ([0.0; DISTANCES], [0.0; DISTANCES]);
        for shift in 0..shifts {
            let probed =
                |contact: usize| contact.checked_sub(shift).is_some_and(|at| probes.binary_search(&at).is_ok());
            let each = self.sweep(seed, sample, |contact| if probed(contact) { closing } else { 0.0 });
            let at = |index: Option<usize>| index.and_then(|index| each.get(index)).copied().unwrap_or(0.0);
            for r in 0..DISTANCES {
                towards[r] += probes.iter().map(|&probe| at((probe + shift).checked_sub(r))).sum::<f64>() / norm;
                away[r] += probes.iter().map(|&probe| at(Some(probe + shift + r))).sum::<f64>() / norm;
            }
        }
        FirstSweep {
            q,
            weights: towards.iter().zip(&away).map(|(towards, away)| towards + away).collect(),
            asymmetry: towards.iter().zip(&away).skip(1).map(|(towards, away)| away - towards).sum(),
        }
    }

    /// q of the slowest mode after many sweeps, and the mode's error after every second sweep.
    fn long_run(&self, seed: u64, run: u64) -> (f64, Vec<f64>) {
        let contacts = self.from_wall.len();
        let phase = standing_wave(1, contacts as f64);
        let lifetime = 1.0 / (theory_order(self.order).q() * phase * phase);
        // By twos: symmetric sweeps come in pairs.
        let pairs = |lifetimes: f64| steps(0.5 * lifetimes * lifetime);
        let (from, to) = (pairs(LIFETIMES.0), pairs(LIFETIMES.0 + LIFETIMES.1));
        let shape: Vec<f64> = (0..contacts).map(|contact| (phase * contact as f64).cos()).collect();
        let mut problem = self.start.clone();
        for (shape, &index) in shape.iter().zip(&self.from_wall) {
            problem.rows[index].impulse.normal = 1.0 + 0.1 * shape;
        }
        let mut solver = self.sweeps(2);
        let mut curve = vec![1.0];
        for pair in 0..to as u64 {
            solver.solve(&mut problem, Seed(seed), (run << 32) + pair);
            let part = |(shape, &index): (&f64, &usize)| shape * (problem.rows[index].impulse.normal - 1.0);
            // The mirror's contact counts half.
            let sum: f64 = shape.iter().zip(&self.from_wall).map(part).sum();
            let wall = 0.5 * (problem.rows[self.from_wall[0]].impulse.normal - 1.0);
            curve.push((sum - wall) / (0.05 * contacts as f64));
        }
        let per_sweep = (curve[to] / curve[from]).ln() / (2.0 * (to - from) as f64);
        // ρ = 1 − 2q(1 − cos kd).
        ((1.0 - per_sweep.exp()) / (2.0 * (1.0 - phase.cos())), curve)
    }
}
