//! The command line of hardgrain: arguments, progress, printing, exit codes; nothing else.
//!
//! A library with the one function [`run`], so that other programs can carry the command: the program `hardgrain` is a
//! call of it, and so is the command of a Python package.

mod audit;
mod calibrate;
mod check;
mod completions;
mod failure;
mod follow;
mod lab;
mod new;
mod output;
mod predict;
mod progress;
mod report;
mod reproduce;
mod resume;
mod rigidity_lines;
mod run;
mod schema;
mod solve;
mod sweep;
mod table;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::io::{self, Write};

/// Contact Dynamics of rigid grains that says how rigid they really were.
///
/// Results go to stdout, everything else to stderr. Exit codes: 0 fine, 1 failed, 2 bad input, 3 a run missed the rest or
/// the tolerance that its scene asked for, 130 stopped by Ctrl-C with a checkpoint written.
///
/// First steps: hardgrain new chain && hardgrain check chain.toml && hardgrain run chain.toml
#[derive(Parser)]
#[command(name = "hardgrain", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    New(new::NewArguments),
    Check(check::CheckArguments),
    Run(run::RunArguments),
    Resume(resume::ResumeArguments),
    Report(report::ReportArguments),
    Audit(audit::AuditArguments),
    Sweep(sweep::SweepArguments),
    Predict(predict::PredictArguments),
    Calibrate(calibrate::CalibrateArguments),
    #[command(subcommand)]
    Lab(lab::Lab),
    Reproduce(reproduce::ReproduceArguments),
    Solve(solve::SolveArguments),
    Schema(schema::SchemaArguments),
    Completions(completions::CompletionsArguments),
}

/// Runs the command with these arguments, of which the first is the name of the program, and returns its exit code:
/// 0 fine, 1 failed, 2 bad input, 3 a run missed what its scene asked for, 130 stopped by Ctrl-C.
///
/// Results and errors are printed, help and bad flags too, as the program `hardgrain` prints them. Only a second Ctrl-C
/// ends the process from within.
pub fn run(arguments: impl IntoIterator<Item = OsString>) -> u8 {
    let code = match Arguments::try_parse_from(arguments) {
        Ok(arguments) => match arguments.command.run() {
            Ok(()) => 0,
            Err(failure) => {
                failure.say();
                failure.exit_code()
            }
        },
        // Help and versions count as errors of the parser, but are printed to stdout and have code 0.
        Err(said) => {
            let _ = said.print();
            u8::try_from(said.exit_code()).unwrap_or(2)
        }
    };
    follow::no_longer_cancelled_by_user();
    // A process that is not Rust's own does not do this at its end.
    let _ = io::stdout().flush();
    code
}

impl Command {
    fn run(self) -> Result<(), failure::CliError> {
        match self {
            Self::New(arguments) => arguments.run(),
            Self::Check(arguments) => arguments.run(),
            Self::Run(arguments) => arguments.run(),
            Self::Resume(arguments) => arguments.run(),
            Self::Report(arguments) => arguments.run(),
            Self::Audit(arguments) => arguments.run(),
            Self::Sweep(arguments) => arguments.run(),
            Self::Predict(arguments) => arguments.run(),
            Self::Calibrate(arguments) => arguments.run(),
            Self::Lab(arguments) => arguments.run(),
            Self::Reproduce(arguments) => arguments.run(),
            Self::Solve(arguments) => arguments.run(),
            Self::Schema(arguments) => arguments.run(),
            Self::Completions(arguments) => arguments.run(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Arguments, run};
    use clap::{Command, CommandFactory};

    /// Help whose lines are kept as they are must fit where clap breaks lines.
    fn fits(command: &Command) {
        let about = command.get_long_about().map(ToString::to_string).unwrap_or_default();
        let kept = about.split("\n\n").any(|paragraph| paragraph.contains('\n'));
        for line in about.lines().filter(|_| kept) {
            assert!(line.chars().count() <= 100, "{}: {line}", command.get_name());
        }
        command.get_subcommands().for_each(fits);
    }

    #[test]
    fn help_fits_into_a_hundred_columns() {
        fits(&Arguments::command());
    }

    #[test]
    fn the_caller_gets_the_exit_code() {
        let code = |arguments: &[&str]| run(["hardgrain"].iter().chain(arguments).map(Into::into));
        assert_eq!([code(&["--version"]), code(&["check", "--help"]), code(&["schema"])], [0; 3]);
        assert_eq!([code(&[]), code(&["fly"]), code(&["new", "--fast"]), code(&["new", "moon"])], [2; 4]);
        // A folder of this name is no file that can be written.
        assert_eq!(code(&["new", "chain", "--force", "-o", "."]), 1);
    }
}
