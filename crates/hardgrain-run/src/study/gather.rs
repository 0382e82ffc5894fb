//! The table of a study: one row for each run, from the folders alone. Nothing is changed, so it can be made while runs are active.

use super::observe::{Fits, Observable};
use super::series::SeriesRows;
use super::{FAILURE, RUNS, Study, StudyKind};
use crate::folder::{LOCK, SCENE, SUMMARY, read};
use hardgrain_io::scene::{Fingerprints, Scene};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde_json::Value;
use std::fmt::Write;
use std::path::Path;

/// The status of a run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunStatus {
    /// It is finished.
    Done,
    /// It is finished, but missed the rest or the tolerance that its scene asks for.
    Missed,
    /// It failed.
    Failed,
    /// It is finished, but its files have changed since they were written.
    Damaged,
    /// It has begun.
    Begun,
    /// It has not begun.
    Missing,
}

impl RunStatus {
    /// Its name.
    pub fn word(self) -> &'static str {
        match self {
            Self::Done => "done",
            Self::Missed => "missed",
            Self::Failed => "failed",
            Self::Damaged => "damaged",
            Self::Begun => "begun",
            Self::Missing => "missing",
        }
    }

    /// Whether the run is finished and intact.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Missed)
    }
}

/// A value of the table.
#[derive(Clone, Debug, PartialEq)]
pub enum TableCell {
    /// A number.
    Number(f64),
    /// A whole number.
    Whole(i64),
    /// A text.
    Text(String),
    /// Unknown.
    Nothing,
}

impl TableCell {
    /// The number, if it is one.
    pub fn number(&self) -> Option<f64> {
        match self {
            Self::Number(value) => Some(*value),
            Self::Whole(value) => Some(*value as f64),
            _ => None,
        }
    }
}

/// A row of the table.
#[derive(Clone, Debug, PartialEq)]
pub struct RunRow {
    /// Values of the varied keys, as typed.
    pub values: Vec<String>,
    /// Its folder, within `runs`.
    pub run: String,
    /// Its status.
    pub status: RunStatus,
    /// Values of the observables.
    pub cells: Vec<TableCell>,
    /// Fingerprints of its physics and numerics; none if its values are incompatible.
    pub fingerprints: Option<Fingerprints>,
    /// Why it failed, or what it missed.
    pub reason: String,
}

/// The table.
#[derive(Clone, Debug, PartialEq)]
pub struct StudyTable {
    /// The varied keys.
    pub keys: Vec<String>,
    /// The observables.
    pub observed: Vec<String>,
    /// One for each run, in their order.
    pub rows: Vec<RunRow>,
}

impl RunRow {
    /// Fingerprints of physics and numerics, 16 hexadecimal digits each.
    pub fn fingerprints_in_words(&self) -> [String; 2] {
        let both = self.fingerprints.map(|both| [both.physics, both.numerics]);
        both.map_or_else(Default::default, |both| both.map(|one| format!("{one:016x}")))
    }
}

impl Study {
    /// Makes the table of all runs.
    pub fn gather(&self) -> StudyTable {
        let rows = (0..self.count()).into_par_iter().map(|number| self.line(number)).collect();
        let keys = self.varied().iter().map(|varied| varied.key.clone()).collect();
        StudyTable { keys, observed: self.observed().iter().map(ToString::to_string).collect(), rows }
    }

    fn line(&self, number: usize) -> RunRow {
        let folder = self.run_folder(number);
        let mut line = RunRow {
            values: self.values(number).into_iter().map(str::to_owned).collect(),
            run: self.name(number),
            status: RunStatus::Missing,
            cells: vec![TableCell::Nothing; self.observed().len()],
            fingerprints: None,
            reason: String::new(),
        };
        let planned = || self.scene(number).ok().map(|scene| scene.fingerprints());
        match (summary_in(&folder), read(&folder.join(FAILURE))) {
            (Some(summary), _) => self.see(number, &mut line, &folder, &summary),
            (None, Ok(Some(why))) => {
                (line.status, line.reason, line.fingerprints) = (RunStatus::Failed, why.trim().to_owned(), planned());
            }
            _ => {
                line.status = if folder.join(LOCK).exists() { RunStatus::Begun } else { RunStatus::Missing };
                line.fingerprints = planned();
            }
        }
        line
    }

    /// Fills the row of a finished run, by the scene in its own folder.
    fn see(&self, number: usize, line: &mut RunRow, folder: &Path, summary: &Value) {
        let mut damaged = |why: &str| {
            let reason = format!("{why}; remove {RUNS}/{} and the study makes it again", line.run);
            (line.status, line.reason) = (RunStatus::Damaged, reason);
        };
        let Ok(scene) = Scene::read(&folder.join(SCENE), &[]) else {
            return damaged("its scene.toml cannot be read");
        };
        let planned = self.scene(number).ok().map(|scene| (scene.fingerprints(), scene.seed));
        if planned != Some((scene.fingerprints(), scene.seed)) {
            return damaged("it belongs to another scene");
        }
        line.fingerprints = planned.map(|planned| planned.0);
        let fulfilled = summary["fulfilled"].as_bool().unwrap_or(false);
        line.status = if fulfilled { RunStatus::Done } else { RunStatus::Missed };
        if !fulfilled {
            line.reason = summary["ending"].as_str().unwrap_or("").into();
        }
        let stages = summary["stages"].as_array().map_or(&[][..], Vec::as_slice);
        let steps: Vec<u64> = stages.iter().filter_map(|stage| stage["steps"].as_u64()).collect();
        let columns = self.observed().iter().any(|own| own.key().is_none());
        let rows = if columns { SeriesRows::read(folder, &scene, &steps) } else { None };
        if columns && rows.is_none() {
            let why = "its series.csv is not as the run has written it";
            line.reason = format!("{why}; remove {RUNS}/{} and the study makes it again", line.run);
            line.status = RunStatus::Damaged;
        }
        let mut fits = Fits::default();
        line.cells = self.observed().iter().map(|own| cell(own, rows.as_ref(), summary, &mut fits)).collect();
    }
}

/// The summary of a finished run; none if it is missing or damaged.
pub(super) fn summary_in(folder: &Path) -> Option<Value> {
    let text = read(&folder.join(SUMMARY)).ok().flatten()?;
    serde_json::from_str::<Value>(&text).ok().filter(Value::is_object)
}

fn cell(own: &Observable, rows: Option<&SeriesRows>, summary: &Value, fits: &mut Fits) -> TableCell {
    let number = |value: f64| if value.is_finite() { TableCell::Number(value) } else { TableCell::Nothing };
    let Some(path) = own.key() else {
        return rows.and_then(|rows| own.of(rows, fits)).map_or(TableCell::Nothing, number);
    };
    let found = path.iter().try_fold(summary, |value, key| match key.parse::<usize>() {
        Ok(index) if value.is_array() => value.get(index),
        _ => value.get(key),
    });
    match found {
        None | Some(Value::Null) => TableCell::Nothing,
        Some(Value::Number(value)) => match value.as_i64() {
            Some(whole) => TableCell::Whole(whole),
            None if value.is_u64() => TableCell::Text(value.to_string()),
            None => value.as_f64().map_or(TableCell::Nothing, number),
        },
        Some(Value::String(text)) => TableCell::Text(text.clone()),
        Some(other) => TableCell::Text(other.to_string()),
    }
}

impl StudyTable {
    /// Whether physics, numerics or both are varied.
    pub fn kind(&self) -> StudyKind {
        StudyKind::of(&self.rows.iter().filter_map(|line| line.fingerprints).collect::<Vec<_>>())
    }

    /// Adds failures that could not be written to their folders.
    pub fn add_failures(&mut self, failures: impl IntoIterator<Item = (usize, String)>) {
        for (number, why) in failures {
            let line = &mut self.rows[number];
            if !line.status.is_over() {
                (line.status, line.reason) = (RunStatus::Failed, why);
            }
        }
    }

    /// Number of runs with this status.
    pub fn count(&self, status: RunStatus) -> usize {
        self.rows.iter().filter(|line| line.status == status).count()
    }

    /// The table as CSV: varied keys first, and nothing that depends on the machine unless it is observed.
    pub fn csv(&self) -> String {
        let keys = self.keys.iter().map(String::as_str);
        let more = ["run", "status"].into_iter().chain(self.observed.iter().map(String::as_str));
        let mut text = joined(keys.chain(more).chain(["physics", "numerics", "reason"]).map(str::to_owned));
        for line in &self.rows {
            let cells = line.cells.iter().map(|cell| match cell {
                TableCell::Number(value) => written(*value),
                TableCell::Whole(value) => value.to_string(),
                TableCell::Text(text) => text.clone(),
                TableCell::Nothing => String::new(),
            });
            let [physics, numerics] = line.fingerprints_in_words();
            let first = line.values.iter().cloned().chain([line.run.clone(), line.status.word().to_owned()]);
            let last = [physics, numerics, line.reason.replace('\n', "; ")];
            text += &joined(first.chain(cells).chain(last));
        }
        text
    }
}

/// A row, with quotes where a cell needs them.
fn joined(cells: impl Iterator<Item = String>) -> String {
    let quoted = |cell: String| {
        if cell.contains([',', '"', '\n']) { format!("\"{}\"", cell.replace('"', "\"\"")) } else { cell }
    };
    let mut row = cells.map(quoted).collect::<Vec<_>>().join(",");
    row.push('\n');
    row
}

/// The shortest text that reads back as the same number.
fn written(value: f64) -> String {
    let mut text = String::new();
    let plain = value == 0.0 || (1e-5..1e16).contains(&value.abs());
    let written = if plain { write!(text, "{value}") } else { write!(text, "{value:e}") };
    written.expect("a string takes anything");
    text
}
