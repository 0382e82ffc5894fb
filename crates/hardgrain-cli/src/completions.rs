//! `completions`: what a shell needs to complete commands and flags.

use crate::failure::Failure;
use crate::output::print;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Prints completions for a shell.
///
/// Example: hardgrain completions bash > ~/.local/share/bash-completion/completions/hardgrain
#[derive(Args)]
pub(crate) struct Completions {
    /// Which shell.
    shell: Shell,
}

impl Completions {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut crate::Arguments::command(), "hardgrain", &mut text);
        print(&String::from_utf8_lossy(&text))
    }
}
