//! `completions`: what a shell needs to complete commands and flags.

use crate::failure::CliError;
use crate::output::print;
use clap::{Args, CommandFactory};
use clap_complete::Shell;

/// Prints completions for a shell.
///
/// For bash, put it into ~/.local/share/bash-completion/completions/hardgrain.
///
/// Example: hardgrain completions bash > hardgrain.bash
#[derive(Args)]
pub(crate) struct CompletionsArguments {
    /// Which shell.
    shell: Shell,
}

impl CompletionsArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut text = Vec::new();
        clap_complete::generate(self.shell, &mut crate::Arguments::command(), "hardgrain", &mut text);
        print(&String::from_utf8_lossy(&text))
    }
}
