//! The contact problem of one step as a value: bodies, contacts, and the impulses to be found. It knows nothing of the packing that it
//! came from, and can be stored and given to any solver.

mod colours;
mod law;
mod morton;

pub(crate) use colours::{Colours, NONE, Window};
pub use law::{Body, Contact, Impulse};
pub use morton::Morton;
pub(crate) use morton::contacts_in_order;

use crate::dimension::Dimension;
use crate::error::InputError;
use crate::vector::Components;

/// Not tuning but a bound of rounding: an impulse below this number of rounding errors may be a remnant of earlier steps.
pub(crate) const NEGLIGIBLE: f64 = 1e3;

/// A contact of a problem: its bodies, its law, and its impulse, which is the first guess before the solve and the answer after it.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Row<D: Dimension> {
    /// The first body.
    pub first: u32,
    /// The second body.
    pub second: u32,
    /// The law.
    pub contact: Contact<D>,
    /// The impulse on the second body.
    pub impulse: Impulse<D>,
}

impl<D: Dimension> Row<D> {
    /// The impulse that would satisfy this contact if all others stayed as they are.
    #[inline(always)]
    pub fn relaxed(&self, bodies: &[Body<D>]) -> Impulse<D> {
        self.contact.relax(self.impulse, &bodies[self.first as usize], &bodies[self.second as usize])
    }

    /// The rounding error of the impulse.
    pub(crate) fn rounding(&self, bodies: &[Body<D>]) -> f64 {
        self.contact.rounding(&bodies[self.first as usize], &bodies[self.second as usize])
    }

    /// Applies a change of the impulse to the two bodies.
    #[inline(always)]
    pub fn push(&self, change: Impulse<D>, bodies: &mut [Body<D>]) {
        let (mut first, mut second) = (bodies[self.first as usize], bodies[self.second as usize]);
        self.contact.push(change, &mut first, &mut second);
        bodies[self.first as usize] = first;
        bodies[self.second as usize] = second;
    }
}

/// The contact problem of one step.
///
/// Find impulses such that, with the velocities they lead to, every contact satisfies its law at once.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Problem<D: Dimension> {
    /// The bodies with their free velocities: those at the end of a step without contacts.
    pub bodies: Vec<Body<D>>,
    /// The contacts, sorted by identity.
    pub rows: Vec<Row<D>>,
    /// The place of each body along a Morton curve, for solvers that visit neighbours together to save cache misses. Empty for few
    /// bodies: then the places are their numbers.
    pub curve: Vec<u32>,
    /// The velocity V that the surface of the second body of each contact has beyond the body's own: of a conveyor belt, or of an image in
    /// a sheared cell. Empty where no surface moves on its body.
    pub surface_velocities: Vec<D::Vector<f64>>,
}

impl<D: Dimension> Problem<D> {
    /// The two bodies of a contact as its law sees them, with these velocities: the second is carried along with its surface.
    #[inline(always)]
    pub fn ends(&self, contact: usize, bodies: &[Body<D>]) -> [Body<D>; 2] {
        let row = &self.rows[contact];
        let second = bodies[row.second as usize];
        let surface = self.surface_velocities.get(contact);
        [bodies[row.first as usize], surface.map_or(second, |surface| second.carried(*surface))]
    }

    /// The refusal of solvers that do not know surfaces that move.
    ///
    /// # Errors
    /// When the problem has any.
    pub fn refuse_moving_surfaces(&self, solver: &'static str) -> Result<(), InputError> {
        if self.surface_velocities.is_empty() {
            return Ok(());
        }
        let (what, instead) =
            ("surfaces that move on their bodies", "forward, symmetric, random-sweep or random-sequential sweeps");
        Err(InputError::UnknownToSolver { solver, what, instead })
    }

    /// The velocities that the impulses lead to: v = v_free + M⁻¹ H p, summed in the order of the contacts.
    pub fn velocities(&self, bodies: &mut Vec<Body<D>>) {
        bodies.clone_from(&self.bodies);
        for row in &self.rows {
            row.push(row.impulse, bodies);
        }
    }

    /// The relative change √(Σ|Δp|²/Σ|p|²) that one Jacobi sweep would make. It is 0 where nothing is loaded and nothing should be, 1
    /// where nothing is loaded but should be. Changes within rounding errors do not count.
    ///
    /// The residual is much smaller than the error of the forces: errors that extend over L/d contacts are about (L/d)² times larger.
    pub fn residual(&self, velocities: &[Body<D>]) -> f64 {
        let (mut change, mut load) = (0.0, 0.0);
        for (index, row) in self.rows.iter().enumerate() {
            change += self.violation_at(index, row.impulse, velocities)[0];
            load += row.impulse.length_squared();
        }
        relative_change(change, load)
    }

    /// How far the contacts are from their laws, as a velocity: √(Σ|Δp/m|²) with the change Δp that one Jacobi sweep would make and
    /// the masses m that a contact moves. Divided by [`violation_of_nothing`](Self::violation_of_nothing) it compares solvers without
    /// units.
    pub fn violation(&self, velocities: &[Body<D>]) -> f64 {
        let rows = self.rows.iter().enumerate();
        rows.fold(0.0, |sum, (index, row)| sum + self.violation_at(index, row.impulse, velocities)[1]).sqrt()
    }

    /// The violation where all impulses are 0.
    pub fn violation_of_nothing(&self) -> f64 {
        let rows = 0..self.rows.len();
        rows.fold(0.0, |sum, index| sum + self.violation_at(index, Impulse::default(), &self.bodies)[1]).sqrt()
    }

    /// The violation of a contact's law with this impulse; see [`Contact::violation`].
    #[inline(always)]
    fn violation_at(&self, contact: usize, impulse: Impulse<D>, bodies: &[Body<D>]) -> [f64; 2] {
        let [first, second] = self.ends(contact, bodies);
        self.rows[contact].contact.violation(impulse, &first, &second)
    }

    /// The work of the contacts in this step, Σ p·(u_free + u)/2: negative where they dissipate. It depends on relative velocities
    /// only, so it is the same in every inertial frame.
    pub fn work(&self, velocities: &[Body<D>]) -> f64 {
        let rows = 0..self.rows.len();
        rows.fold(0.0, |sum, index| sum + self.half_work(index, &self.bodies) + self.half_work(index, velocities))
    }

    /// p·u/2 of a contact.
    #[inline(always)]
    fn half_work(&self, contact: usize, bodies: &[Body<D>]) -> f64 {
        let row = &self.rows[contact];
        let [first, second] = self.ends(contact, bodies);
        let (u_n, u_t) = row.contact.relative_velocity(&first, &second);
        0.5 * (row.impulse.normal * u_n + row.impulse.tangent.dot(u_t))
    }

    /// The work of the normal impulse of a contact in a step from the free velocities to these, p (u_free + u)/2.
    pub(crate) fn normal_work(&self, contact: usize, velocities: &[Body<D>]) -> f64 {
        let row = &self.rows[contact];
        let speed = |bodies: &[Body<D>]| {
            let [first, second] = self.ends(contact, bodies);
            row.contact.normal.dot(second.velocity - first.velocity)
        };
        0.5 * row.impulse.normal * (speed(&self.bodies) + speed(velocities))
    }

    /// The rounding error of the impulse of a contact.
    #[inline]
    pub(crate) fn rounding(&self, contact: usize) -> f64 {
        let [first, second] = self.ends(contact, &self.bodies);
        self.rows[contact].contact.rounding(&first, &second)
    }
}

/// √(Σ|Δp|²/Σ|p|²) from the two sums; infinite where either is not a number.
pub(crate) fn relative_change(change: f64, load: f64) -> f64 {
    if change.is_nan() || load.is_nan() {
        f64::INFINITY
    } else if load > 0.0 {
        (change / load).sqrt()
    } else if change > 0.0 {
        1.0
    } else {
        0.0
    }
}
