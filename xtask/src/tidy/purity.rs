//! The physics touches no file, no clock, no terminal and, but in one file, no thread, and gives the same bits on every machine.

use crate::code;
use crate::tidy::Complaint;
use crate::tree::File;

const PHYSICS: &str = "crates/hardgrain/src/";

/// Where threads are: all others ask there.
const THREADS: &str = "crates/hardgrain/src/threads.rs";

const ASK: &str = "ask `threads.rs`";

/// The parts of the standard library that reach outside.
const OUTSIDE: &[&str] = &["fs", "io", "net", "time", "env", "process"];

const PRINTING: &[&str] = &["println", "eprintln", "print", "eprint", "dbg"];

/// Their order changes from run to run.
const UNORDERED: &[&str] = &["HashMap", "HashSet", "hash_map", "hash_set"];

/// Their last bits differ between machines (`sqrt` is exact everywhere). `mul_add` is here because it rounds otherwise
/// than the plain product and sum, and is slow where the machine has no instruction for it.
const INEXACT: &[&str] = &[
    "acos", "acosh", "asin", "asinh", "atan", "atan2", "atanh", "cbrt", "cos", "cosh", "exp", "exp2", "exp_m1",
    "hypot", "ln", "ln_1p", "log", "log10", "log2", "mul_add", "powf", "powi", "sin", "sin_cos", "sinh", "tan", "tanh",
];

/// What such a function may be called on by path, as in `f64::sin`.
const NUMBERS: &[&str] = &["f64", "f32", "T", "Real", "Self"];

/// Complains about impure code in the physics, outside its tests.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    files.iter().filter(|file| file.path.starts_with(PHYSICS)).flat_map(in_file).collect()
}

fn in_file(file: &File) -> Vec<Complaint> {
    let texts = file.texts();
    let texts = &texts[..code::before_tests(&texts)];
    let mut complaints = Vec::new();
    for (start, token) in file.tokens[..texts.len()].iter().enumerate() {
        let before = &texts[..start];
        for (wrong, remedy) in impure(before, &texts[start..], file.path == THREADS) {
            complaints.push(Complaint::new(&file.path, token.line, wrong, remedy));
        }
    }
    complaints
}

/// What is impure about the code that starts here, each with a remedy.
fn impure(before: &[&str], code: &[&str], may_use_threads: bool) -> Vec<(String, &'static str)> {
    match *code {
        [library @ ("std" | "core"), "::", ..] => {
            let parts = parts(&code[2..])
                .into_iter()
                .filter(|part| OUTSIDE.contains(part) || (*part == "thread" && !may_use_threads));
            let remedy = |part| if part == "thread" { ASK } else { "move it to a crate above" };
            parts.map(|part| (format!("`{library}::{part}` in the physics"), remedy(part))).collect()
        }
        ["rayon", ..] if !may_use_threads => vec![("`rayon` in the physics".into(), ASK)],
        [name, "!", ..] if PRINTING.contains(&name) => {
            vec![(format!("`{name}!` in the physics"), "return it as a value")]
        }
        [name, ..] if UNORDERED.contains(&name) => {
            vec![(format!("`{name}` has no fixed order"), "use a sorted list or a BTreeMap")]
        }
        [name, ..] if INEXACT.contains(&name) && is_called_on_number(name, before, code.get(1)) => {
            vec![(format!("`{name}` does not give the same bits everywhere"), "use + - * / and sqrt, or a crate above")]
        }
        _ => Vec::new(),
    }
}

/// The first names behind `std::`, of which `{fmt, io::{Read, Write}}` has two.
fn parts<'a>(path: &[&'a str]) -> Vec<&'a str> {
    if path.first() != Some(&"{") {
        return path.first().copied().into_iter().collect();
    }
    let (mut parts, mut place, end) = (Vec::new(), 1, code::closing(path, 0));
    while place < end {
        match path[place] {
            "{" => place = code::closing(path, place),
            text => {
                if matches!(path[place - 1], "{" | ",") {
                    parts.push(text);
                }
                place += 1;
            }
        }
    }
    parts
}

/// `x.sin()` or `f64::sin`. No word of ours is called `mul_add`, so it counts however it is written.
fn is_called_on_number(name: &str, before: &[&str], after: Option<&&str>) -> bool {
    match before {
        _ if name == "mul_add" => true,
        [.., "."] => after == Some(&"("),
        [.., number, "::"] => NUMBERS.contains(number),
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn wrongs(text: &str) -> Vec<String> {
        let complaints = check(&[File::new("crates/hardgrain/src/law.rs", text)]);
        complaints.into_iter().map(|complaint| format!("{}: {}", complaint.line, complaint.wrong)).collect()
    }

    #[test]
    fn pure_code_passes() {
        let text = "//! Never call std::fs or x.sin().
use std::fmt;
use std::{iter, ops::{Add, Mul}};
struct Times { io: f64, process: f64 }
/// println!(\"{}\", x.exp())
fn length(x: f64) -> f64 { (x * x).sqrt() }
fn sin_angle(log: &Log) -> f64 { log.sin_angle + log.ln }
const WHY: &str = \"no HashMap, no mul_add\";
#[cfg(test)]
mod tests {
    use std::collections::HashMap;
    fn f() { println!(\"{}\", 1.0_f64.sin()); }
}
";
        assert_eq!(wrongs(text), [""; 0]);
    }

    #[test]
    fn reaching_outside_is_found() {
        assert_eq!(wrongs("use std::fs;\n"), ["1: `std::fs` in the physics"]);
        assert_eq!(wrongs("use std :: fs;\n"), ["1: `std::fs` in the physics"]);
        assert_eq!(wrongs("use core::time::Duration;\n"), ["1: `core::time` in the physics"]);
        assert_eq!(wrongs("std::thread::scope(|s| 0)\n"), ["1: `std::thread` in the physics"]);
        assert_eq!(wrongs("use rayon::join;\n"), ["1: `rayon` in the physics"]);
        assert_eq!(wrongs("\nlet t = std::time::Instant::now();\n"), ["2: `std::time` in the physics"]);
        assert_eq!(
            wrongs("use std::{\n    fmt,\n    io::{self, env},\n    process,\n};\n"),
            ["1: `std::io` in the physics", "1: `std::process` in the physics"]
        );
    }

    #[test]
    fn printing_is_found() {
        for name in PRINTING {
            assert_eq!(wrongs(&format!("fn f() {{ {name}!(x) }}\n")), [format!("1: `{name}!` in the physics")]);
        }
    }

    #[test]
    fn unordered_maps_are_found() {
        let text = "use std::collections::{BTreeMap, HashMap};\nlet s = HashSet::new();\n";
        assert_eq!(wrongs(text), ["1: `HashMap` has no fixed order", "2: `HashSet` has no fixed order"]);
    }

    #[test]
    fn every_inexact_function_is_found_as_method_and_as_path() {
        for name in INEXACT {
            let expected = [format!("1: `{name}` does not give the same bits everywhere")];
            assert_eq!(wrongs(&format!("x.{name}(y)\n")), expected);
            assert_eq!(wrongs(&format!("map(f64::{name})\n")), expected);
            let field = wrongs(&format!("order.{name}\n"));
            assert_eq!(field, if *name == "mul_add" { expected.to_vec() } else { Vec::new() });
        }
        assert_eq!(wrongs("<f64>::mul_add(a, b, c)\n").len(), 1);
    }

    #[test]
    fn test_code_in_the_middle_of_a_file_counts() {
        assert_eq!(wrongs("#[cfg(test)]\nmod tests {\n    use std::fs;\n}\nfn f() {}\n").len(), 1);
    }

    #[test]
    fn other_crates_may() {
        let text = "use std::fs;\nfn f() { println!(\"{}\", x.sin()) }\n";
        assert_eq!(check(&[File::new("crates/hardgrain-cli/src/main.rs", text)]), []);
        assert_eq!(check(&[File::new("crates/hardgrain/tests/laws.rs", text)]), []);
    }
}
