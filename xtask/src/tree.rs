//! The files of the repository as plain values, so that the rules need no disk.

use std::ffi::OsStr;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use crate::code::{self, Token};

/// One file of the repository.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct File {
    /// Its path from the root, with `/` between the folders.
    pub path: String,
    /// What is in it; empty where it is not text.
    pub text: String,
    /// For Rust, its code; empty for everything else.
    pub tokens: Vec<Token>,
}

impl File {
    /// A file of this path and text.
    #[must_use]
    pub fn new(path: &str, text: &str) -> Self {
        let tokens = if extension(path) == "rs" { code::tokens(text) } else { Vec::new() };
        Self { path: path.to_owned(), text: text.to_owned(), tokens }
    }

    /// What the tokens are, in their order.
    #[must_use]
    pub fn texts(&self) -> Vec<&str> {
        self.tokens.iter().map(|token| token.text.as_str()).collect()
    }

    /// Whether it holds Rust.
    #[must_use]
    pub fn is_rust(&self) -> bool {
        extension(&self.path) == "rs"
    }

    /// Whether it is the manifest of a crate in `crates/`.
    #[must_use]
    pub fn is_crate_manifest(&self) -> bool {
        matches!(self.path.split('/').collect::<Vec<_>>()[..], ["crates", _, "Cargo.toml"])
    }
}

/// What stands behind the last dot of a file's name.
#[must_use]
pub fn extension(path: &str) -> &str {
    Path::new(path).extension().and_then(OsStr::to_str).unwrap_or_default()
}

/// The nearest folder, from here upwards, that holds a workspace with this crate in it.
#[must_use]
pub fn root_above(here: &Path) -> Option<PathBuf> {
    let holds_us = |folder: &&Path| folder.join("xtask/Cargo.toml").is_file() && folder.join("Cargo.toml").is_file();
    here.ancestors().find(holds_us).map(Path::to_path_buf)
}

/// Every file below the root in the order of their paths, without git's own, build results and what git ignores.
///
/// # Errors
///
/// When a folder or a file cannot be read.
pub fn read(root: &Path) -> io::Result<Vec<File>> {
    let ignored = ignored_names(&fs::read_to_string(root.join(".gitignore")).unwrap_or_default());
    let mut files = Vec::new();
    collect(root, "", &ignored, &mut files)?;
    files.sort_by(|a, b| a.path.cmp(&b.path));
    Ok(files)
}

fn collect(folder: &Path, prefix: &str, ignored: &[Ignored], files: &mut Vec<File>) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let path = format!("{prefix}{name}");
        let kind = entry.file_type()?;
        if is_skipped(&name, &path, ignored) {
            continue;
        }
        if kind.is_dir() {
            collect(&entry.path(), &format!("{path}/"), ignored, files)?;
        } else if kind.is_file() {
            let text = String::from_utf8(fs::read(entry.path())?).unwrap_or_default();
            files.push(File::new(&path, &text));
        }
    }
    Ok(())
}

/// A name that git ignores, at the root only or anywhere.
#[derive(Debug, PartialEq, Eq)]
struct Ignored {
    name: String,
    at_root_only: bool,
}

/// The plain names of a `.gitignore`. Patterns with wild cards are left out: their files are looked at, no harm done.
fn ignored_names(text: &str) -> Vec<Ignored> {
    text.lines()
        .map(str::trim)
        .filter(|line| !line.is_empty() && !line.contains(['#', '*', '?', '!', '[']))
        .map(|line| Ignored {
            name: line.trim_matches('/').to_owned(),
            at_root_only: line.trim_end_matches('/').contains('/'),
        })
        .collect()
}

fn is_skipped(name: &str, path: &str, ignored: &[Ignored]) -> bool {
    let is_ignored = |entry: &Ignored| entry.name == if entry.at_root_only { path } else { name };
    matches!(name, ".git" | "target") || ignored.iter().any(is_ignored)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn build_results_and_ignored_names_are_skipped() {
        let ignored = ignored_names("# results\n/results\ncache/\n*.log\n");
        assert_eq!(ignored.len(), 2);
        assert!(is_skipped("target", "crates/hardgrain/target", &ignored));
        assert!(is_skipped(".git", ".git", &ignored));
        assert!(is_skipped("results", "results", &ignored));
        assert!(is_skipped("cache", "crates/cache", &ignored));
        assert!(!is_skipped("results", "crates/results", &ignored));
        assert!(!is_skipped("run.log", "run.log", &ignored));
        assert!(!is_skipped(".ci", ".ci", &ignored));
    }

    #[test]
    fn crate_manifests_lie_one_folder_deep() {
        assert!(File::new("crates/hardgrain/Cargo.toml", "").is_crate_manifest());
        assert!(!File::new("Cargo.toml", "").is_crate_manifest());
        assert!(!File::new("crates/hardgrain/fuzz/Cargo.toml", "").is_crate_manifest());
    }

    #[test]
    fn the_root_is_found_from_a_folder_deep_inside() {
        let here = Path::new(env!("CARGO_MANIFEST_DIR"));
        assert_eq!(root_above(&here.join("src/tidy")).as_deref(), here.parent());
        assert_eq!(root_above(Path::new("/")), None);
    }

    #[test]
    fn reading_the_tree_finds_this_file_and_no_build_results() {
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().expect("the crate lies in the root");
        let files = read(root).expect("the tree can be read");
        assert!(files.iter().any(|file| file.path == "xtask/src/tree.rs"));
        assert!(files.iter().all(|file| !file.path.split('/').any(|part| part == "target")));
    }
}
