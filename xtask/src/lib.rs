//! Chores of the repository, written as a library so that they can be tested.
//!
//! `tidy` keeps the house rules that no compiler knows. It is a task (`cargo xtask tidy`) and a test (`tests/tidy.rs`).
//! `kills` kills runs and resumes them; the tests of the command line use it as well. `problems` solves a folder of contact
//! problems. `speed` measures sweeps beside loops written by hand.

pub mod code;
pub mod hashes;
pub mod imports;
pub mod kills;
pub mod manifest;
pub mod modules;
pub mod problems;
pub mod speed;
pub mod tidy;
pub mod tree;
