//! The modules of a crate: what each defines, what it takes from others, and the paths in its code.

use std::collections::BTreeSet;

use crate::code::{TEST, before_tests, closing, item_end};
use crate::tree::File;

/// A module, as one file writes it.
#[derive(Debug, Default)]
pub struct Module {
    /// The names on the way to it from the root of its crate; none for the root itself.
    pub path: Vec<String>,
    /// Its file, counted in the files of the crate.
    pub file: usize,
    /// What it defines: keyword, name and line.
    pub items: Vec<(String, String, usize)>,
    /// The modules inside it.
    pub children: BTreeSet<String>,
    /// What its `use` declarations bring in.
    pub uses: Vec<Use>,
    /// The paths in its code.
    pub paths: Vec<Vec<String>>,
    /// Every word in its file.
    pub words: BTreeSet<String>,
}

/// One name that a `use` declaration brings in.
#[derive(Debug, PartialEq, Eq)]
pub struct Use {
    /// The path to it.
    pub path: Vec<String>,
    /// What it is called here; `*` stands for everything in `path`.
    pub name: String,
    /// Whether it is passed on, as in `pub use`.
    pub is_public: bool,
}

/// The modules that the files of one crate write, without those that only tests see. Paths are seen from `src/`.
#[must_use]
pub fn modules(files: &[(&str, &File)]) -> Vec<Module> {
    let mut modules = Vec::new();
    for (file, (path, source)) in files.iter().enumerate() {
        let (texts, words) = (source.texts(), source.tokens.iter().map(|token| token.text.clone()).collect());
        let module = Module { path: module_path(path), file, words, ..Module::default() };
        let texts = &texts[..before_tests(&texts)];
        Reader { texts, source, modules: &mut modules }.read(module, 0, texts.len());
    }
    modules
}

/// `a/b.rs` and `a/b/mod.rs` hold the module `a::b`.
fn module_path(path: &str) -> Vec<String> {
    let mut path: Vec<String> = path.trim_end_matches(".rs").split('/').map(str::to_owned).collect();
    path.pop_if(|last| matches!(last.as_str(), "mod" | "lib" | "main"));
    path
}

struct Reader<'a> {
    texts: &'a [&'a str],
    source: &'a File,
    modules: &'a mut Vec<Module>,
}

impl Reader<'_> {
    /// Reads the items of a module, which stand between two places.
    fn read(&mut self, mut module: Module, start: usize, end: usize) {
        let mut place = start;
        // Up to here goes the body of an item: neither what a function defines nor what belongs to a type is the module's.
        let mut body_end = start;
        while place < end {
            let line = self.source.tokens[place].line;
            let is_item = place >= body_end;
            place = match self.texts[place..end] {
                [..] if self.texts[place..end].starts_with(&TEST) => item_end(self.texts, place + TEST.len()),
                ["mod", name, "{", ..] if is_item => {
                    module.children.insert(name.to_owned());
                    let path = module.path.iter().cloned().chain([name.to_owned()]).collect();
                    let inner = Module { path, file: module.file, words: module.words.clone(), ..Module::default() };
                    let behind = closing(self.texts, place + 2);
                    self.read(inner, place + 3, behind - 1);
                    behind
                }
                ["mod", name, ";", ..] => {
                    module.children.insert(name.to_owned());
                    place + 3
                }
                ["use", "::", ..] => place + 2,
                ["use", ref path @ ..] if path.first() != Some(&"<") => {
                    let is_public = self.is_public(place);
                    let mut add = |path: &[&str], name: &str| {
                        let path = path.iter().map(|&text| text.to_owned()).collect();
                        module.uses.push(Use { path, name: name.to_owned(), is_public });
                    };
                    self.use_tree(&mut add, &[], place + 1)
                }
                ["macro_rules", "!", name, ..] => {
                    module.items.push(("macro".to_owned(), name.to_owned(), line));
                    place + 3
                }
                // Items may stand in the braces of a macro that is called among items.
                ["!", "{", ..] if is_item => place + 2,
                ["{", ..] if is_item => {
                    body_end = closing(self.texts, place);
                    place + 1
                }
                [keyword, name, ..] if is_item && self.defines(place, keyword, name) => {
                    module.items.push((keyword.to_owned(), name.to_owned(), line));
                    place + 2
                }
                [first, "::", ..] if is_word(first) && !self.follows_path(place) => {
                    let pairs = self.texts[place..end].chunks(2);
                    let length = 2 * pairs.take_while(|pair| is_word(pair[0]) && pair.get(1) == Some(&"::")).count();
                    let names = self.texts[place..].iter().step_by(2).take(length / 2 + 1);
                    module.paths.push(names.filter(|name| is_word(name)).map(|&name| name.to_owned()).collect());
                    place + length
                }
                _ => place + 1,
            };
        }
        self.modules.push(module);
    }

    /// Whether the keyword at this place defines the name behind it.
    fn defines(&self, place: usize, keyword: &str, name: &str) -> bool {
        let keywords = ["struct", "enum", "union", "trait", "type", "fn", "const", "static"];
        let is_pointer = place > 0 && self.texts[place - 1] == "*";
        keywords.contains(&keyword) && is_word(name) && !is_pointer && !matches!(name, "fn" | "unsafe" | "mut" | "_")
    }

    fn follows_path(&self, place: usize) -> bool {
        place > 0 && matches!(self.texts[place - 1], "::" | ".")
    }

    /// Whether `pub` or `pub(…)` stands before this place.
    fn is_public(&self, place: usize) -> bool {
        match self.texts[..place] {
            [.., "pub"] => true,
            [.., ")"] => {
                let open = self.texts[..place].iter().rposition(|text| *text == "(");
                open.is_some_and(|open| self.texts[..open].last() == Some(&"pub"))
            }
            _ => false,
        }
    }

    /// Reads the tree of a `use` declaration and adds each path with the name that it brings in; the place behind it.
    fn use_tree(&self, add: &mut impl FnMut(&[&str], &str), prefix: &[&str], start: usize) -> usize {
        let (mut path, mut place) = (prefix.to_vec(), start);
        loop {
            match self.texts[place..] {
                ["{", ..] => {
                    let behind = closing(self.texts, place);
                    place += 1;
                    while place < behind - 1 {
                        place = self.use_tree(add, &path, place) + 1;
                    }
                    return behind;
                }
                ["*", ..] => {
                    add(&path, "*");
                    return place + 1;
                }
                [text, "::", ..] => {
                    path.push(text);
                    place += 2;
                }
                [text, ref rest @ ..] => {
                    // `self` in braces stands for what is before them.
                    if text != "self" || path.is_empty() {
                        path.push(text);
                    }
                    let alias = if let ["as", name, ..] = rest { Some(*name) } else { None };
                    add(&path, alias.or(path.last().copied()).unwrap_or_default());
                    return place + if alias.is_some() { 3 } else { 1 };
                }
                [] => return place,
            }
        }
    }
}

fn is_word(text: &str) -> bool {
    text.starts_with(|letter: char| letter.is_alphabetic() || letter == '_')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<Module> {
        modules(&[("a/b.rs", &File::new("crates/x/src/a/b.rs", text))])
    }

    fn names(module: &Module) -> Vec<&str> {
        module.items.iter().map(|(_, name, _)| name.as_str()).collect()
    }

    #[test]
    fn paths_of_files_are_paths_of_modules() {
        for (path, expected) in [("lib.rs", ""), ("a.rs", "a"), ("a/b.rs", "a::b"), ("a/b/mod.rs", "a::b")] {
            assert_eq!(module_path(path).join("::"), expected);
        }
    }

    #[test]
    fn items_of_modules_are_found_and_those_in_bodies_not() {
        let text = "pub struct A<T>(T);\nconst fn f() { struct B; type C = D; }\nimpl A<u8> { const N: u8 = 1; fn g() {} }\n\
                    trait T { type E; fn h(); }\nmacro_rules! m { () => { struct F; } }\nstatic mut S: *const G = 0;\n\
                    mod inner { pub enum H { I } }\nmod outer;\ntyped! { struct K as x { f: L } }\n#[cfg(test)]\nfn test_only() {}\n";
        let modules = read(text);
        assert_eq!(modules[0].path, ["a", "b", "inner"]);
        assert_eq!(names(&modules[0]), ["H"]);
        assert_eq!(names(&modules[1]), ["A", "f", "T", "m", "K"]);
        assert!(modules[1].children.iter().eq(["inner", "outer"]));
    }

    #[test]
    fn trees_of_use_are_taken_apart() {
        let text = "use crate::a::{self, b::{C, D as E}, f::*};\npub(crate) use g::H;\nfn f() { use self::i::J as _; }\nuse ::k::L;\n";
        let found: Vec<String> = read(text)[0]
            .uses
            .iter()
            .map(|found| {
                format!("{} as {}{}", found.path.join("::"), found.name, if found.is_public { ", public" } else { "" })
            })
            .collect();
        let expected =
            ["crate::a as a", "crate::a::b::C as C", "crate::a::b::D as E", "crate::a::f as *", "g::H as H, public"];
        assert_eq!(found[..5], expected);
        assert_eq!(found[5..], ["self::i::J as _"]);
    }

    #[test]
    fn paths_in_code_are_found() {
        let found = &read("fn f(x: crate::a::B) { super::c::<u8>(x.d::<E>()); let _ = F::new(); }\n")[0].paths;
        let found: Vec<String> = found.iter().map(|path| path.join("::")).collect();
        assert_eq!(found, ["crate::a::B", "super::c", "F::new"]);
    }
}
