//! The physics touches no file, no clock, no terminal and, but in one file, no thread, and gives the same bits on every machine.

use crate::code;
use crate::tidy::Complaint;
use crate::tree::File;
use crate::words;

const PHYSICS: &str = "crates/hardgrain/src/";

/// Where threads are: all others ask there.
const THREADS: &str = "crates/hardgrain/src/threads.rs";

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
    let code = code::without_tests(&file.code);
    let kinds = [
        (reaching(code, OUTSIDE), "move it to a crate above"),
        (if file.path == THREADS { Vec::new() } else { threads(code) }, "ask `threads.rs`"),
        (printing(code), "return it as a value"),
        (unordered(code), "use a sorted list or a BTreeMap"),
        (inexact(code), "use + - * / and sqrt, or a crate above"),
    ];
    let mut complaints = Vec::new();
    for (found, remedy) in kinds {
        for (place, wrong) in found {
            let line = words::line_of(code, place);
            complaints.push(Complaint::new(&file.path, line, wrong, remedy));
        }
    }
    complaints
}

/// Where something impure stands, and what it is.
type Found = (usize, String);

/// Threads, of the standard library and of rayon.
fn threads(code: &str) -> Vec<Found> {
    let mut found = reaching(code, &["thread"]);
    found.extend(words::places(code, "rayon").map(|place| (place, "`rayon` in the physics".into())));
    found
}

fn reaching(code: &str, names: &[&str]) -> Vec<Found> {
    let mut found = Vec::new();
    for library in ["std", "core"] {
        for place in words::places(code, library) {
            let after = code[place + library.len()..].trim_start();
            let Some(after) = after.strip_prefix("::").map(str::trim_start) else {
                continue;
            };
            let parts = if after.starts_with('{') { group(after) } else { vec![words::first(after)] };
            let reaching = parts.into_iter().filter(|part| names.contains(part));
            found.extend(reaching.map(|part| (place, format!("`{library}::{part}` in the physics"))));
        }
    }
    found
}

/// The names at the outer level of `{fmt, io::{Read, Write}}`.
fn group(text: &str) -> Vec<&str> {
    let (mut depth, mut starts) = (0_usize, Vec::new());
    for (place, letter) in text.char_indices() {
        match letter {
            '{' => depth += 1,
            '}' => depth -= 1,
            _ => {}
        }
        match (letter, depth) {
            (_, 0) => break,
            ('{' | ',', 1) => starts.push(place + 1),
            _ => {}
        }
    }
    starts.into_iter().map(|start| words::first(text[start..].trim_start())).collect()
}

fn printing(code: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for name in PRINTING {
        let calls = words::places(code, name).filter(|place| code[place + name.len()..].starts_with('!'));
        found.extend(calls.map(|place| (place, format!("`{name}!` in the physics"))));
    }
    found
}

fn unordered(code: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for name in UNORDERED {
        found.extend(words::places(code, name).map(|place| (place, format!("`{name}` has no fixed order"))));
    }
    found
}

fn inexact(code: &str) -> Vec<Found> {
    let mut found = Vec::new();
    for name in INEXACT {
        // No word of ours is called `mul_add`, so it counts however it is written.
        let is_call =
            |place: &usize| *name == "mul_add" || is_call_on_number(&code[..*place], &code[place + name.len()..]);
        let calls = words::places(code, name).filter(is_call);
        found.extend(calls.map(|place| (place, format!("`{name}` does not give the same bits everywhere"))));
    }
    found
}

/// `x.sin()` or `f64::sin`.
fn is_call_on_number(before: &str, after: &str) -> bool {
    let is_method = before.ends_with('.') && after.starts_with('(');
    let is_path = before.strip_suffix("::").is_some_and(|before| {
        NUMBERS.iter().any(|number| words::places(before, number).any(|place| place + number.len() == before.len()))
    });
    is_method || is_path
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
