//! Formulas in plain text, N_I or e^(−t/τ), set as they should look.

use std::fmt::Write;

/// Text for XML and HTML.
pub(crate) fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

/// A piece of text, and whether it is lowered or raised.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Piece<'a> {
    Plain(&'a str),
    Lowered(&'a str),
    Raised(&'a str),
}

/// What is lowered or raised behind a mark, and the rest: an index is a lone letter or a group in brackets; a power is a sign and what
/// follows of letters and digits, or such a group.
fn marked(behind: &str, is_index: bool) -> (&str, &str) {
    if let Some(group) = behind.strip_prefix('(').and_then(|group| group.split_once(')')) {
        return group;
    }
    let is_part = |(index, letter): (usize, char)| match letter {
        '-' | '−' => index == 0 && !is_index,
        '.' => !is_index,
        _ => (index == 0 || !is_index) && (letter.is_alphanumeric() || letter == '½'),
    };
    let end = behind.char_indices().find(|part| !is_part(*part)).map_or(behind.len(), |(end, _)| end);
    let (inside, after) = behind.split_at(end);
    // In kinetic_energy nothing is lowered.
    if is_index && after.starts_with(|next: char| next.is_alphabetic() || next.is_ascii_digit()) {
        ("", behind)
    } else {
        (inside, after)
    }
}

fn pieces(text: &str) -> Vec<Piece<'_>> {
    let mut pieces = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['_', '^']) {
        let (before, mark) = rest.split_at(at);
        let is_index = mark.starts_with('_');
        let (inside, after) = marked(&mark[1..], is_index);
        if inside.is_empty() {
            pieces.push(Piece::Plain(&rest[..=at]));
            rest = &mark[1..];
            continue;
        }
        pieces.push(Piece::Plain(before));
        pieces.push(if is_index { Piece::Lowered(inside) } else { Piece::Raised(inside) });
        rest = after;
    }
    pieces.push(Piece::Plain(rest));
    pieces.retain(|piece| *piece != Piece::Plain(""));
    pieces
}

/// As HTML.
pub(crate) fn html(text: &str) -> String {
    let each = pieces(text).into_iter().map(|piece| match piece {
        Piece::Plain(text) => escaped(text),
        Piece::Lowered(text) => format!("<sub>{}</sub>", escaped(text)),
        Piece::Raised(text) => format!("<sup>{}</sup>", escaped(&text.replace('-', "−"))),
    });
    each.collect()
}

/// As what is inside an SVG text of this size.
pub(crate) fn svg(text: &str, size: f64) -> String {
    let (small, down, up) = (0.72 * size, 0.25 * size, 0.4 * size);
    let mut shift = 0.0;
    let mut whole = String::new();
    for piece in pieces(text) {
        let (text, to, size) = match piece {
            Piece::Plain(text) => (text.to_owned(), 0.0, size),
            Piece::Lowered(text) => (text.to_owned(), down, small),
            Piece::Raised(text) => (text.replace('-', "−"), -up, small),
        };
        if to == 0.0 && shift == 0.0 {
            whole += &escaped(&text);
        } else {
            let by = to - shift;
            write!(whole, r#"<tspan dy="{by:.1}" font-size="{size:.1}">{}</tspan>"#, escaped(&text))
                .expect("writing to a string");
        }
        shift = to;
    }
    whole
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn indices_are_lowered_and_powers_raised() {
        assert_eq!(html("√N_I and 1/N_I²"), "√N<sub>I</sub> and 1/N<sub>I</sub>²");
        assert_eq!(html("A e^(−t/τ) sin"), "A e<sup>−t/τ</sup> sin");
        assert_eq!(html("N_I^-1.002, p_r/2^r"), "N<sub>I</sub><sup>−1.002</sup>, p<sub>r</sub>/2<sup>r</sup>");
        assert_eq!(html("a < b_(i+1)"), "a &lt; b<sub>i+1</sub>");
        assert_eq!(html("ends with _"), "ends with _");
        assert_eq!(html("kinetic_energy, wall_time"), "kinetic_energy, wall_time");
        assert_eq!(svg("k d", 10.0), "k d");
        assert_eq!(
            svg("N_I d", 10.0),
            r#"N<tspan dy="2.5" font-size="7.2">I</tspan><tspan dy="-2.5" font-size="10.0"> d</tspan>"#
        );
    }
}
