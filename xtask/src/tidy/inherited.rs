//! Every crate takes its lints and its licence from the workspace, so that there is one of each.

use crate::manifest::Manifest;
use crate::tidy::Complaint;
use crate::tree::File;

/// Complains about manifests that go their own way.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    let ours = files.iter().filter(|file| file.is_crate_manifest() || file.path == "xtask/Cargo.toml");
    ours.flat_map(in_manifest).collect()
}

fn in_manifest(file: &File) -> impl Iterator<Item = Complaint> {
    let manifest = Manifest::read(&file.text);
    let lints = (!manifest.inherits_lints)
        .then(|| Complaint::new(&file.path, 1, "lints are not the workspace's", "add `lints.workspace = true`"));
    let licence = (!manifest.inherits_licence)
        .then(|| Complaint::new(&file.path, 1, "licence is not the workspace's", "write `license.workspace = true`"));
    lints.into_iter().chain(licence)
}

#[cfg(test)]
mod tests {
    use super::*;

    const GOOD: &str = "[package]\nlicense.workspace = true\n\n[lints]\nworkspace = true\n";

    #[test]
    fn manifests_that_inherit_pass() {
        assert_eq!(check(&[File::new("crates/hardgrain/Cargo.toml", GOOD), File::new("xtask/Cargo.toml", GOOD)]), []);
        assert_eq!(check(&[File::new("fuzz/Cargo.toml", "")]), []);
    }

    #[test]
    fn manifests_that_do_not_are_found() {
        for path in ["crates/hardgrain/Cargo.toml", "xtask/Cargo.toml"] {
            let own_licence = GOOD.replace("license.workspace = true", "license = \"MIT\"");
            assert!(check(&[File::new(path, &own_licence)])[0].wrong.contains("licence"));
            let own_lints = GOOD.replace("[lints]\nworkspace = true\n", "");
            assert!(check(&[File::new(path, &own_lints)])[0].wrong.contains("lints"));
            assert_eq!(check(&[File::new(path, "")]).len(), 2);
        }
    }
}
