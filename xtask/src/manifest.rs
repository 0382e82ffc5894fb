//! What the rules ask of a `Cargo.toml`: its package, its dependencies, and what it takes from the workspace.

use toml::de::{DeTable, DeValue};

/// In which table of a manifest a dependency stands.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum DependencyKind {
    /// For the crate itself.
    Normal,
    /// For its tests, examples and benchmarks.
    Dev,
    /// For its build script.
    Build,
}

/// Something that a crate depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// The name of the package, also where the crate calls it otherwise.
    pub name: String,
    /// What it is needed for.
    pub kind: DependencyKind,
    /// The line where it is first named.
    pub line: usize,
}

/// A manifest, as far as the rules ask.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Manifest {
    /// The name of the package.
    pub name: String,
    /// What it depends on, in the order of the file.
    pub dependencies: Vec<Dependency>,
    /// Whether it takes its lints from the workspace.
    pub inherits_lints: bool,
    /// Whether it takes its licence from the workspace.
    pub inherits_licence: bool,
}

impl Manifest {
    /// Reads a manifest; an empty one if it is no TOML, which cargo would have noticed.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let root = DeTable::parse(text).map(|root| DeValue::Table(root.into_inner()));
        let Ok(root) = root else { return Self::default() };
        let is_inherited = |value: Option<&DeValue>| {
            value.and_then(|value| value.get("workspace")).and_then(|value| value.get_ref().as_bool()) == Some(true)
        };
        let package = |key| Some(root.get("package")?.get_ref().get(key)?.get_ref());
        let mut manifest = Self {
            name: package("name").and_then(DeValue::as_str).unwrap_or_default().to_owned(),
            dependencies: Vec::new(),
            inherits_lints: is_inherited(root.get("lints").map(AsRef::as_ref)),
            inherits_licence: is_inherited(package("license")),
        };
        manifest.add_dependencies(text, &root);
        for target in
            root.get("target").and_then(|value| value.get_ref().as_table()).into_iter().flat_map(DeTable::values)
        {
            manifest.add_dependencies(text, target.get_ref());
        }
        manifest.dependencies.sort_by_key(|dependency| dependency.line);
        manifest
    }

    fn add_dependencies(&mut self, text: &str, tables: &DeValue) {
        for (table, kind) in [
            ("dependencies", DependencyKind::Normal),
            ("dev-dependencies", DependencyKind::Dev),
            ("build-dependencies", DependencyKind::Build),
        ] {
            let table = tables.get(table).and_then(|table| table.get_ref().as_table());
            self.dependencies.extend(table.into_iter().flatten().map(|(alias, value)| {
                let package = value.get_ref().get("package").and_then(|package| package.get_ref().as_str());
                let name = package.unwrap_or(alias.get_ref()).to_owned();
                Dependency { name, kind, line: text[..alias.span().start].matches('\n').count() + 1 }
            }));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, DependencyKind, usize)> {
        let dependencies = Manifest::read(text).dependencies;
        dependencies.into_iter().map(|d| (d.name, d.kind, d.line)).collect()
    }

    #[test]
    fn every_form_of_dependency_is_read() {
        let text = "[package]
name = \"hardgrain-io\"
[dependencies]
clap.workspace = true
faer = { version = \"0.23\", features = [
    \"std\", # not = \"a key\"
] }
toml = \"0.9\"
[dev-dependencies]
divan = \"0.1\"
[build-dependencies.cc]
version = \"1\"
optional = true
[target.'cfg(target_os = \"linux\")'.dependencies]
mpi = \"0.8\"
[[bench]]
name = \"sweep\"
";
        let expected = [
            ("clap", DependencyKind::Normal, 4),
            ("faer", DependencyKind::Normal, 5),
            ("toml", DependencyKind::Normal, 8),
            ("divan", DependencyKind::Dev, 10),
            ("cc", DependencyKind::Build, 11),
            ("mpi", DependencyKind::Normal, 15),
        ];
        assert_eq!(found(text), expected.map(|(name, kind, line)| (name.to_owned(), kind, line)));
        assert_eq!(Manifest::read(text).name, "hardgrain-io");
    }

    #[test]
    fn a_dependency_under_another_name_is_seen_through() {
        let inline = "[dependencies]\ncore = { path = \"..\", package = \"hardgrain\" }\n";
        let table = "[dependencies]\n[dependencies.core]\npath = \"..\"\npackage = \"hardgrain\"\n";
        assert_eq!(found(inline), [("hardgrain".to_owned(), DependencyKind::Normal, 2)]);
        assert_eq!(found(table), [("hardgrain".to_owned(), DependencyKind::Normal, 2)]);
    }

    #[test]
    fn inheritance_is_read_in_every_form() {
        for text in [
            "lints.workspace = true\n[package]\nlicense.workspace = true\n",
            "[package]\nlicense = { workspace = true }\n[lints]\nworkspace = true\n",
        ] {
            let manifest = Manifest::read(text);
            assert!(manifest.inherits_lints && manifest.inherits_licence, "{text}");
        }
    }

    #[test]
    fn what_is_written_out_is_not_inherited() {
        for text in [
            "[package]\nlicense = \"MIT\"\n[lints.rust]\nunsafe_code = \"deny\"\n",
            "[package]\n# license.workspace = true\n# [lints]\n# workspace = true\n",
            "lints.workspace = false\n[package]\nlicense.workspace = false\n",
        ] {
            let manifest = Manifest::read(text);
            assert!(!manifest.inherits_lints && !manifest.inherits_licence, "{text}");
        }
    }
}
