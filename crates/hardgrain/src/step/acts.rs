//! The acts of a step one by one, for a crate that makes its own step out of them: on an accelerator, or on many machines.
//!
//! **Unstable**: they change with the step, without notice in version numbers. [`ContactDynamics`](crate::ContactDynamics) is the same step
//! in one piece, and `tests/laws/acts.rs` writes it out:
//!
//! - [`predict`]: the free velocities; [`Strides::predict`](crate::Strides::predict): how far each part may move;
//!   [`Morton::places`] for a solver that [follows the curve](crate::Solver::follows_the_curve)
//! - [`Candidates::detect`]: the pairs that may touch
//! - [`Freeze::freeze`]: pairs become rows of the problem
//! - [`Solver::takes`](crate::Solver::takes), [`Solver::solve`](crate::Solver::solve) and [`Solver::velocities`](crate::Solver::velocities),
//!   again where [`limit_bounces`] has slowed a bounce down
//! - [`check_motion`]: velocities are finite; [`Strides::widen`](crate::Strides::widen) and [`undetected`]: whether to search again
//! - [`remember`], [`advance`], [`overlaps`]

pub use crate::problem::Morton;
pub use crate::search::{Candidates, undetected};
pub use crate::step::advance::{advance, check_motion, overlaps, remember, span};
pub use crate::step::freeze::{Bounce, Freeze, limit_bounces, predict};
