//! Output of results: a table or one JSON document on stdout, and optionally a folder of files.

use crate::failure::CliError;
use clap::Args;
use hardgrain_io::record::write_whole;
use serde::Serialize;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// How a result is shown and kept.
#[derive(Args)]
pub(crate) struct OutputArguments {
    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,
    /// Also write the raw curves (CSV), a figure (SVG) and the result (JSON) into this folder.
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
}

/// Files made from a result: extension and content.
pub(crate) type ResultFiles = Vec<(&'static str, String)>;

impl OutputArguments {
    /// Creates the folder, so that errors show before a long experiment.
    pub(crate) fn prepare(&self) -> Result<(), CliError> {
        let Some(folder) = &self.output else { return Ok(()) };
        if folder.exists() && !folder.is_dir() {
            return Err(CliError::flag("output", format_args!("{} is not a folder", folder.display())));
        }
        fs::create_dir_all(folder).map_err(|error| CliError::file(folder, &error))
    }

    /// The folder, if one is given.
    pub(crate) fn folder(&self) -> Option<&Path> {
        self.output.as_deref()
    }

    /// Prints a result and writes its files.
    pub(crate) fn finish(
        &self,
        name: &str,
        result: &impl Serialize,
        table: impl FnOnce() -> String,
        files: impl FnOnce() -> ResultFiles,
    ) -> Result<(), CliError> {
        if let Some(folder) = &self.output {
            for (extension, content) in files().into_iter().chain([("json", document(result))]) {
                write(&folder.join(format!("{name}.{extension}")), content.as_bytes())?;
            }
        }
        print(&if self.json { document(result) } else { table() })
    }
}

/// One JSON document. NaN and infinity become null.
pub(crate) fn document(result: &impl Serialize) -> String {
    serde_json::to_string_pretty(result).expect("results have plain keys") + "\n"
}

/// Writes a file atomically, and reports it.
pub(crate) fn write(path: &Path, content: &[u8]) -> Result<(), CliError> {
    write_whole(path, content, false).map_err(|trouble| CliError::Failed(trouble.to_string()))?;
    eprintln!("wrote {}", path.display());
    Ok(())
}

/// Writes a result to stdout. A closed pipe is not an error.
pub(crate) fn print(result: &str) -> Result<(), CliError> {
    match io::stdout().write_all(result.as_bytes()) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        other => Ok(other?),
    }
}
