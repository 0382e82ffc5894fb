//! Checks of single values: presence, range, number of components.

use super::at::{At, May, Scalars, Span};
use super::fault::{Fault, digits, nearest, shortened};
use super::number::{Count, Scalar};

/// Names of the axes.
pub(crate) const AXES: [&str; 3] = ["x", "y", "z"];

/// A vector in space; components beyond the dimension are 0.
pub type Place = [f64; 3];

/// A key that must be there is not.
pub(crate) fn missing(key: &str, table: &Span, example: &str) -> Fault {
    Fault::at(table, format!("`{key}` is missing here")).help(format!("{key} = {example}"))
}

/// A key that must be there.
pub(crate) fn need<'a, T>(value: &'a May<T>, key: &str, table: &Span, example: &str) -> Result<&'a At<T>, Fault> {
    value.as_ref().ok_or_else(|| missing(key, table, example))
}

/// A key that must not be there.
pub(crate) fn absent<T>(value: &May<T>, message: impl Into<String>, help: &str) -> Result<(), Fault> {
    value.as_ref().map_or(Ok(()), |typed| Err(Fault::at(&typed.span, message).help(help)))
}

/// The checked value of a key, or the default if the key was not typed.
pub(crate) fn or<T, V>(value: &May<T>, default: V, check: impl FnOnce(&At<T>) -> Result<V, Fault>) -> Result<V, Fault> {
    value.as_ref().map_or(Ok(default), check)
}

pub(crate) fn finite_all(name: &str, values: &[f64], span: &Span) -> Result<(), Fault> {
    match values.iter().find(|value| !value.is_finite()) {
        Some(value) => {
            let message = format!("{name} must be finite, not {value}");
            Err(Fault::at(span, message).label("not a finite number").help("numbers look like 40, 0.5, 1e-8"))
        }
        None => Ok(()),
    }
}

/// A finite number.
pub(crate) fn finite<N: Into<f64> + Copy>(name: &str, value: &At<N>) -> Result<f64, Fault> {
    let number = value.value.into();
    finite_all(name, &[number], &value.span)?;
    Ok(number)
}

/// A number above 0 whose inverse is finite.
pub(crate) fn positive_value(name: &str, value: f64, span: &Span) -> Result<f64, Fault> {
    finite_all(name, &[value], span)?;
    if value > 0.0 && (1.0 / value).is_finite() {
        return Ok(value);
    }
    if value > 0.0 {
        let message = format!("{name} is too small to divide by: {}", digits(value));
        return Err(Fault::at(span, message).help("other units make it larger"));
    }
    let fault = Fault::at(span, format!("{name} must be above 0, not {}", digits(value)));
    Err(if value < 0.0 {
        fault.label("negative").help(format!("{}?", digits(-value)))
    } else {
        fault.help("a number above 0")
    })
}

/// A number above 0.
pub(crate) fn positive<N: Into<f64> + Copy>(name: &str, value: &At<N>) -> Result<f64, Fault> {
    positive_value(name, value.value.into(), &value.span)
}

/// A number that is 0 or more.
pub(crate) fn not_negative<N: Into<f64> + Copy>(name: &str, value: &At<N>) -> Result<f64, Fault> {
    let number = finite(name, value)?;
    if number >= 0.0 {
        return Ok(number);
    }
    let message = format!("{name} must be 0 or more, not {}", digits(number));
    Err(Fault::at(&value.span, message).label("negative").help(format!("{}?", digits(-number))))
}

/// A number between two others.
pub(crate) fn between(name: &str, value: &At<Scalar>, least: f64, most: f64) -> Result<f64, Fault> {
    let number = finite(name, value)?;
    if (least..=most).contains(&number) {
        return Ok(number);
    }
    let message = format!("{name} must be between {least} and {most}, not {}", digits(number));
    Err(Fault::at(&value.span, message).help(format!("{}?", number.clamp(least, most))))
}

/// A whole number between the bound of its key and this one.
pub(crate) fn count<const LEAST: u64>(name: &str, value: &At<Count<LEAST>>, most: u64) -> Result<u64, Fault> {
    let Count(number) = value.value;
    if (LEAST..=most).contains(&number) {
        return Ok(number);
    }
    let message = format!("{name} must be between {LEAST} and {most}, not {number}");
    Err(Fault::at(&value.span, message).help(format!("{}?", number.clamp(LEAST, most))))
}

/// A vector with one component per axis.
pub(crate) fn vector(name: &str, value: &At<Scalars>, axes: usize) -> Result<Place, Fault> {
    components(name, value, axes, axes)
}

/// An angular velocity: one number in the plane, three in space.
pub(crate) fn spin(name: &str, value: &At<Scalars>, axes: usize) -> Result<Place, Fault> {
    if axes == 1 {
        return Err(Fault::at(&value.span, "on a line nothing turns").help(format!("remove {name}")));
    }
    components(name, value, if axes == 2 { 1 } else { 3 }, axes)
}

fn components(name: &str, value: &At<Scalars>, wanted: usize, axes: usize) -> Result<Place, Fault> {
    let numbers = &value.value.0;
    if numbers.len() != wanted {
        let plural = if wanted == 1 { "" } else { "s" };
        let message = format!("{name} has {} components; in dimension {axes} it has {wanted}", numbers.len());
        let like = vec!["0.0"; wanted].join(", ");
        return Err(Fault::at(&value.span, message)
            .label(format!("{wanted} number{plural}, please"))
            .help(format!("[{like}]")));
    }
    finite_all(name, numbers, &value.span)?;
    let mut place = [0.0; 3];
    place[..wanted].copy_from_slice(numbers);
    Ok(place)
}

/// A vector that is not zero.
pub(crate) fn direction(name: &str, value: &At<Scalars>, axes: usize) -> Result<Place, Fault> {
    let place = vector(name, value, axes)?;
    let square: f64 = place.iter().fold(0.0, |sum, x| sum + x * x);
    if square > 0.0 && square.is_finite() && (1.0 / square).is_finite() {
        return Ok(place);
    }
    Err(Fault::at(&value.span, format!("{name} has no direction")).help("a vector that is neither 0 nor huge"))
}

/// Names that a label may have: letters, digits, `-` and `_`, not a number.
pub(crate) fn label(what: &str, value: &At<String>) -> Result<String, Fault> {
    let name = &value.value;
    if is_label(name) {
        return Ok(name.clone());
    }
    let message = format!("a {what} is a word of at most 64 letters, digits, - and _, not digits alone");
    Err(Fault::at(&value.span, message).help("\"left-wall\""))
}

/// Whether a word can be a label.
pub(crate) fn is_label(name: &str) -> bool {
    let fine = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_');
    let wordy = name.chars().any(|letter| !letter.is_ascii_digit());
    !name.is_empty() && name.len() <= 64 && wordy && name.chars().all(fine)
}

/// One of several known names, or a fault that lists them.
pub(crate) fn known<'a>(
    what: &str,
    wrong: &str,
    span: &Span,
    names: impl IntoIterator<Item = &'a str> + Clone,
) -> Fault {
    let fault = Fault::at(span, format!("there is no {what} `{}`", shortened(wrong, 64)));
    let all: Vec<&str> = names.clone().into_iter().collect();
    if all.is_empty() {
        return fault.help(format!("this scene has no {what}s"));
    }
    let list = shortened(&all.join(", "), 200);
    match nearest(wrong, names) {
        Some(name) => fault.label(format!("`{name}`?")).help(format!("did you mean `{name}`? There are: {list}")),
        None => fault.help(format!("there are: {list}")),
    }
}
