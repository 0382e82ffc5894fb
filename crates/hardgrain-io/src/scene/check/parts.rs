//! Walls, pistons, forces, the cell, friction.

use super::names::Names;
use crate::scene::at::{At, May, Span};
use crate::scene::column::Subject;
use crate::scene::fault::Fault;
use crate::scene::number::{NotNegative, Scalar};
use crate::scene::plan::{ContactPlan, ForcePlan, Group, Load, PairPlan, PistonPlan, WallPlan};
use crate::scene::typed::{self, Table};
use crate::scene::values::{AXES, between, direction, finite, known, label, need, not_negative, or, positive, vector};
use hardgrain::Surface;

/// The periodic axes: which, from, to.
pub(crate) fn periodic(scene: &typed::SceneTable, axes: usize) -> Result<Vec<(usize, f64, f64)>, Fault> {
    let Some(cell) = &scene.cell else { return Ok(Vec::new()) };
    let ranges = need(&cell.value.periodic, "periodic", &cell.span, "{ x = [0.0, 20.0] }")?;
    let typed = [&ranges.value.x, &ranges.value.y, &ranges.value.z];
    let mut periodic = Vec::new();
    for (axis, typed) in typed.into_iter().enumerate() {
        let Some(range) = typed else { continue };
        if axis >= axes {
            let message = format!("in dimension {axes} there is no axis {}", AXES[axis]);
            return Err(Fault::at(&range.span, message).help("remove it"));
        }
        match range.value.0[..] {
            [lower, upper] if lower.is_finite() && (upper - lower).is_finite() && upper > lower => {
                periodic.push((axis, lower, upper));
            }
            _ => {
                let message = "a periodic axis has two finite numbers: from where to where, the smaller one first";
                return Err(Fault::at(&range.span, message).help(format!("{} = [0.0, 20.0]", AXES[axis])));
            }
        }
    }
    Ok(periodic)
}

fn name(typed: &May<String>, what: &str) -> Result<String, Fault> {
    or(typed, String::new(), |typed| label(what, typed))
}

/// Checks a wall.
pub(crate) fn wall(typed: &At<typed::WallTable>, axes: usize) -> Result<WallPlan, Fault> {
    let At { value: wall, span } = typed;
    Ok(WallPlan {
        label: name(&wall.label, "label")?,
        point: vector("point", need(&wall.point, "point", span, "[0.0, 0.0]")?, axes)?,
        normal: direction("normal", need(&wall.normal, "normal", span, "[0.0, 1.0]")?, axes)?,
        velocity: or(&wall.velocity, [0.0; 3], |velocity| vector("velocity", velocity, axes))?,
        material: name(&wall.material, "material")?,
        span: span.clone(),
    })
}

/// Checks a piston.
pub(crate) fn piston(typed: &At<typed::PistonTable>, axes: usize) -> Result<PistonPlan, Fault> {
    let At { value: piston, span } = typed;
    Ok(PistonPlan {
        label: name(&piston.label, "label")?,
        point: vector("point", need(&piston.point, "point", span, "[0.0, 10.0]")?, axes)?,
        normal: direction("normal", need(&piston.normal, "normal", span, "[0.0, -1.0]")?, axes)?,
        mass: positive("mass", need(&piston.mass, "mass", span, "1.0")?)?,
        load: load(piston, axes)?,
        speed: or(&piston.speed, 0.0, |speed| finite("speed", speed))?,
        material: name(&piston.material, "material")?,
        span: span.clone(),
    })
}

fn load(piston: &typed::PistonTable, axes: usize) -> Result<Load, Fault> {
    let area = piston.area.as_ref().map(|area| positive("area", area)).transpose()?;
    match (&piston.force, &piston.pressure) {
        (Some(_), Some(pressure)) => {
            Err(Fault::at(&pressure.span, "force and pressure are both given").help("keep one of them"))
        }
        (None, Some(pressure)) => {
            // On a line a pressure is a force.
            let area = if axes == 1 { area.or(Some(1.0)) } else { area };
            Ok(Load::Pressure { pressure: finite("pressure", pressure)?, area })
        }
        (force, None) => {
            if let Some(area) = &piston.area {
                return Err(Fault::at(&area.span, "an area belongs to a pressure").help("pressure = 0.1, or remove it"));
            }
            or(force, 0.0, |force| finite("force", force)).map(Load::Force)
        }
    }
}

/// Checks a force.
pub(crate) fn force(typed: &At<typed::ForceTable>, names: &Names, axes: usize) -> Result<ForcePlan, Fault> {
    let At { value: force, span } = typed;
    let on = need(&force.on, "on", span, "\"chain[-1]\"")?;
    let Subject::Grains(grains) = names.subject(&on.value, &on.span)? else {
        let message = format!("`{}` is no group of grains", on.value);
        return Err(Fault::at(&on.span, message).help("a piston has its own key `force`; a wall answers to none"));
    };
    let value = vector("value", need(&force.value, "value", span, "[0.0, -0.1]")?, axes)?;
    Ok(ForcePlan { label: name(&force.label, "label")?, on: grains, value })
}

/// Checks Coulomb's coefficient.
pub(crate) fn friction(typed: &At<NotNegative>) -> Result<f64, Fault> {
    let friction = not_negative("friction", typed)?;
    if friction > Surface::FRICTION_MAX {
        let message = format!("friction must be {:e} or less, not {friction:e}", Surface::FRICTION_MAX);
        return Err(Fault::at(&typed.span, message).help("0.5, or 1e6 for contacts that never slide"));
    }
    Ok(friction)
}

/// Checks Newton's coefficient.
pub(crate) fn restitution(typed: &At<Scalar>) -> Result<f64, Fault> {
    between("restitution", typed, 0.0, 1.0)
}

/// Checks friction and restitution.
pub(crate) fn contact(
    scene: &typed::SceneTable,
    groups: &[Group],
    walls: &[WallPlan],
    pistons: &[PistonPlan],
) -> Result<ContactPlan, Fault> {
    let Some(At { value: contact, .. }) = &scene.contact else {
        return Ok(ContactPlan { surface: Surface::default(), pairs: Vec::new() });
    };
    let surface = Surface {
        friction: or(&contact.friction, Surface::default().friction, friction)?,
        restitution: or(&contact.restitution, Surface::default().restitution, restitution)?,
    };
    let named = |label: &str, material: &str| [label.to_owned(), material.to_owned()];
    let mut names: Vec<String> = groups.iter().flat_map(|group| named(&group.label, &group.material)).collect();
    names.extend(walls.iter().flat_map(|wall| named(&wall.label, &wall.material)));
    names.extend(pistons.iter().flat_map(|piston| named(&piston.label, &piston.material)));
    names.retain(|name| !name.is_empty());
    names.sort_unstable();
    names.dedup();
    let mut pairs: Vec<PairPlan> = Vec::new();
    for At { value: pair, span } in &contact.pairs {
        let between = two(pair, span, &names)?;
        let swapped = [between[1].clone(), between[0].clone()];
        if pairs.iter().any(|known| known.between == between || known.between == swapped) {
            let message = format!("the pair {} and {} is given twice", between[0], between[1]);
            return Err(Fault::at(span, message).help("keep one of them"));
        }
        let keys = ["friction", "restitution", "stiffness", "damping"];
        if keys.iter().all(|key| pair.span_of(key).is_none()) {
            return Err(Fault::at(span, "this pair says nothing").help("friction = 0.3"));
        }
        pairs.push(PairPlan {
            between,
            friction: pair.friction.as_ref().map(friction).transpose()?,
            restitution: pair.restitution.as_ref().map(restitution).transpose()?,
            stiffness: pair.stiffness.as_ref().map(|typed| positive("stiffness", typed)).transpose()?,
            damping: pair.damping.as_ref().map(|typed| not_negative("damping", typed)).transpose()?,
        });
    }
    Ok(ContactPlan { surface, pairs })
}

fn two(pair: &typed::PairTable, span: &Span, names: &[String]) -> Result<[String; 2], Fault> {
    let typed = need(&pair.between, "between", span, "[\"discs\", \"left\"]")?;
    let [first, second] = &typed.value[..] else {
        let message = format!("a pair is between two names, not {}", typed.value.len());
        return Err(Fault::at(&typed.span, message).help("[\"discs\", \"left\"]; a name may meet itself"));
    };
    for name in [first, second] {
        if !names.contains(&name.value) {
            return Err(known("label or material", &name.value, &name.span, names.iter().map(String::as_str)));
        }
    }
    Ok([first.value.clone(), second.value.clone()])
}
