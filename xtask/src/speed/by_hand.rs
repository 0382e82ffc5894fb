//! The contact law written out for each dimension, as one would without generics: the reference for the speed of sweeps.

use hardgrain::{Body, Dimension, Line, Plane, Problem, Space};

/// Sweeps by a hand-written loop.
pub(super) trait ByHand {
    /// One sweep in the natural order.
    fn natural(&mut self);

    /// One sweep in the given order.
    fn visit(&mut self, visits: &[u32]);
}

/// Dimensions with such a loop.
pub(super) trait HandWritten: Dimension {
    fn by_hand(problem: &Problem<Self>) -> Box<dyn ByHand>;
}

/// A contact that can be relaxed.
trait HandContact {
    type Body;

    fn relax(&mut self, bodies: &mut [Self::Body]);
}

struct Loop<C: HandContact> {
    bodies: Vec<C::Body>,
    contacts: Vec<C>,
}

impl<C: HandContact> ByHand for Loop<C> {
    fn natural(&mut self) {
        for contact in &mut self.contacts {
            contact.relax(&mut self.bodies);
        }
    }

    fn visit(&mut self, visits: &[u32]) {
        for &visit in visits {
            self.contacts[visit as usize].relax(&mut self.bodies);
        }
    }
}

/// The bodies, with velocities that include the present impulses.
fn pushed<D: Dimension>(problem: &Problem<D>) -> Vec<Body<D>> {
    let mut bodies = Vec::new();
    problem.velocities(&mut bodies);
    bodies
}

fn boxed<C: HandContact + 'static>(
    bodies: impl Iterator<Item = C::Body>,
    contacts: impl Iterator<Item = C>,
) -> Box<dyn ByHand> {
    Box::new(Loop { bodies: bodies.collect(), contacts: contacts.collect() })
}

#[derive(Clone, Copy)]
struct Bead {
    v: f64,
    inverse_mass: f64,
}

struct BeadContact {
    a: u32,
    b: u32,
    n: f64,
    mass: f64,
    target: f64,
    p: f64,
}

impl HandContact for BeadContact {
    type Body = Bead;

    #[inline(always)]
    fn relax(&mut self, bodies: &mut [Bead]) {
        let mut a = bodies[self.a as usize];
        let mut b = bodies[self.b as usize];
        let u = (b.v - a.v) * self.n;
        let mut p = self.p - (u + self.target) * self.mass;
        if p < 0.0 {
            p = 0.0;
        }
        let push = (p - self.p) * self.n;
        self.p = p;
        a.v -= push * a.inverse_mass;
        b.v += push * b.inverse_mass;
        bodies[self.a as usize] = a;
        bodies[self.b as usize] = b;
    }
}

impl HandWritten for Line {
    fn by_hand(problem: &Problem<Self>) -> Box<dyn ByHand> {
        let beads =
            pushed(problem).into_iter().map(|body| Bead { v: body.velocity.0[0], inverse_mass: body.inverse_mass });
        let contacts = problem.rows.iter().map(|row| BeadContact {
            a: row.first,
            b: row.second,
            n: row.contact.normal.0[0],
            mass: row.contact.normal_mass,
            target: row.contact.target,
            p: row.impulse.normal,
        });
        boxed(beads, contacts)
    }
}

#[derive(Clone, Copy)]
struct Disc {
    vx: f64,
    vy: f64,
    spin: f64,
    inverse_mass: f64,
    inverse_inertia: f64,
}

struct DiscContact {
    a: u32,
    b: u32,
    nx: f64,
    ny: f64,
    arm_a: f64,
    arm_b: f64,
    normal_mass: f64,
    tangent_mass: f64,
    target: f64,
    friction: f64,
    pn: f64,
    pt: f64,
}

impl HandContact for DiscContact {
    type Body = Disc;

    #[inline(always)]
    fn relax(&mut self, bodies: &mut [Disc]) {
        let mut a = bodies[self.a as usize];
        let mut b = bodies[self.b as usize];
        let (ux, uy) = (b.vx - a.vx, b.vy - a.vy);
        let un = ux * self.nx + uy * self.ny;
        let ut = uy * self.nx - ux * self.ny - (self.arm_a * a.spin + self.arm_b * b.spin);
        let mut pn = self.pn - (un + self.target) * self.normal_mass;
        if pn < 0.0 {
            pn = 0.0;
        }
        let limit = self.friction * pn;
        let mut pt = self.pt - ut * self.tangent_mass;
        if pt > limit {
            pt = limit;
        }
        if pt < -limit {
            pt = -limit;
        }
        let (dn, dt) = (pn - self.pn, pt - self.pt);
        self.pn = pn;
        self.pt = pt;
        let (px, py) = (dn * self.nx - dt * self.ny, dn * self.ny + dt * self.nx);
        a.vx -= px * a.inverse_mass;
        a.vy -= py * a.inverse_mass;
        a.spin -= dt * self.arm_a * a.inverse_inertia;
        b.vx += px * b.inverse_mass;
        b.vy += py * b.inverse_mass;
        b.spin -= dt * self.arm_b * b.inverse_inertia;
        bodies[self.a as usize] = a;
        bodies[self.b as usize] = b;
    }
}

impl HandWritten for Plane {
    fn by_hand(problem: &Problem<Self>) -> Box<dyn ByHand> {
        let discs = pushed(problem).into_iter().map(|body| Disc {
            vx: body.velocity.0[0],
            vy: body.velocity.0[1],
            spin: body.spin.0[0],
            inverse_mass: body.inverse_mass,
            inverse_inertia: body.inverse_inertia,
        });
        let contacts = problem.rows.iter().map(|row| DiscContact {
            a: row.first,
            b: row.second,
            nx: row.contact.normal.0[0],
            ny: row.contact.normal.0[1],
            arm_a: row.contact.first_arm,
            arm_b: row.contact.second_arm,
            normal_mass: row.contact.normal_mass,
            tangent_mass: row.contact.tangent_mass,
            target: row.contact.target,
            friction: row.contact.friction,
            pn: row.impulse.normal,
            pt: row.impulse.tangent.0[0],
        });
        boxed(discs, contacts)
    }
}

#[derive(Clone, Copy)]
struct Sphere {
    v: [f64; 3],
    spin: [f64; 3],
    inverse_mass: f64,
    inverse_inertia: f64,
}

struct SphereContact {
    a: u32,
    b: u32,
    n: [f64; 3],
    arm_a: f64,
    arm_b: f64,
    normal_mass: f64,
    tangent_mass: f64,
    target: f64,
    friction: f64,
    pn: f64,
    pt: [f64; 3],
}

fn cross(a: [f64; 3], b: [f64; 3]) -> [f64; 3] {
    [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]]
}

impl HandContact for SphereContact {
    type Body = Sphere;

    #[inline(always)]
    fn relax(&mut self, bodies: &mut [Sphere]) {
        let mut a = bodies[self.a as usize];
        let mut b = bodies[self.b as usize];
        let n = self.n;
        let u = [b.v[0] - a.v[0], b.v[1] - a.v[1], b.v[2] - a.v[2]];
        let un = u[0] * n[0] + u[1] * n[1] + u[2] * n[2];
        let roll = [
            self.arm_a * a.spin[0] + self.arm_b * b.spin[0],
            self.arm_a * a.spin[1] + self.arm_b * b.spin[1],
            self.arm_a * a.spin[2] + self.arm_b * b.spin[2],
        ];
        let slip = cross(roll, n);
        let mut pn = self.pn - (un + self.target) * self.normal_mass;
        if pn < 0.0 {
            pn = 0.0;
        }
        let limit = self.friction * pn;
        let mut pt = self.pt;
        for i in 0..3 {
            pt[i] -= (u[i] - un * n[i] - slip[i]) * self.tangent_mass;
        }
        let square = pt[0] * pt[0] + pt[1] * pt[1] + pt[2] * pt[2];
        if square > limit * limit {
            let factor = limit / square.sqrt();
            pt = [pt[0] * factor, pt[1] * factor, pt[2] * factor];
        }
        let dn = pn - self.pn;
        let dt = [pt[0] - self.pt[0], pt[1] - self.pt[1], pt[2] - self.pt[2]];
        self.pn = pn;
        self.pt = pt;
        let twist = cross(n, dt);
        for i in 0..3 {
            let push = dn * n[i] + dt[i];
            a.v[i] -= push * a.inverse_mass;
            b.v[i] += push * b.inverse_mass;
            a.spin[i] -= twist[i] * self.arm_a * a.inverse_inertia;
            b.spin[i] -= twist[i] * self.arm_b * b.inverse_inertia;
        }
        bodies[self.a as usize] = a;
        bodies[self.b as usize] = b;
    }
}

impl HandWritten for Space {
    fn by_hand(problem: &Problem<Self>) -> Box<dyn ByHand> {
        let spheres = pushed(problem).into_iter().map(|body| Sphere {
            v: body.velocity.0,
            spin: body.spin.0,
            inverse_mass: body.inverse_mass,
            inverse_inertia: body.inverse_inertia,
        });
        let contacts = problem.rows.iter().map(|row| SphereContact {
            a: row.first,
            b: row.second,
            n: row.contact.normal.0,
            arm_a: row.contact.first_arm,
            arm_b: row.contact.second_arm,
            normal_mass: row.contact.normal_mass,
            tangent_mass: row.contact.tangent_mass,
            target: row.contact.target,
            friction: row.contact.friction,
            pn: row.impulse.normal,
            pt: row.impulse.tangent.0,
        });
        boxed(spheres, contacts)
    }
}
