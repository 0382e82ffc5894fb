//! The physics touches no file, no clock, no terminal and, but in one file, no thread. What gives other bits on other machines, and what
//! prints, is found by clippy (`crates/hardgrain/clippy.toml`).

use crate::code;
use crate::tidy::Complaint;
use crate::tree::File;

const PHYSICS: &str = "crates/hardgrain/src/";

/// Where threads are: all others ask there.
const THREADS: &str = "crates/hardgrain/src/threads.rs";

const ASK: &str = "ask `threads.rs`";

/// The parts of the standard library that reach outside.
const OUTSIDE: &[&str] = &["fs", "io", "net", "time", "env", "process"];

/// Complains about impure code in the physics, outside its tests.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    files.iter().filter(|file| file.path.starts_with(PHYSICS)).flat_map(in_file).collect()
}

fn in_file(file: &File) -> Vec<Complaint> {
    let texts = file.texts();
    let texts = &texts[..code::before_tests(&texts)];
    let impure = file.tokens.iter().zip(0..texts.len()).flat_map(|(token, start)| {
        impure(&texts[start..], file.path == THREADS).into_iter().map(|(wrong, remedy)| (token.line, wrong, remedy))
    });
    impure.map(|(line, wrong, remedy)| Complaint::new(&file.path, line, wrong, remedy)).collect()
}

/// What is impure about the code that starts here, each with a remedy.
fn impure(code: &[&str], may_use_threads: bool) -> Vec<(String, &'static str)> {
    match *code {
        [library @ ("std" | "core"), "::", ref path @ ..] => {
            let parts = parts(path)
                .into_iter()
                .filter(|part| OUTSIDE.contains(part) || (*part == "thread" && !may_use_threads));
            let remedy = |part| if part == "thread" { ASK } else { "move it to a crate above" };
            parts.map(|part| (format!("`{library}::{part}` in the physics"), remedy(part))).collect()
        }
        ["rayon", ..] if !may_use_threads => vec![("`rayon` in the physics".into(), ASK)],
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
    fn f() { std::thread::yield_now(); }
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
