//! The motion of grains, pistons and walls: one pass reads them from the packing, and one writes them back.

use crate::dimension::Dimension;
use crate::error::{Failure, InputError};
use crate::packing::{Motion, Packing};
use crate::part::Part;
use crate::problem::Body;
use crate::soft::forces::Tally;
use crate::soft::placed::{Leap, Passage, Placed, VelocityAndSpin, Wrench};
use crate::soft::stable::{Worst, before_contact, with_contacts};
use crate::soft::{Integrator, SoftGrains};
use crate::step::finite;
use crate::threads::BLOCK;
use crate::vector::Components;

impl<D: Dimension> SoftGrains<D> {
    /// Reads everything from the packing and applies kick and drift to the copy. Invalid input is refused.
    pub(super) fn read_and_leap(&mut self, packing: &Packing<D>, leap: Leap) -> Result<Passage, Failure> {
        let (grains, others) = (packing.grains.len(), packing.pistons.len() + packing.walls.len());
        let known = self.bodies.len() == grains + others;
        self.bodies.resize(grains + others, Placed::default());
        self.forces.wrenches.resize(grains + packing.pistons.len(), Wrench::default());
        let Self { threads, bodies, forces, seen, .. } = self;
        let (bodies, boundaries) = bodies.split_at_mut(grains);
        let (wrenches, pistons) = forces.wrenches.split_at(grains);
        let blocks = packing.grains.chunks(BLOCK).zip(wrenches.chunks(BLOCK)).zip(bodies.chunks_mut(BLOCK));
        threads.each_into(seen, blocks, |(_, ((grains, wrenches), bodies))| {
            let mut passage = Passage::default();
            for ((grain, wrench), placed) in grains.iter().zip(wrenches).zip(bodies) {
                if !placed.is(grain) {
                    passage.touched = true;
                    placed.read(grain);
                }
                if grain.motion == Motion::Fixed {
                    placed.set_motion(VelocityAndSpin::<D>::default());
                } else {
                    let mut motion = (grain.velocity, grain.spin);
                    if leap.kick > 0.0 {
                        motion = placed.kicked(motion, wrench, (grain.force, packing.gravity), leap.kick);
                    }
                    placed.set_motion(motion);
                    placed.position += placed.body.velocity * leap.drift;
                }
                if !packing.cell.is_inside(placed.position) {
                    placed.wrap(&packing.cell);
                    passage.crossed = true;
                }
                passage.see::<D>((placed.body.velocity, placed.body.spin));
            }
            (0.0, passage)
        });
        let mut passage =
            seen.iter().fold(Passage { touched: !known, ..Passage::default() }, |all, (_, own)| all.and(*own));
        passage.touched |= !read_boundaries(packing, boundaries);
        leap_boundaries(packing, boundaries, pistons, leap);
        for placed in &*boundaries {
            passage.see::<D>((placed.body.velocity, placed.body.spin));
        }
        passage.fastest = passage.fastest.sqrt();
        // The full check names what is wrong; it costs more than the step.
        if passage.infinite || passage.touched || packing.step == 0 {
            packing.check_parts()?;
            self.name_the_infinite(packing)?;
            self.worst = Worst::find(packing);
        }
        Ok(passage)
    }

    /// Names the number that is not finite.
    fn name_the_infinite(&self, packing: &Packing<D>) -> Result<(), Failure> {
        for (placed, place) in self.bodies.iter().zip(packing.parts()) {
            finite("velocity", place, &[placed.body.velocity.length_squared()])?;
            finite("spin", place, &[placed.body.spin.length_squared()])?;
            finite("position", place, &[placed.position.length_squared()])?;
        }
        Ok(())
    }

    /// Refuses forces that cannot be integrated: because the step is too long for the springs that act, or because they
    /// overflow.
    pub(super) fn check_forces(&self, packing: &Packing<D>, tally: &Tally) -> Result<(), Failure> {
        if !self.allow_unstable {
            let before = before_contact::<D>(&self.springs, self.worst);
            let pistons = (&*self.forces.pistons, &*packing.pistons);
            let largest = before.min(with_contacts(&self.springs, self.worst, pistons, tally.overlap_max));
            if self.time_step > largest {
                return Err(InputError::Unstable { step: self.time_step, largest }.into());
            }
        }
        // The sum of all reactions bounds each of them, and so what they do in a step.
        let quick = self.time_step / self.worst.mass.min(1.0) / self.worst.radius.min(1.0);
        let gained = tally.load * quick;
        if (gained * gained + tally.power * tally.power).is_finite() {
            return Ok(());
        }
        let largest = self.forces.memory.iter().find(|known| {
            let size = known.reaction.length_squared();
            // It may still be finite, but what it does in a step is not: a guard against overflow in any units.
            size.is_nan() || size > 1e200
        });
        let place = largest.map_or(Part::Grain(0), |known| Part::Grain(known.identity.first));
        Err(Failure::NotFinite { what: "reaction", place })
    }

    /// Lets everything leap for the rest of the step, writes it back and returns the kinetic energy.
    pub(super) fn leap_and_write(&mut self, packing: &mut Packing<D>) -> f64 {
        let h = self.time_step;
        let leap = match self.integrator {
            Integrator::VelocityVerlet => Leap { kick: 0.5 * h, drift: 0.0 },
            Integrator::SemiImplicitEuler => Leap { kick: h, drift: h },
        };
        let Self { threads, bodies, forces, list, seen, .. } = self;
        let (bodies, boundaries) = bodies.split_at_mut(packing.grains.len());
        let (wrenches, pistons) = forces.wrenches.split_at(packing.grains.len());
        let (cell, gravity) = (packing.cell, packing.gravity);
        let blocks = packing.grains.chunks_mut(BLOCK).zip(wrenches.chunks(BLOCK)).zip(bodies.chunks_mut(BLOCK));
        threads.each_into(seen, blocks, |(_, ((grains, wrenches), bodies))| {
            let (mut energy, mut passage) = (0.0, Passage::default());
            for ((grain, wrench), placed) in grains.iter_mut().zip(wrenches).zip(bodies) {
                let motion = (placed.body.velocity, placed.body.spin);
                let motion = placed.kicked(motion, wrench, (grain.force, gravity), leap.kick);
                if leap.drift > 0.0 {
                    placed.position += motion.0 * leap.drift;
                    if !cell.is_inside(placed.position) {
                        placed.wrap(&cell);
                        passage.crossed = true;
                    }
                    passage.see::<D>(motion);
                }
                energy += placed.write(motion, grain, h);
            }
            (energy, passage)
        });
        leap_boundaries(packing, boundaries, pistons, leap);
        let (mut energy, mut passage) = (0.0, Passage::default());
        for (own, seen) in &*seen {
            energy += own;
            passage = passage.and(*seen);
        }
        for placed in &*boundaries {
            passage.see::<D>((placed.body.velocity, placed.body.spin));
        }
        list.moved(passage.fastest.sqrt() * leap.drift, passage.crossed);
        for (piston, placed) in packing.pistons.iter_mut().zip(&*boundaries) {
            piston.speed = placed.body.velocity.dot(piston.normal);
            piston.point = placed.position;
            energy += 0.5 * piston.mass * piston.speed * piston.speed;
        }
        for (wall, placed) in packing.walls.iter_mut().zip(&boundaries[packing.pistons.len()..]) {
            wall.point = placed.position;
        }
        std::mem::swap(&mut *packing.memory, &mut forces.memory);
        self.left = Some(packing.memory.version()).filter(|_| !packing.memory.is_empty());
        packing.step += 1;
        packing.time += h;
        energy
    }
}

/// Reads pistons and walls from the packing; returns whether they are where they were left.
fn read_boundaries<D: Dimension>(packing: &Packing<D>, bodies: &mut [Placed<D>]) -> bool {
    let (pistons, walls) = bodies.split_at_mut(packing.pistons.len());
    let mut untouched = true;
    for (placed, piston) in pistons.iter_mut().zip(&packing.pistons) {
        untouched &= placed.position == piston.point && placed.mass == piston.mass;
        let body = Body { velocity: piston.velocity(), inverse_mass: 1.0 / piston.mass, ..Body::default() };
        *placed = Placed { position: piston.point, mass: piston.mass, body, ..Placed::default() };
    }
    for (placed, wall) in walls.iter_mut().zip(&packing.walls) {
        untouched &= placed.position == wall.point;
        let body = Body { velocity: wall.velocity, ..Body::default() };
        *placed = Placed { position: wall.point, body, ..Placed::default() };
    }
    untouched
}

/// Pistons move along their normals, walls as prescribed.
fn leap_boundaries<D: Dimension>(packing: &Packing<D>, bodies: &mut [Placed<D>], pistons: &[Wrench<D>], leap: Leap) {
    for ((placed, wrench), piston) in bodies.iter_mut().zip(pistons).zip(&packing.pistons).filter(|_| leap.kick > 0.0) {
        let force = wrench.force.dot(piston.normal) + piston.force;
        let acceleration = force * placed.body.inverse_mass + packing.gravity.dot(piston.normal);
        placed.body.velocity += piston.normal * (acceleration * leap.kick);
    }
    for placed in bodies {
        placed.position += placed.body.velocity * leap.drift;
    }
}
