//! Inspects a scene without running it: contents, cost and a forecast.

use crate::cost::{contacts, seconds};
use crate::error::RunError;
use crate::forecast::Forecast;
use crate::rigidity::known_to_go_wrong;
use crate::simulation::soft::placed;
use hardgrain::{Body, Dimension, Motion, Packing, Row, in_dimension};
use hardgrain_io::Scene;
use hardgrain_io::scene::{SeriesPlan, StageEnd, StagePlan};
use serde::Serialize;

/// Contents, cost and forecast of a scene.
#[derive(Clone, Debug, Serialize)]
pub struct SceneCheck {
    /// Title of the scene.
    pub title: String,
    /// 1, 2 or 3.
    pub dimension: usize,
    /// Seed of all random numbers.
    pub seed: u64,
    /// Groups of grains, walls, pistons.
    pub things: Vec<SceneItem>,
    /// Number of grains.
    pub grains: usize,
    /// Number of free grains.
    pub free_grains: usize,
    /// Steps of all stages; an upper bound where stages end at rest.
    pub steps: u64,
    /// Whether some stage may end earlier.
    pub steps_at_most: bool,
    /// Each stage in words.
    pub stages: Vec<String>,
    /// Estimated memory in bytes.
    pub memory: f64,
    /// Estimated disk space in bytes.
    pub disk: f64,
    /// Estimated seconds, from the speed of a few sweeps or soft steps on this machine.
    pub seconds: f64,
    /// Whether the time depends on how much slides, because some stage uses the rigid solver.
    pub seconds_hang_on_sliding: bool,
    /// Forecast of the artificial elasticity in the last stage.
    pub forecast: Forecast,
    /// Warnings about numerics that are known to fail.
    pub warnings: Vec<String>,
}

/// A group of grains, a wall or a piston in words.
#[derive(Clone, Debug, Serialize)]
pub struct SceneItem {
    /// Its label.
    pub label: String,
    /// What it is.
    pub what: String,
}

impl SceneCheck {
    /// Places the grains of a scene and counts.
    ///
    /// # Errors
    /// When the grains cannot be placed.
    pub fn from_scene(scene: &Scene) -> Result<Self, RunError> {
        Ok(in_dimension!(scene.dimension, D => Self::from_packing(scene, &placed::<D>(scene)?)))
    }

    fn from_packing<D: Dimension>(scene: &Scene, packing: &Packing<D>) -> Self {
        let free = packing.grains.iter().filter(|grain| grain.motion == Motion::Free).count();
        let steps = scene.stages.iter().fold(0_u64, |sum, stage| sum.saturating_add(stage.end.most_steps()));
        let contacts = contacts::<D>(packing.grains.len() as f64);
        let last = scene.stages.last().expect("a scene has stages");
        let mut kinds = scene.stages.iter().map(|stage| stage.numerics.solver.kind);
        Self {
            title: scene.title.clone(),
            dimension: scene.dimension,
            seed: scene.seed,
            things: things(scene),
            grains: packing.grains.len(),
            free_grains: free,
            steps,
            steps_at_most: scene.stages.iter().any(|stage| matches!(stage.end, StageEnd::AtRest { .. })),
            stages: scene.stages.iter().map(stage_in_words).collect(),
            memory: memory::<D>(packing, contacts),
            disk: disk(scene, steps, packing.grains.len() as f64, contacts),
            seconds: seconds::<D>(scene, packing.grains.len() as f64, contacts),
            seconds_hang_on_sliding: kinds.any(|kind| kind.is_rigid()),
            forecast: Forecast::from_scene(scene, packing, &last.numerics),
            warnings: known_to_go_wrong(scene, D::AXES),
        }
    }
}

fn things(scene: &Scene) -> Vec<SceneItem> {
    let moving = |motion: Motion, turning: bool| match motion {
        _ if turning => " that turn together",
        Motion::Free => "",
        Motion::Fixed => " that are fixed",
        Motion::Prescribed => " that move as prescribed",
    };
    let groups = scene.groups.iter().map(|group| SceneItem {
        label: group.label.clone(),
        what: format!("{} grains{}", group.count, moving(group.motion, group.rotation.is_some())),
    });
    let walls = scene.walls.iter().map(|wall| SceneItem {
        label: wall.label.clone(),
        what: if wall.velocity == [0.0; 3] { "a wall".into() } else { "a moving wall".to_string() },
    });
    let pistons = scene.pistons.iter().map(|piston| SceneItem { label: piston.label.clone(), what: "a piston".into() });
    groups.chain(walls).chain(pistons).collect()
}

fn stage_in_words(stage: &StagePlan) -> String {
    let StagePlan { name, end, numerics, .. } = stage;
    let solver = numerics.solver.kind.words();
    let end = match end {
        StageEnd::Steps(steps) => format!("{steps} steps"),
        StageEnd::AtRest { limit, max_steps, stop_after, goes_on } => {
            let stops = stop_after.map_or(String::new(), |every| {
                format!(", everything stopped after {every} steps, twice as many and so on")
            });
            let then = if *goes_on { ", then on" } else { "" };
            format!("until at rest ({limit:e}){stops}, {max_steps} steps at most{then}")
        }
    };
    format!("{name}: {end} of {}; {solver}", numerics.step)
}

/// Grains, bodies, rows and remembered reactions, some of them twice. A million spheres with 3.3 million rows take 1.5 to 2.0 GB.
fn memory<D: Dimension>(packing: &Packing<D>, contacts: f64) -> f64 {
    let per_grain = size_of::<hardgrain::Grain<D>>() + 3 * size_of::<Body<D>>() + 64;
    // Rows, and a copy in the order of the sweeps; neighbour lists; remembered reactions of this step and the last.
    let per_contact = 2 * size_of::<Row<D>>() + 2 * size_of::<hardgrain::Remembered<D>>() + 48;
    // 6 MB for the program; 1.1 for pairs near enough to touch within a step.
    6e6 + packing.grains.len() as f64 * per_grain as f64 + 1.1 * contacts * per_contact as f64
}

fn disk(scene: &Scene, steps: u64, grains: f64, contacts: f64) -> f64 {
    let frames = scene.record.frames.map_or(0.0, |frames| {
        let one = 1000.0 + grains * 136.0 + if frames.contacts { 1000.0 + contacts * 140.0 } else { 0.0 };
        (steps / frames.every + 1) as f64 * one
    });
    let rows = |series: &SeriesPlan| (steps / series.every + 1) as f64 * 18.0 * series.columns.len() as f64;
    let series = scene.record.series.as_ref().map_or(0.0, rows);
    // Two checkpoints.
    frames + series + 2.0 * (grains * 120.0 + contacts * 50.0)
}
