//! Errors of commands, and their exit codes.

use hardgrain_io::Refusal;
use hardgrain_lab::Error;
use hardgrain_run::RunError;
use miette::{GraphicalReportHandler, GraphicalTheme};
use std::fmt;
use std::io::{self, IsTerminal};
use std::path::Path;

/// The error of a command.
#[derive(Debug, thiserror::Error)]
pub(crate) enum CliError {
    /// Bad input: exit code 2.
    #[error("{0}")]
    Input(String),
    /// A refused scene: exit code 2, with the place in its text.
    #[error(transparent)]
    Scene(#[from] Refusal),
    /// Something failed: exit code 1.
    #[error("{0}")]
    Failed(String),
    /// A run missed the rest or tolerance of its scene: exit code 3. The result is printed already.
    #[error("{0}")]
    Missed(String),
    /// Stopped by Ctrl-C with a checkpoint written: exit code 130.
    #[error("{0}")]
    Stopped(String),
}

impl CliError {
    /// A flag with an invalid value.
    pub(crate) fn flag(name: &str, wrong: impl fmt::Display) -> Self {
        Self::Input(format!("--{name}: {wrong}"))
    }

    /// Numbers whose results overflow or vanish.
    pub(crate) fn beyond_numbers() -> Self {
        Self::Input("these numbers are too large or too small to calculate with; choose other units".into())
    }

    /// A file or folder that cannot be written.
    pub(crate) fn file(path: &Path, error: &io::Error) -> Self {
        Self::Failed(format!("cannot write {}: {error}", path.display()))
    }

    /// Prints the error.
    pub(crate) fn say(&self) {
        match self {
            Self::Scene(refusal) => eprint!("{}", excerpt(refusal)),
            _ => eprintln!("hardgrain: {self}"),
        }
    }

    pub(crate) fn exit_code(&self) -> u8 {
        match self {
            Self::Input(_) | Self::Scene(_) => 2,
            Self::Failed(_) => 1,
            Self::Missed(_) => 3,
            Self::Stopped(_) => 130,
        }
    }
}

impl From<Error> for CliError {
    fn from(problem: Error) -> Self {
        match &problem {
            Error::Setting { .. } => Self::Input(problem.to_string()),
            Error::Step(_) | Error::Unfinished(_) => Self::Failed(problem.to_string()),
        }
    }
}

impl From<RunError> for CliError {
    fn from(error: RunError) -> Self {
        match error {
            RunError::Scene(refusal) => Self::Scene(refusal),
            RunError::Input(why) | RunError::Busy(why) => Self::Input(why),
            RunError::File(trouble) => Self::Failed(trouble.to_string()),
            RunError::Step(error) => Self::Failed(error.to_string()),
        }
    }
}

impl From<io::Error> for CliError {
    fn from(error: io::Error) -> Self {
        Self::Failed(error.to_string())
    }
}

/// Checks that a number is finite and positive.
pub(crate) fn positive(name: &str, value: f64) -> Result<f64, CliError> {
    if value > 0.0 && value.is_finite() {
        return Ok(value);
    }
    Err(CliError::flag(name, format_args!("{value} is not a finite number above 0")))
}

/// A refused scene with the lines around the fault.
fn excerpt(refusal: &Refusal) -> String {
    let colours = io::stderr().is_terminal() && std::env::var_os("NO_COLOR").is_none();
    let theme = if colours { GraphicalTheme::unicode() } else { GraphicalTheme::unicode_nocolor() };
    let mut text = String::new();
    let drawn = GraphicalReportHandler::new_themed(theme).with_width(110).render_report(&mut text, refusal);
    if drawn.is_ok() { text } else { format!("hardgrain: {refusal}\n") }
}
