//! A packing to start from: places, sizes, motions and reactions come from it, all else from the scene.

use super::materials::Surfaces;
use crate::scene::fault::Fault;
use crate::scene::plan::{Scene, Start};
use hardgrain::{Components, Dimension, Label, Labels, Packing};

impl Start {
    /// The packing with all that it brings, before its first step.
    pub(super) fn whole_packing<D: Dimension>(&self) -> Result<Packing<D>, Fault> {
        let damaged = || Fault::at(&self.span, "this packing has another dimension, or is damaged");
        let packing = self.state.packing::<D>().ok_or_else(damaged)?;
        Ok(Packing { step: 0, time: 0.0, ..packing })
    }
}

impl Scene {
    /// Takes the grains of the packing that was read, and the positions of its walls and pistons.
    pub(super) fn take_over<D: Dimension>(
        &self,
        start: &Start,
        packing: &mut Packing<D>,
        surfaces: &Surfaces,
    ) -> Result<(), Fault> {
        let wrong = |why: String| {
            Fault::at(&start.span, why)
                .help("it must have the grains, walls and pistons of this scene, in the same order")
        };
        let saved: Packing<D> =
            start.state.packing().ok_or_else(|| wrong("this packing has another dimension, or is damaged".into()))?;
        for (what, there, here) in [
            ("grains", saved.grains.len(), self.grain_count()),
            ("walls", saved.walls.len(), packing.walls.len()),
            ("pistons", saved.pistons.len(), packing.pistons.len()),
        ] {
            if there != here {
                return Err(wrong(format!("this packing has {there} {what}, the scene {here}")));
            }
        }
        if saved.cell != packing.cell {
            return Err(wrong("this packing lies in another periodic cell".into()));
        }
        let named = |labels: &Labels, label: Label, name: &str| {
            let there = labels.name(label);
            let fault = || wrong(format!("this packing has `{there}` where the scene has `{name}`"));
            if there == name { Ok(()) } else { Err(fault()) }
        };
        let mut grains = saved.grains.into_iter();
        for group in &self.groups {
            let label = packing.labels.named(&group.label);
            let material = surfaces.material_of(&group.label, &group.material);
            for mut grain in grains.by_ref().take(group.count) {
                named(&saved.labels, grain.label, &group.label)?;
                (grain.label, grain.material, grain.force) = (label, material, D::Vector::default());
                grain.motion = group.motion;
                packing.add(grain).map_err(|error| self.blame(&error))?;
            }
        }
        for ((wall, there), plan) in packing.walls.iter_mut().zip(saved.walls).zip(&self.walls) {
            named(&saved.labels, there.label, &plan.label)?;
            (wall.point, wall.normal) = (there.point, there.normal);
        }
        for ((piston, there), plan) in packing.pistons.iter_mut().zip(saved.pistons).zip(&self.pistons) {
            named(&saved.labels, there.label, &plan.label)?;
            (piston.point, piston.normal, piston.speed) = (there.point, there.normal, there.speed);
        }
        packing.memory = saved.memory;
        if packing.grains.iter().any(|grain| !grain.position.length().is_finite()) {
            return Err(wrong("this packing is damaged".into()));
        }
        Ok(())
    }
}
