//! Starts and resumes runs in folders.

use super::checkpoint::{RunCheckpoint, saved};
use super::stepping::{Run, StartingPoint};
use super::{Content, LOCK, RunFolder, SCENE, SUMMARY, read, shown, taken};
use crate::error::RunError;
use crate::simulation::progress::RunProgress;
use crate::simulation::threads::threads;
use hardgrain_io::checkpoint::{self, NEWEST, PREVIOUS};
use hardgrain_io::scene::Scene;
use serde::Deserialize;
use std::path::Path;

/// The state of a folder that is to be resumed.
pub enum Resumed {
    /// The run continues.
    Run(Box<Run>),
    /// The run is finished already.
    Over(Ended),
}

/// How a finished run ended, from its summary.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Ended {
    /// Whether rest and tolerances were reached wherever the scene asks for them.
    pub fulfilled: bool,
    /// How it ended, in words.
    pub ending: String,
    /// Steps made.
    pub steps: u64,
}

/// Prepares a run of a scene in a folder. With `force` an existing run is replaced.
///
/// # Errors
/// When the folder cannot be written, is in use or holds a run.
pub fn start(scene: &Scene, path: &Path, force: bool, asked_threads: usize) -> Result<Run, RunError> {
    let threads = threads(asked_threads)?;
    // Faults of the scene are found before anything is written.
    let from = StartingPoint::placed(scene)?;
    // The run uses the scene as stored in its folder, whose hash stands in its checkpoints.
    let content = Content::from_scene(scene)?;
    let own = content.scene(&path.join(SCENE).display().to_string(), &[])?;
    // A folder without a lock file is checked before anything is written to it.
    if !path.join(LOCK).exists() {
        refuse_taken(path, force)?;
    }
    let folder = RunFolder::open(path)?;
    refuse_taken(path, force)?;
    folder.begin(&content)?;
    Ok(Run { scene: own, folder, threads, from, save_problems: Vec::new() })
}

fn refuse_taken(path: &Path, force: bool) -> Result<(), RunError> {
    let Some(file) = taken(path)?.filter(|_| !force) else { return Ok(()) };
    let place = shown(path);
    let resume = path.join(SCENE).exists().then(|| format!("go on with it by `hardgrain resume {place}`, "));
    let resume = resume.unwrap_or_default();
    Err(RunError::Input(format!(
        "{place} holds a run already ({file}); {resume}choose another folder with -o, or replace it with --force"
    )))
}

/// Resumes the run in a folder, from the newest checkpoint or the one before.
///
/// # Errors
/// When there is no run, it is in use, or its checkpoint is unusable.
pub fn resume(path: &Path, previous: bool, asked_threads: usize) -> Result<Resumed, RunError> {
    if let Some(over) = over(path)? {
        return Ok(over);
    }
    let begun = [NEWEST, PREVIOUS, LOCK].iter().any(|name| path.join(name).exists());
    if !(begun && path.join(SCENE).exists()) {
        let place = shown(path);
        let what = if path.exists() { "holds no run" } else { "does not exist" };
        let advice = "`hardgrain run SCENE -o DIR` starts one in the folder DIR";
        return Err(RunError::Input(format!("{place} {what}; {advice}")));
    }
    let threads = threads(asked_threads)?;
    let folder = RunFolder::open(path)?;
    let scene = Scene::read(&folder.file(SCENE), &[])?;
    let from = if let Some(RunCheckpoint { packing, progress, lengths }) = saved(&folder, &scene, previous)? {
        let progress = RunProgress { resumed: progress.resumed + 1, ..progress };
        StartingPoint { packing, progress, lengths: Some(lengths) }
    } else {
        // Killed before the first checkpoint: the run starts afresh.
        folder.clear_after(0, scene.record.frames)?;
        StartingPoint::placed(&scene)?
    };
    if previous {
        checkpoint::pass_over(&folder.path)?;
    }
    Ok(Resumed::Run(Box::new(Run { scene, folder, threads, from, save_problems: Vec::new() })))
}

/// A run that has its summary is finished and left untouched.
fn over(path: &Path) -> Result<Option<Resumed>, RunError> {
    let file = path.join(SUMMARY);
    let Some(text) = read(&file)? else { return Ok(None) };
    let ended: Ended = serde_json::from_str(&text).map_err(|_| {
        let (file, place) = (shown(&file), shown(path));
        RunError::Input(format!("{file} is damaged; remove it, and `hardgrain resume {place}` writes it again"))
    })?;
    Ok(Some(Resumed::Over(ended)))
}
