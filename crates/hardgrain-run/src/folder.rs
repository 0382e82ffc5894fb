//! The folder of a run: its files by name, who may write there, and whether a run is there already.

use crate::error::RunError;
use hardgrain_io::Scene;
use hardgrain_io::checkpoint::{NEWEST, PASSED_OVER, PREVIOUS};
use hardgrain_io::record::{Trouble, sync_folder, write_whole};
use hardgrain_io::scene::{Arrangement, Place};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

pub(crate) const SCENE: &str = "scene.toml";
pub(crate) const SUMMARY: &str = "run.json";
pub(crate) const SERIES: &str = "series.csv";
pub(crate) const GRAINS: &str = "grains";
pub(crate) const CONTACTS: &str = "contacts";
pub(crate) const LOCK: &str = ".lock";
const TABLE: &str = "grains_of_group_";

/// Files of a run, but for frames and tables of grains.
const FILES: [&str; 9] =
    [SCENE, SUMMARY, SERIES, NEWEST, PREVIOUS, PASSED_OVER, "checkpoint.new.hg", "grains.pvd", "contacts.pvd"];

/// The folder of a run that nobody else writes to.
#[derive(Debug)]
pub(crate) struct Folder {
    pub path: PathBuf,
    // Whether a run has been here before, or at least tried to begin.
    known: bool,
    // Held as long as the folder; the system lets go of it when the program ends, however it ends.
    _lock: File,
}

impl Folder {
    /// Opens a folder for writing, making it if need be.
    pub(crate) fn open(path: &Path) -> Result<Self, RunError> {
        if path.exists() && !path.is_dir() {
            return Err(RunError::Input(format!("{} is not a folder; choose another with -o", path.display())));
        }
        fs::create_dir_all(path).map_err(|error| Trouble::new(path, "make the folder", error))?;
        let name = path.join(LOCK);
        let known = name.exists();
        // Not emptied: what the name leads to may be somebody else's.
        let lock = OpenOptions::new()
            .create(true)
            .append(true)
            .open(&name)
            .map_err(|error| Trouble::new(&name, "write", error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), known, _lock: lock }),
            Err(TryLockError::WouldBlock) => {
                let message = format!(
                    "{} is in use: another run is writing there; wait for it or choose another folder with -o",
                    path.display()
                );
                Err(RunError::Input(message))
            }
            Err(TryLockError::Error(error)) => Err(Trouble::new(&name, "lock", error).into()),
        }
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// A file of a run that is here already. What a run has left that was killed before it had begun does not count.
    pub(crate) fn taken(&self) -> Result<Option<String>, RunError> {
        let leftover = |name: &str| self.known && (is_table(name) || name.strip_suffix(".draft").is_some());
        let mut names: Vec<String> = self.names()?;
        names.retain(|name| is_ours(name) && !leftover(name));
        names.sort_unstable();
        Ok(names.pop())
    }

    /// Removes what a run has left here, and nothing else.
    pub(crate) fn clear(&self) -> Result<(), RunError> {
        self.remove(is_ours)
    }

    /// Removes what a run that was killed has left behind the step at which it goes on.
    pub(crate) fn clear_after(&self, step: u64) -> Result<(), RunError> {
        let later = |name: &str| frame(name).is_some_and(|frame| frame > step);
        self.remove(|name| later(name) || name.strip_suffix(".draft").is_some_and(is_ours))
    }

    fn names(&self) -> Result<Vec<String>, RunError> {
        let trouble = |error| Trouble::new(&self.path, "read", error);
        let entries = fs::read_dir(&self.path).map_err(trouble)?;
        let names = entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()));
        Ok(names.collect::<Result<_, _>>().map_err(trouble)?)
    }

    fn remove(&self, which: impl Fn(&str) -> bool) -> Result<(), RunError> {
        for name in self.names()?.iter().filter(|name| which(name)) {
            let path = self.file(name);
            fs::remove_file(&path).map_err(|error| Trouble::new(&path, "remove", error))?;
        }
        Ok(())
    }

    /// Writes the scene, and beside it the tables of grains that it names. The scene comes last: with it the run has begun.
    pub(crate) fn write(&self, content: &Content) -> Result<(), RunError> {
        for (name, table) in &content.tables {
            write_whole(&self.file(name), table.as_bytes(), true)?;
        }
        write_whole(&self.file(SCENE), content.text.as_bytes(), true)?;
        sync_folder(&self.path);
        Ok(())
    }
}

/// Whether a file belongs to a run.
fn is_ours(name: &str) -> bool {
    let name = name.strip_suffix(".draft").unwrap_or(name);
    FILES.contains(&name) || frame(name).is_some() || is_table(name)
}

/// Whether a file is a table of grains that belongs to a run.
fn is_table(name: &str) -> bool {
    let number = name.strip_prefix(TABLE).and_then(|rest| rest.strip_suffix(".csv"));
    number.is_some_and(|number| number.parse::<usize>().is_ok())
}

/// The scene of a run as it lies in its folder: its text, and the tables of grains by name.
pub(crate) struct Content {
    pub text: String,
    pub tables: Vec<(String, String)>,
}

impl Content {
    /// The effective scene, with its tables under names of our own.
    pub(crate) fn of(scene: &Scene) -> Self {
        let (mut names, mut tables) = (Vec::new(), Vec::new());
        for (index, group) in scene.groups.iter().enumerate() {
            let Arrangement::File(path, rows) = &group.arrangement else { continue };
            let name = format!("{TABLE}{index}.csv");
            // A table that two groups use is written once.
            if names.iter().all(|(known, _)| known != path) {
                names.push((path.clone(), name.clone()));
                tables.push((name, table(rows, scene.dimension)));
            }
        }
        let text = if names.is_empty() { scene.source.text.clone() } else { scene.with_tables(&names) };
        Self { text, tables }
    }
}

/// Places and radii as CSV, every bit kept.
fn table(rows: &[(Place, Option<f64>)], dimension: usize) -> String {
    let radius = rows.iter().any(|(_, radius)| radius.is_some()).then_some("radius");
    let mut text = ["x", "y", "z"].into_iter().take(dimension).chain(radius).collect::<Vec<_>>().join(",");
    for (place, radius) in rows {
        let values = place[..dimension].iter().chain(radius);
        let line: Vec<String> = values.map(|value| format!("{value:e}")).collect();
        text.push('\n');
        text += &line.join(",");
    }
    text + "\n"
}

/// The step of a frame, from the name of its file.
fn frame(name: &str) -> Option<u64> {
    let number = name.strip_suffix(".vtp")?;
    let number = number.strip_prefix(GRAINS).or_else(|| number.strip_prefix(CONTACTS))?;
    number.strip_prefix('_')?.parse().ok()
}

/// The name of a frame.
pub(crate) fn frame_name(of: &str, step: u64) -> String {
    format!("{of}_{step:09}.vtp")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_known_by_their_names() {
        assert_eq!(frame(&frame_name(GRAINS, 200)), Some(200));
        assert_eq!(frame("contacts_000001000.vtp"), Some(1000));
        for name in ["series.csv", "grains.pvd.draft", "grains_000000200.vtp.draft", "grains_of_group_0.csv"] {
            assert!(is_ours(name), "{name}");
        }
        for name in ["notes.draft", "grains.csv", "grains_of_group_x.csv", "checkpoint.hg.old"] {
            assert!(!is_ours(name), "{name}");
        }
        for name in ["grains.pvd", "grains_.vtp", "grains_12.csv", "photo_000000200.vtp", "grains_of_group_0.csv"] {
            assert_eq!(frame(name), None);
        }
    }
}
