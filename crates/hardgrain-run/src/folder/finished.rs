//! Reads the folder of a finished run, for its report.

use super::checkpoint::RunCheckpoint;
use super::summary::Summary;
use super::{SCENE, SUMMARY, read, refuse_study, shown};
use crate::error::RunError;
use crate::simulation::history::Moment;
use hardgrain::{Packing, Plane};
use hardgrain_io::Scene;
use std::path::Path;

/// A finished run.
#[derive(Clone, Debug)]
pub struct FinishedRun {
    /// Its summary.
    pub summary: Summary,
    /// Its time series.
    pub moments: Vec<Moment>,
    /// Its final state, in two dimensions.
    pub discs: Option<Packing<Plane>>,
    /// Why time series and state are missing.
    pub lost: Option<String>,
}

/// Reads a finished run. Its checkpoint may be missing, its summary must not.
///
/// # Errors
/// When there is no such run, when it is not finished, or when another version wrote it.
pub fn finished_run(folder: &Path) -> Result<FinishedRun, RunError> {
    let summary = summary(folder)?;
    let saved = Scene::read(&folder.join(SCENE), &[])
        .map_err(|refusal| refusal.to_string())
        .and_then(|scene| RunCheckpoint::read(folder, false, &scene).map_err(|why| why.to_string()));
    Ok(match saved {
        Ok(RunCheckpoint { packing, progress, .. }) => {
            let discs = (summary.dimension == 2).then(|| packing.packing::<Plane>()).flatten();
            FinishedRun { summary, moments: progress.history.moments, discs, lost: None }
        }
        Err(why) => {
            let lost = Some(format!("the checkpoint {why}"));
            FinishedRun { summary, moments: Vec::new(), discs: None, lost }
        }
    })
}

/// The summary of a finished run.
fn summary(folder: &Path) -> Result<Summary, RunError> {
    let (path, place) = (folder.join(SUMMARY), shown(folder));
    let Some(text) = read(&path).map_err(|trouble| RunError::Input(trouble.to_string()))? else {
        refuse_study(folder)?;
        return Err(RunError::Input(if folder.join(SCENE).exists() {
            format!("the run in {place} is not over; `hardgrain resume {place}` goes on with it")
        } else {
            format!("there is no run in {place}")
        }));
    };
    serde_json::from_str(&text).map_err(|error| {
        RunError::Input(format!("{} is not what this version of hardgrain writes: {error}", path.display()))
    })
}
