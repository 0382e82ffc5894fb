//! CSV files of grains: x, y, z and radius, as many columns as the dimension needs.

use crate::scene::fault::shortened;
use crate::scene::plan::LARGEST_PACKING;
use crate::scene::values::{AXES, Place};

/// A file of text.
pub(crate) fn text(bytes: Vec<u8>) -> Result<String, String> {
    String::from_utf8(bytes).map_err(|_| "cannot be read: it is no UTF-8 text".into())
}

/// A place and perhaps a radius for each grain.
pub(crate) fn table(text: &str, axes: usize) -> Result<Vec<(Place, Option<f64>)>, String> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let content = |(_, line): &(usize, &str)| !line.trim().is_empty() && !line.trim_start().starts_with('#');
    let mut lines = text.lines().enumerate().filter(content);
    let (_, header) = lines.next().ok_or("has no lines")?;
    let names: Vec<&str> = header.split(',').map(str::trim).collect();
    let column = |name: &str| names.iter().position(|known| *known == name);
    let stray = names.iter().find(|name| **name != "radius" && !AXES[..axes].contains(name));
    if let Some(name) = stray {
        let (known, name) = (AXES[..axes].join(", "), shortened(name, 40));
        return Err(format!("has a column `{name}`; in dimension {axes} there are {known} and radius"));
    }
    if let Some(name) = names.iter().enumerate().find(|(i, name)| names[..*i].contains(name)).map(|(_, name)| name) {
        return Err(format!("has the column `{name}` twice"));
    }
    let mut places = [0; 3];
    for (place, axis) in places.iter_mut().zip(&AXES[..axes]) {
        *place = column(axis).ok_or_else(|| format!("has no column `{axis}`; its first line names the columns"))?;
    }
    let radius = column("radius");
    let mut rows = Vec::new();
    for (number, line) in lines {
        let values: Vec<&str> = line.split(',').map(str::trim).collect();
        if values.len() != names.len() {
            return Err(format!("line {} has {} values, not {}", number + 1, values.len(), names.len()));
        }
        let value = |column: usize| match values[column].parse::<f64>() {
            Ok(value) if value.is_finite() => Ok(value),
            _ => Err(format!("line {}: `{}` is no finite number", number + 1, shortened(values[column], 40))),
        };
        let mut place = [0.0; 3];
        for (component, column) in place.iter_mut().zip(&places[..axes]) {
            *component = value(*column)?;
        }
        let radius = radius.map(value).transpose()?;
        if let Some(wrong) = radius.filter(|radius| *radius <= 0.0) {
            return Err(format!("line {}: the radius {wrong} is not above 0", number + 1));
        }
        rows.push((place, radius));
        if rows.len() > LARGEST_PACKING {
            return Err(format!("has more than {LARGEST_PACKING} grains"));
        }
    }
    if rows.is_empty() { Err("has no grains".into()) } else { Ok(rows) }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_read_by_the_names_of_their_columns() {
        let rows = table("radius, y,x\n# three\n0.5,2,1\n\n0.25, 4, 3\n", 2).unwrap();
        assert_eq!(rows, [([1.0, 2.0, 0.0], Some(0.5)), ([3.0, 4.0, 0.0], Some(0.25))]);
        assert_eq!(table("x\n7\n", 1).unwrap(), [([7.0, 0.0, 0.0], None)]);
        for (text, why) in [
            ("", "no lines"),
            ("x,radius\n1,2\n", "no column `y`"),
            ("x,y,z\n1,2,3\n", "column `z`"),
            ("x,y\n", "no grains"),
            ("x,y,x\n1,2,3\n", "twice"),
            ("x,y\n1\n", "line 2 has 1 values"),
            ("x,y\n1,nan\n", "`nan` is no finite"),
            ("x,y,radius\n1,2,-1\n", "not above 0"),
        ] {
            let said = table(text, 2).unwrap_err();
            assert!(said.contains(why), "{said}");
        }
    }
}
