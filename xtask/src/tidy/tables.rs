//! The tables of ARCHITECTURE.md: every file and folder of a crate stands in the table of that crate, and the page stays short.

use crate::tidy::Complaint;
use crate::tree::File;

const MAP: &str = "ARCHITECTURE.md";

const MOST_BYTES: usize = 12 * 1024;

/// The table of a crate stands below such a heading, as in `### crates/hardgrain`.
const HEADING: &str = "### crates/";

/// Complains about a map that is too long, and about files and folders that exist only in a table or only in the tree.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    let Some(map) = files.iter().find(|file| file.path == MAP) else { return Vec::new() };
    let mut complaints = Vec::new();
    if map.text.len() > MOST_BYTES {
        let wrong = format!("{} bytes, more than {MOST_BYTES}", map.text.len());
        complaints.push(Complaint::new(MAP, 1, wrong, "move reasons to docs/decisions"));
    }
    for manifest in files.iter().filter(|file| file.is_crate_manifest()) {
        let name = manifest.path.split('/').nth(1).unwrap_or_default();
        let folder = format!("crates/{name}/src/");
        let inside: Vec<(&str, &File)> =
            files.iter().filter_map(|file| Some((file.path.strip_prefix(&folder)?, file))).collect();
        complaints.extend(compare(&map.text, name, &inside));
    }
    complaints
}

/// The table of one crate against its files, whose paths are seen from its `src/`.
fn compare(map: &str, name: &str, files: &[(&str, &File)]) -> Vec<Complaint> {
    let heading = map.lines().position(|line| line.strip_prefix(HEADING) == Some(name));
    let table = map.lines().zip(1..).skip(heading.map_or(usize::MAX, |heading| heading + 1));
    let table = table.take_while(|(line, _)| !line.starts_with('#')).filter(|(line, _)| line.starts_with('|'));
    let places: Vec<(&str, usize)> =
        table.flat_map(|(line, number)| first_column(line).map(move |place| (place, number))).collect();
    let exists =
        |place: &str| files.iter().any(|(path, _)| *path == place || (place.ends_with('/') && path.starts_with(place)));
    let gone = places.iter().filter(|(place, _)| !exists(place)).map(|(place, number)| {
        Complaint::new(MAP, *number, format!("`{place}` does not exist in crates/{name}/src"), "correct the map")
    });
    let rust = files.iter().filter(|(_, file)| file.is_rust());
    let mut tops: Vec<&str> = rust.map(|(path, _)| path.split_inclusive('/').next().unwrap_or(path)).collect();
    tops.dedup();
    tops.retain(|top| !matches!(*top, "lib.rs" | "main.rs"));
    tops.retain(|top| !places.iter().any(|(place, _)| place == top || (top.ends_with('/') && place.starts_with(top))));
    let line = heading.map_or(1, |heading| heading + 1);
    let missing = tops.into_iter().map(|top| {
        Complaint::new(MAP, line, format!("`{top}` is not in the table of `{name}`"), "say in a word what it holds")
    });
    gone.chain(missing).collect()
}

/// What stands between backticks in the first column of a row.
fn first_column(row: &str) -> impl Iterator<Item = &str> {
    row.split('|').nth(1).unwrap_or_default().split('`').skip(1).step_by(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(table: &str) -> Vec<String> {
        let files = [
            File::new(MAP, &format!("# Map\n\n### crates/own-io\n\n| `gone.rs` | |\n\n### crates/own\n\n{table}")),
            File::new("crates/own/Cargo.toml", ""),
            File::new("crates/own/src/lib.rs", ""),
            File::new("crates/own/src/law.rs", ""),
            File::new("crates/own/src/solver/mod.rs", ""),
            File::new("crates/own/src/solver/order.rs", ""),
        ];
        check(&files).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn a_right_table_passes() {
        assert_eq!(
            said(
                "| files | what |\n|---|---|\n| `law.rs`, `solver/` | the `gone.rs` law |\n\n## Next\n| `gone.rs` | |\n"
            ),
            [""; 0]
        );
        assert_eq!(said("| `law.rs` | one |\n| `solver/order.rs` | other |\n"), [""; 0]);
    }

    #[test]
    fn what_does_not_exist_is_found() {
        for place in ["gone.rs", "order.rs", "sol/", "solver/gone.rs"] {
            let expected = format!("ARCHITECTURE.md:10: `{place}` does not exist in crates/own/src; correct the map");
            assert_eq!(said(&format!("| `law.rs`, `solver/` | |\n| `{place}` | |\n")), [expected]);
        }
    }

    #[test]
    fn what_is_not_in_the_table_is_found() {
        let missing = "ARCHITECTURE.md:7: `solver/` is not in the table of `own`; say in a word what it holds";
        assert_eq!(said("| `law.rs` | |\n"), [missing]);
        assert_eq!(said("The law is in `law.rs`.\n").len(), 2);
    }

    #[test]
    fn a_map_that_is_too_long_is_found() {
        let long = format!("| `law.rs`, `solver/` | |\n{}", " ".repeat(MOST_BYTES));
        assert!(said(&long)[0].contains("bytes, more than 12288"));
    }
}
