//! The chain of rigid grains beside one of soft grains.

use super::claim::{Comparison, Reading, quantity};
use super::depth::{CheckSettings, TopicResult, finished};
use crate::estimate::{exponent, mean};
use crate::loads;
use crate::settings::{Error, seeds};
use crate::soft::{self, SoftResult, SoftSettings};
use crate::watch::{Progress, side_by_side};
use hardgrain_analysis::Estimate;

/// Loads, over the paper's.
const LOADS: [f64; 4] = [0.25, 0.5, 1.0, 2.0];

pub(super) fn check(asked: &CheckSettings, watch: &dyn Progress) -> TopicResult<Option<SoftResult>> {
    let seeds = asked.depth.choose([6, 20, 100]);
    let cycles = asked.depth.choose([2, 5, 5]);
    let settings = SoftSettings { seeds, cycles, seed: asked.seed, flaw: asked.flaw, ..SoftSettings::default() };
    let Some(result) = finished(soft::run(&settings, watch))? else { return Ok((lost(), None)) };
    let loads = loads(&settings, watch)?;
    let checks = vec![springs(&result), shrinkage(&result, loads), single(&result), averages(&result)];
    Ok((checks, Some(result)))
}

/// The checks of all four claims if the row did not come to rest.
fn lost() -> Vec<Vec<Comparison>> {
    let check =
        || quantity("share of rows that come to rest").is_at_least(1.0, 0.0).or("the row does not come to rest");
    (0..4).map(|_| vec![check()]).collect()
}

/// The exponent with which the length that is lost grows with the load.
fn loads(settings: &SoftSettings, watch: &dyn Progress) -> Result<Option<Estimate>, Error> {
    let seeds = seeds(settings.seed, settings.seeds);
    let point = |share: f64| {
        let settings = SoftSettings { force: share * settings.force, ..settings.clone() };
        let found = side_by_side(&seeds, watch, |&seed| loads::shrinkage(&settings, seed, watch))?;
        Ok((share, mean(found).expect("two seeds at least")))
    };
    Ok(exponent(LOADS.into_iter().map(point).collect::<Result<Vec<_>, Error>>()?))
}

/// A number of the rigid rows, with its error.
fn rigid(result: &SoftResult, of: fn(&soft::RowResponse) -> Option<f64>) -> Reading {
    let measured = &result.measured;
    Reading::new(of(&measured.rigid), measured.rigid_stderr.as_ref().and_then(of))
}

fn springs(result: &SoftResult) -> Vec<Comparison> {
    let measured = &result.measured;
    let soft = |value: Option<f64>| value.unwrap_or(f64::NAN);
    vec![
        quantity("ω h of the rigid row; predicted: of the soft one")
            .is_near(soft(measured.soft.omega), rigid(result, |row| row.omega), 0.01)
            .or("they ring with different pitches"),
        quantity("τ/h of the rigid row; predicted: of the soft one")
            .is_near(soft(measured.soft.tau), rigid(result, |row| row.tau), 0.03)
            .or("they fade in different times"),
        quantity("distance of the last grains when the load is eased a little, rms over the amplitude")
            .vanishes(measured.trajectory_difference_eased, 0.03)
            .or("they move differently"),
        quantity("distance of the last grains after the whole load came at once, rms over the amplitude")
            .vanishes(measured.trajectory_difference, 0.05)
            .limit("where contacts open and close on the way, which springs that pull do not, the two rows get out of phase"),
    ]
}

fn shrinkage(result: &SoftResult, loads: Option<Estimate>) -> Vec<Comparison> {
    let stiffness = rigid(result, |row| Some(row.stiffness));
    let whole = rigid(result, |row| Some(row.shrinkage));
    let after = rigid(result, |row| Some(row.shrinkage_after_deep_cycles));
    vec![
        quantity("exponent of the length that is lost in the load").equals(1.0, loads, 0.1).or("it is not in proportion"),
        quantity("κ h²/m, from what a small change of the load changes").is_near(result.stiffness, stiffness, 0.15)
            .or("small changes of the load find another stiffness"),
        quantity("κ h²/m from small changes of the load, beside the lattice").is_near(result.lattice.rigid_stiffness, stiffness, 0.02)
            .limit("the lattice does not know this stiffness"),
        quantity("κ h²/m from small changes of the load, more strictly").is_near(result.stiffness, stiffness, 0.02)
            .limit("a row of some tens of grains is stiffer than its springs: short waves are carried within a step"),
        quantity("κ h²/m from small changes of the load in a row of soft grains").is_near(result.stiffness, result.measured.soft.stiffness, 0.02)
            .or("not even soft grains have this stiffness"),
        quantity("shrinkage under the whole load, in d").is_near(result.predicted.shrinkage, whole, 0.05)
            .limit("the first load leaves overlaps that no spring would have"),
        quantity("shrinkage after the load went down and up again, in d").is_near(result.predicted.shrinkage, after, 0.05)
            .limit(
                "overlaps are never pushed out, so each time contacts open and close some more are left: the shrinkage is \
                 a history of the load",
            ),
    ]
}

fn single(result: &SoftResult) -> Vec<Comparison> {
    let measured = &result.measured;
    vec![
        quantity("correlation of overlap and force of single contacts")
            .equals(0.0, Reading::single(measured.contact_correlation), 0.15)
            .or("overlaps and forces of single contacts go together"),
        quantity("scatter of the overlaps of contacts that carry the same force, over the mean")
            .is_at_least(0.2, rigid(result, |row| Some(row.overlap_spread)))
            .or("equal forces go with equal overlaps"),
    ]
}

fn averages(result: &SoftResult) -> Vec<Comparison> {
    let rigid = result.measured.rigid.mean_correlation;
    vec![
        quantity("correlation of mean overlap and mean force while the row rings")
            .is_at_least(0.95, Reading::single(rigid))
            .or("not even on average do they go together"),
        quantity("correlation of mean overlap and mean force in a row of soft grains")
            .is_at_least(0.95, result.measured.soft.mean_correlation)
            .limit("the measure does not know a spring"),
    ]
}
