//! The methods for general problems.

use crate::block::squared_norm;
use crate::delassus::DelassusSystem;
use crate::network::Network;
use crate::problem::FrictionContact;
use crate::stages::best::{Best, FinishedBy};
use crate::stages::cascade;
use crate::sweeps::GeneralSweeps;
use crate::tuning::Tuning;
use hardgrain::{Inspection, Momentum, SweepLimits, Sweepable, accelerate};

/// A method for general problems.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Plain sweeps over the contacts in their order: nonlinear Gauss–Seidel.
    GaussSeidel,
    /// Accelerated sweeps; see [`hardgrain::Accelerated`].
    Accelerated,
    /// Interior-point stages with sparse factorisations; see [`Rigid`](crate::Rigid).
    Rigid,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SolveStatus {
    /// The mixed error is at most the tolerance and the natural one at most its square root (with the rigid method at most the tolerance,
    /// too), and reactions do not grow: where there is no answer they grow without limit, so that the mixed error becomes small beside
    /// them, and the natural one does not.
    Converged,
    /// Not yet, or there is no answer.
    NotConverged,
    /// Numbers overflowed.
    NotFinite,
}

impl SolveStatus {
    fn new(error: f64, good: bool) -> Self {
        match good {
            _ if !error.is_finite() => Self::NotFinite,
            true => Self::Converged,
            false => Self::NotConverged,
        }
    }

    /// In words.
    pub fn name(self) -> &'static str {
        match self {
            Self::Converged => "converged",
            Self::NotConverged => "not converged",
            Self::NotFinite => "not finite",
        }
    }
}

/// An answer.
#[derive(Clone, Debug, PartialEq)]
pub struct ReactionSolution<const N: usize> {
    /// r.
    pub reactions: Vec<[f64; N]>,
    /// Sweeps made; a symmetric pair counts as two.
    pub sweeps: u32,
    /// Factorisations made.
    pub factorisations: u32,
    /// Whether the rigid method fell back to accelerated sweeps.
    pub fell_back: bool,
    /// What finished the rigid method.
    pub finished_by: Option<FinishedBy>,
    /// See [`FrictionContact::mixed_error`].
    pub mixed_error: f64,
    /// See [`FrictionContact::natural_error`].
    pub natural_error: f64,
    /// How it ended.
    pub status: SolveStatus,
}

impl Method {
    /// All methods.
    pub const ALL: [Self; 3] = [Self::GaussSeidel, Self::Accelerated, Self::Rigid];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::GaussSeidel => "gauss-seidel",
            Self::Accelerated => "accelerated",
            Self::Rigid => "rigid",
        }
    }

    /// Solves from zero reactions until the mixed error is at most the tolerance, or `max_sweeps` were made; the rigid method until both
    /// errors are, with at most `max_sweeps` that help and as many again if it falls back to them.
    #[inline(never)]
    pub fn solve<const N: usize>(
        self,
        problem: &FrictionContact<N>,
        tolerance: f64,
        max_sweeps: u32,
    ) -> ReactionSolution<N> {
        self.solve_tuned(problem, (tolerance, max_sweeps), &Tuning::DEFAULT)
    }

    /// The same to this tolerance, with this largest number of sweeps, and other constants.
    pub fn solve_tuned<const N: usize>(
        self,
        problem: &FrictionContact<N>,
        (tolerance, max_sweeps): (f64, u32),
        tuning: &Tuning,
    ) -> ReactionSolution<N> {
        let mut swept = GeneralSweeps::new(problem);
        // Of accelerated sweeps, and of plain ones.
        let mut growth = [DivergenceCheck::default(); 2];
        // The factor by which the error is too large; 0 where it is not finite, which ends the solve.
        let mut excess = |swept: &mut GeneralSweeps<'_, N>, sweeps: u32, plain: bool| {
            let (error, natural_error) = (swept.residual(), problem.natural_error(&swept.reactions));
            let grows = sweeps >= tuning.divergence_from
                && growth[usize::from(plain)].diverges(natural_error, &swept.reactions, sweeps, tuning);
            match (error / tolerance).max(natural_error / tolerance.sqrt()) {
                _ if !error.is_finite() => 0.0,
                _ if natural_error.is_nan() => f64::MAX,
                // It may be small beside reactions that grow without limit, or in these units.
                excess if excess <= 1.0 && grows && natural_error > tolerance => f64::MAX,
                excess => excess,
            }
        };
        let (sweeps, reached) = match self {
            Self::Accelerated => {
                let limits = SweepLimits::for_size(problem.contacts(), N, max_sweeps);
                accelerate(&mut swept, &mut Momentum::default(), limits, |swept, look: Inspection| {
                    excess(swept, look.own, look.plain)
                })
            }
            Self::GaussSeidel => {
                plain(&mut swept, max_sweeps, tuning, |swept, sweeps| excess(swept, sweeps, true) <= 1.0)
            }
            Self::Rigid => return rigid(problem, (tolerance, max_sweeps), tuning),
        };
        let mixed_error = problem.mixed_error(&swept.reactions);
        ReactionSolution::new(problem, swept.reactions, sweeps, SolveStatus::new(mixed_error, reached))
    }
}

/// Plain sweeps until they are found good, or `max_sweeps`. Returns their number, and whether they are good.
fn plain<'a, const N: usize>(
    swept: &mut GeneralSweeps<'a, N>,
    max_sweeps: u32,
    tuning: &Tuning,
    mut is_good: impl FnMut(&mut GeneralSweeps<'a, N>, u32) -> bool,
) -> (u32, bool) {
    let (mut sweeps, mut next_check) = (0, 0);
    loop {
        swept.sweep(false);
        sweeps += 1;
        let last = sweeps >= max_sweeps;
        if sweeps >= next_check || last {
            next_check = sweeps.saturating_add(1 + sweeps / tuning.inspections);
            let good = is_good(swept, sweeps);
            if good || last {
                return (sweeps, good);
            }
        }
    }
}

fn rigid<const N: usize>(
    problem: &FrictionContact<N>,
    (tolerance, max_sweeps): (f64, u32),
    tuning: &Tuning,
) -> ReactionSolution<N> {
    let mut net = DelassusSystem::new(problem, tuning);
    let Best { reactions, error, sweeps, finished_by, .. } =
        cascade::solve(&mut net, &vec![[0.0; N]; problem.contacts()], tolerance, max_sweeps);
    ReactionSolution {
        factorisations: net.factorisations(),
        fell_back: finished_by == FinishedBy::Fallback,
        finished_by: Some(finished_by),
        ..ReactionSolution::new(problem, reactions, sweeps, SolveStatus::new(error, error <= tolerance))
    }
}

impl<const N: usize> ReactionSolution<N> {
    /// Of sweeps alone.
    fn new(problem: &FrictionContact<N>, reactions: Vec<[f64; N]>, sweeps: u32, status: SolveStatus) -> Self {
        Self {
            mixed_error: problem.mixed_error(&reactions),
            natural_error: problem.natural_error(&reactions),
            reactions,
            sweeps,
            factorisations: 0,
            fell_back: false,
            finished_by: None,
            status,
        }
    }
}

/// Detects reactions that grow while the error does not fall.
#[derive(Clone, Copy, Debug)]
struct DivergenceCheck {
    // At two earlier checks, the older one first: sweeps, the smallest natural error until then, and the norm of the reactions.
    earlier: [(u32, f64, f64); 2],
}

impl Default for DivergenceCheck {
    fn default() -> Self {
        Self { earlier: [(0, f64::INFINITY, 0.0); 2] }
    }
}

impl DivergenceCheck {
    fn diverges<const N: usize>(&mut self, error: f64, reactions: &[[f64; N]], sweeps: u32, tuning: &Tuning) -> bool {
        let size = squared_norm(reactions).sqrt();
        let [(_, least, size_then), last] = self.earlier;
        // Before two checks nothing is known, and nothing has grown beyond infinity.
        let Tuning { divergence_error, divergence_growth, divergence_window, .. } = *tuning;
        let grows = error > divergence_error * least && size > divergence_growth * size_then;
        // The older check is at most two thirds of the sweeps old.
        if f64::from(sweeps) >= divergence_window * f64::from(last.0) {
            self.earlier = [last, (sweeps, error.min(last.1), size)];
        }
        grows
    }
}
