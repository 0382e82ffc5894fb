//! The command line of hardgrain: arguments, printing, exit codes; nothing else.

mod reproduce;

use clap::{Parser, Subcommand};
use std::io::{self, Write};
use std::process::ExitCode;

/// Contact Dynamics of rigid grains that says how rigid they really were.
#[derive(Parser)]
#[command(version)]
struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Runs the paper's experiment and prints the prediction beside the measurement.
    ///
    /// Fifty rigid grains fly against a wall and are pressed on it. They ring like springs, because forty sweeps of the
    /// solver do not carry the force from one end to the other within a step. Pitch and damping follow from the number
    /// of sweeps alone. So far this is the only claim of the paper that the command checks.
    ///
    /// Example: hardgrain reproduce --seeds 20
    Reproduce {
        /// How many runs, each with its own random order of sweeps.
        #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u64).range(2..=1000))]
        seeds: u64,
    },
}

fn main() -> ExitCode {
    let Command::Reproduce { seeds } = Arguments::parse().command;
    match reproduce::reproduce(seeds).and_then(|table| Ok(print(&table)?)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("hardgrain: {error}");
            ExitCode::FAILURE
        }
    }
}

/// Writes a result to stdout. A reader that has seen enough and gone is no failure.
fn print(result: &str) -> io::Result<()> {
    match io::stdout().write_all(result.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => other,
    }
}
