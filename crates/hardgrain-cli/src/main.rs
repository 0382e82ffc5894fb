//! The command line of hardgrain: arguments, progress, printing, exit codes; nothing else.

mod calibrate;
mod failure;
mod lab;
mod output;
mod predict;
mod progress;
mod reproduce;
mod table;

use clap::{Parser, Subcommand};
use std::process::ExitCode;

/// Contact Dynamics of rigid grains that says how rigid they really were.
///
/// Results go to stdout, everything else to stderr. Exit codes: 0 fine, 1 failed, 2 bad input.
#[derive(Parser)]
#[command(name = "hardgrain", version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    Predict(predict::Predict),
    Calibrate(calibrate::Calibrate),
    #[command(subcommand)]
    Lab(lab::Lab),
    Reproduce(reproduce::Reproduce),
}

fn main() -> ExitCode {
    let done = match Arguments::parse().command {
        Command::Predict(arguments) => arguments.run(),
        Command::Calibrate(arguments) => arguments.run(),
        Command::Lab(arguments) => arguments.run(),
        Command::Reproduce(arguments) => arguments.run(),
    };
    match done {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("hardgrain: {failure}");
            failure.exit_code()
        }
    }
}
