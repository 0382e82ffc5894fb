//! Observers of a simulation, and what they see of a step.

use hardgrain::{Dimension, Packing, StepReport};
use std::any::Any;

/// Watches a simulation and may stop it. A closure that takes a [`Glance`] is one.
pub trait Observer: Send {
    /// Called after every step.
    fn observe(&mut self, glance: &Glance<'_>);

    /// A message for the user.
    fn note(&mut self, _: &str) {}

    /// Whether the run should stop; asked after every step.
    fn stop(&self) -> bool {
        false
    }
}

/// An observer that does nothing.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn observe(&mut self, _: &Glance<'_>) {}
}

impl<F: FnMut(&Glance<'_>) + Send> Observer for F {
    fn observe(&mut self, glance: &Glance<'_>) {
        self(glance);
    }
}

/// What an observer sees of a step.
#[derive(Clone, Copy)]
pub struct Glance<'a> {
    /// The name of the stage.
    pub stage: &'a str,
    /// Steps made in total.
    pub step: u64,
    /// Steps made in this stage, and their upper bound.
    pub stage_steps: (u64, u64),
    /// Upper bound of the steps left in the whole run.
    pub steps_left: u64,
    /// Number of contacts.
    pub contacts: usize,
    /// Residual of the step.
    pub residual: f64,
    /// Largest overlap over the mean diameter.
    pub overlap: f64,
    /// Largest unbalanced force over the mean contact force, where the stage is to end at rest.
    pub unbalanced: Option<f64>,
    /// The report of the step.
    pub report: &'a StepReport,
    pub(super) packing: &'a dyn Any,
}

impl<'a> Glance<'a> {
    /// The packing after the step; `None` if it has another dimension.
    pub fn packing<D: Dimension>(&self) -> Option<&'a Packing<D>> {
        self.packing.downcast_ref()
    }
}
