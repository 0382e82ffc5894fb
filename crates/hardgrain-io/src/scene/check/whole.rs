//! Scenes without grains of their own: the packing that they start from brings all of itself.

use super::names::{Named, Names};
use super::settings::SceneParts;
use super::{record, stages, title};
use crate::scene::at::Span;
use crate::scene::fault::{Fault, Source};
use crate::scene::plan::{
    Arrangement, ContactPlan, Group, Load, MassPlan, PistonPlan, RecordPlan, Scene, StagePlan, Start, WallPlan,
};
use crate::scene::typed::{self, Table};
use crate::scene::values::is_label;
use crate::state::triple;
use hardgrain::{Dimension, Grain, Packing, in_dimension};

/// Keys that describe what the packing brings, and what a stage can set of it.
const BROUGHT: [(&str, &str); 5] = [
    ("gravity", "; a stage can set it"),
    ("cell", ""),
    ("walls", "; a stage can set their velocities"),
    ("pistons", "; a stage can set their forces, masses and speeds"),
    ("forces", ""),
];

/// Checks a scene whose grains, walls and pistons all come from the packing that it starts from.
pub(crate) fn check(
    typed: &typed::SceneTable,
    (source, axes, seed): (&Source, usize, u64),
    start: Start,
) -> Result<Scene, Fault> {
    if let Some((key, set, span)) = BROUGHT.iter().find_map(|(key, set)| Some((key, set, span_of(typed, key)?))) {
        return Err(Fault::at(span, format!("`{key}` comes with the packing, as this scene describes no grains"))
            .help(format!("remove it{set}. Or describe the grains as well, in [[grains]]")));
    }
    let contact = typed.contact.as_ref().map(|contact| &contact.value);
    let surface = contact.and_then(|contact| contact.span_of("friction").or(contact.span_of("restitution")));
    if let Some(span) = surface.or(contact.and_then(|contact| contact.pairs.first()).map(|pair| &pair.span)) {
        return Err(Fault::at(
            span,
            "friction and restitution come with the packing, as this scene describes no grains",
        )
        .help("remove them; stages can change them. Or describe the grains as well, in [[grains]]"));
    }
    in_dimension!(axes, D => {
        let Some(packing) = start.state.packing::<D>() else {
            let message = format!("this packing has another dimension than {axes}, or is damaged");
            return Err(Fault::at(&start.span, message).help("dimension = 1, 2 or 3, as it was made"));
        };
        if packing.grains.is_empty() {
            return Err(Fault::at(&start.span, "this packing has no grains").help("add at least one"));
        }
        scene(typed, (source, seed), start, &packing)
    })
}

fn span_of<'a>(typed: &'a typed::SceneTable, key: &str) -> Option<&'a Span> {
    match key {
        "walls" => typed.walls.first().map(|wall| &wall.span),
        "pistons" => typed.pistons.first().map(|piston| &piston.span),
        "forces" => typed.forces.first().map(|force| &force.span),
        "cell" => typed.cell.as_ref().map(|cell| &cell.span),
        _ => typed.gravity.as_ref().map(|gravity| &gravity.span),
    }
}

fn scene<D: Dimension>(
    typed: &typed::SceneTable,
    (source, seed): (&Source, u64),
    start: Start,
    packing: &Packing<D>,
) -> Result<Scene, Fault> {
    let span = &start.span;
    let (groups, walls, pistons) = (groups(packing, span), walls(packing, span), pistons(packing, span));
    let contact = ContactPlan { surface: packing.materials.default_surface(), pairs: Vec::new() };
    let names = names(&groups, &walls, &pistons);
    let (stages, record): (Vec<StagePlan>, RecordPlan) = {
        let parts = SceneParts { names: &names, pistons: &pistons, contact: &contact, axes: D::AXES };
        (stages::stages(typed, &parts)?, record::record(typed, &names, D::AXES)?)
    };
    let cell = &packing.cell;
    let period = |(axis, width): (usize, f64)| (axis, cell.lower(axis), cell.lower(axis) + width);
    Ok(Scene {
        source: source.clone(),
        title: title(typed),
        dimension: D::AXES,
        seed,
        gravity: triple(packing.gravity),
        periodic: cell.periodic_axes().map(period).collect(),
        periodic_span: span.clone(),
        start: Some(start),
        groups,
        walls,
        pistons,
        forces: Vec::new(),
        contact,
        stages,
        record,
    })
}

/// Successive grains with the same label that move in the same way.
fn groups<D: Dimension>(packing: &Packing<D>, span: &Span) -> Vec<Group> {
    let alike = |one: &Grain<D>, other: &Grain<D>| one.label == other.label && one.motion == other.motion;
    let group = |grains: &[Grain<D>]| Group {
        label: packing.labels.name(grains[0].label).to_owned(),
        count: grains.len(),
        radii: None,
        weight: MassPlan::Mass(grains[0].mass),
        velocity: [0.0; 3],
        spin: [0.0; 3],
        motion: grains[0].motion,
        rotation: None,
        material: String::new(),
        overlap_allowed: 0.0,
        arrangement: Arrangement::Start,
        span: span.clone(),
        radius_span: span.clone(),
    };
    packing.grains.chunk_by(alike).map(group).collect()
}

fn walls<D: Dimension>(packing: &Packing<D>, span: &Span) -> Vec<WallPlan> {
    let plan = |wall: &hardgrain::Wall<D>| WallPlan {
        label: packing.labels.name(wall.label).to_owned(),
        point: triple(wall.point),
        normal: triple(wall.normal),
        velocity: triple(wall.velocity),
        material: String::new(),
        span: span.clone(),
    };
    packing.walls.iter().map(plan).collect()
}

fn pistons<D: Dimension>(packing: &Packing<D>, span: &Span) -> Vec<PistonPlan> {
    let plan = |piston: &hardgrain::Piston<D>| PistonPlan {
        label: packing.labels.name(piston.label).to_owned(),
        point: triple(piston.point),
        normal: triple(piston.normal),
        mass: piston.mass,
        load: Load::Force(piston.force),
        speed: piston.speed,
        material: String::new(),
        span: span.clone(),
    };
    packing.pistons.iter().map(plan).collect()
}

/// The names that columns and stages may use: labels, as a scene could have them, that belong to one group, wall or piston alone.
fn names(groups: &[Group], walls: &[WallPlan], pistons: &[PistonPlan]) -> Names {
    let mut all: Vec<(&str, Named)> = Vec::new();
    let mut first = 0;
    for group in groups {
        all.push((&group.label, Named::Group(first..first + group.count)));
        first += group.count;
    }
    all.extend(walls.iter().enumerate().map(|(number, wall)| (wall.label.as_str(), Named::Wall(number))));
    all.extend(pistons.iter().enumerate().map(|(number, piston)| (piston.label.as_str(), Named::Piston(number))));
    let is_alone = |name: &str| is_label(name) && all.iter().filter(|(known, _)| *known == name).count() == 1;
    Names::new(all.iter().filter(|(name, _)| is_alone(name)).map(|(name, named)| ((*name).to_owned(), named.clone())))
}
