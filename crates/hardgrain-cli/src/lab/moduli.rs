//! `lab moduli`.

use super::experiment::experiment;
use super::packing::{PackingArguments, grains};
use crate::failure::CliError;
use crate::output::OutputArguments;
use crate::table::{TableColumn, columns, counted, estimate, fixed, number, percent};
use clap::Args;
use hardgrain_figures::moduli as figures;
use hardgrain_lab::moduli::{self, ModuliResult, ModuliRow, ModuliSettings, WaveRow};

/// Sound and stiffness of a packing, along and across, for several numbers of sweeps.
///
/// The packing is periodic sideways and lies under a smooth lid. A step of the load excites the
/// standing wave in which grains move up and down; a sideways force on the top tenth of the grains
/// the one in which they move to and fro. The frequencies give the two speeds of sound; how far the
/// packing yields in the end gives the modulus of compression M and the shear modulus G, shown beside
/// the stiffness of single contacts.
///
/// Examples:
///   hardgrain lab moduli
///   hardgrain lab moduli --friction 0.5 --packings 5 -o moduli
///   hardgrain lab moduli --dimension 3
#[derive(Args)]
#[command(verbatim_doc_comment, allow_negative_numbers = true)]
pub(crate) struct ModuliArguments {
    /// Sweeps a step, N_I, separated by commas [default: 5,10,20,40,80; for spheres 2,4,8,16].
    #[arg(long, value_delimiter = ',')]
    sweeps: Option<Vec<u32>>,
    /// How many packings, with seeds from the first on.
    #[arg(long, default_value_t = ModuliSettings::default().packings)]
    packings: u32,
    /// The pushes, as a share of the load.
    #[arg(long, default_value_t = ModuliSettings::default().load_step)]
    load_step: f64,
    #[command(flatten)]
    packing: PackingArguments,
    #[command(flatten)]
    output: OutputArguments,
}

impl ModuliArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let packing = self.packing.settings(true);
        let usual = if packing.dimension == 3 { vec![2, 4, 8, 16] } else { ModuliSettings::default().sweeps };
        let sweeps = self.sweeps.clone().unwrap_or(usual);
        let settings = ModuliSettings { sweeps, packings: self.packings, load_step: self.load_step, packing };
        let files = |result: &ModuliResult| vec![("csv", result.csv()), ("svg", figures::figure(result).svg())];
        let (place, cache) = (("moduli", &self.output), || self.packing.cache());
        experiment(place, &settings, |settings, watch| Ok(moduli::run(settings, &cache()?, watch)?), table, files)
    }
}

fn table(result: &ModuliResult) -> String {
    let settings = &result.settings;
    let head = format!(
        "{} of {}, periodic sideways, friction {}, pushed by {} of the load\n\n",
        counted(settings.packings, "packing"),
        grains(&settings.packing),
        settings.packing.friction,
        settings.load_step,
    );
    let too_few = result.rows.iter().any(|row| row.longitudinal.fitted.min(row.transversal.fitted) < settings.packings);
    let too_few = if too_few { "Where numbers are missing or have no error, not all packings rang.\n" } else { "" };
    format!(
        "{head}{}\n{}\n{}\n\
         springs: 2 q N_I/(w h²) in the place of each contact, taken in whole steps; affine: the same if all grains moved as \
         the whole does.\nModuli of springs are taken with q of the slowest wave.\n{too_few}\n\
         ratio of the speeds of sound, across over along: measured {}, springs {}\n",
        waves(result, "along, N_I", |row| (row.sweeps, row.longitudinal.clone())),
        waves(result, "across, N_I", |row| (row.sweeps, row.transversal.clone())),
        stiffness(result),
        estimate(result.measured, 4),
        estimate(result.springs, 4),
    )
}

fn waves(result: &ModuliResult, title: &str, of: fn(&ModuliRow) -> (u32, WaveRow)) -> String {
    let columns_of: [TableColumn<'_, (u32, WaveRow)>; 8] = [
        (title, |(sweeps, _)| sweeps.to_string()),
        ("ω h springs", |(_, wave)| fixed(wave.springs.omega, 4)),
        ("measured", |(_, wave)| estimate(wave.measured.omega, 4)),
        ("off", |(_, wave)| percent(wave.measured.values().omega, wave.springs.omega)),
        ("τ/h springs", |(_, wave)| fixed(wave.springs.tau, 2)),
        ("measured", |(_, wave)| estimate(wave.measured.tau, 2)),
        ("off", |(_, wave)| percent(wave.measured.values().tau, wave.springs.tau)),
        ("sound d/h", |(_, wave)| fixed(wave.sound_speed, 3)),
    ];
    columns(&columns_of, &result.rows.iter().map(of).collect::<Vec<_>>())
}

/// The deviation of a modulus from that of springs, in percent.
fn off(wave: &WaveRow) -> String {
    percent(wave.modulus.map(|modulus| modulus.value), wave.modulus_springs)
}

fn stiffness(result: &ModuliResult) -> String {
    let columns_of: [TableColumn<'_, ModuliRow>; 12] = [
        ("stiffness", |row| row.sweeps.to_string()),
        ("κ_n", |row| number(row.contact_normal)),
        ("κ_t", |row| number(row.contact_tangent)),
        ("M springs", |row| fixed(row.longitudinal.modulus_springs, 3)),
        ("M measured", |row| estimate(row.longitudinal.modulus, 3)),
        ("off", |row| off(&row.longitudinal)),
        ("G springs", |row| fixed(row.transversal.modulus_springs, 3)),
        ("G measured", |row| estimate(row.transversal.modulus, 3)),
        ("off", |row| off(&row.transversal)),
        ("bulk", |row| fixed(row.bulk_modulus, 3)),
        ("M affine", |row| fixed(row.longitudinal.modulus_affine, 3)),
        ("G affine", |row| fixed(row.transversal.modulus_affine, 3)),
    ];
    columns(&columns_of, &result.rows)
}
