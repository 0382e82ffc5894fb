//! Numbers for people to read.

/// One grain, two grains.
pub fn counted(count: impl Into<u64>, noun: &str) -> String {
    let count: u64 = count.into();
    format!("{count} {noun}{}", if count == 1 { "" } else { "s" })
}

/// A number with four significant digits.
pub fn short(value: f64) -> String {
    rounded(value, 4)
}

/// A number with `digits` significant digits and no trailing zeros.
fn rounded(value: f64, digits: i32) -> String {
    if value == 0.0 || (1e-3..1e5).contains(&value.abs()) {
        return plain(value, digits);
    }
    format!("{value:.*e}", usize::try_from(digits - 2).unwrap_or(0).max(1))
}

/// The same for numbers of common size, never with a power of ten.
pub fn plain(value: f64, digits: i32) -> String {
    if value == 0.0 {
        return "0".into();
    }
    let enough = |places: &i32| (value.abs() * 10.0_f64.powi(*places)).round() >= 10.0_f64.powi(digits - 1);
    let places = (0..8).find(enough).unwrap_or(8);
    let text = format!("{value:.*}", usize::try_from(places).unwrap_or(0));
    if text.contains('.') { text.trim_end_matches('0').trim_end_matches('.').into() } else { text }
}

/// A number with its error: the error has two significant digits, the number the same number of decimals.
pub fn with_error(value: f64, error: Option<f64>) -> String {
    let Some(error) = error.filter(|error| *error > 0.0 && error.is_finite()) else { return short(value) };
    let places = (0..8).find(|places| (error * 10.0_f64.powi(*places)).round() >= 10.0);
    match places.and_then(|places| usize::try_from(places).ok()) {
        Some(places) if value.abs() < 1e5 => format!("{value:.places$} ± {error:.places$}"),
        _ => format!("{} ± {}", short(value), rounded(error, 2)),
    }
}

/// A number within a tolerance, which has two significant digits.
pub fn within(value: f64, tolerance: f64) -> String {
    format!("{} ± {}", short(value), rounded(tolerance, 2))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short() {
        for (value, text) in
            [(0.0, "0"), (0.797_44, "0.7974"), (1.0, "1"), (-12.3456, "-12.35"), (1234.5, "1234"), (2e-9, "2.00e-9")]
        {
            assert_eq!(short(value), text);
        }
    }

    #[test]
    fn an_error_decides_how_many_digits_are_worth_saying() {
        assert_eq!(with_error(0.176_888_8, Some(1.217e-5)), "0.176889 ± 0.000012");
        assert_eq!(with_error(63.533, Some(0.1374)), "63.53 ± 0.14");
        assert_eq!(with_error(2.0003, Some(0.0806)), "2.000 ± 0.081");
        assert_eq!(with_error(1.2345, None), "1.234");
        assert_eq!(with_error(1.2345, Some(0.0)), "1.234");
        assert_eq!(with_error(-4e-17, Some(2e-18)), "-4.00e-17 ± 2.0e-18");
        assert_eq!(within(0.7974, 0.005), "0.7974 ± 0.005");
    }
}
