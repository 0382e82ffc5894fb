//! `schema`: the JSON schema of scenes.

use crate::failure::CliError;
use crate::output::{document, print};
use clap::Args;

/// Prints the JSON schema of scene files, for editors that complete and check while you type.
///
/// With the extension "Even Better TOML" or any other that knows taplo, write the schema to a file and put
/// `#:schema ./scene.schema.json` into the first line of a scene.
///
/// Example: hardgrain schema > scene.schema.json
#[derive(Args)]
pub(crate) struct SchemaArguments {
    /// The schema is JSON anyway; this changes nothing.
    #[arg(long)]
    json: bool,
}

impl SchemaArguments {
    #[allow(clippy::unused_self, reason = "like the other commands")]
    pub(crate) fn run(&self) -> Result<(), CliError> {
        print(&document(&hardgrain_io::scene::schema()))
    }
}
