//! Dependencies between our crates point one way, from what is built on to what it is built from; and what our lowest crates may
//! not take from outside: the theory takes nothing, the physics no back end and no format.

use crate::manifest::{Dependency, DependencyKind, Manifest};
use crate::tidy::Complaint;
use crate::tree::File;

/// A crate, the crates it may build on (and on whatever those build on), and those that its tests may use besides.
struct Layer {
    name: &'static str,
    below: &'static [&'static str],
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
    layer("hardgrain-io", &["hardgrain"]),
    layer("hardgrain-run", &["hardgrain-analysis", "hardgrain-io", "hardgrain-rigid", "hardgrain-theory"]),
    layer("hardgrain-lab", &["hardgrain-run"]),
    layer("hardgrain-figures", &["hardgrain-lab"]),
    layer("hardgrain-cli", &["hardgrain-figures"]),
];

const TABLE: &str = "the table in xtask/src/tidy/arrows.rs";

/// Back ends and file formats. The families count as well: `serde_json`, `hdf5-metno`.
const NOT_IN_PHYSICS: &[&str] = &["serde", "pyo3", "mpi", "cudarc", "hdf5", "toml"];

/// Complains about dependencies that a crate must not have, and about crates that are not in the table.
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
    let wrong = manifest.dependencies.iter().filter_map(|dependency| Some((dependency, remedy(layer, dependency)?)));
    wrong
        .map(|(dependency, remedy)| {
            let wrong = format!("`{}` may not depend on `{}`", layer.name, dependency.name);
            Complaint::new(&file.path, dependency.line, wrong, remedy)
        })
        .collect()
}

fn find(name: &str) -> Option<&'static Layer> {
    LAYERS.iter().find(|layer| layer.name == name)
}

/// What to do about a dependency that is not allowed.
fn remedy(layer: &Layer, dependency: &Dependency) -> Option<String> {
    let (name, in_tests) = (dependency.name.as_str(), dependency.kind == DependencyKind::Dev);
    let allowed = is_below(layer, name) || (in_tests && layer.tests_also.contains(&name));
    match layer.name {
        _ if is_of_family(name, "hardgrain") => (!allowed).then(|| format!("turn the arrow round, or change {TABLE}")),
        "hardgrain-theory" if !in_tests => Some("closed forms need none; write it out".into()),
        "hardgrain" if NOT_IN_PHYSICS.iter().any(|family| is_of_family(name, family)) => {
            Some("move what needs it to a crate above".into())
        }
        _ => None,
    }
}

fn is_of_family(name: &str, family: &str) -> bool {
    name.strip_prefix(family).is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
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
            ("hardgrain-io", "hardgrain-analysis"),
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
        for (line, tail) in
            [(4, "[dependencies]\nhardgrain.workspace = true\n"), (3, "[dependencies.hardgrain]\npath = \"../x\"\n")]
        {
            let said = said(&format!("[package]\nname = \"hardgrain-theory\"\n{tail}"));
            assert_eq!(
                said,
                [format!(
                    "crates/any/Cargo.toml:{line}: `hardgrain-theory` may not depend on `hardgrain`; \
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

    fn outside(name: &str, tail: &str) -> Vec<String> {
        said(&format!("[package]\nname = \"{name}\"\n{tail}"))
    }

    #[test]
    fn what_they_need_passes() {
        assert_eq!(outside("hardgrain-theory", "[dev-dependencies]\nproptest = \"1\"\n"), [""; 0]);
        let needed = "[dependencies]\nrand_chacha = \"0.10\"\nrayon = \"1\"\nmpire = \"1\"\n";
        assert_eq!(outside("hardgrain", needed), [""; 0]);
        assert_eq!(outside("hardgrain-io", "[dependencies]\nserde = \"1\"\ntoml = \"0.9\"\n"), [""; 0]);
    }

    #[test]
    fn the_theory_depends_on_nothing() {
        for table in ["dependencies", "build-dependencies"] {
            assert_eq!(
                outside("hardgrain-theory", &format!("[{table}]\nrayon = \"1\"\n")),
                ["crates/any/Cargo.toml:4: `hardgrain-theory` may not depend on `rayon`; \
                 closed forms need none; write it out"]
            );
        }
    }

    #[test]
    fn the_physics_knows_no_format_and_no_back_end() {
        for name in NOT_IN_PHYSICS.iter().copied().chain(["serde_json", "hdf5-metno", "toml_edit"]) {
            for table in ["dependencies", "dev-dependencies"] {
                assert_eq!(outside("hardgrain", &format!("[{table}]\n{name} = \"1\"\n")).len(), 1, "{table} {name}");
            }
        }
    }
}
