//! The experiments of the paper as values: settings in, predictions beside measurements out.
//!
//! | experiment | question |
//! |---|---|
//! | [`order`] | how fast does a sweep of this order spread forces: q |
//! | [`chain`] | fifty grains pressed against a wall: at which frequency do they ring, how fast does it decay |
//! | [`scaling`] | the same for several numbers of sweeps: ω ~ N_I^½, τ ~ 1/N_I |
//! | [`dispersion`] | every standing wave of a chain: ω(k) and τ(k) |
//! | [`soft`] | the same chain beside one of soft grains with the springs that its sweeps amount to |
//! | [`packing`] | loose grains pressed together until they rest: what does the packing look like inside |
//! | [`piston`] | the load on a packing at rest is raised a little: at which frequency does it ring, how fast does it decay |
//! | [`moduli`] | pushed from above and sideways: two speeds of sound, two moduli |
//! | [`rigid_limit`] | how many sweeps does a load take from top to bottom, against the size |
//!
//! In units of the (mean) diameter d and mass m of the grains and of the step h. Results serialise to the JSON that the
//! command line prints; raw curves are kept beside them. Runs with different seeds go in parallel, and their order never
//! matters: equal settings give equal bits on any number of threads.
#![forbid(unsafe_code)]

pub mod chain;
pub mod claims;
pub mod conditions;
pub mod dispersion;
pub mod moduli;
pub mod number;
pub mod order;
pub mod packing;
pub mod piston;
pub mod pulse;
pub mod rigid_limit;
pub mod scaling;
pub mod soft;
pub mod softness;
pub mod spreading;
pub mod stopping;

mod cache;
mod clock;
mod counterpart;
mod demonstration;
mod estimate;
mod flaw;
mod line;
mod loads;
mod preparation;
mod recipe;
mod ring_down;
mod settings;
mod shape;
mod table;
mod transmission;
mod watch;

pub use cache::PackingCache;
pub use demonstration::{Demonstration, Demonstrations};
pub use estimate::{Exponents, Oscillation};
pub use flaw::Flaw;
pub use preparation::{Preparation, Prepared, prepare};
pub use recipe::PackingSettings;
pub use ring_down::RingDown;
pub use settings::{Error, Sampling, Validate};
pub use shape::Shape;
pub use transmission::LimitSolver;
pub use watch::{Progress, Unwatched};
