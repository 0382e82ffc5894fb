//! The second half of a step: what the reactions do to the packing, and what the step says of itself.

use crate::contact::{Pair, Part, Remembered, recall};
use crate::dimension::Dimension;
use crate::error::Failure;
use crate::freeze::{fastest, finite, surface};
use crate::grain::Motion;
use crate::law::Body;
use crate::neighbour::{Neighbours, gap};
use crate::packing::Packing;
use crate::problem::Problem;
use crate::vector::Components;

/// Refuses velocities and positions that are not numbers, before anything has moved.
pub(crate) fn check_motion<D: Dimension>(
    packing: &Packing<D>,
    velocities: &[Body<D>],
    step: f64,
) -> Result<(), Failure> {
    let (grains, boundaries) = velocities.split_at(packing.grains.len());
    for ((grain, body), number) in packing.grains.iter().zip(grains).zip(0..) {
        finite("velocity", Part::Grain(number), body.velocity.as_slice())?;
        finite("spin", Part::Grain(number), (body.spin * step).as_slice())?;
        finite("position", Part::Grain(number), (grain.position + body.velocity * step).as_slice())?;
    }
    for ((piston, body), number) in packing.pistons.iter().zip(boundaries).zip(0..) {
        finite("velocity", Part::Piston(number), body.velocity.as_slice())?;
        finite("position", Part::Piston(number), (piston.point + body.velocity * step).as_slice())?;
    }
    Ok(())
}

/// remember: the loaded contacts with their reactions. One that has just closed keeps the speed at which its parts
/// came, for the bounce in the next step; one that has opened is forgotten.
pub(crate) fn remember<D: Dimension>(
    packing: &mut Packing<D>,
    pairs: &[Pair<D>],
    problem: &Problem<D>,
    step: f64,
    rest_speed: f64,
) {
    let mut known = vec![false; pairs.len()];
    recall(pairs, &packing.memory, |index, _| known[index] = true);
    // Two grains that keep their distance push each other with nothing or with a rounding error. The difference must
    // not decide whether they have met before.
    let rounding = 1e-12 * fastest(&problem.bodies);
    let mut memory = Vec::with_capacity(packing.memory.len());
    for ((pair, row), known) in pairs.iter().zip(&problem.rows).zip(known) {
        if row.impulse.normal > rounding * row.contact.normal_mass {
            let came = if known { 0.0 } else { approach(packing, pair) };
            let bounces = came < -rest_speed && surface(packing, pair.identity).restitution > 0.0;
            let approach = if bounces { came } else { 0.0 };
            memory.push(Remembered { identity: pair.identity, reaction: row.impulse.times(1.0 / step), approach });
        }
    }
    packing.memory = memory;
}

/// The normal velocity of a pair before the step: below 0 when the two come closer.
fn approach<D: Dimension>(packing: &Packing<D>, pair: &Pair<D>) -> f64 {
    let second = match pair.identity.second {
        Part::Grain(index) => packing.grains[index as usize].velocity,
        Part::Piston(index) => packing.pistons[index as usize].velocity(),
        Part::Wall(index) => packing.walls[index as usize].velocity,
    };
    pair.normal.dot(second - packing.grains[pair.identity.first as usize].velocity)
}

/// move: x ← x + h v with the new velocities (semi-implicit Euler).
pub(crate) fn advance<D: Dimension>(packing: &mut Packing<D>, velocities: &[Body<D>], step: f64) {
    let (grains, boundaries) = velocities.split_at(packing.grains.len());
    for (grain, body) in packing.grains.iter_mut().zip(grains) {
        grain.velocity = body.velocity;
        grain.spin = body.spin;
        if grain.motion != Motion::Fixed {
            grain.position += body.velocity * step;
            grain.orientation = D::rotated(grain.orientation, body.spin, step);
            packing.cell.wrap(&mut grain.position, &mut grain.turns);
        }
    }
    for (piston, body) in packing.pistons.iter_mut().zip(boundaries) {
        piston.speed = body.velocity.dot(piston.normal);
        piston.point += body.velocity * step;
    }
    for wall in &mut packing.walls {
        wall.point += wall.velocity * step;
    }
    packing.step += 1;
    packing.time += step;
}

/// Largest and mean overlap of the contacts where the grains are now.
pub(crate) fn overlaps<D: Dimension>(packing: &Packing<D>, pairs: &[Pair<D>], problem: &Problem<D>) -> (f64, f64) {
    let (mut largest, mut sum, mut contacts) = (0.0_f64, 0.0, 0_usize);
    for (pair, row) in pairs.iter().zip(&problem.rows) {
        let overlap = (-gap(packing, pair.identity)).max(0.0);
        largest = largest.max(overlap);
        if row.impulse.normal > 0.0 {
            sum += overlap;
            contacts += 1;
        }
    }
    (largest, sum / contacts.max(1) as f64)
}

/// Pairs that overlap now though they were not among those looked at. Only grains faster than the margin allowed for
/// can have met unseen, so most steps need no second search.
pub(crate) fn missed<D: Dimension>(
    packing: &Packing<D>,
    velocities: &[Body<D>],
    pairs: &[Pair<D>],
    margin: f64,
    step: f64,
) -> usize {
    if 2.0 * fastest(velocities) * step <= margin {
        return 0;
    }
    let mut overlapping = Vec::new();
    if Neighbours::default().detect(packing, 0.0, &mut overlapping).is_err() {
        // Two centres coincide: the next step refuses them by name.
        return 1;
    }
    let unseen = |pair: &&Pair<D>| pairs.binary_search_by_key(&pair.identity, |seen| seen.identity).is_err();
    overlapping.iter().filter(unseen).count()
}

/// How many grains long the packing is: its largest extent between the outermost surfaces over the mean diameter.
pub(crate) fn span<D: Dimension>(packing: &Packing<D>) -> f64 {
    let diameters: f64 = packing.grains.iter().map(|grain| 2.0 * grain.radius).sum();
    let extent = |axis: usize| {
        let mut range = (f64::INFINITY, f64::NEG_INFINITY);
        for grain in &packing.grains {
            let place = grain.position.as_slice()[axis];
            range = (range.0.min(place - grain.radius), range.1.max(place + grain.radius));
        }
        range.1 - range.0
    };
    let longest = (0..D::AXES).map(extent).fold(0.0, f64::max);
    longest * packing.grains.len() as f64 / diameters
}
