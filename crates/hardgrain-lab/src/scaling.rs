//! The chain of the paper for several numbers of sweeps: ω ~ N_I^½ and τ ~ 1/N_I.

use crate::chain::{self, ChainResult, ChainSettings};
use crate::settings::{Error, Oscillation, Validate};
use crate::watch::Watch;
use hardgrain_analysis::{PowerLaw, TooFewPoints};
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
    fn of(&self, sweeps: u32) -> ChainSettings {
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
        if self.sweeps.is_empty() {
            return Err(Error::Setting { name: "sweeps", wrong: "the list is empty".into() });
        }
        self.sweeps.iter().try_for_each(|&sweeps| self.of(sweeps).check())
    }
}

/// Exponents.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Exponents {
    /// ω ~ N_I to this power.
    pub omega_exponent: Option<f64>,
    /// τ ~ N_I to this power.
    pub tau_exponent: Option<f64>,
    /// Standard error of the first.
    pub omega_exponent_stderr: Option<f64>,
    /// Standard error of the second.
    pub tau_exponent_stderr: Option<f64>,
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
pub fn run(settings: &ScalingSettings, watch: &dyn Watch) -> Result<ScalingResult, Error> {
    settings.check()?;
    let rows: Vec<ChainResult> =
        settings.sweeps.iter().map(|&sweeps| chain::run(&settings.of(sweeps), watch)).collect::<Result<_, _>>()?;
    let law = |value: &dyn Fn(&ChainResult) -> Option<(f64, f64)>| -> Result<PowerLaw, TooFewPoints> {
        let point = |row: &ChainResult| value(row).map(|(y, error)| (f64::from(row.settings.sweeps), y, error));
        PowerLaw::fit(&rows.iter().filter_map(point).collect::<Vec<_>>())
    };
    let plain = |pair: fn(&Oscillation) -> Option<f64>| law(&move |row| pair(&row.lattice).map(|y| (y, 0.0)));
    let measured = exponents(
        law(&|row| Some((row.measured.omega?, row.measured.omega_stderr.unwrap_or(0.0)))),
        law(&|row| Some((row.measured.tau?, row.measured.tau_stderr.unwrap_or(0.0)))),
    );
    let lattice = exponents(plain(|pair| pair.omega), plain(|pair| pair.tau));
    Ok(ScalingResult {
        experiment: "chain",
        settings: settings.clone(),
        predicted: Exponents { omega_exponent: Some(0.5), tau_exponent: Some(-1.0), ..Exponents::default() },
        lattice: Exponents { omega_exponent_stderr: None, tau_exponent_stderr: None, ..lattice },
        measured,
        rows,
    })
}

fn exponents(omega: Result<PowerLaw, TooFewPoints>, tau: Result<PowerLaw, TooFewPoints>) -> Exponents {
    let (omega, tau) = (omega.ok(), tau.ok());
    Exponents {
        omega_exponent: omega.map(|law| law.exponent),
        tau_exponent: tau.map(|law| law.exponent),
        omega_exponent_stderr: omega.map(|law| law.exponent_error),
        tau_exponent_stderr: tau.map(|law| law.exponent_error),
    }
}
