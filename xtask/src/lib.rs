//! Chores of the repository, written as a library so that they can be tested.
//!
//! `tidy` checks the house rules that no compiler knows, as a chore (`cargo xtask tidy`) and as a test (`tests/tidy.rs`).
//! `kills` kills runs and resumes them, also for the tests of the command line. `problems` solves a folder of contact problems.
//! `speed`, which measures sweeps beside hand-written loops, belongs to the program alone: it compiles all sweeps once more, which no test needs.

pub mod code;
pub mod imports;
pub mod kills;
pub mod manifest;
pub mod modules;
pub mod problems;
pub mod tidy;
pub mod tree;
pub mod turns;
