//! What the rules ask of a `Cargo.toml`: its package, its dependencies, and what it takes from the workspace.
//!
//! This reads the few forms that manifests use, not all of TOML: cargo itself has read the file before us.

/// One `key = value` of a manifest.
#[derive(Debug, PartialEq, Eq)]
struct Entry {
    /// Table and key in one, as in `dependencies.clap.version`.
    keys: Vec<String>,
    value: String,
    line: usize,
}

/// In which part of a manifest a dependency is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Purpose {
    /// For the crate itself.
    Code,
    /// For its tests, examples and benchmarks.
    Tests,
    /// For its build script.
    Build,
}

/// Something that a crate depends on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Dependency {
    /// What the crate calls it.
    pub alias: String,
    /// The name of the package: the same, unless `package` says otherwise.
    pub name: String,
    /// What it is needed for.
    pub purpose: Purpose,
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
    /// Reads a manifest.
    #[must_use]
    pub fn read(text: &str) -> Self {
        let mut manifest = Self::default();
        for entry in entries(text) {
            let keys: Vec<&str> = entry.keys.iter().map(String::as_str).collect();
            match keys[..] {
                ["package", "name"] => manifest.name = unquoted(&entry.value),
                ["package", "license", ..] => manifest.inherits_licence = from_workspace(&entry),
                ["lints", ..] => manifest.inherits_lints = from_workspace(&entry),
                ["target", _, ref rest @ ..] => manifest.add_dependency(rest, &entry),
                ref all => manifest.add_dependency(all, &entry),
            }
        }
        manifest
    }

    fn add_dependency(&mut self, keys: &[&str], entry: &Entry) {
        let [table, alias, property @ ..] = keys else {
            return;
        };
        let purpose = match *table {
            "dependencies" => Purpose::Code,
            "dev-dependencies" => Purpose::Tests,
            "build-dependencies" => Purpose::Build,
            _ => return,
        };
        let package = match property {
            ["package"] => Some(unquoted(&entry.value)),
            _ => renamed(&entry.value),
        };
        // A `[dependencies.foo]` table brings one entry per property; all are one dependency.
        let known = self.dependencies.iter_mut().find(|d| d.alias == *alias && d.purpose == purpose);
        if let Some(known) = known {
            known.name = package.unwrap_or_else(|| known.name.clone());
        } else {
            let name = package.unwrap_or_else(|| (*alias).to_owned());
            self.dependencies.push(Dependency { alias: (*alias).to_owned(), name, purpose, line: entry.line });
        }
    }
}

fn unquoted(value: &str) -> String {
    value.trim().trim_matches(['"', '\'']).to_owned()
}

/// Whether the value is taken from the workspace, as in `license.workspace = true` or `lints = { workspace = true }`.
fn from_workspace(entry: &Entry) -> bool {
    let dotted = entry.keys.last().is_some_and(|key| key == "workspace") && entry.value == "true";
    dotted || property(&entry.value, "workspace").is_some_and(|value| value == "true")
}

/// The package behind an inline table such as `{ package = "hardgrain", path = ".." }`.
fn renamed(value: &str) -> Option<String> {
    property(value, "package").map(unquoted)
}

/// The value of a key in an inline table.
fn property<'a>(value: &'a str, key: &str) -> Option<&'a str> {
    let inside = value.strip_prefix('{')?.strip_suffix('}')?;
    inside
        .split(',')
        .filter_map(|pair| pair.split_once('='))
        .find(|(found, _)| found.trim() == key)
        .map(|(_, value)| value.trim())
}

/// The entries of a manifest, each with its table and its line.
fn entries(text: &str) -> Vec<Entry> {
    let mut entries: Vec<Entry> = Vec::new();
    let mut table = Vec::new();
    let mut depth = 0;
    for (index, line) in text.lines().enumerate() {
        let line = without_comment(line).trim();
        if depth > 0 {
            // A list or an inline table that goes on over several lines.
            depth += nesting(line);
            if let Some(last) = entries.last_mut() {
                last.value += line;
            }
        } else if line.starts_with('[') {
            table = keys(line.trim_matches(['[', ']']));
        } else if let Some((key, value)) = line.split_once('=') {
            depth = nesting(value);
            let keys = table.iter().cloned().chain(keys(key)).collect();
            entries.push(Entry { keys, value: value.trim().to_owned(), line: index + 1 });
        }
    }
    entries
}

/// The parts of a dotted key; dots inside quotes do not divide.
fn keys(dotted: &str) -> Vec<String> {
    let mut quote = None;
    let divides = |letter: char| {
        match quote {
            None if matches!(letter, '"' | '\'') => quote = Some(letter),
            Some(open) if open == letter => quote = None,
            _ => {}
        }
        letter == '.' && quote.is_none()
    };
    dotted.split(divides).map(unquoted).collect()
}

fn without_comment(line: &str) -> &str {
    let mut quote = None;
    for (place, letter) in line.char_indices() {
        match quote {
            None if letter == '#' => return &line[..place],
            None if matches!(letter, '"' | '\'') => quote = Some(letter),
            Some(open) if open == letter => quote = None,
            _ => {}
        }
    }
    line
}

/// How many brackets and braces open more than close.
fn nesting(value: &str) -> i32 {
    value.chars().map(|letter| i32::from(matches!(letter, '[' | '{')) - i32::from(matches!(letter, ']' | '}'))).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(String, Purpose, usize)> {
        let dependencies = Manifest::read(text).dependencies;
        dependencies.into_iter().map(|d| (d.name, d.purpose, d.line)).collect()
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
            ("clap", Purpose::Code, 4),
            ("faer", Purpose::Code, 5),
            ("toml", Purpose::Code, 8),
            ("divan", Purpose::Tests, 10),
            ("cc", Purpose::Build, 12),
            ("mpi", Purpose::Code, 15),
        ];
        assert_eq!(found(text), expected.map(|(name, purpose, line)| (name.to_owned(), purpose, line)));
        assert_eq!(Manifest::read(text).name, "hardgrain-io");
    }

    #[test]
    fn lists_over_several_lines_hold_no_keys() {
        let text = "[dependencies]
faer = { version = \"0.23\", features = [
    \"std\", # ]]
    \"x = y\",
] }
toml = \"0.9\"
";
        let expected = [("faer", 2), ("toml", 6)];
        assert_eq!(found(text), expected.map(|(name, line)| (name.to_owned(), Purpose::Code, line)));
    }

    #[test]
    fn inside_quotes_neither_dots_divide_nor_comments_start() {
        let text = "[target.'cfg(a = \"b.c\")'.dependencies]
odd = { registry = \"it's # here\", package = \"faer\" }
toml = \"0.9\"
";
        let expected = [("faer", 2), ("toml", 3)];
        assert_eq!(found(text), expected.map(|(name, line)| (name.to_owned(), Purpose::Code, line)));
    }

    #[test]
    fn a_dependency_under_another_name_is_seen_through() {
        let inline = "[dependencies]\ncore = { path = \"..\", package = \"hardgrain\" }\n";
        let table = "[dependencies.core]\npath = \"..\"\npackage = \"hardgrain\"\n";
        assert_eq!(found(inline), [("hardgrain".to_owned(), Purpose::Code, 2)]);
        assert_eq!(found(table), [("hardgrain".to_owned(), Purpose::Code, 2)]);
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
