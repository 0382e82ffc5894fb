//! `sweep`: parameter studies.

mod study_table;

use crate::failure::CliError;
use crate::follow::cancelled_by_user;
use crate::output::{print, write};
use crate::progress::ProgressBars;
use crate::run::folder_for;
use crate::table::counted;
use clap::Args;
use hardgrain_figures::study::page;
use hardgrain_io::Scene;
use hardgrain_run::{
    LOGS, Observable, RunOutcome, RunQueue, RunStatus, Sharing, Slurm, Study, VariedKey, jobs_and_threads, shown,
};
use std::path::{Path, PathBuf};
use study_table::{document, kind_sentence, plan_text, results_text};

/// Runs a scene with many values: a parameter study.
///
/// Every --vary gives a key of the scene (as behind --set) and its values: a list 10,20,40, whole
/// numbers 1..20 (both ends count), equal steps 0..0.5+0.1 or equal factors 5..320*2. All
/// combinations are run, each in a folder of its own, as many at a time as there are cores. The
/// folder of the study then holds summary.csv, one row for each run, and index.html with a figure
/// for everything looked at. A study that was stopped or killed goes on if the same command is
/// given again, or `sweep --resume DIR`; nothing that is finished is lost. Values can be added
/// later.
///
/// What to look at: --observe names a key of run.json (kinetic_energy, rigidity.apparent_stiffness,
/// stages.0.steps) or something of a column of series.csv: last, mean, min, max, change, omega or
/// tau (of a damped oscillation), as in mean:floor.load. It is looked at in the last stage (a mean
/// in its second half), in another one behind an @ (omega:lid.position@ring) or between two times
/// (mean:floor.load@50..90).
///
/// On a cluster: --slurm writes a script for sbatch, --list prints a command for each run for GNU
/// parallel, HTCondor or anything else; `sweep --gather DIR` collects what is finished, at any
/// time.
///
/// Examples:
///   hardgrain sweep silo.toml --vary contact.friction=0..0.5+0.1 --vary seed=1..5 --dry-run
///   hardgrain sweep chain.toml --vary solver.sweeps=10..160*2 --observe omega:chain[-1].x
///   hardgrain sweep silo.toml --vary seed=1..1000 -o /scratch/silo --slurm
///   hardgrain sweep --gather /scratch/silo
#[derive(Args)]
#[command(verbatim_doc_comment)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag")]
pub(crate) struct SweepArguments {
    /// The scene.
    #[arg(required_unless_present_any = ["gather", "resume"], conflicts_with_all = ["gather", "resume"])]
    scene: Option<PathBuf>,
    /// A key and its values: solver.sweeps=10,20,40, seed=1..20, contact.friction=0..0.5+0.1, time.step=1e-3..1e-1*10.
    #[arg(long, value_name = "KEY=VALUES", conflicts_with_all = ["gather", "resume"])]
    vary: Vec<String>,
    /// Change a value of the scene for all runs, as in `run`.
    #[arg(long, value_name = "KEY=VALUE", conflicts_with_all = ["gather", "resume"])]
    set: Vec<String>,
    /// What to look at [default: the last row of series.csv and some of run.json]
    #[arg(long, value_name = "WHAT")]
    observe: Vec<String>,
    /// The folder of the study [default: studies/NAME]
    #[arg(short, long, value_name = "DIR", conflicts_with_all = ["gather", "resume"])]
    output: Option<PathBuf>,
    /// Runs at a time; 0 means one for each core.
    #[arg(long, value_name = "N", default_value_t = 0, conflicts_with_all = ["list", "slurm"])]
    jobs: usize,
    /// Threads of each run. The results are the same.
    #[arg(long, value_name = "N", default_value_t = 1)]
    threads: usize,
    /// Make more than 100 000 runs.
    #[arg(long)]
    yes: bool,
    /// Only print the runs and what they would cost.
    #[arg(long, conflicts_with_all = ["list", "slurm", "gather", "resume"])]
    dry_run: bool,
    /// Make the folder and print one command for each run, instead of running them.
    #[arg(long, conflicts_with_all = ["slurm", "gather", "resume"])]
    list: bool,
    /// Make the folder and write DIR/study.sbatch, instead of running anything.
    #[arg(long, conflicts_with_all = ["gather", "resume"])]
    slurm: bool,
    /// Runs of one task of --slurm [default: as few as an array of 1000 tasks allows]
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..), requires = "slurm")]
    block: Option<u32>,
    /// Cores of one task of --slurm; its runs go on side by side, each on its --threads.
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u32).range(1..=1024), requires = "slurm")]
    cores: u32,
    /// Collect what is finished in the folder of a study.
    #[arg(long, value_name = "DIR", conflicts_with = "resume")]
    gather: Option<PathBuf>,
    /// Go on with the study in a folder.
    #[arg(long, value_name = "DIR")]
    resume: Option<PathBuf>,
    /// Only these runs of it, counted from 1: 17, 1..8. Several programs may be at it then, and no table is made.
    #[arg(long, value_name = "RUNS", requires = "resume", conflicts_with_all = ["observe", "json"])]
    only: Option<String>,
    /// Print the table as one JSON document.
    #[arg(long, conflicts_with_all = ["list", "slurm", "dry_run"])]
    json: bool,
}

impl SweepArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let (jobs, _) = jobs_and_threads(self.jobs, self.threads)?;
        if self.only.is_some() && self.resume.is_none() {
            return Err(CliError::flag("only", "it goes with --resume DIR"));
        }
        if let Some(folder) = &self.gather {
            let mut study = Study::open(folder)?;
            if !self.observe.is_empty() {
                study.observe(self.observables()?)?;
            }
            return self.show(&study, Vec::new());
        }
        if let Some(folder) = &self.resume {
            let mut study = Study::open(folder)?;
            if let Some(only) = &self.only {
                return self.some(&study, only);
            }
            let held = study.hold(Sharing::Alone)?;
            if !self.observe.is_empty() {
                study.observe(self.observables()?)?;
                study.write(&held)?;
            }
            return self.all(&study);
        }
        let scene = self.scene.as_deref().expect("required without the others");
        let study = self.planned(scene)?;
        if self.dry_run {
            return print(&plan_text(&study, jobs));
        }
        let held = study.hold(Sharing::Alone)?;
        let left_out = study.leaves_out();
        study.write(&held)?;
        if let Some(left_out) = left_out {
            eprintln!("{left_out}");
        }
        if self.list || self.slurm {
            drop(held);
            return self.hand_over(&study);
        }
        self.all(&study)
    }

    fn observables(&self) -> Result<Vec<Observable>, CliError> {
        let read = |typed: &String| typed.parse().map_err(|why: String| CliError::flag("observe", why));
        self.observe.iter().map(read).collect()
    }

    fn planned(&self, path: &Path) -> Result<Study, CliError> {
        let scene = Scene::read(path, &self.set)?;
        if self.vary.is_empty() {
            let why = "nothing is varied; say what, as in --vary solver.sweeps=10,20,40 --vary seed=1..5";
            return Err(CliError::Input(why.into()));
        }
        let vary = self.vary.iter().map(|text| VariedKey::read(text)).collect::<Result<_, _>>()?;
        let folder = folder_for(path, self.output.as_ref(), "studies");
        Ok(Study::new(&scene, vary, self.observables()?, &folder, self.yes)?)
    }

    /// Makes all runs that are not finished, and the table.
    fn all(&self, study: &Study) -> Result<(), CliError> {
        let runs: Vec<usize> = (0..study.count()).collect();
        eprintln!("{} in {}", counted(runs.len() as u64, "run"), shown(&study.folder));
        let failed = self.work(study, &runs)?;
        self.show(study, failed)
    }

    /// Makes some runs while other programs make the others.
    fn some(&self, study: &Study, only: &str) -> Result<(), CliError> {
        let (first, last) = only.split_once("..").unwrap_or((only, only));
        let number =
            |text: &str| text.trim().parse::<usize>().ok().filter(|number| (1..=study.count()).contains(number));
        let (Some(first), Some(last)) = (number(first), number(last).filter(|last| number(first) <= Some(*last)))
        else {
            return Err(CliError::flag("only", format_args!("{only}: there are runs 1..{}", study.count())));
        };
        let _held = study.hold(Sharing::Together)?;
        let runs: Vec<usize> = (first - 1..last).collect();
        let failed = self.work(study, &runs)?.len();
        if failed > 0 {
            return Err(CliError::Failed(format!("{failed} of {} failed", counted(runs.len() as u64, "run"))));
        }
        Ok(())
    }

    /// Makes runs, and returns those that failed with the reason.
    fn work(&self, study: &Study, runs: &[usize]) -> Result<Vec<(usize, String)>, CliError> {
        let (jobs, threads) = jobs_and_threads(self.jobs, self.threads)?;
        let cancel = cancelled_by_user();
        let outcomes = {
            let progress = ProgressBars::new("sweep");
            RunQueue { study, runs, jobs, threads, watch: &progress, cancel: &cancel }.go()
        };
        let count = |wanted: RunOutcome| outcomes.iter().filter(|outcome| **outcome == wanted).count() as u64;
        let (busy, left) = (count(RunOutcome::Busy), count(RunOutcome::Stopped));
        if busy > 0 {
            eprintln!("{} left to other programs that are at it", counted(busy, "run"));
        }
        if left > 0 {
            let place = shown(&study.folder);
            let (left, advice) = (counted(left, "run"), format!("`hardgrain sweep --resume {place}` goes on"));
            return Err(CliError::Stopped(format!("stopped with {left} left, checkpoints written; {advice}")));
        }
        let failure = |(&number, outcome)| match outcome {
            RunOutcome::Failed(why) => Some((number, why)),
            _ => None,
        };
        Ok(runs.iter().zip(outcomes).filter_map(failure).collect())
    }

    /// Prints the results, and writes the table and the page.
    fn show(&self, study: &Study, failed: Vec<(usize, String)>) -> Result<(), CliError> {
        let mut gathered = study.gather();
        gathered.add_failures(failed);
        let kind = kind_sentence(gathered.kind(), study);
        print(&if self.json { document(&gathered) } else { results_text(&gathered, &kind) })?;
        write(&study.folder.join("summary.csv"), gathered.csv().as_bytes())?;
        write(&study.folder.join("index.html"), page(&study.title(), &kind, &gathered).as_bytes())?;
        let failed = gathered.count(RunStatus::Failed);
        if failed > 0 && failed == gathered.rows.len() {
            return Err(CliError::Failed("all runs failed".into()));
        }
        Ok(())
    }

    /// Prints how a scheduler makes the runs.
    fn hand_over(&self, study: &Study) -> Result<(), CliError> {
        // As given: the cores of another machine are unknown here.
        let threads = self.threads;
        let program = std::env::current_exe()?;
        let study = &study.absolute()?;
        if self.list {
            let commands = (1..=study.count()).map(|number| study.command(&program, number, threads) + "\n");
            return print(&commands.collect::<String>());
        }
        let plan = Slurm { block: self.block.map(|block| block as usize), cores: self.cores as usize, threads };
        let (script, tasks) = study.slurm(&program, plan)?;
        let logs = study.folder.join(LOGS);
        std::fs::create_dir_all(&logs).map_err(|error| CliError::file(&logs, &error))?;
        let path = study.folder.join("study.sbatch");
        write(&path, script.as_bytes())?;
        let (place, folder) = (shown(&path), shown(&study.folder));
        print(&format!(
            "{} in {}: `sbatch {place}`, and then `hardgrain sweep --gather {folder}`\n",
            counted(study.count() as u64, "run"),
            counted(tasks as u64, "task")
        ))
    }
}
