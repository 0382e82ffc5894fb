//! The ways to solve a problem.

use crate::problem::FrictionContact;
use crate::sweeps::Swept;
use hardgrain::{Look, Momentum, System, accelerate};

/// A way to solve.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// Plain sweeps over the contacts in their order: nonlinear Gauss–Seidel.
    GaussSeidel,
    /// Accelerated sweeps; see [`hardgrain::Accelerated`].
    Accelerated,
}

/// How a solve ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Status {
    /// The mixed error is at the tolerance or below, and the natural one not above that of no reactions at all: where there is no
    /// answer reactions grow without limit, and the mixed error is small beside them.
    Converged,
    /// It is not.
    NotConverged,
    /// Numbers have stopped being such.
    NotFinite,
}

impl Status {
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
pub struct Solved<const N: usize> {
    /// r.
    pub reactions: Vec<[f64; N]>,
    /// Sweeps made; a symmetric pair counts as two.
    pub sweeps: u32,
    /// See [`FrictionContact::mixed_error`].
    pub mixed_error: f64,
    /// See [`FrictionContact::natural_error`].
    pub natural_error: f64,
    /// How it ended.
    pub status: Status,
}

impl Method {
    /// All methods there are.
    pub const ALL: [Self; 2] = [Self::GaussSeidel, Self::Accelerated];

    /// Its name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::GaussSeidel => "gauss-seidel",
            Self::Accelerated => "accelerated",
        }
    }

    /// Solves from nothing until the mixed error is at the tolerance, or so many sweeps were made.
    pub fn solve<const N: usize>(self, problem: &FrictionContact<N>, tolerance: f64, max_sweeps: u32) -> Solved<N> {
        let mut swept = Swept::new(problem);
        let good = |swept: &mut Swept<'_, N>| {
            let error = swept.residual();
            error <= tolerance || !error.is_finite()
        };
        let sweeps = match self {
            Self::Accelerated => {
                let mut momentum = Momentum::default();
                accelerate(&mut swept, &mut momentum, max_sweeps, |swept, _: Look| good(swept)).0
            }
            Self::GaussSeidel => {
                let (mut sweeps, mut next_look) = (0, 0);
                loop {
                    swept.sweep(false);
                    sweeps += 1;
                    if sweeps >= next_look || sweeps >= max_sweeps {
                        // A look costs about a sweep.
                        next_look = sweeps + 1 + sweeps / 10;
                        if good(&mut swept) || sweeps >= max_sweeps {
                            break sweeps;
                        }
                    }
                }
            }
        };
        let (mixed_error, natural_error) =
            (problem.mixed_error(&swept.reactions), problem.natural_error(&swept.reactions));
        let status = if !mixed_error.is_finite() {
            Status::NotFinite
        } else if mixed_error <= tolerance && natural_error <= 1.0 {
            Status::Converged
        } else {
            Status::NotConverged
        };
        Solved { reactions: swept.reactions, sweeps, mixed_error, natural_error, status }
    }
}
