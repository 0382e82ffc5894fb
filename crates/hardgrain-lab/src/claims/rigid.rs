//! What rigidity costs: sweeps against the size of a system, on the line, in the plane and in space.

use super::claim::{Comparison, Reading, quantity};
use super::depth::{CheckSettings, TopicResult};
use crate::cache::PackingCache;
use crate::conditions::{self, Condition, ConditionResult};
use crate::counterpart::Counterpart;
use crate::estimate::exponent;
use crate::pulse;
use crate::rigid_limit::{self, RigidLimitResult, RigidLimitSettings};
use crate::settings::{Error, Sampling};
use crate::watch::{Progress, side_by_side};
use hardgrain::Plane;
use hardgrain_analysis::Estimate;
use hardgrain_theory::SweepOrder;
use hardgrain_theory::rigidity;

/// Sizes on the line, in the plane and in space; conditions; and what soft grains take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// By dimension, from 1 on.
    pub dimensions: [RigidLimitResult; 3],
    /// The three conditions, along a chain.
    pub conditions: ConditionResult,
    /// Soft packings of discs: grains, updates of contacts in the time of a rigid step.
    pub soft: Vec<(f64, Estimate)>,
}

/// Soft packings have the springs of this number of sweeps.
const SWEEPS: u32 = 40;

fn settings(asked: &CheckSettings, dimension: u32) -> RigidLimitSettings {
    let sizes = match dimension {
        1 => asked.depth.choose([vec![20, 40, 80], vec![25, 50, 100, 200], vec![25, 50, 100, 200, 400]]),
        2 => asked.depth.choose([vec![60, 120, 240], vec![125, 250, 500], vec![125, 250, 500, 1000]]),
        _ => asked.depth.choose([vec![100, 200, 400], vec![125, 250, 500], vec![125, 250, 500, 1000]]),
    };
    let packings = match dimension {
        1 => asked.depth.choose([3, 5, 20]),
        2 => asked.depth.choose([8, 8, 20]),
        _ => asked.depth.choose([6, 6, 10]),
    };
    RigidLimitSettings { dimension, sizes, packings, seed: asked.seed, ..RigidLimitSettings::default() }
}

pub(super) fn check(asked: &CheckSettings, cache: &PackingCache, watch: &dyn Progress) -> TopicResult<Limits> {
    let of = |dimension| rigid_limit::run(&settings(asked, dimension), cache, watch);
    let dimensions = [of(1)?, of(2)?, of(3)?];
    let lengths = asked.depth.choose([vec![10, 20, 40], vec![10, 20, 40, 80], vec![10, 20, 40, 80, 160]]);
    // These do not know flaws.
    let sampling = |seeds| Sampling { flaw: None, ..asked.sampling(seeds) };
    let sound = pulse::run(&sampling([6, 10, 100]), watch)?;
    let conditions = conditions::run(&lengths, &sampling([10, 20, 100]), &sound, watch)?;
    let soft = soft_updates(&settings(asked, 2), cache, watch)?;
    let checks = vec![
        sweeps(&dimensions[0], 0.1),
        sweeps(&dimensions[1], 0.25),
        sweeps(&dimensions[2], 0.5),
        three(&conditions),
        work(&dimensions[1], 0.2),
        work(&dimensions[2], 0.2),
        vec![
            quantity("exponent of the updates of soft contacts in n")
                .equals(1.0, exponent(soft.iter().copied()), 0.1)
                .or("it grows in another way"),
        ],
    ];
    Ok((checks, Limits { dimensions, conditions, soft }))
}

/// Updates of soft contacts in the time of a rigid step, in the packings of a size.
fn soft_updates(
    settings: &RigidLimitSettings,
    cache: &PackingCache,
    watch: &dyn Progress,
) -> Result<Vec<(f64, Estimate)>, Error> {
    let each = |&grains: &u32| {
        let recipes = settings.packing(grains, settings.seed).several(settings.packings);
        let updates = recipes.into_iter().map(|recipe| {
            let packing = cache.packing::<Plane>(&recipe, watch)?.packing;
            Ok(f64::from(Counterpart::new(&packing, SweepOrder::RandomSweep, SWEEPS).substeps)
                * packing.memory.len() as f64)
        });
        let updates = updates.collect::<Result<Vec<f64>, Error>>()?;
        Ok((f64::from(grains), Estimate::mean(&updates).expect("one packing at least")))
    };
    side_by_side(&settings.sizes, watch, each)
}

fn sweeps(result: &RigidLimitResult, tolerance: f64) -> Vec<Comparison> {
    let exponent = |name: &str, found| quantity(name).equals(2.0, found, tolerance);
    let sticking = exponent("exponent of the sweeps in L, no contact slides", result.sticking.length)
        .or("sweeps grow in another way");
    let sliding = exponent("exponent of the sweeps in L, friction 0.05", result.measured.length).limit(
        "where contacts slide on the way to the answer it takes several times as many sweeps, and they grow faster",
    );
    if result.settings.dimension > 1 { vec![sticking, sliding] } else { vec![sticking] }
}

fn work(result: &RigidLimitResult, tolerance: f64) -> Vec<Comparison> {
    let predicted = rigidity::cost_exponent(result.settings.dimension);
    let law = |name: &str, sweeps: fn(&rigid_limit::SizeRow) -> Estimate| {
        let updates = exponent(result.rows.iter().map(|row| (f64::from(row.grains), row.updates(sweeps(row)))));
        quantity(name).equals(predicted, updates, tolerance)
    };
    vec![
        law("exponent of the contact updates in n, no contact slides", |row| row.sticking)
            .or("the work grows in another way"),
        law("exponent of the contact updates in n, friction 0.05", |row| row.sweeps)
            .limit("where contacts slide it grows faster"),
    ]
}

/// By which share each condition may be off its prediction: the paper's reach is one of scale.
const SCALES: [f64; 3] = [0.15, 0.1, 0.1];

fn three(result: &ConditionResult) -> Vec<Comparison> {
    let names = ["forces reach the wall", "sound does within a step", "the longest wave is critical"];
    let mut checks = Vec::new();
    for ((name, exponent), index) in names.iter().zip(result.exponents).zip(0..) {
        checks.push(
            quantity(format!("exponent in L of the sweeps until {name}"))
                .equals(2.0, exponent, 0.1)
                .or("one of the conditions grows in another way"),
        );
        checks.extend(result.rows.last().map(|row| {
            let Condition { predicted, measured } = row.conditions[index];
            quantity(format!("sweeps until {name}, {} grains", row.length))
                .is_near(predicted, measured, SCALES[index])
                .or("their number is another one")
        }));
    }
    let factors = result.rows.iter().map(|row| {
        let all = row.conditions.map(|condition| condition.measured.value);
        all.into_iter().fold(0.0_f64, f64::max) / all.into_iter().fold(f64::MAX, f64::min)
    });
    let factor = Reading::single(factors.fold(0.0, f64::max));
    checks.push(
        quantity("the largest of the three numbers of sweeps over the smallest")
            .is_at_most(2.0, factor)
            .or("they differ widely"),
    );
    checks
}
