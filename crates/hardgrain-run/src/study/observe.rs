//! Observables of a run: a key of run.json, or a reduction of a column of series.csv.

use super::series::SeriesRows;
use super::vary::VariedKey;
use crate::audit::ringing;
use crate::error::RunError;
use crate::folder::summary::KEYS;
use hardgrain_analysis::DampedSine;
use hardgrain_io::Scene;
use hardgrain_io::scene::{Column, Quantity};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::str::FromStr;

/// An observable, written as typed: `kinetic_energy`, `last:lid.position`, `mean:lid.load@ring`,
/// `omega:lid.position@50..90`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Observable {
    typed: String,
    what: ObservedIn,
}

#[derive(Clone, Debug, PartialEq)]
enum ObservedIn {
    /// A key of run.json.
    Key(Vec<String>),
    /// A reduction of a column over a window.
    Of(Reduction, String, TimeWindow),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Reduction {
    Last,
    Mean,
    Least,
    Most,
    Change,
    Frequency,
    DampingTime,
}

const REDUCTIONS: [(&str, Reduction); 7] = [
    ("last", Reduction::Last),
    ("mean", Reduction::Mean),
    ("min", Reduction::Least),
    ("max", Reduction::Most),
    ("change", Reduction::Change),
    ("omega", Reduction::Frequency),
    ("tau", Reduction::DampingTime),
];

/// The window of time of a reduction.
#[derive(Clone, Debug, PartialEq)]
enum TimeWindow {
    /// The last stage; for a mean its second half.
    Usual,
    Stage(String),
    /// Between two times since the start of the run.
    Times(f64, f64),
}

/// Default observables from run.json, besides the last row of the series.
const USUAL: [&str; 6] = [
    "steps",
    "contacts",
    "overlap_largest",
    "rigidity.apparent_stiffness",
    "rigidity.apparent_sound_speed",
    "state_hash",
];

/// The default observables: the last row of every column, and some keys of run.json.
pub(super) fn usual(scene: &Scene) -> Vec<Observable> {
    let tells = |column: &&Column| !matches!(column.quantity, Quantity::Step | Quantity::Time | Quantity::Stage);
    let columns = scene.record.series.iter().flat_map(|series| &series.columns).filter(tells);
    let all = columns.map(|column| format!("last:{}", column.name)).chain(USUAL.map(str::to_owned));
    all.filter_map(|typed| typed.parse().ok()).collect()
}

/// Checks that observables exist, and that each is given once.
pub(super) fn check_observables(scene: &Scene, vary: &[VariedKey], observe: &[Observable]) -> Result<(), RunError> {
    for (place, own) in observe.iter().enumerate() {
        own.check(scene)?;
        let name = own.to_string();
        if observe[..place].iter().any(|other| other.to_string() == name) {
            return Err(RunError::Input(format!("--observe {name}: it is there twice")));
        }
        if vary.iter().any(|varied| varied.key == name) {
            return Err(RunError::Input(format!("--observe {name}: it is varied, and in the table anyway")));
        }
    }
    Ok(())
}

/// Cache of fitted oscillations, by column and rows: ω and τ come from one fit.
#[derive(Debug, Default)]
pub(super) struct Fits(BTreeMap<(String, usize, usize), Option<DampedSine>>);

impl Observable {
    /// Checks that runs of this scene record it.
    pub(super) fn check(&self, scene: &Scene) -> Result<(), RunError> {
        let wrong = |why: String| Err(RunError::Input(format!("--observe {self}: {why}")));
        let (column, window) = match &self.what {
            ObservedIn::Of(_, column, window) => (column, window),
            ObservedIn::Key(path) if KEYS.split(", ").any(|known| known == path[0]) => return Ok(()),
            ObservedIn::Key(path) => {
                return wrong(format!(
                    "run.json has no key `{}`; it has: {KEYS}; columns are named as in last:COLUMN",
                    path[0]
                ));
            }
        };
        let Some(series) = &scene.record.series else {
            return wrong("the scene writes no series.csv; give it record.series".into());
        };
        let known = series.columns.iter().map(|column| column.name.as_str());
        if !known.clone().any(|known| known == column) {
            let known = known.collect::<Vec<_>>().join(", ");
            return wrong(format!("series.csv will have no column `{column}`; it has: {known}"));
        }
        match window {
            TimeWindow::Stage(name) if scene.stages.iter().all(|stage| stage.name != *name) => {
                let known = scene.stages.iter().map(|stage| stage.name.as_str()).collect::<Vec<_>>().join(", ");
                wrong(format!("there is no stage `{name}`; there is: {known}"))
            }
            _ => Ok(()),
        }
    }

    /// The key of run.json, if it is one.
    pub(super) fn key(&self) -> Option<&[String]> {
        match &self.what {
            ObservedIn::Key(path) => Some(path),
            ObservedIn::Of(..) => None,
        }
    }

    /// Its value in these rows.
    pub(super) fn value_in(&self, rows: &SeriesRows, fits: &mut Fits) -> Option<f64> {
        let ObservedIn::Of(how, column, window) = &self.what else { return None };
        let values = rows.column(column)?;
        let (from, to) = match window {
            TimeWindow::Times(from, to) => (*from, *to),
            TimeWindow::Stage(name) => rows.stage(Some(name))?,
            TimeWindow::Usual => {
                let (from, to) = rows.stage(None)?;
                if *how == Reduction::Mean { (0.5 * (from + to), to) } else { (from, to) }
            }
        };
        // Times are rounded sums of steps.
        let tolerance = 1e-9 * rows.times.last()?.abs();
        let first = rows.times.iter().position(|&time| time >= from - tolerance)?;
        let behind = rows.times.iter().rposition(|&time| time <= to + tolerance)? + 1;
        let values = values.get(first..behind).filter(|values| !values.is_empty())?;
        let known = || values.iter().copied().filter(|value| value.is_finite());
        match how {
            Reduction::Last => known().next_back(),
            Reduction::Mean => Some(known().sum::<f64>() / known().count() as f64).filter(|mean| mean.is_finite()),
            Reduction::Least => known().reduce(f64::min),
            Reduction::Most => known().reduce(f64::max),
            Reduction::Change => Some(known().next_back()? - known().next()?),
            Reduction::Frequency | Reduction::DampingTime => {
                let times = &rows.times[first..behind];
                let step = (times[times.len() - 1] - times[0]) / (times.len() - 1).max(1) as f64;
                // A fit needs equidistant rows, which stages with different steps have not.
                if times.windows(2).any(|pair| (pair[1] - pair[0] - step).abs() > 1e-3 * step) {
                    return None;
                }
                let known = fits.0.entry((column.clone(), first, behind));
                let curve = (*known.or_insert_with(|| ringing(step, values)))?;
                Some(if *how == Reduction::Frequency { curve.frequency } else { curve.damping_time() })
            }
        }
    }
}

impl FromStr for Observable {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, String> {
        let typed = typed.trim();
        let what = match typed.split_once(':') {
            None => ObservedIn::Key(typed.split('.').map(str::to_owned).collect()),
            Some((how, rest)) => {
                let found = REDUCTIONS.iter().find(|(known, _)| *known == how).map(|(_, how)| *how);
                let known = REDUCTIONS.map(|(known, _)| known).join(", ");
                let how = found.ok_or_else(|| format!("`{how}` is not known; there is: {known}"))?;
                let (column, window) = match rest.split_once('@') {
                    None => (rest, TimeWindow::Usual),
                    Some((column, window)) => (column, read_window(window)?),
                };
                ObservedIn::Of(how, column.into(), window)
            }
        };
        let empty = match &what {
            ObservedIn::Key(path) => path.iter().any(String::is_empty),
            ObservedIn::Of(_, column, _) => column.is_empty(),
        };
        if empty { Err(format!("`{typed}` names nothing")) } else { Ok(Self { typed: typed.into(), what }) }
    }
}

fn read_window(text: &str) -> Result<TimeWindow, String> {
    let Some((from, to)) = text.split_once("..") else { return Ok(TimeWindow::Stage(text.into())) };
    let number = |text: &str, none: f64| {
        if text.is_empty() { Ok(none) } else { text.parse().map_err(|_| format!("`{text}` is no time")) }
    };
    let (from, to): (f64, f64) = (number(from, 0.0)?, number(to, f64::MAX)?);
    if from < to { Ok(TimeWindow::Times(from, to)) } else { Err(format!("`{text}` ends before it begins")) }
}

impl fmt::Display for Observable {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(&self.typed)
    }
}

impl TryFrom<String> for Observable {
    type Error = String;

    fn try_from(typed: String) -> Result<Self, String> {
        typed.parse()
    }
}

impl From<Observable> for String {
    fn from(observable: Observable) -> Self {
        observable.typed
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seen(what: &str, rows: &SeriesRows) -> Option<f64> {
        what.parse::<Observable>().unwrap().value_in(rows, &mut Fits::default())
    }

    #[test]
    fn windows_are_those_that_were_asked_for() {
        // Steps of 1 to t = 10, then of 0.5 to 20; the value is the time.
        let times: Vec<f64> = (0..=10).map(f64::from).chain((1..=20).map(|row| 10.0 + 0.5 * f64::from(row))).collect();
        let rows = SeriesRows::made_up("x", times.clone(), times, &[("a", 10.0), ("b", 20.0)]);
        for (what, value) in [
            ("last:x", 20.0),
            ("mean:x", 17.5),
            ("mean:x@b", 15.0),
            ("min:x@b", 10.0),
            ("max:x@a", 10.0),
            ("change:x@a", 10.0),
            ("min:x@12..", 12.0),
            ("max:x@..12", 12.0),
            ("mean:x@12..1e12", 16.0),
            ("change:x@3.5..12.1", 8.0),
        ] {
            assert_eq!(seen(what, &rows), Some(value), "{what}");
        }
        assert_eq!(seen("last:x@21..22", &rows), None);
        assert_eq!(seen("last:y", &rows), None);
        let cut = SeriesRows::made_up("x", vec![0.0, 1.0], vec![1.0, 2.0], &[("a", 1.0)]);
        assert_eq!(seen("last:x@b", &cut), None, "a stage that was not reached");
    }

    #[test]
    fn oscillations_need_rows_at_equal_distances() {
        let value = |time: f64| 3.0 + (-time / 20.0).exp() * (0.7 * time).sin();
        let times: Vec<f64> = (0..=400).map(|row| 0.25 * f64::from(row)).collect();
        let values = times.iter().copied().map(value).collect();
        let rows = SeriesRows::made_up("x", times.clone(), values, &[("a", 100.0)]);
        assert!((seen("omega:x", &rows).unwrap() - 0.7).abs() < 1e-6);
        assert!((seen("tau:x", &rows).unwrap() - 20.0).abs() < 1e-4);
        let uneven: Vec<f64> = times.iter().map(|time| time + if *time > 50.0 { time - 50.0 } else { 0.0 }).collect();
        let values = uneven.iter().copied().map(value).collect();
        let rows = SeriesRows::made_up("x", uneven, values, &[("a", 150.0)]);
        assert_eq!(seen("omega:x", &rows), None);
        assert!((seen("omega:x@..50", &rows).unwrap() - 0.7).abs() < 1e-4);
    }
}
