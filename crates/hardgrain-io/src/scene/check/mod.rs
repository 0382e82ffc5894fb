//! From what was typed to what it means.

mod arrange;
mod names;
mod numerics;
mod parts;
mod record;
mod stages;

pub(crate) use names::Names;

use super::at::At;
use super::fault::{Fault, Source, shortened};
use super::read::FORMAT;
use super::things::Start;
use super::typed;
use super::values::{count, need, vector};
use super::{Place, Scene};
use crate::checkpoint;

/// Reads a file that a scene names: the table of a group of grains, the packing to start from.
pub type Files<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// Makes sense of a scene.
pub(crate) fn check(typed: &typed::Scene, source: &Source, files: Files) -> Result<Scene, Fault> {
    // Keys of the whole scene that are missing are missing at its first letter.
    let top = 0..0;
    let format = need(typed.format.as_ref(), "format", &top, "1")?;
    count("format", format, FORMAT, FORMAT)?;
    let dimension = need(typed.dimension.as_ref(), "dimension", &top, "2")?;
    let axes = usize::try_from(count("dimension", dimension, 1, 3)?).expect("1, 2 or 3");
    let seed = typed.seed.as_ref().map_or(0, |seed| seed.value.0);
    let gravity = optional(typed.gravity.as_ref().map(|gravity| vector("gravity", gravity, axes)))?;
    let periodic = parts::periodic(typed, axes)?;
    if typed.grains.is_empty() {
        return Err(Fault::at(&top, "there are no grains here").help(
            "[[grains]] with radius = 0.5 and arrange = { kind = \"row\", … }; `hardgrain new chain` writes an example",
        ));
    }
    let mut names = Names::default();
    let mut groups = Vec::new();
    for grains in &typed.grains {
        let group = arrange::group(grains, axes, files)?;
        names.add_group(&grains.value, group.count)?;
        groups.push(group);
    }
    let walls = typed.walls.iter().map(|wall| parts::wall(wall, axes)).collect::<Result<Vec<_>, _>>()?;
    names.add_walls(&typed.walls)?;
    let pistons = typed.pistons.iter().map(|piston| parts::piston(piston, axes)).collect::<Result<Vec<_>, _>>()?;
    names.add_pistons(&typed.pistons)?;
    names.add_forces(&typed.forces)?;
    let forces = typed.forces.iter().map(|force| parts::force(force, &names, axes)).collect::<Result<Vec<_>, _>>()?;
    let contact = parts::contact(typed, &groups, &walls, &pistons)?;
    let begin = stages::Begin { typed, names: &names, pistons: &pistons, contact: &contact, axes };
    let stages = begin.stages()?;
    let record = record::record(typed, &names, axes)?;
    let title = typed.title.as_ref().map_or(String::new(), |title| shortened(&title.value, 200));
    let periodic_span = typed.cell.as_ref().map_or(top, |cell| cell.span.clone());
    let count = groups.iter().map(|group| group.count).sum();
    let start = typed.start.as_ref().map(|path| start(path, count, files)).transpose()?;
    Ok(Scene {
        start,
        source: source.clone(),
        title,
        dimension: axes,
        seed,
        gravity,
        periodic,
        periodic_span,
        groups,
        walls,
        pistons,
        forces,
        contact,
        stages,
        record,
    })
}

/// Reads the packing to start from.
fn start(path: &At<String>, grains: usize, files: Files) -> Result<Start, Fault> {
    let At { value, span } = path;
    let cannot = |why: String| {
        Fault::at(span, format!("{} {why}", shortened(value, 64))).help(
            "a checkpoint.hg of a run, or a packing.hg of `hardgrain lab packing`; the path is relative to the scene",
        )
    };
    let bytes = files(value).map_err(cannot)?;
    // A few kilobytes for each grain; what claims more is damaged.
    let limit = (grains as u64 + 1024) * 4096;
    let state = checkpoint::decode_packing(&bytes, limit).map_err(|why| cannot(why.to_string()))?;
    Ok(Start { path: value.clone(), state, span: span.clone() })
}

/// A vector that is zero where it was not given.
pub(crate) fn optional(given: Option<Result<Place, Fault>>) -> Result<Place, Fault> {
    given.unwrap_or(Ok([0.0; 3]))
}
