//! One packing, prepared and looked at: how dense it is, who touches whom, how the load is spread.

use crate::outcome::{Problem, Settings};
use crate::preparation::height;
use crate::recipe::PackingSettings;
use crate::shelf::Shelf;
use crate::watch::{Watch, side_by_side};
use hardgrain::{Dimension, Packing, Plane, Space};
use hardgrain_analysis::Texture;
use hardgrain_io::State;
use hardgrain_run::StageDone;
use serde::Serialize;

/// What must hold in a packing at rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PredictedPacking {
    /// Load over area: the vertical stress, unless side walls take some of it by friction.
    pub stress: f64,
    /// Without friction no packing is held by fewer contacts of a grain, apart from rattlers: 2D. With friction D + 1.
    pub coordination_least: f64,
    /// Rigid grains that are placed by chance have no more than 2D.
    pub coordination_most: f64,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasuredPacking {
    /// Height of the piston, in units of d.
    pub height: f64,
    /// Vertical stress.
    pub stress: f64,
    /// Largest unbalanced force on the backbone and the piston over the mean contact force, at rest.
    pub unbalanced: Option<f64>,
    /// Steps of the preparation.
    pub steps: u64,
    /// Sweeps of the preparation.
    pub sweeps: u64,
    /// Contacts that the search missed.
    pub missed: u64,
    /// The solver that was used.
    pub solver: &'static str,
    /// What it looks like inside.
    #[serde(flatten)]
    pub texture: Texture,
}

/// The result.
#[derive(Clone, Debug, Serialize)]
pub struct PackingResult {
    /// "packing".
    pub experiment: &'static str,
    /// What was asked.
    pub settings: PackingSettings,
    /// What must hold.
    pub predicted: PredictedPacking,
    /// Measurement.
    pub measured: MeasuredPacking,
    /// How it came to rest.
    pub stages: Vec<StageDone>,
    /// The packing, if it lies in the plane, to be drawn.
    #[serde(skip)]
    pub picture: Option<Packing<Plane>>,
    /// The packing, to be kept.
    #[serde(skip)]
    pub state: State,
}

/// Prepares a packing and looks at it.
///
/// # Errors
/// When a setting makes no sense or the packing does not come to rest.
pub fn run(settings: &PackingSettings, shelf: &Shelf, watch: &dyn Watch) -> Result<PackingResult, Problem> {
    settings.check()?;
    if settings.dimension == 2 {
        let (result, packing) = run_in::<Plane>(settings, shelf, watch)?;
        Ok(PackingResult { picture: Some(packing), ..result })
    } else {
        run_in::<Space>(settings, shelf, watch).map(|(result, _)| result)
    }
}

fn run_in<D: Dimension>(
    settings: &PackingSettings,
    shelf: &Shelf,
    watch: &dyn Watch,
) -> Result<(PackingResult, Packing<D>), Problem> {
    let one = side_by_side(&[()], watch, |()| shelf.packing::<D>(settings, watch))?;
    let prepared = one.into_iter().next().expect("one was asked for");
    let texture = prepared.texture;
    let axes = f64::from(settings.dimension);
    let result = PackingResult {
        experiment: "packing",
        settings: settings.clone(),
        predicted: PredictedPacking {
            stress: settings.pressure,
            coordination_least: if settings.friction > 0.0 { axes + 1.0 } else { 2.0 * axes },
            coordination_most: 2.0 * axes,
        },
        measured: MeasuredPacking {
            height: height(&prepared.packing),
            stress: texture.stress[1][1],
            unbalanced: prepared.stages.last().and_then(|stage| stage.unbalanced),
            steps: prepared.steps,
            sweeps: prepared.sweeps,
            missed: prepared.missed,
            solver: "gauss-seidel",
            texture,
        },
        stages: prepared.stages,
        picture: None,
        state: State::of(&prepared.packing),
    };
    Ok((result, prepared.packing))
}
