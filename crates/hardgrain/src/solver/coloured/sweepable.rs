//! Coloured sweeps as an acceleration sees them, eight contacts at once.

use super::Coloured;
use super::kernels::{ExtrapolateKernel, RelaxKernel};
use crate::dimension::Dimension;
use crate::lanes::{Eight, LANES};
use crate::problem::{Impulse, Problem, Row};
use crate::solver::sweepable::{PairProducts, Sweepable, Trace, extrapolate_numbers};
use crate::tuning::SweepTuning;

/// Eights of body velocities that one thread extrapolates at a time.
const PIECE: usize = SweepTuning::DEFAULT.extrapolated_per_task;

/// The problem of a step while it is swept, eight contacts at once. The impulses are in the coloured batches until they are
/// [written](Coloured::write) back.
pub struct InColours<'a, D: Dimension> {
    problem: &'a Problem<D>,
    coloured: &'a mut Coloured<D>,
}

impl<'a, D: Dimension> InColours<'a, D> {
    /// Gathers the problem and sums the velocities.
    pub fn new(problem: &'a Problem<D>, coloured: &'a mut Coloured<D>) -> Self {
        coloured.start(problem);
        Self { problem, coloured }
    }

    /// Copies the present impulses.
    pub fn write(&self, rows: &mut [Row<D>]) {
        self.coloured.write(rows);
    }

    /// The present impulses, contact by contact.
    pub fn by_contact(&self) -> impl Iterator<Item = Impulse<D>> {
        self.coloured.spots.iter().map(|&spot| self.coloured.at(spot))
    }

    /// The [residual](Problem::residual) and the [violation](Problem::violation), with recomputed velocities.
    #[inline(never)]
    pub fn measure(&mut self) -> [f64; 2] {
        self.recompute_velocities();
        self.coloured.measure()
    }
}

impl<D: Dimension> Sweepable for InColours<'_, D> {
    type Impulse = Impulse<D, Eight>;

    fn contacts(&self) -> usize {
        self.problem.rows.len()
    }

    fn impulses(&self) -> impl Iterator<Item = Self::Impulse> {
        self.coloured.impulses.iter().copied()
    }

    fn set_impulses(&mut self, impulses: impl Iterator<Item = Self::Impulse>) {
        self.coloured.impulses.iter_mut().zip(impulses).for_each(|(own, new)| *own = new);
    }

    fn velocities(&mut self) -> impl Iterator<Item = &mut f64> {
        self.coloured.numbers.iter_mut().flat_map(|eight| &mut eight.0)
    }

    #[inline(never)]
    fn sweep(&mut self, backwards: bool) {
        let all = &mut vec![(); self.coloured.ends.len()];
        if backwards {
            self.coloured.pass(RelaxKernel::<true>, all, 1);
        } else {
            self.coloured.pass(RelaxKernel::<false>, all, 1);
        }
    }

    #[inline(never)]
    fn extrapolate(&mut self, traces: &mut [Trace<Self::Impulse>], share: f64, with_sweep: bool) -> PairProducts {
        let [change, movement, dot] = if with_sweep {
            self.coloured.pass(ExtrapolateKernel::<true> { share }, traces, 1)
        } else {
            self.coloured.pass(ExtrapolateKernel::<false> { share }, traces, 1)
        };
        PairProducts { change, movement, dot }
    }

    #[inline(never)]
    fn extrapolate_velocities(&mut self, last: &mut [f64], share: f64) {
        let Coloured { threads, numbers, .. } = &mut *self.coloured;
        let pieces = numbers.chunks_mut(PIECE).zip(last.chunks_mut(PIECE * LANES));
        threads.each(pieces, |(_, (numbers, last))| {
            for (eight, last) in numbers.iter_mut().zip(last.chunks_exact_mut(LANES)) {
                extrapolate_numbers(eight.0.iter_mut(), last, share);
            }
        });
    }

    #[inline(never)]
    fn recompute_velocities(&mut self) {
        self.coloured.recompute_velocities(self.problem);
    }

    fn residual(&mut self) -> f64 {
        self.measure()[0]
    }

    fn is_cancelled(&self) -> bool {
        self.coloured.threads.is_cancelled()
    }
}
