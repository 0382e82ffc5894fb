//! Many steps: until when, and why they stopped.

use super::observer::Observer;
use super::progress::{Ending, RunProgress};
use super::{MadeStep, Simulation};
use crate::error::RunError;
use hardgrain::{Dimension, StepError};

/// Until when a simulation makes steps.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Until {
    /// For this number of further steps.
    Steps(u64),
    /// Until this time since the start; the last step is the one that reaches it.
    Time(f64),
    /// To the end of the present stage.
    StageEnd,
    /// To the end of all stages.
    End,
}

/// Why a simulation stopped.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Halt {
    /// What was asked for is reached.
    Reached,
    /// All stages are done.
    Finished,
    /// A stage did not come to rest; later ones were not run.
    NotAtRest,
    /// The observer or the cancel token has stopped it. A step that was under way has changed nothing.
    Stopped,
}

impl<D: Dimension> Simulation<D> {
    /// Makes steps, and shows each of them to an observer.
    ///
    /// # Errors
    /// When a step fails. The packing is then as it was before that step.
    pub fn run(&mut self, until: Until, observer: &mut dyn Observer) -> Result<Halt, RunError> {
        let threads = self.threads.clone();
        threads.within(|| self.run_on(until, observer))
    }

    fn run_on(&mut self, until: Until, observer: &mut dyn Observer) -> Result<Halt, RunError> {
        let (step, stage) = (self.packing.step, self.progress.stage);
        let last = match until {
            Until::Steps(count) => step.saturating_add(count),
            _ => u64::MAX,
        };
        loop {
            // Time is a rounded sum of steps.
            let is_reached = match until {
                Until::Steps(_) => self.packing.step >= last,
                Until::Time(time) => self.packing.time >= time - 1e-9 * time.abs(),
                Until::StageEnd => self.progress.stage > stage,
                Until::End => false,
            };
            match &self.progress.ended {
                Some(Ending::Finished) => return Ok(Halt::Finished),
                Some(Ending::NotAtRest(_)) => return Ok(Halt::NotAtRest),
                None if is_reached => return Ok(Halt::Reached),
                None => {}
            }
            let made = match self.advance() {
                Ok(Some(made)) => made,
                Ok(None) => continue,
                Err(error) if error.is_cancelled() => return Ok(Halt::Stopped),
                Err(error) => return Err(error.into()),
            };
            observer.observe(&self.glance(&made));
            self.conclude(&made);
            if observer.stop() {
                return Ok(Halt::Stopped);
            }
        }
    }

    /// Makes steps until all stages are done, or until `wanted` is false. `see` is shown each of them before its stage may end.
    pub(crate) fn run_while(
        &mut self,
        wanted: impl Fn(&RunProgress) -> bool,
        mut see: impl FnMut(&Self, &MadeStep),
    ) -> Result<(), StepError> {
        while self.progress.ended.is_none() && wanted(&self.progress) {
            let Some(made) = self.advance()? else { break };
            see(self, &made);
            self.conclude(&made);
        }
        Ok(())
    }
}
