//! How much code there is: the whole stays small enough to be known.

use std::collections::{BTreeMap, BTreeSet};

use crate::code;
use crate::tidy::Complaint;
use crate::tree::File;

/// 36 500 when the house was put in order; and 1500 for simulations as a library, cancelling and the doors of the core.
const MOST_LINES: usize = 38_000;

/// Complains if all crates together have too many lines of code outside tests.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    let total: usize = lines_of_code(files).values().sum();
    let complaint = (total > MOST_LINES).then(|| {
        let wrong = format!("{total} lines of code outside tests, more than {MOST_LINES}");
        Complaint::new("Cargo.toml", 1, wrong, "write once what stands twice")
    });
    complaint.into_iter().collect()
}

/// The lines of code of each crate: without comments, blanks, test modules and the files in `tests/`.
#[must_use]
pub fn lines_of_code(files: &[File]) -> BTreeMap<&str, usize> {
    let mut lines = BTreeMap::new();
    for file in files.iter().filter(|file| file.is_rust() && !file.path.split('/').any(|folder| folder == "tests")) {
        *lines.entry(package(&file.path)).or_default() += lines_in(file);
    }
    lines
}

fn package(path: &str) -> &str {
    let mut folders = path.split('/');
    match folders.next() {
        Some("crates") => folders.next().unwrap_or_default(),
        first => first.unwrap_or_default(),
    }
}

fn lines_in(file: &File) -> usize {
    let code = &file.tokens[..code::before_tests(&file.texts())];
    let lines: BTreeSet<usize> = code.iter().flat_map(|token| token.line..=token.last_line).collect();
    let is_blank: Vec<bool> = file.text.lines().map(|line| line.trim().is_empty()).collect();
    lines.into_iter().filter(|line| !is_blank[line - 1]).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn neither_comments_nor_blanks_nor_tests_count() {
        let text = "//! What it is.\n\nfn f() { // why\n    /* a\n    b */\n    g(\"c\n\n    d\");\n}\n\n/// Doc.\n#[inline]\nfn h() {}\n\
                    #[cfg(test)]\nmod tests {\n    fn t() {}\n}\n";
        let files = [
            File::new("crates/own/src/a.rs", text),
            File::new("crates/own/benches/b.rs", "fn main() {}\n"),
            File::new("crates/own/tests/c.rs", text),
            File::new("xtask/src/main.rs", "fn main() {}\n"),
            File::new("README.md", "many\nlines\n"),
        ];
        assert_eq!(lines_of_code(&files).into_iter().collect::<Vec<_>>(), [("own", 7), ("xtask", 1)]);
    }

    #[test]
    fn too_much_code_is_found() {
        let of = |lines| check(&[File::new("crates/own/src/a.rs", &"f();\n".repeat(lines))]);
        assert_eq!(of(MOST_LINES), []);
        assert_eq!(of(MOST_LINES + 1).len(), 1);
    }
}
