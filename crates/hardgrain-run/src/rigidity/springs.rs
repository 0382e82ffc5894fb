//! What sweeps that stop early make of the contacts of a packing: springs, and how the packing rings with them.

use super::size::{Size, chain, extent, theory_order};
use hardgrain::{
    Body, Components, ContactDynamics, Dimension, Engine, GaussSeidel, Motion, Order, Packing, Part, Problem, Row, Stop,
};
use hardgrain_analysis::{Elastic, frequency};
use hardgrain_theory::rigidity;
use serde::{Deserialize, Serialize};
use std::f64::consts::FRAC_PI_2;

/// Relaxations of contacts that computing the springs may cost: about a second,
const VISITS: u64 = 30_000_000;
/// or those of the whole run divided by this.
const SHARE: u64 = 50;

/// A packing whose frequency is below this fraction of that of a chain of its length is barely rigid or not at all: only part of
/// it responds.
const LOOSE: f64 = 0.25;

/// A response with a shorter decay time, in steps, does not ring.
const STEP: f64 = 1.0;

/// The sweeps of a step.
#[derive(Clone, Copy, Debug)]
pub(super) struct SweepSettings {
    pub order: Order,
    pub damping: f64,
    pub sweeps: f64,
    pub step: f64,
    /// Sweeps of the whole run.
    pub all: u64,
}

/// The origin of the apparent stiffness and sound speed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Basis {
    /// Springs in place of the loaded contacts of the last step, with the q of the order in this packing.
    Contacts,
    /// The same, but several slow modes respond to the load: ω, τ and c are those of the strongest.
    ManyMotions,
    /// The paper's chain of equal grains, with the mean mass and diameter.
    Chain,
    /// The same, because the contacts of the last step barely hold the load.
    Loose,
    /// The grains are soft by choice.
    Chosen,
}

impl Basis {
    /// In words.
    pub fn words(self) -> &'static str {
        match self {
            Self::Contacts => "from a spring in the place of each loaded contact of the last step",
            Self::ManyMotions => {
                "from a spring in the place of each loaded contact of the last step; many slow motions answer together, so roughly"
            }
            Self::Chain => "from the theory of a chain of equal grains, so roughly for a packing",
            Self::Loose => {
                "from the theory of a chain of equal grains, because the contacts of the last step hold the load only loosely"
            }
            Self::Chosen => "from the springs of the scene, on a chain of equal grains",
        }
    }
}

/// The springs of the contacts, in the units of the scene.
#[derive(Clone, Copy, Debug)]
pub(super) struct ApparentSprings {
    pub basis: Basis,
    pub q: f64,
    pub stiffness: f64,
    pub sound_speed: f64,
    /// ω of the response to a change of the load; none where it decays within a step.
    pub omega: Option<f64>,
    pub tau: f64,
    /// Fraction of a change of the forces that one step's sweeps leave undone.
    pub left: f64,
}

impl ApparentSprings {
    /// Of a packing at the end of a run.
    pub(super) fn from_packing<D: Dimension>(packing: &Packing<D>, size: Size, swept: SweepSettings) -> Self {
        let chain = Self::of_chain(size, swept);
        match Self::of_contacts(packing, size, swept) {
            // τ scales with the inverse square of the frequency.
            Some(found) if found.tau > chain.tau / (LOOSE * LOOSE) => Self { basis: Basis::Loose, ..chain },
            Some(found) => found,
            None => chain,
        }
    }

    /// Of the chain that represents a packing.
    fn of_chain(size: Size, swept: SweepSettings) -> Self {
        let theory = chain(size, swept.order, swept.damping, swept.sweeps, swept.step);
        let wave = size.longest_wave();
        Self {
            basis: Basis::Chain,
            q: theory.q,
            stiffness: theory.stiffness(),
            sound_speed: theory.sound_speed(),
            omega: theory.frequency(wave).filter(|_| theory.damping_time(wave) > STEP * swept.step),
            tau: theory.damping_time(wave),
            left: rigidity::error_after(theory.q, size.grains_long(), swept.sweeps),
        }
    }

    /// Of the actual contacts. None where they are too many, or do not hold the load.
    fn of_contacts<D: Dimension>(packing: &Packing<D>, size: Size, swept: SweepSettings) -> Option<Self> {
        let SweepSettings { order, damping, sweeps, step, all } = swept;
        let contacts = packing.memory.len() as u64;
        if contacts == 0 {
            return None;
        }
        let visits = VISITS.max(contacts.saturating_mul(all) / SHARE);
        // One more step of a copy gives the contact problem.
        let mut engine = ContactDynamics::<D>::new(step, GaussSeidel::new(order, Stop::Sweeps(1)));
        engine.step(&mut packing.clone()).ok()?;
        let problem = engine.problem();
        let elastic = Elastic::within(visits, problem, (order, damping), |bodies| load(packing, bodies))?;
        let known = theory_order(order).q() * damping;
        // For random sweeps over a row of equal grains the appendix gives q; a sample would add noise.
        let q = if order_is_drawn(order) && is_equal_row(packing) { known } else { elastic.q().unwrap_or(known) };
        let tau = 1.0 / (q * sweeps * elastic.rate());
        let faded = 2.0 * q * sweeps * elastic.rate();
        let stiffness = 2.0 * q * sweeps * mean_mass(packing, problem)? / (step * step);
        // In one dimension, lengths are those before compression.
        let sound_speed = if D::AXES == 1 {
            (stiffness / size.mass).sqrt() * size.diameter
        } else {
            faded.sqrt() / (wave_number(packing, elastic.shape())? * step)
        };
        let found = Self {
            basis: if elastic.is_single() { Basis::Contacts } else { Basis::ManyMotions },
            q,
            stiffness,
            sound_speed,
            omega: (tau > STEP).then(|| frequency(tau) / step),
            tau: tau * step,
            left: (-faded).exp(),
        };
        [found.stiffness, found.sound_speed, found.tau].iter().all(|value| value.is_finite()).then_some(found)
    }
}

fn order_is_drawn(order: Order) -> bool {
    matches!(order, Order::RandomSweep | Order::RandomBlocks)
}

/// Whether the scene is a row of free grains of equal mass.
fn is_equal_row<D: Dimension>(packing: &Packing<D>) -> bool {
    let mut masses = packing.grains.iter().filter(|grain| grain.motion == Motion::Free).map(|grain| grain.mass);
    let first = masses.next();
    D::AXES == 1 && masses.all(|mass| Some(mass) == first)
}

/// The load of a packing, as accelerations.
fn load<D: Dimension>(packing: &Packing<D>, bodies: &mut [Body<D>]) {
    for (grain, body) in packing.grains.iter().zip(bodies.iter_mut()).filter(|(_, body)| body.inverse_mass > 0.0) {
        body.velocity = packing.gravity + grain.force * body.inverse_mass;
    }
    for (piston, body) in packing.pistons.iter().zip(&mut bodies[packing.body(Part::Piston(0))..]) {
        let acceleration = piston.force * body.inverse_mass + packing.gravity.dot(piston.normal);
        body.velocity = piston.normal * acceleration;
    }
}

/// The mean of `1/w_n` over loaded contacts between free grains; over all loaded ones if there are none.
fn mean_mass<D: Dimension>(packing: &Packing<D>, problem: &Problem<D>) -> Option<f64> {
    let grains = packing.grains.len();
    let free = |body: u32| (body as usize) < grains && packing.grains[body as usize].motion == Motion::Free;
    let loaded = || problem.rows.iter().filter(|row| row.impulse.normal > 0.0);
    let mean = |rows: &mut dyn Iterator<Item = &Row<D>>| {
        let (sum, count) = rows.fold((0.0, 0.0), |(sum, count), row| (sum + row.contact.normal_mass, count + 1.0));
        (count > 0.0).then(|| sum / count)
    };
    mean(&mut loaded().filter(|row| free(row.first) && free(row.second))).or_else(|| mean(&mut loaded()))
}

/// Wave number k of a mode with this shape, along the axis of most of the motion: a quarter wave fits into the packing, less under
/// a piston of mass m, k L tan k L = M/m with M the mass of all grains.
fn wave_number<D: Dimension>(packing: &Packing<D>, shape: &[Body<D>]) -> Option<f64> {
    let motion = |axis: usize| {
        shape.iter().filter(|body| body.inverse_mass > 0.0).fold(0.0, |sum, body| {
            let speed = body.velocity.as_slice()[axis];
            sum + speed * speed / body.inverse_mass
        })
    };
    let axis = (0..D::AXES).max_by(|&a, &b| motion(a).total_cmp(&motion(b)))?;
    let length = extent(packing, axis);
    let free = packing.grains.iter().filter(|grain| grain.motion == Motion::Free);
    let mass = free.fold(0.0, |sum, grain| sum + grain.mass);
    let pistons = packing.pistons.iter().filter(|piston| piston.normal.as_slice()[axis].abs() > 0.5);
    let piston_mass = pistons.fold(0.0, |sum, piston| sum + piston.mass);
    (length > 0.0 && mass > 0.0).then(|| quarter(mass / piston_mass) / length)
}

/// Solves x tan x = ratio for x between 0 and π/2 by bisection.
fn quarter(ratio: f64) -> f64 {
    let (mut low, mut high) = (0.0, FRAC_PI_2);
    if ratio == f64::INFINITY {
        return high;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if middle * middle.tan() < ratio { low = middle } else { high = middle }
    }
    low
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_light_lid_leaves_a_quarter_of_a_wave_and_a_heavy_one_less() {
        assert!((quarter(f64::INFINITY) - FRAC_PI_2).abs() < 1e-12 && (quarter(1e12) - FRAC_PI_2).abs() < 1e-9);
        let x = quarter(0.7);
        assert!((x * x.tan() - 0.7).abs() < 1e-12);
        // Under a heavy lid k²L² = M/m.
        assert!((quarter(1e-6) / 1e-3 - 1.0).abs() < 1e-6);
    }
}
