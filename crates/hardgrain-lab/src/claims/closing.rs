//! What the paper adds in passing: a convergence criterion, exact forces, and softness on purpose.

use super::claim::{Comparison, quantity};
use super::depth::{CheckSettings, TopicResult};
use crate::estimate::{Oscillation, exact};
use crate::line::row;
use crate::settings::Error;
use crate::softness::{self, SoftnessResult};
use crate::stopping::{self, StoppingResult, StoppingRow};
use crate::watch::Progress;
use hardgrain::{ContactDynamics, Engine, Part, Pooling};
use hardgrain_analysis::Estimate;

/// Chains with a tolerance, with exact forces, and what springs cost.
#[derive(Clone, Debug)]
pub struct Closing {
    /// With a tolerance.
    pub stopping: StoppingResult,
    /// The place of the last grain with exact forces, step by step.
    pub exact: Vec<f64>,
    /// What springs cost.
    pub softness: SoftnessResult,
}

pub(super) fn check(asked: &CheckSettings, watch: &dyn Progress) -> TopicResult<Closing> {
    let stopping = stopping::run(&asked.sampling([4, 10, 50]), watch)?;
    let exact = exact_chain()?;
    let softness = softness::run(&asked.sampling([20, 50, 200]), watch)?;
    let checks = vec![pitch(&stopping), fading(&stopping), limit(&exact), cost(&softness)];
    Ok((checks, Closing { stopping, exact: exact.places, softness }))
}

fn name(what: &str, row: &StoppingRow) -> String {
    format!("{what} at the residual {:e}, {:.1} sweeps a step in the mean", row.tolerance, row.sweeps[0])
}

fn pitch(result: &StoppingResult) -> Vec<Comparison> {
    let check = |row: &StoppingRow| {
        let predicted = row.predicted.omega.unwrap_or(f64::NAN);
        let ratio = Estimate { value: row.omega.value / predicted, error: row.omega.error / predicted };
        quantity(name("ω over that of the mean number of sweeps", row))
            .equals(1.0, ratio, 0.5)
            .or("the pitch has nothing to do with the sweeps")
    };
    result.rows.iter().map(check).collect()
}

fn fading(result: &StoppingResult) -> Vec<Comparison> {
    let idle = 100.0 * result.rows.iter().map(|row| row.idle).fold(f64::INFINITY, f64::min);
    let otherwise = format!(
        "the chain swings on and on, as high as the tolerance lets it: the residual of a small wave passes, and in {idle:.0} % of \
         the steps or more there is one sweep or none"
    );
    let check = |row: &StoppingRow| {
        quantity(name("what is left of the swing after 1000 steps", row))
            .is_near(row.kept_predicted, row.kept, 0.5)
            .or(&otherwise)
    };
    result.rows.iter().map(check).collect()
}

/// The chain of the paper with exact forces.
struct Exact {
    places: Vec<f64>,
    // The largest speed of a grain after the impact, and how far the load on the wall is off.
    speed: f64,
    load: f64,
}

fn exact_chain() -> Result<Exact, Error> {
    let force = 0.05;
    let mut packing = row(50, 1.0, 0.0, force);
    let last = packing.grains.len() - 1;
    let mut engine = ContactDynamics::new(1.0, Pooling);
    let mut exact = Exact { places: vec![packing.grains[last].position.0[0]], speed: 0.0, load: 0.0 };
    // In the step after the one that ends the gap the row has stopped.
    let mut touched = 0;
    for _ in 0..2000 {
        engine.step(&mut packing)?;
        exact.places.push(packing.grains[last].position.0[0]);
        touched += u32::from(packing.load_on(Part::Wall(0)) > 0.0);
        if touched > 1 {
            let speed = packing.grains.iter().fold(0.0, |most: f64, grain| most.max(grain.velocity.0[0].abs()));
            exact.speed = exact.speed.max(speed);
        }
        if touched > 2 {
            exact.load = exact.load.max((packing.load_on(Part::Wall(0)) / force - 1.0).abs());
        }
    }
    exact.load = if touched > 2 { exact.load } else { f64::INFINITY };
    Ok(exact)
}

fn limit(exact: &Exact) -> Vec<Comparison> {
    vec![
        quantity("largest speed of a grain in the steps after the impact, in d/h")
            .vanishes(exact.speed, 1e-12)
            .or("the chain goes on moving"),
        quantity("relative error of the load on the wall in any later step")
            .vanishes(exact.load, 1e-10)
            .or("the load does not arrive within a step"),
    ]
}

fn cost(result: &SoftnessResult) -> Vec<Comparison> {
    let ratio = |row: &softness::SoftnessRow| f64::from(row.right) / f64::from(row.sweeps);
    let least = result.rows.iter().map(ratio).fold(f64::INFINITY, f64::min);
    let worst = |of: fn(&Oscillation<Estimate>) -> Option<Estimate>| {
        let each = result.rows.iter().map(|row| of(&row.rigid_off).unwrap_or(exact(f64::INFINITY)));
        each.max_by(|a, b| a.value.total_cmp(&b.value))
    };
    vec![
        quantity("updates of soft contacts, by explicit steps, over updates of rigid ones for the same springs: the least of all springs").is_at_least(1.0, least)
        .or("soft grains are cheaper"),
        quantity("largest relative error of ω of the rigid rows").vanishes(worst(|off| off.omega), 0.01).or("they are other springs"),
        quantity("largest relative error of τ of the rigid rows").vanishes(worst(|off| off.tau), 0.03).or("they are other springs"),
        quantity("restitution of the bounciest grains that can be imitated").is_at_least(0.5, result.most_restitution).limit(
            "only strongly damped springs can be had, γ ≥ 0.89 √(mκ); grains that bounce more than this are left to molecular \
             dynamics",
        ),
    ]
}
