//! Reads series.csv, with the times of its rows.

use hardgrain_io::Scene;
use std::path::Path;

/// The columns of a run over time.
#[derive(Debug, Default)]
pub(super) struct SeriesRows {
    headings: Vec<String>,
    // By columns, then by rows; NaN where a cell is not a number.
    columns: Vec<Vec<f64>>,
    /// Time of each row since the start of the run.
    pub times: Vec<f64>,
    /// Start times of the stages, and the end of the last one.
    bounds: Vec<f64>,
    names: Vec<String>,
}

impl SeriesRows {
    /// Reads the series of a run whose stages made these `steps`.
    pub(super) fn read(folder: &Path, scene: &Scene, steps: &[u64]) -> Option<Self> {
        let text = std::fs::read_to_string(folder.join(crate::folder::SERIES)).ok()?;
        let every = scene.record.series.as_ref()?.every;
        // A file without a final newline was cut.
        let mut lines = text.strip_suffix('\n')?.lines();
        let headings: Vec<String> = lines.next()?.split(',').map(|name| name.trim_matches('"').to_owned()).collect();
        let mut columns = vec![Vec::new(); headings.len()];
        for line in lines {
            for (column, cell) in columns.iter_mut().zip(line.split(',')) {
                column.push(cell.parse().unwrap_or(f64::NAN));
            }
        }
        let (mut bounds, mut before, mut time) = (vec![0.0], vec![0_u64], 0.0);
        for (stage, &made) in scene.stages.iter().zip(steps) {
            time += made as f64 * stage.numerics.step;
            bounds.push(time);
            before.push(before.last()? + made);
        }
        let at = |row: usize| {
            let step = row as u64 * every;
            let stage = before.iter().rposition(|&first| first <= step).unwrap_or(0).min(steps.len().checked_sub(1)?);
            Some(bounds[stage] + (step - before[stage]) as f64 * scene.stages[stage].numerics.step)
        };
        // One row at the start and one after every `every` steps; a truncated file has fewer.
        let rows = before.last()? / every + 1;
        if columns.iter().any(|column| column.len() as u64 != rows) {
            return None;
        }
        let times = (0..columns.first().map_or(0, Vec::len)).map_while(at).collect();
        let names = scene.stages.iter().map(|stage| stage.name.clone()).collect();
        Some(Self { headings, columns, times, bounds, names })
    }

    /// A column.
    pub(super) fn column(&self, name: &str) -> Option<&[f64]> {
        self.headings.iter().position(|known| known == name).map(|number| self.columns[number].as_slice())
    }

    /// Start and end of a stage; of the last one if none is named.
    pub(super) fn stage(&self, name: Option<&str>) -> Option<(f64, f64)> {
        let number = match name {
            Some(name) => self.names.iter().position(|known| known == name)?,
            None => self.names.len().checked_sub(1)?,
        };
        // The run may have ended before.
        Some((*self.bounds.get(number)?, *self.bounds.get(number + 1)?))
    }

    /// A made-up column and stages.
    #[cfg(test)]
    pub(super) fn made_up(name: &str, times: Vec<f64>, values: Vec<f64>, stages: &[(&str, f64)]) -> Self {
        let bounds = [0.0].into_iter().chain(stages.iter().map(|stage| stage.1)).collect();
        let names = stages.iter().map(|stage| stage.0.to_owned()).collect();
        Self { headings: vec![name.into()], columns: vec![values], times, bounds, names }
    }
}
