//! The contact law written out for each dimension, as one would without generics: the reference for the speed of sweeps.

use hardgrain::{Body, Dimension, Line, Plane, Problem, Row, Space};

/// Dimensions with such a law.
pub(super) trait HandWritten: Dimension {
    type Body: From<Body<Self>>;
    type Contact: From<Row<Self>>;

    fn relax(contact: &mut Self::Contact, bodies: &mut [Self::Body]);
}

/// A problem that is swept by this law.
pub(super) struct ByHand<D: HandWritten> {
    bodies: Vec<D::Body>,
    contacts: Vec<D::Contact>,
}

impl<D: HandWritten> ByHand<D> {
    pub(super) fn new(problem: &Problem<D>) -> Self {
        let mut bodies = Vec::new();
        problem.velocities(&mut bodies);
        let contacts = problem.rows.iter().copied().map(D::Contact::from).collect();
        Self { bodies: bodies.into_iter().map(D::Body::from).collect(), contacts }
    }

    /// One sweep in the natural order.
    #[inline(never)]
    pub(super) fn natural(&mut self) {
        for contact in &mut self.contacts {
            D::relax(contact, &mut self.bodies);
        }
    }

    /// One sweep in the given order.
    #[inline(never)]
    pub(super) fn visit(&mut self, visits: &[u32]) {
        for &visit in visits {
            D::relax(&mut self.contacts[visit as usize], &mut self.bodies);
        }
    }
}

/// On a line without what only rotation and friction need.
#[derive(Clone, Copy)]
pub(super) struct Bead {
    v: f64,
    inverse_mass: f64,
}

pub(super) struct BeadContact {
    a: u32,
    b: u32,
    n: f64,
    mass: f64,
    target: f64,
    p: f64,
}

impl From<Body<Line>> for Bead {
    fn from(body: Body<Line>) -> Self {
        Self { v: body.velocity.0[0], inverse_mass: body.inverse_mass }
    }
}

impl From<Row<Line>> for BeadContact {
    fn from(Row { first, second, contact, impulse }: Row<Line>) -> Self {
        let (n, mass, target) = (contact.normal.0[0], contact.normal_mass, contact.target);
        Self { a: first, b: second, n, mass, target, p: impulse.normal }
    }
}

impl HandWritten for Line {
    type Body = Bead;
    type Contact = BeadContact;

    #[inline(always)]
    fn relax(contact: &mut BeadContact, bodies: &mut [Bead]) {
        let mut a = bodies[contact.a as usize];
        let mut b = bodies[contact.b as usize];
        let u = (b.v - a.v) * contact.n;
        let mut p = contact.p - (u + contact.target) * contact.mass;
        if p < 0.0 {
            p = 0.0;
        }
        let push = (p - contact.p) * contact.n;
        contact.p = p;
        a.v -= push * a.inverse_mass;
        b.v += push * b.inverse_mass;
        bodies[contact.a as usize] = a;
        bodies[contact.b as usize] = b;
    }
}

impl HandWritten for Plane {
    type Body = Body<Self>;
    type Contact = Row<Self>;

    #[inline(always)]
    fn relax(row: &mut Row<Self>, bodies: &mut [Body<Self>]) {
        let mut a = bodies[row.first as usize];
        let mut b = bodies[row.second as usize];
        let law = &row.contact;
        let [nx, ny] = law.normal.0;
        let (ux, uy) = (b.velocity.0[0] - a.velocity.0[0], b.velocity.0[1] - a.velocity.0[1]);
        let un = ux * nx + uy * ny;
        let ut = uy * nx - ux * ny - (law.first_arm * a.spin.0[0] + law.second_arm * b.spin.0[0]);
        let mut pn = row.impulse.normal - (un + law.target) * law.normal_mass;
        if pn < 0.0 {
            pn = 0.0;
        }
        let limit = law.friction * pn;
        let mut pt = row.impulse.tangent.0[0] - ut * law.tangent_mass;
        if pt > limit {
            pt = limit;
        }
        if pt < -limit {
            pt = -limit;
        }
        let (dn, dt) = (pn - row.impulse.normal, pt - row.impulse.tangent.0[0]);
        row.impulse.normal = pn;
        row.impulse.tangent.0[0] = pt;
        let (px, py) = (dn * nx - dt * ny, dn * ny + dt * nx);
        a.velocity.0[0] -= px * a.inverse_mass;
        a.velocity.0[1] -= py * a.inverse_mass;
        a.spin.0[0] -= dt * law.first_arm * a.inverse_inertia;
        b.velocity.0[0] += px * b.inverse_mass;
        b.velocity.0[1] += py * b.inverse_mass;
        b.spin.0[0] -= dt * law.second_arm * b.inverse_inertia;
        bodies[row.first as usize] = a;
        bodies[row.second as usize] = b;
    }
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

impl HandWritten for Space {
    type Body = Body<Self>;
    type Contact = Row<Self>;

    #[inline(always)]
    fn relax(row: &mut Row<Self>, bodies: &mut [Body<Self>]) {
        let mut a = bodies[row.first as usize];
        let mut b = bodies[row.second as usize];
        let law = &row.contact;
        let n = law.normal.0;
        let (va, vb) = (a.velocity.0, b.velocity.0);
        let u = [vb[0] - va[0], vb[1] - va[1], vb[2] - va[2]];
        let un = u[0] * n[0] + u[1] * n[1] + u[2] * n[2];
        let (sa, sb) = (a.spin.0, b.spin.0);
        let roll = [
            law.first_arm * sa[0] + law.second_arm * sb[0],
            law.first_arm * sa[1] + law.second_arm * sb[1],
            law.first_arm * sa[2] + law.second_arm * sb[2],
        ];
        let slip = cross(roll, n);
        let mut pn = row.impulse.normal - (un + law.target) * law.normal_mass;
        if pn < 0.0 {
            pn = 0.0;
        }
        let limit = law.friction * pn;
        let mut pt = row.impulse.tangent.0;
        for i in 0..3 {
            pt[i] -= (u[i] - un * n[i] - slip[i]) * law.tangent_mass;
        }
        let square = pt[0] * pt[0] + pt[1] * pt[1] + pt[2] * pt[2];
        if square > limit * limit {
            let factor = limit / square.sqrt();
            pt = [pt[0] * factor, pt[1] * factor, pt[2] * factor];
        }
        let dn = pn - row.impulse.normal;
        let old = row.impulse.tangent.0;
        let dt = [pt[0] - old[0], pt[1] - old[1], pt[2] - old[2]];
        row.impulse.normal = pn;
        row.impulse.tangent.0 = pt;
        let twist = cross(n, dt);
        for i in 0..3 {
            let push = dn * n[i] + dt[i];
            a.velocity.0[i] -= push * a.inverse_mass;
            b.velocity.0[i] += push * b.inverse_mass;
            a.spin.0[i] -= twist[i] * law.first_arm * a.inverse_inertia;
            b.spin.0[i] -= twist[i] * law.second_arm * b.inverse_inertia;
        }
        bodies[row.first as usize] = a;
        bodies[row.second as usize] = b;
    }
}
