//! `resume`: continues a run that was killed or stopped.

use crate::failure::CliError;
use crate::follow::{follow, over};
use crate::output::print;
use clap::Args;
use hardgrain_run::{Resumed, missed_problems, unmade_problems};
use std::path::PathBuf;

/// Goes on with a run that was killed or stopped, from its newest checkpoint.
///
/// It ends with the same state and the same records, bit for bit, as if it had never been interrupted. A run that is over
/// stays as it is.
///
/// Example: hardgrain resume runs/chain
#[derive(Args)]
pub(crate) struct ResumeArguments {
    /// The folder of the run.
    folder: PathBuf,
    /// Go on from the checkpoint before the newest one, if that is damaged.
    #[arg(long)]
    previous: bool,
    /// Threads; 0 means one for each core. The results are the same.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Write the contact problem of this step to the folder, if it is still to come; see `hardgrain run`.
    #[arg(long, value_name = "STEP")]
    save_problem: Vec<u64>,
    /// Print run.json on stdout instead of a few lines.
    #[arg(long)]
    json: bool,
}

impl ResumeArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        match hardgrain_run::resume(&self.folder, self.previous, self.threads)? {
            Resumed::Over(ended) => {
                if self.json {
                    let path = self.folder.join("run.json");
                    let cannot = |error| CliError::Failed(format!("cannot read {}: {error}", path.display()));
                    print(&std::fs::read_to_string(&path).map_err(cannot)?)?;
                }
                let missed = missed_problems(&self.folder, &self.save_problem, ended.steps);
                let unmade = unmade_problems(&self.save_problem, ended.steps);
                missed.iter().chain(&unmade).for_each(|said| eprintln!("{said}"));
                over(&ended, &self.folder)
            }
            Resumed::Run(run) => {
                hardgrain_run::check_problems(run.scene(), &self.save_problem)?;
                eprintln!("going on in {} after step {}", self.folder.display(), run.step());
                follow(run.save_problems(&self.save_problem), &self.folder, self.json)
            }
        }
    }
}
