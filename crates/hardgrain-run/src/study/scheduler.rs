//! Studies on clusters: a script for Slurm, and one command per run for other schedulers.

use super::Study;
use crate::error::RunError;
use crate::folder::shown;
use std::path::Path;

/// Slurm's default limit on the tasks of an array.
const LARGEST_ARRAY: usize = 1000;

/// The folder of the logs of tasks, within that of the study.
pub const LOGS: &str = "slurm";

/// Options of the Slurm script.
#[derive(Clone, Copy, Debug)]
pub struct Slurm {
    /// Runs per task; by default as few as an array allows.
    pub block: Option<usize>,
    /// Cores per task.
    pub cores: usize,
    /// Threads per run: cores/threads runs are made at a time.
    pub threads: usize,
}

impl Study {
    /// The command that makes one run, counted from 1. It may be repeated.
    pub fn command(&self, program: &Path, number: usize, threads: usize) -> String {
        let threads = if threads == 1 { String::new() } else { format!(" --threads {threads}") };
        format!("{} sweep --resume {} --only {number}{threads}", shown(program), shown(&self.folder))
    }

    /// The script for `sbatch`, and its number of tasks.
    ///
    /// # Errors
    /// When Slurm cannot read the name of the folder.
    pub fn slurm(&self, program: &Path, plan: Slurm) -> Result<(String, usize), RunError> {
        if self.folder.display().to_string().contains(['"', '\'', '\\', '\n']) {
            let why = "Slurm takes no folder with quotes, backslashes or line breaks in its name";
            return Err(RunError::Input(format!("{}: {why}; choose another with -o", shown(&self.folder))));
        }
        let runs = self.count();
        let block = plan.block.unwrap_or_else(|| runs.div_ceil(LARGEST_ARRAY).max(plan.cores)).clamp(1, runs.max(1));
        let tasks = runs.div_ceil(block);
        let (program, folder, cores, threads) = (shown(program), shown(&self.folder), plan.cores, plan.threads);
        let jobs = (cores / threads.max(1)).max(1);
        // A directive is not parsed by a shell: its value is literal, quoted if necessary.
        let logs = self.folder.join(LOGS).display().to_string().replace('%', "%%");
        let script = format!(
            "#!/bin/bash
# {runs} runs in {tasks} tasks of {block}. Whatever is finished stays so: submit this again for what is missing. More for sbatch, such as --time or
# --partition, can be given on its command line.
#SBATCH --job-name=hardgrain
#SBATCH --array=1-{tasks}
#SBATCH --cpus-per-task={cores}
#SBATCH --requeue
#SBATCH --open-mode=append
#SBATCH --output=\"{logs}/%a.log\"
#SBATCH --signal=B:USR1@60

# Before its time is over, a task writes its checkpoints and lines up again.
again() {{
    kill -TERM \"$runs\"
    wait \"$runs\"
    scontrol requeue \"${{SLURM_ARRAY_JOB_ID}}_$SLURM_ARRAY_TASK_ID\"
    exit
}}
trap again USR1
trap 'kill -TERM \"$runs\"' TERM

first=$(( (SLURM_ARRAY_TASK_ID - 1) * {block} + 1 ))
last=$(( SLURM_ARRAY_TASK_ID * {block} ))
last=$(( last > {runs} ? {runs} : last ))
{program} sweep --resume {folder} --only \"$first..$last\" --jobs {jobs} --threads {threads} &
runs=$!
wait \"$runs\"
code=$?
# A signal ends the first wait only.
while kill -0 \"$runs\" 2>/dev/null; do
    wait \"$runs\"
    code=$?
done
exit \"$code\"
"
        );
        Ok((script, tasks))
    }
}
