//! Files: scenes, records, checkpoints and contact problems.

pub mod checkpoint;
#[doc(hidden)]
pub mod compiled;
mod problem;
pub mod record;
pub mod scene;
mod state;

pub use problem::{BadProblem, ProblemFile};
pub use scene::{Refusal, Scene};
pub use state::PackingState;
