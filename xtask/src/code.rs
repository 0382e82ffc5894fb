//! Rust text as tokens: what the rules look at.
//!
//! proc-macro2 cuts the text: derives need it anyway, and it compiles in a second. rustc's own lexer would switch on a feature of
//! memchr that the program does without, and half of the tests' dependencies would be compiled a second time.

use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A word, a sign, a bracket or a literal.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Token {
    /// As it is written, but a word without `r#` and `0` for any literal; `::` is one sign.
    pub text: String,
    /// The line on which it starts, counted from 1.
    pub line: usize,
    /// The line on which it ends.
    pub last_line: usize,
}

/// The tokens of a Rust text without its comments; none if it cannot be read.
#[must_use]
pub fn tokens(text: &str) -> Vec<Token> {
    let mut tokens = Vec::new();
    append(TokenStream::from_str(text).unwrap_or_default(), &mut tokens);
    tokens
}

fn append(stream: TokenStream, tokens: &mut Vec<Token>) {
    let trees: Vec<TokenTree> = stream.into_iter().collect();
    let mut rest = trees.as_slice();
    while let [tree, after @ ..] = rest {
        let (line, last_line) = (tree.span().start().line, tree.span().end().line);
        rest = after;
        let text = match (tree, after) {
            (TokenTree::Punct(sign), _) if sign.as_char() == '#' && comment(after).is_some() => {
                rest = &after[comment(after).unwrap_or(0)..];
                continue;
            }
            (TokenTree::Punct(sign), [TokenTree::Punct(next), ..])
                if [sign, next].iter().all(|x| x.as_char() == ':') =>
            {
                rest = &after[1..];
                "::".to_owned()
            }
            (TokenTree::Punct(sign), _) => sign.to_string(),
            (TokenTree::Ident(word), _) => word.to_string().trim_start_matches("r#").to_owned(),
            (TokenTree::Literal(_), _) => "0".to_owned(),
            (TokenTree::Group(group), _) => {
                let [open, close] = match group.delimiter() {
                    Delimiter::Parenthesis => ["(", ")"],
                    Delimiter::Brace => ["{", "}"],
                    Delimiter::Bracket | Delimiter::None => ["[", "]"],
                };
                tokens.push(Token { text: open.to_owned(), line, last_line: line });
                append(group.stream(), tokens);
                tokens.push(Token { text: close.to_owned(), line: last_line, last_line });
                continue;
            }
        };
        tokens.push(Token { text, line, last_line });
    }
}

/// How many trees behind a `#` are a comment for the documentation, which arrives as `#[doc = "…"]`.
fn comment(after: &[TokenTree]) -> Option<usize> {
    let (length, tree) = match after {
        [TokenTree::Punct(sign), tree, ..] if sign.as_char() == '!' => (2, tree),
        [tree, ..] => (1, tree),
        [] => return None,
    };
    let TokenTree::Group(group) = tree else { return None };
    let first = group.stream().into_iter().next();
    matches!(first, Some(TokenTree::Ident(word)) if word == "doc").then_some(length)
}

/// The place just behind the bracket that closes the one at `open`.
#[must_use]
pub fn closing(texts: &[&str], open: usize) -> usize {
    let mut depth = 0_usize;
    for (place, text) in texts.iter().enumerate().skip(open) {
        match *text {
            "(" | "[" | "{" => depth += 1,
            ")" | "]" | "}" if depth == 1 => return place + 1,
            ")" | "]" | "}" => depth -= 1,
            _ => {}
        }
    }
    texts.len()
}

/// The place behind the item that starts here with its attributes: behind its body or its semicolon.
#[must_use]
pub fn item_end(texts: &[&str], start: usize) -> usize {
    let mut place = start;
    while place < texts.len() {
        match texts[place] {
            ";" => return place + 1,
            "{" => return closing(texts, place),
            "(" | "[" => place = closing(texts, place),
            _ => place += 1,
        }
    }
    texts.len()
}

/// How an item that only tests see begins.
pub const TEST: [&str; 7] = ["#", "[", "cfg", "(", "test", ")", "]"];

/// How many tokens stand before the `#[cfg(test)]` modules at the end.
#[must_use]
pub fn before_tests(texts: &[&str]) -> usize {
    let mut end = texts.len();
    while let Some(start) = texts[..end].windows(TEST.len()).rposition(|window| window == TEST) {
        let item = &texts[start..end];
        let mut behind = TEST.len();
        while item.get(behind) == Some(&"#") {
            behind = closing(item, behind + 1);
        }
        let is_module = matches!(item[behind..], ["mod", _, "{", ..]);
        if !is_module || item_end(item, behind) != item.len() {
            break;
        }
        end = start;
    }
    end
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bare(text: &str) -> String {
        let tokens = tokens(text);
        tokens.iter().map(|token| token.text.as_str()).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn comments_are_no_code() {
        assert_eq!(bare("a // b\nc"), "a c");
        assert_eq!(
            bare("//! a\n/// fn x\nfn y() {}\n#[inline]\n/** b */ fn z();"),
            "fn y ( ) { } # [ inline ] fn z ( ) ;"
        );
        assert_eq!(bare("a /* b /* c */\n d */ e"), "a e");
    }

    #[test]
    fn quotes_are_literals() {
        assert_eq!(bare(r#"f("{ // \" }"); g"#), "f ( 0 ) ; g");
        assert_eq!(bare("r#\"a \" b\"#; c"), "0 ; c");
        assert_eq!(bare("br\"\\\"; c"), "0 ; c");
        assert_eq!(bare("'{' '\\'' '\"' x"), "0 0 0 x");
    }

    #[test]
    fn lifetimes_and_raw_names_are_code() {
        assert_eq!(bare("fn f<'a>(x: &'a str)"), "fn f < ' a > ( x : & ' a str )");
        assert_eq!(bare("r#type :: b"), "type :: b");
    }

    #[test]
    fn tokens_know_their_lines() {
        let lines: Vec<_> = tokens("a\n{ \"b\nc\"\n}").iter().map(|token| (token.line, token.last_line)).collect();
        assert_eq!(lines, [(1, 1), (2, 2), (2, 3), (4, 4)]);
    }

    #[test]
    fn a_quote_that_never_closes_cannot_be_read() {
        assert_eq!(tokens("\"ab\nc"), []);
    }

    #[test]
    fn braces_are_matched_over_lines() {
        let texts = ["a", "{", "b", "{", "}", "(", ")", "}", "c", "}"];
        assert_eq!(closing(&texts, 1), 8);
        assert_eq!(closing(&["{", "{", "}"], 0), 3);
    }

    fn outside_tests(code: &str) -> String {
        let tokens = tokens(code);
        let texts: Vec<&str> = tokens.iter().map(|token| token.text.as_str()).collect();
        texts[..before_tests(&texts)].join(" ")
    }

    #[test]
    fn test_modules_at_the_end_are_dropped() {
        let code = "fn f() {}\n#[cfg(test)]\nmod tests {\n    fn g() {}\n}\n";
        assert_eq!(outside_tests(code), "fn f ( ) { }");
        let two = format!("{code}\n#[cfg(test)]\n#[allow(missing_docs)]\nmod laws {{\n}}\n");
        assert_eq!(outside_tests(&two), "fn f ( ) { }");
    }

    #[test]
    fn test_code_anywhere_else_stays() {
        for code in [
            "#[cfg(test)]\nmod tests {\n}\nfn f() {}\n",
            "#[cfg(test)]\nfn f() {\n}\n",
            "#[cfg(test)]\nmod tests;\nmod law {\n}\n",
        ] {
            assert_eq!(outside_tests(code), bare(code));
        }
    }
}
