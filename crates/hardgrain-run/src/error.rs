//! Why a run could not begin or go on.

use hardgrain::StepError;
use hardgrain_io::Refusal;
use hardgrain_io::record::Trouble;
use std::fmt;

/// Why a run could not begin or go on.
#[derive(Debug)]
pub enum RunError {
    /// The scene makes no sense.
    Scene(Refusal),
    /// The folder, a checkpoint or a setting is not what it should be: bad input.
    Input(String),
    /// Another program is writing there.
    Busy(String),
    /// A file could not be written or read.
    File(Trouble),
    /// A step could not be made.
    Step(StepError),
}

impl fmt::Display for RunError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Scene(refusal) => write!(out, "{refusal}"),
            Self::Input(why) | Self::Busy(why) => write!(out, "{why}"),
            Self::File(trouble) => write!(out, "{trouble}"),
            Self::Step(error) => write!(out, "{error}"),
        }
    }
}

impl std::error::Error for RunError {}

impl From<Refusal> for RunError {
    fn from(refusal: Refusal) -> Self {
        Self::Scene(refusal)
    }
}

impl From<Trouble> for RunError {
    fn from(trouble: Trouble) -> Self {
        Self::File(trouble)
    }
}

impl From<StepError> for RunError {
    fn from(error: StepError) -> Self {
        Self::Step(error)
    }
}
