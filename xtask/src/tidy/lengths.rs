//! No file of Rust is longer than a reader's patience.

use crate::tidy::Complaint;
use crate::tree::File;

const MOST_LINES: usize = 500;

/// Complains about Rust files that are too long.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    let too_long = |file: &File| {
        let lines = file.text.lines().count();
        (lines > MOST_LINES).then(|| {
            let wrong = format!("{lines} lines, more than {MOST_LINES}");
            Complaint::new(&file.path, MOST_LINES + 1, wrong, "divide it by physical thing")
        })
    };
    files.iter().filter(|file| file.is_rust()).filter_map(too_long).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_longest_file_allowed_passes() {
        let files = [File::new("a.rs", &"\n".repeat(500)), File::new("long.md", &"\n".repeat(900))];
        assert_eq!(check(&files), []);
    }

    #[test]
    fn one_line_more_is_too_long() {
        let complaints = check(&[File::new("a.rs", &"\n".repeat(501))]);
        assert_eq!(complaints[0].to_string(), "a.rs:501: 501 lines, more than 500; divide it by physical thing");
    }
}
