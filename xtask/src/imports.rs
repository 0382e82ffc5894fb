//! Which file of a crate imports what from which other, followed through re-exports to the file that defines it.

use std::collections::{BTreeMap, BTreeSet};

use crate::modules::{Module, modules};
use crate::tree::File;

/// For each pair of files, by their paths from `src/`, the names that the first takes from the second.
pub type Imports<'a> = BTreeMap<&'a str, BTreeMap<&'a str, BTreeSet<String>>>;

/// What a path leads to.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Meaning {
    Module(Vec<String>),
    /// Something that this file defines.
    Item(usize),
}

/// The files of the crate whose sources stand in a folder such as `crates/hardgrain/src/`.
pub fn sources<'a>(files: &'a [File], folder: &str) -> Vec<(&'a str, &'a File)> {
    let inside = files.iter().filter_map(|file| Some((file.path.strip_prefix(folder)?, file)));
    inside.filter(|(_, file)| file.is_rust()).collect()
}

/// The folders with the sources of our crates.
pub fn source_folders(files: &[File]) -> BTreeSet<String> {
    let manifests = files.iter().filter_map(|file| file.path.strip_suffix("/Cargo.toml"));
    let ours = manifests.filter(|folder| folder.starts_with("crates/") || *folder == "xtask");
    ours.map(|folder| format!("{folder}/src/")).collect()
}

/// What the files of a crate import from each other. `mod`, `pub use` and what only tests see is no import.
#[must_use]
pub fn imports<'a>(files: &[(&'a str, &File)], crate_name: &str) -> Imports<'a> {
    let modules = modules(files);
    let resolver = Resolver::new(&modules, crate_name);
    let mut imports = Imports::new();
    for module in &modules {
        let mut add = |targets: BTreeSet<Meaning>, name: &str| {
            for target in targets {
                if let Meaning::Item(file) = target
                    && file != module.file
                {
                    let of_file = imports.entry(files[module.file].0).or_default();
                    of_file.entry(files[file].0).or_default().insert(name.to_owned());
                }
            }
        };
        for found in module.uses.iter().filter(|found| !found.is_public) {
            let name = found.path.last().map_or("", String::as_str);
            let targets = resolver.resolve(&module.path, &found.path);
            let is_glob = found.name == "*" && targets.iter().any(|target| matches!(target, Meaning::Module(_)));
            add(targets, name);
            for word in module.words.iter().filter(|_| is_glob) {
                let path: Vec<String> = found.path.iter().chain([word]).cloned().collect();
                add(resolver.resolve(&module.path, &path), word);
            }
        }
        for path in module.paths.iter().filter(|path| resolver.starts_at_module(module, path)) {
            add(resolver.resolve(&module.path, path), path.last().map_or("", String::as_str));
        }
    }
    imports
}

struct Resolver<'a> {
    /// The parts of each module: the root has one per program, others one.
    modules: BTreeMap<&'a [String], Vec<&'a Module>>,
    crate_name: &'a str,
}

impl<'a> Resolver<'a> {
    fn new(modules: &'a [Module], crate_name: &'a str) -> Self {
        let mut by_path: BTreeMap<&[String], Vec<&Module>> = BTreeMap::new();
        for module in modules {
            by_path.entry(&module.path).or_default().push(module);
        }
        Self { modules: by_path, crate_name }
    }

    /// A path that starts at a type was brought in by a `use`, which counts already. One that starts at a child of the module hands
    /// work down, as its `mod` says; only a `use` of the child ties the two.
    fn starts_at_module(&self, module: &Module, path: &[String]) -> bool {
        let leads_to = |target: &Meaning| matches!(target, Meaning::Module(_));
        !module.children.contains(&path[0]) && self.resolve(&module.path, &path[..1]).iter().any(leads_to)
    }

    fn resolve<'b>(&'b self, from: &[String], path: &'b [String]) -> BTreeSet<Meaning> {
        self.follow(from, path, &mut BTreeSet::new())
    }

    fn follow<'b>(
        &'b self,
        from: &[String],
        path: &'b [String],
        seen: &mut BTreeSet<(Vec<String>, &'b str)>,
    ) -> BTreeSet<Meaning> {
        let root = || BTreeSet::from([Meaning::Module(Vec::new())]);
        let mut targets = BTreeSet::from([Meaning::Module(from.to_vec())]);
        for (place, name) in path.iter().enumerate() {
            let next = targets.into_iter().flat_map(|target| match (target, name.as_str()) {
                // A variant, or what belongs to a type.
                (Meaning::Item(file), _) => BTreeSet::from([Meaning::Item(file)]),
                (_, "crate") => root(),
                (module, "self") => BTreeSet::from([module]),
                (Meaning::Module(path), "super") => {
                    BTreeSet::from([Meaning::Module(path[..path.len().saturating_sub(1)].to_vec())])
                }
                (Meaning::Module(path), name) => self.look_up(&path, name, seen),
            });
            targets = next.collect();
            if place == 0 && targets.is_empty() && name == self.crate_name {
                targets = root();
            }
        }
        targets
    }

    /// What a name means in a module: what it defines, its children, what it brings in. `seen` ends circles of names.
    fn look_up<'b>(
        &'b self,
        module: &[String],
        name: &'b str,
        seen: &mut BTreeSet<(Vec<String>, &'b str)>,
    ) -> BTreeSet<Meaning> {
        let mut targets = BTreeSet::new();
        let parts = self.modules.get(module).map_or(&[][..], Vec::as_slice);
        for part in parts {
            if part.items.iter().any(|(_, defined, _)| defined == name) {
                targets.insert(Meaning::Item(part.file));
            }
            if part.children.contains(name) {
                targets.insert(Meaning::Module(module.iter().cloned().chain([name.to_owned()]).collect()));
            }
        }
        if seen.insert((module.to_vec(), name)) {
            let uses = || parts.iter().flat_map(|part| &part.uses);
            for found in uses().filter(|found| found.name == name) {
                targets.extend(self.follow(module, &found.path, seen));
            }
            if targets.is_empty() {
                for glob in uses().filter(|found| found.name == "*") {
                    for target in self.follow(module, &glob.path, seen) {
                        if let Meaning::Module(path) = target {
                            targets.extend(self.look_up(&path, name, seen));
                        }
                    }
                }
            }
            seen.remove(&(module.to_vec(), name));
        }
        targets
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(files: &[(&str, &str)]) -> Vec<String> {
        let files: Vec<(&str, File)> = files.iter().map(|(path, text)| (*path, File::new(path, text))).collect();
        let files: Vec<(&str, &File)> = files.iter().map(|(path, file)| (*path, file)).collect();
        let mut lines = Vec::new();
        for (from, targets) in imports(&files, "own") {
            for (to, names) in targets {
                lines.push(format!("{from} -> {to}: {}", names.into_iter().collect::<Vec<_>>().join(" ")));
            }
        }
        lines
    }

    const LIB: (&str, &str) = ("lib.rs", "mod a;\nmod b;\npub use a::A;\n");
    const A: (&str, &str) = ("a.rs", "pub struct A;\npub fn f() {}\npub enum E { X }\n");

    #[test]
    fn use_and_paths_lead_to_the_defining_file() {
        for (text, names) in [
            ("use crate::a::A;", "A"),
            ("use crate::{a::{f, E}};", "E f"),
            ("use super::a::A as B;", "A"),
            ("use crate::A;", "A"),
            ("use own::A;", "A"),
            ("fn g() { crate::a::f() }", "f"),
            ("use crate::a;\nfn g() { a::f() }", "f"),
            ("use crate::a::*;\nfn g(x: A) { f() }", "A f"),
            ("use crate::a::E::*;\nfn g() { X }", "E"),
            ("fn g() { let x = super::a::E::X; }", "X"),
            ("fn g() { use crate::a::A; }", "A"),
            ("mod inner { use super::super::a::A; }", "A"),
        ] {
            assert_eq!(said(&[LIB, A, ("b.rs", text)]), [format!("b.rs -> a.rs: {names}")], "{text}");
        }
    }

    #[test]
    fn what_is_no_import_is_left_out() {
        for text in [
            "pub use crate::a::A;",
            "pub(crate) use crate::a::A;",
            "use std::a::A;\nuse serde::A;",
            "use crate::a;",
            "mod d;\nfn g() { d::f() }",
            "fn a() {}\nfn g() { let a = f; A::new(); x.a::<A>() }",
            "#[cfg(test)]\nuse crate::a::A;\nfn g() {}",
            "#[cfg(test)]\nmod tests {\n    use crate::a::A;\n}",
        ] {
            assert_eq!(said(&[LIB, A, ("b.rs", text), ("b/d.rs", "pub fn f() {}")]), [""; 0], "{text}");
        }
    }

    #[test]
    fn re_exports_are_followed_and_circles_of_them_end() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\nmod c;\npub use b::A as D;\npub use b::gone;\n"),
            A,
            ("b.rs", "pub use crate::a::*;\npub use crate::gone;\n"),
            ("c.rs", "use crate::{D, gone};\nfn g() { crate::b::f() }\n"),
        ];
        assert_eq!(said(&files), ["c.rs -> a.rs: D f"]);
    }

    #[test]
    fn a_private_use_of_a_parent_is_seen_by_its_children() {
        let files = [
            ("lib.rs", "mod a;\nmod b;\n"),
            A,
            ("b/mod.rs", "mod c;\nuse crate::a::A;\n"),
            ("b/c.rs", "use super::A;\n"),
        ];
        assert_eq!(said(&files), ["b/c.rs -> a.rs: A", "b/mod.rs -> a.rs: A"]);
    }

    #[test]
    fn a_name_may_be_a_module_and_a_function() {
        let files = [
            ("lib.rs", "mod sweep;\nmod b;\npub use sweep::sweep;\n"),
            ("sweep.rs", "pub fn sweep() {}\n"),
            ("b.rs", "use crate::sweep;\nfn g() { sweep() }\n"),
        ];
        assert_eq!(said(&files), ["b.rs -> sweep.rs: sweep"]);
    }
}
