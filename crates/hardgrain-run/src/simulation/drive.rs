//! The drive of a packing: pressures, rotations, and the changes of stages.

use super::energy::EnergyBalance;
use hardgrain::{Components, Dimension, Packing};
use hardgrain_io::Scene;
use hardgrain_io::scene::{Change, Group, Load, Place, RotationPlan, StagePlan};
use std::ops::Range;

/// Pressures on pistons and rotations of groups, applied before every step. Forces stay as a stage or a hand has set them.
#[derive(Debug, Default)]
pub(crate) struct Drive<D: Dimension> {
    loads: Vec<Load>,
    rotations: Vec<(Range<usize>, RotationPlan)>,
    // What was replaced: forces of pistons, velocities and spins of grains that turn.
    forces: Vec<f64>,
    motions: Vec<(D::Vector<f64>, D::Spin<f64>)>,
}

impl<D: Dimension> Drive<D> {
    /// The drive in a stage: changes of earlier stages persist.
    pub(crate) fn new(scene: &Scene, stage: usize) -> Self {
        let mut loads: Vec<Load> = scene.pistons.iter().map(|piston| piston.load).collect();
        for change in scene.stages.iter().take(stage + 1).flat_map(|stage| &stage.changes) {
            if let Change::PistonLoad(index, load, _) = change {
                loads[*index] = *load;
            }
        }
        let turning = |(group, grains): (&Group, Range<usize>)| Some((grains, group.rotation?));
        let rotations = group_ranges(scene).filter_map(turning).collect();
        Self { loads, rotations, forces: Vec::new(), motions: Vec::new() }
    }

    /// Turns pressures into forces and rotations into velocities for a step of this length.
    pub(crate) fn apply(&mut self, packing: &mut Packing<D>, step: f64) {
        self.forces.clear();
        self.forces.extend(packing.pistons.iter().map(|piston| piston.force));
        self.motions.clear();
        let turning = self.rotations.iter().flat_map(|(grains, _)| &packing.grains[grains.clone()]);
        self.motions.extend(turning.map(|grain| (grain.velocity, grain.spin)));
        for (index, load) in self.loads.iter().enumerate() {
            if let Load::Pressure { pressure, area } = *load {
                // Undefined faces are refused when the scene is read; a vanished face has no area.
                let area = area.or_else(|| packing.face(index)).unwrap_or(0.0);
                packing.pistons[index].force = pressure * area;
            }
        }
        for (grains, rotation) in &self.rotations {
            let centre: D::Vector<f64> = vector::<D>(rotation.centre);
            let spin = D::Spin::from_fn(|axis| rotation.rate[axis]);
            for number in grains.clone() {
                let grain = &mut packing.grains[number];
                grain.velocity = carried::<D>(spin, grain.position - centre, step);
                grain.spin = spin;
            }
        }
    }

    /// Takes back what was applied, after a step that was not made.
    pub(crate) fn undo(&self, packing: &mut Packing<D>) {
        packing.pistons.iter_mut().zip(&self.forces).for_each(|(piston, force)| piston.force = *force);
        let turning = self.rotations.iter().flat_map(|(grains, _)| grains.clone());
        for (number, motion) in turning.zip(&self.motions) {
            let grain = &mut packing.grains[number];
            (grain.velocity, grain.spin) = *motion;
        }
    }
}

/// What the beginning of a stage may change, as it was before.
pub(super) struct Unbegun<D: Dimension> {
    // Everything but the grains.
    packing: Packing<D>,
    forces: Option<Vec<D::Vector<f64>>>,
    energy: EnergyBalance,
}

impl<D: Dimension> Unbegun<D> {
    pub(super) fn take(stage: &StagePlan, packing: &Packing<D>, energy: &EnergyBalance) -> Self {
        let Packing { gravity, .. } = *packing;
        let (pistons, walls) = (packing.pistons.clone(), packing.walls.clone());
        let others = Packing { gravity, pistons, walls, materials: packing.materials.clone(), ..Packing::default() };
        let pushes = stage.changes.iter().any(|change| matches!(change, Change::Force(..)));
        let forces = pushes.then(|| packing.grains.iter().map(|grain| grain.force).collect());
        Self { packing: others, forces, energy: *energy }
    }

    /// Takes the beginning back.
    pub(super) fn put(self, packing: &mut Packing<D>, energy: &mut EnergyBalance) {
        let Packing { gravity, pistons, walls, materials, .. } = self.packing;
        (packing.gravity, packing.pistons, packing.walls, packing.materials) = (gravity, pistons, walls, materials);
        for (grain, force) in packing.grains.iter_mut().zip(self.forces.into_iter().flatten()) {
            grain.force = force;
        }
        *energy = self.energy;
    }
}

/// The groups of a scene, each with the numbers of its grains.
pub(crate) fn group_ranges(scene: &Scene) -> impl Iterator<Item = (&Group, Range<usize>)> {
    let mut first = 0;
    scene.groups.iter().map(move |group| {
        let grains = first..first + group.count;
        first = grains.end;
        (group, grains)
    })
}

/// The velocity that carries a point at `arm` from the centre along its circle within a step, by the Cayley map
/// x' − x = h ω × (x' + x)/2: the radius is kept without a sine.
fn carried<D: Dimension>(spin: D::Spin<f64>, arm: D::Vector<f64>, step: f64) -> D::Vector<f64> {
    let half = spin * (0.5 * step);
    // ω × x, in every dimension.
    let cross = |x: D::Vector<f64>| D::lift(x, D::slip(half, x));
    let first = cross(arm);
    (first + cross(first)) * (2.0 / (step * (1.0 + half.length_squared())))
}

fn vector<D: Dimension>(place: Place) -> D::Vector<f64> {
    D::Vector::from_fn(|axis| place[axis])
}

/// Applies the changes at the beginning of a stage.
pub(crate) fn begin<D: Dimension>(scene: &Scene, stage: &StagePlan, packing: &mut Packing<D>) {
    for change in &stage.changes {
        match change {
            Change::Gravity(gravity) => packing.gravity = vector::<D>(*gravity),
            Change::Surface(surface) => scene.renew_surfaces(*surface, packing),
            Change::WallVelocity(index, velocity) => packing.walls[*index].velocity = vector::<D>(*velocity),
            Change::PistonMass(index, mass) => packing.pistons[*index].mass = *mass,
            Change::PistonSpeed(index, speed) => packing.pistons[*index].speed = *speed,
            Change::PistonLoad(index, Load::Force(force), _) => packing.pistons[*index].force = *force,
            // The drive sets pressures; forces on grains are set together below.
            Change::PistonLoad(..) | Change::Force(..) => {}
        }
    }
    if stage.changes.iter().any(|change| matches!(change, Change::Force(..))) {
        push(scene, stage, packing);
    }
}

/// Sets the forces on grains: those of the scene, with the changes of all stages up to this one.
fn push<D: Dimension>(scene: &Scene, stage: &StagePlan, packing: &mut Packing<D>) {
    let mut values: Vec<Place> = scene.forces.iter().map(|force| force.value).collect();
    let upto = scene.stages.iter().position(|known| known.name == stage.name).map_or(0, |index| index + 1);
    for change in scene.stages[..upto].iter().flat_map(|stage| &stage.changes) {
        if let Change::Force(index, value) = change {
            values[*index] = *value;
        }
    }
    for grain in &mut packing.grains {
        grain.force = D::Vector::default();
    }
    for (force, value) in scene.forces.iter().zip(values) {
        for grain in &mut packing.grains[force.on.clone()] {
            grain.force += vector::<D>(value);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use hardgrain::{Plane, Space, Vector};

    #[test]
    fn what_turns_stays_on_its_circle() {
        let mut flat = Vector([3.0, 0.0]);
        let mut round = Vector([0.0, 3.0, 1.0]);
        let turns = 1000;
        // The Cayley map turns by 2 atan(h ω/2).
        let rate = 2.0 * (std::f64::consts::PI / f64::from(turns)).tan();
        for _ in 0..turns {
            flat += carried::<Plane>(Vector([rate]), flat, 1.0);
            round += carried::<Space>(Vector([rate, 0.0, 0.0]), round, 1.0);
        }
        assert!((flat - Vector([3.0, 0.0])).length() < 1e-11, "{flat:?}");
        assert!((round - Vector([0.0, 3.0, 1.0])).length() < 1e-11, "{round:?}");
    }
}
