//! Numbers as columns of text.

use hardgrain_analysis::Estimate;

use hardgrain_lab::number::plain;

pub(crate) use hardgrain_lab::number::counted;

/// A number with `digits` decimal places, or a dash.
pub(crate) fn fixed(value: Option<f64>, digits: usize) -> String {
    value.filter(|value| value.is_finite()).map_or("–".into(), |value| format!("{value:.digits$}"))
}

/// A number with six significant digits, or a dash.
pub(crate) fn number(value: Option<f64>) -> String {
    let Some(value) = value.filter(|value| value.is_finite()) else { return "–".into() };
    match value.abs() {
        0.0 => value.to_string(),
        1e-3..1e6 => plain(value, 6),
        _ => format!("{value:.5e}"),
    }
}

/// Warnings below a table, one paragraph each.
pub(crate) fn warned(warnings: &[String]) -> String {
    warnings.iter().fold(String::new(), |text, warning| text + "\nwarning: " + warning + "\n")
}

/// An estimate with its error where that is known, or a dash.
pub(crate) fn estimate(found: Option<Estimate>, digits: usize) -> String {
    let value = fixed(found.map(|found| found.value), digits);
    match found.filter(|found| !found.error.is_infinite()) {
        Some(found) => format!("{value} ± {}", fixed(Some(found.error), digits)),
        None => value,
    }
}

/// By how many percent the first is off the second.
pub(crate) fn percent(measured: Option<f64>, expected: Option<f64>) -> String {
    match (measured, expected) {
        (Some(measured), Some(expected)) if (measured / expected).is_finite() => {
            format!("{:+.2} %", 100.0 * (measured / expected - 1.0))
        }
        _ => "–".into(),
    }
}

/// A share of something with its error where that is known, in percent.
pub(crate) fn share(found: Option<Estimate>) -> String {
    match found {
        Some(Estimate { value, error }) if error.is_finite() => {
            format!("{:+.2} ± {:.2} %", 100.0 * value, 100.0 * error)
        }
        Some(Estimate { value, .. }) => format!("{:+.2} %", 100.0 * value),
        None => "–".into(),
    }
}

/// A heading, and what stands in a row below it.
pub(crate) type TableColumn<'a, R> = (&'a str, fn(&R) -> String);

/// Columns of these rows, lined up.
pub(crate) fn columns<R>(columns: &[TableColumn<'_, R>], rows: &[R]) -> String {
    columns_and_remarks(columns, rows, |_| None)
}

/// The same with a remark behind some of the rows.
pub(crate) fn columns_and_remarks<'a, R: 'a>(
    columns: &[TableColumn<'_, R>],
    rows: impl IntoIterator<Item = &'a R>,
    remark: impl Fn(&R) -> Option<String>,
) -> String {
    let header = columns.iter().map(|(heading, _)| (*heading).to_owned()).collect();
    let rows = rows.into_iter().map(|row| columns.iter().map(|(_, cell)| cell(row)).chain(remark(row)).collect());
    lined_up(&[header].into_iter().chain(rows).collect::<Vec<Vec<String>>>())
}

/// Rows with their columns lined up: the first to the left, the others to the right. The first row is the header; what goes
/// beyond it is a remark.
pub(crate) fn lined_up(rows: &[Vec<String>]) -> String {
    let columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let length = |text: &str| text.chars().count();
    let width =
        |column: usize| rows.iter().filter_map(|row| row.get(column)).map(|text| length(text)).max().unwrap_or(0);
    let widths: Vec<usize> = (0..columns).map(width).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().zip(&widths).enumerate().map(|(column, (cell, width))| {
            let room = " ".repeat(width - length(cell));
            match column {
                0 => format!("{cell}{room}"),
                // A remark without a heading.
                _ if column >= rows[0].len() => format!("   {cell}"),
                _ => format!("   {room}{cell}"),
            }
        });
        let line: String = cells.collect();
        text += line.trim_end();
        text.push('\n');
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_short_and_keep_six_digits() {
        for (value, text) in [
            (0.0, "0"),
            (1.0, "1"),
            (31.897_701_6, "31.8977"),
            (0.176_731_418, "0.176731"),
            (125_000.0, "125000"),
            (1.5e-7, "1.50000e-7"),
            (3e9, "3.00000e9"),
            (-2.5, "-2.5"),
        ] {
            assert_eq!(number(Some(value)), text);
        }
        assert_eq!(number(Some(f64::NAN)), "–");
        assert_eq!(percent(Some(1.01), Some(1.0)), "+1.00 %");
    }

    #[test]
    fn columns_line_up() {
        let rows = [vec!["a".to_string(), "long".into()], vec!["bcd".into(), "ω".into()]];
        assert_eq!(lined_up(&rows), "a     long\nbcd      ω\n");
    }
}
