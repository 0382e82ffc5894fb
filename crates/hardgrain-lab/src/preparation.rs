//! Preparation of a packing: its recipe is run until it rests, then its texture is measured.

use crate::recipe::PackingSettings;
use crate::settings::{Error, Validate};
use crate::watch::Progress;
use hardgrain::{Dimension, Packing, Plane};
use hardgrain_analysis::Texture;
use hardgrain_io::Scene;
use hardgrain_run::{Glance, Halt, RunError, Simulation, StageDone, Totals, Until};
use serde::{Deserialize, Serialize};
use std::any::Any;

/// A packing at rest.
#[derive(Clone, Debug, PartialEq)]
pub struct Prepared<D: Dimension> {
    /// The packing, at rest.
    pub packing: Packing<D>,
    /// How it came to rest.
    pub preparation: Preparation,
    /// Its contacts, forces and stress.
    pub texture: Texture,
}

/// How a packing came to rest.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Preparation {
    /// Stage by stage.
    pub stages: Vec<StageDone>,
    /// Steps made.
    pub steps: u64,
    /// Sweeps made.
    pub sweeps: u64,
    /// Contacts that the search missed.
    pub missed: u64,
}

impl<D: Dimension> Prepared<D> {
    pub(crate) fn new(settings: &PackingSettings, packing: Packing<D>, preparation: Preparation) -> Self {
        let texture = Texture::measure(&packing, settings.area() * height(&packing));
        Self { packing, preparation, texture }
    }
}

/// The height of the piston above the base.
pub(crate) fn height<D: Dimension>(packing: &Packing<D>) -> f64 {
    -packing.pistons[0].position()
}

/// The packing to be drawn, if it lies in the plane.
pub(crate) fn picture<D: Dimension>(packing: &Packing<D>) -> Option<Packing<Plane>> {
    (packing as &dyn Any).downcast_ref().cloned()
}

/// Prepares a packing, while someone may watch.
///
/// # Errors
/// When a setting makes no sense, grains find no place, or the packing does not come to rest.
pub fn prepare<D: Dimension>(settings: &PackingSettings, watch: &dyn Progress) -> Result<Prepared<D>, Error> {
    settings.check()?;
    follow(settings, &settings.scene()?, watch)
}

/// Follows a recipe to its end.
fn follow<D: Dimension>(settings: &PackingSettings, scene: &Scene, watch: &dyn Progress) -> Result<Prepared<D>, Error> {
    let mut look = |seen: &Glance<'_>| watch.doing(&|| in_words(seen));
    let failed = |error| match error {
        RunError::Step(error) => Error::Step(error),
        other => Error::Unfinished(other.to_string()),
    };
    let mut simulation = Simulation::<D>::new(scene.clone()).map_err(failed)?;
    let halt = simulation.run(Until::End, &mut look).map_err(failed)?;
    let stages = simulation.stages_done().to_vec();
    if halt != Halt::Finished {
        return Err(Error::Unfinished(restless(&stages)));
    }
    let Totals { steps, sweeps, missed, .. } = *simulation.totals();
    Ok(Prepared::new(settings, simulation.into_packing(), Preparation { stages, steps, sweeps, missed }))
}

/// How far a preparation is.
fn in_words(seen: &Glance<'_>) -> String {
    let Glance { stage, step, contacts, unbalanced, .. } = seen;
    let unbalanced = unbalanced.map_or(String::new(), |force| format!(", unbalanced {force:.1e}"));
    format!("{stage}: step {step}, {contacts} contacts{unbalanced}")
}

/// Why there is no packing.
fn restless(stages: &[StageDone]) -> String {
    let Some(last) = stages.last() else { return "no stage was run".into() };
    let left = last.unbalanced.map_or("nothing carries the load".into(), |force| {
        format!("the largest unbalanced force is still {force:.1e} of the mean contact force")
    });
    format!("the packing did not come to rest: after {} steps of stage `{}` {left}", last.steps, last.name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::watch::Unwatched;

    #[test]
    fn a_packing_that_does_not_rest_says_why() {
        // A recipe without patience.
        let settings = PackingSettings { grains: 10, ..PackingSettings::default() };
        let hasty = settings.scene_text().replace("max_steps = 200000", "max_steps = 100");
        assert!(hasty.contains("max_steps = 100 "), "{hasty}");
        let scene = Scene::from_text("hasty", &hasty, &[], &|_: &str| Err(String::new())).unwrap();
        let Err(Error::Unfinished(why)) = follow::<Plane>(&settings, &scene, &Unwatched) else { panic!("it rested") };
        assert!(why.contains("did not come to rest: after 100 steps of stage `compress`"), "{why}");
    }
}
