//! A study on somebody else's machines: a script for Slurm, and one command for each run for everything else.

use super::Study;
use crate::folder::shown;
use std::path::Path;

/// Tasks that an array of Slurm may have where nobody has changed that.
const LARGEST_ARRAY: usize = 1000;

/// How a study goes to Slurm.
#[derive(Clone, Copy, Debug)]
pub struct Slurm {
    /// Runs of one task; as few as an array allows if nothing is said.
    pub block: Option<usize>,
    /// Cores of one task: so many of its runs go on together.
    pub cores: usize,
}

impl Study {
    /// The command that makes some of the runs, counted from 1. Calling it again does no harm.
    pub fn command(&self, program: &Path, first: usize, last: usize) -> String {
        let (program, folder) = (shown(program), shown(&self.folder));
        let which = if first == last { first.to_string() } else { format!("{first}..{last}") };
        format!("{program} sweep --resume {folder} --only {which}")
    }

    /// The script that `sbatch` takes, and how many tasks it has.
    pub fn slurm(&self, program: &Path, plan: Slurm) -> (String, usize) {
        let runs = self.count();
        let block = plan.block.unwrap_or_else(|| runs.div_ceil(LARGEST_ARRAY).max(plan.cores)).clamp(1, runs.max(1));
        let tasks = runs.div_ceil(block);
        let (program, folder) = (shown(program), shown(&self.folder));
        let cores = plan.cores;
        let script = format!(
            "#!/bin/bash
# {runs} runs in {tasks} tasks of {block}. Whatever is finished stays so: submit it again for what is missing.
#SBATCH --job-name=hardgrain
#SBATCH --array=1-{tasks}
#SBATCH --cpus-per-task={cores}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output={folder}/slurm/%a.log
# A run saves itself within a moment of this.
#SBATCH --signal=TERM@60

first=$(( (SLURM_ARRAY_TASK_ID - 1) * {block} + 1 ))
last=$(( SLURM_ARRAY_TASK_ID * {block} ))
last=$(( last > {runs} ? {runs} : last ))
exec srun --ntasks=1 {program} sweep --resume {folder} --only \"$first..$last\" --jobs {cores}
"
        );
        (script, tasks)
    }
}
