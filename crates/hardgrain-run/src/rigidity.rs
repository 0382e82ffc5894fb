//! How rigid the grains of a run were: what the theory says of the sweeps it made.

use crate::progress::Totals;
use crate::soft::typical;
use hardgrain::{Components, Dimension, Motion, Order, Packing, Stop};
use hardgrain_io::scene::{Numerics, Scene, Way};
use hardgrain_rigid::Certificate;
use hardgrain_theory::{Continuum, SpringChain, rigidity};
use serde::Serialize;

/// A force error of this is called rigid, and one of ten times this nearly rigid.
const RIGID: f64 = 0.01;
const NEARLY: f64 = 0.1;

/// How rigid the grains were at the end of a run, in the units of the scene. The springs are those of the theory of a
/// chain of equal grains with the mean mass and diameter; nothing where the solver is exact.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Rigidity {
    /// Sweeps a step: those asked for, or the mean where a tolerance was.
    pub sweeps: Option<f64>,
    /// How far one step's sweeps carry a force, √(q N_I) d.
    pub reach: Option<f64>,
    /// Largest extent of the packing, L.
    pub length: f64,
    /// Mean diameter, d.
    pub diameter: f64,
    /// κ = q m N_I/h².
    pub apparent_stiffness: Option<f64>,
    /// c = √(q N_I) d/h.
    pub apparent_sound_speed: Option<f64>,
    /// Residual of the last step.
    pub residual: f64,
    /// Relative error of the forces: what one step's sweeps leave, or what the residual may hide.
    pub force_error: f64,
    /// Whether these are the forces of the rigid solver, with all that can be trusted of them.
    pub certified: bool,
    /// What walls and pistons carry then.
    pub boundaries: Vec<Boundary>,
    /// In words.
    pub verdict: String,
}

/// What a wall or piston carries at the end.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Boundary {
    /// Which.
    pub label: String,
    /// The force on it, along its normal.
    pub load: f64,
    /// The force along it, by friction.
    pub along: f64,
    /// By how much both together may be wrong; nothing where it cannot be told.
    pub doubt: Option<f64>,
}

/// The theory's name for an order of the engine.
pub fn in_theory(order: Order) -> hardgrain_theory::Order {
    match order {
        Order::Parallel => hardgrain_theory::Order::Parallel,
        // Blocks are so large that what happens at their edges does not count.
        Order::RandomSweep | Order::RandomBlocks => hardgrain_theory::Order::RandomSweep,
        Order::RandomSequential => hardgrain_theory::Order::RandomSequential,
        Order::Forward => hardgrain_theory::Order::Forward,
        Order::Symmetric => hardgrain_theory::Order::Symmetric,
        Order::Coloured => hardgrain_theory::Order::Coloured,
        other => unreachable!("no theory for the order {}", other.name()),
    }
}

/// What the theory needs of a packing: mean mass, mean diameter, largest extent.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Size {
    pub mass: f64,
    pub diameter: f64,
    pub length: f64,
}

impl Size {
    /// Of the free grains; of all if none is free. Periodic axes have no ends, so they count only if there are no others.
    pub(crate) fn of<D: Dimension>(packing: &Packing<D>) -> Self {
        let any_free = packing.grains.iter().any(|grain| grain.motion == Motion::Free);
        let counts = |grain: &&hardgrain::Grain<D>| grain.motion == Motion::Free || !any_free;
        let grains = || packing.grains.iter().filter(counts);
        let count = grains().count() as f64;
        let mean = |value: fn(&hardgrain::Grain<D>) -> f64| grains().fold(0.0, |sum, grain| sum + value(grain)) / count;
        let extent = |axis: usize| {
            let ends = grains().fold((f64::INFINITY, f64::NEG_INFINITY), |(least, most), grain| {
                let place = grain.position.as_slice()[axis];
                (least.min(place - grain.radius), most.max(place + grain.radius))
            });
            ends.1 - ends.0
        };
        let open = |axis: &usize| packing.cell.period(*axis).is_none();
        let ends = (0..D::AXES).filter(open).map(extent).fold(0.0, f64::max);
        let length = if ends > 0.0 { ends } else { (0..D::AXES).map(extent).fold(0.0, f64::max) };
        Self { mass: mean(|grain| grain.mass), diameter: mean(|grain| 2.0 * grain.radius), length }
    }

    /// How many grains long.
    pub(crate) fn grains_long(self) -> f64 {
        (self.length / self.diameter).max(1.0)
    }
}

/// The chain of the theory that stands for a packing.
pub(crate) fn chain(size: Size, order: Order, damping: f64, sweeps: f64, step: f64) -> Continuum {
    // A damped parallel sweep carries forces that much less far.
    let q = in_theory(order).q() * damping;
    Continuum { q, sweeps, step, mass: size.mass, diameter: size.diameter }
}

impl Rigidity {
    /// At the end of a run.
    pub(crate) fn of<D: Dimension>(
        scene: &Scene,
        packing: &Packing<D>,
        numerics: &Numerics,
        totals: &Totals,
        certificate: Option<&Certificate>,
    ) -> Self {
        let size = Size::of(packing);
        let mut found = Self::unknown(size, totals);
        let (order, stop) = match numerics.solver.way {
            Way::GaussSeidel(order, stop) => (order, stop),
            Way::Accelerated(_) => {
                found.sweeps = Some(totals.sweeps as f64 / totals.steps.max(1) as f64);
                found.verdict = verdict(totals.force_error, "soft: forces are not converged", totals);
                return found;
            }
            Way::Rigid { .. } => {
                found.certified(scene, packing, numerics.step, totals, certificate);
                return found;
            }
            Way::Pooling => {
                found.verdict = verdict(totals.force_error, "", totals);
                return found;
            }
            Way::Soft(plan) => {
                found.by_choice(typical(scene, &plan, packing, size.mass, size.diameter), size, totals);
                return found;
            }
        };
        let mean = totals.sweeps as f64 / totals.steps.max(1) as f64;
        let sweeps = match stop {
            Stop::Sweeps(sweeps) => f64::from(sweeps),
            Stop::Tolerance { .. } => mean,
        };
        let damping = if totals.damping > 0.0 { totals.damping } else { 1.0 };
        let theory = chain(size, order, damping, sweeps, numerics.step);
        found.sweeps = Some(sweeps);
        found.reach = Some(theory.reach());
        found.apparent_stiffness = Some(theory.stiffness());
        found.apparent_sound_speed = Some(theory.sound_speed());
        if let Stop::Sweeps(_) = stop {
            found.force_error = rigidity::error_after(theory.q, size.grains_long(), sweeps);
        }
        let springs = format!(
            "soft: behaves like springs of stiffness {} (reach of a step {:.1} of {:.1} grain diameters)",
            four_digits(theory.stiffness()),
            theory.reach() / size.diameter,
            size.grains_long()
        );
        found.verdict = verdict(found.force_error, &springs, totals);
        found
    }

    fn unknown(size: Size, totals: &Totals) -> Self {
        Self {
            sweeps: None,
            reach: None,
            length: size.length,
            diameter: size.diameter,
            apparent_stiffness: None,
            apparent_sound_speed: None,
            residual: totals.residual,
            force_error: totals.force_error,
            certified: false,
            boundaries: Vec::new(),
            verdict: String::new(),
        }
    }

    /// Soft grains.
    fn by_choice(&mut self, [stiffness, damping]: [f64; 2], size: Size, totals: &Totals) {
        let chain = SpringChain { stiffness, damping, mass: size.mass, diameter: size.diameter };
        self.apparent_stiffness = Some(stiffness);
        self.apparent_sound_speed = Some(chain.sound_speed());
        self.verdict = format!(
            "soft by choice: springs of stiffness {} (largest overlap {} of a grain diameter)",
            four_digits(stiffness),
            four_digits(totals.overlap_max / size.diameter)
        );
    }

    /// What is left of elasticity after the rigid solver. Contacts that still give way with a velocity u give h u in a step,
    /// under the force they carry: that is a spring.
    fn certified<D: Dimension>(
        &mut self,
        scene: &Scene,
        packing: &Packing<D>,
        step: f64,
        totals: &Totals,
        certificate: Option<&Certificate>,
    ) {
        self.sweeps = Some(totals.sweeps as f64 / totals.steps.max(1) as f64);
        if let Some(certificate) = certificate {
            self.certified = true;
            self.force_error = certificate.force_error.unwrap_or(self.force_error);
            let forces = packing.memory.iter().fold(0.0, |sum, contact| sum + contact.reaction.normal);
            let stiffness = forces / packing.memory.len().max(1) as f64 / (step * certificate.gives_way);
            if stiffness.is_finite() && stiffness > 0.0 {
                let size = Size::of(packing);
                self.apparent_stiffness = Some(stiffness);
                self.apparent_sound_speed = Some((stiffness / size.mass).sqrt() * size.diameter);
            }
            let label = |body: u32| {
                let number = (body as usize).checked_sub(packing.grains.len())?;
                let walls = scene.walls.iter().map(|wall| &wall.label);
                scene.pistons.iter().map(|piston| &piston.label).chain(walls).nth(number).cloned()
            };
            let carried = certificate.boundaries.iter();
            self.boundaries = carried
                .filter_map(|carried| {
                    let [load, along] = [carried.impulse, carried.along].map(|impulse| impulse / step);
                    Some(Boundary {
                        label: label(carried.body)?,
                        load,
                        along,
                        doubt: carried.doubt.map(|doubt| doubt / step),
                    })
                })
                .collect();
        }
        self.verdict = verdict(self.force_error, "soft: forces are not converged", totals);
    }
}

fn verdict(error: f64, springs: &str, totals: &Totals) -> String {
    let said = if error <= RIGID {
        "rigid"
    } else if error <= NEARLY {
        "nearly rigid"
    } else if springs.is_empty() {
        "not converged"
    } else {
        springs
    };
    if totals.not_converged > 0 && totals.not_converged == totals.steps {
        let all = totals.steps;
        return format!(
            "not converged; {all} of {all} steps did not converge: there may be no forces that obey every contact"
        );
    }
    if totals.not_converged > 0 {
        return format!("{said}; {} of {} steps did not converge", totals.not_converged, totals.steps);
    }
    said.into()
}

/// A number with four significant digits.
pub(crate) fn four_digits(value: f64) -> String {
    match value {
        v if (1000.0..1e6).contains(&v) => format!("{v:.0}"),
        v if (100.0..1000.0).contains(&v) => format!("{v:.1}"),
        v if (10.0..100.0).contains(&v) => format!("{v:.2}"),
        v if (1.0..10.0).contains(&v) => format!("{v:.3}"),
        v => format!("{v:.3e}"),
    }
}
