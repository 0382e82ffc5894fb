//! Files: scenes, records and checkpoints. The only crate that knows formats.

pub mod checkpoint;
pub mod record;
pub mod scene;
mod state;

pub use scene::{Refusal, Scene};
pub use state::State;
