//! Soft grains: the molecular dynamics that the paper compares Contact Dynamics with, on the same packings.
//!
//! Grains may overlap, and every overlap is a spring with a dashpot ([`Spring`]). There is nothing to solve: a step is as
//! cheap as a sweep, but it has to be much shorter than the period of the stiffest spring on the lightest grain.

mod forces;
mod list;
mod motion;
mod placed;
mod spring;
mod stable;

pub use spring::{Scale, Spring, SpringLaw, Springs};
pub use stable::largest_step;

use crate::dimension::Dimension;
use crate::error::{Failure, InputError, StepError};
use crate::packing::{Packing, Remembered};
use crate::step::{Engine, StepReport, check_time_step};
use crate::threads::Threads;
use forces::{Pass, SpringForces, Tally};
use list::PairList;
use placed::{Leap, Passage, Placed};
use stable::Worst;

/// How positions and velocities are integrated.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Integrator {
    /// Half a kick, a drift, the forces there, half a kick. Without dashpots the energy is right to second order in the
    /// step and drifts nowhere. Dashpots see the velocity in the middle of the step.
    #[default]
    VelocityVerlet,
    /// The paper's: forces, a kick, a drift with the new velocity.
    SemiImplicitEuler,
}

/// Soft grains. Everything in here is a setting or workspace; the state is the packing.
///
/// ```
/// use hardgrain::soft::{SoftGrains, Spring, Springs};
/// use hardgrain::{Engine, Grain, Line, Packing, Wall};
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // A grain flies at a wall of stiffness 1 and comes back after half a period, as fast as before.
/// let mut packing = Packing::<Line>::new();
/// packing.add_wall(Wall::new([0.0], [1.0]))?;
/// packing.add(Grain::new([0.5], 0.5).mass(1.0).velocity([-0.01]))?;
/// let mut engine = SoftGrains::new(0.01, Springs::new(Spring::normal(1.0, 0.0)));
/// while packing.time < 4.0 {
///     engine.step(&mut packing)?;
/// }
/// assert!((packing.grains[0].velocity.0[0] - 0.01).abs() < 1e-6);
/// # Ok(()) }
/// ```
#[derive(Clone, Debug)]
#[must_use]
pub struct SoftGrains<D: Dimension> {
    /// The time step.
    pub time_step: f64,
    /// The springs.
    pub springs: Springs,
    /// How positions and velocities are integrated.
    pub integrator: Integrator,
    /// Whether grains that have touched once are bonded for ever, as in the paper's chain.
    pub bonded: bool,
    /// Whether steps that are too long to be stable are allowed.
    pub allow_unstable: bool,
    threads: Threads,
    list: PairList<D>,
    bodies: Vec<Placed<D>>,
    forces: SpringForces<D>,
    // The extremes among the grains, while nothing has changed.
    worst: Worst,
    // The state of the memory after the last step, whose forces are still known.
    left: Option<u64>,
    // The energy of each block of grains and what its pass has seen.
    seen: Vec<(f64, Passage)>,
}

impl<D: Dimension> SoftGrains<D> {
    /// Steps of this length with these springs: velocity Verlet, grains that do not pull, one thread.
    pub fn new(time_step: f64, springs: Springs) -> Self {
        Self {
            time_step,
            springs,
            integrator: Integrator::VelocityVerlet,
            bonded: false,
            allow_unstable: false,
            threads: Threads::default(),
            list: PairList::default(),
            bodies: Vec::new(),
            forces: SpringForces::default(),
            worst: Worst::default(),
            left: None,
            seen: Vec::new(),
        }
    }

    /// The same with this integrator.
    pub fn integrator(self, integrator: Integrator) -> Self {
        Self { integrator, ..self }
    }

    /// The same with bonds between all grains that have touched once.
    pub fn bonded(self) -> Self {
        Self { bonded: true, ..self }
    }

    /// The same, steps that are too long to be stable included.
    pub fn allow_unstable(self) -> Self {
        Self { allow_unstable: true, ..self }
    }

    /// The same on these threads, which changes no bit of the result. Packings of a few thousand grains gain nothing. Once they are cancelled,
    /// steps fail.
    pub fn threads(self, threads: &Threads) -> Self {
        Self { threads: threads.clone(), ..self }
    }

    /// The stages of a step, in order. Only the last one changes the packing.
    fn act(&mut self, packing: &mut Packing<D>) -> Result<StepReport, Failure> {
        let h = self.time_step;
        let tally = match self.integrator {
            Integrator::SemiImplicitEuler => {
                let passage = self.read_and_leap(packing, Leap { kick: 0.0, drift: 0.0 })?;
                self.list_pairs(packing, &passage, 0.0)?;
                self.react(packing, &packing.memory, h)?
            }
            Integrator::VelocityVerlet => {
                // Before the first step no forces are known.
                let mut known = Vec::new();
                if packing.memory.is_empty() {
                    let passage = self.read_and_leap(packing, Leap { kick: 0.0, drift: 0.0 })?;
                    self.list_pairs(packing, &passage, 0.0)?;
                    self.react(packing, &[], 0.0)?;
                    known = std::mem::take(&mut self.forces.memory);
                }
                let leap = Leap { kick: 0.5 * h, drift: h };
                let left = self.left == Some(packing.memory.version());
                if !left && !packing.memory.is_empty() {
                    self.forces.recall(packing);
                }
                let mut passage = self.read_and_leap(packing, leap)?;
                if left && passage.touched {
                    self.forces.recall(packing);
                    // Now everything is where the first pass has put it, but the list has not been checked yet.
                    passage = self.read_and_leap(packing, leap)?;
                    passage.touched = true;
                }
                self.list_pairs(packing, &passage, passage.fastest * h)?;
                let memory = if packing.memory.is_empty() { &known } else { &packing.memory };
                self.react(packing, memory, h)?
            }
        };
        self.check_forces(packing, &tally)?;
        self.threads.check()?;
        let kinetic_energy = self.leap_and_write(packing);
        Ok(StepReport {
            pairs: self.list.entries.len(),
            contacts: packing.memory.len(),
            damping: 1.0,
            overlap_max: tally.overlap_max,
            overlap_mean: tally.overlap_sum / packing.memory.len().max(1) as f64,
            kinetic_energy,
            contact_work: tally.power * h,
            ..StepReport::default()
        })
    }

    /// Makes sure that every pair that can touch is in the list.
    fn list_pairs(&mut self, packing: &Packing<D>, passage: &Passage, distance: f64) -> Result<(), Failure> {
        if self.bonded && !packing.memory.is_empty() && self.left != Some(packing.memory.version()) {
            // There may be bonds that are not in the list.
            self.list.invalidate();
        }
        let new = self.list.renew(packing, &self.springs, (distance, !passage.touched), self.bonded)?;
        if new {
            self.forces.invalidate();
        }
        if new || passage.crossed || self.list.crossed || passage.touched {
            self.list.count_periods(&self.bodies);
        }
        Ok(())
    }

    /// Evaluates all springs. `memory` holds the contacts of the last evaluation, and `step` is the time for which surfaces have
    /// slipped since.
    fn react(&mut self, packing: &Packing<D>, memory: &[Remembered<D>], step: f64) -> Result<Tally, Failure> {
        // From here on the forces are no longer those that the last step left, even if this one fails.
        if self.left.take() != Some(packing.memory.version()) {
            self.forces.invalidate();
        }
        let Self { list, bodies, forces, springs, bonded, threads, .. } = self;
        forces.react(&Pass { packing, list, bodies, springs, bonded: *bonded, memory, step }, threads)
    }

    /// Forgets the packing: a step that fails may stop anywhere.
    fn forget(&mut self) {
        self.bodies.clear();
        self.list.invalidate();
        self.left = None;
    }

    fn check(&self, packing: &Packing<D>) -> Result<(), Failure> {
        self.threads.check()?;
        check_time_step(self.time_step)?;
        self.springs.check()?;
        if packing.step == 0 {
            packing.check()?;
        }
        if packing.grains.is_empty() {
            return Err(InputError::Empty.into());
        }
        Ok(())
    }
}

impl<D: Dimension> Engine<D> for SoftGrains<D> {
    #[inline(never)]
    fn step(&mut self, packing: &mut Packing<D>) -> Result<StepReport, StepError> {
        let step = packing.step;
        self.check(packing).and_then(|()| self.act(packing)).map_err(|failure| {
            self.forget();
            StepError { step, failure }
        })
    }
}
