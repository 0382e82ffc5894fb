//! From what was typed to what it means.

mod arrange;
mod names;
mod numerics;
mod parts;
mod record;
mod settings;
mod stages;
mod table;
mod whole;

use super::at::At;
use super::fault::{Fault, Source, shortened};
use super::plan::{Scene, Start};
use super::read::{FORMAT, ReadFile};
use super::typed;
use super::values::{count, need, or, vector};
use crate::checkpoint;
use names::{Named, Names};
use settings::SceneParts;
pub(crate) use stages::MOST_STEPS;

/// Checks a scene.
pub(crate) fn check(typed: &typed::SceneTable, source: &Source, files: ReadFile) -> Result<Scene, Fault> {
    // Keys of the whole scene that are missing are missing at its first letter.
    let top = 0..0;
    let format = need(&typed.format, "format", &top, "1")?;
    count("format", format, FORMAT)?;
    let dimension = need(&typed.dimension, "dimension", &top, "2")?;
    let axes = usize::try_from(count("dimension", dimension, 3)?).expect("1, 2 or 3");
    let seed = typed.seed.as_ref().map_or(0, |seed| seed.value.0);
    if let Some(path) = typed.start.as_ref().filter(|_| typed.grains.is_empty()) {
        return whole::check(typed, (source, axes, seed), start(path, None, files)?);
    }
    let gravity = or(&typed.gravity, [0.0; 3], |gravity| vector("gravity", gravity, axes))?;
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
        names.add_group(&grains.value.label, group.count)?;
        groups.push(group);
    }
    let walls = typed.walls.iter().map(|wall| parts::wall(wall, axes)).collect::<Result<Vec<_>, _>>()?;
    names.add_all(typed.walls.iter().map(|wall| &wall.value.label), Named::Wall)?;
    let pistons = typed.pistons.iter().map(|piston| parts::piston(piston, axes)).collect::<Result<Vec<_>, _>>()?;
    names.add_all(typed.pistons.iter().map(|piston| &piston.value.label), Named::Piston)?;
    names.add_all(typed.forces.iter().map(|force| &force.value.label), Named::Force)?;
    let forces = typed.forces.iter().map(|force| parts::force(force, &names, axes)).collect::<Result<Vec<_>, _>>()?;
    let contact = parts::contact(typed, &groups, &walls, &pistons)?;
    let parts = SceneParts { names: &names, pistons: &pistons, contact: &contact, axes };
    let stages = stages::stages(typed, &parts)?;
    let record = record::record(typed, &names, axes)?;
    let periodic_span = typed.cell.as_ref().map_or(top, |cell| cell.span.clone());
    let count = groups.iter().map(|group| group.count).sum();
    let start = typed.start.as_ref().map(|path| start(path, Some(count), files)).transpose()?;
    Ok(Scene {
        start,
        source: source.clone(),
        title: title(typed),
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

/// The title of a scene.
fn title(typed: &typed::SceneTable) -> String {
    typed.title.as_ref().map_or(String::new(), |title| shortened(&title.value, 200))
}

/// Reads the packing to start from. `grains` is their number if the scene describes them.
fn start(path: &At<String>, grains: Option<usize>, files: ReadFile) -> Result<Start, Fault> {
    let At { value, span } = path;
    let cannot = |why: String| {
        Fault::at(span, format!("{} {why}", shortened(value, 64))).help(
            "a checkpoint.hg of a run, or a packing.hg of `hardgrain lab packing`; the path is relative to the scene",
        )
    };
    let bytes = files(value).map_err(cannot)?;
    // A few kilobytes for each grain, or a thousand times what there is in the file; what claims more is damaged.
    let limit = grains.map_or(bytes.len() as u64 * 1000, |grains| grains as u64 * 4096) + (1 << 22);
    let state = checkpoint::decode_packing(&bytes, limit).map_err(|why| cannot(why.to_string()))?;
    Ok(Start { path: value.clone(), state, is_whole: grains.is_none(), span: span.clone() })
}
