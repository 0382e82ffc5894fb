//! The checked scene: groups, walls, pistons, stages and records whose every value makes sense.

mod grains;
mod parts;
mod scene;
mod solver;
mod stage;

pub use grains::*;
pub use parts::*;
pub use scene::*;
pub use solver::*;
pub use stage::*;
