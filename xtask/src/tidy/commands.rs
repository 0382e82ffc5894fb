//! The commands that the README promises are written there, and the tests among them are what CI runs.

use crate::tidy::Complaint;
use crate::tree::File;

const REPRODUCE: &str = "cargo run --release -- reproduce";
const TEST: &str = "cargo test --release --workspace";

/// Which file must hold which command.
const PROMISES: &[(&str, &str)] = &[("README.md", REPRODUCE), ("README.md", TEST), (".ci/run", TEST)];

/// Complains about promised commands that are missing.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    let broken = PROMISES.iter().filter_map(|(path, command)| {
        let Some(file) = files.iter().find(|file| file.path == *path) else {
            let remedy = format!("write it, with `{command}` in it");
            return Some(Complaint::new(path, 1, "missing", remedy));
        };
        let holds = file.text.contains(command);
        (!holds).then(|| Complaint::new(path, 1, format!("`{command}` is not in it"), "put it there"))
    });
    broken.collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn files(readme: &str, ci: &str) -> [File; 2] {
        [File::new("README.md", readme), File::new(".ci/run", ci)]
    }

    #[test]
    fn kept_promises_pass() {
        let readme = format!("    {REPRODUCE}\n    {TEST}\n");
        assert_eq!(check(&files(&readme, &format!("{TEST} --locked\n"))), []);
    }

    #[test]
    fn broken_promises_are_found() {
        assert_eq!(check(&files(TEST, TEST)).len(), 1);
        assert_eq!(check(&files(REPRODUCE, TEST)).len(), 1);
        assert_eq!(check(&files(&format!("{REPRODUCE}\n{TEST}\n"), "cargo test\n"))[0].path, ".ci/run");
    }

    #[test]
    fn missing_files_are_found() {
        assert_eq!(check(&[]).iter().filter(|complaint| complaint.wrong == "missing").count(), 3);
    }
}
