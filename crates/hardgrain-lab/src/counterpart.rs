//! The soft counterpart of a packing of rigid grains: springs of 2 q N_I/(w h²) and dashpots of κ h in every contact, along
//! the normal and along the tangent, w being the inverse mass that the contact moves there.
//!
//! The packing was pressed together by rigid grains, so its overlaps are not those of the springs. First it comes to rest as a
//! soft one; then its load is raised, and it rings. Some contacts go on sliding for long, and what is left of that must not be
//! taken for the answer to the load: a twin whose load stays the same does it as well, and what is followed is how far they
//! separate.

use crate::estimate::Oscillation;
use crate::line::steps;
use crate::ring_down::RingDown;
use crate::settings::Error;
use crate::watch::Progress;
use hardgrain::soft::{SoftGrains, Spring, Springs, largest_step};
use hardgrain::{Dimension, Engine, Material, Motion, Packing, Part, Remembered};
use hardgrain_theory::SweepOrder;

/// The interval at which the soft packing is checked for rest: in damping times,
const REST: f64 = 14.0;
/// and in steps at least;
const CALM: usize = 60;
/// it rests if the piston has moved by no more than this share of what the load step will move it,
const STILL: f64 = 0.01;
/// or after this number of checks.
const PATIENCE: u32 = 8;
/// Safety factor: soft steps are shorter than the stability limit by it.
const SHORTER: f64 = 1.25;

/// Steps of length 1, each of them many short ones.
pub(crate) struct Counterpart<D: Dimension> {
    engine: SoftGrains<D>,
    /// Soft steps in a rigid one.
    pub(crate) substeps: u32,
}

impl<D: Dimension> Counterpart<D> {
    /// With the springs of this number of sweeps in this order.
    pub(crate) fn new(packing: &Packing<D>, order: SweepOrder, sweeps: u32) -> Self {
        let strength = 2.0 * order.q() * f64::from(sweeps);
        let springs = Springs::new(Spring::normal(strength, strength).tangent(strength, strength)).per_mass();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "saturates")]
        let substeps = (SHORTER / largest_step(packing, &springs)).ceil() as u32;
        Self { engine: SoftGrains::new(1.0 / f64::from(substeps), springs), substeps }
    }

    /// Turns the tangential reactions of rigid contacts into the stretch of tangential springs.
    fn stretch_springs(&self, packing: &mut Packing<D>) {
        let strength = self.engine.springs.pair(Material::default(), Material::default()).tangent_stiffness;
        let inverse_masses: Vec<f64> =
            packing.memory.iter().map(|known| tangent_inverse_mass(packing, known)).collect();
        for (known, inverse_mass) in packing.memory.iter_mut().zip(inverse_masses) {
            known.stretch = known.reaction.tangent * (-inverse_mass / strength);
        }
    }

    fn step(&mut self, packing: &mut Packing<D>) -> Result<(), Error> {
        (0..self.substeps).try_for_each(|_| self.engine.step(packing).map(|_| ())).map_err(Error::from)
    }
}

/// w_t of a contact.
fn tangent_inverse_mass<D: Dimension>(packing: &Packing<D>, known: &Remembered<D>) -> f64 {
    let of = |grain: u32, arm: f64| {
        let grain = &packing.grains[grain as usize];
        grain.inverse_mass() + arm * arm * grain.inverse_inertia()
    };
    let [first_arm, second_arm] = packing.arms(known.identity, 0.0);
    match known.identity.second() {
        Part::Grain(second) => of(known.identity.first, first_arm) + of(second, second_arm),
        Part::Piston(_) | Part::Wall(_) => of(known.identity.first, first_arm),
    }
}

/// ω and τ of a wave with the rate β, the share that relaxing all contacts at once takes away: with springs and dashpots in
/// their place Ω² = 2 q N_I β/h² and Γ = Ω² h.
pub(crate) fn wave(order: SweepOrder, sweeps: u32, rate: f64) -> Oscillation {
    let square = 2.0 * order.q() * f64::from(sweeps) * rate;
    let half = 0.5 * square;
    Oscillation { omega: (square > half * half).then(|| (square - half * half).sqrt()), tau: Some(1.0 / half) }
}

/// Lets a packing come to rest as a soft one, raises the load and follows the piston. `rigid` is how the rigid one rang: it
/// says how much rest is needed, and `expected` for how long to wait and to look.
pub(crate) fn ring<D: Dimension>(
    packing: &Packing<D>,
    (order, sweeps, load_step): (SweepOrder, u32, f64),
    (rigid, expected): (&RingDown, Oscillation),
    watch: &dyn Progress,
) -> Result<RingDown, Error> {
    let mut packing = packing.clone();
    let mut soft = Counterpart::new(&packing, order, sweeps);
    soft.stretch_springs(&mut packing);
    let way = rigid.places.last().map_or(0.0, |way| way.abs());
    let hold = steps(REST * expected.tau.unwrap_or(100.0)).max(CALM);
    for _ in 0..PATIENCE {
        let before = packing.pistons[0].position();
        for _ in 0..hold {
            soft.step(&mut packing)?;
            watch.alive();
        }
        if (packing.pistons[0].position() - before).abs() < STILL * way {
            break;
        }
        stop(&mut packing);
    }
    let mut twin = (packing.clone(), Counterpart { engine: soft.engine.clone(), ..soft });
    packing.pistons[0].force *= 1.0 + load_step;
    RingDown::follow(expected, || {
        soft.step(&mut packing)?;
        twin.1.step(&mut twin.0)?;
        watch.alive();
        Ok(load_step.signum() * (packing.pistons[0].position() - twin.0.pistons[0].position()))
    })
}

/// Stops everything: what rattles or rolls would never rest.
fn stop<D: Dimension>(packing: &mut Packing<D>) {
    for grain in packing.grains.iter_mut().filter(|grain| grain.motion == Motion::Free) {
        (grain.velocity, grain.spin) = (D::Vector::default(), D::Spin::default());
    }
    packing.pistons[0].speed = 0.0;
}
