//! `reproduce`: so far one claim of the paper, its chain.

use crate::failure::Failure;
use crate::lab::chain_table;
use crate::output::{document, print};
use crate::progress::Progress;
use clap::Args;
use hardgrain_lab::chain::{ChainSettings, run};

/// Runs the paper's experiment and prints the prediction beside the measurement.
///
/// Fifty rigid grains fly against a wall and are pressed on it. They ring like springs, because forty sweeps of the
/// solver do not carry the force from one end to the other within a step. Pitch and damping follow from the number
/// of sweeps alone. So far this is the only claim of the paper that the command checks; `hardgrain lab` has more.
///
/// Example: hardgrain reproduce --seeds 20
#[derive(Args)]
pub(crate) struct Reproduce {
    /// How many runs, each with its own random order of sweeps.
    #[arg(long, default_value_t = 10, value_parser = clap::value_parser!(u32).range(2..=1000))]
    seeds: u32,
    /// Print one JSON document instead of a table.
    #[arg(long)]
    json: bool,
}

impl Reproduce {
    pub(crate) fn run(&self) -> Result<(), Failure> {
        let settings = ChainSettings { seeds: self.seeds, ..ChainSettings::default() };
        let result = run(&settings, &Progress::new("chain"))?;
        print(&if self.json { document(&result) } else { chain_table(&result) })
    }
}
