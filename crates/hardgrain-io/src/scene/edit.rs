//! `--set key=value`: the text of a scene is changed as if it had been typed so, comments kept.

use super::fault::{Fault, shortened};
use toml_edit::{ArrayOfTables, DocumentMut, Item, Table, TableLike, Value};

/// The text with all changes made, one after the other.
pub(crate) fn edited(text: &str, changes: &[String]) -> Result<String, Fault> {
    // A text that is no TOML gets its message from the reader, which says it better.
    let Ok(mut document) = text.parse::<DocumentMut>() else { return Ok(text.into()) };
    for change in changes {
        apply(&mut document, change).map_err(|why| wrong(change, &why))?;
    }
    Ok(document.to_string())
}

fn wrong(change: &str, why: &str) -> Fault {
    let change = shortened(change, 80);
    Fault::whole(format!("--set {change}: {why}"))
        .help("--set solver.sweeps=80, --set pistons.lid.force=0.02; nothing behind = removes the key")
}

fn apply(document: &mut DocumentMut, change: &str) -> Result<(), String> {
    let (path, value) = change.split_once('=').ok_or("there is no = in it")?;
    let keys: Vec<&str> = path.trim().split('.').collect();
    if keys.iter().any(|key| key.is_empty()) {
        return Err("a key is missing".into());
    }
    let value = value.trim();
    // TOML if it can be, a text otherwise.
    let value = (!value.is_empty()).then(|| value.parse::<Value>().unwrap_or_else(|_| Value::from(value)));
    let (last, path) = keys.split_last().expect("split gives at least one");
    let table = descend(document.as_table_mut(), path)?;
    put(table, last, value)
}

/// Walks down to the table that holds the last key, making tables that are not there yet. In lists of tables the next key
/// is a label, a name or a number.
fn descend<'a>(table: &'a mut dyn TableLike, path: &[&str]) -> Result<&'a mut dyn TableLike, String> {
    let Some((key, rest)) = path.split_first() else { return Ok(table) };
    let inside = || format!("`{}` is no table", shortened(key, 40));
    let item = table.entry(key).or_insert(Item::Table(Table::new()));
    if let Item::ArrayOfTables(tables) = item {
        let Some((which, rest)) = rest.split_first() else {
            return Err(format!("`{key}` is a list; say which one: {key}.LABEL.… or {key}.0.…"));
        };
        let index = find(tables, which).ok_or_else(|| absent(tables, key, which))?;
        return descend(tables.get_mut(index).expect("it was found"), rest);
    }
    descend(item.as_table_like_mut().ok_or_else(inside)?, rest)
}

fn find(tables: &ArrayOfTables, which: &str) -> Option<usize> {
    let named = |table: &Table, field: &str| table.get(field).and_then(Item::as_str) == Some(which);
    let by_name = tables.iter().position(|table| named(table, "label") || named(table, "name"));
    by_name.or_else(|| which.parse().ok()).filter(|&index| index < tables.len())
}

fn absent(tables: &ArrayOfTables, key: &str, which: &str) -> String {
    let names = tables.iter().filter_map(|table| table.get("label").or(table.get("name"))?.as_str());
    let names: Vec<&str> = names.collect();
    format!("there is no `{}` in {key}; there are: {}", shortened(which, 40), shortened(&names.join(", "), 120))
}

fn put(table: &mut dyn TableLike, key: &str, value: Option<Value>) -> Result<(), String> {
    match (table.get_mut(key), value) {
        (Some(Item::ArrayOfTables(_)), Some(_)) => return Err(format!("`{key}` is a list of tables")),
        (Some(Item::Value(old)), Some(mut value)) => {
            // Spaces and the comment behind it stay.
            *value.decor_mut() = old.decor().clone();
            *old = value;
        }
        (_, Some(value)) => {
            table.insert(key, Item::Value(value));
        }
        (Some(_), None) => {
            table.remove(key);
        }
        (None, None) => return Err(format!("there is no `{}` to remove", shortened(key, 40))),
    }
    Ok(())
}

/// The text with the files of grains under other names.
pub(crate) fn with_tables(text: &str, names: &[(String, String)]) -> String {
    let Ok(mut document) = text.parse::<DocumentMut>() else { return text.into() };
    let groups = document.get_mut("grains").and_then(Item::as_array_of_tables_mut);
    for group in groups.into_iter().flat_map(|groups| groups.iter_mut()) {
        let Some(path) = group.get_mut("arrange").and_then(|arrange| arrange.get_mut("path")) else { continue };
        let new = names.iter().find(|(old, _)| path.as_str() == Some(old)).map(|(_, new)| new.clone());
        if let Some(new) = new {
            *path = toml_edit::value(new);
        }
    }
    document.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;

    const SCENE: &str = "seed = 1 # luck\n[solver]\nsweeps = 40  # N_I\n[[pistons]]\nlabel = \"lid\"\nforce = 1.0\n\
                         [record]\nseries = { every = 1 }\n";

    fn set(change: &str) -> Result<String, String> {
        edited(SCENE, &[change.into()]).map_err(|fault| fault.message)
    }

    #[test]
    fn values_change_where_they_stand_and_comments_stay() {
        assert!(set("solver.sweeps=80").unwrap().contains("sweeps = 80  # N_I\n"));
        assert!(set("seed=2").unwrap().starts_with("seed = 2 # luck\n"));
        assert!(set("pistons.lid.force=0.5").unwrap().contains("force = 0.5\n"));
        assert!(set("pistons.0.force=0.5").unwrap().contains("force = 0.5\n"));
        assert!(set("record.series.every=10").unwrap().contains("every = 10 }"));
        assert!(set("solver.order=forward").unwrap().contains("order = \"forward\"\n"));
        assert!(!set("solver.sweeps=").unwrap().contains("sweeps"));
        assert!(set("contact.friction = 0.5").unwrap().contains("[contact]\nfriction = 0.5"));
        assert!(set("gravity=[0, -1]").unwrap().contains("gravity = [0, -1]\n"));
    }

    #[test]
    fn nonsense_is_refused() {
        for (change, why) in [
            ("solver", "no ="),
            ("=3", "key is missing"),
            ("solver..sweeps=3", "key is missing"),
            ("pistons.lit.force=1", "there are: lid"),
            ("pistons=1", "list of tables"),
            ("pistons.lid=1", "say which"),
            ("seed.more=1", "`seed` is no table"),
            ("solver.order=", "to remove"),
        ] {
            let said = set(change).unwrap_err();
            assert!(said.contains(why), "{change}: {said}");
        }
    }
}
