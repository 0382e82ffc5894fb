//! Varied keys, as typed: `solver.sweeps=10,20,40`, `seed=1..20`, `solver.sweeps=5..320*2`, `contact.friction=0..0.5+0.1`.

use crate::error::RunError;
use hardgrain_io::scene::keys_of;
use serde::{Deserialize, Serialize};

/// Largest number of values of a key.
const MOST: f64 = 1e6;

/// A key and its values, as typed behind `--set`.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct VariedKey {
    /// The key.
    pub key: String,
    /// Its values: at least one, all different.
    pub values: Vec<String>,
}

impl VariedKey {
    /// Parses KEY=VALUES.
    ///
    /// # Errors
    /// When the key or the values are missing, a range is empty, or a value is given twice.
    pub fn read(text: &str) -> Result<Self, RunError> {
        let wrong = |why: &str| {
            let help = "--vary solver.sweeps=10,20,40, --vary seed=1..20, --vary solver.sweeps=5..320*2, --vary contact.friction=0..0.5+0.1";
            RunError::Input(format!("--vary {}: {why}\nsuch as {help}", shortened(text)))
        };
        let (key, values) = text.split_once('=').ok_or_else(|| wrong("there is no = in it"))?;
        let key = key.trim();
        if key.is_empty() {
            return Err(wrong("there is no key before the ="));
        }
        let mut all = Vec::new();
        for part in parts(values) {
            let part = part.trim();
            if part.is_empty() {
                return Err(wrong(if values.trim().is_empty() { "there are no values" } else { "a value is empty" }));
            }
            all.extend(one_or_many(part).map_err(|why| wrong(&why))?);
        }
        let mut seen = std::collections::HashSet::new();
        if let Some(twice) = all.iter().find(|value| !seen.insert(meaning(value))) {
            return Err(wrong(&format!("{} is there twice", shortened(twice))));
        }
        Ok(Self { key: bare(key), values: all })
    }
}

/// A key without unnecessary quotes.
fn bare(key: &str) -> String {
    let plain = |part: &String| {
        !part.is_empty() && part.chars().all(|letter| letter.is_ascii_alphanumeric() || "_-".contains(letter))
    };
    match keys_of(key) {
        Some(parts) if parts.iter().all(plain) => parts.join("."),
        _ => key.into(),
    }
}

/// The canonical form of a value: 0 and 0.0 are the same, and so are 16 and 0x10.
fn meaning(value: &str) -> String {
    let plain = value.replace('_', "");
    let based = [("0x", 16), ("0o", 8), ("0b", 2)]
        .into_iter()
        .find_map(|(mark, base)| plain.strip_prefix(mark).and_then(|digits| i128::from_str_radix(digits, base).ok()));
    if let Some(whole) = based.or_else(|| plain.parse().ok()) {
        return whole.to_string();
    }
    match plain.parse::<f64>() {
        // Whole numbers as above.
        Ok(number) if number.fract() == 0.0 && number.abs() < 1e15 => format!("{:.0}", number + 0.0),
        Ok(number) => format!("{number:?}"),
        Err(_) => value.trim_matches(['"', '\'']).into(),
    }
}

/// A text shortened to fit into a line.
fn shortened(text: &str) -> String {
    const LONG: usize = 80;
    if text.chars().count() <= LONG { text.into() } else { text.chars().take(LONG).chain(['…']).collect() }
}

/// Splits at commas outside brackets and quotes.
fn parts(text: &str) -> Vec<&str> {
    let (mut depth, mut quote, mut from) = (0_i32, None, 0);
    let mut all = Vec::new();
    for (place, letter) in text.char_indices() {
        match (quote, letter) {
            (Some(open), _) => quote = Some(open).filter(|_| letter != open),
            (None, '"' | '\'') => quote = Some(letter),
            (None, '[' | '{') => depth += 1,
            (None, ']' | '}') => depth -= 1,
            (None, ',') if depth == 0 => {
                all.push(&text[from..place]);
                from = place + 1;
            }
            _ => {}
        }
    }
    all.push(&text[from..]);
    all
}

/// The values of a list item: itself, or those of a range.
fn one_or_many(part: &str) -> Result<Vec<String>, String> {
    let Some((first, rest)) = part.split_once("..").filter(|_| !part.starts_with(['"', '\'', '[', '{'])) else {
        return Ok(vec![part.into()]);
    };
    // A sign belongs to the number behind it, also in an exponent.
    let split = rest
        .char_indices()
        .skip(1)
        .find(|&(place, letter)| letter == '*' || (letter == '+' && !rest[..place].ends_with(['e', 'E'])));
    let (last, by) = match split {
        Some((place, letter)) => (&rest[..place], Some((letter, &rest[place + 1..]))),
        None => (rest, None),
    };
    let number = |text: &str| {
        let value = text.trim().parse::<f64>().ok().filter(|value| value.is_finite());
        value.ok_or_else(|| format!("`{}` is no number", shortened(text)))
    };
    let whole = |text: &str| text.trim().parse::<i64>().ok();
    let step = match by {
        None => Some(1),
        Some(('+', text)) => whole(text),
        Some(_) => None,
    };
    if let (Some(low), Some(high), Some(step)) = (whole(first), whole(last), step.filter(|step| *step != 0)) {
        return steps(part, low.into(), high.into(), step.into());
    }
    let (low, high) = (number(first)?, number(last)?);
    let are_whole = [first, last].into_iter().chain(by.map(|(_, text)| text)).all(|text| whole(text).is_some());
    let (count, value): (f64, Box<dyn Fn(f64) -> f64>) = match by {
        None => return Err(format!("{part} needs a step: {part}+STEP, or {part}*FACTOR")),
        Some(('+', text)) => {
            let step = number(text)?;
            if step == 0.0 {
                return Err(format!("the step of {part} is 0"));
            }
            ((high - low) / step, Box::new(move |index| low + index * step))
        }
        Some((_, text)) => {
            let factor = number(text)?;
            if !(factor > 0.0 && factor != 1.0 && low * high > 0.0) {
                return Err(format!("{part} needs a factor above 0 that is not 1, and ends of one sign"));
            }
            ((high / low).ln() / factor.ln(), Box::new(move |index| low * factor.powf(index)))
        }
    };
    // A number of steps that is whole up to rounding counts as whole.
    let count = (count + 1e-9).floor() + 1.0;
    check_count(part, count)?;
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 1 and a million")]
    let count = count as u32;
    // 320..5*0.5 yields whole numbers, too.
    let ends_are_whole = whole(first).is_some() && whole(last).is_some();
    let are_whole = are_whole || (ends_are_whole && (0..count).all(|index| value(index.into()).fract() == 0.0));
    Ok((0..count).map(|index| written(value(index.into()), are_whole)).collect())
}

/// Whole numbers, with all digits.
fn steps(part: &str, low: i128, high: i128, step: i128) -> Result<Vec<String>, String> {
    let way = if step > 0 { high - low } else { low - high };
    let count = way.div_euclid(step.abs()) + 1;
    check_count(part, count as f64)?;
    Ok((0..count).map(|index| (low + index * step).to_string()).collect())
}

fn check_count(part: &str, count: f64) -> Result<(), String> {
    if count < 1.0 {
        return Err(format!("{part} goes nowhere: its end lies behind its start"));
    }
    if count > MOST {
        return Err(format!("{part} is {count:.0} values, more than {MOST:.0}"));
    }
    Ok(())
}

/// A number of a range as one would type it: twelve digits, and without a point if the whole range is whole.
fn written(value: f64, whole: bool) -> String {
    let rounded: f64 = format!("{value:.11e}").parse().unwrap_or(value);
    if whole && rounded.fract() == 0.0 { format!("{rounded:.0}") } else { format!("{rounded:?}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<String>, String> {
        VariedKey::read(text).map(|varied| varied.values).map_err(|error| error.to_string())
    }

    #[test]
    fn lists_and_ranges() {
        for (text, values) in [
            ("seed=1..4", "1 2 3 4"),
            ("seed=3", "3"),
            ("solver.sweeps=10,20,40", "10 20 40"),
            ("solver.sweeps=5..320*2", "5 10 20 40 80 160 320"),
            ("solver.sweeps=5..300*2,7", "5 10 20 40 80 160 7"),
            ("solver.sweeps=320..5*0.5", "320 160 80 40 20 10 5"),
            ("contact.friction=0..0.5+0.1", "0.0 0.1 0.2 0.3 0.4 0.5"),
            ("time.step=1e-3..1e-1*10", "0.001 0.01 0.1"),
            ("time.step=1e-1..1e-3*0.1", "0.1 0.01 0.001"),
            ("gravity=-2..2+2", "-2 0 2"),
            ("seed=5..1+-2", "5 3 1"),
            ("seed=0..9+4", "0 4 8"),
            ("seed=20261117120000..20261117120002", "20261117120000 20261117120001 20261117120002"),
            ("solver.order=forward, coloured", "forward coloured"),
            ("gravity=[0,-1],[0,-2]", "[0,-1] [0,-2]"),
            ("start=\"a,b..c.hg\"", "\"a,b..c.hg\""),
        ] {
            assert_eq!(read(text).unwrap().join(" "), values, "{text}");
        }
        assert_eq!(VariedKey::read(" seed =1").unwrap().key, "seed");
        assert_eq!(VariedKey::read("\"seed\"=1").unwrap().key, "seed");
    }

    #[test]
    fn nonsense_is_refused_with_a_sentence() {
        for (text, why) in [
            ("seed", "no = in it"),
            ("=3", "no key"),
            ("seed=", "no values"),
            ("seed=1,,2", "a value is empty"),
            ("seed=1,2,1", "1 is there twice"),
            ("contact.friction=0,0.0..0.2+0.1", "0.0 is there twice"),
            ("seed=16,0x10", "0x10 is there twice"),
            ("seed=1,+1", "+1 is there twice"),
            ("seed=4..1", "goes nowhere"),
            ("seed=1..", "is no number"),
            ("seed=a..b", "is no number"),
            ("seed=1..1e99+1", "more than"),
            ("seed=1..9000000000000000000", "more than"),
            ("time.step=0.1..0.5", "needs a step"),
            ("time.step=0..1*2", "factor"),
            ("time.step=1..4*1", "factor"),
            ("time.step=0..1+0", "is 0"),
            ("time.step=0..nan+1", "is no number"),
        ] {
            let said = read(text).unwrap_err();
            assert!(said.contains(why), "{text}: {said}");
        }
    }
}
