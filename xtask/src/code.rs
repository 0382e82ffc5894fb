//! Rust text reduced to what the rules look at: code without comments and quotes.

use crate::words;

/// The same text, line for line, with comments, strings and letters in quotes blanked.
#[must_use]
pub fn bare(text: &str) -> String {
    let letters: Vec<char> = text.chars().collect();
    let mut code = String::with_capacity(text.len());
    let mut place = 0;
    while place < letters.len() {
        let rest = &letters[place..];
        let before = place.checked_sub(1).map(|before| letters[before]);
        if let Some(length) = no_code(rest, before) {
            let blanked = rest[..length].iter().map(|&letter| if letter == '\n' { '\n' } else { ' ' });
            code.extend(blanked);
            place += length;
        } else {
            code.push(rest[0]);
            place += 1;
        }
    }
    code
}

/// The length of the comment or quote that starts here, if one does.
fn no_code(rest: &[char], before: Option<char>) -> Option<usize> {
    if rest.starts_with(&['/', '/']) {
        Some(line_comment(rest))
    } else if rest.starts_with(&['/', '*']) {
        Some(block_comment(rest))
    } else if let Some(hashes) = raw_string_hashes(rest, before) {
        Some(raw_string(rest, hashes))
    } else if rest[0] == '"' || is_char_literal(rest) {
        Some(escaped_quote(rest))
    } else {
        None
    }
}

fn line_comment(rest: &[char]) -> usize {
    rest.iter().position(|&letter| letter == '\n').unwrap_or(rest.len())
}

/// Block comments nest in Rust.
fn block_comment(rest: &[char]) -> usize {
    let (mut depth, mut place) = (0_usize, 0);
    while place < rest.len() {
        if rest[place..].starts_with(&['/', '*']) {
            (depth, place) = (depth + 1, place + 2);
        } else if rest[place..].starts_with(&['*', '/']) {
            (depth, place) = (depth - 1, place + 2);
            if depth == 0 {
                return place;
            }
        } else {
            place += 1;
        }
    }
    rest.len()
}

/// How many `#` stand between the `r` and the quotation mark, where a raw string starts here.
fn raw_string_hashes(rest: &[char], before: Option<char>) -> Option<usize> {
    // The r of `br"` and `cr"` belongs to a raw string as well; that of `for"` could not be followed by a string.
    let inside_word = before.is_some_and(|letter| words::continues(letter) && !matches!(letter, 'b' | 'c'));
    if rest[0] != 'r' || inside_word {
        return None;
    }
    let hashes = rest[1..].iter().take_while(|&&letter| letter == '#').count();
    (rest.get(1 + hashes) == Some(&'"')).then_some(hashes)
}

fn raw_string(rest: &[char], hashes: usize) -> usize {
    let start = 2 + hashes;
    let closes = |place: &usize| {
        let tail = &rest[*place..];
        tail[0] == '"' && tail.len() > hashes && tail[1..=hashes].iter().all(|&letter| letter == '#')
    };
    (start..rest.len()).find(closes).map_or(rest.len(), |place| place + 1 + hashes)
}

/// The length of what stands between two equal quotation marks, where a backslash guards the next letter.
fn escaped_quote(rest: &[char]) -> usize {
    let mut place = 1;
    while place < rest.len() {
        match rest[place] {
            '\\' => place += 2,
            letter if letter == rest[0] => return place + 1,
            _ => place += 1,
        }
    }
    rest.len()
}

/// `'a'` and `'\n'` are letters, `'a` is a lifetime.
fn is_char_literal(rest: &[char]) -> bool {
    rest[0] == '\'' && (rest.get(1) == Some(&'\\') || rest.get(2) == Some(&'\''))
}

/// The place just behind the brace that closes the one at `open`, in bare code.
#[must_use]
pub fn closing(code: &str, open: usize) -> Option<usize> {
    let mut depth = 0_usize;
    for (place, letter) in code[open..].char_indices() {
        match letter {
            '{' => depth += 1,
            '}' if depth == 1 => return Some(open + place + 1),
            '}' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Bare code without the `#[cfg(test)]` modules at its end.
#[must_use]
pub fn without_tests(code: &str) -> &str {
    const MARK: &str = "#[cfg(test)]";
    let mut kept = code;
    while let Some(place) = kept.rfind(MARK) {
        if !is_one_module(&kept[place + MARK.len()..]) {
            break;
        }
        kept = &kept[..place];
    }
    kept
}

/// Whether the code is one module with a body, and nothing behind it.
fn is_one_module(code: &str) -> bool {
    let starts_as_module = code
        .lines()
        .map(str::trim)
        .find(|line| !line.is_empty() && !line.starts_with("#["))
        .is_some_and(|line| words::first(line) == "mod" && line.ends_with(['{', '}']));
    let end = code.find('{').and_then(|open| closing(code, open));
    starts_as_module && end.is_some_and(|end| code[end..].trim().is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn comments_are_blanked_line_for_line() {
        assert_eq!(bare("a // b\nc"), "a     \nc");
        assert_eq!(bare("/// fn x\nfn y() {}"), "        \nfn y() {}");
        assert_eq!(bare("a /* b /* c */\n d */ e"), "a             \n      e");
    }

    #[test]
    fn quotes_are_blanked() {
        assert_eq!(bare(r#"f("{ // \" }"); g"#), "f(           ); g");
        assert_eq!(bare("r#\"a \" b\"#; c"), "          ; c");
        assert_eq!(bare("r#\"#\"#; c"), "      ; c");
        assert_eq!(bare("br\"\\\"; c"), "b    ; c");
        assert_eq!(bare("'{' '\\'' '\"' x"), "             x");
    }

    #[test]
    fn lifetimes_and_raw_names_are_code() {
        assert_eq!(bare("fn f<'a>(x: &'a str, y: &'a str)"), "fn f<'a>(x: &'a str, y: &'a str)");
        assert_eq!(bare("r#type {}"), "r#type {}");
    }

    #[test]
    fn a_quote_that_never_closes_reaches_the_end() {
        assert_eq!(bare("\"ab\nc").lines().count(), 2);
        assert_eq!(bare("/* ab").trim(), "");
        assert_eq!(bare("r#\"ab\"").trim(), "");
    }

    #[test]
    fn braces_are_matched_over_lines() {
        let code = "a { b { } \n } c }";
        assert_eq!(closing(code, 2).map(|end| &code[end..]), Some(" c }"));
        assert_eq!(closing("{ {}", 0), None);
    }

    #[test]
    fn test_modules_at_the_end_are_dropped() {
        let code = "fn f() {}\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n";
        assert_eq!(without_tests(code), "fn f() {}\n");
        let two = format!("{code}\n#[cfg(test)]\n#[allow(missing_docs)]\nmod laws {{\n}}\n");
        assert_eq!(without_tests(&two), "fn f() {}\n");
    }

    #[test]
    fn test_code_anywhere_else_stays() {
        for code in [
            "#[cfg(test)]\nmod tests {\n}\nfn f() {}\n",
            "#[cfg(test)]\nfn f() {\n}\n",
            "#[cfg(test)]\nmod tests;\nmod law {\n}\n",
        ] {
            assert_eq!(without_tests(code), code);
        }
    }
}
