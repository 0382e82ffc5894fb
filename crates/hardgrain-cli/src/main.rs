//! The command line of hardgrain: arguments, progress, printing, exit codes; nothing else.

mod audit;
mod calibrate;
mod check;
mod completions;
mod failure;
mod follow;
mod how_rigid;
mod lab;
mod new;
mod output;
mod predict;
mod progress;
mod report;
mod reproduce;
mod resume;
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
    New(new::New),
    Check(check::Check),
    Run(run::Run),
    Resume(resume::Resume),
    Report(report::Report),
    Audit(audit::Audit),
    Sweep(sweep::Sweep),
    Predict(predict::Predict),
    Calibrate(calibrate::Calibrate),
    #[command(subcommand)]
    Lab(lab::Lab),
    Reproduce(reproduce::Reproduce),
    Solve(solve::Solve),
    Schema(schema::Schema),
    Completions(completions::Completions),
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
