//! Separate fingerprints of the physics and of the numerics of a scene: who varies one of them can prove that the other is unchanged.

use super::plan::{Arrangement, Scene, StageEnd, Start};
use toml::{Table, Value};

/// Fingerprints of a scene. Comments, the title, the seed and what is written down belong to neither.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fingerprints {
    /// Grains, walls, loads, materials, and for how long.
    pub physics: u64,
    /// Solvers, steps, and after how many of them to give up.
    pub numerics: u64,
}

/// Keys of a scene that affect no result.
const NEITHER: [&str; 4] = ["format", "title", "seed", "record"];

/// Keys of a solver that describe the material of the grains.
const MATERIAL: [&str; 8] =
    ["stiffness", "damping", "tangent_stiffness", "tangent_damping", "contact_time", "law", "scale", "bonded"];

/// The 64-bit FNV-1a hash (Fowler, Noll, Vo) of bytes.
pub fn mixed(bytes: impl IntoIterator<Item = u8>) -> u64 {
    let mix = |hash: u64, byte: u8| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01b3);
    bytes.into_iter().fold(0xcbf2_9ce4_8422_2325, mix)
}

impl Scene {
    /// A fingerprint of the effective text and of the files that it names: a checkpoint knows by it whose it is.
    pub fn hash(&self) -> u64 {
        let numbers = self.files().flat_map(f64::to_le_bytes);
        mixed(self.source.text.bytes().chain(numbers).chain(self.start_bytes()))
    }

    /// The packing that it starts from.
    fn start_bytes(&self) -> Vec<u8> {
        self.start.as_ref().map(|start: &Start| start.state.hashed()).unwrap_or_default()
    }

    /// The fingerprints of its physics and of its numerics.
    pub fn fingerprints(&self) -> Fingerprints {
        let mut physics: Table = self.source.text.parse().expect("it was read before");
        for key in NEITHER {
            physics.remove(key);
        }
        let mut numerics = Table::new();
        if let Some(solver) = physics.remove("solver") {
            let (materials, rest) = parted(solver, |key| MATERIAL.contains(&key));
            physics.insert("materials".into(), materials.into());
            numerics.insert("solver".into(), rest.into());
        }
        physics.remove("time");
        if let Some(Value::Array(stages)) = physics.get_mut("stages") {
            let rest = stages.iter_mut().map(|stage| numerics_of(stage).into()).collect();
            numerics.insert("stages".into(), Value::Array(rest));
        }
        let steps = self.stages.iter().map(|stage| stage.numerics.step.into()).collect();
        numerics.insert("steps".into(), Value::Array(steps));
        // A duration is physics, however many steps it takes.
        let durations = self.stages.iter().map(|stage| match stage.end {
            StageEnd::Steps(steps) => format!("{:.9e}", steps as f64 * stage.numerics.step),
            StageEnd::AtRest { .. } => "until at rest".into(),
        });
        physics.insert("durations".into(), Value::Array(durations.map(Value::from).collect()));
        let physics =
            bytes_of(Value::Table(physics)).into_iter().chain(self.files().flat_map(plain)).chain(self.start_bytes());
        Fingerprints { physics: mixed(physics), numerics: mixed(bytes_of(Value::Table(numerics))) }
    }

    /// The numbers of the grain files that it names.
    fn files(&self) -> impl Iterator<Item = f64> {
        let rows = self.groups.iter().filter_map(|group| match &group.arrangement {
            Arrangement::File(_, rows) => Some(rows),
            _ => None,
        });
        rows.flatten().flat_map(|(place, radius)| place.iter().chain(radius).copied())
    }
}

/// Removes the numerical settings from a stage and returns them.
fn numerics_of(stage: &mut Value) -> Table {
    let Value::Table(stage) = stage else { return Table::new() };
    let mut numerics = Table::new();
    for key in ["steps", "duration"] {
        stage.remove(key);
    }
    if let Some(Value::Table(until)) = stage.get_mut("until") {
        numerics.extend(until.remove("max_steps").map(|steps| ("max_steps".to_owned(), steps)));
    }
    if let Some(Value::Table(set)) = stage.remove("set") {
        let mut flat = Table::new();
        flatten("", set, &mut flat);
        let set = Value::Table(flat);
        let is_material = |key: &str| MATERIAL.iter().any(|material| key == format!("solver.{material}"));
        let is_numerics = |key: &str| (key.starts_with("solver.") && !is_material(key)) || key.starts_with("time.");
        let (rest, physics) = parted(set, is_numerics);
        numerics.insert("set".into(), rest.into());
        stage.insert("set".into(), physics.into());
    }
    numerics
}

/// What a stage sets, as `"solver.sweeps" = 10`, however it was written.
fn flatten(before: &str, table: Table, flat: &mut Table) {
    for (key, value) in table {
        let name = format!("{before}{key}");
        match value {
            Value::Table(inside) => flatten(&format!("{name}."), inside, flat),
            value => drop(flat.insert(name, value)),
        }
    }
}

/// Splits a table into the entries whose key is wanted and the others.
fn parted(table: Value, wanted: impl Fn(&str) -> bool) -> (Table, Table) {
    let Value::Table(table) = table else { return (Table::new(), Table::new()) };
    table.into_iter().partition(|(key, _)| wanted(key))
}

/// The bytes of a value, tables in the order of their keys and without empty ones, which mean nothing.
fn bytes_of(value: Value) -> Vec<u8> {
    let text = |text: &str| [text.as_bytes(), &[0]].concat();
    match value {
        Value::Table(table) => {
            let mut entries: Vec<(String, Value)> = table.into_iter().collect();
            entries.retain(|(_, value)| value.as_table().is_none_or(|inside| !inside.is_empty()));
            entries.sort_unstable_by(|(one, _), (other, _)| one.cmp(other));
            let entries = entries.into_iter().flat_map(|(key, value)| [text(&key), bytes_of(value)].concat());
            entries.chain(text("}")).collect()
        }
        Value::Array(values) => values.into_iter().flat_map(bytes_of).chain(text("]")).collect(),
        // 1 and 1.0 mean the same.
        Value::Integer(number) => plain(number as f64).to_vec(),
        Value::Float(number) => plain(number).to_vec(),
        Value::String(string) => text(&string),
        Value::Boolean(is) => text(if is { "yes" } else { "no" }),
        Value::Datetime(time) => text(&time.to_string()),
    }
}

/// The bytes of a number. 0 and −0 are the same one.
fn plain(number: f64) -> [u8; 8] {
    (number + 0.0).to_le_bytes()
}
