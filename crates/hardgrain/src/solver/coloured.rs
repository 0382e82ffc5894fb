//! The coloured order: contacts of one [colour](super::colours) share no grain, so eight of them are relaxed abreast, with the bits that
//! one after the other would give.

use super::colours::Colours;
use crate::dimension::Dimension;
use crate::lanes::{Abreast, Eight, LANES, Path, Work};
use crate::law::{Body, Contact, Impulse};
use crate::problem::{Problem, Row};
use crate::vector::Components;

/// Workspace of the coloured order.
#[derive(Clone, Debug)]
pub(super) struct Coloured<D: Dimension> {
    pub(super) path: Path,
    colours: Colours,
    batches: Vec<Batch<D>>,
    // Velocity and spin of each body, in so many slots; and of one more, which lanes without a contact are between.
    numbers: Vec<f64>,
}

impl<D: Dimension> Default for Coloured<D> {
    fn default() -> Self {
        Self { path: Path::best(), colours: Colours::default(), batches: Vec::new(), numbers: Vec::new() }
    }
}

/// Eight contacts of one colour: which, between which bodies, their laws and impulses, and how easily the bodies move: 1/m and 1/I of the
/// first and second.
#[derive(Clone, Copy, Debug)]
struct Batch<D: Dimension> {
    contacts: [u32; LANES],
    bodies: [[u32; LANES]; 2],
    law: Contact<D, Eight>,
    impulse: Impulse<D, Eight>,
    ease: [[Eight; 2]; 2],
}

/// No contact.
const NONE: u32 = u32::MAX;

/// As many as a register can gather at once: 1, 3 and 6 numbers on a line, in the plane and in space.
const fn slots<D: Dimension>() -> usize {
    match D::AXES {
        1 => 1,
        2 => 4,
        _ => 8,
    }
}

impl<D: Dimension> Coloured<D> {
    /// Gathers a problem, and the velocities with all impulses in them.
    pub(super) fn start(&mut self, problem: &Problem<D>, bodies: &[Body<D>]) {
        self.colours.find(problem);
        self.batches.clear();
        for colour in &self.colours.free {
            for contacts in colour.chunks(LANES) {
                self.batches.push(Batch::of(problem, contacts));
            }
        }
        self.read(bodies);
    }

    /// Takes velocities over.
    pub(super) fn read(&mut self, bodies: &[Body<D>]) {
        let slots = slots::<D>();
        self.numbers.clear();
        self.numbers.resize((bodies.len() + 1) * slots, 0.0);
        for (own, body) in self.numbers.chunks_exact_mut(slots).zip(bodies) {
            put(own, body);
        }
    }

    /// Puts the impulses back into the rows.
    pub(super) fn write(&self, rows: &mut [Row<D>]) {
        for batch in &self.batches {
            for (lane, &contact) in batch.contacts.iter().enumerate() {
                if contact != NONE {
                    let tangent = batch.impulse.tangent.as_slice();
                    rows[contact as usize].impulse = Impulse {
                        normal: batch.impulse.normal.0[lane],
                        tangent: D::Tangent::from_fn(|axis| tangent[axis].0[lane]),
                    };
                }
            }
        }
    }

    /// One sweep: colour by colour, then the contacts that are visited alone, whose impulses are in the rows.
    pub(super) fn sweep(&mut self, rows: &mut [Row<D>], bodies: &[Body<D>]) {
        let Self { path, colours, batches, numbers } = self;
        path.go(Sweep { batches, numbers });
        for &contact in &colours.alone {
            let row = &mut rows[contact as usize];
            let own = [row.first as usize, row.second as usize].map(|body| body * slots::<D>());
            let [mut first, mut second] = [(own[0], row.first), (own[1], row.second)]
                .map(|(start, body)| get(&numbers[start..start + slots::<D>()], &bodies[body as usize]));
            let impulse = row.contact.relax(row.impulse, &first, &second);
            row.contact.push(impulse.since(row.impulse), &mut first, &mut second);
            row.impulse = impulse;
            put(&mut numbers[own[0]..own[0] + slots::<D>()], &first);
            put(&mut numbers[own[1]..own[1] + slots::<D>()], &second);
        }
    }
}

/// Writes velocity and spin into the slots of a body.
#[inline(always)]
fn put<D: Dimension>(own: &mut [f64], body: &Body<D>) {
    let moves = body.velocity.as_slice().iter().chain(body.spin.as_slice());
    own.iter_mut().zip(moves).for_each(|(slot, number)| *slot = *number);
}

/// A body with velocity and spin from its slots.
#[inline(always)]
fn get<D: Dimension>(own: &[f64], body: &Body<D>) -> Body<D> {
    Body { velocity: D::Vector::from_fn(|axis| own[axis]), spin: D::Spin::from_fn(|axis| own[D::AXES + axis]), ..*body }
}

impl<D: Dimension> Batch<D> {
    fn of(problem: &Problem<D>, contacts: &[u32]) -> Self {
        let nobody = u32::try_from(problem.bodies.len()).expect("fewer bodies than 2^32");
        let mut batch = Self {
            contacts: [NONE; LANES],
            bodies: [[nobody; LANES]; 2],
            law: Contact::default(),
            impulse: Impulse::default(),
            ease: Default::default(),
        };
        for (lane, &contact) in contacts.iter().enumerate() {
            let Row { first, second, contact: law, impulse } = &problem.rows[contact as usize];
            batch.contacts[lane] = contact;
            let into = &mut batch.law;
            scatter::<D::Vector<Eight>, D::Vector<f64>>(&mut into.normal, &law.normal, lane);
            scatter::<D::Tangent<Eight>, D::Tangent<f64>>(&mut batch.impulse.tangent, &impulse.tangent, lane);
            for (into, number) in [
                (&mut into.first_arm, law.first_arm),
                (&mut into.second_arm, law.second_arm),
                (&mut into.normal_mass, law.normal_mass),
                (&mut into.tangent_mass, law.tangent_mass),
                (&mut into.target, law.target),
                (&mut into.friction, law.friction),
                (&mut batch.impulse.normal, impulse.normal),
            ] {
                into.0[lane] = number;
            }
            for (which, &body) in [first, second].into_iter().enumerate() {
                let Body { inverse_mass, inverse_inertia, .. } = problem.bodies[body as usize];
                batch.bodies[which][lane] = body;
                batch.ease[which][0].0[lane] = inverse_mass;
                batch.ease[which][1].0[lane] = inverse_inertia;
            }
        }
        batch
    }
}

impl<D: Dimension> Batch<D> {
    /// The first or second bodies.
    #[inline(always)]
    fn body<T: Abreast>(&self, numbers: &[f64], which: usize) -> Body<D, T> {
        let columns = T::gather(numbers, slots::<D>(), &self.bodies[which]);
        Body {
            velocity: D::Vector::from_fn(|axis| columns[axis]),
            spin: D::Spin::from_fn(|axis| columns[D::AXES + axis]),
            inverse_mass: T::load(&self.ease[which][0]),
            inverse_inertia: T::load(&self.ease[which][1]),
        }
    }

    /// Puts their velocities and spins back.
    #[inline(always)]
    fn put_body<T: Abreast>(&self, body: &Body<D, T>, numbers: &mut [f64], which: usize) {
        let mut columns = [T::default(); 8];
        columns[..D::AXES].copy_from_slice(body.velocity.as_slice());
        let spin = body.spin.as_slice();
        columns[D::AXES..D::AXES + spin.len()].copy_from_slice(spin);
        T::scatter(columns, numbers, slots::<D>(), &self.bodies[which]);
    }
}

/// Puts a vector into one lane.
fn scatter<E: Components<Eight>, V: Components<f64>>(into: &mut E, vector: &V, lane: usize) {
    into.as_mut_slice().iter_mut().zip(vector.as_slice()).for_each(|(eight, number)| eight.0[lane] = *number);
}

/// A sweep over all batches, with the numbers of a path.
struct Sweep<'a, D: Dimension> {
    batches: &'a mut [Batch<D>],
    numbers: &'a mut [f64],
}

impl<D: Dimension> Work for Sweep<'_, D> {
    #[inline(always)]
    fn with<T: Abreast>(self) {
        for batch in self.batches {
            let law = loaded::<D, T>(&batch.law);
            let now = Impulse::<D, T> {
                normal: T::load(&batch.impulse.normal),
                tangent: vector::<D::Tangent<Eight>, D::Tangent<T>, T>(&batch.impulse.tangent),
            };
            let (mut first, mut second) = (batch.body::<T>(self.numbers, 0), batch.body::<T>(self.numbers, 1));
            let impulse = law.relax(now, &first, &second);
            law.push(impulse.since(now), &mut first, &mut second);
            impulse.normal.store(&mut batch.impulse.normal);
            let tangent = batch.impulse.tangent.as_mut_slice().iter_mut();
            tangent.zip(impulse.tangent.as_slice()).for_each(|(into, number)| number.store(into));
            batch.put_body(&first, self.numbers, 0);
            batch.put_body(&second, self.numbers, 1);
        }
    }
}

#[inline(always)]
fn loaded<D: Dimension, T: Abreast>(law: &Contact<D, Eight>) -> Contact<D, T> {
    Contact {
        normal: vector::<D::Vector<Eight>, D::Vector<T>, T>(&law.normal),
        first_arm: T::load(&law.first_arm),
        second_arm: T::load(&law.second_arm),
        normal_mass: T::load(&law.normal_mass),
        tangent_mass: T::load(&law.tangent_mass),
        target: T::load(&law.target),
        friction: T::load(&law.friction),
    }
}

#[inline(always)]
fn vector<E: Components<Eight>, V: Components<T>, T: Abreast>(from: &E) -> V {
    V::from_fn(|axis| T::load(&from.as_slice()[axis]))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::solver::sweeps::relax;
    use crate::{
        ContactDynamics, Engine, GaussSeidel, Grain, Line, Order, Packing, Piston, Plane, Purpose, Seed, Solver, Space,
        Stop, Surface, Wall,
    };

    /// Grains at random places on a floor under a lid, many of them in each other's way, and one that never moves.
    fn heap<D: Dimension>(count: u32) -> Problem<D> {
        let mut packing = Packing::<D>::new();
        packing.materials.set_default(Surface::rough(0.3)).unwrap();
        let mut stream = Seed(3).stream(Purpose::Place, 0, 0);
        let side = f64::from(count).powf(1.0 / D::AXES as f64) * 0.8;
        for number in 0..count {
            let place = D::Vector::from_fn(|_| side * stream.uniform());
            let velocity = D::Vector::from_fn(|_| stream.uniform() - 0.5);
            let grain = Grain::new(place, 0.4 + 0.2 * stream.uniform()).velocity(velocity);
            packing.add(if number == 7 { grain.fixed() } else { grain }).unwrap();
        }
        let up = |sign: f64| D::Vector::from_fn(|axis| if axis + 1 == D::AXES { sign } else { 0.0 });
        packing.add_wall(Wall::new(up(0.0), up(1.0))).unwrap();
        packing.add_piston(Piston::new(up(side), up(-1.0), 5.0).force(1.0)).unwrap();
        let mut engine = ContactDynamics::new(0.01, GaussSeidel::new(Order::Forward, Stop::Sweeps(2)));
        engine.step(&mut packing).unwrap();
        engine.problem().clone()
    }

    fn every_path_is_one_contact_after_the_other<D: Dimension>(count: u32) {
        let problem = heap::<D>(count);
        assert!(problem.rows.len() > 2 * LANES, "{} contacts", problem.rows.len());
        let mut colours = Colours::default();
        colours.find(&problem);
        let visits: Vec<u32> = colours.visits().collect();
        let mut sorted = visits.clone();
        sorted.sort_unstable();
        assert!(sorted.into_iter().eq(0..u32::try_from(problem.rows.len()).unwrap()), "each once");
        for colour in &colours.free {
            let mut grains: Vec<u32> = colour
                .iter()
                .flat_map(|&contact| [problem.rows[contact as usize].first, problem.rows[contact as usize].second])
                .filter(|&body| problem.bodies[body as usize].inverse_mass > 0.0)
                .collect();
            let all = grains.len();
            grains.sort_unstable();
            grains.dedup();
            assert_eq!(grains.len(), all, "no grain twice in one colour");
        }
        assert!(D::CHAIN || !colours.alone.is_empty(), "the lid is touched");
        let mut by_one = problem.clone();
        let mut bodies = Vec::new();
        by_one.velocities(&mut bodies);
        for _ in 0..5 {
            for &contact in &visits {
                relax(&mut by_one.rows[contact as usize], &mut bodies);
            }
        }
        for path in Path::ALL {
            if !path.here() {
                println!("SKIPPED: this machine cannot go {path:?}");
                continue;
            }
            let mut by_path = problem.clone();
            GaussSeidel::new(Order::Coloured, Stop::Sweeps(5)).path(path).solve(&mut by_path, Seed(1), 0);
            let bits = |problem: &Problem<D>| -> Vec<u64> {
                let numbers = problem.rows.iter().flat_map(|row| {
                    std::iter::once(row.impulse.normal).chain(row.impulse.tangent.as_slice().iter().copied())
                });
                numbers.map(f64::to_bits).collect()
            };
            assert_eq!(bits(&by_path), bits(&by_one), "{path:?}");
        }
    }

    #[test]
    fn every_path_leads_to_the_same_bits() {
        every_path_is_one_contact_after_the_other::<Line>(60);
        every_path_is_one_contact_after_the_other::<Plane>(300);
        every_path_is_one_contact_after_the_other::<Space>(500);
    }
}
