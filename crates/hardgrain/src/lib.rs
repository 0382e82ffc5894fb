//! Contact Dynamics of perfectly rigid grains, on a line, in the plane and in space: one code.
//!
//! A [`Packing`] is the state: grains, pistons, walls, a cell, and the reactions of the last step. An [`Engine`] moves it
//! forward in time; [`ContactDynamics`] is the one for rigid grains. Each step formulates a contact [`Problem`] and gives it to a
//! [`Solver`]: [`GaussSeidel`] sweeps over the contacts as the paper does and, when it stops early, rigid grains act like
//! springs; [`Pooling`] is exact, on a line.
//!
//! ```
//! use hardgrain::{ContactDynamics, Engine, GaussSeidel, Grain, Line, Order, Packing, Part, Pooling, Stop, Wall};
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! // Fifty touching grains stand against a wall, and the last one is pushed with a force of 0.05.
//! let mut packing = Packing::<Line>::new();
//! let wall = packing.add_wall(Wall::new([0.0], [1.0]))?;
//! for i in 0..50 {
//!     packing.add(Grain::new([0.5 + f64::from(i)], 0.5).mass(1.0))?;
//! }
//! packing.grains[49].force = [-0.05].into();
//! let mut again = packing.clone();
//!
//! // Forty sweeps carry the force over about six grains, so none of it reaches the wall.
//! let mut forty = ContactDynamics::new(1.0, GaussSeidel::new(Order::RandomSweep, Stop::Sweeps(40)));
//! forty.step(&mut packing)?;
//! assert!(packing.load_on(Part::Wall(wall)) < 1e-6);
//!
//! // The exact solver carries it to the wall, as rigid grains must.
//! ContactDynamics::new(1.0, Pooling).step(&mut again)?;
//! assert!((again.load_on(Part::Wall(wall)) - 0.05).abs() < 1e-12);
//! # Ok(()) }
//! ```
//!
//! Units are those of the input, if they are consistent. This crate reads no files, prints nothing and reads no clock, and equal
//! input gives equal bits. Invalid input is an error that names the place; a solve that did not converge is a [`Status`] in
//! the [`StepReport`].

#![cfg_attr(not(test), warn(clippy::print_stdout, clippy::print_stderr))]
#![cfg_attr(test, allow(clippy::disallowed_methods, clippy::disallowed_types))]

mod cancel;
// Unit tests do without: they would compile everything once more.
#[cfg(not(test))]
#[doc(hidden)]
pub mod compiled;
mod digest;
mod dimension;
mod error;
mod lanes;
mod packing;
mod part;
mod problem;
mod random;
mod real;
mod search;
pub mod soft;
mod solver;
mod step;
mod threads;
mod tuning;
mod vector;

pub use cancel::CancelToken;
pub use dimension::{Dimension, Line, Plane, Space};
pub use error::{Failure, InputError, StepError};
pub use lanes::{Eight, Path, prefetch_numbers};
pub use packing::{
    Cell, Grain, Identity, Label, Labels, Material, Materials, Memory, Motion, Packing, Pair, Piston, Remembered,
    Surface, Touch, Wall,
};
pub use part::Part;
pub use problem::{Body, Contact, Impulse, Problem, Row};
pub use random::{Purpose, Seed, Stream};
pub use real::{Additive, Real};
pub use search::{Neighbours, Strides};
pub use solver::{
    Accelerated, Coloured, ContactVector, GaussSeidel, InColours, InSequence, Inspection, Iterate, Momentum, Order,
    PairProducts, Pooling, RandomBlocks, Solution, Solver, Status, Stop, SweepLimits, Sweepable, Trace, accelerate,
    linear_size, sweep, sweep_visits,
};
pub use step::{ContactDynamics, Engine, Shock, StepReport, acts};
pub use threads::Threads;
pub use tuning::{AcceleratedTuning, SkinTuning, SoftTuning, StepTuning, SweepTuning};
pub use vector::{Components, Vector};
