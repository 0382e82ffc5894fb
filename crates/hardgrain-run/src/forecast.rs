//! Forecast of the artificial elasticity of a scene, before it is run.

use crate::rigidity::{Size, chain, four_digits, theory_order};
use crate::simulation::soft::typical;
use crate::simulation::solvers::{Elasticity, elasticity};
use hardgrain::{Dimension, Order, Packing, Stop};
use hardgrain_io::scene::{Numerics, Scene};
use hardgrain_theory::{SpringChain, rigidity};
use serde::Serialize;

/// Forecast by the theory of a chain with the mean mass and diameter of the grains, for the initial packing. In the units of
/// the scene.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Forecast {
    /// Largest extent of the packing, L.
    pub length: f64,
    /// Mean diameter, d.
    pub diameter: f64,
    /// q of the order of the sweeps.
    pub q: Option<f64>,
    /// Sweeps a step, where their number is fixed.
    pub sweeps: Option<f64>,
    /// Reach of one step, √(q N_I) d.
    pub reach: Option<f64>,
    /// Apparent stiffness κ of the contacts.
    pub apparent_stiffness: Option<f64>,
    /// Apparent sound speed c.
    pub apparent_sound_speed: Option<f64>,
    /// Lowest frequency ω of a packing of this length, held at one end.
    pub omega: Option<f64>,
    /// Damping time τ of that oscillation.
    pub tau: Option<f64>,
    /// Sweeps per step whose reach is the length of the packing.
    pub sweeps_to_reach: Option<f64>,
    /// Sweeps per step that leave a force error of 1 %.
    pub sweeps_to_be_rigid: Option<f64>,
    /// In words.
    pub verdict: String,
}

impl Forecast {
    pub(crate) fn from_scene<D: Dimension>(scene: &Scene, packing: &Packing<D>, numerics: &Numerics) -> Self {
        let size = Size::measure(packing);
        let (order, stop) = match elasticity(numerics.solver.kind) {
            Elasticity::Imitated(order, stop) => (order, stop),
            Elasticity::Absent(verdict, _) => return Self::without(size, &verdict),
            Elasticity::Chosen(plan) => {
                return Self::soft(size, typical(scene, &plan, packing, size.mass, size.diameter));
            }
        };
        let q = theory_order(order).q();
        let needed = rigidity::sweeps_for_error(q, size.grains_long(), 0.01).ceil();
        let mut forecast = Self {
            q: Some(q),
            sweeps_to_reach: Some(rigidity::sweeps_to_reach(q, size.grains_long()).ceil()),
            sweeps_to_be_rigid: Some(needed),
            ..Self::without(size, "")
        };
        let Stop::Sweeps(sweeps) = stop else {
            forecast.verdict = format!(
                "sweeps go on until the tolerance is reached; from nothing, about {needed} of them leave 1 % of error in the forces"
            );
            return forecast;
        };
        let theory = chain(size, order, 1.0, f64::from(sweeps), numerics.step);
        let k = size.longest_wave();
        forecast.sweeps = Some(theory.sweeps);
        forecast.reach = Some(theory.reach());
        forecast.apparent_stiffness = Some(theory.stiffness());
        forecast.apparent_sound_speed = Some(theory.sound_speed());
        forecast.omega = theory.frequency(k);
        forecast.tau = Some(theory.damping_time(k));
        forecast.verdict = verdict_on(&theory, size, needed, order, D::AXES);
        forecast
    }

    /// Soft grains: a chain of springs.
    fn soft(size: Size, [stiffness, damping]: [f64; 2]) -> Self {
        let chain = SpringChain { stiffness, damping, mass: size.mass, diameter: size.diameter };
        let k = size.longest_wave();
        let verdict = format!("soft by choice: springs of stiffness {}", four_digits(stiffness));
        Self {
            apparent_stiffness: Some(stiffness),
            apparent_sound_speed: Some(chain.sound_speed()),
            omega: chain.frequency(k),
            tau: chain.damping_time(k),
            ..Self::without(size, &verdict)
        }
    }

    fn without(size: Size, verdict: &str) -> Self {
        Self { length: size.length, diameter: size.diameter, verdict: verdict.into(), ..Self::default() }
    }
}

fn verdict_on(theory: &hardgrain_theory::Continuum, size: Size, needed: f64, order: Order, axes: usize) -> String {
    let error = rigidity::error_after(theory.q, size.grains_long(), theory.sweeps);
    let (reach, long) = (theory.reach() / size.diameter, size.grains_long());
    let more = format!("; {needed} sweeps would be rigid");
    let (said, and, more) = if error <= 0.01 {
        ("rigid", "and", String::new())
    } else if error <= 0.1 {
        ("nearly rigid", "and", more)
    } else {
        ("soft", "but", format!(": the grains will behave like springs{more}"))
    };
    let mut text =
        format!("{said}: a step carries forces {reach:.1} grains far, {and} the packing is {long:.1} long{more}");
    if order == Order::Parallel && axes > 1 {
        text += "; parallel sweeps are damped in the plane and in space, which makes them softer still";
    }
    text
}
