//! No file knows on which machine it was written.

use crate::tidy::Complaint;
use crate::tree::File;

/// Folders of one machine, in two pieces each so that this file does not hold them.
const FOLDERS: &[&str] = &[concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/wo", "rk/"), concat!("/tm", "p/")];

/// Complains about absolute paths of a machine, in any text.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    let lines =
        files.iter().flat_map(|file| file.text.lines().zip(1..).map(move |(line, number)| (file, line, number)));
    let paths = lines.flat_map(|(file, line, number)| {
        let starts = FOLDERS.iter().flat_map(|folder| line.match_indices(folder));
        starts.filter(|(place, _)| is_absolute(&line[..*place])).map(move |(_, folder)| {
            let wrong = format!("a path of one machine, {folder}…");
            Complaint::new(&file.path, number, wrong, "write it as seen from the root of the tree")
        })
    });
    paths.collect()
}

/// Whether a path starts here, and not a later part of a longer one or of an address on the web.
fn is_absolute(before: &str) -> bool {
    !before.ends_with(|letter: char| letter.is_alphanumeric() || matches!(letter, '_' | '.' | '-' | '}' | ')'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_inside_the_tree_and_addresses_pass() {
        for folder in FOLDERS {
            for text in
                [format!("crates{folder}a"), format!("https://example.org{folder}a"), format!("${{here}}{folder}a")]
            {
                assert_eq!(check(&[File::new("a.md", &text)]), [], "{text}");
            }
        }
    }

    #[test]
    fn paths_of_a_machine_are_found_in_every_kind_of_file() {
        for folder in FOLDERS {
            for path in ["a.rs", "a.md", ".ci/run", "plot.svg"] {
                for text in [format!("\n{folder}a"), format!("\n\"{folder}a\""), format!("\nfile://{folder}a")] {
                    let complaints = check(&[File::new(path, &text)]);
                    assert_eq!(complaints.len(), 1, "{text}");
                    assert_eq!((complaints[0].path.as_str(), complaints[0].line), (path, 2));
                }
            }
        }
    }
}
