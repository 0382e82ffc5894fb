//! The exact answer on a line, in one pass: pool adjacent violators.
//!
//! Without friction the velocities at the end of a step minimise Σ m (v − v_free)²/2 under v_right − v_left ≥ −s at every
//! contact. On a line that is isotonic regression: neighbours that would run into each other are pooled, a pool moves
//! with the velocity that keeps its momentum, and pools that run into each other are pooled again. No two pools are joined
//! twice, so the cost is O(n). The impulses are sums of momentum changes from a free end of each pool.
//! (Eliminating the impulses first, as a tridiagonal system, loses six digits at n = 10⁵.)
//!
//! Between two immobile ends the impulses are determined up to a constant; of all answers without pulling contacts the
//! one closest to the first guess is taken, as a spring would. Where the contacts form no chain (a closed ring in a periodic
//! cell, a piston and something else that push one grain from the same side) sweeps take over.

use super::order::Order;
use super::{GaussSeidel, Solution, Solver, Status, Stop};
use crate::dimension::Dimension;
use crate::error::InputError;
use crate::problem::{Body, Problem, Row};
use crate::random::Seed;
use crate::threads::Threads;
use crate::tuning::SweepTuning;
use crate::vector::Components;

/// A bound of rounding: relative speeds below this share of the speeds they come from.
const ROUNDING: f64 = 1e-13;

/// The exact solver for grains on a line; other problems are refused.
#[derive(Clone, Copy, Debug, Default)]
pub struct Pooling;

impl<D: Dimension> Solver<D> for Pooling {
    fn solve(&mut self, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution {
        self.solve_on(&Threads::default(), problem, seed, step)
    }

    /// Sweeps, where they take over, end once these threads are cancelled.
    fn solve_on(&mut self, threads: &Threads, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution {
        let before: Vec<_> = problem.rows.iter().map(|row| row.impulse).collect();
        let exact = pool_all(problem);
        let mut velocities = Vec::new();
        problem.velocities(&mut velocities);
        let residual = problem.residual(&velocities);
        if exact {
            return Solution::new(1, residual, Status::Converged);
        }
        let mut swept = problem.clone();
        swept.rows.iter_mut().zip(before).for_each(|(row, impulse)| row.impulse = impulse);
        let (tolerance, max_sweeps) = SweepTuning::DEFAULT.pooling;
        let stop = Stop::Tolerance { tolerance, max_sweeps };
        let solution = GaussSeidel::new(Order::Symmetric, stop).threads(threads).solve(&mut swept, seed, step);
        if solution.residual >= residual {
            return Solution { residual, status: Status::NotConverged, ..solution };
        }
        problem.rows = swept.rows;
        solution
    }

    fn takes(&self, problem: &Problem<D>) -> Result<(), InputError> {
        let solver = "pooling";
        if !D::CHAIN {
            let (what, instead) = ("grains in the plane or in space", "Gauss–Seidel sweeps");
            return Err(InputError::UnknownToSolver { solver, what, instead });
        }
        problem.refuse_moving_surfaces(solver)
    }
}

/// Pools every chain. The answer is exact unless contacts outside the chains are violated or two immobile ends close in on
/// each other.
fn pool_all<D: Dimension>(problem: &mut Problem<D>) -> bool {
    let links = Links::new(problem);
    let mut linked = vec![false; problem.rows.len()];
    let mut speeds: Vec<f64> = problem.bodies.iter().map(|body| body.velocity.as_slice()[0]).collect();
    let mut exact = true;
    for start in 0..problem.bodies.len() {
        if problem.bodies[start].inverse_mass > 0.0 && links.begins(problem, start) {
            let chain = Chain::from(problem, &links, start);
            for pool in chain.pool(problem) {
                exact &= pool.possible;
                chain.share_out(&pool, problem, &mut speeds);
            }
            chain.joints.iter().for_each(|&row| linked[row] = true);
        }
    }
    for (row, _) in problem.rows.iter_mut().zip(&linked).filter(|(_, linked)| !**linked) {
        row.impulse.normal = 0.0;
        let ([left, right], target) = (ends(row).map(|body| speeds[body]), row.contact.target);
        exact &= right - left + target >= -ROUNDING * (left.abs() + right.abs() + target.abs());
    }
    exact
}

/// The left and the right body of a contact.
fn ends<D: Dimension>(row: &Row<D>) -> [usize; 2] {
    let (first, second) = (row.first as usize, row.second as usize);
    if row.contact.normal.as_slice()[0] > 0.0 { [first, second] } else { [second, first] }
}

/// For each body the contact on its left and on its right that matters.
struct Links(Vec<[Option<usize>; 2]>);

impl Links {
    fn new<D: Dimension>(problem: &Problem<D>) -> Self {
        let mut links = Self(vec![[None; 2]; problem.bodies.len()]);
        for (index, row) in problem.rows.iter().enumerate() {
            let [left, right] = ends(row);
            for (body, side) in [(left, 1), (right, 0)] {
                let tightness = links.0[body][side].map(|rival| tightness(&problem.rows[rival], side, problem));
                if tightness.is_none_or(|rival| rival < self::tightness(row, side, problem)) {
                    links.0[body][side] = Some(index);
                }
            }
        }
        links
    }

    /// The body on one side (0 left, 1 right) and the contact with it.
    fn neighbour<D: Dimension>(&self, problem: &Problem<D>, body: usize, side: usize) -> Option<(usize, usize)> {
        let row = self.0[body][side]?;
        Some((ends(&problem.rows[row])[side], row))
    }

    /// Whether a chain starts here: nothing on the left, or nothing that moves.
    fn begins<D: Dimension>(&self, problem: &Problem<D>, body: usize) -> bool {
        self.neighbour(problem, body, 0).is_none_or(|(left, _)| problem.bodies[left].inverse_mass == 0.0)
    }
}

/// Which of several contacts on the `side` of a body binds: one with a body that moves, else the bound that is reached
/// first.
fn tightness<D: Dimension>(row: &Row<D>, side: usize, problem: &Problem<D>) -> f64 {
    let neighbour = &problem.bodies[ends(row)[side]];
    let speed = neighbour.velocity.as_slice()[0];
    let bound = if side == 0 { speed - row.contact.target } else { -speed - row.contact.target };
    if neighbour.inverse_mass > 0.0 { f64::INFINITY } else { bound }
}

/// Bodies from left to right and the contacts between them. Only the ends may be immobile.
struct Chain {
    bodies: Vec<usize>,
    joints: Vec<usize>,
}

/// Neighbours that move together: `count` bodies from `begin` on.
#[derive(Clone, Copy, Debug)]
struct Pool {
    begin: usize,
    count: usize,
    mass: f64,
    // Of the first body; the last one is slower by `loss`, the sum of the closing speeds inside.
    speed: f64,
    loss: f64,
    // Whether no two immobile ends are driven together.
    possible: bool,
}

impl Chain {
    fn from<D: Dimension>(problem: &Problem<D>, links: &Links, start: usize) -> Self {
        let (mut bodies, mut joints) = (Vec::new(), Vec::new());
        if let Some((left, row)) = links.neighbour(problem, start, 0) {
            bodies.push(left);
            joints.push(row);
        }
        bodies.push(start);
        let mut body = start;
        while let Some((right, row)) = links.neighbour(problem, body, 1) {
            let immobile = problem.bodies[right].inverse_mass == 0.0;
            // Both must agree that they are neighbours, so no walk leads round in circles.
            if !immobile && links.0[right][0] != Some(row) {
                break;
            }
            bodies.push(right);
            joints.push(row);
            if immobile {
                break;
            }
            body = right;
        }
        Self { bodies, joints }
    }

    fn pool<D: Dimension>(&self, problem: &Problem<D>) -> Vec<Pool> {
        let mut pools: Vec<Pool> = Vec::new();
        for (begin, &body) in self.bodies.iter().enumerate() {
            let Body { velocity, inverse_mass, .. } = problem.bodies[body];
            let mut last = Pool {
                begin,
                count: 1,
                mass: 1.0 / inverse_mass,
                speed: velocity.as_slice()[0],
                loss: 0.0,
                possible: true,
            };
            while let Some(before) = pools.last().copied() {
                let closing = problem.rows[self.joints[last.begin - 1]].contact.target;
                // Neighbours that just keep their distance are pooled too: between walls they may carry a load.
                if last.speed > before.speed - before.loss - closing {
                    break;
                }
                pools.pop();
                last = before.joined(last, closing);
            }
            pools.push(last);
        }
        pools
    }

    /// The impulses inside a pool: each body passes on what it does not need for its own change of momentum.
    fn share_out<D: Dimension>(&self, pool: &Pool, problem: &mut Problem<D>, speeds: &mut [f64]) {
        let (begin, end) = (pool.begin, pool.begin + pool.count);
        if begin > 0 {
            problem.rows[self.joints[begin - 1]].impulse.normal = 0.0;
        }
        let mut gains = Vec::with_capacity(pool.count);
        let mut speed = pool.speed;
        for index in begin..end {
            if index > begin {
                speed -= problem.rows[self.joints[index - 1]].contact.target;
            }
            let body = &problem.bodies[self.bodies[index]];
            let immobile = body.inverse_mass == 0.0;
            if !immobile {
                speeds[self.bodies[index]] = speed;
            }
            gains.push(if immobile { 0.0 } else { (speed - body.velocity.as_slice()[0]) / body.inverse_mass });
        }
        let inside = &self.joints[begin..end - 1];
        let immobile = |index: usize| problem.bodies[self.bodies[index]].inverse_mass == 0.0;
        let (left, right) = (immobile(begin), immobile(end - 1) && pool.count > 1);
        let mut impulses = vec![0.0; inside.len()];
        let mut carried = 0.0;
        if left && !right {
            for (impulse, gain) in impulses.iter_mut().zip(&gains[1..]).rev() {
                carried += gain;
                *impulse = carried;
            }
        } else {
            for (impulse, gain) in impulses.iter_mut().zip(&gains) {
                carried -= gain;
                *impulse = carried;
            }
        }
        let shift = if left && right { nearest_shift(inside, &impulses, problem) } else { 0.0 };
        for (&joint, impulse) in inside.iter().zip(impulses) {
            problem.rows[joint].impulse.normal = (impulse + shift).max(0.0);
        }
    }
}

/// The constant that brings impulses between two immobile ends closest to the guess without a pulling contact.
fn nearest_shift<D: Dimension>(inside: &[usize], impulses: &[f64], problem: &Problem<D>) -> f64 {
    let guess = inside.iter().map(|&joint| problem.rows[joint].impulse.normal);
    let difference: f64 = guess.zip(impulses).map(|(guess, impulse)| guess - impulse).sum();
    let least = impulses.iter().copied().fold(f64::INFINITY, f64::min);
    (difference / inside.len() as f64).max(-least)
}

impl Pool {
    /// This pool and the next one, whose first body follows this one's last at the closing speed. Momentum is kept;
    /// an infinite mass keeps its speed.
    fn joined(self, next: Self, closing: f64) -> Self {
        let wanted = next.speed + self.loss + closing;
        let speed = if self.mass.is_infinite() {
            self.speed
        } else if next.mass.is_infinite() {
            wanted
        } else {
            self.speed + next.mass / (self.mass + next.mass) * (wanted - self.speed)
        };
        let crushed = self.mass.is_infinite()
            && next.mass.is_infinite()
            && wanted < self.speed - ROUNDING * (self.speed.abs() + wanted.abs());
        let possible = self.possible && next.possible && !crushed;
        let (mass, loss) = (self.mass + next.mass, self.loss + closing + next.loss);
        Self { begin: self.begin, count: self.count + next.count, mass, speed, loss, possible }
    }
}
