//! `report`: how rigid a run was.

use crate::failure::CliError;
use crate::follow::summary_text;
use crate::output::{document, print, write};
use clap::Args;
use std::path::PathBuf;

/// Says of a run that is over how rigid its grains were, in physical terms.
///
/// What sweeps that stop early have made of the contacts: their apparent stiffness, the speed of sound, the frequency at which
/// the packing would ring and the time within which that would die away; how far grains overlap, where energy went, what walls
/// and pistons carry; a verdict, and what to change. Numbers are in the units of the scene, or say that they are shares.
///
/// Also writes report.html into the folder: the same on a page, with the course of energy, overlap and convergence, and the force
/// network of discs.
///
/// The verdict follows from the error of the forces that a step leaves: below 1 % rigid, below 10 % nearly rigid, else soft.
///
/// Example: hardgrain report runs/chain
#[derive(Args)]
pub(crate) struct ReportArguments {
    /// The folder of the run.
    folder: PathBuf,
    /// Print the `rigidity` of run.json on stdout instead of lines.
    #[arg(long)]
    json: bool,
}

impl ReportArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let kept = hardgrain_run::finished_run(&self.folder)?;
        let summary = &kept.summary;
        print(&if self.json { document(&summary.rigidity) } else { summary_text(summary, &self.folder) })?;
        write(&self.folder.join("report.html"), hardgrain_figures::report::page(&kept).as_bytes())
    }
}
