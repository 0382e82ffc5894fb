//! One step's question as a value: these bodies, these contacts, which impulses? It can be kept, handed to any solver and
//! solved again; no solver knows where it came from.

mod colours;
mod law;
mod morton;

pub(crate) use colours::{Colours, NONE, Window};
pub use law::{Body, Contact, Impulse};
pub(crate) use morton::{Curve, contacts};

use crate::dimension::Dimension;
use crate::vector::Components;

/// An impulse of so many rounding errors or fewer is chance: it may have been left by earlier steps, and nothing that
/// matters may depend on it.
pub(crate) const CHANCE: f64 = 1e3;

/// A contact in a problem: between which bodies, its law, and its impulse, which holds the first guess before the solve
/// and the answer after it.
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

    /// The impulse that is lost in the rounding of the velocities.
    pub(crate) fn rounding(&self, bodies: &[Body<D>]) -> f64 {
        self.contact.rounding(&bodies[self.first as usize], &bodies[self.second as usize])
    }

    /// What relaxing this contact again would change: the squares of the impulse and of the velocity by which it misses its law.
    #[inline(always)]
    fn unrest(&self, bodies: &[Body<D>]) -> [f64; 2] {
        self.contact.unrest(self.impulse, &bodies[self.first as usize], &bodies[self.second as usize])
    }

    /// The work of the normal impulse in a step that goes from the free velocities to these: p (u_free + u)/2.
    pub(crate) fn normal_work(&self, free: &[Body<D>], velocities: &[Body<D>]) -> f64 {
        let speed = |bodies: &[Body<D>]| {
            let between = bodies[self.second as usize].velocity - bodies[self.first as usize].velocity;
            self.contact.normal.dot(between)
        };
        0.5 * self.impulse.normal * (speed(free) + speed(velocities))
    }

    /// Lets a change of the impulse act on the two bodies.
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
    /// The free velocities: what the step would end with if there were no contacts.
    pub bodies: Vec<Body<D>>,
    /// The contacts, sorted by identity.
    pub rows: Vec<Row<D>>,
    /// The place of each body along a curve on which near ones are near, for solvers that care for caches; empty: as they are numbered.
    pub curve: Vec<u32>,
}

impl<D: Dimension> Problem<D> {
    /// The velocities that the impulses lead to: v = v_free + M⁻¹ H p, summed in the order of the contacts.
    pub fn velocities(&self, bodies: &mut Vec<Body<D>>) {
        bodies.clone_from(&self.bodies);
        for row in &self.rows {
            row.push(row.impulse, bodies);
        }
    }

    /// The relative change that relaxing every contact once more, all from the same state, would make:
    /// √(Σ|Δp|²/Σ|p|²). It is 0 where nothing is loaded and nothing should be, 1 where nothing is loaded but should be.
    /// Changes that are lost in the rounding of the velocities do not count.
    ///
    /// A slow solver has a small residual long before it is right: errors that spread over L/d contacts are about
    /// (L/d)² times larger.
    pub fn residual(&self, velocities: &[Body<D>]) -> f64 {
        let (mut change, mut load) = (0.0, 0.0);
        for row in &self.rows {
            change += row.unrest(velocities)[0];
            load += row.impulse.length_squared();
        }
        share(change, load)
    }

    /// How far the contacts are from their laws: the velocities by which relaxing every contact once more, all from the same
    /// state, would miss them, √(Σ|Δp/m|²) with the masses that a contact moves. With no impulses this is what there is to
    /// be solved; the quotient of the two compares solvers without units.
    pub fn violation(&self, velocities: &[Body<D>]) -> f64 {
        self.rows.iter().fold(0.0, |sum, row| sum + row.unrest(velocities)[1]).sqrt()
    }

    /// What there is to be solved: the violation where all impulses are 0.
    pub fn violation_of_nothing(&self) -> f64 {
        let bare = self.rows.iter().map(|row| Row { impulse: Impulse::default(), ..*row });
        bare.fold(0.0, |sum, row| sum + row.unrest(&self.bodies)[1]).sqrt()
    }

    /// The work that the contacts do in this step, Σ p·(u_free + u)/2: below 0 where they dissipate. It counts relative
    /// velocities, so it is the same for every observer.
    pub fn work(&self, velocities: &[Body<D>]) -> f64 {
        let work = |row: &Row<D>, bodies: &[Body<D>]| {
            let (u_n, u_t) = row.contact.relative_velocity(&bodies[row.first as usize], &bodies[row.second as usize]);
            0.5 * (row.impulse.normal * u_n + row.impulse.tangent.dot(u_t))
        };
        self.rows.iter().fold(0.0, |sum, row| sum + work(row, &self.bodies) + work(row, velocities))
    }
}

/// The relative change, from the sums of squares of all changes and of all impulses. What is no number is no answer.
pub(crate) fn share(change: f64, load: f64) -> f64 {
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
