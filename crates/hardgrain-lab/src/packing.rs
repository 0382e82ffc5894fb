//! One packing, prepared and measured: its density, contacts and force distribution.

use crate::cache::PackingCache;
use crate::preparation::{Preparation, Prepared, height, picture};
use crate::recipe::PackingSettings;
use crate::settings::{Error, Validate};
use crate::watch::{Progress, side_by_side};
use hardgrain::{Dimension, Packing, Plane, Space};
use hardgrain_analysis::Texture;
use hardgrain_io::PackingState;
use hardgrain_run::StageDone;
use serde::Serialize;

/// What must hold in a packing at rest.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PredictedPacking {
    /// Load over area: the vertical stress, unless side walls take some of it by friction.
    pub vertical_stress: f64,
    /// The number of contacts at which the balance of all grains but rattlers and of the piston determines forces without friction.
    pub contacts_isostatic: usize,
    /// The same with unlimited friction: fewer, since a contact has more force components.
    pub contacts_isostatic_rough: usize,
}

/// What was found.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct MeasuredPacking {
    /// Height of the piston, in units of d.
    pub height: f64,
    /// Vertical stress.
    pub vertical_stress: f64,
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
    pub state: PackingState,
}

/// Prepares a packing and measures its texture.
///
/// # Errors
/// When a setting makes no sense or the packing does not come to rest.
pub fn run(settings: &PackingSettings, cache: &PackingCache, watch: &dyn Progress) -> Result<PackingResult, Error> {
    settings.check()?;
    if settings.dimension == 2 {
        run_in::<Plane>(settings, cache, watch)
    } else {
        run_in::<Space>(settings, cache, watch)
    }
}

fn run_in<D: Dimension>(
    settings: &PackingSettings,
    cache: &PackingCache,
    watch: &dyn Progress,
) -> Result<PackingResult, Error> {
    let mut one = side_by_side(&[()], watch, |()| cache.packing::<D>(settings, watch))?;
    let Prepared { packing, preparation, texture } = one.remove(0);
    let Preparation { stages, steps, sweeps, missed } = preparation;
    let axes = settings.dimension as usize;
    let held = texture.grains - texture.rattlers;
    // Balance of forces and of torques.
    let torques = axes * (axes - 1) / 2;
    Ok(PackingResult {
        experiment: "packing",
        settings: settings.clone(),
        predicted: PredictedPacking {
            vertical_stress: settings.pressure,
            contacts_isostatic: axes * held + 1,
            contacts_isostatic_rough: ((axes + torques) * held + 1).div_ceil(axes),
        },
        measured: MeasuredPacking {
            height: height(&packing),
            vertical_stress: texture.stress[1][1],
            unbalanced: stages.last().and_then(|stage| stage.unbalanced),
            steps,
            sweeps,
            missed,
            solver: "gauss-seidel",
            texture,
        },
        stages,
        picture: picture(&packing),
        state: PackingState::from_packing(&packing),
    })
}
