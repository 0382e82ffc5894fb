//! A scene whose every value makes sense, and what is recorded of it.

use super::grains::Group;
use super::parts::{ContactPlan, ForcePlan, PistonPlan, WallPlan};
use super::stage::StagePlan;
use crate::PackingState;
use crate::scene::at::Span;
use crate::scene::column::Column;
use crate::scene::fault::Source;
use crate::scene::values::Place;

/// A scene whose every value makes sense.
#[derive(Clone, Debug)]
pub struct Scene {
    /// Where it comes from. The text is the effective one: what was changed on the command line is in it.
    pub source: Source,
    /// A line on what this is.
    pub title: String,
    /// 1, 2 or 3.
    pub dimension: usize,
    /// The seed of everything random.
    pub seed: u64,
    /// Acceleration.
    pub gravity: Place,
    /// Periodic axes: which, from, to.
    pub periodic: Vec<(usize, f64, f64)>,
    /// Where they were typed.
    pub periodic_span: Span,
    /// A packing to start from instead of placing grains.
    pub start: Option<Start>,
    /// Grains.
    pub groups: Vec<Group>,
    /// Walls.
    pub walls: Vec<WallPlan>,
    /// Pistons.
    pub pistons: Vec<PistonPlan>,
    /// Forces.
    pub forces: Vec<ForcePlan>,
    /// Friction and restitution.
    pub contact: ContactPlan,
    /// What happens, one after the other: at least one.
    pub stages: Vec<StagePlan>,
    /// What is written down.
    pub record: RecordPlan,
}

impl Scene {
    /// The number of its grains.
    pub fn grain_count(&self) -> usize {
        self.groups.iter().map(|group| group.count).sum()
    }
}

/// A packing to start from.
#[derive(Clone, Debug, PartialEq)]
pub struct Start {
    /// The file it was read from, as it was typed.
    pub path: String,
    /// The packing.
    pub state: PackingState,
    /// Whether it brings all of itself, because the scene describes no grains: walls, pistons and what presses them, forces, friction,
    /// gravity and cell as well.
    pub is_whole: bool,
    pub(crate) span: Span,
}

/// What is written down.
#[derive(Clone, Debug, Default)]
pub struct RecordPlan {
    /// series.csv.
    pub series: Option<SeriesPlan>,
    /// Frames for ParaView.
    pub frames: Option<FramePlan>,
    /// Steps between checkpoints; written by the clock if absent.
    pub checkpoint: Option<u64>,
}

/// The table series.csv.
#[derive(Clone, Debug)]
pub struct SeriesPlan {
    /// Steps between rows.
    pub every: u64,
    /// Its columns.
    pub columns: Vec<Column>,
}

/// Frames for ParaView.
#[derive(Clone, Copy, Debug)]
pub struct FramePlan {
    /// Steps between frames.
    pub every: u64,
    /// With contacts.
    pub contacts: bool,
}
