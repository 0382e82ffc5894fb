//! Who watches a run while it goes, and what is seen of it.

/// Someone who watches a run and may stop it.
pub trait Observer: Send {
    /// After every step.
    fn look(&mut self, glance: &Glance<'_>);

    /// Something worth a line.
    fn note(&mut self, _: &str) {}

    /// Whether the run should write a checkpoint and stop.
    fn stop(&self) -> bool;
}

/// Nobody watches.
#[derive(Clone, Copy, Debug, Default)]
pub struct Unobserved;

impl Observer for Unobserved {
    fn look(&mut self, _: &Glance<'_>) {}

    fn stop(&self) -> bool {
        false
    }
}

/// What can be seen of a run while it goes.
#[derive(Clone, Copy, Debug)]
pub struct Glance<'a> {
    /// The name of the stage.
    pub stage: &'a str,
    /// Steps made, in all.
    pub step: u64,
    /// Steps made in this stage, and the most it can take.
    pub stage_steps: (u64, u64),
    /// The most steps the whole run can still take.
    pub steps_left: u64,
    /// Contacts.
    pub contacts: usize,
    /// Residual of the step.
    pub residual: f64,
    /// Largest overlap, over the mean diameter.
    pub overlap: f64,
    /// Largest unbalanced force over the mean contact force, where the stage is to end at rest.
    pub unbalanced: Option<f64>,
}
