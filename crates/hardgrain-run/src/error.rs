//! Why a run could not start or continue.

use hardgrain::StepError;
use hardgrain_io::Refusal;
use hardgrain_io::record::Trouble;
use thiserror::Error;

/// Why a run could not start or continue.
#[derive(Debug, Error)]
pub enum RunError {
    /// The scene is refused.
    #[error(transparent)]
    Scene(#[from] Refusal),
    /// Bad input: the folder, a checkpoint or a setting.
    #[error("{0}")]
    Input(String),
    /// Another program holds the folder.
    #[error("{0}")]
    Busy(String),
    /// A file could not be written or read.
    #[error(transparent)]
    File(#[from] Trouble),
    /// A step failed.
    #[error(transparent)]
    Step(#[from] StepError),
}
