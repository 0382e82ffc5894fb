//! The house rules that no compiler knows. Each is a pure function from the files of the repository to complaints.

pub mod arrows;
pub mod circles;
pub mod commands;
pub mod inherited;
pub mod lengths;
pub mod levels;
pub mod machine_paths;
pub mod map;
pub mod names;
pub mod purity;
pub mod size;
pub mod tables;
pub mod twins;
pub mod unfinished;

use std::fmt;

use crate::tree::File;

/// Something that breaks a rule, where, and what to do about it.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct Complaint {
    /// The file, seen from the root.
    pub path: String,
    /// The line, counted from 1.
    pub line: usize,
    /// What is wrong.
    pub wrong: String,
    /// What to do about it.
    pub remedy: String,
}

impl Complaint {
    /// A complaint about one line of a file.
    #[must_use]
    pub fn new(path: &str, line: usize, wrong: impl Into<String>, remedy: impl Into<String>) -> Self {
        Self { path: path.to_owned(), line, wrong: wrong.into(), remedy: remedy.into() }
    }
}

impl fmt::Display for Complaint {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "{}:{}: {}; {}", self.path, self.line, self.wrong, self.remedy)
    }
}

/// A house rule.
pub type Rule = fn(&[File]) -> Vec<Complaint>;

/// All of them.
pub const RULES: &[Rule] = &[
    arrows::check,
    circles::check,
    commands::check,
    inherited::check,
    lengths::check,
    levels::check,
    machine_paths::check,
    map::check,
    names::check,
    purity::check,
    size::check,
    tables::check,
    twins::check,
    unfinished::check,
];

/// What all rules have to say about these files, in the order of paths and lines.
#[must_use]
pub fn complaints(files: &[File]) -> Vec<Complaint> {
    let mut all: Vec<Complaint> = RULES.iter().flat_map(|rule| rule(files)).collect();
    all.sort();
    all
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complaint_names_place_fault_and_remedy() {
        let complaint = Complaint::new("crates/hardgrain/src/law.rs", 7, "tab", "use spaces");
        assert_eq!(complaint.to_string(), "crates/hardgrain/src/law.rs:7: tab; use spaces");
    }

    #[test]
    fn all_rules_are_asked_and_their_answers_sorted() {
        let long = "\n".repeat(501);
        let files = [File::new("z/utils.rs", &long), File::new("a.rs", "#[ignore]\nfn f() {}\n")];
        let said: Vec<String> = complaints(&files).iter().map(ToString::to_string).collect();
        assert!(said.is_sorted());
        for part in ["a.rs:1: a test is switched off", "z/utils.rs:1: `utils`", "501 lines", "README.md:1: missing"] {
            assert!(said.iter().any(|line| line.contains(part)), "{part} not in {said:#?}");
        }
    }
}
