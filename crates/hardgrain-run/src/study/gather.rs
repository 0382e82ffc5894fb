//! The table of a study: one row for each run, from the folders alone. Nothing is changed, so it can be made while runs are active.

use super::observe::{Fits, Observable};
use super::series::SeriesRows;
use super::{FAILURE, RUNS, Study, StudyKind};
use crate::folder::{LOCK, SCENE, SUMMARY, read};
use hardgrain_io::record::shortest;
use hardgrain_io::scene::{Fingerprints, Scene};
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde_json::Value;
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
    pub fn word(self) -> String {
        format!("{self:?}").to_lowercase()
    }

    /// Whether the run is finished and intact.
    pub fn is_over(self) -> bool {
        matches!(self, Self::Done | Self::Missed)
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
    /// Values of the observables: numbers and texts, null where they are unknown.
    pub cells: Vec<Value>,
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
            cells: vec![Value::Null; self.observed().len()],
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
        let damaged = |line: &mut RunRow, why: &str| {
            let reason = format!("{why}; remove {RUNS}/{} and the study makes it again", line.run);
            (line.status, line.reason) = (RunStatus::Damaged, reason);
        };
        let Ok(scene) = Scene::read(&folder.join(SCENE), &[]) else {
            return damaged(line, "its scene.toml cannot be read");
        };
        let planned = self.scene(number).ok().map(|scene| (scene.fingerprints(), scene.seed));
        if planned != Some((scene.fingerprints(), scene.seed)) {
            return damaged(line, "it belongs to another scene");
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
            damaged(line, "its series.csv is not as the run has written it");
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

fn cell(own: &Observable, rows: Option<&SeriesRows>, summary: &Value, fits: &mut Fits) -> Value {
    let Some(path) = own.key() else {
        return rows.and_then(|rows| own.value_in(rows, fits)).map_or(Value::Null, Value::from);
    };
    let found = path.iter().try_fold(summary, |value, key| match key.parse::<usize>() {
        Ok(index) if value.is_array() => value.get(index),
        _ => value.get(key),
    });
    match found.unwrap_or(&Value::Null) {
        Value::Number(value) if value.is_u64() && !value.is_i64() => Value::String(value.to_string()),
        plain @ (Value::Null | Value::Number(_) | Value::String(_)) => plain.clone(),
        other => Value::String(other.to_string()),
    }
}

impl StudyTable {
    /// Whether physics, numerics or both are varied.
    pub fn kind(&self) -> StudyKind {
        StudyKind::infer(&self.rows.iter().filter_map(|line| line.fingerprints).collect::<Vec<_>>())
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
                Value::Null => String::new(),
                Value::String(text) => text.clone(),
                Value::Number(value) if value.is_f64() => shortest(value.as_f64().unwrap_or(f64::NAN)),
                whole => whole.to_string(),
            });
            let [physics, numerics] = line.fingerprints_in_words();
            let first = line.values.iter().cloned().chain([line.run.clone(), line.status.word()]);
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
