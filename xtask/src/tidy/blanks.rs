//! White space that nobody sees: tabs, blanks at the end of a line, blank lines at the end of a file.

use crate::tidy::Complaint;
use crate::tree::File;

/// Complains about white space in Rust, Markdown and TOML.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    let written = files.iter().filter(|file| file.has_extension(&["rs", "md", "toml"]));
    written.flat_map(|file| in_lines(file).into_iter().chain(at_end(file))).collect()
}

fn in_lines(file: &File) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for (line, number) in file.text.split('\n').zip(1..) {
        if line.contains('\t') {
            complaints.push(Complaint::new(&file.path, number, "tab", "use spaces"));
        }
        if line.ends_with([' ', '\t', '\r']) {
            complaints.push(Complaint::new(&file.path, number, "blank at the end of the line", "cut it off"));
        }
    }
    complaints
}

fn at_end(file: &File) -> Option<Complaint> {
    let last_line = file.text.lines().count().max(1);
    let complain = |wrong, remedy| Some(Complaint::new(&file.path, last_line, wrong, remedy));
    if !file.text.ends_with('\n') {
        complain("no newline at the end of the file", "add one")
    } else if file.text == "\n" || file.text.ends_with("\n\n") {
        complain("blank lines at the end of the file", "keep one newline")
    } else {
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(text: &str) -> Vec<String> {
        check(&[File::new("a.md", text)]).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn clean_text_passes() {
        assert_eq!(said("# Title\n\n    code\n"), [""; 0]);
        assert_eq!(check(&[File::new("a.tsv", "a\tb \n\n")]), []);
    }

    #[test]
    fn each_fault_is_found() {
        assert_eq!(said("a\n\tb\n"), ["a.md:2: tab; use spaces"]);
        assert_eq!(said("a \nb\n"), ["a.md:1: blank at the end of the line; cut it off"]);
        assert_eq!(said("a\r\n"), ["a.md:1: blank at the end of the line; cut it off"]);
        assert_eq!(said("a\nb"), ["a.md:2: no newline at the end of the file; add one"]);
        assert_eq!(said("a\n\n"), ["a.md:2: blank lines at the end of the file; keep one newline"]);
        assert_eq!(said(""), ["a.md:1: no newline at the end of the file; add one"]);
    }
}
