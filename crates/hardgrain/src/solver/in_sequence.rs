//! Sweeps that relax one contact after the other: the inner loop of nonlinear Gauss–Seidel.

use super::sweepable::{PairProducts, Sweepable, Trace, extrapolate_numbers};
use crate::dimension::Dimension;
use crate::lanes::prefetch;
use crate::problem::{Body, Impulse, Problem, Row};
use crate::threads::Threads;
use crate::tuning::SweepTuning;
use crate::vector::Components;

/// Replaces the impulse of one contact by the one that satisfies it, and lets the change act on both bodies.
#[inline(always)]
pub(super) fn relax<D: Dimension>(row: &mut Row<D>, bodies: &mut [Body<D>]) {
    let impulse = row.relaxed(bodies);
    row.push(impulse - row.impulse, bodies);
    row.impulse = impulse;
}

/// One sweep: each contact is relaxed with the impulses that the ones before it have just received. `bodies` hold the
/// velocities with all present impulses in them.
pub fn sweep<'a, D: Dimension>(rows: impl Iterator<Item = &'a mut Row<D>>, bodies: &mut [Body<D>]) {
    for row in rows {
        relax(row, bodies);
    }
}

/// One sweep that visits the contacts in the given order. In large problems they are prefetched.
pub fn sweep_visits<D: Dimension>(rows: &mut [Row<D>], visits: &[u32], bodies: &mut [Body<D>]) {
    const AHEAD: usize = SweepTuning::DEFAULT.prefetch_ahead;
    if rows.len() < SweepTuning::DEFAULT.prefetch_from {
        for &visit in visits {
            relax(&mut rows[visit as usize], bodies);
        }
        return;
    }
    for (index, &visit) in visits.iter().enumerate() {
        if let Some(&next) = visits.get(index + 2 * AHEAD) {
            prefetch(&rows[next as usize]);
        }
        if let Some(&next) = visits.get(index + AHEAD) {
            let row = &rows[next as usize];
            prefetch(&bodies[row.first as usize]);
            prefetch(&bodies[row.second as usize]);
        }
        relax(&mut rows[visit as usize], bodies);
    }
}

/// One sweep in this order over a problem whose surfaces move on their bodies.
pub(super) fn sweep_carried<D: Dimension>(
    problem: &mut Problem<D>,
    visits: impl Iterator<Item = usize>,
    bodies: &mut [Body<D>],
) {
    for contact in visits {
        let [first, second] = problem.ends(contact, bodies);
        let row = &mut problem.rows[contact];
        let impulse = row.contact.relax(row.impulse, &first, &second);
        row.push(impulse - row.impulse, bodies);
        row.impulse = impulse;
    }
}

/// The problem of a step while it is swept, one contact after the other as they are numbered.
pub struct InSequence<'a, D: Dimension> {
    /// Its impulses are the present ones.
    pub problem: &'a mut Problem<D>,
    /// With all present impulses in them.
    pub bodies: Vec<Body<D>>,
    threads: Threads,
}

impl<'a, D: Dimension> InSequence<'a, D> {
    /// Sums the velocities.
    ///
    /// # Panics
    /// When surfaces move on their bodies, which these sweeps do not know.
    pub fn new(problem: &'a mut Problem<D>) -> Self {
        Self::within(problem, Vec::new())
    }

    /// The same in this memory.
    pub(super) fn within(problem: &'a mut Problem<D>, mut bodies: Vec<Body<D>>) -> Self {
        assert!(problem.surface_velocities.is_empty(), "no surface moves on its body");
        problem.velocities(&mut bodies);
        Self { problem, bodies, threads: Threads::default() }
    }

    /// The same, which [ends](Sweepable::is_cancelled) once these threads are cancelled; it runs on one.
    #[must_use]
    pub fn threads(self, threads: &Threads) -> Self {
        Self { threads: threads.clone(), ..self }
    }

    /// The [residual](Problem::residual) and the [violation](Problem::violation), with recomputed velocities.
    #[inline(never)]
    pub fn measure(&mut self) -> [f64; 2] {
        let residual = self.residual();
        [residual, self.problem.violation(&self.bodies)]
    }
}

impl<D: Dimension> Sweepable for InSequence<'_, D> {
    type Impulse = Impulse<D>;

    fn contacts(&self) -> usize {
        self.problem.rows.len()
    }

    fn impulses(&self) -> impl Iterator<Item = Impulse<D>> {
        self.problem.rows.iter().map(|row| row.impulse)
    }

    fn set_impulses(&mut self, impulses: impl Iterator<Item = Impulse<D>>) {
        self.problem.rows.iter_mut().zip(impulses).for_each(|(row, impulse)| row.impulse = impulse);
    }

    fn velocities(&mut self) -> impl Iterator<Item = &mut f64> {
        self.bodies.iter_mut().flat_map(|body| body.velocity.as_mut_slice().iter_mut().chain(body.spin.as_mut_slice()))
    }

    #[inline(never)]
    fn sweep(&mut self, backwards: bool) {
        let rows = &mut self.problem.rows;
        if backwards {
            sweep(rows.iter_mut().rev(), &mut self.bodies);
        } else {
            sweep(rows.iter_mut(), &mut self.bodies);
        }
    }

    #[inline(never)]
    fn extrapolate(&mut self, traces: &mut [Trace<Impulse<D>>], share: f64, with_sweep: bool) -> PairProducts {
        let mut pair = PairProducts::default();
        for (row, trace) in self.problem.rows.iter_mut().zip(traces).rev() {
            if with_sweep {
                relax(row, &mut self.bodies);
            }
            row.impulse = trace.extrapolate(row.impulse, share, &mut pair);
        }
        pair
    }

    // Body by body: zipped, nested iterators are slow.
    fn extrapolate_velocities(&mut self, last: &mut [f64], share: f64) {
        let count = D::AXES + D::Spin::<f64>::default().as_slice().len();
        for (body, last) in self.bodies.iter_mut().zip(last.chunks_exact_mut(count)) {
            let numbers = body.velocity.as_mut_slice().iter_mut().chain(body.spin.as_mut_slice());
            extrapolate_numbers(numbers, last, share);
        }
    }

    fn recompute_velocities(&mut self) {
        self.problem.velocities(&mut self.bodies);
    }

    fn residual(&mut self) -> f64 {
        self.recompute_velocities();
        self.problem.residual(&self.bodies)
    }

    fn is_cancelled(&self) -> bool {
        self.threads.is_cancelled()
    }
}
