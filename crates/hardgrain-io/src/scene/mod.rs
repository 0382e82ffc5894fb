//! Scenes: a page of TOML becomes a packing, stages and records.
//!
//! Two layers. *What was typed* (`typed`) keeps the place of every value; *what it means* ([`Scene`]) is what the checks
//! make of it, and everything behind the door works with that alone.

mod at;
mod check;
mod column;
mod distribution;
mod edit;
mod fault;
mod fingerprint;
mod place;
mod read;
mod shape;
mod things;
mod typed;
mod values;

pub use at::Span;
pub use check::Files;
pub use column::{Column, Field, Quantity, Subject};
pub use distribution::Radii;
pub use edit::keys_of;
pub use fault::{Fault, Refusal, Source};
pub use fingerprint::{Fingerprints, mixed};
pub use place::LARGEST_PACKING;
pub use read::read_text;
pub use things::{
    Arrangement, Change, ContactPlan, End, ForcePlan, FramePlan, Grid, Group, LatticePlan, Load, Loose, Numerics,
    PairPlan, PistonPlan, Record, Ring, Rotation, Row, SeriesPlan, SoftPlan, SolverKind, SolverPlan, Stage, Start,
    Strength, WallPlan, Weight,
};
pub use values::Place;

use std::path::Path;

/// A packing rests when it has been in balance for so many steps.
pub const CALM: u32 = 100;

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
    pub stages: Vec<Stage>,
    /// What is written down.
    pub record: Record,
}

impl Scene {
    /// Reads a scene, with changes `key=value` as if they had been typed there.
    ///
    /// # Errors
    /// The first thing wrong with it.
    pub fn read(path: &Path, changes: &[String]) -> Result<Self, Refusal> {
        let text = read_text(path)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let name = path.display().to_string();
        Self::from_text(&name, &text, changes, &|file| place::read_file(&folder.join(file)))
    }

    /// Makes sense of the text of a scene. `files` reads what it names: tables of grains, a packing.
    ///
    /// # Errors
    /// The first thing wrong with it.
    pub fn from_text(name: &str, text: &str, changes: &[String], files: Files<'_>) -> Result<Self, Refusal> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut source = Source { name: name.into(), text: text.into(), changes: Vec::new() };
        if !changes.is_empty() {
            source.text = edit::edited(text, changes).map_err(|fault| Refusal::new(&source, fault))?;
            source.changes = changes.to_vec();
        }
        let typed = read::parse(&source.text).map_err(|fault| Refusal::new(&source, fault))?;
        check::check(&typed, &source, files).map_err(|fault| Refusal::new(&source, fault))
    }

    /// How many grains it has.
    pub fn grain_count(&self) -> usize {
        self.groups.iter().map(|group| group.count).sum()
    }

    /// The text with the files that it names under other names.
    pub fn with_files(&self, names: &[(String, String)]) -> String {
        edit::with_files(&self.source.text, names)
    }
}

/// The JSON schema of scenes, for editors.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(typed::Scene).to_value()
}
