//! Groups of grains: each arrangement with just the keys it needs.

use super::table::{table, text};
use crate::scene::at::{At, Span};
use crate::scene::distribution::Radii;
use crate::scene::fault::{Fault, shortened};
use crate::scene::number::Count;
use crate::scene::plan::{
    Arrangement, GridPlan, Group, LARGEST_PACKING, LatticePlan, LoosePlan, MassPlan, RingPlan, RotationPlan, RowPlan,
};
use crate::scene::read::ReadFile;
use crate::scene::typed::{self, Table};
use crate::scene::values::{AXES, between, count, label, missing, need, or, positive, positive_value, spin, vector};
use crate::scene::words::{ArrangeWord, LatticeWord, MotionWord};
use hardgrain::Motion;

/// Checks a group.
pub(crate) fn group(typed: &At<typed::GrainsTable>, axes: usize, read: ReadFile) -> Result<Group, Fault> {
    let At { value: grains, span } = typed;
    let radii = grains.radius.as_ref().map(Radii::check).transpose()?;
    let weight = match (&grains.mass, &grains.density) {
        (Some(mass), Some(_)) => {
            return Err(Fault::at(&mass.span, "mass and density are both given").help("keep one of them"));
        }
        (Some(mass), None) => MassPlan::Mass(positive("mass", mass)?),
        (None, Some(density)) => MassPlan::Density(positive("density", density)?),
        (None, None) => MassPlan::Density(1.0),
    };
    let (motion, rotation) = motion(grains, axes)?;
    let arrange =
        need(&grains.arrange, "arrange", span, "{ kind = \"row\", count = 50, first = [0.5], spacing = [1.0] }")?;
    let (arrangement, count) = arrangement(arrange, axes, radii.as_ref(), read)?;
    let has_radii =
        matches!(&arrangement, Arrangement::File(_, rows) if rows.iter().all(|(_, radius)| radius.is_some()));
    match (&grains.radius, has_radii) {
        (None, false) => {
            return Err(missing("radius", span, "0.5"));
        }
        (Some(radius), true) => {
            return Err(Fault::at(&radius.span, "the file has radii already").help("remove the key or the column"));
        }
        _ => {}
    }
    Ok(Group {
        label: or(&grains.label, String::new(), |typed| label("label", typed))?,
        count,
        radii,
        weight,
        velocity: or(&grains.velocity, [0.0; 3], |velocity| vector("velocity", velocity, axes))?,
        spin: or(&grains.spin, [0.0; 3], |typed| spin("spin", typed, axes))?,
        motion,
        rotation,
        material: or(&grains.material, String::new(), |typed| label("material", typed))?,
        overlap_allowed: or(&grains.overlap_allowed, 1e-6, |typed| between("overlap_allowed", typed, 0.0, 0.5))?,
        arrangement,
        span: arrange.span.clone(),
        radius_span: grains.radius.as_ref().map_or(span.clone(), |radius| radius.span.clone()),
    })
}

fn motion(grains: &typed::GrainsTable, axes: usize) -> Result<(Motion, Option<RotationPlan>), Fault> {
    let motion = grains.motion.as_ref().map_or(Motion::Free, |motion| motion.value.into());
    if motion == Motion::Fixed {
        let moving =
            grains.velocity.as_ref().map(|typed| &typed.span).or(grains.spin.as_ref().map(|typed| &typed.span));
        if let Some(span) = moving {
            let help = "motion = \"prescribed\" keeps a velocity whatever touches the grain";
            return Err(Fault::at(span, "fixed grains do not move").help(help));
        }
    }
    let Some(typed) = &grains.rotation else { return Ok((motion, None)) };
    if let Some(given) = grains.motion.as_ref().filter(|given| given.value != MotionWord::Prescribed) {
        let message = "a rotation is a prescribed motion";
        return Err(Fault::at(&given.span, message).help("motion = \"prescribed\", or leave it out"));
    }
    for (given, name) in [(&grains.velocity, "velocity"), (&grains.spin, "spin")] {
        if let Some(given) = given {
            let message = format!("the rotation says how these grains move; {name} would not count");
            return Err(Fault::at(&given.span, message).help("keep one of them"));
        }
    }
    let centre = vector("centre", need(&typed.value.centre, "centre", &typed.span, "[0.0, 0.0]")?, axes)?;
    let rate = spin("rate", need(&typed.value.rate, "rate", &typed.span, "0.1")?, axes)?;
    Ok((Motion::Prescribed, Some(RotationPlan { centre, rate })))
}

/// An arrangement and how many grains it has.
fn arrangement(
    typed: &At<typed::ArrangeTable>,
    axes: usize,
    radii: Option<&Radii>,
    read: ReadFile,
) -> Result<(Arrangement, usize), Fault> {
    let At { value: arrange, span } = typed;
    let kind = need(&arrange.kind, "kind", span, "\"row\"")?.value;
    only_its_own(arrange, kind)?;
    match kind {
        ArrangeWord::Row => {
            let first = vector("first", need(&arrange.first, "first", span, "[0.5]")?, axes)?;
            let count = many(need(&arrange.count, "count", span, "50")?)?;
            let spacing = match &arrange.spacing {
                Some(spacing) => vector("spacing", spacing, axes)?,
                None if count == 1 => [0.0; 3],
                None => return Err(missing("spacing", span, "[1.0]")),
            };
            Ok((Arrangement::Row(RowPlan { first, spacing }), count))
        }
        ArrangeWord::Grid => {
            let (counts, total) = counts(arrange, span, axes)?;
            let first = vector("first", need(&arrange.first, "first", span, "[0.5, 0.5]")?, axes)?;
            let spacing = vector("spacing", need(&arrange.spacing, "spacing", span, "[1.0, 1.0]")?, axes)?;
            Ok((Arrangement::Grid(GridPlan { counts, first, spacing }), total))
        }
        ArrangeWord::Lattice => lattice(arrange, span, axes, radii),
        ArrangeWord::Loose => {
            let count = many(need(&arrange.count, "count", span, "1000")?)?;
            loose(arrange, span, axes, radii).map(|loose| (Arrangement::Loose(loose), count))
        }
        ArrangeWord::Ring => {
            if axes == 1 {
                return Err(Fault::at(span, "there is no ring on a line").help("dimension = 2"));
            }
            let count = many(need(&arrange.count, "count", span, "60")?)?;
            let centre = vector("centre", need(&arrange.centre, "centre", span, "[0.0, 0.0]")?, axes)?;
            let radius = positive("radius", need(&arrange.radius, "radius", span, "10.0")?)?;
            Ok((Arrangement::Ring(RingPlan { centre, radius }), count))
        }
        ArrangeWord::File => {
            let path = need(&arrange.path, "path", span, "\"grains.csv\"")?;
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
fn only_its_own(arrange: &typed::ArrangeTable, kind: ArrangeWord) -> Result<(), Fault> {
    use ArrangeWord::{File, Grid, Lattice, Loose, Ring, Row};
    let keys: [(&str, &[ArrangeWord]); 10] = [
        ("count", &[Row, Loose, Ring]),
        ("counts", &[Grid, Lattice]),
        ("first", &[Row, Grid, Lattice]),
        ("spacing", &[Row, Grid, Lattice]),
        ("lattice", &[Lattice]),
        ("lower", &[Loose]),
        ("upper", &[Loose]),
        ("centre", &[Ring]),
        ("radius", &[Ring]),
        ("path", &[File]),
    ];
    let (own, other): (Vec<_>, Vec<_>) = keys.into_iter().partition(|(_, kinds)| kinds.contains(&kind));
    match other.iter().find_map(|(key, _)| arrange.span_of(key).map(|span| (key, span))) {
        None => Ok(()),
        Some((key, span)) => {
            let name = format!("{kind:?}").to_lowercase();
            let own: Vec<&str> = own.iter().map(|(key, _)| *key).collect();
            let message = format!("`{key}` does not belong to the kind {name}");
            Err(Fault::at(span, message).help(format!("{name} has: kind, {}", own.join(", "))))
        }
    }
}

/// How many grains.
fn many(typed: &At<Count>) -> Result<usize, Fault> {
    let at_least_one = At { value: Count::<1>(typed.value.0), span: typed.span.clone() };
    let number = count("count", &at_least_one, LARGEST_PACKING as u64)?;
    Ok(usize::try_from(number).expect("not more than the largest packing"))
}

fn counts(arrange: &typed::ArrangeTable, span: &Span, axes: usize) -> Result<([usize; 3], usize), Fault> {
    let typed = need(&arrange.counts, "counts", span, "[10, 8]")?;
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
    arrange: &typed::ArrangeTable,
    span: &Span,
    axes: usize,
    radii: Option<&Radii>,
) -> Result<(Arrangement, usize), Fault> {
    let typed = need(&arrange.lattice, "lattice", span, "\"triangular\"")?;
    let (plan, wanted) = match typed.value {
        LatticeWord::Square => (LatticePlan::Square, 2),
        LatticeWord::Triangular => (LatticePlan::Triangular, 2),
        LatticeWord::Fcc => (LatticePlan::Fcc, 3),
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
    let first = vector("first", need(&arrange.first, "first", span, "[0.5, 0.5]")?, axes)?;
    let distance = match (&arrange.spacing, radii) {
        (Some(spacing), _) => match spacing.value.0[..] {
            [distance] => positive_value("spacing", distance, &spacing.span)?,
            _ => {
                return Err(Fault::at(&spacing.span, "spacing of a lattice is one number: the distance of neighbours"));
            }
        },
        (None, Some(radii)) => 2.0 * radii.largest(),
        (None, None) => 1.0,
    };
    let spacing = [distance; 3];
    Ok((Arrangement::Lattice(GridPlan { counts, first, spacing }, plan), total))
}

fn loose(arrange: &typed::ArrangeTable, span: &Span, axes: usize, radii: Option<&Radii>) -> Result<LoosePlan, Fault> {
    let lower = vector("lower", need(&arrange.lower, "lower", span, "[0.0, 0.0]")?, axes)?;
    let typed = need(&arrange.upper, "upper", span, "[10.0, 10.0]")?;
    let upper = vector("upper", typed, axes)?;
    let needed = radii.map_or(0.0, |radii| 2.0 * radii.largest());
    for (axis, name) in AXES.iter().enumerate().take(axes) {
        let room = upper[axis] - lower[axis];
        if !room.is_finite() || room < needed {
            let message = format!("the bounds leave {room} along {name}; the largest grain needs {needed}");
            return Err(Fault::at(&typed.span, message).help("move upper and lower apart"));
        }
    }
    Ok(LoosePlan { lower, upper })
}
