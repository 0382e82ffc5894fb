//! Chores of the repository, written as a library so that they can be tested.
//!
//! `tidy` checks the house rules that no compiler knows, as a chore (`cargo xtask tidy`) and as a test (`tests/tidy.rs`).
//! `kills` kills runs and resumes them, also for the tests of the command line. `problems` solves a folder of contact problems.
//! `speed` measures sweeps beside hand-written loops.

pub mod code;
pub mod imports;
pub mod kills;
pub mod manifest;
pub mod modules;
pub mod problems;
pub mod speed;
pub mod tidy;
pub mod tree;
