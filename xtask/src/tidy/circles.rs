//! No two files of a crate import each other in a circle: each can be read after those that it stands on.

use std::collections::{BTreeMap, BTreeSet};

use crate::imports::{Imports, imports, source_folders, sources};
use crate::tidy::Complaint;
use crate::tree::File;

/// Complains about files that import each other, once for each circle.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    let folders = source_folders(files);
    folders.iter().flat_map(|folder| in_crate(folder, &imports(&sources(files, folder), &crate_name(folder)))).collect()
}

/// What a crate is called in code.
pub(super) fn crate_name(folder: &str) -> String {
    folder.rsplit('/').nth(2).unwrap_or_default().replace('-', "_")
}

fn in_crate(folder: &str, imports: &Imports) -> Vec<Complaint> {
    let complain = |circle: &BTreeSet<&str>| {
        let first = circle.first()?;
        let ties = circle.iter().flat_map(|from| {
            let inside = imports[from].iter().filter(|(to, _)| circle.contains(*to));
            inside.map(move |(to, names)| {
                format!("{from} -> {to} ({})", names.iter().map(String::as_str).collect::<Vec<_>>().join(", "))
            })
        });
        let wrong = format!("files import each other in a circle: {}", ties.collect::<Vec<_>>().join(", "));
        Some(Complaint::new(&format!("{folder}{first}"), 1, wrong, "move what ties them to a file below"))
    };
    circles(imports).iter().filter_map(complain).collect()
}

/// The largest sets of files in which each reaches each.
fn circles<'a>(imports: &Imports<'a>) -> BTreeSet<BTreeSet<&'a str>> {
    let reached: BTreeMap<&str, BTreeSet<&str>> =
        imports.keys().map(|from| (*from, reached_from(imports, from))).collect();
    let reaches = |from: &str, to: &str| reached.get(from).is_some_and(|reached| reached.contains(to));
    let in_circles = imports.keys().filter(|file| reaches(file, file));
    in_circles.map(|file| reached[file].iter().copied().filter(|other| reaches(other, file)).collect()).collect()
}

fn reached_from<'a>(imports: &Imports<'a>, from: &str) -> BTreeSet<&'a str> {
    let (mut reached, mut waiting) = (BTreeSet::new(), vec![from]);
    while let Some(file) = waiting.pop() {
        for next in imports.get(file).into_iter().flat_map(BTreeMap::keys) {
            if reached.insert(*next) {
                waiting.push(next);
            }
        }
    }
    reached
}

#[cfg(test)]
mod tests {
    use super::*;

    fn said(sources: &[(&str, &str)]) -> Vec<String> {
        let mut files = vec![File::new("crates/own/Cargo.toml", "")];
        files.extend(sources.iter().map(|(path, text)| File::new(&format!("crates/own/src/{path}"), text)));
        check(&files).iter().map(ToString::to_string).collect()
    }

    const LIB: (&str, &str) = ("lib.rs", "mod a;\nmod b;\nmod c;\npub use a::A;\n");

    #[test]
    fn a_chain_passes() {
        let chain = [LIB, ("a.rs", "use crate::b::B;\npub struct A;"), ("b.rs", "use crate::c::C;\npub struct B;")];
        assert_eq!(said(&chain), [""; 0]);
        let children =
            [LIB, ("a.rs", "pub struct A;"), ("b/mod.rs", "mod d;\npub use d::D;"), ("b/d.rs", "pub struct D;")];
        assert_eq!(said(&children), [""; 0]);
    }

    #[test]
    fn a_circle_is_found_with_its_ties() {
        let circle = [
            LIB,
            ("a.rs", "use crate::b::{B, f};\npub struct A;"),
            ("b.rs", "pub struct B;\npub fn f() { crate::c::g() }"),
            ("c.rs", "use crate::A;\npub fn g() {}"),
        ];
        assert_eq!(
            said(&circle),
            ["crates/own/src/a.rs:1: files import each other in a circle: a.rs -> b.rs (B, f), b.rs -> c.rs (g), \
              c.rs -> a.rs (A); move what ties them to a file below"]
        );
    }

    #[test]
    fn a_child_that_needs_its_parent_is_in_a_circle_if_the_parent_needs_it() {
        let tied = [LIB, ("a/mod.rs", "mod d;\nuse d::D;\npub struct A;"), ("a/d.rs", "use super::A;\npub struct D;")];
        assert_eq!(said(&tied).len(), 1);
    }

    #[test]
    fn each_circle_is_named_once() {
        let two = [
            LIB,
            ("a.rs", "use crate::b::B;\npub struct A;"),
            ("b.rs", "use crate::a::A;\npub struct B;"),
            ("c.rs", "use crate::{A, d::D};\npub struct C;"),
            ("d.rs", "use crate::c::C;\npub struct D;"),
        ];
        let lib = ("lib.rs", "mod a;\nmod b;\nmod c;\nmod d;\npub use a::A;\n");
        assert_eq!(said(&[&[lib], &two[1..]].concat()).len(), 2);
    }
}
