//! The general friction-contact problem: find reactions r with u = W r + q such that every contact obeys Signorini's and Coulomb's
//! laws. The Delassus operator W may couple any contacts, so grains may have any shape; the problem of a step of round grains
//! ([`hardgrain::Problem`]) is a special case, and [converts](FrictionContact::from_step).
//!
//! ```
//! use hardgrain_rigid::{FrictionContact, Method};
//! # fn main() -> Result<(), hardgrain_rigid::InvalidProblem> {
//! // A block of mass 1 hits a floor obliquely; with friction 0.5 it keeps sliding.
//! let w = [(0, 0, [[1.0, 0.0], [0.0, 1.0]])];
//! let problem = FrictionContact::<2>::new(vec![[-1.0, 2.0]], vec![0.5], w)?;
//! let solved = Method::Accelerated.solve(&problem, 1e-10, 100);
//! assert_eq!(solved.reactions, [[1.0, -0.5]]);
//! # Ok(()) }
//! ```

mod assembly;
mod block;
mod certificate;
#[doc(hidden)]
pub mod compiled;
mod convert;
mod delassus;
mod factor;
mod grains;
mod jacobian;
mod local_solve;
mod method;
mod network;
mod problem;
mod residuals;
mod rigid;
mod stages;
mod step;
mod sweeps;
mod tuning;

pub use certificate::{Certificate, CertifiedLoad};
pub use local_solve::solve_one;
pub use method::{Method, ReactionSolution, SolveStatus};
pub use problem::{FrictionContact, InvalidProblem};
pub use rigid::Rigid;
pub use stages::best::FinishedBy;
pub use tuning::Tuning;
