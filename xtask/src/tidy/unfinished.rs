//! Nothing is left for later in the tree: what is missing is an issue, not a mark in a file.

use crate::tidy::Complaint;
use crate::tree::File;
use crate::words;

/// Macros that say "not yet".
const MACROS: &[&str] = &["todo", "unimplemented", "dbg"];

/// Marks in any text, in two pieces each so that this file does not hold them.
const MARKS: &[&str] = &[concat!("TO", "DO"), concat!("FIX", "ME")];

const REMEDY: &str = "finish it or take it out";

/// Complains about unfinished code, switched-off tests and marks for later.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    let rules = [unfinished_code, switched_off_tests, marks];
    files.iter().flat_map(|file| rules.iter().flat_map(|rule| rule(file))).collect()
}

fn unfinished_code(file: &File) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for name in MACROS {
        let calls = words::places(&file.code, name).filter(|place| file.code[place + name.len()..].starts_with("!("));
        for place in calls {
            let line = words::line_of(&file.code, place);
            complaints.push(Complaint::new(&file.path, line, format!("`{name}!`"), REMEDY));
        }
    }
    complaints
}

fn switched_off_tests(file: &File) -> Vec<Complaint> {
    let attributes = file.code.match_indices("#[ignore");
    let lines = attributes.map(|(place, _)| words::line_of(&file.code, place));
    lines
        .map(|line| Complaint::new(&file.path, line, "a test is switched off", "make it run, or take it out"))
        .collect()
}

fn marks(file: &File) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    if file.has_extension(&["rs", "toml", "md"]) {
        for mark in MARKS {
            for place in words::places(&file.text, mark) {
                let line = words::line_of(&file.text, place);
                complaints.push(Complaint::new(&file.path, line, format!("`{mark}`"), REMEDY));
            }
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(path: &str, text: &str) -> Vec<String> {
        check(&[File::new(path, text)]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn finished_work_passes() {
        assert_eq!(said("a.rs", "// never write todo!() here\nfn todo() {}\n#[test]\nfn ignored() {}\n"), [""; 0]);
        assert_eq!(said("a.md", "A todo list, AUTODOCK, mastodons.\n"), [""; 0]);
        assert_eq!(said("a.svg", MARKS[0]), [""; 0]);
    }

    #[test]
    fn unfinished_code_is_found() {
        for name in MACROS {
            let text = format!("fn f() {{\n    {name}!();\n}}\n");
            assert_eq!(said("a.rs", &text), [format!("a.rs:2: `{name}!`; finish it or take it out")]);
        }
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
