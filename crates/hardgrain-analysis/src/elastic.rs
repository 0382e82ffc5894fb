//! A packing that sweeps make elastic: its response to a push, and its ringing.
//!
//! A sweep removes the fraction 2 q β of a wave; N_I sweeps leave s = e^(−2 q N_I β) of its change in a step. So it fades with
//! τ = h/(q N_I β), and turns with cos ωh = e^(−h/τ): for long waves ω² = 2/(τ h).

use crate::springs::{PushResponse, SpringNetwork};
use hardgrain::{Body, Dimension, Order, Problem};

/// A motion is a standing wave if its residual is below this,
const SINGLE: f64 = 0.3;
/// and dominates the response to a push if its share is above this.
const LARGE: f64 = 0.3;
/// Orders over which q of a packing is averaged.
const SWEEPS_FOR_Q: u32 = 16;

/// The response of springs in place of the contacts to a push. Times are in steps.
#[derive(Clone, Debug)]
pub struct Elastic<D: Dimension> {
    answer: PushResponse<D>,
    q: Option<f64>,
}

impl<D: Dimension> Elastic<D> {
    /// Computes the response of the springs of a solved problem; `push` fills in the accelerations of its bodies. The number beside
    /// `order` is the damping factor of parallel sweeps. `None` if the springs do not hold the pushed bodies.
    pub fn new(problem: &Problem<D>, order: (Order, f64), push: impl FnOnce(&mut [Body<D>])) -> Option<Self> {
        Self::within(u64::MAX, problem, order, push)
    }

    /// The same within a budget of visits to contacts and bodies.
    pub fn within(
        visits: u64,
        problem: &Problem<D>,
        (order, damping): (Order, f64),
        push: impl FnOnce(&mut [Body<D>]),
    ) -> Option<Self> {
        let springs = SpringNetwork::new(problem);
        let mut accelerations = springs.still();
        push(&mut accelerations);
        let answer = springs.answer_within(&accelerations, visits)?;
        let q = match order {
            // A parallel sweep removes the fraction β, and so does, on average, one with contacts drawn at random.
            Order::Parallel => Some(0.5 * damping),
            Order::RandomSequential => Some(0.5),
            other => springs.q_of(other, &answer.wave, SWEEPS_FOR_Q),
        };
        Some(Self { answer, q })
    }

    /// Whether a single wave dominates. In nearly isostatic packings many slow motions respond together.
    pub fn is_single(&self) -> bool {
        self.answer.wave.rest < SINGLE && self.answer.wave.share > LARGE
    }

    /// q of the dominant wave, in this packing.
    pub fn q(&self) -> Option<f64> {
        self.q
    }

    /// β of the dominant wave: the fraction removed by one Jacobi relaxation of all contacts.
    pub fn rate(&self) -> f64 {
        self.answer.wave.rate
    }

    /// How bodies move in it, in the order of the problem.
    pub fn shape(&self) -> &[Body<D>] {
        &self.answer.wave.shape
    }

    /// How far the place of a unit push has moved along it when all is at rest again.
    ///
    /// In each step the share 1 − s of what a wave is about to do is turned into reactions, and the share s is done, s =
    /// e^(−2 q N_I β). When the reactions carry the push, the wave has moved by s/(1 − s) of what the push alone does in
    /// a step; for slow waves that is 1/(2 q N_I β), the spring.
    pub fn way(&self, sweeps: f64) -> Option<f64> {
        let q = self.q?;
        Some(self.answer.way(|rate| 1.0 / (2.0 * q * sweeps * rate).exp_m1()))
    }

    /// τ at this number of sweeps per step.
    pub fn damping_time(&self, sweeps: f64) -> Option<f64> {
        Some(1.0 / (self.q? * sweeps * self.rate()))
    }
}

/// ω h = arccos e^{−h/τ}: a wave that fades with τ turns as fast as this if it is swept.
pub fn frequency(damping_time: f64) -> f64 {
    (-1.0 / damping_time).exp().acos()
}
