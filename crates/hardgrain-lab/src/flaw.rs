//! Deliberate errors in the physics, to see that the claims that must fail do: the usual mistakes in a solver like the paper's.

use hardgrain::{ContactDynamics, GaussSeidel, InputError, Line, Order, Problem, Seed, Solution, Solver, Stop};
use serde::{Deserialize, Serialize};

/// A deliberate error.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Flaw {
    /// Contacts are shuffled once, and all sweeps go in that order.
    ShuffleOnce,
    /// Each step forgets the reactions of the last one.
    ColdStart,
    /// A wall counts as if it had the mass of a grain.
    WallMass,
    /// Predictions are for a row that is one grain longer.
    Length,
}

impl Flaw {
    /// All there are.
    pub const ALL: [Self; 4] = [Self::ShuffleOnce, Self::ColdStart, Self::WallMass, Self::Length];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        ["shuffle-once", "cold-start", "wall-mass", "length"][self as usize]
    }
}

/// Sweeps along a line, with or without a deliberate error.
#[derive(Clone, Debug)]
pub(crate) struct FlawedSweeps {
    order: Order,
    stop: Stop,
    flaw: Option<Flaw>,
    right: GaussSeidel<Line>,
}

impl FlawedSweeps {
    pub(crate) fn new(order: Order, stop: Stop, flaw: Option<Flaw>) -> Self {
        Self { order, stop, flaw, right: GaussSeidel::new(order, stop) }
    }

    /// Steps of length 1 with them.
    pub(crate) fn engine(self, seed: u64) -> ContactDynamics<Line> {
        let is_cold = self.flaw == Some(Flaw::ColdStart);
        let engine = ContactDynamics::new(1.0, self).seed(seed);
        if is_cold { engine.cold_start() } else { engine }
    }
}

impl Solver<Line> for FlawedSweeps {
    fn solve(&mut self, problem: &mut Problem<Line>, seed: Seed, step: u64) -> Solution {
        match (self.flaw, self.stop) {
            (Some(Flaw::ShuffleOnce), Stop::Sweeps(sweeps)) => {
                // The same step and sweep each time, and so the same order.
                let mut once = GaussSeidel::new(self.order, Stop::Sweeps(1));
                let last = (0..sweeps).map(|_| once.solve(problem, seed, 0)).last();
                match last {
                    Some(last) => Solution { sweeps, ..last },
                    None => self.right.solve(problem, seed, step),
                }
            }
            (Some(Flaw::WallMass), _) => {
                let at_walls = |factor: f64, problem: &mut Problem<Line>| {
                    for row in &mut problem.rows {
                        if problem.bodies[row.second as usize].inverse_mass == 0.0 {
                            row.contact.normal_mass *= factor;
                        }
                    }
                };
                at_walls(0.5, problem);
                let solution = self.right.solve(problem, seed, step);
                at_walls(2.0, problem);
                solution
            }
            _ => self.right.solve(problem, seed, step),
        }
    }

    fn takes(&self, problem: &Problem<Line>) -> Result<(), InputError> {
        self.right.takes(problem)
    }
}
