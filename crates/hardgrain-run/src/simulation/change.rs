//! Changes in the middle of a run: the present stage ends, and one begins with new settings.

use super::Simulation;
use super::soft::check_steps_of;
use crate::error::RunError;
use hardgrain::Dimension;
use hardgrain_io::scene::{Scene, StageEnd, StageProgress};

impl<D: Dimension> Simulation<D> {
    /// Ends the present stage and begins one with these settings, such as `solver.sweeps=80` or `pistons.lid.force=0.02`: all that a
    /// stage of a scene may set. Before the first step of a stage they become its own.
    ///
    /// The [scene](Self::scene) changes with it, so that it gives the same bits when it is run from the beginning.
    ///
    /// # Errors
    /// When a stage cannot set this, or the run is over. Nothing is changed then.
    pub fn change(&mut self, set: &[impl AsRef<str>]) -> Result<(), RunError> {
        if self.progress.ended.is_some() || self.progress.stage >= self.scene.stages.len() {
            return Err(RunError::Input("all stages are done: there is none that could be changed".into()));
        }
        self.check_edited()?;
        let set: Vec<String> = set.iter().map(|setting| setting.as_ref().to_owned()).collect();
        let at = StageProgress { stage: self.progress.stage, steps: self.progress.stage_steps };
        let scene = self.scene.changed(at, &set)?;
        let begun = at.stage + usize::from(at.steps > 0);
        scene.check_faces(&self.packing)?;
        check_steps_of(&scene, begun, &self.packing)?;
        if at.steps > 0 {
            self.end_present(&scene, at.stage);
        }
        self.scene = scene;
        self.present = None;
        if self.packing.step == 0 {
            self.first();
        }
        Ok(())
    }

    /// Ends the present stage as the changed scene says.
    fn end_present(&mut self, scene: &Scene, stage: usize) {
        let at_rest = matches!(scene.stages[stage].end, StageEnd::AtRest { .. }).then_some(false);
        match self.last.take() {
            Some(made) => self.end_stage(&made, at_rest),
            // Right after loading there is no step to look at.
            None => self.leave_stage(None, at_rest),
        }
    }
}
