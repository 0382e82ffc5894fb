//! Starting a run, going on with one, and what others see of it.

use crate::course::{Make, on_line, sweeping};
use crate::error::RunError;
use crate::folder::{Content, Folder, LOCK, SCENE, SUMMARY, shown, taken};
use crate::progress::Saved;
use crate::soft::check_steps;
use crate::stepping::Stepping;
use crate::summary::Summary;
use crate::threads::threads;
use hardgrain::{Dimension, Line, Plane, Space};
use hardgrain_io::State;
use hardgrain_io::checkpoint::{self, NEWEST, PREVIOUS, Unusable};
use hardgrain_io::record::Trouble;
use hardgrain_io::scene::Scene;
use serde::Deserialize;
use std::fs;
use std::path::Path;

/// Someone who watches a run and may stop it.
pub trait Observer: Send {
    /// After every step.
    fn look(&mut self, glance: &Glance<'_>);

    /// Something worth a line.
    fn note(&mut self, _: &str) {}

    /// Whether the run should write a checkpoint and stop.
    fn stop(&self) -> bool;
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn look(&mut self, _: &Glance<'_>) {}

    fn stop(&self) -> bool {
        false
    }
}

/// What can be seen of a run while it goes.
#[derive(Clone, Copy, Debug)]
pub struct Glance<'a> {
    /// The name of the stage.
    pub stage: &'a str,
    /// Steps made, in all.
    pub step: u64,
    /// Steps made in this stage, and the most it can take.
    pub stage_steps: (u64, u64),
    /// The most steps the whole run can still take.
    pub steps_left: u64,
    /// Contacts.
    pub contacts: usize,
    /// Residual of the step.
    pub residual: f64,
    /// Largest overlap, over the mean diameter.
    pub overlap: f64,
    /// Largest unbalanced force over the mean contact force, where the stage is to end at rest.
    pub unbalanced: Option<f64>,
}

/// A run that is ready to make steps.
pub struct Run {
    pub(crate) scene: Scene,
    pub(crate) folder: Folder,
    pub(crate) threads: usize,
    pub(crate) from: From,
    pub(crate) save_problems: Vec<u64>,
}

/// What a run starts from.
pub(crate) enum From {
    /// The grains as the scene places them.
    Start(Box<State>),
    /// A checkpoint.
    Checkpoint(Box<Saved>),
}

/// How a sitting ended.
#[derive(Clone, Debug)]
pub enum Finish {
    /// The run is over.
    Over(Box<Summary>),
    /// It was stopped at this step; a checkpoint is written.
    Stopped {
        /// The step.
        step: u64,
    },
}

/// What became of a folder that was to be resumed.
pub enum Resumed {
    /// It can go on.
    Run(Box<Run>),
    /// It is over already, and this is how it ended.
    Over(Ended),
}

/// How a run that is over has ended, from its summary.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
pub struct Ended {
    /// Whether all went as the scene asked.
    pub fulfilled: bool,
    /// How it ended, in words.
    pub ending: String,
    /// Steps made.
    pub steps: u64,
}

/// Prepares a run of a scene in a folder. With `force` a run that is there is removed.
///
/// # Errors
/// When the folder cannot be written, is in use or holds a run.
pub fn start(scene: &Scene, path: &Path, force: bool, asked_threads: usize) -> Result<Run, RunError> {
    let threads = threads(asked_threads)?;
    // Whatever is wrong with the scene is found before anything is written.
    let placed = place(scene)?;
    // The run goes by the scene that will lie in its folder: a checkpoint knows it by its hash.
    let content = Content::of(scene)?;
    let files = |name: &str| {
        let found = content.named.iter().find(|(known, _)| known == name);
        found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| "cannot be read".to_owned())
    };
    let own = Scene::from_text(&path.join(SCENE).display().to_string(), &content.text, &[], &files)?;
    // A folder in which there was never a run is looked at before anything of ours is put there.
    if !path.join(LOCK).exists() {
        refuse_taken(path, force)?;
    }
    let folder = Folder::open(path)?;
    refuse_taken(path, force)?;
    folder.begin(&content)?;
    Ok(Run { scene: own, folder, threads, from: From::Start(placed), save_problems: Vec::new() })
}

fn refuse_taken(path: &Path, force: bool) -> Result<(), RunError> {
    let Some(file) = taken(path)?.filter(|_| !force) else { return Ok(()) };
    let place = shown(path);
    let resume = if path.join(SCENE).exists() {
        format!("go on with it by `hardgrain resume {place}`, ")
    } else {
        String::new()
    };
    Err(RunError::Input(format!(
        "{place} holds a run already ({file}); {resume}choose another folder with -o, or replace it with --force"
    )))
}

/// Goes on with the run in a folder, from the newest checkpoint or the one before.
///
/// # Errors
/// When there is no run, it is in use, or its checkpoint is of no use.
pub fn resume(path: &Path, previous: bool, asked_threads: usize) -> Result<Resumed, RunError> {
    if let Some(over) = over(path)? {
        return Ok(over);
    }
    let begun = [NEWEST, PREVIOUS, LOCK].iter().any(|name| path.join(name).exists());
    if !(begun && path.join(SCENE).exists()) {
        let place = shown(path);
        let what = if path.exists() { "holds no run" } else { "does not exist" };
        return Err(RunError::Input(format!(
            "{place} {what}; `hardgrain run SCENE -o DIR` starts one in the folder DIR"
        )));
    }
    let threads = threads(asked_threads)?;
    let folder = Folder::open(path)?;
    let scene = Scene::read(&folder.file(SCENE), &[])?;
    let from = if let Some(saved) = saved(&folder, &scene, previous)? {
        From::Checkpoint(Box::new(saved))
    } else {
        // Killed before the first checkpoint: whatever is there is begun again.
        folder.clear_after(0, scene.record.frames)?;
        From::Start(place(&scene)?)
    };
    if previous {
        checkpoint::pass_over(&folder.path)?;
    }
    Ok(Resumed::Run(Box::new(Run { scene, folder, threads, from, save_problems: Vec::new() })))
}

/// A run that has its summary is over, and nothing is touched.
fn over(path: &Path) -> Result<Option<Resumed>, RunError> {
    let file = path.join(SUMMARY);
    if !file.exists() {
        return Ok(None);
    }
    let text = fs::read_to_string(&file).map_err(|error| Trouble::new(&file, "read", error))?;
    let ended: Ended = serde_json::from_str(&text).map_err(|_| {
        let (file, place) = (shown(&file), shown(path));
        RunError::Input(format!("{file} is damaged; remove it, and `hardgrain resume {place}` writes it again"))
    })?;
    Ok(Some(Resumed::Over(ended)))
}

/// Places the grains.
fn place(scene: &Scene) -> Result<Box<State>, RunError> {
    Ok(Box::new(match scene.dimension {
        1 => place_in::<Line>(scene)?,
        2 => place_in::<Plane>(scene)?,
        _ => place_in::<Space>(scene)?,
    }))
}

fn place_in<D: Dimension>(scene: &Scene) -> Result<State, RunError> {
    let packing = scene.packing::<D>()?;
    check_steps(scene, &packing)?;
    Ok(State::of(&packing))
}

/// The largest checkpoint of a scene: a few kilobytes for each part; what claims more is damaged.
pub(crate) fn size_limit(scene: &Scene) -> u64 {
    let parts = scene.grain_count() + scene.walls.len() + scene.pistons.len() + scene.stages.len();
    (parts as u64 + 256) * 4096
}

/// The checkpoint to go on from; nothing if the run was killed before it wrote one.
fn saved(folder: &Folder, scene: &Scene, previous: bool) -> Result<Option<Saved>, RunError> {
    let limit = size_limit(scene);
    let read = |previous| checkpoint::read::<Saved>(&folder.path, previous, scene.hash(), limit);
    match read(previous) {
        Ok(saved) => Ok(Some(saved)),
        // Killed between two names: the one before is the newest.
        Err(Unusable::Missing) if !previous => match read(true) {
            Ok(saved) => Ok(Some(saved)),
            Err(Unusable::Missing) => Ok(None),
            Err(why) => Err(refused(folder, PREVIOUS, &why, None)),
        },
        Err(why) => {
            let other = read(!previous).ok().map(|saved| saved.progress.totals.steps);
            Err(refused(folder, if previous { PREVIOUS } else { NEWEST }, &why, other.filter(|_| !previous)))
        }
    }
}

fn refused(folder: &Folder, name: &str, why: &Unusable, before: Option<u64>) -> RunError {
    let place = shown(&folder.path);
    let advice = match before {
        Some(step) => {
            format!("the one before is good (step {step}): `hardgrain resume {place} --previous` goes on from there")
        }
        None => format!("there is no other that is good; `hardgrain run {place}/{SCENE} -o ELSEWHERE` runs it again"),
    };
    RunError::Input(format!("{} {why}\n{advice}", folder.file(name).display()))
}

impl Run {
    /// The scene that is run.
    pub fn scene(&self) -> &Scene {
        &self.scene
    }

    /// At which step it goes on.
    pub fn step(&self) -> u64 {
        match &self.from {
            From::Start(_) => 0,
            From::Checkpoint(saved) => saved.progress.totals.steps,
        }
    }

    /// Writes the contact problems of these steps down, as `problem_STEP.mtx` in the folder of the run; see
    /// [`check_problems`](crate::check_problems).
    #[must_use]
    pub fn save_problems(self, steps: &[u64]) -> Self {
        Self { save_problems: steps.to_vec(), ..self }
    }

    /// Makes the steps.
    ///
    /// # Errors
    /// When grains cannot be placed, a step fails or a file cannot be written. The last checkpoint is then still there.
    pub fn go(self, observer: &mut dyn Observer) -> Result<Finish, RunError> {
        // The dimension is matched here, once.
        match self.scene.dimension {
            1 => self.go_in::<Line>(on_line, observer),
            2 => self.go_in::<Plane>(sweeping, observer),
            _ => self.go_in::<Space>(sweeping, observer),
        }
    }

    fn go_in<D: Dimension>(self, make: Make<D>, observer: &mut dyn Observer) -> Result<Finish, RunError> {
        Stepping::prepare(&self, make)?.go(observer)
    }
}
