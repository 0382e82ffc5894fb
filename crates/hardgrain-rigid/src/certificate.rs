//! What can be trusted of an answer: what walls and pistons carry, how wrong forces can still be, and how far the contacts give.
//!
//! A residual says little: errors that spread over the whole packing change little at any single contact. So the contacts
//! are taken as they are, open, sticking or sliding, and the equations of those that hold are solved once more, for the velocities
//! that they still miss. What that would change is the error of the forces, to first order.

use crate::grains::Grains;
use crate::network::{Spring, give};
use crate::problem::{Block, length};
use crate::rigid::reactions;
use hardgrain::{Dimension, Problem};

/// Contacts that hold are springs of this stiffness, in units of what they give way by; those that slide give aside by this.
const HOLDS: f64 = 1e9;
const SLIDES: f64 = 1e-3;

/// What is known of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// What each wall and piston that is touched carries, by the number of the body in the problem.
    pub boundaries: Vec<Carried>,
    /// The relative error of the forces; nothing where it cannot be told.
    pub force_error: Option<f64>,
    /// The velocity with which contacts that should hold still give way, root of the mean square.
    pub gives_way: f64,
}

/// What a wall or piston carries.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Carried {
    /// Its number among the bodies of the problem.
    pub body: u32,
    /// The sum of the normal impulses on it.
    pub impulse: f64,
    /// By how much that may be wrong; nothing where it cannot be told.
    pub doubt: Option<f64>,
}

impl Certificate {
    /// Of the impulses in a problem. It costs one factorisation.
    pub fn of<D: Dimension>(problem: &Problem<D>) -> Self {
        match D::AXES {
            1 => of::<D, 1>(problem),
            2 => of::<D, 2>(problem),
            _ => of::<D, 3>(problem),
        }
    }
}

fn of<D: Dimension, const N: usize>(problem: &Problem<D>) -> Certificate {
    let mut grains = Grains::<N>::default();
    grains.take(problem);
    let reactions = reactions::<D, N>(problem);
    let mut velocities = Vec::new();
    grains.velocities(&reactions, &mut velocities);
    let mut springs = Vec::with_capacity(reactions.len());
    let mut wanted = Vec::with_capacity(reactions.len());
    for (contact, (reaction, velocity)) in reactions.iter().zip(&velocities).enumerate() {
        let (spring, missed) = held(give(&grains.own[contact]), grains.friction[contact], reaction, velocity);
        springs.push(spring);
        wanted.push(missed);
    }
    let square = |blocks: &[Block<N>]| blocks.iter().flatten().fold(0.0, |sum, number| sum + number * number);
    let gives_way = (square(&wanted) / reactions.len().max(1) as f64).sqrt();
    let changes = grains.put_springs(&springs, false).then(|| {
        let mut left = Vec::new();
        grains.solve(&wanted, &mut left);
        springs.iter().zip(&left).map(|(spring, left)| crate::cone::multiply(&spring.stiff, left)).collect::<Vec<_>>()
    });
    let changes = changes.filter(|changes| changes.iter().flatten().all(|number| number.is_finite()));
    let load = square(&reactions);
    let force_error = changes.as_ref().filter(|_| load > 0.0).map(|changes| (square(changes) / load).sqrt());
    let fixed = |body: u32| problem.bodies[body as usize].inverse_inertia <= 0.0;
    let mut bodies: Vec<u32> = problem.rows.iter().map(|row| row.second).filter(|body| fixed(*body)).collect();
    bodies.sort_unstable();
    bodies.dedup();
    let carried = |body: u32| {
        let sum = |of: &[Block<N>]| {
            let rows = problem.rows.iter().zip(of).filter(|(row, _)| row.second == body);
            rows.fold(0.0, |sum, (_, block)| sum + block[0])
        };
        Carried { body, impulse: sum(&reactions), doubt: changes.as_ref().map(|changes| sum(changes).abs()) }
    };
    Certificate { boundaries: bodies.into_iter().map(carried).collect(), force_error, gives_way }
}

/// A contact as it is: its spring, and the velocity it misses.
fn held<const N: usize>(w: f64, mu: f64, reaction: &Block<N>, velocity: &Block<N>) -> (Spring<N>, Block<N>) {
    let zero = [[0.0; N]; N];
    let mut spring = Spring { stiff: zero, soft: zero };
    let mut missed = [0.0; N];
    let stiff = HOLDS / w;
    if w * reaction[0] <= velocity[0] {
        return (spring, missed);
    }
    spring.stiff[0][0] = stiff;
    missed[0] = -velocity[0];
    let wanted: Block<N> = std::array::from_fn(|axis| reaction[axis] - velocity[axis] / w);
    let (aside, along) = (length(&wanted[1..]), length(&reaction[1..]));
    let sticks = aside <= mu * wanted[0];
    for axis in 1..N {
        if sticks {
            spring.stiff[axis][axis] = stiff;
            missed[axis] = -velocity[axis];
        } else {
            spring.stiff[axis][axis] = SLIDES / w;
            spring.stiff[axis][0] = if along > 0.0 { mu * reaction[axis] / along * stiff } else { 0.0 };
        }
    }
    (spring, missed)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Rigid;
    use hardgrain::{ContactDynamics, Engine, Grain, Packing, Piston, Plane, Seed, Solver, Wall};

    #[test]
    fn a_column_under_a_lid_says_what_it_carries() {
        let mut packing = Packing::<Plane>::new();
        packing.gravity = [0.0, -1.0].into();
        packing.add_wall(Wall::new([0.0, 0.0], [0.0, 1.0])).unwrap();
        for i in 0..5 {
            packing.add(Grain::new([0.0, 0.5 + f64::from(i)], 0.5).mass(1.0)).unwrap();
        }
        packing.add_piston(Piston::new([0.0, 5.0], [0.0, -1.0], 2.0).force(3.0)).unwrap();
        let mut engine = ContactDynamics::new(0.1, Rigid::new(1e-10, 1000));
        engine.step(&mut packing).unwrap();
        let sure = Certificate::of(engine.problem());
        // The lid weighs 2 and is pushed with 3; there are five grains.
        let loads: Vec<f64> = sure.boundaries.iter().map(|carried| carried.impulse / 0.1).collect();
        assert!((loads[0] - 5.0).abs() < 1e-8 && (loads[1] - 10.0).abs() < 1e-8, "{loads:?}");
        assert!(sure.force_error.unwrap() < 1e-8 && sure.gives_way < 1e-9, "{sure:?}");
        // With a tenth too much at the floor it says so.
        let mut wrong = engine.problem().clone();
        wrong.rows.iter_mut().filter(|row| row.second == 6).for_each(|row| row.impulse.normal *= 1.1);
        let doubt = Certificate::of(&wrong);
        assert!((0.05..0.2).contains(&(doubt.boundaries[1].doubt.unwrap() / doubt.boundaries[1].impulse)), "{doubt:?}");
        assert!(Solver::<Plane>::solve(&mut Rigid::new(1e-10, 100), &mut wrong, Seed(0), 0).residual < 1e-9);
    }
}
