//! What is written down, and how often.

use super::names::Names;
use crate::scene::at::Count;
use crate::scene::column::Column;
use crate::scene::fault::Fault;
use crate::scene::things::{FramePlan, Record, SeriesPlan};
use crate::scene::typed::{self, May};
use crate::scene::values::{count, need};

const MOST_STEPS: u64 = 1_000_000_000_000_000;

/// Makes sense of the records.
pub(crate) fn record(scene: &typed::Scene, names: &Names, axes: usize) -> Result<Record, Fault> {
    let Some(record) = scene.record.as_ref().map(|record| &record.value) else { return Ok(Record::default()) };
    let every = |typed: &May<Count>| typed.as_ref().map(|typed| count("every", typed, 1, MOST_STEPS)).transpose();
    let series = match &record.series {
        None => None,
        Some(series) => {
            let columns =
                need(series.value.columns.as_ref(), "columns", &series.span, "[\"time\", \"kinetic_energy\"]")?;
            if columns.value.is_empty() || columns.value.len() > 10_000 {
                return Err(Fault::at(&columns.span, "a series has between 1 and 10000 columns").help("[\"time\"]"));
            }
            let mut checked: Vec<Column> = Vec::new();
            for typed in &columns.value {
                if checked.iter().any(|known| known.name == typed.value) {
                    return Err(Fault::at(&typed.span, format!("the column `{}` is there already", typed.value))
                        .help("remove it"));
                }
                checked.push(Column::check(typed, names, axes)?);
            }
            Some(SeriesPlan { every: every(&series.value.every)?.unwrap_or(1), columns: checked })
        }
    };
    let frames = match &record.frames {
        None => None,
        Some(frames) => {
            let every = need(frames.value.every.as_ref(), "every", &frames.span, "100")?;
            let contacts = frames.value.contacts.as_ref().is_none_or(|contacts| contacts.value);
            Some(FramePlan { every: count("every", every, 1, MOST_STEPS)?, contacts })
        }
    };
    let checkpoint = match &record.checkpoint {
        None => None,
        Some(checkpoint) => {
            let typed = need(checkpoint.value.every.as_ref(), "every", &checkpoint.span, "1000")?;
            Some(count("every", typed, 1, MOST_STEPS)?)
        }
    };
    Ok(Record { series, frames, checkpoint })
}
