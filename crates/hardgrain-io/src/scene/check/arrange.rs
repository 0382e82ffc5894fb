//! Groups of grains: each arrangement with just the keys it needs.

use super::{Files, optional};
use crate::scene::at::{At, Count, Span};
use crate::scene::distribution::Radii;
use crate::scene::fault::{Fault, shortened};
use crate::scene::place::{LARGEST_PACKING, table, text};
use crate::scene::things::{Arrangement, Grid, Group, LatticePlan, Loose, Ring, Rotation, Row, Weight};
use crate::scene::typed::{self, ArrangeKind, LatticeKind};
use crate::scene::values::{between, count, label, need, positive, spin, vector};
use hardgrain::Motion;

/// Makes sense of a group.
pub(crate) fn group(typed: &At<typed::Grains>, axes: usize, read: Files) -> Result<Group, Fault> {
    let At { value: grains, span } = typed;
    let radii = grains.radius.as_ref().map(Radii::check).transpose()?;
    let weight = match (&grains.mass, &grains.density) {
        (Some(mass), Some(_)) => {
            return Err(Fault::at(&mass.span, "mass and density are both given").help("keep one of them"));
        }
        (Some(mass), None) => Weight::Mass(positive("mass", mass)?),
        (None, Some(density)) => Weight::Density(positive("density", density)?),
        (None, None) => Weight::Density(1.0),
    };
    let (motion, rotation) = motion(grains, axes)?;
    let arrange = need(
        grains.arrange.as_ref(),
        "arrange",
        span,
        "{ kind = \"row\", count = 50, first = [0.5], spacing = [1.0] }",
    )?;
    let (arrangement, count) = arrangement(arrange, axes, radii.as_ref(), read)?;
    let has_radii =
        matches!(&arrangement, Arrangement::File(_, rows) if rows.iter().all(|(_, radius)| radius.is_some()));
    match (&grains.radius, has_radii) {
        (None, false) => {
            return need(grains.radius.as_ref(), "radius", span, "0.5").map(|_| unreachable!("it is missing"));
        }
        (Some(radius), true) => {
            return Err(Fault::at(&radius.span, "the file has radii already").help("remove the key or the column"));
        }
        _ => {}
    }
    Ok(Group {
        label: grains.label.as_ref().map_or(Ok(String::new()), |typed| label("label", typed))?,
        count,
        radii,
        weight,
        velocity: optional(grains.velocity.as_ref().map(|velocity| vector("velocity", velocity, axes)))?,
        spin: optional(grains.spin.as_ref().map(|typed| spin("spin", typed, axes)))?,
        motion,
        rotation,
        material: grains.material.as_ref().map_or(Ok(String::new()), |typed| label("material", typed))?,
        overlap_allowed: grains
            .overlap_allowed
            .as_ref()
            .map_or(Ok(1e-6), |typed| between("overlap_allowed", typed, 0.0, 0.5))?,
        arrangement,
        span: arrange.span.clone(),
        radius_span: grains.radius.as_ref().map_or(span.clone(), |radius| radius.span.clone()),
    })
}

fn motion(grains: &typed::Grains, axes: usize) -> Result<(Motion, Option<Rotation>), Fault> {
    let motion = match grains.motion.as_ref().map(|motion| motion.value) {
        Some(typed::Motion::Fixed) => Motion::Fixed,
        Some(typed::Motion::Prescribed) => Motion::Prescribed,
        Some(typed::Motion::Free) | None => Motion::Free,
    };
    if motion == Motion::Fixed {
        let moving =
            grains.velocity.as_ref().map(|typed| &typed.span).or(grains.spin.as_ref().map(|typed| &typed.span));
        if let Some(span) = moving {
            let help = "motion = \"prescribed\" keeps a velocity whatever touches the grain";
            return Err(Fault::at(span, "fixed grains do not move").help(help));
        }
    }
    let Some(typed) = &grains.rotation else { return Ok((motion, None)) };
    if let Some(given) = grains.motion.as_ref().filter(|given| given.value != typed::Motion::Prescribed) {
        let message = "a rotation is a prescribed motion";
        return Err(Fault::at(&given.span, message).help("motion = \"prescribed\", or leave it out"));
    }
    for (given, name) in [(&grains.velocity, "velocity"), (&grains.spin, "spin")] {
        if let Some(given) = given {
            let message = format!("the rotation says how these grains move; {name} would not count");
            return Err(Fault::at(&given.span, message).help("keep one of them"));
        }
    }
    let centre = vector("centre", need(typed.value.centre.as_ref(), "centre", &typed.span, "[0.0, 0.0]")?, axes)?;
    let rate = spin("rate", need(typed.value.rate.as_ref(), "rate", &typed.span, "0.1")?, axes)?;
    Ok((Motion::Prescribed, Some(Rotation { centre, rate })))
}

/// An arrangement and how many grains it has.
fn arrangement(
    typed: &At<typed::Arrange>,
    axes: usize,
    radii: Option<&Radii>,
    read: Files,
) -> Result<(Arrangement, usize), Fault> {
    let At { value: arrange, span } = typed;
    let kind = need(arrange.kind.as_ref(), "kind", span, "\"row\"")?.value;
    only_its_own(arrange, kind)?;
    match kind {
        ArrangeKind::Row => {
            let first = vector("first", need(arrange.first.as_ref(), "first", span, "[0.5]")?, axes)?;
            let count = many(need(arrange.count.as_ref(), "count", span, "50")?)?;
            let spacing = match &arrange.spacing {
                Some(spacing) => vector("spacing", spacing, axes)?,
                None if count == 1 => [0.0; 3],
                None => {
                    return need(arrange.spacing.as_ref(), "spacing", span, "[1.0]")
                        .map(|_| unreachable!("it is missing"));
                }
            };
            Ok((Arrangement::Row(Row { first, spacing }), count))
        }
        ArrangeKind::Grid => {
            let (counts, total) = counts(arrange, span, axes)?;
            let first = vector("first", need(arrange.first.as_ref(), "first", span, "[0.5, 0.5]")?, axes)?;
            let spacing = vector("spacing", need(arrange.spacing.as_ref(), "spacing", span, "[1.0, 1.0]")?, axes)?;
            Ok((Arrangement::Grid(Grid { counts, first, spacing }), total))
        }
        ArrangeKind::Lattice => lattice(arrange, span, axes, radii),
        ArrangeKind::Loose => {
            let count = many(need(arrange.count.as_ref(), "count", span, "1000")?)?;
            loose(arrange, span, axes, radii).map(|loose| (Arrangement::Loose(loose), count))
        }
        ArrangeKind::Ring => {
            if axes == 1 {
                return Err(Fault::at(span, "there is no ring on a line").help("dimension = 2"));
            }
            let count = many(need(arrange.count.as_ref(), "count", span, "60")?)?;
            let centre = vector("centre", need(arrange.centre.as_ref(), "centre", span, "[0.0, 0.0]")?, axes)?;
            let radius = positive("radius", need(arrange.radius.as_ref(), "radius", span, "10.0")?)?;
            Ok((Arrangement::Ring(Ring { centre, radius }), count))
        }
        ArrangeKind::File => {
            let path = need(arrange.path.as_ref(), "path", span, "\"grains.csv\"")?;
            let cannot = |why: String| {
                let message = format!("{}: {}", shortened(&path.value, 80), shortened(&why, 150));
                Fault::at(&path.span, message).help("a CSV file with the columns x, y, z and radius, as many as needed")
            };
            let rows = read(&path.value).and_then(text).and_then(|text| table(&text, axes)).map_err(cannot)?;
            let count = rows.len();
            Ok((Arrangement::File(path.value.clone(), rows), count))
        }
    }
}

/// Refuses keys that belong to other arrangements.
fn only_its_own(arrange: &typed::Arrange, kind: ArrangeKind) -> Result<(), Fault> {
    use ArrangeKind::{File, Grid, Lattice, Loose, Ring, Row};
    let span = |key: Option<&Span>| key.cloned();
    let keys: [(&str, Option<Span>, &[ArrangeKind]); 10] = [
        ("count", span(arrange.count.as_ref().map(|at| &at.span)), &[Row, Loose, Ring]),
        ("counts", span(arrange.counts.as_ref().map(|at| &at.span)), &[Grid, Lattice]),
        ("first", span(arrange.first.as_ref().map(|at| &at.span)), &[Row, Grid, Lattice]),
        ("spacing", span(arrange.spacing.as_ref().map(|at| &at.span)), &[Row, Grid, Lattice]),
        ("lattice", span(arrange.lattice.as_ref().map(|at| &at.span)), &[Lattice]),
        ("lower", span(arrange.lower.as_ref().map(|at| &at.span)), &[Loose]),
        ("upper", span(arrange.upper.as_ref().map(|at| &at.span)), &[Loose]),
        ("centre", span(arrange.centre.as_ref().map(|at| &at.span)), &[Ring]),
        ("radius", span(arrange.radius.as_ref().map(|at| &at.span)), &[Ring]),
        ("path", span(arrange.path.as_ref().map(|at| &at.span)), &[File]),
    ];
    let name = |kind: ArrangeKind| format!("{kind:?}").to_lowercase();
    for (key, place, kinds) in &keys {
        if let Some(place) = place
            && !kinds.contains(&kind)
        {
            let own: Vec<&str> =
                keys.iter().filter(|(_, _, kinds)| kinds.contains(&kind)).map(|(key, ..)| *key).collect();
            let message = format!("`{key}` does not belong to the kind {}", name(kind));
            return Err(Fault::at(place, message).help(format!("{} has: kind, {}", name(kind), own.join(", "))));
        }
    }
    Ok(())
}

/// How many grains.
fn many(typed: &At<Count>) -> Result<usize, Fault> {
    let number = count("count", typed, 1, LARGEST_PACKING as u64)?;
    Ok(usize::try_from(number).expect("not more than the largest packing"))
}

fn counts(arrange: &typed::Arrange, span: &Span, axes: usize) -> Result<([usize; 3], usize), Fault> {
    let typed = need(arrange.counts.as_ref(), "counts", span, "[10, 8]")?;
    if typed.value.len() != axes {
        let message = format!("counts has {} numbers; in dimension {axes} it has {axes}", typed.value.len());
        return Err(Fault::at(&typed.span, message).help(format!("[{}]", vec!["10"; axes].join(", "))));
    }
    let mut all = [1; 3];
    for (one, typed) in all.iter_mut().zip(&typed.value) {
        *one = many(typed)?;
    }
    let total = all.iter().try_fold(1_usize, |product, &count| product.checked_mul(count));
    match total.filter(|&total| total <= LARGEST_PACKING) {
        Some(total) => Ok((all, total)),
        None => Err(too_many(&typed.span)),
    }
}

fn too_many(span: &Span) -> Fault {
    Fault::at(span, format!("more than {LARGEST_PACKING} grains")).help("that is more than this program takes")
}

fn lattice(
    arrange: &typed::Arrange,
    span: &Span,
    axes: usize,
    radii: Option<&Radii>,
) -> Result<(Arrangement, usize), Fault> {
    let typed = need(arrange.lattice.as_ref(), "lattice", span, "\"triangular\"")?;
    let (plan, wanted) = match typed.value {
        LatticeKind::Square => (LatticePlan::Square, 2),
        LatticeKind::Triangular => (LatticePlan::Triangular, 2),
        LatticeKind::Fcc => (LatticePlan::Fcc, 3),
    };
    if wanted != axes {
        let help = "square and triangular lie in the plane, fcc in space; rows and grids anywhere";
        return Err(Fault::at(&typed.span, format!("this lattice has dimension {wanted}, not {axes}")).help(help));
    }
    let (counts, cells) = counts(arrange, span, axes)?;
    let total = if plan == LatticePlan::Fcc { cells.saturating_mul(4) } else { cells };
    if total > LARGEST_PACKING {
        return Err(too_many(span));
    }
    let first = vector("first", need(arrange.first.as_ref(), "first", span, "[0.5, 0.5]")?, axes)?;
    let distance = match (&arrange.spacing, radii) {
        (Some(spacing), _) => match spacing.value.0[..] {
            [distance] => crate::scene::values::positive_value("spacing", distance, &spacing.span)?,
            _ => {
                return Err(Fault::at(&spacing.span, "spacing of a lattice is one number: the distance of neighbours"));
            }
        },
        (None, Some(radii)) => 2.0 * radii.largest(),
        (None, None) => 1.0,
    };
    let spacing = [distance; 3];
    Ok((Arrangement::Lattice(Grid { counts, first, spacing }, plan), total))
}

fn loose(arrange: &typed::Arrange, span: &Span, axes: usize, radii: Option<&Radii>) -> Result<Loose, Fault> {
    let lower = vector("lower", need(arrange.lower.as_ref(), "lower", span, "[0.0, 0.0]")?, axes)?;
    let typed = need(arrange.upper.as_ref(), "upper", span, "[10.0, 10.0]")?;
    let upper = vector("upper", typed, axes)?;
    let needed = radii.map_or(0.0, |radii| 2.0 * radii.largest());
    for (axis, name) in crate::scene::values::AXES.iter().enumerate().take(axes) {
        let room = upper[axis] - lower[axis];
        if !room.is_finite() || room < needed {
            let message = format!("the bounds leave {room} along {name}; the largest grain needs {needed}");
            return Err(Fault::at(&typed.span, message).help("move upper and lower apart"));
        }
    }
    Ok(Loose { lower, upper })
}
