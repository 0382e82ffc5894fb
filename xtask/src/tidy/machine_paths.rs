//! No file knows on which machine it was written.

use crate::tidy::Complaint;
use crate::tree::File;
use crate::words;

/// Folders of one machine, in two pieces each so that this file does not hold them.
const FOLDERS: &[&str] = &[concat!("/ro", "ot/"), concat!("/ho", "me/"), concat!("/wo", "rk/"), concat!("/tm", "p/")];

/// Complains about absolute paths of a machine, in any text.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for file in files {
        for folder in FOLDERS {
            let places = file.text.match_indices(folder).map(|(place, _)| place);
            for place in places.filter(|&place| is_absolute(&file.text[..place])) {
                let line = words::line_of(&file.text, place);
                let wrong = format!("a path of one machine, {folder}…");
                complaints.push(Complaint::new(&file.path, line, wrong, "write it as seen from the root of the tree"));
            }
        }
    }
    complaints
}

/// Whether a path starts here, and not a later part of a longer one or of an address on the web.
fn is_absolute(before: &str) -> bool {
    !before.ends_with(|letter| words::continues(letter) || matches!(letter, '.' | '-' | '}' | ')'))
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
