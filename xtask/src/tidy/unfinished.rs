//! Nothing is left for later in the tree: what is missing is an issue, not a mark in a file.

use crate::tidy::Complaint;
use crate::tree::{File, extension};

/// Marks in any text, in two pieces each so that this file does not hold them.
const MARKS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME")];

/// Complains about tests that are switched off and marks for later.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    files.iter().flat_map(|file| ignored_tests(file).into_iter().chain(marks(file))).collect()
}

fn ignored_tests(file: &File) -> Vec<Complaint> {
    let texts = file.texts();
    let attributes = texts.windows(3).zip(&file.tokens).filter(|(window, _)| *window == ["#", "[", "ignore"]);
    attributes
        .map(|(_, token)| {
            Complaint::new(&file.path, token.line, "a test is switched off", "make it run, or take it out")
        })
        .collect()
}

fn marks(file: &File) -> Vec<Complaint> {
    let lines = file.text.lines().zip(1..).filter(|_| matches!(extension(&file.path), "rs" | "toml" | "md"));
    let words = lines.flat_map(|(line, number)| {
        let words = line.split(|letter: char| !letter.is_alphanumeric() && letter != '_');
        words.map(move |word| (word, number))
    });
    words
        .filter(|(word, _)| MARKS.contains(word))
        .map(|(word, number)| Complaint::new(&file.path, number, format!("`{word}`"), "finish it or take it out"))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str, text: &str) -> Vec<String> {
        check(&[File::new(path, text)]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn finished_work_passes() {
        assert_eq!(said("a.rs", "// never #[ignore]\n#[test]\nfn ignored() {}\n"), [""; 0]);
        assert_eq!(said("a.md", "A todo list, AUTODOCK, mastodons.\n"), [""; 0]);
        assert_eq!(said("a.svg", MARKS[0]), [""; 0]);
    }

    #[test]
    fn switched_off_tests_are_found() {
        for attribute in ["#[ignore]", "#[ignore = \"slow\"]"] {
            let text = format!("#[test]\n{attribute}\nfn f() {{}}\n");
            assert_eq!(said("a.rs", &text), ["a.rs:2: a test is switched off; make it run, or take it out"]);
        }
    }

    #[test]
    fn marks_are_found_in_comments_manifests_and_pages() {
        for path in ["a.rs", "Cargo.toml", "README.md"] {
            for mark in MARKS {
                let text = format!("\n// {mark}: later\n");
                assert_eq!(said(path, &text), [format!("{path}:2: `{mark}`; finish it or take it out")]);
            }
        }
    }
}
