//! The program `hardgrain`.

use std::process::ExitCode;

fn main() -> ExitCode {
    hardgrain_cli::run(std::env::args_os()).into()
}
