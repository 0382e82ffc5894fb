//! Dependencies between our crates point one way: from what is built on to what it is built from.

use crate::manifest::{Dependency, Manifest, Purpose};
use crate::tidy::Complaint;
use crate::tree::File;

/// A crate and the crates below it.
struct Layer {
    name: &'static str,
    /// What it may build on; whatever those build on is allowed as well.
    below: &'static [&'static str],
    /// What its tests may compare with besides.
    tests_also: &'static [&'static str],
}

const fn layer(name: &'static str, below: &'static [&'static str]) -> Layer {
    Layer { name, below, tests_also: &[] }
}

/// The whole order, lowest first.
const LAYERS: &[Layer] = &[
    layer("hardgrain-theory", &[]),
    Layer { name: "hardgrain", below: &[], tests_also: &["hardgrain-theory"] },
    layer("hardgrain-rigid", &["hardgrain"]),
    layer("hardgrain-analysis", &["hardgrain"]),
    layer("hardgrain-io", &["hardgrain", "hardgrain-analysis"]),
    layer("hardgrain-run", &["hardgrain-io", "hardgrain-rigid", "hardgrain-theory"]),
    layer("hardgrain-lab", &["hardgrain-run"]),
    layer("hardgrain-figures", &["hardgrain-lab"]),
    layer("hardgrain-cli", &["hardgrain-figures"]),
];

const TABLE: &str = "the table in xtask/src/tidy/arrows.rs";

/// Complains about dependencies that point upwards or sideways, and about crates that are not in the table.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    files.iter().filter(|file| file.is_crate_manifest()).flat_map(in_manifest).collect()
}

fn in_manifest(file: &File) -> Vec<Complaint> {
    let manifest = Manifest::read(&file.text);
    let Some(layer) = find(&manifest.name) else {
        let wrong = format!("`{}` is not in {TABLE}", manifest.name);
        return vec![Complaint::new(&file.path, 1, wrong, "add it there with the crates below it")];
    };
    let ours = manifest.dependencies.iter().filter(|dependency| is_ours(&dependency.name));
    ours.filter(|dependency| !is_allowed(layer, dependency))
        .map(|dependency| {
            let wrong = format!("`{}` may not depend on `{}`", layer.name, dependency.name);
            Complaint::new(&file.path, dependency.line, wrong, format!("turn the arrow round, or change {TABLE}"))
        })
        .collect()
}

fn find(name: &str) -> Option<&'static Layer> {
    LAYERS.iter().find(|layer| layer.name == name)
}

fn is_ours(name: &str) -> bool {
    name == "hardgrain" || name.starts_with("hardgrain-")
}

fn is_allowed(layer: &Layer, dependency: &Dependency) -> bool {
    let compared_with = dependency.purpose == Purpose::Tests && layer.tests_also.contains(&dependency.name.as_str());
    compared_with || is_below(layer, &dependency.name)
}

fn is_below(layer: &Layer, name: &str) -> bool {
    layer.below.iter().any(|below| *below == name || find(below).is_some_and(|below| is_below(below, name)))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        check(&[File::new("crates/any/Cargo.toml", text)]).iter().map(ToString::to_string).collect()
    }

    fn may(from: &str, table: &str, to: &str) -> bool {
        said(&format!("[package]\nname = \"{from}\"\n[{table}]\n{to}.workspace = true\nclap = \"4\"\n")).is_empty()
    }

    #[test]
    fn arrows_downwards_pass() {
        for (from, to) in [
            ("hardgrain-rigid", "hardgrain"),
            ("hardgrain-io", "hardgrain-analysis"),
            ("hardgrain-run", "hardgrain-analysis"),
            ("hardgrain-lab", "hardgrain-io"),
            ("hardgrain-figures", "hardgrain-theory"),
        ] {
            assert!(may(from, "dependencies", to), "{from} -> {to}");
        }
        assert!(may("hardgrain", "dev-dependencies", "hardgrain-theory"));
    }

    #[test]
    fn the_command_line_stands_on_everything() {
        for layer in LAYERS.iter().filter(|layer| layer.name != "hardgrain-cli") {
            assert!(may("hardgrain-cli", "dependencies", layer.name), "{}", layer.name);
        }
    }

    #[test]
    fn arrows_upwards_and_sideways_are_found() {
        for (from, to) in [
            ("hardgrain-theory", "hardgrain"),
            ("hardgrain", "hardgrain-theory"),
            ("hardgrain-rigid", "hardgrain-theory"),
            ("hardgrain-analysis", "hardgrain-rigid"),
            ("hardgrain-io", "hardgrain-rigid"),
            ("hardgrain-run", "hardgrain-lab"),
            ("hardgrain-lab", "hardgrain-figures"),
            ("hardgrain-figures", "hardgrain-cli"),
            ("hardgrain-rigid", "hardgrain-rigid"),
        ] {
            assert!(!may(from, "dependencies", to), "{from} -> {to}");
            assert!(!may(from, "build-dependencies", to), "{from} -> {to}");
        }
        assert!(!may("hardgrain", "dev-dependencies", "hardgrain-io"));
    }

    #[test]
    fn the_complaint_points_at_the_line_in_every_form() {
        for tail in ["[dependencies]\nhardgrain.workspace = true\n", "[dependencies.hardgrain]\npath = \"../x\"\n"] {
            let said = said(&format!("[package]\nname = \"hardgrain-theory\"\n{tail}"));
            assert_eq!(
                said,
                [format!(
                    "crates/any/Cargo.toml:4: `hardgrain-theory` may not depend on `hardgrain`; \
                 turn the arrow round, or change {TABLE}"
                )]
            );
        }
    }

    #[test]
    fn unknown_crates_are_found() {
        let said = said("[package]\nname = \"hardgrain-gpu\"\n");
        assert!(said[0].contains("`hardgrain-gpu` is not in the table"));
        assert!(said[0].contains("add it there"));
    }
}
