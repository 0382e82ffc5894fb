//! What is written down, and how often.

use super::names::Names;
use super::stages::MOST_STEPS;
use crate::scene::at::At;
use crate::scene::column::{Column, GLOBAL, Quantity, fields};
use crate::scene::fault::{Fault, nearest, shortened};
use crate::scene::number::Count;
use crate::scene::plan::{FramePlan, RecordPlan, SeriesPlan};
use crate::scene::typed;
use crate::scene::values::{count, need, or};

/// Checks the records.
pub(crate) fn record(scene: &typed::SceneTable, names: &Names, axes: usize) -> Result<RecordPlan, Fault> {
    let Some(record) = scene.record.as_ref().map(|record| &record.value) else { return Ok(RecordPlan::default()) };
    let every = |typed: &At<Count<1>>| count("every", typed, MOST_STEPS);
    let series = |At { value: series, span }: &At<typed::SeriesTable>| {
        let columns = need(&series.columns, "columns", span, "[\"time\", \"kinetic_energy\"]")?;
        if columns.value.is_empty() || columns.value.len() > 10_000 {
            return Err(Fault::at(&columns.span, "a series has between 1 and 10000 columns").help("[\"time\"]"));
        }
        let mut checked: Vec<Column> = Vec::new();
        for typed in &columns.value {
            if checked.iter().any(|known| known.name == typed.value) {
                return Err(
                    Fault::at(&typed.span, format!("the column `{}` is there already", typed.value)).help("remove it")
                );
            }
            checked.push(column(typed, names, axes)?);
        }
        Ok(SeriesPlan { every: or(&series.every, 1, every)?, columns: checked })
    };
    let frames = |At { value: frames, span }: &At<typed::FramesTable>| {
        let contacts = frames.contacts.as_ref().is_none_or(|contacts| contacts.value);
        Ok(FramePlan { every: every(need(&frames.every, "every", span, "100")?)?, contacts })
    };
    let checkpoint = |At { value: checkpoint, span }: &At<typed::CheckpointTable>| {
        every(need(&checkpoint.every, "every", span, "1000")?)
    };
    Ok(RecordPlan {
        series: record.series.as_ref().map(series).transpose()?,
        frames: record.frames.as_ref().map(frames).transpose()?,
        checkpoint: record.checkpoint.as_ref().map(checkpoint).transpose()?,
    })
}

/// Checks a column.
fn column(typed: &At<String>, names: &Names, axes: usize) -> Result<Column, Fault> {
    let name = typed.value.as_str();
    if let Some((_, quantity)) = GLOBAL.iter().find(|(known, _)| *known == name) {
        return Ok(Column { name: name.into(), quantity: quantity.clone() });
    }
    let (whose, field) = name.rsplit_once('.').ok_or_else(|| unknown(typed, names))?;
    let subject = names.subject(whose, &typed.span)?;
    let fields = fields(&subject, axes);
    if let Some((_, field)) = fields.iter().find(|(known, _)| known == field) {
        return Ok(Column { name: name.into(), quantity: Quantity::Of(subject, *field) });
    }
    let all: Vec<&str> = fields.iter().map(|(known, _)| known.as_str()).collect();
    let message = format!("`{}` has no column `{}`", shortened(whose, 64), shortened(field, 64));
    let fault = Fault::at(&typed.span, message).help(format!("it has: {}", all.join(", ")));
    let near = nearest(field, all.iter().copied()).map(|near| format!("`{whose}.{near}`?"));
    Err(fault.label(near.unwrap_or_default()))
}

fn unknown(typed: &At<String>, names: &Names) -> Fault {
    let message = format!("there is no column `{}`", shortened(&typed.value, 64));
    let known: Vec<&str> = GLOBAL.iter().map(|(name, _)| *name).collect();
    let labels: Vec<&str> = names.labels().collect();
    let of = match labels.first() {
        Some(_) => format!("; and LABEL.FIELD of {}", shortened(&labels.join(", "), 80)),
        None => String::new(),
    };
    let list = format!("there are: {}{of}", known.join(", "));
    let near = nearest(&typed.value, known.iter().copied()).map(|near| format!("`{near}`?"));
    Fault::at(&typed.span, message).label(near.unwrap_or_default()).help(list)
}
