//! `run`: a scene becomes a folder of results.

use crate::failure::CliError;
use crate::follow::follow;
use clap::Args;
use hardgrain_io::Scene;
use std::path::{Path, PathBuf};

/// Runs a scene.
///
/// The folder of results holds scene.toml (the scene as it was run), series.csv, frames for ParaView (open grains.pvd and
/// contacts.pvd), run.json (how it ended and how rigid the grains were) and checkpoints. A run that is killed or stopped
/// by Ctrl-C goes on with `hardgrain resume` and ends with the same bits. The first Ctrl-C lets a step end and writes a
/// checkpoint, a second one does not wait: the run then goes on from the checkpoint before.
///
/// Examples: hardgrain run chain.toml, hardgrain run chain.toml -o soft --set solver.sweeps=10 --set seed=2
#[derive(Args)]
pub(crate) struct RunArguments {
    /// The scene, a TOML file. `hardgrain new` writes one.
    scene: PathBuf,
    /// The folder of results [default: runs/NAME]
    #[arg(short, long, value_name = "DIR")]
    output: Option<PathBuf>,
    /// Change a value of the scene: solver.sweeps=80, pistons.lid.force=0.02, grains.discs.arrange.count=500. Nothing behind
    /// the = removes the key.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Let soft grains make steps that are too long to be stable. The same as --set solver.allow_unstable=true.
    #[arg(long)]
    allow_unstable: bool,
    /// Replace the run that is in the folder.
    #[arg(long)]
    force: bool,
    /// Threads; 0 means one for each core. Coloured and accelerated sweeps, soft grains and the search for contacts use them all
    /// where there are many grains, other orders of sweeps one; with two or more, frames are written beside. The results are the same.
    #[arg(long, value_name = "N", default_value_t = 0)]
    threads: usize,
    /// Write the contact problem of this step to DIR/problem_STEP.mtx, for `hardgrain solve`. May be given several times.
    #[arg(long, value_name = "STEP")]
    save_problem: Vec<u64>,
    /// Print run.json on stdout instead of a few lines.
    #[arg(long)]
    json: bool,
}

impl RunArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let mut changes = self.set.clone();
        changes.extend(self.allow_unstable.then(|| "solver.allow_unstable=true".to_owned()));
        let scene = Scene::read(&self.scene, &changes)?;
        let folder = folder_for(&self.scene, self.output.as_ref(), "runs");
        hardgrain_run::check_problems(&scene, &self.save_problem)?;
        let run = hardgrain_run::start(&scene, &folder, self.force, self.threads)?.save_problems(&self.save_problem);
        eprintln!("running {} in {}", self.scene.display(), folder.display());
        follow(run, &folder, self.json)
    }
}

/// KIND/NAME for NAME.toml, where no folder is asked for.
pub(crate) fn folder_for(scene: &Path, asked: Option<&PathBuf>, kind: &str) -> PathBuf {
    let name = scene.file_stem().filter(|name| *name != "." && *name != "..");
    asked.cloned().unwrap_or_else(|| Path::new(kind).join(name.unwrap_or("scene".as_ref())))
}
