//! Why a run could not start or continue.

use hardgrain::StepError;
use hardgrain_io::Refusal;
use hardgrain_io::record::Trouble;
use std::fmt;

/// Why a run could not start or continue.
#[derive(Debug)]
pub enum RunError {
    /// The scene is refused.
    Scene(Refusal),
    /// Bad input: the folder, a checkpoint or a setting.
    Input(String),
    /// Another program holds the folder.
    Busy(String),
    /// A file could not be written or read.
    File(Trouble),
    /// A step failed.
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
