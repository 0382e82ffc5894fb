//! The chain of the paper for several numbers of sweeps: ω ~ N_I^½ and τ ~ 1/N_I.

use crate::chain::{self, ChainResult, ChainSettings};
use crate::estimate::{Exponents, Oscillation};
use crate::settings::{Error, Validate, ensure};
use crate::watch::Progress;
use hardgrain_analysis::Estimate;
use serde::Serialize;
use serde::ser::SerializeMap;

/// What to run: the settings of a chain, with a list of sweeps.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScalingSettings {
    /// N_I, one row of the result each.
    pub sweeps: Vec<u32>,
    /// Everything else; its own number of sweeps does not count.
    #[serde(flatten, serialize_with = "without_sweeps")]
    pub chain: ChainSettings,
}

impl ScalingSettings {
    fn chain_with(&self, sweeps: u32) -> ChainSettings {
        ChainSettings { sweeps, ..self.chain.clone() }
    }
}

fn without_sweeps<S: serde::Serializer>(chain: &ChainSettings, out: S) -> Result<S::Ok, S::Error> {
    let ChainSettings { grains, sweeps: _, force, gap, order, seed, seeds, steps, flaw: _ } = chain;
    let mut map = out.serialize_map(None)?;
    map.serialize_entry("grains", grains)?;
    map.serialize_entry("force", force)?;
    map.serialize_entry("gap", gap)?;
    map.serialize_entry("order", order.name())?;
    map.serialize_entry("seed", seed)?;
    map.serialize_entry("seeds", seeds)?;
    map.serialize_entry("steps", steps)?;
    map.end()
}

impl Validate for ScalingSettings {
    fn check(&self) -> Result<(), Error> {
        ensure(!self.sweeps.is_empty(), "sweeps", || "the list is empty".into())?;
        self.sweeps.iter().try_for_each(|&sweeps| self.chain_with(sweeps).check())
    }
}

/// The result.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ScalingResult {
    /// "chain".
    pub experiment: &'static str,
    /// What was asked.
    pub settings: ScalingSettings,
    /// ½ and −1.
    pub predicted: Exponents,
    /// The same fit through the values of the lattice: it bends a little where the wave is not long.
    pub lattice: Exponents,
    /// Measurement.
    pub measured: Exponents,
    /// One chain for each number of sweeps.
    pub rows: Vec<ChainResult>,
}

/// Runs the chain for each number of sweeps.
///
/// # Errors
/// As [`chain::run`].
pub fn run(settings: &ScalingSettings, watch: &dyn Progress) -> Result<ScalingResult, Error> {
    settings.check()?;
    let rows = settings.sweeps.iter().map(|&sweeps| chain::run(&settings.chain_with(sweeps), watch));
    let rows: Vec<ChainResult> = rows.collect::<Result<_, _>>()?;
    let exponents = |wave: fn(&ChainResult) -> Oscillation<Estimate>| {
        Exponents::fit(&rows.iter().map(|row| (row.settings.sweeps, wave(row))).collect::<Vec<_>>())
    };
    Ok(ScalingResult {
        experiment: "chain",
        settings: settings.clone(),
        predicted: Exponents::PAPER,
        lattice: exponents(|row| row.lattice.exact()).without_errors(),
        measured: exponents(|row| row.measured.oscillation),
        rows,
    })
}
