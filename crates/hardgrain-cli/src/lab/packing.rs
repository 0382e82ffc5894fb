//! `lab packing`, and the flags that all experiments with packings share.

use crate::failure::CliError;
use crate::output::{self, OutputArguments, ResultFiles};
use crate::progress::ProgressBars;
use crate::table::{counted, fixed, lined_up, number};
use clap::Args;
use hardgrain_figures::network;
use hardgrain_io::checkpoint;
use hardgrain_lab::packing::{self, PackingResult};
use hardgrain_lab::{PackingCache, PackingSettings, Validate};
use std::path::{Path, PathBuf};

/// Which packing.
#[derive(Args)]
pub(crate) struct PackingArguments {
    /// Number of grains: discs or, in three dimensions, spheres [default: 1000 discs, 2000 spheres].
    #[arg(long, visible_aliases = ["spheres", "grains"])]
    discs: Option<u32>,
    /// 2: discs, 3: spheres.
    #[arg(long, default_value_t = PackingSettings::default().dimension)]
    dimension: u32,
    /// Coulomb's coefficient, of grains and walls alike.
    #[arg(long, default_value_t = PackingSettings::default().friction)]
    friction: f64,
    /// Largest over smallest radius; radii are uniformly distributed between them.
    #[arg(long, default_value_t = PackingSettings::default().ratio)]
    ratio: f64,
    /// Mass of the piston over that of all grains.
    #[arg(long, default_value_t = PackingSettings::default().piston_mass)]
    piston_mass: f64,
    /// Pressure on the piston, in units of m d^(2-D)/h².
    #[arg(long, default_value_t = PackingSettings::default().pressure)]
    pressure: f64,
    /// The seed; of several packings, the first one.
    #[arg(long, default_value_t = PackingSettings::default().seed)]
    seed: u64,
    /// Keep prepared packings in this folder, and take them from there if they are there.
    #[arg(long, value_name = "DIR")]
    keep: Option<PathBuf>,
}

impl PackingArguments {
    pub(crate) fn settings(&self, periodic: bool) -> PackingSettings {
        let Self { dimension, friction, ratio, piston_mass, pressure, seed, .. } = *self;
        let grains = self.discs.unwrap_or(if dimension == 3 { 2000 } else { 1000 });
        PackingSettings { grains, dimension, friction, ratio, piston_mass, pressure, periodic, seed }
    }

    /// The cache, its folder made.
    pub(crate) fn cache(&self) -> Result<PackingCache, CliError> {
        kept_in(self.keep.as_deref())
    }
}

/// How many discs or spheres.
pub(super) fn grains(settings: &PackingSettings) -> String {
    counted(settings.grains, if settings.dimension == 2 { "disc" } else { "sphere" })
}

/// Packings that are kept in this folder, which is made.
pub(crate) fn kept_in(folder: Option<&Path>) -> Result<PackingCache, CliError> {
    if let Some(folder) = folder {
        std::fs::create_dir_all(folder).map_err(|error| CliError::file(folder, &error))?;
    }
    Ok(PackingCache::new(folder.map(Path::to_owned)))
}

/// Presses loose grains together until they rest, and says what the packing looks like inside.
///
/// A lid under constant load compresses grains that lie loosely between walls. When everything is in
/// balance the load, so far one percent too large, is relieved, and the packing must rest for 100
/// steps: the largest unbalanced force on any grain with two or more contacts, and on the lid, stays
/// below 1e-9 of the mean contact force. If it does not come to rest, a sentence says how far it
/// came.
///
/// With -o the folder also gets scene.toml, the recipe, which `hardgrain run` can follow; packing.hg,
/// the packing at rest; ring.toml, a scene that starts from it; and, in two dimensions,
/// packing.network.svg: discs, and contacts as wide as their forces are large.
///
/// Examples:
///   hardgrain lab packing
///   hardgrain lab packing --discs 200 --friction 0.5 --ratio 10 -o rough
///   hardgrain lab packing --dimension 3 --spheres 1000 --keep packings
#[derive(Args)]
#[command(verbatim_doc_comment, allow_negative_numbers = true)]
pub(crate) struct LabPacking {
    #[command(flatten)]
    packing: PackingArguments,
    /// Periodic sideways under a smooth lid, instead of walls.
    #[arg(long)]
    periodic: bool,
    #[command(flatten)]
    output: OutputArguments,
}

impl LabPacking {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let settings = self.packing.settings(self.periodic);
        settings.check()?;
        self.output.prepare()?;
        let result = packing::run(&settings, &self.packing.cache()?, &ProgressBars::new("packing"))?;
        self.output.folder().map_or(Ok(()), |folder| write_scenes(folder, &result))?;
        self.output.finish("packing", &result, || table(&result), || files(&result))
    }
}

/// The recipe, the packing at rest, and a scene that lets it ring.
fn write_scenes(folder: &Path, result: &PackingResult) -> Result<(), CliError> {
    let settings = &result.settings;
    let packing = checkpoint::encode_packing(settings.hash()?, &result.state)?;
    output::write(&folder.join("scene.toml"), settings.scene_text().as_bytes())?;
    output::write(&folder.join("packing.hg"), &packing)?;
    output::write(&folder.join("ring.toml"), settings.ringing_text("packing.hg").as_bytes())
}

/// The drawing, if the packing lies in the plane.
fn files(result: &PackingResult) -> ResultFiles {
    let texture = &result.measured.texture;
    let title = format!("{} discs at rest under a piston", result.settings.grains);
    let subtitle = format!(
        "friction {}, solid fraction {:.3}, {:.2} contacts a grain, {} rattlers (white); lines: normal forces, red above the mean",
        result.settings.friction, texture.solid_fraction, texture.coordination, texture.rattlers
    );
    result.picture.iter().map(|picture| ("network.svg", network(picture, &title, &subtitle))).collect()
}

fn table(result: &PackingResult) -> String {
    let (measured, texture) = (&result.measured, &result.measured.texture);
    let predicted = &result.predicted;
    let side = if result.settings.periodic { "periodic sideways" } else { "between walls" };
    let head = format!(
        "{} under a piston, {side}, friction {}, size ratio {}, seed {}: at rest after {} ({} of {})\n\n",
        grains(&result.settings),
        result.settings.friction,
        result.settings.ratio,
        result.settings.seed,
        counted(measured.steps, "step"),
        counted(measured.sweeps, "sweep"),
        measured.solver,
    );
    let isostatic =
        format!("{} if smooth, {} if rough", predicted.contacts_isostatic, predicted.contacts_isostatic_rough);
    let (forces, some) = (&texture.forces, |value: f64, digits| fixed(Some(value), digits));
    let rows = [
        ("", "measured".into(), "expected"),
        ("largest unbalanced force / mean force", number(measured.unbalanced), "below 1e-9"),
        ("solid fraction", some(texture.solid_fraction, 4), ""),
        ("contacts a grain", some(texture.coordination, 3), ""),
        ("  without rattlers", fixed(texture.coordination_backbone, 3), ""),
        ("rattlers", texture.rattlers.to_string(), ""),
        ("contacts; isostatic would be", texture.contacts.to_string(), &isostatic),
        ("  with walls and piston", texture.wall_contacts.to_string(), ""),
        ("  that slide, %", some(100.0 * texture.sliding, 2), ""),
        ("mean normal force", number(Some(forces.mean)), ""),
        ("  largest / mean", some(forces.largest, 2), ""),
        ("  below the mean, %", some(100.0 * forces.weak, 1), ""),
        ("  mean square / square of mean", some(forces.second_moment, 3), ""),
        ("vertical stress", number(Some(measured.vertical_stress)), &number(Some(predicted.vertical_stress))),
        ("pressure", number(Some(texture.pressure)), ""),
        ("anisotropy of the stress", fixed(texture.stress_anisotropy, 4), ""),
        ("anisotropy of the contacts", fixed(texture.fabric_anisotropy, 4), ""),
        ("largest overlap / diameter", number(Some(texture.overlap_max)), "0 if rigid"),
    ];
    let rows = rows.map(|(name, value, expected)| vec![name.to_owned(), value, expected.to_owned()]);
    let walls = if !result.settings.periodic && result.settings.friction > 0.0 {
        "\nSide walls carry some of the load by friction, so the vertical stress may be below load over area.\n"
    } else {
        ""
    };
    let missed = if measured.missed > 0 {
        format!("\nThe search missed {}; their overlaps stay.\n", counted(measured.missed, "contact"))
    } else {
        String::new()
    };
    head + &lined_up(&rows) + "\n" + &stress(result) + &density(result) + walls + &missed
}

/// The stress tensor, row by row.
fn stress(result: &PackingResult) -> String {
    let row = |row: &Vec<f64>| row.iter().map(|value| number(Some(*value))).collect::<Vec<_>>().join("  ");
    let rows: Vec<String> = result.measured.texture.stress.iter().map(row).collect();
    format!("stress tensor: {}\n", rows.join(" | "))
}

/// The distribution of normal forces, as far as there are any.
fn density(result: &PackingResult) -> String {
    let forces = &result.measured.texture.forces;
    let bars = forces.density.iter().zip(0..);
    let bars = bars.map(|(density, bin)| format!("{:.2}: {density:.3}", (f64::from(bin) + 0.5) * forces.bin));
    format!("density of normal forces over their mean: {}\n", bars.collect::<Vec<_>>().join("  "))
}
