//! Calibration: rigid grains that mimic given springs, springs that mimic given sweeps, and the cost of either.

use crate::cost::{contacts, rigid_step, seconds_per_soft_grain, seconds_per_update};
use crate::error::RunError;
use crate::rigidity::{Size, theory_order};
use crate::simulation::soft::{placed, springs, typical};
use crate::simulation::solvers::{Elasticity, elasticity};
use hardgrain::soft::{Spring, Springs, largest_step};
use hardgrain::{Dimension, Material, Order, Packing, Shock, Stop, in_dimension};
use hardgrain_io::scene::{Numerics, Scene, SoftPlan};
use hardgrain_theory::{Collision, Imitation, contact};
use serde::Serialize;

/// An accurate soft step is the longest stable one divided by this.
const SHORTER: f64 = 2.0;

/// One sweep, up to rounding.
const LEAST: f64 = 1.0 - 1e-9;

/// Parameters that mimic the last stage of a scene, for grains of the mean mass, in the units of the scene.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Calibration {
    /// The kind of grains that mimics the scene: "rigid" for a soft scene, "soft" for a rigid one.
    pub imitation: &'static str,
    /// Mean mass of the free grains.
    pub mass: f64,
    /// Stiffness κ of the springs.
    pub stiffness: f64,
    /// Damping γ of the springs.
    pub damping: f64,
    /// Coefficient of restitution of two such grains.
    pub restitution: f64,
    /// Time step of the rigid grains.
    pub step: f64,
    /// Sweeps per step of the rigid grains, before rounding.
    pub sweeps: f64,
    /// The same, rounded.
    pub sweeps_rounded: f64,
    /// Time step of the soft grains: that of the scene, or half of the longest stable one.
    pub soft_step: f64,
    /// Seconds on one core per unit of simulated time with rigid grains; none where no number of sweeps mimics the springs.
    pub rigid_seconds: Option<f64>,
    /// The same with soft grains.
    pub soft_seconds: f64,
    /// The cheaper of the two, "rigid" or "soft".
    pub cheaper: &'static str,
    /// Where the two kinds of grains still differ.
    pub warnings: Vec<String>,
}

impl Calibration {
    /// Calibrates a scene. `order` is that of the sweeps which mimic soft grains.
    ///
    /// # Errors
    /// When the grains cannot be placed, or nothing mimics them.
    pub fn from_scene(scene: &Scene, order: Order) -> Result<Self, RunError> {
        in_dimension!(scene.dimension, D => Self::from_packing::<D>(scene, order))
    }

    fn from_packing<D: Dimension>(scene: &Scene, order: Order) -> Result<Self, RunError> {
        let packing = placed::<D>(scene)?;
        let numerics = &scene.stages.last().expect("a scene has stages").numerics;
        let why = match elasticity(numerics.solver.kind) {
            Elasticity::Chosen(plan) => return Self::from_soft(scene, &packing, (numerics.step, &plan), order),
            Elasticity::Imitated(..) if !numerics.solver.warm => {
                "this scene starts every step from nothing: its contacts creep like dashpots without springs, and no \
                 springs are like that; start = \"warm\" is what makes them elastic"
            }
            Elasticity::Imitated(order, Stop::Sweeps(sweeps)) => {
                return Self::from_rigid(&packing, numerics, order, sweeps);
            }
            Elasticity::Imitated(_, Stop::Tolerance { .. }) => {
                "this scene sweeps until a tolerance is reached: the number of sweeps changes from step to step, \
                 and so would the springs; give it a number of sweeps"
            }
            Elasticity::Absent(_, why) => why,
        };
        Err(RunError::Input(why.into()))
    }

    /// Rigid grains that mimic soft ones.
    fn from_soft<D: Dimension>(
        scene: &Scene,
        packing: &Packing<D>,
        (soft_step, plan): (f64, &SoftPlan),
        order: Order,
    ) -> Result<Self, RunError> {
        let size = Size::measure(packing);
        let [stiffness, damping] = typical(scene, plan, packing, size.mass, size.diameter);
        let theory = theory_order(order);
        let found = Imitation::from_springs(stiffness, damping, size.mass, theory);
        let mut warnings = Vec::new();
        if found.sweeps < LEAST {
            let least = Imitation::least_damping(stiffness, size.mass, theory);
            let most = Collision::new(stiffness, least, 2.0 / size.mass).restitution();
            let own = Collision::new(stiffness, damping, 2.0 / size.mass).restitution();
            warnings.push(format!(
                "nothing that is swept imitates this: it would take {:.3} sweeps a step, and one is the least. These springs bounce: \
                 two grains that meet keep {own:.3} of their speed, and sweeps imitate those that keep {most:.3} or less, \
                 with a damping of {least:.4e} or more",
                found.sweeps
            ));
        }
        if springs(scene, plan, packing).law == hardgrain::soft::SpringLaw::Hertz {
            warnings.push(
                "by Hertz's law stiffness grows with the overlap; this is for overlaps of a hundredth of a diameter"
                    .into(),
            );
        }
        Self::new(packing, (stiffness, damping), &found, soft_step, ("rigid", warnings))
    }

    /// Soft grains that mimic rigid ones.
    fn from_rigid<D: Dimension>(
        packing: &Packing<D>,
        numerics: &Numerics,
        order: Order,
        sweeps: u32,
    ) -> Result<Self, RunError> {
        let (size, q) = (Size::measure(packing), theory_order(order).q());
        let (sweeps, step) = (f64::from(sweeps), numerics.step);
        let spring = |inverse_mass: f64| {
            (contact::stiffness(q, sweeps, step, inverse_mass), contact::damping(q, sweeps, step, inverse_mass))
        };
        let (per_mass, dashpot) = spring(1.0);
        let springs = Springs::new(Spring::normal(per_mass, dashpot).tangent(per_mass, dashpot)).per_mass();
        let soft_step = largest_step(packing, &springs) / SHORTER;
        let (stiffness, damping) = spring(2.0 / size.mass);
        let found = Imitation::from_springs(stiffness, damping, size.mass, theory_order(order));
        let mut warnings = Vec::new();
        let materials = &packing.materials;
        let all = || (0..materials.names().len()).filter_map(|index| u16::try_from(index).ok()).map(Material);
        if all().any(|a| all().any(|b| materials.pair(a, b).restitution > 0.0)) {
            warnings.push(
                "this scene has a restitution, which sweeps bring about by themselves: springs that imitate the sweeps do not bounce. \
                 Remove it beside them"
                    .into(),
            );
        }
        if numerics.solver.shock == Shock::FullGap {
            warnings
                .push("this scene pushes overlaps out within a step, which gains energy; these springs do not".into());
        }
        Self::new(packing, (stiffness, damping), &found, soft_step, ("soft", warnings))
    }

    fn new<D: Dimension>(
        packing: &Packing<D>,
        (stiffness, damping): (f64, f64),
        found: &Imitation,
        soft_step: f64,
        (imitation, warnings): (&'static str, Vec<String>),
    ) -> Result<Self, RunError> {
        let mass = Size::measure(packing).mass;
        let grains = packing.grains.len() as f64;
        let sweeps_rounded = found.sweeps_rounded();
        let rigid = rigid_step(grains, contacts::<D>(grains), sweeps_rounded, seconds_per_update::<D>());
        let rigid_seconds = (found.sweeps >= LEAST).then_some(rigid / found.step);
        let soft_seconds = grains * seconds_per_soft_grain::<D>() / soft_step;
        let numbers = [stiffness, soft_step, 1.0 / soft_step];
        if !(numbers.iter().all(|number| number.is_finite() && *number > 0.0) && found.sweeps.is_finite()) {
            return Err(RunError::Input("these springs are beyond all numbers; choose other units".into()));
        }
        Ok(Self {
            imitation,
            mass,
            stiffness,
            damping,
            restitution: Collision::new(stiffness, damping, 2.0 / mass).restitution(),
            step: found.step,
            sweeps: found.sweeps,
            sweeps_rounded,
            soft_step,
            rigid_seconds,
            soft_seconds,
            cheaper: if rigid_seconds.is_some_and(|rigid| rigid < soft_seconds) { "rigid" } else { "soft" },
            warnings,
        })
    }
}
