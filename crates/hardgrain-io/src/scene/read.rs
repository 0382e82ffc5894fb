//! From bytes to what was typed. Faults of the text itself are said in our words.

use super::at::Span;
use super::fault::{Fault, Refusal, Source, shortened, unknown_word};
use super::{layout, typed};
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::Path;

/// A scene is a page, not a data file. A megabyte is absurd, and refused before it is read.
const LARGEST: u64 = 1 << 20;

/// The only format there is.
pub(crate) const FORMAT: u64 = 1;

/// Reads the text of a scene.
///
/// # Errors
/// When the file cannot be read, is empty, too large or no text.
pub fn read_text(path: &Path) -> Result<String, Refusal> {
    let refuse = |fault: Fault| {
        let name = path.display().to_string();
        Refusal::new(&Source { name, text: String::new(), changes: Vec::new() }, fault)
    };
    let cannot = |error: io::Error| {
        let help = "is the name right? A scene is a .toml file; `hardgrain new` lists built-in ones";
        refuse(Fault::whole(format!("cannot be read: {error}")).help(help))
    };
    let mut bytes = Vec::new();
    // A device may have no end; a size that is asked for beforehand may lie.
    File::open(path).and_then(|file| file.take(LARGEST + 1).read_to_end(&mut bytes)).map_err(cannot)?;
    text_of(bytes).map_err(refuse)
}

fn text_of(bytes: Vec<u8>) -> Result<String, Fault> {
    if bytes.len() as u64 > LARGEST {
        return Err(Fault::whole("is larger than 1 MiB; that is no scene").help(
            "positions of many grains belong into a CSV file: arrange = { kind = \"file\", path = \"grains.csv\" }",
        ));
    }
    if bytes.iter().all(u8::is_ascii_whitespace) {
        return Err(Fault::whole("is empty").help("`hardgrain new chain` writes a scene to start from"));
    }
    if let Some(place) = bytes.iter().position(|&byte| byte == 0) {
        return Err(Fault::whole(format!("is no text: byte {place} is zero")).help("a scene is a text file in TOML"));
    }
    String::from_utf8(bytes).map_err(|error| {
        let good = error.utf8_error().valid_up_to();
        let line = String::from_utf8_lossy(&error.as_bytes()[..good]).matches('\n').count() + 1;
        Fault::whole(format!("is not UTF-8 text: line {line} has a byte that is no letter")).help("save it as UTF-8")
    })
}

/// Reads a file that a scene names: the table of a group of grains, the packing to start from.
pub type ReadFile<'a> = &'a dyn Fn(&str) -> Result<Vec<u8>, String>;

/// A file of more than this is refused before it is read.
const LARGEST_FILE: u64 = 2 << 30;

/// Reads a file that a scene names.
pub(crate) fn read_file(path: &Path) -> Result<Vec<u8>, String> {
    let cannot = |error: io::Error| format!("cannot be read: {error}");
    // Asked before it is opened: a pipe would wait for ever.
    let about = fs::metadata(path).map_err(cannot)?;
    if !about.is_file() {
        return Err("cannot be read: it is no file".into());
    }
    if about.len() > LARGEST_FILE {
        return Err("is larger than 2 GiB".into());
    }
    let mut bytes = Vec::new();
    File::open(path).and_then(|file| file.take(LARGEST_FILE + 1).read_to_end(&mut bytes)).map_err(cannot)?;
    if bytes.len() as u64 > LARGEST_FILE { Err("is larger than 2 GiB".into()) } else { Ok(bytes) }
}

/// Parses the text.
pub(crate) fn parse(text: &str) -> Result<typed::SceneTable, Fault> {
    // The format first: a newer one may have keys that we do not know.
    let table = toml::de::DeTable::parse(text).map_err(|error| syntax(&error))?;
    if let Some(format) = table.get_ref().get("format")
        && let Some(number) = format.get_ref().as_integer()
        && let Ok(number) = number.as_str().parse::<u64>()
        && number != FORMAT
    {
        let newer =
            if number > FORMAT { "this version of hardgrain is too old for it" } else { "there is no such format" };
        return Err(Fault::at(&format.span(), format!("format must be {FORMAT}, not {number}"))
            .label(newer)
            .help("format = 1"));
    }
    layout::check(table.get_ref())?;
    toml::from_str(text).map_err(|error| translated(text, &error))
}

fn syntax(error: &toml::de::Error) -> Fault {
    let raw = error.message().trim();
    if raw.contains("overflow") {
        let span = error.span().unwrap_or(0..0);
        return Fault::at(&span, "this number is too large").help("numbers go up to 1.8e308, whole ones up to 9.2e18");
    }
    let has = |words: &[&str]| words.iter().any(|word| raw.contains(word));
    let (what, help) = if has(&["duplicate key"]) {
        ("this key is there already", "each key once; tables that occur several times are [[like this]]")
    } else if has(&["recurse"]) {
        ("too many brackets inside each other", "a scene needs four; is one not closed?")
    } else if has(&["leading zero", "mantissa", "fraction", "exponent", "digits"]) {
        ("this is no number as TOML writes it", "numbers look like 40, 0.5, 1e-8")
    } else if has(&["must be quoted"]) {
        ("a text without quotes, or a number with something behind it", "\"a text\"; numbers have no units: 0.5")
    } else if has(&["missing comma"]) {
        ("a comma or a closing ] is missing before this", "[1.0, 2.0]")
    } else if has(&["inline table"]) {
        ("a key or a closing } is missing here or before", "{ key = value, other = value }")
    } else if has(&["unexpected key or value"]) {
        ("there is too much on this line", "one value for each key; decimals have a point: 50.0")
    } else if has(&["string", "quote"]) {
        ("a text that does not end", "texts stand in \"quotes\", on one line")
    } else {
        (raw.split(", expected").next().unwrap_or(raw), "key = value, one on each line; texts in \"quotes\"")
    };
    let message = format!("this is not TOML: {}", shortened(what, 200).replace('\n', "; "));
    match error.span() {
        Some(span) => Fault::at(&span, message).help(help),
        None => Fault::whole(message).help(help),
    }
}

/// What serde says, in our words.
fn translated(text: &str, error: &toml::de::Error) -> Fault {
    let message = error.message();
    let span = error.span().unwrap_or(0..0);
    let said = text.get(span.clone()).unwrap_or("");
    if message.starts_with("unknown ") {
        return unknown_word(message, &span);
    }
    for start in ["invalid type: ", "invalid value: "] {
        if let Some((found, wanted)) = message.strip_prefix(start).and_then(|rest| rest.rsplit_once(", expected ")) {
            return wrong_type(found, wanted, said, &span);
        }
    }
    if message.starts_with("wanted string") {
        return wrong_type("integer", "one of the known words, in \"quotes\"", said, &span);
    }
    syntax(error)
}

fn wrong_type(found: &str, wanted: &str, said: &str, span: &Span) -> Fault {
    // Serde says `string "abc"`, "floating point `1.5`", "sequence", "map", "boolean `true`".
    let found = match found.split([' ', ',']).next().unwrap_or(found) {
        "string" => "a text",
        "integer" | "floating" if said.starts_with('-') => "negative",
        "integer" => "a whole number",
        "floating" => "a number",
        "sequence" => "a list",
        "map" => "a table",
        "boolean" => "true or false",
        "unit" => "nothing",
        _ => "something else",
    };
    let wanted = match wanted {
        "f64" => "a number",
        "u64" => "a whole number, 0 or more",
        "a string" => "a text in \"quotes\"",
        "a sequence" => "a list",
        "a boolean" => "true or false",
        wanted if wanted.starts_with("struct") || wanted.contains("map") => "a table { key = value }",
        wanted if wanted.starts_with("enum") => "one of the known words, in \"quotes\"",
        wanted => wanted,
    };
    if said.len() > 18 && said.bytes().all(|digit| digit.is_ascii_digit()) {
        return Fault::at(span, "this number is too large").help("whole numbers go up to 9223372036854775807");
    }
    let plain = said.trim_matches(['"', '\'']);
    let help = if wanted.contains("number") && plain != said && plain.parse::<f64>().is_ok() {
        format!("without quotes: {plain}")
    } else if wanted.contains("whole") && plain.parse::<f64>().is_ok_and(|value| value.fract() == 0.0 && value >= 0.0) {
        format!("{}?", plain.parse::<f64>().unwrap_or(0.0))
    } else if wanted.contains("text") && !said.is_empty() && said.len() < 40 && !said.contains(['\n', '"', '[', '{']) {
        format!("\"{said}\"?")
    } else if wanted.contains("text") {
        "\"a text in quotes\"".into()
    } else if wanted.contains("list") && said.starts_with('"') && said.len() < 40 {
        format!("[{said}]?")
    } else if wanted.contains("list") {
        "a list stands in brackets: [1.0, 2.0]".into()
    } else if wanted.contains("whole") {
        "40, not -40 or 4.5".into()
    } else if wanted.contains("number") {
        "numbers look like 40, 0.5, 1e-8".into()
    } else {
        format!("write {wanted}")
    };
    let message = format!("`{}` is {found}; here belongs {wanted}", shortened(said.trim(), 60));
    Fault::at(span, message).help(help)
}
