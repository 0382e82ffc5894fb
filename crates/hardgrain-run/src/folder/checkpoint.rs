//! The checkpoint of a run: its content, and the choice of the one to resume from.

use super::{RunFolder, SCENE, shown};
use crate::error::RunError;
use crate::simulation::progress::{PROGRESS, RunProgress};
use hardgrain_io::PackingState;
use hardgrain_io::checkpoint::{self, NEWEST, PACKING, PREVIOUS, SectionKind, Sections, Unusable};
use hardgrain_io::record::Trouble;
use hardgrain_io::scene::Scene;
use serde::{Deserialize, Serialize};
use std::path::Path;

const LENGTHS: SectionKind = SectionKind::optional("lengths", 1);

/// The content of a checkpoint.
#[derive(Debug)]
pub(crate) struct RunCheckpoint {
    pub packing: PackingState,
    pub progress: RunProgress,
    pub lengths: FileLengths,
}

impl RunCheckpoint {
    /// Reads the newest checkpoint of a run, or the one before.
    pub(crate) fn read(folder: &Path, previous: bool, scene: &Scene) -> Result<Self, Unusable> {
        let mut saved = checkpoint::read(folder, previous, scene.hash(), size_limit(scene))?;
        // In this order: format 4 has no names.
        let (packing, progress) = (saved.packing()?, saved.take(&PROGRESS)?);
        Ok(Self { packing, progress, lengths: saved.take(&LENGTHS)? })
    }

    /// Writes it as the newest one.
    pub(super) fn write(&self, folder: &Path, scene: &Scene) -> Result<u64, Trouble> {
        let sections = Sections::default().with(&PACKING, &self.packing);
        let sections = sections.and_then(|some| some.with(&PROGRESS, &self.progress)?.with(&LENGTHS, &self.lengths));
        let sections = sections.map_err(|error| Trouble::new(&checkpoint::path(folder, false), "write", error))?;
        checkpoint::write(folder, scene.hash(), &sections)
    }
}

/// Lengths of the growing files in bytes.
#[derive(Clone, Copy, Debug, Default, Serialize, Deserialize)]
pub(crate) struct FileLengths {
    pub series: u64,
    pub grains: u64,
    pub contacts: u64,
}

/// Largest plausible checkpoint of a scene, with a few kilobytes per part; a longer one is damaged.
fn size_limit(scene: &Scene) -> u64 {
    let parts = scene.grain_count() + scene.walls.len() + scene.pistons.len() + scene.stages.len();
    (parts as u64 + 256) * 4096
}

/// The checkpoint to resume from; none if the run was killed before it wrote one.
pub(super) fn saved(folder: &RunFolder, scene: &Scene, previous: bool) -> Result<Option<RunCheckpoint>, RunError> {
    let read = |previous| RunCheckpoint::read(&folder.path, previous, scene);
    match read(previous) {
        Ok(saved) => Ok(Some(saved)),
        // Killed between the two renames: the previous one is the newest.
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

fn refused(folder: &RunFolder, name: &str, why: &Unusable, before: Option<u64>) -> RunError {
    let place = shown(&folder.path);
    let advice = match before {
        Some(step) => {
            format!("the one before is good (step {step}): `hardgrain resume {place} --previous` goes on from there")
        }
        None => format!("there is no other that is good; `hardgrain run {place}/{SCENE} -o ELSEWHERE` runs it again"),
    };
    RunError::Input(format!("{} {why}\n{advice}", folder.file(name).display()))
}
