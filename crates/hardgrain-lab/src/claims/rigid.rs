//! What rigidity costs: sweeps against the size of a system, on the line, in the plane and in space.

use super::claim::{Comparison, Reading, Statement};
use super::{CheckSettings, Evidence, TopicResult};
use crate::cache::PackingCache;
use crate::conditions::{self, ConditionResult, ConditionSettings};
use crate::counterpart::Counterpart;
use crate::pulse::{self, PulseSettings};
use crate::recipe::PackingSettings;
use crate::rigid_limit::{self, RigidLimitResult, RigidLimitSettings};
use crate::settings::Error;
use crate::watch::{Watch, side_by_side};
use hardgrain::Plane;
use hardgrain_analysis::{Estimate, PowerLaw};
use hardgrain_theory::SweepOrder;
use hardgrain_theory::rigidity;

pub(super) const STATEMENTS: [Statement; 7] = [
    Statement {
        id: "rigid-limit-line",
        claim: "A chain of length L needs N_I ~ (L/d)² sweeps to be rigid.",
        section: "V",
    },
    Statement { id: "rigid-limit-plane", claim: "So does a packing of discs.", section: "V" },
    Statement { id: "rigid-limit-space", claim: "And a packing of spheres.", section: "V" },
    Statement {
        id: "three-conditions",
        claim: "That forces reach from end to end, that sound does, and that no wave oscillates, all take N_I ~ (L/d)², the same up \
                to a factor.",
        section: "V",
    },
    Statement { id: "cost-plane", claim: "The work of a rigid step grows as n² in the plane.", section: "V" },
    Statement { id: "cost-space", claim: "And as n^(5/3) in space.", section: "V" },
    Statement { id: "cost-soft", claim: "The work of molecular dynamics grows as n.", section: "V" },
];

/// Sizes on the line, in the plane and in space; conditions; and what soft grains take.
#[derive(Clone, Debug)]
pub struct Limits {
    /// By dimension, from 1 on.
    pub dimensions: [RigidLimitResult; 3],
    /// The three conditions, along a chain.
    pub conditions: ConditionResult,
    /// Soft packings of discs: grains, updates of contacts in the time of a rigid step, standard error.
    pub soft: Vec<(f64, f64, f64)>,
}

/// The springs of so many sweeps are what soft packings have.
const SWEEPS: u32 = 40;

fn settings(asked: &CheckSettings, dimension: u32) -> RigidLimitSettings {
    let sizes = match dimension {
        1 => asked.depth.of([vec![20, 40, 80], vec![25, 50, 100, 200], vec![25, 50, 100, 200, 400]]),
        2 => asked.depth.of([vec![60, 120, 240], vec![125, 250, 500], vec![125, 250, 500, 1000]]),
        _ => asked.depth.of([vec![100, 200, 400], vec![125, 250, 500], vec![125, 250, 500, 1000]]),
    };
    let packings = match dimension {
        1 => asked.depth.of([3, 5, 20]),
        2 => asked.depth.of([8, 8, 20]),
        _ => asked.depth.of([6, 6, 10]),
    };
    RigidLimitSettings { dimension, sizes, packings, seed: asked.seed, ..RigidLimitSettings::default() }
}

pub(super) fn check(asked: &CheckSettings, cache: &PackingCache, watch: &dyn Watch) -> TopicResult {
    let of = |dimension| rigid_limit::run(&settings(asked, dimension), cache, watch);
    let dimensions = [of(1)?, of(2)?, of(3)?];
    let lengths = asked.depth.of([vec![10, 20, 40], vec![10, 20, 40, 80], vec![10, 20, 40, 80, 160]]);
    let seeds = asked.depth.of([10, 20, 100]);
    let sound = PulseSettings { seeds: asked.depth.of([6, 10, 100]), seed: asked.seed, ..PulseSettings::default() };
    let sound = pulse::run(&sound, watch)?;
    let conditions = conditions::run(&ConditionSettings { lengths, seeds, seed: asked.seed }, &sound, watch)?;
    let soft = soft_updates(&settings(asked, 2), cache, watch)?;
    let checks = vec![
        sweeps(&dimensions[0], 0.1),
        sweeps(&dimensions[1], 0.25),
        sweeps(&dimensions[2], 0.5),
        three(&conditions),
        work(&dimensions[1], 0.2),
        work(&dimensions[2], 0.2),
        vec![{
            let law = PowerLaw::fit(&soft).ok();
            let found = Reading::of(law.map(|law| law.exponent), law.map(|law| law.exponent_error));
            Comparison::equal("exponent of the updates of soft contacts in n", 1.0, found, 0.1)
                .or("it grows in another way")
        }],
    ];
    Ok((checks, Evidence::Rigid(Box::new(Limits { dimensions, conditions, soft }))))
}

/// Updates of soft contacts in the time of a rigid step, in the packings of a size.
fn soft_updates(
    settings: &RigidLimitSettings,
    cache: &PackingCache,
    watch: &dyn Watch,
) -> Result<Vec<(f64, f64, f64)>, Error> {
    let each = |&grains: &u32| {
        let first = PackingSettings {
            grains,
            friction: settings.friction,
            seed: settings.seed,
            periodic: true,
            ..PackingSettings::default()
        };
        let updates = first.several(settings.packings).into_iter().map(|recipe| {
            let packing = cache.packing::<Plane>(&recipe, watch)?.packing;
            Ok(f64::from(Counterpart::of(&packing, SweepOrder::RandomSweep, SWEEPS).substeps())
                * packing.memory.len() as f64)
        });
        let mean = Estimate::mean(&updates.collect::<Result<Vec<f64>, Error>>()?).expect("one packing at least");
        Ok((f64::from(grains), mean.value, mean.error))
    };
    side_by_side(&settings.sizes, watch, each)
}

fn sweeps(result: &RigidLimitResult, tolerance: f64) -> Vec<Comparison> {
    let sticking = Reading::of(result.sticking.length_exponent, result.sticking.length_exponent_stderr);
    let sliding = Reading::of(result.measured.length_exponent, result.measured.length_exponent_stderr);
    let mut checks = vec![
        Comparison::equal("exponent of the sweeps in L, no contact slides", 2.0, sticking, tolerance)
            .or("sweeps grow in another way"),
    ];
    if result.settings.dimension > 1 {
        checks.push(Comparison::equal("exponent of the sweeps in L, friction 0.05", 2.0, sliding, tolerance).limit(
            "where contacts slide on the way to the answer it takes several times as many sweeps, and they grow faster",
        ));
    }
    checks
}

fn work(result: &RigidLimitResult, tolerance: f64) -> Vec<Comparison> {
    let predicted = rigidity::cost_exponent(result.settings.dimension);
    let point = |row: &rigid_limit::SizeRow, sweeps: f64, error: Option<f64>| {
        (f64::from(row.grains), row.contacts * sweeps, row.contacts * error.unwrap_or(0.0))
    };
    let law = |of: &dyn Fn(&rigid_limit::SizeRow) -> (f64, f64, f64)| {
        let law = PowerLaw::fit(&result.rows.iter().map(of).collect::<Vec<_>>()).ok();
        Reading::of(law.map(|law| law.exponent), law.map(|law| law.exponent_error))
    };
    let sticking = law(&|row| point(row, row.sticking, row.sticking_stderr));
    let sliding = law(&|row| point(row, row.sweeps, row.sweeps_stderr));
    vec![
        Comparison::equal("exponent of the contact updates in n, no contact slides", predicted, sticking, tolerance)
            .or("the work grows in another way"),
        Comparison::equal("exponent of the contact updates in n, friction 0.05", predicted, sliding, tolerance)
            .limit("where contacts slide it grows faster"),
    ]
}

/// By which share each condition may be off its prediction: the paper's reach is one of scale.
const SCALES: [f64; 3] = [0.15, 0.1, 0.1];

fn three(result: &ConditionResult) -> Vec<Comparison> {
    let names = ["forces reach the wall", "sound does within a step", "the longest wave is critical"];
    let mut checks = Vec::new();
    for ((name, exponent), index) in names.iter().zip(result.exponents).zip(0..) {
        let reading = Reading::of(exponent.map(|law| law.0), exponent.map(|law| law.1));
        checks.push(
            Comparison::equal(&format!("exponent in L of the sweeps until {name}"), 2.0, reading, 0.1)
                .or("one of the conditions grows in another way"),
        );
        if let Some(row) = result.rows.last() {
            let condition = row.all()[index];
            let reading = Reading::of(Some(condition.measured), Some(condition.stderr));
            let quantity = format!("sweeps until {name}, {} grains", row.length);
            checks.push(
                Comparison::near(&quantity, condition.predicted, reading, SCALES[index])
                    .or("their number is another one"),
            );
        }
    }
    let factors = result.rows.iter().map(|row| {
        let all = row.all().map(|condition| condition.measured);
        all.into_iter().fold(0.0_f64, f64::max) / all.into_iter().fold(f64::MAX, f64::min)
    });
    let factor = Reading::single(Some(factors.fold(0.0, f64::max)));
    checks.push(
        Comparison::at_most("the largest of the three numbers of sweeps over the smallest", 2.0, factor)
            .or("they differ widely"),
    );
    checks
}
