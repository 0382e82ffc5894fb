//! The first half of a step: the free velocities and the contact problem.

use crate::dimension::Dimension;
use crate::error::Failure;
use crate::packing::{Motion, Packing, Pair, Remembered, recall};
use crate::part::{Part, number};
use crate::problem::{Body, Contact, Impulse, Problem, Row};
use crate::threads::{BLOCK, Threads, first_of};
use crate::vector::Components;

/// The shock law: what a contact does about an existing overlap.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Shock {
    /// The paper's quasi-inelastic shock, s = g⁺/h: the overlap does not grow.
    #[default]
    QuasiInelastic,
    /// The overlap is removed within a step, s = g/h. This gains energy.
    FullGap,
}

/// predict: the free velocities, v_free = v + h (f/m + g).
///
/// # Errors
/// The first number that is not finite.
pub fn predict<D: Dimension>(
    packing: &Packing<D>,
    step: f64,
    bodies: &mut Vec<Body<D>>,
    threads: &Threads,
) -> Result<(), Failure> {
    bodies.resize(packing.grains.len(), Body::default());
    let blocks = packing.grains.chunks(BLOCK).zip(bodies.chunks_mut(BLOCK));
    threads.try_each(blocks, |(block, (grains, bodies))| {
        for ((grain, body), number) in grains.iter().zip(bodies).zip(first_of(block)..) {
            let (inverse_mass, inverse_inertia) = (grain.inverse_mass(), grain.inverse_inertia());
            let (velocity, spin) = match grain.motion {
                Motion::Free => (grain.velocity + (grain.force * inverse_mass + packing.gravity) * step, grain.spin),
                Motion::Fixed => (D::Vector::default(), D::Spin::default()),
                Motion::Prescribed => (grain.velocity, grain.spin),
            };
            let place = Part::Grain(number);
            finite("position", place, grain.position.as_slice())?;
            finite("velocity", place, velocity.as_slice())?;
            finite("spin", place, spin.as_slice())?;
            *body = Body { velocity, spin, inverse_mass, inverse_inertia };
        }
        Ok(())
    })?;
    for (piston, number) in packing.pistons.iter().zip(0..) {
        let inverse_mass = 1.0 / piston.mass;
        let speed = piston.speed + step * (piston.force * inverse_mass + packing.gravity.dot(piston.normal));
        finite("speed", Part::Piston(number), &[speed])?;
        bodies.push(Body { velocity: piston.normal * speed, inverse_mass, ..Body::default() });
    }
    for (wall, number) in packing.walls.iter().zip(0..) {
        finite("velocity", Part::Wall(number), wall.velocity.as_slice())?;
        bodies.push(Body { velocity: wall.velocity, ..Body::default() });
    }
    Ok(())
}

#[inline]
pub(crate) fn finite(what: &'static str, place: Part, values: &[f64]) -> Result<(), Failure> {
    if values.iter().all(|value| value.is_finite()) { Ok(()) } else { Err(Failure::NotFinite { what, place }) }
}

/// freeze: turns the pairs into rows of a problem, with the reactions of the last step as the first guess.
pub struct Freeze<'a, D: Dimension> {
    /// The packing at the beginning of the step.
    pub packing: &'a Packing<D>,
    /// The time step h.
    pub step: f64,
    /// The shock law.
    pub shock: Shock,
    /// Whether the reactions of the last step are the first guess.
    pub warm_start: bool,
    /// What shares the work; it changes no bit.
    pub threads: &'a Threads,
}

/// A contact that bounces in this step.
#[derive(Clone, Copy, Debug)]
pub struct Bounce {
    row: usize,
    // The energy that the closing step dissipated.
    taken: f64,
}

impl<D: Dimension> Freeze<'_, D> {
    /// Replaces the rows of the problem, whose bodies are there. `was_loaded` receives for each pair whether the last step remembered it.
    pub fn freeze(
        &self,
        pairs: &[Pair<D>],
        problem: &mut Problem<D>,
        bounces: &mut Vec<Bounce>,
        was_loaded: &mut Vec<bool>,
    ) {
        let Problem { bodies, rows, .. } = problem;
        rows.resize(pairs.len(), Row::default());
        self.threads.each(rows.chunks_mut(BLOCK).zip(pairs.chunks(BLOCK)), |(_, (rows, pairs))| {
            rows.iter_mut().zip(pairs).for_each(|(row, pair)| self.row(pair, bodies, row));
        });
        bounces.clear();
        was_loaded.clear();
        was_loaded.resize(pairs.len(), false);
        recall(pairs.iter().map(|pair| &pair.identity), &self.packing.memory, |index, remembered| {
            was_loaded[index] = true;
            self.warm_start(&pairs[index], remembered, &mut rows[index]);
            if remembered.approach.dot(pairs[index].normal) < 0.0 {
                bounces.push(Bounce { row: index, taken: remembered.taken });
            }
        });
    }

    /// The row of a new contact.
    #[inline(always)]
    fn row(&self, pair: &Pair<D>, bodies: &[Body<D>], row: &mut Row<D>) {
        let first = pair.identity.first;
        let second_number = self.packing.body(pair.identity.second());
        let (a, b) = (&bodies[first as usize], &bodies[second_number]);
        let [first_arm, second_arm] = self.packing.arms(pair.identity, pair.gap);
        let [w_n, w_t] = Contact::compliances([first_arm, second_arm], a, b);
        row.first = first;
        row.second = number(second_number);
        row.impulse = Impulse::default();
        row.contact = Contact {
            normal: pair.normal,
            first_arm,
            second_arm,
            normal_mass: 1.0 / w_n,
            // 0 where no tangential impulse can move either body, as for a fixed grain under a piston.
            tangent_mass: if w_t > 0.0 { 1.0 / w_t } else { 0.0 },
            target: self.shock.target(pair.gap, self.step),
            friction: self.packing.surface(pair.identity).friction,
        };
    }

    /// Takes over from the last step: the reaction as the first guess and, if the gap has just closed, the bounce.
    fn warm_start(&self, pair: &Pair<D>, known: &Remembered<D>, row: &mut Row<D>) {
        let approach = known.approach.dot(pair.normal);
        if approach < 0.0 {
            row.contact.target = self.packing.surface(pair.identity).restitution * approach;
        }
        if self.warm_start {
            let tangent = D::turned(known.reaction.tangent, pair.normal) * self.step;
            row.impulse = Impulse { normal: known.reaction.normal * self.step, tangent };
        }
    }
}

/// Slows down bounces that would return more energy than their closing dissipated. Returns whether there were any.
///
/// Between two bodies alone that never happens, with e ≤ 1. But if one of them is hit by a third in the same step, reversing
/// the old approach pushes all three apart, and Newton's law would gain energy. A contact with the speed u before and b
/// after the bounce does the work M (b² − u²)/2, with the mass M that it moves; so b² = u² + (b² − u²) taken/given.
pub fn limit_bounces<D: Dimension>(problem: &mut Problem<D>, bounces: &[Bounce], velocities: &[Body<D>]) -> bool {
    let mut limited = false;
    for bounce in bounces {
        let given = problem.normal_work(bounce.row, velocities);
        let [first, second] = problem.ends(bounce.row, &problem.bodies);
        let row = &mut problem.rows[bounce.row];
        let before = row.contact.relative_velocity(&first, &second).0;
        let (u, b) = (before * before, row.contact.target * row.contact.target);
        // A relative excess of 1e-9 is rounding.
        if given > bounce.taken * (1.0 + 1e-9) && b > u {
            row.contact.target = -(u + (b - u) * bounce.taken / given).sqrt();
            limited = true;
        }
    }
    limited
}

impl Shock {
    /// s: the speed at which a gap may close.
    fn target(self, gap: f64, step: f64) -> f64 {
        match self {
            Self::QuasiInelastic => gap.max(0.0) / step,
            Self::FullGap => gap / step,
        }
    }
}
