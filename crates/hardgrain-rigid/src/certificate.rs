//! How far an answer can be trusted: the loads on walls and pistons, the error of the forces, and how far contacts give way.
//!
//! A residual says little: errors that spread over the whole packing change little at any single contact. Their
//! [correction](crate::stages::refine) is the error of the forces, to first order.

use crate::block::{Block, length};
use crate::grains::GrainSystem;
use crate::stages::refine::ForceCorrection;
use crate::step::reactions;
use hardgrain::{Dimension, Problem};

/// What is known of an answer.
#[derive(Clone, Debug, PartialEq)]
pub struct Certificate {
    /// The load on each wall and piston that is touched, in the order of the problem's bodies.
    pub boundaries: Vec<CertifiedLoad>,
    /// The relative error of the forces; `None` where it is unknown.
    pub force_error: Option<f64>,
    /// The velocity with which contacts that should hold still give way, root of the mean square.
    pub gives_way: f64,
}

/// The load on a wall or piston.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct CertifiedLoad {
    /// Its number among the bodies of the problem.
    pub body: u32,
    /// The sum of the normal impulses on it.
    pub normal: f64,
    /// The length of the sum of the tangential ones.
    pub tangential: f64,
    /// The error of both together; `None` where it is unknown.
    pub uncertainty: Option<f64>,
}

impl Certificate {
    /// Computes the loads from the impulses in a problem. It costs one factorisation.
    #[inline(never)]
    pub fn compute<D: Dimension>(problem: &Problem<D>) -> Self {
        match D::AXES {
            1 => certify::<D, 1, 1>(problem),
            2 => certify::<D, 2, 3>(problem),
            _ => certify::<D, 3, 6>(problem),
        }
    }

    /// The same where there is no answer, or none was found: loads without their errors.
    #[must_use]
    pub fn unsure(mut self) -> Self {
        self.force_error = None;
        self.boundaries.iter_mut().for_each(|load| load.uncertainty = None);
        self
    }
}

fn certify<D: Dimension, const N: usize, const K: usize>(problem: &Problem<D>) -> Certificate {
    let mut grains = GrainSystem::<N, K>::default();
    grains.take(problem);
    let reactions = reactions::<D, N>(problem, &grains.assembly.order);
    let correction = ForceCorrection::new(&mut grains, &reactions);
    let force_error = correction.force_error(&reactions);
    let ForceCorrection { gives_way, changes } = correction;
    let fixed = |body: u32| problem.bodies[body as usize].inverse_inertia <= 0.0;
    let mut bodies: Vec<u32> = problem.rows.iter().map(|row| row.second).filter(|body| fixed(*body)).collect();
    bodies.sort_unstable();
    bodies.dedup();
    let load = |body: u32| {
        // A wall is flat: all its contacts have the same axes.
        let sum = |blocks: &[Block<N>]| {
            let rows = grains.assembly.order.iter().map(|&row| &problem.rows[row as usize]);
            let rows = rows.zip(blocks).filter(|(row, _)| row.second == body);
            rows.fold([0.0; N], |sum, (_, block)| std::array::from_fn(|axis| sum[axis] + block[axis]))
        };
        let total = sum(&reactions);
        let uncertainty = changes.as_ref().map(|changes| length(&sum(changes)));
        CertifiedLoad { body, normal: total[0], tangential: length(&total[1..]), uncertainty }
    };
    Certificate { boundaries: bodies.into_iter().map(load).collect(), force_error, gives_way }
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
        let sure = Certificate::compute(engine.problem());
        // The lid weighs 2 and is pushed with 3; there are five grains.
        let loads: Vec<f64> = sure.boundaries.iter().map(|load| load.normal / 0.1).collect();
        assert!((loads[0] - 5.0).abs() < 1e-8 && (loads[1] - 10.0).abs() < 1e-8, "{loads:?}");
        assert!(sure.force_error.unwrap() < 1e-8 && sure.gives_way < 1e-9, "{sure:?}");
        // It detects an error of a tenth at the floor.
        let mut wrong = engine.problem().clone();
        wrong.rows.iter_mut().filter(|row| row.second == 6).for_each(|row| row.impulse.normal *= 1.1);
        let doubt = Certificate::compute(&wrong);
        assert!(
            (0.05..0.2).contains(&(doubt.boundaries[1].uncertainty.unwrap() / doubt.boundaries[1].normal)),
            "{doubt:?}"
        );
        assert!(Solver::<Plane>::solve(&mut Rigid::new(1e-10, 100), &mut wrong, Seed(0), 0).residual < 1e-9);
    }
}
