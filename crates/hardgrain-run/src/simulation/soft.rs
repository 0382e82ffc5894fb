//! Springs and engines of soft grains.

use super::drive::begin;
use crate::error::RunError;
use hardgrain::soft::{Scale, SoftGrains, Spring, SpringLaw, Springs, largest_step};
use hardgrain::{Dimension, Material, Packing, Threads};
use hardgrain_io::scene::{Fault, Refusal, Scene, SoftPlan, SpringPlan, StagePlan};
use hardgrain_theory::Collision;

/// The springs of a packing.
pub(crate) fn springs<D: Dimension>(scene: &Scene, plan: &SoftPlan, packing: &Packing<D>) -> Springs {
    match plan.strength {
        SpringPlan::Springs { spring, scale, law } => {
            let mut springs = Springs::new(spring);
            (springs.scale, springs.law) = (scale, law);
            for ([a, b], pair) in scene.material_pairs(packing) {
                let stiffer = pair.stiffness.map_or(1.0, |own| own / spring.stiffness);
                let damping = pair.damping.unwrap_or(spring.damping);
                // Without normal damping, tangential damping scales with the stiffness.
                let damped = if spring.damping > 0.0 { damping / spring.damping } else { stiffer };
                let own = Spring::normal(spring.stiffness * stiffer, damping)
                    .tangent(spring.tangent_stiffness * stiffer, spring.tangent_damping * damped);
                springs = springs.between(a, b, own);
            }
            springs
        }
        SpringPlan::Collisions { contact_time } => {
            let bouncing = |restitution: f64| {
                let Collision { stiffness_per_mass, damping_per_mass } = Collision::with(restitution, contact_time);
                Spring::normal(stiffness_per_mass, damping_per_mass).tangent(stiffness_per_mass, damping_per_mass)
            };
            let materials = &packing.materials;
            let mut springs = Springs::new(bouncing(materials.default_surface().restitution)).per_mass();
            let all = || (0..materials.names().len()).filter_map(|index| u16::try_from(index).ok()).map(Material);
            for (a, b) in all().flat_map(|a| all().map(move |b| (a, b))) {
                if let Some(own) = materials.own_pair(a, b) {
                    springs = springs.between(a, b, bouncing(own.restitution));
                }
            }
            springs
        }
    }
}

/// The engine of a stage.
pub(crate) fn engine<D: Dimension>(
    scene: &Scene,
    (step, plan): (f64, &SoftPlan),
    packing: &Packing<D>,
    threads: &Threads,
) -> SoftGrains<D> {
    let mut engine = SoftGrains::new(step, springs(scene, plan, packing)).integrator(plan.integrator).threads(threads);
    (engine.bonded, engine.allow_unstable) = (plan.bonded, plan.allow_unstable);
    engine
}

/// Places the grains of a scene, and refuses steps that are too long for its springs.
pub(crate) fn placed<D: Dimension>(scene: &Scene) -> Result<Packing<D>, RunError> {
    let packing = scene.packing::<D>()?;
    check_steps_of(scene, 0, &packing)?;
    Ok(packing)
}

/// Refuses stages from this one on whose step is unstable for their springs.
pub(super) fn check_steps_of<D: Dimension>(scene: &Scene, first: usize, packing: &Packing<D>) -> Result<(), RunError> {
    let stages = &scene.stages[first..];
    if !stages.iter().any(|stage| stage.numerics.solver.kind.is_soft()) {
        return Ok(());
    }
    let mut packing = packing.clone();
    for stage in stages {
        begin(scene, stage, &mut packing);
        let Some(plan) = stage.numerics.solver.kind.soft() else { continue };
        let largest = largest_step(&packing, &springs(scene, plan, &packing));
        if stage.numerics.step > largest && !plan.allow_unstable {
            return Err(RunError::Scene(Refusal::new(&scene.source, too_long(stage, largest))));
        }
    }
    Ok(())
}

fn too_long(stage: &StagePlan, largest: f64) -> Fault {
    let step = stage.numerics.step;
    let message = format!("a step of {step} is unstable with these springs on the lightest grain");
    Fault::at(&stage.step_span, message)
        .label("too long")
        .help(format!("{largest:.3e} or less; with a tenth of it collisions are right to a percent or so, and --allow-unstable lets you watch"))
}

/// Stiffness and damping of the contact of two grains of this mass. With Hertz's law they depend on the overlap; it is taken as a
/// hundredth of this diameter.
pub(crate) fn typical<D: Dimension>(
    scene: &Scene,
    plan: &SoftPlan,
    packing: &Packing<D>,
    mass: f64,
    diameter: f64,
) -> [f64; 2] {
    let springs = springs(scene, plan, packing);
    let first = packing.grains.first().map_or(Material::default(), |grain| grain.material);
    let spring = springs.pair(first, first);
    let moved = match springs.scale {
        Scale::Same => 1.0,
        Scale::PerMass => 0.5 * mass,
    };
    let root = (0.01 * diameter).sqrt();
    let (stiffer, damped) = match springs.law {
        SpringLaw::Linear => (1.0, 1.0),
        SpringLaw::Hertz => (1.5 * root, root),
    };
    [spring.stiffness * moved * stiffer, spring.damping * moved * damped]
}
