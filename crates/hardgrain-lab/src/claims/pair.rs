//! Two grains: the force of one contact, the collision in two steps, and what happens to an overlap.

use super::claim::quantity;
use super::depth::{CheckSettings, TopicResult};
use crate::flaw::FlawedSweeps;
use crate::line::row;
use crate::settings::Error;
use hardgrain::{ContactDynamics, Engine, Grain, Line, Order, Packing, Part, Purpose, Seed, Shock, Stop};

/// A collision of two grains, step by step, and the gap of two overlapping grains under both laws.
#[derive(Clone, Debug, PartialEq)]
pub struct PairHistory {
    /// Gap and relative velocity at the end of each step, the start first, in units of d and d/h.
    pub meeting: Vec<(f64, f64)>,
    /// The gap of two grains that overlap at first, if overlaps are pushed out.
    pub removed: Vec<f64>,
    /// The same if they are kept.
    pub kept: Vec<f64>,
}

/// Roundings.
const EXACT: f64 = 1e-12;
/// The overlap at the start.
const OVERLAP: f64 = 0.02;
/// Steps that are followed.
const STEPS: usize = 6;

fn engine(asked: &CheckSettings) -> ContactDynamics<Line> {
    FlawedSweeps::new(Order::RandomSweep, Stop::Sweeps(1), asked.flaw).engine(asked.seed)
}

/// Two grains of diameter and mass 1.
fn two(gap: f64, velocities: [f64; 2]) -> Packing<Line> {
    let mut packing = Packing::new();
    for (index, velocity) in velocities.into_iter().enumerate() {
        let place = index as f64 * (1.0 + gap);
        packing.add(Grain::new([place], 0.5).mass(1.0).velocity([velocity])).expect("a grain of diameter 1");
    }
    packing
}

fn gap(packing: &Packing<Line>) -> f64 {
    packing.grains[1].position.0[0] - packing.grains[0].position.0[0] - 1.0
}

fn relative_velocity(packing: &Packing<Line>) -> f64 {
    packing.grains[1].velocity.0[0] - packing.grains[0].velocity.0[0]
}

/// The reaction of the only contact.
fn reaction(packing: &Packing<Line>) -> f64 {
    packing.memory.first().map_or(0.0, |known| known.reaction.normal)
}

/// The largest difference between the reaction after a step and the law, over random states.
fn off_law(asked: &CheckSettings, wall: bool) -> Result<f64, Error> {
    let mut chance = Seed(asked.seed).stream(Purpose::Place, 0, u64::from(wall));
    let mut between = |low: f64, high: f64| low + (high - low) * chance.uniform();
    let mut worst = 0.0_f64;
    for _ in 0..1000 {
        let (gap, speeds) = (between(-0.1, 0.2), [between(-0.3, 0.3), between(-0.3, 0.3)]);
        let forces = [between(-0.2, 0.2), between(-0.2, 0.2)];
        let mut packing = if wall {
            let mut packing = row(1, gap, 0.0, forces[0]);
            packing.grains[0].velocity = [speeds[0]].into();
            packing
        } else {
            let mut packing = two(gap, speeds);
            packing.grains[0].force = [forces[0]].into();
            packing.grains[1].force = [-forces[1]].into();
            packing
        };
        let law = if wall {
            -gap.max(0.0) - speeds[0] + forces[0]
        } else {
            0.5 * (-gap.max(0.0) + speeds[0] - speeds[1]) + 0.5 * (forces[0] + forces[1])
        };
        engine(asked).step(&mut packing)?;
        let found = if wall { packing.load_on(Part::Wall(0)) } else { reaction(&packing) };
        worst = worst.max((found - law.max(0.0)).abs());
    }
    Ok(worst)
}

/// Gap and relative velocity at the end of each step, the start first.
fn follow(engine: &mut ContactDynamics<Line>, packing: &mut Packing<Line>) -> Result<Vec<(f64, f64)>, Error> {
    let mut history = vec![(gap(packing), relative_velocity(packing))];
    for _ in 0..STEPS {
        engine.step(packing)?;
        history.push((gap(packing), relative_velocity(packing)));
    }
    Ok(history)
}

/// The gaps of two grains at rest that overlap, and their kinetic energy in the end.
fn overlapping(asked: &CheckSettings, shock: Shock) -> Result<(Vec<f64>, f64), Error> {
    let mut packing = two(-OVERLAP, [0.0; 2]);
    let history = follow(&mut engine(asked).shock(shock), &mut packing)?;
    Ok((history.into_iter().map(|(gap, _)| gap).collect(), packing.kinetic_energy()))
}

pub(super) fn check(asked: &CheckSettings) -> TopicResult<PairHistory> {
    let meeting = follow(&mut engine(asked), &mut two(0.1, [0.15, -0.15]))?;
    let (removed, gained) = overlapping(asked, Shock::FullGap)?;
    let (kept, kept_energy) = overlapping(asked, Shock::QuasiInelastic)?;
    let law = |wall: bool, otherwise: &str| {
        let name = "largest difference to the law in 1000 random states, in m d/h²";
        Ok::<_, Error>(vec![quantity(name).vanishes(off_law(asked, wall)?, EXACT).or(otherwise)])
    };
    let checks = vec![
        law(false, "the force of a contact is another one")?,
        law(true, "the force of the wall is another one")?,
        vec![
            quantity("relative velocity after the second step, in d/h").vanishes(meeting[2].1.abs(), EXACT),
            quantity("gap after the first step, in d").vanishes(meeting[1].0.abs(), EXACT),
            quantity("relative velocity after the first step, in d/h").equals(-0.1, meeting[1].1, EXACT),
        ],
        vec![
            quantity("kinetic energy out of an overlap of 0.02 d, in m d²/h²")
                .equals(0.25 * OVERLAP * OVERLAP, gained, EXACT)
                .or("the energy is another one"),
        ],
        vec![
            quantity("kinetic energy out of an overlap of 0.02 d, in m d²/h²")
                .vanishes(kept_energy, EXACT)
                .or("energy comes out of the overlap"),
            quantity("overlap afterwards, in d").equals(OVERLAP, -kept[STEPS], EXACT).or("the overlap does not stay"),
        ],
    ];
    Ok((checks, PairHistory { meeting, removed, kept }))
}
