//! The layout of a scene: what must be a table, what a list of tables. Serde would take a list for a table, value by value.

use super::fault::{Fault, shortened};
use toml::Spanned;
use toml::de::{DeTable, DeValue};

/// Tables by their path.
const TABLES: [&str; 13] = [
    "cell",
    "cell.periodic",
    "contact",
    "time",
    "solver",
    "record",
    "record.series",
    "record.frames",
    "record.checkpoint",
    "grains.arrange",
    "grains.rotation",
    "stages.until",
    "stages.set",
];

/// Lists of tables by their path.
pub(crate) const LISTS: [&str; 6] = ["grains", "walls", "pistons", "forces", "stages", "contact.pairs"];

/// Refuses what has another shape, and dates, which mean nothing in a scene.
pub(crate) fn check(table: &DeTable<'_>) -> Result<(), Fault> {
    inside("", table)
}

fn inside(path: &str, table: &DeTable<'_>) -> Result<(), Fault> {
    for (key, value) in table {
        let name = key.get_ref();
        let path = if path.is_empty() { name.to_string() } else { format!("{path}.{name}") };
        if LISTS.contains(&path.as_str()) {
            list(&path, value)?;
        } else if let DeValue::Table(table) = value.get_ref() {
            inside(&path, table)?;
        } else if TABLES.contains(&path.as_str()) {
            return Err(no_table(&path, value));
        } else {
            dates(value)?;
        }
    }
    Ok(())
}

fn list(path: &str, value: &Spanned<DeValue<'_>>) -> Result<(), Fault> {
    let DeValue::Array(items) = value.get_ref() else {
        let message = format!("`{path}` is {}; here belongs a list of tables", kind(value.get_ref()));
        return Err(Fault::at(&value.span(), message).help(format!("[[{path}]], once for each")));
    };
    for item in items {
        match item.get_ref() {
            DeValue::Table(table) => inside(path, table)?,
            _ => return Err(no_table(path, item)),
        }
    }
    Ok(())
}

fn no_table(path: &str, value: &Spanned<DeValue<'_>>) -> Fault {
    let message = format!("`{}` is {}; here belongs a table", shortened(path, 64), kind(value.get_ref()));
    let last = path.rsplit('.').next().unwrap_or(path);
    let help = if path == "stages.until" {
        "until = { at_rest = 1e-8, max_steps = 100000 }".into()
    } else if path == "stages.set" {
        "set = { \"pistons.lid.force\" = 0.02 }".into()
    } else if path.contains('.') {
        format!("{last} = {{ key = value }}")
    } else {
        format!("[{path}], once, and its keys below")
    };
    Fault::at(&value.span(), message).help(help)
}

fn dates(value: &Spanned<DeValue<'_>>) -> Result<(), Fault> {
    match value.get_ref() {
        DeValue::Datetime(_) => {
            Err(Fault::at(&value.span(), "a date means nothing in a scene").help("a number, or a text in \"quotes\""))
        }
        DeValue::Array(items) => items.iter().try_for_each(dates),
        DeValue::Table(table) => table.values().try_for_each(dates),
        _ => Ok(()),
    }
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a text",
        DeValue::Integer(_) | DeValue::Float(_) => "a number",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "one table",
    }
}
