//! `lab moduli`.

use super::packing::PackingArguments;
use crate::failure::CliError;
use crate::output::OutputArguments;
use crate::progress::ProgressBars;
use crate::table::{counted, fixed, lined_up, number, percent, with_error};
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
        hardgrain_lab::Validate::check(&settings)?;
        self.output.prepare()?;
        let result = moduli::run(&settings, &self.packing.cache()?, &ProgressBars::new("moduli"))?;
        let files = || vec![("csv", result.csv()), ("svg", figures::figure(&result).svg())];
        self.output.finish("moduli", &result, || table(&result), files)
    }
}

fn table(result: &ModuliResult) -> String {
    let settings = &result.settings;
    let grains = if settings.packing.dimension == 2 { "disc" } else { "sphere" };
    let head = format!(
        "{} of {}, periodic sideways, friction {}, pushed by {} of the load\n\n",
        counted(settings.packings, "packing"),
        counted(settings.packing.grains, grains),
        settings.packing.friction,
        settings.load_step,
    );
    let few = result.rows.iter().any(|row| row.longitudinal.fitted.min(row.transversal.fitted) < settings.packings);
    let few = if few { "Where numbers are missing or have no error, not all packings rang.\n" } else { "" };
    format!(
        "{head}{}\n{}\n{}\n\
         springs: 2 q N_I/(w h²) in the place of each contact, taken in whole steps; affine: the same if all grains moved as \
         the whole does.\nModuli of springs are taken with q of the slowest wave.\n{few}\n\
         ratio of the speeds of sound, across over along: measured {}, springs {}\n",
        waves(result, "along, N_I", |row| &row.longitudinal),
        waves(result, "across, N_I", |row| &row.transversal),
        stiffness(result),
        with_error(result.measured.speed_ratio, result.measured.speed_ratio_stderr, 4),
        with_error(result.springs.speed_ratio, result.springs.speed_ratio_stderr, 4),
    )
}

fn waves(result: &ModuliResult, title: &str, of: fn(&ModuliRow) -> &WaveRow) -> String {
    let header = [title, "ω h springs", "measured", "off", "τ/h springs", "measured", "off", "sound d/h"];
    let rows = result.rows.iter().map(|row| {
        let wave = of(row);
        vec![
            row.sweeps.to_string(),
            fixed(wave.springs.omega, 4),
            with_error(wave.measured.omega, wave.stderr.omega, 4),
            percent(wave.measured.omega, wave.springs.omega),
            fixed(wave.springs.tau, 2),
            with_error(wave.measured.tau, wave.stderr.tau, 2),
            percent(wave.measured.tau, wave.springs.tau),
            fixed(wave.sound_speed, 3),
        ]
    });
    lined_up(&[header.map(String::from).to_vec()].into_iter().chain(rows).collect::<Vec<_>>())
}

fn stiffness(result: &ModuliResult) -> String {
    let header = [
        "stiffness",
        "κ_n",
        "κ_t",
        "M springs",
        "M measured",
        "off",
        "G springs",
        "G measured",
        "off",
        "bulk",
        "M affine",
        "G affine",
    ];
    let rows = result.rows.iter().map(|row| {
        let (along, across) = (&row.longitudinal, &row.transversal);
        vec![
            row.sweeps.to_string(),
            number(row.contact_normal),
            number(row.contact_tangent),
            fixed(along.modulus_springs, 3),
            with_error(along.modulus, along.modulus_stderr, 3),
            percent(along.modulus, along.modulus_springs),
            fixed(across.modulus_springs, 3),
            with_error(across.modulus, across.modulus_stderr, 3),
            percent(across.modulus, across.modulus_springs),
            fixed(row.bulk_modulus, 3),
            fixed(along.modulus_affine, 3),
            fixed(across.modulus_affine, 3),
        ]
    });
    lined_up(&[header.map(String::from).to_vec()].into_iter().chain(rows).collect::<Vec<_>>())
}
