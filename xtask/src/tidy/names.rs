//! Files, folders and modules are called after what is in them.

use crate::tidy::Complaint;
use crate::tree::File;

/// Names that say nothing about the contents.
const EMPTY_NAMES: &[&str] = &["utils", "common", "helpers", "manager", "context"];

const REMEDY: &str = "name it after the thing it holds";

/// Complains about files, folders and modules with empty names.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    files.iter().flat_map(|file| in_path(&file.path).into_iter().chain(in_code(file))).collect()
}

fn in_path(path: &str) -> Option<Complaint> {
    let stems = path.split('/').map(|part| part.split('.').next().unwrap_or(part));
    let name = stems.into_iter().find(|stem| EMPTY_NAMES.contains(stem))?;
    Some(Complaint::new(path, 1, format!("`{name}` is an empty name"), REMEDY))
}

fn in_code(file: &File) -> Vec<Complaint> {
    let pairs = file.tokens.windows(2).filter(|pair| pair[0].text == "mod");
    pairs
        .filter(|pair| EMPTY_NAMES.contains(&pair[1].text.as_str()))
        .map(|pair| {
            Complaint::new(&file.path, pair[0].line, format!("`mod {}` is an empty name", pair[1].text), REMEDY)
        })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_things_pass() {
        let text = "// mod utils;\nmod contact;\nmod common_normal;\nlet context = 1;\n";
        assert_eq!(check(&[File::new("crates/hardgrain/src/contact.rs", text)]), []);
    }

    #[test]
    fn empty_names_of_files_and_folders_are_found() {
        for path in ["crates/a/src/utils.rs", "crates/a/tests/common/mod.rs", "helpers/a.toml", "context.md"] {
            let complaints = check(&[File::new(path, "")]);
            assert_eq!(complaints.len(), 1, "{path}");
            assert!(complaints[0].wrong.contains("empty name"));
        }
    }

    #[test]
    fn empty_names_of_modules_are_found_where_they_stand() {
        let complaints = check(&[File::new("a.rs", "mod law;\npub mod helpers {\n}\n")]);
        assert_eq!(
            complaints[0].to_string(),
            "a.rs:2: `mod helpers` is an empty name; name it after the thing it holds"
        );
    }
}
