//! No function is longer than a screen.

use crate::code;
use crate::tidy::Complaint;
use crate::tree::File;
use crate::words;

const MOST_LINES: usize = 60;

/// Complains about functions that are too long, from the line with `fn` to that of the closing brace.
#[must_use]
pub fn check(files: &[File]) -> Vec<Complaint> {
    files.iter().flat_map(|file| functions(&file.code).filter_map(|function| too_long(&file.path, &function))).collect()
}

fn too_long(path: &str, function: &Function) -> Option<Complaint> {
    let Function { name, line, lines } = function;
    (*lines > MOST_LINES).then(|| {
        let wrong = format!("`{name}` has {lines} lines, more than {MOST_LINES}");
        Complaint::new(path, *line, wrong, "name its parts as functions")
    })
}

/// A function with a body.
#[derive(Debug, PartialEq, Eq)]
struct Function<'a> {
    name: &'a str,
    line: usize,
    lines: usize,
}

fn functions(code: &str) -> impl Iterator<Item = Function<'_>> {
    words::places(code, "fn").filter_map(|place| {
        // `fn` with no name behind it is the type of a function.
        let after = code[place + "fn".len()..].trim_start().trim_start_matches("r#").trim_start_matches('$');
        let name = words::first(after);
        let start = code.len() - after.len();
        let body = (!name.is_empty()).then(|| body(code, start)).flatten()?;
        let end = code::closing(code, body)?;
        let lines = code[place..end].matches('\n').count() + 1;
        Some(Function { name, line: words::line_of(code, place), lines })
    })
}

/// Where the body opens. The signature of a method without one ends with a semicolon, which lists such as `[f64; 3]`
/// have inside their brackets.
fn body(code: &str, start: usize) -> Option<usize> {
    let mut depth = 0_i32;
    for (place, letter) in code[start..].char_indices() {
        match letter {
            '(' | '[' => depth += 1,
            ')' | ']' => depth -= 1,
            '{' if depth == 0 => return Some(start + place),
            ';' if depth == 0 => return None,
            _ => {}
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sizes(text: &str) -> Vec<(String, usize, usize)> {
        let file = File::new("a.rs", text);
        functions(&file.code).map(|function| (function.name.to_owned(), function.line, function.lines)).collect()
    }

    fn function_of(lines: usize) -> String {
        format!("impl Law {{\n    fn relax(&self) {{\n{}    }}\n}}\n", "        act();\n".repeat(lines - 2))
    }

    #[test]
    fn the_longest_function_allowed_passes() {
        assert_eq!(check(&[File::new("a.rs", &function_of(60))]), []);
    }

    #[test]
    fn one_line_more_is_too_long() {
        let complaints = check(&[File::new("a.rs", &function_of(61))]);
        assert_eq!(
            complaints[0].to_string(),
            "a.rs:2: `relax` has 61 lines, more than 60; name its parts as functions"
        );
    }

    #[test]
    fn one_line_functions_and_where_clauses_are_measured() {
        let text = "fn a() -> f64 { 1.0 }\npub fn b<T>(\n    x: [T; 3],\n) -> T\nwhere\n    T: Copy,\n{\n    x[0]\n}\n";
        assert_eq!(sizes(text), [("a".to_owned(), 1, 1), ("b".to_owned(), 2, 8)]);
    }

    #[test]
    fn methods_without_a_body_do_not_swallow_what_follows() {
        let text = "trait T {\n    fn a(&self) -> [f64; 2];\n    fn b();\n}\nfn c() {\n}\n";
        assert_eq!(sizes(text), [("c".to_owned(), 5, 2)]);
    }

    #[test]
    fn braces_in_comments_strings_and_letters_do_not_count() {
        let text = "fn a() {\n    // }\n    f(\"}\", '}', r#\"}\"#);\n}\n";
        assert_eq!(sizes(text), [("a".to_owned(), 1, 4)]);
    }

    #[test]
    fn only_named_functions_in_code_are_seen() {
        let text =
            "/// fn a() {\n// fn b() {\nconst C: &str = \"fn c() {\";\ntype F = fn(f64) -> f64;\nfn r#type() {}\n";
        assert_eq!(sizes(text), [("type".to_owned(), 5, 1)]);
    }

    #[test]
    fn braces_in_the_signature_do_not_open_the_body() {
        let text = "fn a(x: [f64; { 1 + 2 }]) {\n    x[0]\n}\n";
        assert_eq!(sizes(text), [("a".to_owned(), 1, 3)]);
    }

    #[test]
    fn functions_inside_functions_are_measured_too() {
        let text = "fn a() {\n    fn b() {\n    }\n}\n";
        assert_eq!(sizes(text), [("a".to_owned(), 1, 4), ("b".to_owned(), 2, 2)]);
    }
}
