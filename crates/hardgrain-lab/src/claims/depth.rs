//! How much is measured to check a topic, and what its check gives back.

use super::claim::Comparison;
use crate::flaw::Flaw;
use crate::settings::{Error, Sampling};
use serde::{Deserialize, Serialize};

/// How much is measured.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Depth {
    /// A minute or two.
    Quick,
    /// A few minutes.
    Usual,
    /// Error bars as in a paper: an hour.
    Full,
}

impl Depth {
    /// Its name.
    pub fn name(self) -> &'static str {
        ["quick", "usual", "full"][self as usize]
    }

    /// The one of these that belongs to it: quick, usual, full.
    pub(super) fn choose<T>(self, choices: [T; 3]) -> T {
        choices.into_iter().nth(self as usize).expect("one for each depth")
    }
}

/// Settings common to all topics.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct CheckSettings {
    /// How much is measured.
    pub depth: Depth,
    /// The first seed.
    pub seed: u64,
    /// A deliberate error in the physics.
    pub flaw: Option<Flaw>,
}

impl CheckSettings {
    /// With the number of seeds of this depth.
    pub(super) fn sampling(&self, seeds: [u32; 3]) -> Sampling {
        Sampling { seed: self.seed, seeds: self.depth.choose(seeds), flaw: self.flaw }
    }
}

/// A row that never comes to rest or goes through the wall has no result, and that is a finding.
pub(super) fn finished<R>(result: Result<R, Error>) -> Result<Option<R>, Error> {
    match result {
        Err(Error::Unfinished(_) | Error::Step(_)) => Ok(None),
        other => other.map(Some),
    }
}

/// The checks of the claims of a topic, in the order of its statements, and what they were drawn from.
pub(super) type TopicResult<E> = Result<(Vec<Vec<Comparison>>, E), Error>;
