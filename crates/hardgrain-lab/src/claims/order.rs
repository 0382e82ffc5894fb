//! How a sweep spreads forces.

use super::claim::{Comparison, quantity};
use super::depth::{CheckSettings, TopicResult};
use crate::order::{self, OrderResult, OrderSettings};
use crate::spreading::{self, SpreadingResult};
use crate::watch::Progress;
use hardgrain::Order;

/// Orders, and a disturbance that spreads.
#[derive(Clone, Debug)]
pub struct Orders {
    /// All contacts at once.
    pub parallel: OrderResult,
    /// The paper's order.
    pub random: OrderResult,
    /// A fixed order, along the row.
    pub forward: OrderResult,
    /// A disturbance, in the paper's order.
    pub spreading: SpreadingResult,
}

/// Relative tolerance of the weights, by distance: at larger distances there are fewer samples.
const SHARES: [f64; 6] = [1e-9, 0.03, 0.05, 0.1, 0.25, 0.5];

pub(super) fn check(asked: &CheckSettings, watch: &dyn Progress) -> TopicResult<Orders> {
    let samples = asked.depth.choose([1000, 4000, 40_000]);
    let of =
        |order: Order| OrderSettings { order, samples, seed: asked.seed, flaw: asked.flaw, ..OrderSettings::default() };
    let [parallel, random, forward] =
        [Order::Parallel, Order::RandomSweep, Order::Forward].map(|order| order::run(&of(order), watch));
    let (parallel, random, forward) = (parallel?, random?, forward?);
    let spreading = spreading::run(&asked.sampling([10, 40, 200]), watch)?;
    let checks = vec![
        q(&parallel, [1e-9, 0.002]),
        q(&random, [0.005, 0.01]),
        weights(&random),
        vec![
            quantity("to one side less to the other, of all that moved: random order")
                .equals(0.0, random.measured.asymmetry, 0.02)
                .or("the random order prefers a side"),
            quantity("to one side less to the other, of all that moved: fixed order")
                .is_at_least(0.9, forward.measured.asymmetry.value.abs())
                .limit("a fixed order has no bias either"),
        ],
        diffusion(&spreading),
    ];
    Ok((checks, Orders { parallel, random, forward, spreading }))
}

fn q(result: &OrderResult, [first, long]: [f64; 2]) -> Vec<Comparison> {
    let (predicted, measured) = (&result.predicted, &result.measured);
    vec![
        quantity("q of the first sweep")
            .equals(predicted.q, measured.q, first)
            .or("the first sweep spreads forces differently"),
        quantity("q after many sweeps")
            .equals(predicted.q_long_run, measured.q_long_run, long)
            .or("in the long run forces spread differently"),
    ]
}

fn weights(result: &OrderResult) -> Vec<Comparison> {
    let check = |weight: &order::SweepWeight| {
        let name = format!("weight of distance {}", weight.distance);
        let share = SHARES.get(weight.distance as usize).copied().unwrap_or(1.0);
        quantity(name).is_near(weight.predicted, weight.measured, share).or("the weight is another one")
    };
    // The nearest contact first: it carries most.
    result.weights[1..].iter().chain(&result.weights[..1]).map(check).collect()
}

fn diffusion(result: &SpreadingResult) -> Vec<Comparison> {
    let mut checks = vec![
        quantity("exponent of the width in N").equals(0.5, result.exponent, 0.01).or("it does not spread like heat"),
    ];
    checks.extend(result.rows.iter().map(|row| {
        let name = format!("mean square of the distance after {} sweeps, in d²", row.sweeps);
        quantity(name).is_near(row.predicted, row.measured, 0.03).or("the width is not that of q")
    }));
    checks
}
