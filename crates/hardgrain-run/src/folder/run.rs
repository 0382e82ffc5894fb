//! Starts and resumes runs in folders.

use super::checkpoint::{RunCheckpoint, saved};
use super::stepping::{Ready, Run};
use super::{Content, LOCK, RunFolder, SCENE, SUMMARY, read, shown, taken};
use crate::error::RunError;
use crate::simulation::Simulation;
use crate::simulation::progress::RunProgress;
use crate::simulation::threads::threads;
use hardgrain::{Dimension, Packing, in_dimension};
use hardgrain_io::checkpoint::{self, NEWEST, PREVIOUS};
use hardgrain_io::record::{Trouble, write_whole};
use hardgrain_io::scene::Scene;
use serde::Deserialize;
use std::fs;
use std::path::{Path, PathBuf};

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
    in_dimension!(scene.dimension, D => start_in::<D>(scene, path, force, threads))
}

fn start_in<D: Dimension>(scene: &Scene, path: &Path, force: bool, threads: usize) -> Result<Run, RunError> {
    // Faults of the scene are found before anything is written.
    let mut simulation = Simulation::<D>::new(scene.clone())?.with_threads(threads);
    // The run uses the scene as stored in its folder, whose hash stands in its checkpoints.
    let content = Content::from_scene(scene)?;
    simulation.scene.store_as(&path.join(SCENE).display().to_string(), &content.text, &content.renamed);
    // A folder without a lock file is checked before anything is written to it.
    if !path.join(LOCK).exists() {
        refuse_taken(path, force)?;
    }
    let folder = RunFolder::open(path)?;
    refuse_taken(path, force)?;
    folder.begin(&content)?;
    Ok(Run::new(Ready { simulation, folder, lengths: None }))
}

/// Writes a scene into a folder as `scene.toml`, with the files that it names, and returns where. `hardgrain run` then makes the same bits.
///
/// # Errors
/// When it cannot be written.
pub fn write_scene(scene: &Scene, folder: &Path) -> Result<PathBuf, RunError> {
    let content = Content::from_scene(scene)?;
    fs::create_dir_all(folder).map_err(|error| Trouble::new(folder, "make the folder", error))?;
    let path = folder.join(SCENE);
    let files = content.named.iter().map(|(name, bytes)| (folder.join(name), bytes.as_slice()));
    for (path, bytes) in files.chain([(path.clone(), content.text.as_bytes())]) {
        write_whole(&path, bytes, true)?;
    }
    Ok(path)
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
    let run = in_dimension!(scene.dimension, D => resume_in::<D>(scene, folder, previous, threads))?;
    Ok(Resumed::Run(Box::new(run)))
}

fn resume_in<D: Dimension>(scene: Scene, folder: RunFolder, previous: bool, threads: usize) -> Result<Run, RunError> {
    let (simulation, lengths) =
        if let Some(RunCheckpoint { packing, progress, lengths }) = saved(&folder, &scene, previous)? {
            let progress = RunProgress { resumed: progress.resumed + 1, ..progress };
            let expected = [scene.grain_count(), scene.walls.len(), scene.pistons.len()];
            let fits =
                |packing: &Packing<D>| [packing.grains.len(), packing.walls.len(), packing.pistons.len()] == expected;
            let packing = packing.packing::<D>().filter(fits);
            let packing = packing.ok_or_else(|| RunError::Input("the checkpoint does not fit the scene".into()))?;
            (Simulation::at(scene, packing, progress), Some(lengths))
        } else {
            // Killed before the first checkpoint: the run starts afresh.
            folder.clear_after(0, scene.record.frames)?;
            (Simulation::new(scene)?, None)
        };
    if previous {
        checkpoint::pass_over(&folder.path)?;
    }
    Ok(Run::new(Ready { simulation: simulation.with_threads(threads), folder, lengths }))
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
