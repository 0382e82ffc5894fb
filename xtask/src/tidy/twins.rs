//! One name for one thing: no two types of the workspace are called the same.

use std::collections::BTreeMap;

use crate::imports::{source_folders, sources};
use crate::modules::modules;
use crate::tidy::Complaint;
use crate::tree::File;

/// Names that several types may have, each with the reason.
const ALLOWED: &[(&str, &str)] = &[];

const LIST: &str = "xtask/src/tidy/twins.rs";

/// Complains about names of types that are defined more than once, and about exceptions that are needed no longer.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    check_but(files, ALLOWED)
}

fn check_but(files: &[File], allowed: &[(&str, &str)]) -> Vec<Complaint> {
    let mut types: BTreeMap<String, Vec<(String, usize)>> = BTreeMap::new();
    for folder in source_folders(files) {
        let sources = sources(files, &folder);
        for module in modules(&sources) {
            let kinds = ["struct", "enum", "union", "trait", "type"];
            for (_, name, line) in module.items.into_iter().filter(|(kind, ..)| kinds.contains(&kind.as_str())) {
                types.entry(name).or_default().push((format!("{folder}{}", sources[module.file].0), line));
            }
        }
    }
    types.retain(|_, places| places.len() > 1);
    let excess = allowed.iter().filter(|(name, _)| !types.contains_key(*name)).map(|(name, _)| {
        Complaint::new(LIST, 1, format!("`{name}` is defined no more than once"), "take it from the list")
    });
    let twins = types.iter().filter(|(name, _)| allowed.iter().all(|(allowed, _)| allowed != name));
    let twins = twins.map(|(name, places)| {
        let others: Vec<&str> = places[1..].iter().map(|(path, _)| path.as_str()).collect();
        let wrong = format!("type `{name}` is defined here and in {}", others.join(", "));
        Complaint::new(&places[0].0, places[0].1, wrong, format!("rename all but one, or give the reason in {LIST}"))
    });
    excess.chain(twins).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(texts: &[&str], allowed: &[(&str, &str)]) -> Vec<String> {
        let mut files = vec![File::new("crates/own/Cargo.toml", ""), File::new("xtask/Cargo.toml", "")];
        for (text, path) in texts.iter().zip(["crates/own/src/a.rs", "xtask/src/b.rs", "crates/own/tests/c.rs"]) {
            files.push(File::new(path, text));
        }
        check_but(&files, allowed).iter().map(ToString::to_string).collect()
    }

    #[test]
    fn different_names_pass() {
        let first =
            "struct A;\nfn f() { struct B; }\nimpl T for A { type Out = u8; }\ntrait T { type Out; }\nfn g() {}\n";
        let second =
            "struct B;\nstruct Out;\nfn g() {}\nmod x { struct C; }\n#[cfg(test)]\nmod tests {\n    struct A;\n}\n";
        assert_eq!(said(&[first, second, "struct A;\n"], &[]), [""; 0]);
    }

    #[test]
    fn twins_of_every_kind_are_found() {
        for (first, second) in [
            ("pub struct A<T>(T);", "enum A {}"),
            ("trait A {}", "type A = u8;"),
            ("mod x { union A {} }", "struct A;"),
        ] {
            assert_eq!(
                said(&[first, &format!("\n{second}\n")], &[]),
                ["crates/own/src/a.rs:1: type `A` is defined here and in xtask/src/b.rs; \
                  rename all but one, or give the reason in xtask/src/tidy/twins.rs"]
            );
        }
    }

    #[test]
    fn exceptions_pass_while_they_are_needed() {
        let allowed = [("A", "a reason")];
        assert_eq!(said(&["struct A;", "struct A;"], &allowed), [""; 0]);
        assert!(said(&["struct A;", "struct B;"], &allowed)[0].contains("`A` is defined no more than once"));
    }
}
