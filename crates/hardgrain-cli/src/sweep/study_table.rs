//! The table of a study: its plan before, its results afterwards, and as JSON.

use crate::follow::duration;
use crate::table::counted;
use hardgrain_figures::study::{Dependence, dependences};
use hardgrain_run::{RunStatus, Study, StudyKind, StudyTable};
use serde_json::{Map, Value, json};

/// Whether physics or numerics are varied, in a sentence.
pub(super) fn kind_sentence(kind: StudyKind, study: &Study) -> String {
    let keys = study.varied().iter().map(|varied| varied.key.as_str()).collect::<Vec<_>>().join(", ");
    match kind {
        StudyKind::Numerics => {
            format!("a study of numerics ({keys}): all runs have the same physics, by its fingerprint")
        }
        StudyKind::Physics => {
            format!("a study of physics ({keys}): all runs have the same numerics, by their fingerprint")
        }
        StudyKind::Mixed => format!("a mixed study ({keys}): physics and numerics differ between runs"),
        StudyKind::Repeats => format!("repeats ({keys}): physics and numerics are the same in all runs"),
    }
}

/// The planned runs and their cost.
pub(super) fn plan_text(study: &Study, jobs: usize) -> String {
    let (seconds, known) = study.cost();
    let from = if known < study.count() { format!(", estimated from {known} of them") } else { String::new() };
    let (most, why) = if study.ends_at_rest() {
        ("at most ", "; stages that end at rest count with the most steps they may take, often many times too many")
    } else {
        ("", "")
    };
    let last = [
        format!("{}; {}", counted(study.count() as u64, "run"), kind_sentence(study.kind(), study)),
        format!(
            "cost: {most}{} in all{from}, {most}{} with {jobs} at a time{why}",
            duration(seconds),
            duration(seconds / jobs as f64)
        ),
    ];
    lines((0..study.count()).map(|number| study.name(number)).chain(last))
}

fn lines(lines: impl IntoIterator<Item = String>) -> String {
    lines.into_iter().flat_map(|line| [line, "\n".into()]).collect()
}

/// The results in lines.
pub(super) fn results_text(gathered: &StudyTable, kind: &str) -> String {
    let first = [kind.to_owned(), counts(gathered)];
    let reasons = gathered.rows.iter().filter_map(|line| Some((line, line.reason.lines().next()?)));
    let wrong = reasons.map(|(line, reason)| format!("  {} {}: {reason}", line.run, line.status.word()));
    let over: Vec<_> = gathered.rows.iter().filter(|line| line.status.is_over()).collect();
    let is_empty = |which: usize| !over.is_empty() && over.iter().all(|line| line.cells[which].is_null());
    let empty = gathered.observed.iter().enumerate().filter(|(which, _)| is_empty(*which));
    let empty = empty.map(|(_, name)| format!("  {name} was found in no run"));
    let dependences = dependences(gathered);
    let laws = dependences.iter().flat_map(Dependence::words).map(|law| format!("  {law}"));
    lines(first.into_iter().chain(wrong).chain(missing(gathered)).chain(empty).chain(laws))
}

/// The number of runs of each status.
fn counts(gathered: &StudyTable) -> String {
    let all = counted(gathered.rows.len() as u64, "run");
    let others = [
        (RunStatus::Missed, "missed what their scene asks for"),
        (RunStatus::Failed, "failed"),
        (RunStatus::Damaged, "damaged"),
        (RunStatus::Begun, "not over yet"),
        (RunStatus::Missing, "missing"),
    ];
    let other = |(status, words): (RunStatus, &str)| match gathered.count(status) {
        0 => None,
        count => Some(format!("{count} {words}")),
    };
    let done = format!("{} of {all} done", gathered.count(RunStatus::Done));
    [done].into_iter().chain(others.into_iter().filter_map(other)).collect::<Vec<_>>().join(", ")
}

/// The first missing runs, by name.
fn missing(gathered: &StudyTable) -> Option<String> {
    const NAMED: usize = 5;
    let missing = gathered.rows.iter().filter(|line| line.status == RunStatus::Missing);
    let missing: Vec<&str> = missing.map(|line| line.run.as_str()).collect();
    let more = missing.len().saturating_sub(NAMED);
    let rest = if more > 0 { format!(" and {more} more") } else { String::new() };
    (!missing.is_empty()).then(|| format!("  missing: {}{rest}", missing[..missing.len() - more].join(" ")))
}

/// The table as JSON.
pub(super) fn document(gathered: &StudyTable) -> String {
    let rows = gathered.rows.iter().map(|line| {
        let varied = gathered.keys.iter().zip(&line.values).map(|(key, value)| (key.clone(), typed(value)));
        let observed = gathered.observed.iter().cloned().zip(line.cells.iter().cloned());
        let [physics, numerics] = line.fingerprints_in_words();
        json!({
            "varied": varied.collect::<Map<_, _>>(),
            "run": line.run,
            "status": line.status.word(),
            "observed": observed.collect::<Map<_, _>>(),
            "physics": physics,
            "numerics": numerics,
            "reason": line.reason,
        })
    });
    let laws = dependences(gathered).into_iter().flat_map(|own| {
        let Dependence { key, observed, curves, .. } = own;
        curves.into_iter().filter_map(move |curve| {
            let law = curve.law?;
            Some(json!({
                "observed": observed, "key": key, "others": curve.label,
                "exponent": law.exponent, "exponent_stderr": law.exponent_error, "prefactor": law.prefactor,
            }))
        })
    });
    crate::output::document(&json!({ "runs": rows.collect::<Vec<_>>(), "laws": laws.collect::<Vec<_>>() }))
}

/// A typed value: a number where it parses as one.
fn typed(value: &str) -> Value {
    match (value.parse::<i64>(), value.parse::<f64>()) {
        (Ok(whole), _) => json!(whole),
        (_, Ok(number)) if number.is_finite() => json!(number),
        _ => json!(value),
    }
}
