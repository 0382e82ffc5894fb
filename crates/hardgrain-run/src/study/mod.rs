//! Parameter studies: one scene with many values, a folder for each run, and a table of the results.
//!
//! The folder of a study holds `study.json` (keys, values and observables), `scene.toml` (the base scene, with the files that it
//! names), `runs/KEY=VALUE,…/` (one folder per run, as `hardgrain run` makes it) and `summary.csv`. Finished runs are never
//! repeated: every run is resumable by itself, and the table is made from the folders alone.

mod check;
mod gather;
mod observe;
mod scheduler;
mod series;
mod vary;
mod work;

pub use gather::{RunRow, RunStatus, StudyTable};
pub use observe::Observable;
pub use scheduler::{LOGS, Slurm};
pub use vary::VariedKey;
pub use work::{RunOutcome, RunQueue, jobs_and_threads};

use crate::check::SceneCheck;
use crate::error::RunError;
use crate::folder::{Content, FolderLock, SCENE, STUDY, Sharing, read, shown};
use hardgrain_io::Scene;
use hardgrain_io::record::{Trouble, write_whole};
use hardgrain_io::scene::{Fingerprints, StageEnd, StagePlan, mixed};
use observe::check_observables;
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use serde::{Deserialize, Serialize};
use std::fs;
use std::path::{Path, PathBuf};

const RUNS: &str = "runs";

/// Why a run has failed, in its folder.
const FAILURE: &str = "failure.txt";

/// The key of the seed, which makes repetitions.
const SEED: &str = "seed";

/// Largest number of runs without confirmation.
pub const MANY: u128 = 100_000;

/// Largest number of runs whose cost is estimated.
const SAMPLED_RUNS: usize = 50;

/// Keys, values and observables.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
struct Plan {
    /// The version of hardgrain that wrote it.
    version: String,
    vary: Vec<VariedKey>,
    observe: Vec<Observable>,
}

/// A study, with or without a folder yet.
#[derive(Debug)]
pub struct Study {
    plan: Plan,
    base: Content,
    /// Its folder.
    pub folder: PathBuf,
}

/// The kind of a study.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "kebab-case")]
pub enum StudyKind {
    /// All runs have the same physics.
    Numerics,
    /// All runs have the same numerics.
    Physics,
    /// Both differ.
    Mixed,
    /// Only seeds differ.
    Repeats,
}

impl Study {
    /// Plans a study of a scene without writing anything.
    ///
    /// # Errors
    /// When a key is unknown, read-only or given twice, when a value does not fit, or when there are too many runs.
    pub fn new(
        scene: &Scene,
        vary: Vec<VariedKey>,
        observe: Vec<Observable>,
        folder: &Path,
        many: bool,
    ) -> Result<Self, RunError> {
        let observe = if observe.is_empty() { observe::usual(scene) } else { observe };
        check_observables(scene, &vary, &observe)?;
        let plan = Plan { version: env!("CARGO_PKG_VERSION").into(), vary, observe };
        let study = Self { plan, base: Content::from_scene(scene)?, folder: folder.to_owned() };
        study.check_keys()?;
        let runs = study.plan.vary.iter().fold(1_u128, |runs, varied| runs.saturating_mul(varied.values.len() as u128));
        if runs > MANY && !many {
            return Err(RunError::Input(format!("that would be {runs} runs; say --yes if you mean it")));
        }
        study.check_values()?;
        study.check_apart()?;
        Ok(study)
    }

    /// Opens the study in a folder.
    ///
    /// # Errors
    /// When there is none, or it cannot be read.
    pub fn open(folder: &Path) -> Result<Self, RunError> {
        let path = folder.join(STUDY);
        let Some(text) = read(&path)? else {
            let place = shown(folder);
            let advice = format!("`hardgrain sweep SCENE --vary KEY=VALUES -o {place}` makes one");
            return Err(RunError::Input(format!("there is no study in {place}; {advice}")));
        };
        let plan = serde_json::from_str(&text).map_err(|error| {
            RunError::Input(format!("{} is not what this version of hardgrain writes: {error}", shown(&path)))
        })?;
        let scene = Scene::read(&folder.join(SCENE), &[])?;
        Ok(Self { plan, base: Content::from_scene(&scene)?, folder: folder.to_owned() })
    }

    /// Title of the scene.
    pub fn title(&self) -> String {
        self.scene_with(&[]).map_or(String::new(), |scene| scene.title)
    }

    /// The same with an absolute path of its folder.
    ///
    /// # Errors
    /// When the folder does not exist.
    pub fn absolute(&self) -> Result<Self, RunError> {
        let folder = fs::canonicalize(&self.folder).map_err(|error| Trouble::new(&self.folder, "find", error))?;
        Ok(Self { plan: self.plan.clone(), base: self.base.clone(), folder })
    }

    /// Whether some stage ends at rest, so that its number of steps is unknown.
    pub fn ends_at_rest(&self) -> bool {
        let is = |stage: &StagePlan| matches!(stage.end, StageEnd::AtRest { .. });
        self.scene_with(&[]).is_ok_and(|scene| scene.stages.iter().any(is))
    }

    /// Number of runs.
    pub fn count(&self) -> usize {
        self.plan.vary.iter().map(|varied| varied.values.len()).product()
    }

    /// The varied keys.
    pub fn varied(&self) -> &[VariedKey] {
        &self.plan.vary
    }

    /// The observables.
    pub fn observed(&self) -> &[Observable] {
        &self.plan.observe
    }

    /// Replaces the observables.
    ///
    /// # Errors
    /// When the scene does not record one of them.
    pub fn observe(&mut self, observe: Vec<Observable>) -> Result<(), RunError> {
        check_observables(&self.scene_with(&[])?, &self.plan.vary, &observe)?;
        self.plan.observe = observe;
        Ok(())
    }

    /// The values of a run, in the order of the keys; the last key changes first.
    pub fn values(&self, number: usize) -> Vec<&str> {
        let (mut rest, mut values) = (number, Vec::new());
        for VariedKey { values: all, .. } in self.plan.vary.iter().rev() {
            values.push(all[rest % all.len()].as_str());
            rest /= all.len();
        }
        values.reverse();
        values
    }

    /// The changes to the scene that make a run.
    pub fn changes(&self, number: usize) -> Vec<String> {
        self.plan.vary.iter().zip(self.values(number)).map(|(own, value)| format!("{}={value}", own.key)).collect()
    }

    /// The name of the folder of a run, from its changes.
    pub fn name(&self, number: usize) -> String {
        named(&self.changes(number))
    }

    /// The folder of a run.
    pub fn run_folder(&self, number: usize) -> PathBuf {
        self.folder.join(RUNS).join(self.name(number))
    }

    /// The scene of a run.
    ///
    /// # Errors
    /// When these values are incompatible.
    pub fn scene(&self, number: usize) -> Result<Scene, RunError> {
        self.scene_with(&self.changes(number))
    }

    fn scene_with(&self, changes: &[String]) -> Result<Scene, RunError> {
        Ok(self.base.scene(SCENE, changes)?)
    }

    /// Creates the folder of the study if necessary, and locks it.
    ///
    /// # Errors
    /// When it cannot be written, is in use, or holds a study of another scene.
    pub fn hold(&self, sharing: Sharing) -> Result<FolderLock, RunError> {
        FolderLock::take(&self.folder, sharing, "sweep is working")
    }

    /// A warning about runs of the study in the folder that this one lacks; none if it has all of them.
    pub fn leaves_out(&self) -> Option<String> {
        let text = read(&self.folder.join(STUDY)).ok().flatten()?;
        let old: Plan = serde_json::from_str(&text).ok()?;
        let kept = |old: &VariedKey| {
            let own = self.plan.vary.iter().find(|own| own.key == old.key);
            own.is_some_and(|own| old.values.iter().all(|value| own.values.contains(value)))
        };
        // Names of folders depend on the order of the keys.
        let keys = |vary: &[VariedKey]| vary.iter().map(|varied| varied.key.clone()).collect::<Vec<_>>();
        let same_keys = keys(&old.vary) == keys(&self.plan.vary);
        let wanted = old.vary.iter().map(|varied| varied.key.as_str()).collect::<Vec<_>>().join(", ");
        (!same_keys || !old.vary.iter().all(kept)).then(|| {
            format!(
                "the study in {} had other runs before (of {wanted}): they stay in its folder, but not in its table",
                shown(&self.folder)
            )
        })
    }

    /// Writes the study to its locked folder. Values and observables may have been added since the last time; the scene must be
    /// the same.
    ///
    /// # Errors
    /// When the folder holds a study of another scene, or something else, or cannot be written.
    pub fn write(&self, _: &FolderLock) -> Result<(), RunError> {
        let place = shown(&self.folder);
        let path = self.folder.join(SCENE);
        let known = read(&path)?;
        let is_study = [STUDY, RUNS].iter().any(|name| self.folder.join(name).exists());
        let refuse = |what: &str| Err(RunError::Input(format!("{place} holds {what}; choose another folder with -o")));
        if known.is_some() && !is_study {
            return refuse("a run, not a study");
        }
        if let Some(foreign) =
            ["summary.csv", "index.html"].iter().find(|name| !is_study && self.folder.join(name).exists())
        {
            return refuse(&format!("a {foreign} already"));
        }
        let other = |what: &str| refuse(&format!("a study of another scene ({what} differs)"));
        if known.as_ref().is_some_and(|text| *text != self.base.text) {
            return other("its scene.toml");
        }
        for (name, bytes) in &self.base.named {
            // The scene is written last: without it the files are leftovers of a kill.
            let old = fs::read(self.folder.join(name)).ok();
            if known.is_some() && old.is_some_and(|old| old != *bytes) {
                return other(&format!("what it calls {name}"));
            }
        }
        let plan = serde_json::to_string_pretty(&self.plan).expect("a plan has plain keys") + "\n";
        for (name, bytes) in &self.base.named {
            write_whole(&self.folder.join(name), bytes, true)?;
        }
        write_whole(&self.folder.join(STUDY), plan.as_bytes(), true)?;
        write_whole(&path, self.base.text.as_bytes(), true)?;
        Ok(())
    }

    /// Whether physics, numerics or both are varied, by the fingerprints of all runs with compatible values.
    pub fn kind(&self) -> StudyKind {
        // Seeds count as neither.
        let seed = self.plan.vary.iter().position(|varied| varied.key == SEED);
        let first =
            |number: &usize| seed.is_none_or(|seed| self.values(*number)[seed] == self.plan.vary[seed].values[0]);
        let fingerprints = |number| self.scene(number).ok().map(|scene| scene.fingerprints());
        StudyKind::infer(&(0..self.count()).into_par_iter().filter(first).filter_map(fingerprints).collect::<Vec<_>>())
    }

    /// Estimated seconds of all runs one after the other, and the number of runs behind the estimate.
    pub fn cost(&self) -> (f64, usize) {
        let count = self.count();
        let every = count.div_ceil(SAMPLED_RUNS).max(1);
        let seconds: Vec<f64> = (0..count)
            .step_by(every)
            .filter_map(|number| Some(SceneCheck::from_scene(&self.scene(number).ok()?).ok()?.seconds))
            .collect();
        let mean = seconds.iter().sum::<f64>() / seconds.len().max(1) as f64;
        (mean * count as f64, seconds.len())
    }
}

impl StudyKind {
    fn infer(all: &[Fingerprints]) -> Self {
        let physics = all.windows(2).all(|pair| pair[0].physics == pair[1].physics);
        let numerics = all.windows(2).all(|pair| pair[0].numerics == pair[1].numerics);
        match (physics, numerics) {
            (true, true) => Self::Repeats,
            (true, false) => Self::Numerics,
            (false, true) => Self::Physics,
            (false, false) => Self::Mixed,
        }
    }
}

/// A name for a folder: the changes, without characters that file systems or shells might not accept.
fn named(changes: &[String]) -> String {
    const LONG: usize = 150;
    let whole = changes.join(",");
    let plain = |letter: char| letter.is_ascii_alphanumeric() || "._-+=,".contains(letter);
    let name: String = whole.chars().map(|letter| if plain(letter) { letter } else { '_' }).take(LONG).collect();
    if name == whole {
        return if name.is_empty() { "as-it-is".into() } else { name };
    }
    format!("{name}~{:016x}", mixed(whole.bytes()))
}
