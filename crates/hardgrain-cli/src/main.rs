//! The command line of hardgrain: arguments, progress, printing, exit codes; nothing else.

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
use std::process::ExitCode;

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

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::New(arguments) => arguments.run(),
        Command::Check(arguments) => arguments.run(),
        Command::Run(arguments) => arguments.run(),
        Command::Resume(arguments) => arguments.run(),
        Command::Report(arguments) => arguments.run(),
        Command::Audit(arguments) => arguments.run(),
        Command::Sweep(arguments) => arguments.run(),
        Command::Predict(arguments) => arguments.run(),
        Command::Calibrate(arguments) => arguments.run(),
        Command::Lab(arguments) => arguments.run(),
        Command::Reproduce(arguments) => arguments.run(),
        Command::Solve(arguments) => arguments.run(),
        Command::Schema(arguments) => arguments.run(),
        Command::Completions(arguments) => arguments.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            failure.say();
            failure.exit_code()
        }
    }
}

#[cfg(test)]
mod tests {
    use super::Arguments;
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
}
