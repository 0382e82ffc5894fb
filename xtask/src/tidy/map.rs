//! ARCHITECTURE.md is a map: every crate is on it, and every place on it exists.

use crate::tidy::Complaint;
use crate::tree::{File, extension};

const MAP: &str = "ARCHITECTURE.md";

/// Complains about crates that the map leaves out, and about places on it that do not exist.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    let Some(map) = files.iter().find(|file| file.path == MAP) else {
        return vec![Complaint::new(MAP, 1, "missing", "write the map of the code")];
    };
    let left_out = crates(files).into_iter().filter(|name| !is_named(&map.text, name)).map(|name| {
        let wrong = format!("`{name}` is not on the map");
        Complaint::new(MAP, 1, wrong, "say in a line what it holds")
    });
    let gone = places(&map.text).into_iter().filter(|(place, _)| !exists(files, place)).map(|(place, line)| {
        let wrong = format!("`{place}` does not exist");
        Complaint::new(MAP, line, wrong, "correct the map")
    });
    left_out.chain(gone).collect()
}

/// The folders in `crates/`, and this crate.
fn crates(files: &[File]) -> Vec<&str> {
    let folders = files.iter().filter(|file| file.is_crate_manifest());
    folders.filter_map(|file| file.path.split('/').nth(1)).chain(["xtask"]).collect()
}

/// `hardgrain` is not named by naming `hardgrain-io`.
fn is_named(text: &str, name: &str) -> bool {
    text.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '-' | '_')).any(|word| word == name)
}

/// Paths that start with `crates/`, and paths of Rust files between backticks, each with its line.
fn places(text: &str) -> Vec<(&str, usize)> {
    let numbered = text.lines().zip(1..);
    numbered
        .flat_map(|(line, number)| {
            in_crates(line).chain(rust_files(line)).map(move |place| (place.trim_end_matches(['.', '/']), number))
        })
        .collect()
}

fn is_in_path(letter: char) -> bool {
    letter.is_alphanumeric() || matches!(letter, '_' | '/' | '.' | '-')
}

fn in_crates(line: &str) -> impl Iterator<Item = &str> {
    line.match_indices("crates/").filter_map(|(start, _)| {
        let length = line[start..].find(|letter| !is_in_path(letter)).unwrap_or(line.len() - start);
        let (path, behind) = line[start..].split_at(length);
        // `crates/*/src` and the like stand for several.
        let is_pattern = behind.starts_with(['*', '{', '<', '…']);
        (!line[..start].ends_with(is_in_path) && path.len() > "crates/".len() && !is_pattern).then_some(path)
    })
}

fn rust_files(line: &str) -> impl Iterator<Item = &str> {
    let paths = quoted(line).filter(|quote| !quote.contains(['*', '{', ' ']) && !quote.starts_with("crates/"));
    paths.filter(|path| extension(path) == "rs")
}

/// What stands between backticks.
fn quoted(line: &str) -> impl Iterator<Item = &str> {
    line.split('`').skip(1).step_by(2)
}

/// Whether a file or folder lies there; a path that does not start at the root may lie in any folder.
fn exists(files: &[File], place: &str) -> bool {
    let (exact, deeper, inside) = (place.to_owned(), format!("/{place}"), format!("{place}/"));
    files.iter().any(|file| {
        let below = !place.starts_with("crates/") && file.path.ends_with(&deeper);
        file.path == exact || below || file.path.starts_with(&inside)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(map: &str) -> Vec<String> {
        let files = [
            File::new(MAP, map),
            File::new("crates/hardgrain/Cargo.toml", ""),
            File::new("crates/hardgrain/src/solver/sweep.rs", ""),
            File::new("crates/hardgrain-io/Cargo.toml", ""),
            File::new("xtask/src/main.rs", ""),
        ];
        check(&files).iter().map(ToString::to_string).collect()
    }

    const ALL: &str = "hardgrain, hardgrain-io, xtask";

    #[test]
    fn a_right_map_passes() {
        for line in [
            "See crates/hardgrain/src/solver/sweep.rs.",
            "`crates/hardgrain/src/` holds the physics, in crates/, in [a](crates/hardgrain-io).",
            "`sweep.rs`, `solver/sweep.rs`, `xtask/src/main.rs`, any `*.rs`, gone.rs without quotes",
            "crates/*/src, crates/hardgrain-{a,b}, `crates/...`, all crates-to-be",
            "https://example.org/crates/gone",
        ] {
            assert_eq!(said(&format!("{ALL}\n{line}\n")), [""; 0], "{line}");
        }
    }

    #[test]
    fn crates_left_out_are_found() {
        assert_eq!(
            said("hardgrain-io, xtask"),
            ["ARCHITECTURE.md:1: `hardgrain` is not on the map; say in a line what it holds"]
        );
        assert!(said("hardgrain, xtask")[0].contains("`hardgrain-io` is not on the map"));
        assert!(said("hardgrain, hardgrain-io")[0].contains("`xtask` is not on the map"));
    }

    #[test]
    fn places_that_do_not_exist_are_found() {
        for place in ["crates/hardgrain-rigid", "crates/hardgrain/src/gone.rs", "`gone.rs`", "`olver/sweep.rs`"] {
            let name = place.trim_matches('`');
            let expected = format!("ARCHITECTURE.md:2: `{name}` does not exist; correct the map");
            assert_eq!(said(&format!("{ALL}\nin {place}, once\n")), [expected]);
        }
    }

    #[test]
    fn a_missing_map_is_found() {
        assert_eq!(check(&[])[0].to_string(), "ARCHITECTURE.md:1: missing; write the map of the code");
    }
}
