//! The folder of a run: names of its files, its lock, and whether it holds a run already.

pub(crate) mod checkpoint;
pub(crate) mod finished;
mod frames;
mod records;
pub(crate) mod run;
pub(crate) mod stepping;
pub(crate) mod summary;

use crate::error::RunError;
use crate::problems::is_problem;
use hardgrain_io::checkpoint::{NEWEST, PASSED_OVER, PREVIOUS};
use hardgrain_io::record::{Trouble, finish_draft, sync_folder, write_draft};
use hardgrain_io::scene::{Arrangement, FramePlan};
use hardgrain_io::{Refusal, Scene};
use std::fs::{self, File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

pub(crate) const SCENE: &str = "scene.toml";
pub(crate) const SUMMARY: &str = "run.json";
pub(crate) const SERIES: &str = "series.csv";
pub(crate) const GRAINS: &str = "grains";
pub(crate) const CONTACTS: &str = "contacts";
pub(crate) const LOCK: &str = ".lock";
const TABLE: &str = "grains_of_group_";

/// The initial packing, where the scene names one.
const START: &str = "start.hg";

/// Files of a run, except frames and tables of grains.
const FILES: [&str; 10] = [
    SCENE,
    SUMMARY,
    SERIES,
    NEWEST,
    PREVIOUS,
    PASSED_OVER,
    "checkpoint.new.hg",
    "grains.pvd",
    "contacts.pvd",
    "report.html",
];

/// Marks the folder of a study, and holds its plan.
pub(crate) const STUDY: &str = "study.json";

/// Whether others may use a folder at the same time.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sharing {
    /// Exclusive.
    Alone,
    /// Shared by tasks of a scheduler, each with its own runs.
    Together,
}

/// Locks a folder as long as it lives; the system releases it when the program ends, even by a crash.
#[derive(Debug)]
pub struct FolderLock {
    _file: File,
    // Locked too, where the system can: the lock file may be removed while a run is active.
    _folder: Option<File>,
}

impl FolderLock {
    /// Creates a folder if necessary, and locks it. `who` names the other program in the message if it is in use.
    pub(crate) fn take(path: &Path, sharing: Sharing, who: &str) -> Result<Self, RunError> {
        if path.exists() && !path.is_dir() {
            return Err(RunError::Input(format!("{} is not a folder; choose another with -o", path.display())));
        }
        fs::create_dir_all(path).map_err(|error| Trouble::new(path, "make the folder", error))?;
        let name = path.join(LOCK);
        // Not truncated: the name may be a link to a foreign file.
        let opened = OpenOptions::new().create(true).append(true).open(&name);
        let file = opened.map_err(|error| Trouble::new(&name, "write", error))?;
        let folder = File::open(path).ok();
        let lock = |file: &File| match sharing {
            Sharing::Alone => file.try_lock(),
            Sharing::Together => file.try_lock_shared(),
        };
        let place = shown(path);
        for (index, result) in [Some(&file), folder.as_ref()].into_iter().flatten().map(lock).enumerate() {
            match result {
                Err(TryLockError::WouldBlock) => {
                    let why = "wait for it or choose another folder with -o";
                    return Err(RunError::Busy(format!("{place} is in use: another {who} there; {why}")));
                }
                Err(TryLockError::Error(error)) if index == 0 => return Err(Trouble::new(&name, "lock", error).into()),
                _ => {}
            }
        }
        Ok(Self { _file: file, _folder: folder })
    }
}

/// The locked folder of a run.
#[derive(Debug)]
pub(crate) struct RunFolder {
    pub path: PathBuf,
    _held: FolderLock,
}

impl RunFolder {
    /// Opens a folder for writing, and creates it if necessary.
    pub(crate) fn open(path: &Path) -> Result<Self, RunError> {
        refuse_study(path)?;
        Ok(Self { path: path.to_owned(), _held: FolderLock::take(path, Sharing::Alone, "run is writing")? })
    }

    pub(crate) fn file(&self, name: &str) -> PathBuf {
        self.path.join(name)
    }

    /// Removes what a killed run wrote after the step at which it resumes: frames that will be written again, and unfinished
    /// files.
    pub(crate) fn clear_after(&self, step: u64, frames: Option<FramePlan>) -> Result<(), RunError> {
        let again = |number: u64| number > step && frames.is_some_and(|plan| number.is_multiple_of(plan.every));
        self.remove(|name| frame(name).is_some_and(again) || name.strip_suffix(".draft").is_some_and(is_ours))
    }

    fn remove(&self, which: impl Fn(&str) -> bool) -> Result<(), RunError> {
        // Checkpoints come first in the alphabet: without them a half removed run starts afresh.
        let mut names = names_in(&self.path)?;
        names.sort_unstable();
        for name in names.iter().filter(|name| which(name)) {
            let path = self.file(name);
            fs::remove_file(&path).map_err(|error| Trouble::new(&path, "remove", error))?;
        }
        Ok(())
    }

    /// Prepares the folder for a run of this scene: removes the files of an earlier run, and writes the scene and the files that
    /// it names. New files are on disk before old ones are removed, and the scene comes last: a kill in between leaves one
    /// scene or the other.
    pub(crate) fn begin(&self, content: &Content) -> Result<(), RunError> {
        let scene = (SCENE.to_owned(), content.text.clone().into_bytes());
        let files: Vec<&(String, Vec<u8>)> = content.named.iter().chain([&scene]).collect();
        for (name, bytes) in &files {
            write_draft(&self.file(name), bytes)?;
        }
        let old = |name: &str| is_ours(name) && !is_draft(name) && name != SCENE;
        if let Some(name) = names_in(&self.path)?.iter().find(|name| old(name) && self.file(name).is_dir()) {
            let place = shown(&self.file(name));
            return Err(RunError::Input(format!("{place} is a folder, and a run would need that name")));
        }
        self.remove(|name| old(name) && !is_named(name))?;
        for (name, _) in &files {
            finish_draft(&self.file(name))?;
        }
        self.remove(|name| is_named(name) && content.named.iter().all(|(known, _)| known != name))?;
        sync_folder(&self.path);
        Ok(())
    }
}

fn is_draft(name: &str) -> bool {
    name.strip_suffix(".draft").is_some()
}

/// A path quoted for a shell.
pub fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    let plain = |letter: char| letter.is_alphanumeric() || "/._-+=:,@%~".contains(letter);
    if text.chars().all(plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

/// Refuses the folder of a study.
pub(crate) fn refuse_study(path: &Path) -> Result<(), RunError> {
    if !path.join(STUDY).exists() {
        return Ok(());
    }
    let place = shown(path);
    Err(RunError::Input(format!(
        "{place} holds a study; go on with it by `hardgrain sweep --resume {place}`, its runs are in {place}/runs"
    )))
}

/// A file of a run in a folder that may not exist yet. Leftovers of a run that was killed before it started do not count.
pub(crate) fn taken(path: &Path) -> Result<Option<String>, RunError> {
    if !path.is_dir() {
        return Ok(None);
    }
    refuse_study(path)?;
    let known = path.join(LOCK).exists();
    let mut names = names_in(path)?;
    names.retain(|name| is_ours(name) && !(known && (is_named(name) || is_draft(name))));
    names.sort_unstable();
    Ok(names.pop())
}

/// The text of a file; none if it does not exist.
pub(crate) fn read(path: &Path) -> Result<Option<String>, Trouble> {
    match fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(error) => Err(Trouble::new(path, "read", error)),
    }
}

fn names_in(path: &Path) -> Result<Vec<String>, RunError> {
    let trouble = |error| Trouble::new(path, "read", error);
    let entries = fs::read_dir(path).map_err(trouble)?;
    let names = entries.map(|entry| entry.map(|entry| entry.file_name().to_string_lossy().into_owned()));
    Ok(names.collect::<Result<_, _>>().map_err(trouble)?)
}

/// Whether a file belongs to a run.
fn is_ours(name: &str) -> bool {
    let name = name.strip_suffix(".draft").unwrap_or(name);
    FILES.contains(&name) || frame(name).is_some() || is_problem(name) || is_named(name)
}

/// Whether the scene of a run names this file: a table of grains, or the initial packing.
fn is_named(name: &str) -> bool {
    let number = name.strip_prefix(TABLE).and_then(|rest| rest.strip_suffix(".csv"));
    name == START || number.is_some_and(|number| number.parse::<usize>().is_ok())
}

/// The scene of a run as stored in its folder: its text, and the files that it names.
#[derive(Clone, Debug)]
pub(crate) struct Content {
    pub text: String,
    pub named: Vec<(String, Vec<u8>)>,
    /// The files that it names: how they were typed, and their names in the folder.
    pub renamed: Vec<(String, String)>,
}

impl Content {
    /// The effective scene; the files that it names get names of their own.
    pub(crate) fn from_scene(scene: &Scene) -> Result<Self, RunError> {
        let (mut names, mut named) = (Vec::new(), Vec::new());
        for (index, group) in scene.groups.iter().enumerate() {
            let Arrangement::File(path, _) = &group.arrangement else { continue };
            let name = format!("{TABLE}{index}.csv");
            // A table used by two groups is written once.
            if names.iter().all(|(known, _)| known != path) {
                names.push((path.clone(), name.clone()));
                named.push((name, scene.file(path)?));
            }
        }
        if let Some(start) = &scene.start {
            names.push((start.path.clone(), START.to_owned()));
            named.push((START.to_owned(), scene.file(&start.path)?));
        }
        let text = if names.is_empty() { scene.source.text.clone() } else { scene.with_files(&names) };
        Ok(Self { text, named, renamed: names })
    }

    /// The scene again, with changes as behind `--set`. `name` is that of its file, for messages.
    pub(crate) fn scene(&self, name: &str, changes: &[String]) -> Result<Scene, Refusal> {
        let files = |name: &str| {
            let found = self.named.iter().find(|(known, _)| known == name);
            found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| "cannot be read".to_owned())
        };
        Scene::from_text(name, &self.text, changes, &files)
    }
}

/// The step of a frame, from the name of its file.
fn frame(name: &str) -> Option<u64> {
    let number = name.strip_suffix(".vtp")?;
    let number = number.strip_prefix(GRAINS).or_else(|| number.strip_prefix(CONTACTS))?;
    number.strip_prefix('_')?.parse().ok()
}

/// The name of a frame.
pub(crate) fn frame_name(kind: &str, step: u64) -> String {
    format!("{kind}_{step:09}.vtp")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frames_are_known_by_their_names() {
        assert_eq!(frame(&frame_name(GRAINS, 200)), Some(200));
        assert_eq!(frame("contacts_000001000.vtp"), Some(1000));
        for name in [
            "series.csv",
            "grains.pvd.draft",
            "grains_000000200.vtp.draft",
            "grains_of_group_0.csv",
            "problem_000000007.mtx",
        ] {
            assert!(is_ours(name), "{name}");
        }
        for name in ["notes.draft", "grains.csv", "grains_of_group_x.csv", "problem_set.txt", "checkpoint.hg.old"] {
            assert!(!is_ours(name), "{name}");
        }
        for name in ["grains.pvd", "grains_.vtp", "grains_12.csv", "photo_000000200.vtp", "grains_of_group_0.csv"] {
            assert_eq!(frame(name), None);
        }
    }
}
