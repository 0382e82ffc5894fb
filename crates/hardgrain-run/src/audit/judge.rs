//! Classifies the values at three levels: converged, artefact, chance, or unexplained.
//!
//! Sweeps that stop early leave the fraction s = e^(−x) of a change undone, where x is proportional to their number, and the
//! packing yields by a/(1/s − 1) like a spring: for few sweeps by a/x. With f₀, f₁, f₂ at N, 2N, 4N sweeps and f = f* + a/(e^x − 1)
//!
//! ```text
//! (f₀ − f₁)/(f₁ − f₂) = u + 1/u      u = e^(−x) at N sweeps
//! f* = f₂ − u² (f₁ − f₂)             for small x Richardson's 2 f₂ − f₁
//! ```

use super::plan::{LEVELS, RefinedBy};
use super::statistics::Statistic;
use hardgrain_analysis::{Estimate, jackknife};
use serde::Serialize;

/// Relative difference between levels below which a value is converged,
const SAME: f64 = 1e-3;
/// or fraction of the error over seeds at the last level.
const WITHIN: f64 = 0.1;

/// Tolerance on the exponent of the continuum theory, for the dispersion of the lattice.
const NEAR: f64 = 0.12;

/// Range of (f₀ − f₁)/(f₁ − f₂) of an artefact: 2 in the continuum theory, more where a step resolves much of a change.
const RATIOS: [f64; 2] = [1.5, 4.0];

/// A mean below this fraction of the largest value counts as zero.
const NOTHING: f64 = 1e-9;

/// A change below this fraction of the largest value is rounding.
const ROUNDING: f64 = 1e-13;

/// Runs at different levels diverge by chance if their mean square distance and that between seeds differ by less than the
/// inverse of this factor.
const CHANCE: f64 = 0.1;

/// The class of a value.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum Class {
    /// More sweeps or shorter steps do not change it: physics.
    Converged,
    /// It changes as the theory of sweeps that stop early predicts, or with the first power of the step.
    Artefact,
    /// It differs between seeds as much as between levels.
    #[serde(rename = "undecided-by-chance")]
    Chance,
    /// It changes in another way.
    Unexplained,
}

/// The judgement of a value.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Judgement {
    /// Means over seeds, at each level.
    pub values: [Estimate; LEVELS],
    /// Change from the first to the last level, over seeds, each from its own state.
    pub difference: Estimate,
    /// The exponent of 2 of its growth from level to level.
    pub exponent: Option<Estimate>,
    /// The exponent of an artefact in theory.
    pub expected: Option<f64>,
    /// Its class.
    pub class: Class,
    /// Its extrapolated limit, whose error includes extrapolation and seeds.
    pub limit: Option<Estimate>,
}

/// Mean square distances between trajectories.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(super) struct Divergence {
    /// Between the two finest levels.
    pub levels: f64,
    /// The same for their mean over seeds: equal to `levels` if all seeds diverge alike, `levels` / `count` if by chance.
    pub common: f64,
    /// Between seeds, at the finest level.
    pub seeds: f64,
    /// Number of seeds.
    pub count: usize,
}

impl Divergence {
    /// Whether levels differ as seeds do.
    pub(super) fn is_chance(self) -> bool {
        let Self { levels, common, seeds, count } = self;
        // Half way between fully common and fully random.
        let by_chance = common < 0.5 * (1.0 + 1.0 / count as f64) * levels;
        by_chance && levels > CHANCE * seeds && seeds > CHANCE * levels
    }
}

/// Judges the values of all seeds, of which there is at least one. `largest` is the largest value of the column in any run.
pub(super) fn judge(what: Statistic, by: RefinedBy, all: &[[f64; LEVELS]], largest: f64) -> Option<Judgement> {
    let at = |level: usize| all.iter().map(|own| own[level]).collect::<Vec<_>>();
    let values = [Estimate::mean(&at(0))?, Estimate::mean(&at(1))?, Estimate::mean(&at(2))?];
    let differences: Vec<f64> = all.iter().map(|own| own[2] - own[0]).collect();
    let difference = Estimate::mean(&differences)?;
    let exponent = exponent(all);
    let expected = expected(what, by);
    let least = match what {
        Statistic::Mean => NOTHING * largest,
        Statistic::Change => ROUNDING * largest,
        Statistic::Frequency | Statistic::DampingTime => 0.0,
    };
    let size = values.iter().fold(0.0, |size: f64, value| size.max(value.value.abs()));
    let same = (SAME * size).max(WITHIN * known_error(values[LEVELS - 1]).unwrap_or(0.0)).max(least);
    let class = if difference.value.abs() + known_error(difference).unwrap_or(0.0) <= same {
        Class::Converged
    } else {
        class(what, all, difference, (exponent, expected))
    };
    let limit = match (what.rings(), class) {
        (true, Class::Converged) | (false, _) => Some(limit(by, all)),
        (true, _) => None,
    };
    Some(Judgement { values, difference, exponent, expected, class, limit })
}

/// The standard error; nothing where only one seed was run.
fn known_error(estimate: Estimate) -> Option<f64> {
    Some(estimate.error).filter(|error| error.is_finite())
}

fn class(
    what: Statistic,
    all: &[[f64; LEVELS]],
    difference: Estimate,
    (exponent, expected): (Option<Estimate>, Option<f64>),
) -> Class {
    let surely =
        |found: Estimate| known_error(found).is_none_or(|error| found.value.abs() > student(all.len()) * error);
    // Values of one sign are compared by their ratios, otherwise by differences.
    let factors = (what != Statistic::Mean)
        .then(|| exponent.filter(|_| all.iter().flatten().all(|value| value.signum() == all[0][0].signum())))
        .flatten();
    // A significant difference of averages stands even where single runs diverge by chance.
    if !surely(factors.unwrap_or(difference)) {
        return Class::Chance;
    }
    let as_expected = match (expected, exponent) {
        (Some(expected), Some(found)) => {
            (found.value - expected).abs() <= NEAR + 2.0 * known_error(found).unwrap_or(0.0).min(NEAR)
        }
        (Some(_), None) => false,
        (None, _) => {
            let ratio = ratio(all);
            ratio > RATIOS[0] && ratio < RATIOS[1]
        }
    };
    if as_expected { Class::Artefact } else { Class::Unexplained }
}

/// Scaling of ringing in theory: ω ~ √N_I/h and τ ~ h/N_I.
fn expected(what: Statistic, by: RefinedBy) -> Option<f64> {
    match (what, by) {
        (Statistic::Frequency, RefinedBy::Sweeps) => Some(0.5),
        (Statistic::Frequency, RefinedBy::Step) => Some(1.0),
        (Statistic::DampingTime, _) => Some(-1.0),
        (Statistic::Mean | Statistic::Change, _) => None,
    }
}

fn exponent(all: &[[f64; LEVELS]]) -> Option<Estimate> {
    let power = |own: &[f64; LEVELS]| Some(0.5 * (own[2] / own[0]).log2()).filter(|power| power.is_finite());
    Estimate::mean(&all.iter().map(power).collect::<Option<Vec<_>>>()?)
}

/// (f₀ − f₁)/(f₁ − f₂) of the means.
fn ratio(all: &[[f64; LEVELS]]) -> f64 {
    let [first, second, third] = means(all);
    (first - second) / (second - third)
}

fn means(all: &[[f64; LEVELS]]) -> [f64; LEVELS] {
    std::array::from_fn(|level| all.iter().fold(0.0, |sum, own| sum + own[level]) / all.len() as f64)
}

/// The limit of the values by Richardson extrapolation. The error includes its order, the uncertainty of the ratio, and the
/// jackknife error over seeds.
fn limit(by: RefinedBy, all: &[[f64; LEVELS]]) -> Estimate {
    let [first, second, third] = means(all);
    let plain = 2.0 * third - second;
    let without = |number: usize| [&all[..number], &all[number + 1..]].concat();
    let scatter = |of: &dyn Fn(&[[f64; LEVELS]]) -> f64| {
        if all.len() < 2 { 0.0 } else { jackknife(&(0..all.len()).map(|own| of(&without(own))).collect::<Vec<_>>()) }
    };
    let order = (plain - (2.0 * second - first)).abs();
    if by == RefinedBy::Step {
        let scatter = scatter(&|all| 2.0 * means(all)[2] - means(all)[1]);
        return Estimate { value: plain, error: order + scatter };
    }
    let extrapolated = |ratio: f64| third - left(ratio).powi(2) * (second - third);
    let ratio_error = scatter(&ratio);
    let value = extrapolated(ratio(all));
    let extrapolation_error = (value - plain).abs().max((extrapolated(ratio(all) + ratio_error) - plain).abs());
    let error = extrapolation_error.max(order)
        + scatter(&|all| means(all)[2] - left(ratio(all)).powi(2) * (means(all)[1] - means(all)[2]));
    Estimate { value, error }
}

/// u of u + 1/u = ratio, not above 1.
fn left(ratio: f64) -> f64 {
    if ratio > 2.0 && ratio.is_finite() {
        let half = 0.5 * ratio;
        half - (half * half - 1.0).sqrt()
    } else {
        1.0
    }
}

/// The 95 % quantile of Student's t for `count` values, two-sided.
fn student(count: usize) -> f64 {
    // From two values on; with more than ten it falls slowly.
    const QUANTILES: [f64; 9] = [12.71, 4.30, 3.18, 2.78, 2.57, 2.45, 2.36, 2.31, 2.26];
    QUANTILES.get(count.saturating_sub(2)).copied().unwrap_or(2.2)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A yielding packing at three levels, with its rigid limit.
    fn yielding(x: f64, size: f64, limit: f64) -> [f64; LEVELS] {
        std::array::from_fn(|level| limit + size / (x * f64::from(1 << level)).exp_m1())
    }

    #[test]
    fn the_limit_of_a_yielding_packing_is_found_within_its_error() {
        for (x, noise) in [(0.02, 0.0), (0.3, 0.0), (1.0, 0.0), (0.1, 1e-3), (0.3, 1e-2)] {
            let all: Vec<_> = (0..4)
                .map(|seed| {
                    let size = 1.0 + 0.1 * f64::from(seed);
                    let mut own = yielding(x, size, 5.0);
                    own.iter_mut().zip([0.3, -1.0, 0.6]).for_each(|(value, chance)| {
                        *value += noise * chance * (f64::from(seed) - 1.3) * size / x;
                    });
                    own
                })
                .collect();
            let judged = judge(Statistic::Change, RefinedBy::Sweeps, &all, 0.0).unwrap();
            let Estimate { value, error } = judged.limit.unwrap();
            assert!((value - 5.0).abs() <= error + 1e-9, "{x} {noise}: {value} {error:?}");
            let last = judged.values[1].value - judged.values[2].value;
            assert!(error < 2.0 * last, "{x} {noise}: {error:?}, and the last level changed {last}");
            assert_eq!(judged.class, Class::Artefact, "{x} {noise}");
        }
    }

    #[test]
    fn classes() {
        let class = |what, all: &[[f64; LEVELS]]| judge(what, RefinedBy::Sweeps, all, 0.0).unwrap().class;
        assert_eq!(class(Statistic::Mean, &[[1.0; 3]; 3]), Class::Converged);
        assert_eq!(class(Statistic::Mean, &[[0.0; 3]]), Class::Converged);
        assert_eq!(class(Statistic::Mean, &[[1.0, 1.2, 0.9], [1.1, 0.8, 1.3], [0.9, 1.0, 1.0]]), Class::Chance);
        assert_eq!(
            class(Statistic::Mean, &[[1.01, 1.0, 1.0], [2.02, 2.0, 2.0]]),
            Class::Converged,
            "seeds scatter much more"
        );
        assert_eq!(class(Statistic::Frequency, &[[1.0, 1.42, 1.98], [1.0, 1.5, 3.0]]), Class::Chance, "two seeds");
        assert_eq!(class(Statistic::Frequency, &[[1.0, 1.42, 1.98]]), Class::Artefact);
        assert_eq!(class(Statistic::Frequency, &[[1.0, 1.0, 1.0001]]), Class::Converged);
        assert_eq!(class(Statistic::Frequency, &[[1.0, 1.1, 1.2]]), Class::Unexplained);
        assert_eq!(class(Statistic::DampingTime, &[[8.0, 4.1, 2.0]]), Class::Artefact);
        assert_eq!(class(Statistic::Change, &[[8.0, 4.0, 2.0]]), Class::Artefact);
        assert_eq!(class(Statistic::Change, &[[1.0, 2.0, 4.0]]), Class::Unexplained);
        assert_eq!(
            judge(Statistic::Mean, RefinedBy::Sweeps, &[[1e-16, 1e-20, 1e-30]], 1.0).unwrap().class,
            Class::Converged
        );
        let apart = |common, seeds| Divergence { levels: 1.0, common, seeds, count: 4 }.is_chance();
        assert!(apart(0.3, 1.5));
        assert!(!apart(0.9, 1.5), "with all seeds in the same way");
        assert!(!apart(0.3, 15.0) && !apart(0.3, 0.05), "farther apart with other seeds, or much less");
    }

    #[test]
    fn errors_of_the_step_go_with_its_first_power() {
        let judged = judge(Statistic::Mean, RefinedBy::Step, &[[3.4, 3.21, 3.1025]], 0.0).unwrap();
        assert_eq!(judged.class, Class::Artefact);
        let Estimate { value, error } = judged.limit.unwrap();
        assert!((value - 3.0).abs() <= error, "{value} {error:?}");
    }
}
