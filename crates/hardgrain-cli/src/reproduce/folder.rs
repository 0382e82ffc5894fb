//! The folder of a reproduction: what is done is kept, part by part.

use crate::failure::CliError;
use crate::lab::kept_in;
use hardgrain_figures::Section;
use hardgrain_io::record::write_whole;
use hardgrain_lab::PackingCache;
use hardgrain_lab::claims::{CheckSettings, Topic};
use serde::{Deserialize, Serialize};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::hash::{DefaultHasher, Hasher};
use std::path::{Path, PathBuf};

/// A part that is done, and with what.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredTopic {
    /// A fingerprint of the program: another one may find something else.
    program: u64,
    asked: CheckSettings,
    pub(super) section: Section,
    /// Names and texts of its curves.
    pub(super) curves: Vec<(String, String)>,
}

/// The folder, and what is asked of every part in it.
pub(super) struct ReproductionFolder {
    path: PathBuf,
    program: u64,
    asked: CheckSettings,
    // Held as long as the folder.
    _lock: File,
}

impl ReproductionFolder {
    /// Makes it if need be, for one program at a time.
    pub(super) fn open(path: &Path, asked: CheckSettings) -> Result<Self, CliError> {
        if path.exists() && !path.is_dir() {
            return Err(CliError::flag("output", format_args!("{} is not a folder", path.display())));
        }
        fs::create_dir_all(path).map_err(|error| CliError::file(path, &error))?;
        let name = path.join(".lock");
        let lock =
            OpenOptions::new().create(true).append(true).open(&name).map_err(|error| CliError::file(&name, &error))?;
        match lock.try_lock() {
            Err(TryLockError::WouldBlock) => Err(CliError::Input(format!(
                "{} is in use: another reproduction is writing there; wait for it or choose another folder with -o",
                path.display()
            ))),
            Err(TryLockError::Error(error)) => Err(CliError::file(&name, &error)),
            Ok(()) => Ok(Self { path: path.to_owned(), program: program(), asked, _lock: lock }),
        }
    }

    /// A file for each question: a quick look must not cost anyone a long one.
    fn name(&self, part: Topic) -> String {
        let CheckSettings { depth, seed, flaw } = self.asked;
        let flaw = flaw.map_or(String::new(), |flaw| format!(".{}", flaw.name()));
        format!("parts/{}.{}.seed-{seed}{flaw}.json", part.name(), depth.name())
    }

    fn file(&self, part: Topic) -> PathBuf {
        self.path.join(self.name(part))
    }

    /// What this program has found of a part, if it was asked the same. Anything else is done again.
    pub(super) fn kept(&self, part: Topic) -> Option<StoredTopic> {
        let text = fs::read_to_string(self.file(part)).ok()?;
        let kept: StoredTopic = serde_json::from_str(&text).ok()?;
        Some(kept).filter(|kept| kept.program == self.program && kept.asked == self.asked)
    }

    pub(super) fn keep(&self, part: Topic, section: Section, curves: Vec<(String, String)>) -> Result<(), CliError> {
        let kept = StoredTopic { program: self.program, asked: self.asked, section, curves };
        let text = serde_json::to_string(&kept).expect("claims have plain keys");
        self.write(&self.name(part), &text).map(|_| ())
    }

    /// Removes what is kept of this question.
    pub(super) fn forget(&self) -> Result<(), CliError> {
        for part in Topic::ALL {
            if let Err(error) = fs::remove_file(self.file(part))
                && error.kind() != std::io::ErrorKind::NotFound
            {
                return Err(CliError::file(&self.file(part), &error));
            }
        }
        Ok(())
    }

    /// Makes a folder hold these files and no others of their kind.
    pub(super) fn fill<'a>(
        &self,
        folder: &str,
        kind: &str,
        files: impl Iterator<Item = (&'a str, &'a str)>,
    ) -> Result<(), CliError> {
        let path = self.path.join(folder);
        fs::create_dir_all(&path).map_err(|error| CliError::file(&path, &error))?;
        let mut old: Vec<PathBuf> = fs::read_dir(&path)
            .map_err(|error| CliError::file(&path, &error))?
            .filter_map(|entry| entry.ok().map(|entry| entry.path()))
            .filter(|file| file.extension().is_some_and(|extension| extension == kind))
            .collect();
        for (name, text) in files {
            let file = self.write(&format!("{folder}/{name}.{kind}"), text)?;
            old.retain(|other| *other != file);
        }
        old.iter().try_for_each(|file| fs::remove_file(file).map_err(|error| CliError::file(file, &error)))
    }

    /// Where packings are kept: preparing them takes longest.
    pub(super) fn packings(&self) -> Result<PackingCache, CliError> {
        kept_in(Some(&self.path.join("packings")))
    }

    /// Writes a file whole or not at all.
    pub(super) fn write(&self, name: &str, text: &str) -> Result<PathBuf, CliError> {
        let path = self.path.join(name);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(|error| CliError::file(folder, &error))?;
        }
        write_whole(&path, text.as_bytes(), false).map_err(|trouble| CliError::Failed(trouble.to_string()))?;
        Ok(path)
    }
}

/// A fingerprint of the program that runs; 0 where it cannot read itself.
fn program() -> u64 {
    let bytes = std::env::current_exe().and_then(fs::read).unwrap_or_default();
    let mut hasher = DefaultHasher::new();
    hasher.write(&bytes);
    if bytes.is_empty() { 0 } else { hasher.finish() }
}
