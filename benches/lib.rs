//! What several benchmarks share: packings at rest, the problems of single steps, medians.

use hardgrain::{ContactDynamics, Dimension, Packing, Problem, Seed, Solution, Solver};
use hardgrain_lab::{PackingCache, PackingSettings, Unwatched};
use std::sync::{Arc, Mutex};
use std::time::Instant;

/// The packing at rest that these settings describe, kept in the folder that `HARDGRAIN_PACKINGS` names.
///
/// # Panics
/// If it does not come to rest.
pub fn packing<D: Dimension>(settings: &PackingSettings) -> Packing<D> {
    let cache = PackingCache::new(std::env::var_os("HARDGRAIN_PACKINGS").map(Into::into));
    cache.packing::<D>(settings, &Unwatched).expect("it comes to rest").packing
}

/// A problem as it was before it was solved, and the seconds that took.
pub type Solved<D> = (Problem<D>, f64);

/// An engine with this solver, and what takes the problem of its last step.
pub fn recording<D: Dimension>(
    step: f64,
    solver: impl Solver<D> + 'static,
) -> (ContactDynamics<D>, impl Fn() -> Solved<D>) {
    let last = Arc::new(Mutex::new(None));
    let engine = ContactDynamics::new(step, Recording { solver, last: Arc::clone(&last) });
    (engine, move || last.lock().expect("nobody else holds it").take().expect("a step solves a problem"))
}

#[derive(Debug)]
struct Recording<S, D: Dimension> {
    solver: S,
    last: Arc<Mutex<Option<Solved<D>>>>,
}

impl<S: Solver<D>, D: Dimension> Solver<D> for Recording<S, D> {
    fn solve(&mut self, problem: &mut Problem<D>, seed: Seed, step: u64) -> Solution {
        let before = problem.clone();
        let began = Instant::now();
        let solution = self.solver.solve(problem, seed, step);
        *self.last.lock().expect("nobody else holds it") = Some((before, began.elapsed().as_secs_f64()));
        solution
    }
}

/// The median, NaN of none.
pub fn median(mut numbers: Vec<f64>) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len() / 2).copied().unwrap_or(f64::NAN)
}
