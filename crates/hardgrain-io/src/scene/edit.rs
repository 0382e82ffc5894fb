//! `--set key=value`: the text of a scene is changed as if it had been typed so, comments kept.

use super::fault::{Fault, shortened};
use super::layout::LISTS;
use toml_edit::{DocumentMut, Item, Key, Table, TableLike, Value};

/// The text with all changes made, one after the other.
pub(crate) fn edited(text: &str, changes: &[String]) -> Result<String, Fault> {
    // Invalid TOML is reported by the reader, whose message is better.
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

/// The keys of a path as it is typed behind `--set`, without quotes and spaces; `None` if it is not one.
pub fn keys_of(path: &str) -> Option<Vec<String>> {
    Key::parse(path.trim()).ok().map(|keys| keys.iter().map(|key| key.get().to_owned()).collect())
}

fn apply(document: &mut DocumentMut, change: &str) -> Result<(), String> {
    let (path, value) = change.split_once('=').ok_or("there is no = in it")?;
    // Keys with dots in them stand in quotes, as in the file.
    let keys = Key::parse(path.trim()).map_err(|_| "a key is missing, or is no key".to_owned())?;
    let mut keys: Vec<&str> = keys.iter().map(Key::get).collect();
    // What a stage sets has names with dots: stages.ring.set.solver.sweeps means the same as stages.ring.set."solver.sweeps".
    let set = keys.get(3..).filter(|name| !name.is_empty() && keys[0] == "stages" && keys[2] == "set");
    let set = set.map(|name| name.join("."));
    if let Some(name) = &set {
        keys.truncate(3);
        keys.push(name);
    }
    let value = read_value(value.trim())?;
    if let Some(list) = LISTS.iter().find(|list| keys.join(".").starts_with(&format!("{list}."))) {
        let there = list.split('.').try_fold(document.as_item(), |item, key| item.get(key)).is_some();
        if !there {
            return Err(format!("the scene has no {list}"));
        }
        if keys.len() == list.split('.').count() + 1 {
            let entry = keys.join(".");
            return Err(format!("a whole entry of {list} cannot be set or removed; set its keys: {entry}.…"));
        }
    }
    let (last, path) = keys.split_last().expect("split gives at least one");
    let table = descend(document.as_table_mut(), path)?;
    put(table, last, value)
}

/// The value as TOML if it parses, else as a string; none if the text is empty.
pub(crate) fn read_value(text: &str) -> Result<Option<Value>, String> {
    if text.is_empty() {
        return Ok(None);
    }
    if let Ok(value) = text.parse::<Value>() {
        return Ok(Some(value));
    }
    // Numbers that TOML would write in another way: .5, 05.
    if let Ok(whole) = text.parse::<i64>() {
        return Ok(Some(Value::from(whole)));
    }
    match text.parse::<f64>() {
        Ok(number) if number.is_finite() && text.contains(['.', 'e', 'E']) => Ok(Some(Value::from(number))),
        Ok(_) => Err("this number is too large".into()),
        Err(_) if text.starts_with(['[', '{', '"', '\'']) => {
            Err("this is no list, table or text in TOML, or a number in it is too large".into())
        }
        Err(_) => Ok(Some(Value::from(text))),
    }
}

/// Descends to the table that holds the last key and creates missing tables on the way. In a list of tables the next key is a
/// label, a name or a number.
fn descend<'a>(table: &'a mut dyn TableLike, path: &[&str]) -> Result<&'a mut dyn TableLike, String> {
    let Some((key, rest)) = path.split_first() else { return Ok(table) };
    let item = table.entry(key).or_insert(Item::Table(Table::new()));
    let (is_list, is_inline) = (item.is_array_of_tables() || item.is_array(), item.is_array());
    if !is_list {
        return descend(item.as_table_like_mut().ok_or_else(|| format!("`{}` is no table", shortened(key, 40)))?, rest);
    }
    let Some((which, rest)) = rest.split_first() else {
        return Err(format!("`{key}` is a list; say which one: {key}.LABEL.… or {key}.0.…"));
    };
    // By its label or name, or by its number.
    let mut tables = tables_in(item);
    let label = |table: &Option<&mut dyn TableLike>, field: &str| {
        table.as_ref().and_then(|table| table.get(field)).and_then(Item::as_str).map(str::to_owned)
    };
    let fits = |table| [label(table, "label"), label(table, "name")].iter().flatten().any(|label| label == which);
    let index = tables.iter().position(fits).or_else(|| which.parse().ok()).filter(|&index| index < tables.len());
    let names = tables.iter().filter_map(|table| label(table, "label").or(label(table, "name")));
    let names = shortened(&names.collect::<Vec<_>>().join(", "), 120);
    let known = if is_inline { String::new() } else { format!("; there are: {names}") };
    let found = index.and_then(|index| tables.swap_remove(index));
    descend(found.ok_or_else(|| format!("there is no `{}` in {key}{known}", shortened(which, 40)))?, rest)
}

/// The entries of a list; `None` for one that is not a table.
fn tables_in(list: &mut Item) -> Vec<Option<&mut dyn TableLike>> {
    match list {
        Item::ArrayOfTables(tables) => tables.iter_mut().map(|table| Some(table as &mut dyn TableLike)).collect(),
        Item::Value(Value::Array(tables)) => tables
            .iter_mut()
            .map(|table| table.as_inline_table_mut().map(|table| table as &mut dyn TableLike))
            .collect(),
        _ => Vec::new(),
    }
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
pub(crate) fn with_files(text: &str, names: &[(String, String)]) -> String {
    let Ok(mut document) = text.parse::<DocumentMut>() else { return text.into() };
    if let Some(start) = document.get_mut("start").and_then(Item::as_value_mut) {
        rename(start, names);
    }
    for group in document.get_mut("grains").map(tables_in).into_iter().flatten().flatten() {
        let arrange = group.get_mut("arrange").and_then(Item::as_table_like_mut);
        let Some(path) = arrange.and_then(|arrange| arrange.get_mut("path")).and_then(Item::as_value_mut) else {
            continue;
        };
        rename(path, names);
    }
    document.to_string()
}

/// Writes the new name of a file where the old one stands.
fn rename(path: &mut Value, names: &[(String, String)]) {
    if let Some((_, new)) = names.iter().find(|(old, _)| path.as_str() == Some(old)) {
        let decor = path.decor().clone();
        *path = Value::from(new.as_str());
        *path.decor_mut() = decor;
    }
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
        assert!(set("pistons.lid.force=.5").unwrap().contains("force = 0.5\n"));
        assert!(set("seed=05").unwrap().starts_with("seed = 5 # luck\n"));
        assert!(set("gravity=[0, -1]").unwrap().contains("gravity = [0, -1]\n"));
    }

    #[test]
    fn quoted_keys_and_lists_in_one_line_are_reached() {
        let scene = "grains = [{ label = \"a\", radius = 1.0 }]\n[[stages]]\nname = \"b\"\nset = { \"pistons.lid.force\" = 1 }\n";
        let set = |change: &str| edited(scene, &[change.into()]).map_err(|fault| fault.message).unwrap();
        assert!(set("stages.b.set.\"pistons.lid.force\"=3").contains("{ \"pistons.lid.force\" = 3 }"));
        assert!(set("stages.b.set.pistons.lid.force=3").contains("{ \"pistons.lid.force\" = 3 }"));
        assert!(set("grains.a.radius=2.0").contains("radius = 2.0 }"));
        assert!(set("grains . 0 . radius = 2.0").contains("radius = 2.0 }"));
        let names = [("old.csv".to_owned(), "new.csv".to_owned())];
        let tables = "grains = [{ arrange = { path = \"old.csv\" } }] # kept\n";
        assert_eq!(with_files(tables, &names), tables.replace("old", "new"));
        let tables = "[[grains]]\n[grains.arrange]\npath = \"old.csv\" # kept\n";
        assert_eq!(with_files(tables, &names), tables.replace("old", "new"));
    }

    #[test]
    fn nonsense_is_refused() {
        for (change, why) in [
            ("solver", "no ="),
            ("=3", "key is missing"),
            ("solver..sweeps=3", "key is missing"),
            ("pistons.lit.force=1", "there are: lid"),
            ("pistons=1", "list of tables"),
            ("pistons.lid=1", "a whole entry of pistons"),
            ("seed=[1e999]", "too large"),
            ("seed.more=1", "`seed` is no table"),
            ("solver.order=", "to remove"),
            ("walls.left.point=[0]", "the scene has no walls"),
            ("solver.tolerance=1e999", "too large"),
            ("seed=99999999999999999999", "too large"),
        ] {
            let said = set(change).unwrap_err();
            assert!(said.contains(why), "{change}: {said}");
        }
    }
}
