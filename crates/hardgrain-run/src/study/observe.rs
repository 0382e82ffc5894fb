//! What is looked at in a run: a key of run.json, or something of a column of series.csv.

use super::series::Rows;
use crate::audit::ringing;
use crate::error::RunError;
use crate::summary::KEYS;
use hardgrain_io::Scene;
use hardgrain_io::scene::{Column, Quantity};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// Something that is looked at, written as it is typed: `kinetic_energy`, `last:lid.position`, `mean:lid.load@ring`, `omega:lid.position@50..90`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub struct Observable {
    typed: String,
    what: What,
}

#[derive(Clone, Debug, PartialEq)]
enum What {
    /// A key of run.json.
    Key(Vec<String>),
    /// Something of a column.
    Of(How, String, Window),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Last,
    Mean,
    Least,
    Most,
    Change,
    Frequency,
    DampingTime,
}

const HOWS: [(&str, How); 7] = [
    ("last", How::Last),
    ("mean", How::Mean),
    ("min", How::Least),
    ("max", How::Most),
    ("change", How::Change),
    ("omega", How::Frequency),
    ("tau", How::DampingTime),
];

/// When it is looked at.
#[derive(Clone, Debug, PartialEq)]
enum Window {
    /// In the last stage; for a mean in the second half of it.
    Usual,
    Stage(String),
    /// From this time to that, since the run began.
    Times(f64, f64),
}

/// What of a run.json is looked at if nobody says anything, besides the last row of its series.
const USUAL: [&str; 6] = [
    "steps",
    "contacts",
    "overlap_largest",
    "rigidity.apparent_stiffness",
    "rigidity.apparent_sound_speed",
    "state_hash",
];

/// The last row of every column, and some keys of run.json.
pub(super) fn usual(scene: &Scene) -> Vec<Observable> {
    let tells = |column: &&Column| !matches!(column.quantity, Quantity::Step | Quantity::Time | Quantity::Stage);
    let columns = scene.record.series.iter().flat_map(|series| &series.columns).filter(tells);
    let all = columns.map(|column| format!("last:{}", column.name)).chain(USUAL.map(str::to_owned));
    all.filter_map(|typed| typed.parse().ok()).collect()
}

impl Observable {
    /// Whether runs of this scene write it down.
    pub(super) fn check(&self, scene: &Scene) -> Result<(), RunError> {
        let wrong = |why: String| Err(RunError::Input(format!("--observe {self}: {why}")));
        let (column, window) = match &self.what {
            What::Of(_, column, window) => (column, window),
            What::Key(path) if KEYS.contains(&path[0].as_str()) => return Ok(()),
            What::Key(path) => {
                let known = KEYS.join(", ");
                return wrong(format!(
                    "run.json has no key `{}`; it has: {known}; columns are named as in last:COLUMN",
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
            Window::Stage(name) if scene.stages.iter().all(|stage| stage.name != *name) => {
                let known = scene.stages.iter().map(|stage| stage.name.as_str()).collect::<Vec<_>>().join(", ");
                wrong(format!("there is no stage `{name}`; there is: {known}"))
            }
            _ => Ok(()),
        }
    }

    /// Whether it is a key of run.json, and which.
    pub(super) fn key(&self) -> Option<&[String]> {
        match &self.what {
            What::Key(path) => Some(path),
            What::Of(..) => None,
        }
    }

    /// What it is in these rows.
    pub(super) fn of(&self, rows: &Rows) -> Option<f64> {
        let What::Of(how, column, window) = &self.what else { return None };
        let values = rows.column(column)?;
        let (from, to) = match window {
            Window::Times(from, to) => (*from, *to),
            Window::Stage(name) => rows.stage(Some(name))?,
            Window::Usual => {
                let (from, to) = rows.stage(None)?;
                if *how == How::Mean { (0.5 * (from + to), to) } else { (from, to) }
            }
        };
        // Times are sums of steps.
        let little = 1e-9 * to.abs();
        let first = rows.times.iter().position(|&time| time >= from - little)?;
        let behind = rows.times.iter().rposition(|&time| time <= to + little)? + 1;
        let values = values.get(first..behind).filter(|values| !values.is_empty())?;
        let known = || values.iter().copied().filter(|value| value.is_finite());
        match how {
            How::Last => known().next_back(),
            How::Mean => Some(known().sum::<f64>() / known().count() as f64).filter(|mean| mean.is_finite()),
            How::Least => known().reduce(f64::min),
            How::Most => known().reduce(f64::max),
            How::Change => Some(known().next_back()? - known().next()?),
            How::Frequency | How::DampingTime => {
                let step = (rows.times[behind - 1] - rows.times[first]) / (values.len() - 1).max(1) as f64;
                let curve = ringing(step, values)?;
                Some(if *how == How::Frequency { curve.frequency } else { curve.damping_time() })
            }
        }
    }
}

impl FromStr for Observable {
    type Err = String;

    fn from_str(typed: &str) -> Result<Self, String> {
        let typed = typed.trim();
        let what = match typed.split_once(':') {
            None => What::Key(typed.split('.').map(str::to_owned).collect()),
            Some((how, rest)) => {
                let found = HOWS.iter().find(|(known, _)| *known == how).map(|(_, how)| *how);
                let known = HOWS.map(|(known, _)| known).join(", ");
                let how = found.ok_or_else(|| format!("`{how}` is not known; there is: {known}"))?;
                let (column, window) = match rest.split_once('@') {
                    None => (rest, Window::Usual),
                    Some((column, window)) => (column, read_window(window)?),
                };
                What::Of(how, column.into(), window)
            }
        };
        let empty = match &what {
            What::Key(path) => path.iter().any(String::is_empty),
            What::Of(_, column, _) => column.is_empty(),
        };
        if empty { Err(format!("`{typed}` names nothing")) } else { Ok(Self { typed: typed.into(), what }) }
    }
}

fn read_window(text: &str) -> Result<Window, String> {
    let Some((from, to)) = text.split_once("..") else { return Ok(Window::Stage(text.into())) };
    let number = |text: &str, none: f64| {
        if text.is_empty() { Ok(none) } else { text.parse().map_err(|_| format!("`{text}` is no time")) }
    };
    let (from, to): (f64, f64) = (number(from, 0.0)?, number(to, f64::MAX)?);
    if from < to { Ok(Window::Times(from, to)) } else { Err(format!("`{text}` ends before it begins")) }
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
