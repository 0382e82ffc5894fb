//! The chain of rigid grains beside one of soft grains.

use super::claim::{Comparison, Reading};
use super::depth::{CheckSettings, TopicResult};
use crate::estimate::{exponent, mean};
use crate::loads;
use crate::settings::{Error, seeds};
use crate::soft::{self, SoftResult, SoftSettings};
use crate::watch::{Watch, side_by_side};
use hardgrain_analysis::Estimate;

/// Loads, over the paper's.
const LOADS: [f64; 4] = [0.25, 0.5, 1.0, 2.0];

pub(super) fn check(asked: &CheckSettings, watch: &dyn Watch) -> TopicResult<Option<SoftResult>> {
    let seeds = asked.depth.of([6, 20, 100]);
    let cycles = asked.depth.of([2, 5, 5]);
    let settings = SoftSettings { seeds, cycles, seed: asked.seed, flaw: asked.flaw, ..SoftSettings::default() };
    let result = match soft::run(&settings, watch) {
        Ok(result) => result,
        // A row that is torn apart or goes through the wall is no row of springs.
        Err(Error::Unfinished(_) | Error::Step(_)) => return Ok((lost(), None)),
        Err(problem) => return Err(problem),
    };
    let loads = loads(&settings, watch)?;
    let checks = vec![springs(&result), shrinkage(&result, loads), single(&result), averages(&result)];
    Ok((checks, Some(result)))
}

/// The checks of all four claims if the row did not come to rest.
fn lost() -> Vec<Vec<Comparison>> {
    let check =
        || Comparison::at_least("share of rows that come to rest", 1.0, 0.0).or("the row does not come to rest");
    (0..4).map(|_| vec![check()]).collect()
}

/// The exponent with which the length that is lost grows with the load.
fn loads(settings: &SoftSettings, watch: &dyn Watch) -> Result<Option<Estimate>, Error> {
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
    Reading::of(of(&measured.rigid), measured.rigid_stderr.as_ref().and_then(of))
}

fn springs(result: &SoftResult) -> Vec<Comparison> {
    let measured = &result.measured;
    let soft = |value: Option<f64>| value.unwrap_or(f64::NAN);
    vec![
        Comparison::near(
            "ω h of the rigid row; predicted: of the soft one",
            soft(measured.soft.omega),
            rigid(result, |row| row.omega),
            0.01,
        )
        .or("they ring with different pitches"),
        Comparison::near(
            "τ/h of the rigid row; predicted: of the soft one",
            soft(measured.soft.tau),
            rigid(result, |row| row.tau),
            0.03,
        )
        .or("they fade in different times"),
        Comparison::vanishes(
            "distance of the last grains when the load is eased a little, rms over the amplitude",
            measured.trajectory_difference_eased,
            0.03,
        )
        .or("they move differently"),
        Comparison::vanishes(
            "distance of the last grains after the whole load came at once, rms over the amplitude",
            measured.trajectory_difference,
            0.05,
        )
        .limit(
            "where contacts open and close on the way, which springs that pull do not, the two rows get out of phase",
        ),
    ]
}

fn shrinkage(result: &SoftResult, loads: Option<Estimate>) -> Vec<Comparison> {
    let stiffness = rigid(result, |row| Some(row.stiffness));
    let whole = rigid(result, |row| Some(row.shrinkage));
    let after = rigid(result, |row| Some(row.shrinkage_after_deep_cycles));
    vec![
        Comparison::equal("exponent of the length that is lost in the load", 1.0, loads, 0.1).or("it is not in proportion"),
        Comparison::near("κ h²/m, from what a small change of the load changes", result.stiffness, stiffness, 0.15)
            .or("small changes of the load find another stiffness"),
        Comparison::near("κ h²/m from small changes of the load, beside the lattice", result.lattice.rigid_stiffness, stiffness, 0.02)
            .limit("the lattice does not know this stiffness"),
        Comparison::near("κ h²/m from small changes of the load, more strictly", result.stiffness, stiffness, 0.02)
            .limit("a row of some tens of grains is stiffer than its springs: short waves are carried within a step"),
        Comparison::near("κ h²/m from small changes of the load in a row of soft grains", result.stiffness, result.measured.soft.stiffness, 0.02)
            .or("not even soft grains have this stiffness"),
        Comparison::near("shrinkage under the whole load, in d", result.predicted.shrinkage, whole, 0.05)
            .limit("the first load leaves overlaps that no spring would have"),
        Comparison::near("shrinkage after the load went down and up again, in d", result.predicted.shrinkage, after, 0.05)
            .limit("overlaps are never pushed out, so each time contacts open and close some more are left: the shrinkage is a \
                    history of the load"),
    ]
}

fn single(result: &SoftResult) -> Vec<Comparison> {
    let measured = &result.measured;
    vec![
        Comparison::equal(
            "correlation of overlap and force of single contacts",
            0.0,
            Reading::single(measured.contact_correlation),
            0.15,
        )
        .or("overlaps and forces of single contacts go together"),
        Comparison::at_least(
            "scatter of the overlaps of contacts that carry the same force, over the mean",
            0.2,
            rigid(result, |row| Some(row.overlap_spread)),
        )
        .or("equal forces go with equal overlaps"),
    ]
}

fn averages(result: &SoftResult) -> Vec<Comparison> {
    let rigid = result.measured.rigid.mean_correlation;
    vec![
        Comparison::at_least(
            "correlation of mean overlap and mean force while the row rings",
            0.95,
            Reading::single(Some(rigid)),
        )
        .or("not even on average do they go together"),
        Comparison::at_least(
            "correlation of mean overlap and mean force in a row of soft grains",
            0.95,
            result.measured.soft.mean_correlation,
        )
        .limit("the measure does not know a spring"),
    ]
}
