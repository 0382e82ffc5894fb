//! The folder of a run: its files by name, who may write there, and whether a run is there already.

use crate::error::RunError;
use hardgrain_io::Scene;
use hardgrain_io::checkpoint::{NEWEST, PREVIOUS};
use hardgrain_io::record::{Trouble, sync_folder, write_whole};
use hardgrain_io::scene::Arrangement;
use std::fs::{self, File, TryLockError};
use std::path::{Path, PathBuf};

pub(crate) const SCENE: &str = "scene.toml";
pub(crate) const SUMMARY: &str = "run.json";
pub(crate) const SERIES: &str = "series.csv";
pub(crate) const GRAINS: &str = "grains";
pub(crate) const CONTACTS: &str = "contacts";
const LOCK: &str = ".lock";

/// Files by which a run is known.
const MARKS: [&str; 7] = [SCENE, SUMMARY, SERIES, NEWEST, PREVIOUS, "grains.pvd", "contacts.pvd"];

/// The folder of a run that nobody else writes to.
#[derive(Debug)]
pub(crate) struct Folder {
    pub path: PathBuf,
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
        let lock = File::create(&name).map_err(|error| Trouble::new(&name, "write", error))?;
        match lock.try_lock() {
            Ok(()) => Ok(Self { path: path.to_owned(), _lock: lock }),
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

    /// The mark of a run that is here already.
    pub(crate) fn taken(&self) -> Option<&'static str> {
        MARKS.into_iter().find(|name| self.file(name).exists())
    }

    /// Removes what a run has left here, and nothing else.
    pub(crate) fn clear(&self) -> Result<(), RunError> {
        self.remove(|name| MARKS.contains(&name) || name.starts_with("checkpoint.new.hg") || frame(name).is_some())
    }

    /// Removes what a run that was killed has left behind the step at which it goes on.
    pub(crate) fn clear_after(&self, step: u64) -> Result<(), RunError> {
        let later = |name: &str| frame(name).is_some_and(|frame| frame > step);
        self.remove(|name| later(name) || Path::new(name).extension().is_some_and(|kind| kind == "draft"))
    }

    fn remove(&self, which: impl Fn(&str) -> bool) -> Result<(), RunError> {
        let trouble = |error| Trouble::new(&self.path, "read", error);
        for entry in fs::read_dir(&self.path).map_err(trouble)? {
            let entry = entry.map_err(trouble)?;
            let known = entry.file_name().to_str().is_some_and(&which);
            if known && entry.file_type().is_ok_and(|kind| !kind.is_dir()) {
                fs::remove_file(entry.path()).map_err(|error| Trouble::new(&entry.path(), "remove", error))?;
            }
        }
        Ok(())
    }

    /// Writes the effective scene, and beside it the tables of grains that it names. The scene comes last: with it the run
    /// has begun.
    pub(crate) fn write_scene(&self, scene: &Scene) -> Result<(), RunError> {
        let mut names: Vec<(String, String)> = Vec::new();
        for (index, group) in scene.groups.iter().enumerate() {
            let Arrangement::File(path, rows) = &group.arrangement else { continue };
            let name = format!("grains_of_group_{index}.csv");
            let axes = ["x", "y", "z"].into_iter().take(scene.dimension);
            let radius = rows.iter().any(|(_, radius)| radius.is_some()).then_some("radius");
            let mut table = axes.chain(radius).collect::<Vec<_>>().join(",");
            for (place, radius) in rows {
                let values = place[..scene.dimension].iter().chain(radius);
                let line: Vec<String> = values.map(|value| format!("{value:e}")).collect();
                table += "\n";
                table += &line.join(",");
            }
            write_whole(&self.file(&name), (table + "\n").as_bytes(), true)?;
            names.push((path.clone(), name));
        }
        let text = if names.is_empty() { scene.source.text.clone() } else { scene.with_tables(&names) };
        write_whole(&self.file(SCENE), text.as_bytes(), true)?;
        sync_folder(&self.path);
        Ok(())
    }
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
        for name in ["grains.pvd", "grains_.vtp", "grains_12.csv", "photo_000000200.vtp", "grains_of_group_0.csv"] {
            assert_eq!(frame(name), None);
        }
    }
}
