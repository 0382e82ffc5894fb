//! `new`: scenes to start from.

use crate::failure::CliError;
use crate::output::{document, print};
use clap::Args;
use hardgrain_io::scene::{BuiltinScene, builtin};
use serde_json::json;
use std::fs::OpenOptions;
use std::io::{ErrorKind, Write};
use std::path::PathBuf;

/// Lists the built-in scenes, or writes one of them into a file to start from.
///
/// Examples: hardgrain new, hardgrain new silo, hardgrain new chain -o my-chain.toml
#[derive(Args)]
pub(crate) struct NewArguments {
    /// Which scene; without one they are listed.
    name: Option<String>,
    /// The file to write.
    #[arg(short, long, value_name = "FILE")]
    output: Option<PathBuf>,
    /// Replace the file if it is there.
    #[arg(long)]
    force: bool,
    /// Print the list as one JSON document.
    #[arg(long)]
    json: bool,
}

impl NewArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let Some(name) = &self.name else { return self.list() };
        let Some(scene) = builtin().iter().find(|scene| scene.name == name) else {
            let names: Vec<&str> = builtin().iter().map(|scene| scene.name).collect();
            return Err(CliError::Input(format!("there is no scene `{name}`; there are: {}", names.join(", "))));
        };
        let path = self.output.clone().unwrap_or_else(|| format!("{name}.toml").into());
        let options = OpenOptions::new().write(true).create(true).truncate(true).create_new(!self.force).to_owned();
        let mut file = options.open(&path).map_err(|error| match error.kind() {
            ErrorKind::AlreadyExists => {
                CliError::Input(format!("{} is there already; choose another name with -o, or --force", path.display()))
            }
            _ => CliError::file(&path, &error),
        })?;
        file.write_all(scene.text.as_bytes()).map_err(|error| CliError::file(&path, &error))?;
        eprintln!("wrote {0}; next: hardgrain check {0}", path.display());
        Ok(())
    }

    fn list(&self) -> Result<(), CliError> {
        if self.json {
            let entry = |scene: &BuiltinScene| json!({ "name": scene.name, "title": scene.title() });
            return print(&document(&builtin().iter().map(entry).collect::<Vec<_>>()));
        }
        let line = |scene: &BuiltinScene| format!("{:<10} {}\n", scene.name, scene.title());
        print(&builtin().iter().map(line).collect::<Vec<_>>().concat())
    }
}
