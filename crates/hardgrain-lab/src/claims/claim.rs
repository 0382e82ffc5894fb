//! A claim, what it predicts, what was measured, and the verdict that follows from the two and a tolerance.

use crate::number;
use hardgrain_analysis::Estimate;
use serde::{Deserialize, Serialize};

/// A claim in our words.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Statement {
    /// A short name.
    pub id: &'static str,
    /// What is claimed, in a sentence.
    pub claim: &'static str,
    /// Where in the paper; "beyond the paper" if it is ours.
    pub section: &'static str,
}

/// A number that was measured, with its standard error; no value if the quantity did not occur.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Reading {
    /// The number.
    pub value: Option<f64>,
    /// Its standard error: 0 for deterministic values, infinite if it could not be determined, `None` if it was not estimated.
    pub error: Option<f64>,
}

impl Reading {
    /// A number that may be missing and an error that may be unknown.
    pub fn new(value: Option<f64>, error: Option<f64>) -> Self {
        Self { value, error: error.or(Some(f64::INFINITY)) }
    }

    /// A number that scatters, of which only one was taken.
    pub fn single(value: impl Into<Option<f64>>) -> Self {
        Self { value: value.into(), error: None }
    }

    /// The mean of these numbers.
    pub fn mean(values: &[f64]) -> Self {
        Estimate::mean(values).map_or(Self::default(), Self::from)
    }
}

impl From<Estimate> for Reading {
    fn from(estimate: Estimate) -> Self {
        Self { value: Some(estimate.value), error: Some(estimate.error) }
    }
}

impl From<Option<Estimate>> for Reading {
    fn from(estimate: Option<Estimate>) -> Self {
        estimate.map_or(Self::new(None, None), Self::from)
    }
}

impl From<f64> for Reading {
    fn from(value: f64) -> Self {
        Self { value: Some(value), error: Some(0.0) }
    }
}

impl From<Option<f64>> for Reading {
    fn from(value: Option<f64>) -> Self {
        Self { value, error: Some(0.0) }
    }
}

/// How a measured number is to relate to a predicted one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Relation {
    /// Equal, within the tolerance.
    Equal,
    /// Not above it by more than the tolerance.
    AtMost,
    /// Not below it by more than the tolerance.
    AtLeast,
}

/// What a check means for its claim.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Importance {
    /// Without it the claim is refuted.
    Core,
    /// Without it the claim holds with a limit.
    Limit,
}

/// How a check ends.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ComparisonOutcome {
    /// The measurement is as predicted.
    Holds,
    /// It is not, or there was nothing to measure.
    Fails,
    /// It is not known well enough.
    Unknown,
}

/// A measured number beside a predicted one.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Comparison {
    /// The quantity in words, with its unit.
    pub quantity: String,
    /// What is predicted.
    pub predicted: f64,
    /// How the measurement is to relate to it.
    pub relation: Relation,
    /// The measured value; `None` if the quantity did not occur.
    pub measured: Option<f64>,
    /// Its standard error; 0 for deterministic values, `None` if it was not estimated.
    pub uncertainty: Option<f64>,
    /// The tolerated deviation.
    pub tolerance: f64,
    /// What it means for the claim.
    pub weight: Importance,
    /// What it means if it fails, in a sentence.
    pub otherwise: String,
    /// How it ended.
    pub outcome: ComparisonOutcome,
}

/// A deviation larger than this multiple of the standard error is significant.
const RARE: f64 = 2.0;

/// A quantity in words, with its unit; what is expected of it makes it a [`Comparison`].
#[derive(Clone, Debug)]
pub struct Measurand(String);

/// The quantity with this name.
pub fn quantity(name: impl Into<String>) -> Measurand {
    Measurand(name.into())
}

impl Measurand {
    fn compared(self, relation: Relation, predicted: f64, reading: impl Into<Reading>, tolerance: f64) -> Comparison {
        let reading = reading.into();
        let measured = reading.value.filter(|value| value.is_finite());
        Comparison {
            quantity: self.0,
            predicted,
            relation,
            measured,
            uncertainty: reading.error.filter(|error| error.is_finite()),
            tolerance,
            weight: Importance::Core,
            otherwise: String::new(),
            outcome: outcome(relation, predicted, Reading { value: measured, ..reading }, tolerance),
        }
    }

    /// Must equal the prediction within the tolerance.
    pub fn equals(self, predicted: f64, reading: impl Into<Reading>, tolerance: f64) -> Comparison {
        self.compared(Relation::Equal, predicted, reading, tolerance)
    }

    /// Must equal the prediction within this fraction of it.
    pub fn is_near(self, predicted: f64, reading: impl Into<Reading>, share: f64) -> Comparison {
        self.equals(predicted, reading, share * predicted.abs())
    }

    /// Must not be larger than the tolerance.
    pub fn vanishes(self, reading: impl Into<Reading>, tolerance: f64) -> Comparison {
        self.compared(Relation::AtMost, 0.0, reading, tolerance)
    }

    /// Must reach the bound.
    pub fn is_at_least(self, bound: f64, reading: impl Into<Reading>) -> Comparison {
        self.compared(Relation::AtLeast, bound, reading, 0.0)
    }

    /// Must not exceed the bound.
    pub fn is_at_most(self, bound: f64, reading: impl Into<Reading>) -> Comparison {
        self.compared(Relation::AtMost, bound, reading, 0.0)
    }
}

impl Comparison {
    /// If it fails the claim holds with a limit, in this sentence.
    #[must_use]
    pub fn limit(self, otherwise: &str) -> Self {
        Self { weight: Importance::Limit, otherwise: otherwise.into(), ..self }
    }

    /// If it fails the claim is refuted, with this sentence.
    #[must_use]
    pub fn or(self, otherwise: &str) -> Self {
        Self { otherwise: otherwise.into(), ..self }
    }

    /// The numbers in words.
    pub fn numbers(&self) -> String {
        let Some(measured) = self.measured else { return format!("{}: not found", self.quantity) };
        format!("{}: {}, {}", self.quantity, number::with_error(measured, self.uncertainty), self.wanted())
    }

    /// What is predicted, in words.
    pub fn wanted(&self) -> String {
        match self.relation {
            Relation::Equal => format!("predicted {}", number::within(self.predicted, self.tolerance)),
            Relation::AtMost => format!("at most {}", number::short(self.predicted + self.tolerance)),
            Relation::AtLeast => format!("at least {}", number::short(self.predicted - self.tolerance)),
        }
    }
}

fn outcome(relation: Relation, predicted: f64, reading: Reading, tolerance: f64) -> ComparisonOutcome {
    let Some(measured) = reading.value else { return ComparisonOutcome::Fails };
    // By how much it exceeds the tolerance.
    let beyond = match relation {
        Relation::Equal => (measured - predicted).abs() - tolerance,
        Relation::AtMost => measured - predicted - tolerance,
        Relation::AtLeast => predicted - measured - tolerance,
    };
    let error = reading.error.unwrap_or(0.0);
    if !error.is_finite() {
        return ComparisonOutcome::Unknown;
    }
    let chance = RARE * error;
    // A measurement so coarse that it could hardly have failed proves nothing.
    let blind = relation == Relation::Equal && chance > tolerance;
    match beyond {
        _ if beyond > chance => ComparisonOutcome::Fails,
        _ if beyond > 0.0 || blind => ComparisonOutcome::Unknown,
        _ => ComparisonOutcome::Holds,
    }
}

/// What came out.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Verdict {
    /// All checks hold.
    #[serde(rename = "confirmed")]
    Confirmed,
    /// Those of the claim itself hold, others do not.
    #[serde(rename = "confirmed with a limit")]
    Limited,
    /// A check of the claim itself fails.
    #[serde(rename = "refuted")]
    Refuted,
    /// A check of the claim itself is not known well enough.
    #[serde(rename = "undecided")]
    Undecided,
}

impl Verdict {
    /// All there are, the best first.
    pub const ALL: [Self; 4] = [Self::Confirmed, Self::Limited, Self::Refuted, Self::Undecided];

    /// In words.
    pub fn name(self) -> &'static str {
        ["confirmed", "confirmed with a limit", "refuted", "undecided"][self as usize]
    }

    /// As a sign that is readable in grey.
    pub fn sign(self) -> char {
        ['✓', '◐', '✗', '?'][self as usize]
    }
}

/// A claim that was checked.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Claim {
    /// A short name.
    pub id: String,
    /// What is claimed.
    pub claim: String,
    /// Where in the paper.
    pub section: String,
    /// What is predicted: of the first check, as the next three.
    pub predicted: f64,
    /// What was measured.
    pub measured: Option<f64>,
    /// Its standard error.
    pub uncertainty: Option<f64>,
    /// The tolerated deviation.
    pub tolerance: f64,
    /// The verdict.
    pub verdict: Verdict,
    /// Why, in a line.
    pub reason: String,
    /// All numbers that count.
    pub checks: Vec<Comparison>,
}

impl Claim {
    /// Judges a statement by its checks, of which the first one is the most telling.
    ///
    /// # Panics
    /// If there are no checks.
    pub fn judged(statement: &Statement, checks: Vec<Comparison>) -> Self {
        let first = checks.first().expect("a claim has something to check");
        let more = match checks.len() - 1 {
            0 => String::new(),
            1 => "; and one more check holds".into(),
            more => format!("; and {more} more checks hold"),
        };
        let causes = [
            (Importance::Core, ComparisonOutcome::Fails, Verdict::Refuted),
            (Importance::Core, ComparisonOutcome::Unknown, Verdict::Undecided),
            (Importance::Limit, ComparisonOutcome::Fails, Verdict::Limited),
            (Importance::Limit, ComparisonOutcome::Unknown, Verdict::Limited),
        ];
        let decisive = causes.into_iter().find_map(|(weight, outcome, verdict)| {
            let those = checks.iter().filter(|check| check.weight == weight && check.outcome == outcome);
            let those: Vec<&Comparison> = those.collect();
            let reason = if outcome == ComparisonOutcome::Fails { consequences } else { unknown };
            (!those.is_empty()).then(|| (verdict, reason(&those)))
        });
        let (verdict, reason) = decisive.unwrap_or_else(|| (Verdict::Confirmed, first.numbers() + &more));
        let Comparison { predicted, measured, uncertainty, tolerance, .. } = *first;
        let Statement { id, claim, section } = *statement;
        let [id, claim, section] = [id, claim, section].map(String::from);
        Self { id, claim, section, predicted, measured, uncertainty, tolerance, verdict, reason, checks }
    }
}

/// The numbers of checks that cannot be decided.
fn unknown(checks: &[&Comparison]) -> String {
    let numbers: Vec<String> = checks.iter().map(|check| check.numbers()).collect();
    format!("not known well enough: {}", numbers.join("; "))
}

/// What it means that these checks do not hold, each meaning once, with the numbers of the first check that has it.
fn consequences(checks: &[&Comparison]) -> String {
    let mut meanings: Vec<(&Comparison, usize)> = Vec::new();
    for check in checks {
        match meanings.iter_mut().find(|(first, _)| !check.otherwise.is_empty() && first.otherwise == check.otherwise) {
            Some((_, count)) => *count += 1,
            None => meanings.push((check, 1)),
        }
    }
    let each = meanings.into_iter().map(|(check, count)| {
        let more = if count > 1 { format!("; and {} more like it", count - 1) } else { String::new() };
        match check.otherwise.as_str() {
            "" => check.numbers() + &more,
            meaning => format!("{meaning} ({}{more})", check.numbers()),
        }
    });
    each.collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use super::*;

    const STATEMENT: Statement = Statement { id: "x", claim: "x is 1.", section: "III" };

    fn verdict(checks: Vec<Comparison>) -> Verdict {
        Claim::judged(&STATEMENT, checks).verdict
    }

    fn with(value: f64, error: f64) -> Reading {
        Reading { value: Some(value), error: Some(error) }
    }

    #[test]
    fn a_verdict_follows_from_numbers_and_tolerances() {
        let check = |reading| quantity("x").equals(1.0, reading, 0.1);
        assert_eq!(verdict(vec![check(with(1.05, 0.01))]), Verdict::Confirmed);
        assert_eq!(verdict(vec![check(with(1.2, 0.01))]), Verdict::Refuted);
        // Just outside, but perhaps by chance; and so coarse that anything would do.
        assert_eq!(verdict(vec![check(with(1.11, 0.01))]), Verdict::Undecided);
        assert_eq!(verdict(vec![check(with(1.0, 0.2))]), Verdict::Undecided);
        assert_eq!(verdict(vec![check(with(f64::NAN, 0.0))]), Verdict::Refuted);
        assert_eq!(verdict(vec![check(Reading::new(Some(1.0), None))]), Verdict::Undecided);
        assert_eq!(verdict(vec![check(Reading::single(1.0))]), Verdict::Confirmed);
    }

    #[test]
    fn a_limit_limits_and_the_core_refutes() {
        let good = || quantity("x").equals(1.0, 1.0, 0.1);
        let bad = || quantity("y").equals(1.0, 2.0, 0.1);
        let limited = Claim::judged(&STATEMENT, vec![good(), bad().limit("y is not")]);
        assert_eq!(limited.verdict, Verdict::Limited);
        assert_eq!(limited.reason, "y is not (y: 2, predicted 1 ± 0.1)");
        assert_eq!(limited.measured, Some(1.0));
        assert_eq!(verdict(vec![good(), bad()]), Verdict::Refuted);
        assert_eq!(verdict(vec![good(), good().limit("")]), Verdict::Confirmed);
    }

    #[test]
    fn one_sided_relations() {
        assert_eq!(verdict(vec![quantity("x").vanishes(0.01, 0.02)]), Verdict::Confirmed);
        assert_eq!(verdict(vec![quantity("x").vanishes(0.03, 0.02)]), Verdict::Refuted);
        assert_eq!(verdict(vec![quantity("x").is_at_least(0.9, 0.95)]), Verdict::Confirmed);
        assert_eq!(verdict(vec![quantity("x").is_at_least(0.9, 0.85)]), Verdict::Refuted);
        assert_eq!(verdict(vec![quantity("x").is_at_most(0.9, with(0.91, 0.1))]), Verdict::Undecided);
    }
}
