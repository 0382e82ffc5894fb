//! What our lowest crates may not take from outside: the theory takes nothing, the physics no back end and no format.

use crate::manifest::{Dependency, Manifest, Purpose};
use crate::tidy::Complaint;
use crate::tree::File;

/// Back ends and file formats. The families count as well: `serde_json`, `hdf5-metno`.
const NOT_IN_PHYSICS: &[&str] = &["serde", "pyo3", "mpi", "cudarc", "hdf5", "toml"];

/// Complains about dependencies from outside that the theory or the physics must not have.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    files.iter().filter(|file| file.is_crate_manifest()).flat_map(in_manifest).collect()
}

fn in_manifest(file: &File) -> Vec<Complaint> {
    let manifest = Manifest::read(&file.text);
    let (is_wrong, remedy): (fn(&Dependency) -> bool, &str) = match manifest.name.as_str() {
        "hardgrain-theory" => (is_more_than_a_test_tool, "closed forms need none; write it out"),
        "hardgrain" => (is_format_or_back_end, "move what needs it to a crate above"),
        _ => return Vec::new(),
    };
    let wrong = manifest.dependencies.iter().filter(|dependency| is_wrong(dependency));
    wrong
        .map(|dependency| {
            let wrong = format!("`{}` may not depend on `{}`", manifest.name, dependency.name);
            Complaint::new(&file.path, dependency.line, wrong, remedy)
        })
        .collect()
}

fn is_more_than_a_test_tool(dependency: &Dependency) -> bool {
    dependency.purpose != Purpose::Tests
}

fn is_format_or_back_end(dependency: &Dependency) -> bool {
    NOT_IN_PHYSICS.iter().any(|family| {
        let rest = dependency.name.strip_prefix(family);
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['-', '_']))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(name: &str, tail: &str) -> Vec<String> {
        let text = format!("[package]\nname = \"{name}\"\n{tail}");
        check(&[File::new("crates/any/Cargo.toml", &text)]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn what_they_need_passes() {
        assert_eq!(said("hardgrain-theory", "[dev-dependencies]\nproptest = \"1\"\n"), [""; 0]);
        assert_eq!(
            said("hardgrain", "[dependencies]\nrand_chacha = \"0.10\"\nrayon = \"1\"\nmpire = \"1\"\n"),
            [""; 0]
        );
        assert_eq!(said("hardgrain-io", "[dependencies]\nserde = \"1\"\ntoml = \"0.9\"\n"), [""; 0]);
    }

    #[test]
    fn the_theory_depends_on_nothing() {
        for table in ["dependencies", "build-dependencies"] {
            assert_eq!(
                said("hardgrain-theory", &format!("[{table}]\nrayon = \"1\"\n")),
                ["crates/any/Cargo.toml:4: `hardgrain-theory` may not depend on `rayon`; \
                 closed forms need none; write it out"]
            );
        }
    }

    #[test]
    fn the_physics_knows_no_format_and_no_back_end() {
        for name in NOT_IN_PHYSICS.iter().copied().chain(["serde_json", "hdf5-metno", "toml_edit"]) {
            for table in ["dependencies", "dev-dependencies"] {
                assert_eq!(said("hardgrain", &format!("[{table}]\n{name} = \"1\"\n")).len(), 1, "{table} {name}");
            }
        }
    }
}
