//! What can go wrong, and with which exit code.

use hardgrain_lab::Problem;
use std::fmt;
use std::io;
use std::path::Path;
use std::process::ExitCode;

/// A failed command.
#[derive(Debug)]
pub(crate) enum Failure {
    /// The input makes no sense: exit code 2.
    Input(String),
    /// Something failed: exit code 1.
    Failed(String),
}

impl Failure {
    /// A flag with a value that makes no sense.
    pub(crate) fn flag(name: &str, wrong: impl fmt::Display) -> Self {
        Self::Input(format!("--{name}: {wrong}"))
    }

    /// A file or folder that cannot be written.
    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        Self::Failed(format!("cannot write {}: {error}", path.display()))
    }

    pub(crate) fn exit_code(&self) -> ExitCode {
        match self {
            Self::Input(_) => ExitCode::from(2),
            Self::Failed(_) => ExitCode::FAILURE,
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Input(why) | Self::Failed(why) => write!(out, "{why}"),
        }
    }
}

impl From<Problem> for Failure {
    fn from(problem: Problem) -> Self {
        match &problem {
            Problem::Setting { .. } => Self::Input(problem.to_string()),
            Problem::Step(_) | Problem::Unfinished(_) => Self::Failed(problem.to_string()),
        }
    }
}

impl From<io::Error> for Failure {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

/// A number must be finite and above 0.
pub(crate) fn positive(name: &str, value: f64) -> Result<f64, Failure> {
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(Failure::flag(name, format_args!("{value} is not a finite number above 0")))
}
