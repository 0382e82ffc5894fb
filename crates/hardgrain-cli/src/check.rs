//! `check`: what a scene will do, cost and look like, without running it.

use crate::failure::CliError;
use crate::follow::duration;
use crate::output::{document, print};
use crate::table::number;
use clap::Args;
use hardgrain_io::Scene;
use std::path::PathBuf;

/// Says what a scene will do, what it will cost and how elastic its rigid grains will look, without running it.
///
/// Everything that `run` would refuse is refused here too. The forecast is the paper's theory of a chain with the mean mass
/// and diameter of the grains, as long as the packing is as placed.
///
/// Example: hardgrain check piston.toml --set solver.sweeps=160
#[derive(Args)]
pub(crate) struct CheckArguments {
    /// The scene, a TOML file. `hardgrain new` writes one.
    scene: PathBuf,
    /// Change a value of the scene, as in `run`.
    #[arg(long, value_name = "KEY=VALUE")]
    set: Vec<String>,
    /// Print one JSON document instead of text.
    #[arg(long)]
    json: bool,
}

impl CheckArguments {
    pub(crate) fn run(&self) -> Result<(), CliError> {
        let scene = Scene::read(&self.scene, &self.set)?;
        let found = hardgrain_run::SceneCheck::from_scene(&scene)?;
        print(&if self.json { document(&found) } else { check_text(&found) })
    }
}

/// Bytes in the unit that fits.
fn bytes(count: f64) -> String {
    match count {
        b if b < 1e3 => format!("{b:.0} B"),
        b if b < 1e6 => format!("{:.0} kB", b / 1e3),
        b if b < 1e9 => format!("{:.0} MB", b / 1e6),
        b if b < 1e12 => format!("{:.1} GB", b / 1e9),
        b => format!("{:.1e} TB", b / 1e12),
    }
}

fn check_text(found: &hardgrain_run::SceneCheck) -> String {
    let mut text = String::new();
    let mut line = |said: String| text = format!("{text}{said}\n");
    if !found.title.is_empty() {
        line(found.title.clone());
    }
    let space = ["on a line", "in the plane", "in space"][found.dimension - 1];
    line(format!("{} grains {space}, {} of them free, seed {}", found.grains, found.free_grains, found.seed));
    // A scene may have many walls; the first ones suffice.
    for thing in found.things.iter().take(20) {
        let label = if thing.label.is_empty() { "(no label)" } else { &thing.label };
        line(format!("  {label}: {}", thing.what));
    }
    if found.things.len() > 20 {
        line(format!("  … and {} more", found.things.len() - 20));
    }
    for stage in &found.stages {
        line(format!("  stage {stage}"));
    }
    let most = if found.steps_at_most { "at most " } else { "" };
    line(format!(
        "{most}{} steps, about {}{}; memory {}, disk {most}{}",
        found.steps,
        duration(found.seconds),
        if found.seconds_hang_on_sliding { ", much longer where much slides" } else { "" },
        bytes(found.memory),
        bytes(found.disk)
    ));
    let forecast = &found.forecast;
    line("\nforecast, by the theory of a chain with the mean mass and diameter, for the last stage".into());
    let rows = [
        ("length of the packing as placed", Some(forecast.length)),
        ("reach of one step", forecast.reach),
        ("apparent stiffness of a contact", forecast.apparent_stiffness),
        ("apparent sound speed", forecast.apparent_sound_speed),
        ("it would ring at the frequency", forecast.omega),
        ("and lose it within the time", forecast.tau),
        ("sweeps that reach from end to end", forecast.sweeps_to_reach),
        ("sweeps that leave 1 % of force error", forecast.sweeps_to_be_rigid),
    ];
    for (name, value) in rows {
        line(format!("  {name:<38} {}", number(value)));
    }
    line(forecast.verdict.clone());
    found.warnings.iter().for_each(|warning| line(format!("warning: {warning}")));
    text
}
