//! The second half of a step: loaded contacts are remembered, bodies move, and the result is measured.

use crate::dimension::Dimension;
use crate::error::Failure;
use crate::packing::{Motion, Packing, Pair, Remembered};
use crate::part::Part;
use crate::problem::{Body, NEGLIGIBLE, Problem};
use crate::step::freeze::finite;
use crate::threads::{BLOCK, Threads, first_of};
use crate::tuning::StepTuning;
use crate::vector::Components;

/// Rejects velocities, energies and positions that are not finite before anything moves.
///
/// # Errors
/// The first such number.
pub fn check_motion<D: Dimension>(
    packing: &Packing<D>,
    velocities: &[Body<D>],
    step: f64,
    threads: &Threads,
) -> Result<(), Failure> {
    let (grains, boundaries) = velocities.split_at(packing.grains.len());
    let blocks = packing.grains.chunks(BLOCK).zip(grains.chunks(BLOCK));
    // No grain may have more than the largest energy over their number: then the sum is finite, too.
    let count = packing.grains.len() as f64;
    threads.try_each(blocks, |(block, (grains, bodies))| {
        for ((grain, body), number) in grains.iter().zip(bodies).zip(first_of(block)..) {
            let place = Part::Grain(number);
            let (velocity, spin) = (body.velocity.length_squared(), body.spin.length_squared());
            let energy = 0.5 * (grain.mass * velocity + grain.inertia() * spin);
            finite("velocity", place, &[velocity, count * energy])?;
            finite("spin", place, &[spin * step * step])?;
            finite("position", place, (grain.position + body.velocity * step).as_slice())?;
        }
        Ok(())
    })?;
    for ((place, point, _), body) in packing.boundaries().zip(boundaries) {
        finite("velocity", place, &[body.velocity.length_squared()])?;
        finite("position", place, (point + body.velocity * step).as_slice())?;
    }
    Ok(())
}

/// remember: stores the loaded contacts with their reactions. A contact that has just closed keeps the velocity of its approach for the
/// bounce in the next step. `was_loaded` holds for each pair whether the last step remembered it.
pub fn remember<D: Dimension>(
    packing: &mut Packing<D>,
    pairs: &[Pair<D>],
    problem: &Problem<D>,
    velocities: &[Body<D>],
    (step, rest_speed): (f64, f64),
    was_loaded: &[bool],
) {
    // The new memory reuses the allocation of the old one.
    let mut memory = packing.memory.take();
    memory.clear();
    for (((pair, row), &was_loaded), index) in pairs.iter().zip(&problem.rows).zip(was_loaded).zip(0..) {
        if row.impulse.normal <= 0.0 {
            continue;
        }
        let negligible = NEGLIGIBLE * problem.rounding(index);
        if row.impulse.normal <= negligible {
            continue;
        }
        // Filled in place: a copy from the stack would stall.
        memory.push(Remembered::default());
        let new = memory.last_mut().expect("just pushed");
        (new.identity, new.normal, new.gap) = (pair.identity, pair.normal, pair.gap);
        new.reaction = row.impulse * (1.0 / step);
        if packing.surface(pair.identity).restitution > 0.0 {
            let mut before = velocity_before(packing, pair);
            if let Some(surface) = problem.surface_velocities.get(index) {
                before += *surface;
            }
            let [first, second] = problem.ends(index, velocities);
            let now = second.velocity - first.velocity;
            let (speed, closing) = (before.dot(pair.normal), now.dot(pair.normal));
            let slack = StepTuning::DEFAULT.closed * step * speed.abs();
            let old = was_loaded && pair.gap <= slack;
            let closed = pair.gap + closing * step <= slack;
            let fast = -speed > rest_speed && -speed * row.contact.normal_mass > negligible;
            if closed && !old && fast {
                new.approach = approach::<D>(pair.normal, before, closing);
                new.taken = (-problem.normal_work(index, velocities)).max(0.0);
            }
        }
    }
    packing.memory = memory.into();
}

/// The relative velocity of the parts of a pair before the step.
fn velocity_before<D: Dimension>(packing: &Packing<D>, pair: &Pair<D>) -> D::Vector<f64> {
    let second = match pair.identity.second() {
        Part::Grain(index) => packing.grains[index as usize].velocity,
        Part::Piston(index) => packing.pistons[index as usize].velocity(),
        Part::Wall(index) => packing.walls[index as usize].velocity,
    };
    second - packing.grains[pair.identity.first as usize].velocity
}

/// The velocity of the approach, its tangential part scaled by the fraction of the approach that the closing step left.
///
/// A collision takes two steps and the normal turns by δ ~ h u_t/d in between. With impulses a along the old normal and
/// b along the new one, the energy changes by 2 δ u_t (f |u_n| − a) to first order, where f is the fraction of the old normal
/// in the approach that b reverses. So the change vanishes for f = a/|u_n|, the fraction that the first step has removed.
fn approach<D: Dimension>(normal: D::Vector<f64>, before: D::Vector<f64>, closing: f64) -> D::Vector<f64> {
    let speed = before.dot(normal);
    let along_normal = normal * speed;
    along_normal + (before - along_normal) * (closing / speed).clamp(0.0, 1.0)
}

/// move: x ← x + h v with the new velocities (semi-implicit Euler).
pub fn advance<D: Dimension>(packing: &mut Packing<D>, velocities: &[Body<D>], step: f64, threads: &Threads) {
    let (bodies, boundaries) = velocities.split_at(packing.grains.len());
    let Packing { grains, cell, .. } = packing;
    threads.each(grains.chunks_mut(BLOCK).zip(bodies.chunks(BLOCK)), |(_, (grains, bodies))| {
        for (grain, body) in grains.iter_mut().zip(bodies) {
            grain.velocity = body.velocity;
            grain.spin = body.spin;
            if grain.motion != Motion::Fixed {
                grain.position += body.velocity * step;
                grain.orientation = D::rotated(grain.orientation, body.spin, step);
                cell.wrap(&mut grain.position, &mut grain.turns);
            }
        }
    });
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

/// The largest overlap of all pairs and the mean overlap of the contacts at the present positions. Contacts are among the pairs.
pub fn overlaps<D: Dimension>(packing: &Packing<D>, pairs: &[Pair<D>]) -> (f64, f64) {
    let mut contacts = packing.memory.iter().peekable();
    let (mut largest, mut sum) = (0.0_f64, 0.0);
    for pair in pairs {
        let overlap = (-packing.touch(pair.identity).gap).max(0.0);
        largest = largest.max(overlap);
        if contacts.next_if(|known| known.identity == pair.identity).is_some() {
            sum += overlap;
        }
    }
    (largest, sum / packing.memory.len().max(1) as f64)
}

/// The length of the packing in grains: its largest extent between outermost surfaces over the mean diameter.
pub fn span<D: Dimension>(packing: &Packing<D>) -> f64 {
    let mut diameters = 0.0;
    let mut range = [(f64::INFINITY, f64::NEG_INFINITY); 3];
    for grain in &packing.grains {
        diameters += 2.0 * grain.radius;
        for ((low, high), place) in range.iter_mut().zip(grain.position.as_slice()) {
            (*low, *high) = (low.min(place - grain.radius), high.max(place + grain.radius));
        }
    }
    let longest = range[..D::AXES].iter().map(|(low, high)| high - low).fold(0.0, f64::max);
    longest * packing.grains.len() as f64 / diameters
}
