//! Detection of rest: are the forces on every loaded grain and every piston balanced?

use hardgrain::{Components, Dimension, Motion, Packing};
use hardgrain_analysis::touching;

/// Measures unbalanced forces. Holds the velocities before the step.
#[derive(Debug, Default)]
pub(crate) struct Balance<D: Dimension> {
    velocities: Vec<D::Vector<f64>>,
    speeds: Vec<f64>,
}

impl<D: Dimension> Balance<D> {
    /// To be called before a step.
    pub(crate) fn before(&mut self, packing: &Packing<D>) {
        self.velocities.clear();
        self.velocities.extend(packing.grains.iter().map(|grain| grain.velocity));
        self.speeds.clear();
        self.speeds.extend(packing.pistons.iter().map(|piston| piston.speed));
    }

    /// To be called after it: the largest unbalanced force m Δv/h on the backbone and on pistons, over the mean contact force.
    /// None where no contact carries a load.
    pub(crate) fn after(&mut self, packing: &Packing<D>, step: f64) -> Option<f64> {
        let mean = mean_force(packing)?;
        let grains = packing.grains.iter().zip(&self.velocities).zip(touching(packing));
        let loaded = grains.filter(|((grain, _), touching)| grain.motion == Motion::Free && *touching >= 2);
        let grains = loaded.map(|((grain, before), _)| grain.mass * (grain.velocity - *before).length() / step);
        let pistons = packing.pistons.iter().zip(&self.speeds);
        let pistons = pistons.map(|(piston, before)| piston.mass * (piston.speed - before).abs() / step);
        let largest =
            grains.chain(pistons).fold(None, |largest: Option<f64>, force| Some(largest.unwrap_or(0.0).max(force)));
        largest.map(|force| force / mean)
    }
}

/// Mean magnitude of the reactions.
fn mean_force<D: Dimension>(packing: &Packing<D>) -> Option<f64> {
    let sum = packing.memory.iter().fold(0.0, |sum, known| sum + known.reaction.length_squared().sqrt());
    (sum > 0.0).then(|| sum / packing.memory.len() as f64)
}

/// Stops all free grains and pistons: rolling without sliding dissipates nothing and would never end.
pub(crate) fn stop_all<D: Dimension>(packing: &mut Packing<D>) {
    for grain in packing.grains.iter_mut().filter(|grain| grain.motion == Motion::Free) {
        (grain.velocity, grain.spin) = (D::Vector::default(), D::Spin::default());
    }
    for piston in &mut packing.pistons {
        piston.speed = 0.0;
    }
}

/// Stops the rattlers, free grains with fewer than two loaded contacts, and returns how many of them moved.
pub(crate) fn stop_rattlers<D: Dimension>(packing: &mut Packing<D>) -> u64 {
    let held = touching(packing);
    let mut stopped = 0;
    for (grain, touching) in packing.grains.iter_mut().zip(held) {
        let moves = grain.velocity.length_squared() > 0.0 || grain.spin.length_squared() > 0.0;
        if grain.motion == Motion::Free && touching < 2 && moves {
            (grain.velocity, grain.spin) = (D::Vector::default(), D::Spin::default());
            stopped += 1;
        }
    }
    stopped
}
