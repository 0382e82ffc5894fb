//! What experiments have in common: settings that may be nonsense, and errors.

use crate::flaw::Flaw;
use hardgrain::{Order, StepError};

/// Why an experiment has no result.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
pub enum Error {
    /// A setting makes no sense: its name, and a sentence.
    #[error("--{name}: {wrong}")]
    Setting {
        /// The name of the setting, as on the command line.
        name: &'static str,
        /// What is wrong and what would be right.
        wrong: String,
    },
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
    /// The experiment ran but did not come to its end.
    #[error("{0}")]
    Unfinished(String),
}

/// Settings that can be checked before anything runs.
pub trait Validate {
    /// Finds the first setting that makes no sense.
    ///
    /// # Errors
    /// [`Error::Setting`].
    fn check(&self) -> Result<(), Error>;
}

/// The random part of an experiment whose other settings are fixed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Sampling {
    /// The first seed.
    pub seed: u64,
    /// How many seeds; two at least.
    pub seeds: u32,
    /// A deliberate error in the physics.
    pub flaw: Option<Flaw>,
}

impl Sampling {
    /// All seeds.
    pub(crate) fn all(&self) -> Vec<u64> {
        seeds(self.seed, self.seeds)
    }
}

/// Seeds from the first one on.
pub(crate) fn seeds(first: u64, count: u32) -> Vec<u64> {
    (0..u64::from(count)).map(|i| first.wrapping_add(i)).collect()
}

/// The same for runs in this order of sweeps: where nothing is random, all runs are the same one.
pub(crate) fn seeds_in(order: Order, first: u64, count: u32) -> Vec<u64> {
    seeds(first, if order.is_random() { count } else { 1 })
}

/// Refuses a setting that is not sensible.
pub(crate) fn ensure(sensible: bool, name: &'static str, wrong: impl FnOnce() -> String) -> Result<(), Error> {
    if sensible { Ok(()) } else { Err(Error::Setting { name, wrong: wrong() }) }
}

/// An integer setting must be in this range.
pub(crate) fn within(name: &'static str, value: u32, least: u32, most: u32) -> Result<(), Error> {
    ensure((least..=most).contains(&value), name, || format!("{value} is not between {least} and {most}"))
}

/// A list must not be empty, and all its values must be in this range.
pub(crate) fn each_within(name: &'static str, list: &[u32], least: u32, most: u32) -> Result<(), Error> {
    ensure(!list.is_empty(), name, || "the list is empty".into())?;
    list.iter().try_for_each(|&value| within(name, value, least, most))
}

/// A number must be finite and above 0.
pub(crate) fn positive(name: &'static str, value: f64) -> Result<(), Error> {
    ensure(value > 0.0 && value.is_finite(), name, || format!("{value} is not a finite number above 0"))
}

/// Orders are written by their names.
#[allow(clippy::trivially_copy_pass_by_ref, reason = "serde asks for a reference")]
pub(crate) fn by_name<S: serde::Serializer>(order: &Order, out: S) -> Result<S::Ok, S::Error> {
    out.serialize_str(order.name())
}
