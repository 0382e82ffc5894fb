//! Errors in a scene: the place in the file, the value, what is allowed, what to do.

use super::at::Span;
use miette::{Diagnostic, LabeledSpan, NamedSource, SourceCode};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::sync::Arc;

/// Lines longer than this are cut in messages.
const WIDTH: usize = 120;

/// Messages longer than this are cut.
const LONGEST: usize = 400;

/// Something wrong at one place of a scene.
#[derive(Clone, Debug, PartialEq)]
pub struct Fault {
    /// What is wrong.
    pub message: String,
    /// Where, if it has a place.
    pub span: Option<Span>,
    /// What stands there, in a few words.
    pub label: String,
    /// What to do.
    pub help: String,
}

impl Fault {
    /// Something wrong at this place.
    pub fn at(span: &Span, message: impl Into<String>) -> Self {
        Self { message: message.into(), span: Some(span.clone()), label: String::new(), help: String::new() }
    }

    /// Something wrong with the whole file.
    pub fn whole(message: impl Into<String>) -> Self {
        Self { message: message.into(), span: None, label: String::new(), help: String::new() }
    }

    /// With a few words beside the place.
    #[must_use]
    pub fn label(self, label: impl Into<String>) -> Self {
        Self { label: label.into(), ..self }
    }

    /// With advice.
    #[must_use]
    pub fn help(self, help: impl Into<String>) -> Self {
        Self { help: help.into(), ..self }
    }
}

/// The text of a scene and its name.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Source {
    /// The file, as it was named by the user.
    pub name: String,
    /// What it holds.
    pub text: String,
    /// Changes made on the command line, to be blamed.
    pub changes: Vec<String>,
}

/// A scene that is refused: a fault in its text.
#[derive(Clone, Debug)]
pub struct Refusal(Box<Inside>);

#[derive(Clone, Debug)]
struct Inside {
    fault: Fault,
    line: Option<usize>,
    // Long lines cut; the place moved along.
    excerpt: Option<Arc<NamedSource<String>>>,
    mark: Option<LabeledSpan>,
    changes: Vec<String>,
    name: String,
}

impl Refusal {
    /// The fault with the text around it.
    pub fn new(source: &Source, mut fault: Fault) -> Self {
        fault.message = shortened(&fault.message, LONGEST);
        fault.label = shortened(&fault.label, WIDTH);
        fault.help = shortened(&fault.help, LONGEST);
        let (mut line, mut excerpt, mut mark) = (None, None, None);
        if let Some(span) = &fault.span {
            let span = clamped(&source.text, span);
            line = Some(source.text[..span.start].matches('\n').count() + 1);
            let (text, span) = cut(&source.text, &span);
            excerpt = Some(Arc::new(NamedSource::new(&source.name, text)));
            let label = Some(fault.label.clone()).filter(|label| !label.is_empty());
            mark = Some(LabeledSpan::new_with_span(label, span));
        }
        let (changes, name) = (source.changes.clone(), source.name.clone());
        Self(Box::new(Inside { fault, line, excerpt, mark, changes, name }))
    }

    /// The line on which the fault stands.
    pub fn line(&self) -> Option<usize> {
        self.0.line
    }

    /// The file in which it stands.
    pub fn file(&self) -> &str {
        &self.0.name
    }

    /// What is wrong.
    pub fn fault(&self) -> &Fault {
        &self.0.fault
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.0.line {
            // The file and line stand in the excerpt below.
            Some(_) => write!(out, "{}", self.0.fault.message),
            None => write!(out, "{}: {}", self.0.name, self.0.fault.message),
        }
    }
}

impl std::error::Error for Refusal {}

impl Diagnostic for Refusal {
    fn help<'a>(&'a self) -> Option<Box<dyn fmt::Display + 'a>> {
        let mut lines: Vec<String> = Vec::new();
        if !self.0.fault.help.is_empty() {
            lines.push(self.0.fault.help.clone());
        }
        if !self.0.changes.is_empty() {
            let flags: Vec<String> =
                self.0.changes.iter().map(|change| format!("--set {}", shortened(change, WIDTH))).collect();
            lines.push(format!("this is the scene after {}", shortened(&flags.join(" "), LONGEST)));
        }
        (!lines.is_empty()).then(|| Box::new(lines.join("\n")) as Box<dyn fmt::Display>)
    }

    fn source_code(&self) -> Option<&dyn SourceCode> {
        self.0.excerpt.as_deref().map(|source| source as &dyn SourceCode)
    }

    fn labels(&self) -> Option<Box<dyn Iterator<Item = LabeledSpan> + '_>> {
        self.0.mark.clone().map(|mark| Box::new(std::iter::once(mark)) as Box<dyn Iterator<Item = _>>)
    }
}

/// A text cut to `longest` letters, without control characters.
pub(crate) fn shortened(text: &str, longest: usize) -> String {
    let plain = |letter: char| if letter.is_control() && letter != '\n' { '\u{fffd}' } else { letter };
    let mut short: String = text.chars().take(longest).map(plain).collect();
    if text.chars().nth(longest).is_some() {
        short.push('…');
    }
    short
}

/// A number with a few digits.
pub(crate) fn digits(value: f64) -> String {
    if value != 0.0 && !(1e-3..1e6).contains(&value.abs()) {
        return format!("{value:.3e}");
    }
    let text = format!("{value:.6}");
    text.trim_end_matches('0').trim_end_matches('.').into()
}

/// A place that lies inside the text and between letters.
fn clamped(text: &str, span: &Span) -> Span {
    let inside = |mut place: usize| {
        place = place.min(text.len());
        while !text.is_char_boundary(place) {
            place -= 1;
        }
        place
    };
    let start = inside(span.start);
    start..inside(span.end).max(start)
}

/// The text with long lines cut, and where the place has gone. Only the lines around it are kept; lines before are
/// counted but empty.
fn cut(text: &str, span: &Span) -> (String, Span) {
    let start = text[..span.start].rfind('\n').map_or(0, |newline| newline + 1);
    let end = text[span.start..].find('\n').map_or(text.len(), |newline| span.start + newline);
    let before = &text[..start];
    let mut out = String::new();
    let count = before.matches('\n').count();
    for (number, line) in before.lines().enumerate() {
        if number + 3 > count {
            out += &shortened(line, WIDTH);
        }
        out.push('\n');
    }
    // A window of the line that begins a little before the place.
    let line = &text[start..end];
    let inside = span.start - start;
    let skip = if line.chars().count() > WIDTH { line[..inside].chars().count().saturating_sub(WIDTH / 3) } else { 0 };
    let kept: usize = line.chars().take(skip).map(char::len_utf8).sum();
    if skip > 0 {
        out.push('…');
    }
    let place = out.len() + inside - kept;
    let window = shortened(&line[kept..], WIDTH);
    let room = (out.len() + window.len()).saturating_sub(place);
    let length = (span.end.min(end) - span.start).min(room);
    out += &window;
    out.push('\n');
    if let Some(next) = text[end..].strip_prefix('\n').and_then(|rest| rest.lines().next()) {
        out += &shortened(next, WIDTH);
        out.push('\n');
    }
    (out, place..place + length)
}

/// The known name nearest to a wrong one, if it is near.
pub(crate) fn nearest<'a>(wrong: &str, known: impl IntoIterator<Item = &'a str>) -> Option<&'a str> {
    let wrong = shortened(wrong, 64);
    let scored = known.into_iter().map(|name| (strsim::damerau_levenshtein(&wrong, name), name));
    scored.min().filter(|(distance, name)| *distance <= name.len().div_ceil(3).max(1)).map(|(_, name)| name)
}

/// unknown field `X`, expected one of `a`, `b`.
pub(crate) fn unknown_word(message: &str, span: &Span) -> Fault {
    let what = if message.starts_with("unknown field") { "key" } else { "value" };
    let rest = message.split_once('`').map_or("", |(_, rest)| rest);
    let (wrong, list) = rest.rsplit_once("`, expected ").unwrap_or((rest, ""));
    let names: Vec<&str> = list.split('`').skip(1).step_by(2).collect();
    let message = format!("there is no {what} `{}` here", shortened(wrong, 64));
    let fault = Fault::at(span, message);
    let all = format!("allowed: {}", names.join(", "));
    match nearest(wrong, names.iter().copied()) {
        Some(name) => fault.label(format!("`{name}`?")).help(format!("did you mean `{name}`? {all}")),
        None => fault.help(all),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn places_survive_the_cutting_of_long_lines() {
        let long = format!("first\n{}bad{}\nlast\n", "x".repeat(1000), "y".repeat(1000));
        let place = 6 + 1000..6 + 1003;
        let (text, span) = cut(&long, &place);
        assert_eq!(&text[span], "bad");
        assert!(text.len() < 400 && text.starts_with("first\n") && text.ends_with("last\n"), "{text}");
        let (text, span) = cut("a\nb = 1\n", &(6..7));
        assert_eq!((text.as_str(), &text[span]), ("a\nb = 1\n", "1"));
        // Beyond the end, inside a letter, across lines.
        for span in [100..200, 1..3, 0..6, 7..7] {
            let (text, span) = cut("aω\nbc\n", &clamped("aω\nbc\n", &span));
            assert!(text.get(span).is_some());
        }
    }

    #[test]
    fn near_names_are_found_and_far_ones_not() {
        let known = ["friction", "restitution", "sweeps"];
        assert_eq!(nearest("fricton", known), Some("friction"));
        assert_eq!(nearest("sweps", known), Some("sweeps"));
        assert_eq!(nearest("colour", known), None);
        assert_eq!(shortened("a\u{0}b\tcdef", 4), "a\u{fffd}b\u{fffd}…");
    }
}
