//! A change in the middle of a run as a scene: the present stage ends after the steps that it has made, and one begins with the change.

use super::SceneFiles;
use super::edit::{keys_of, read_value};
use super::fault::{Fault, Refusal};
use super::plan::{Arrangement, REST_STEPS, Scene, StageEnd};
use super::write::table_text;
use crate::checkpoint::encode_packing;
use toml_edit::{ArrayOfTables, DocumentMut, InlineTable, Item, Table, TableLike, Value};

/// A stage and how many of its steps are made.
#[derive(Clone, Copy, Debug)]
pub struct StageProgress {
    /// Its number.
    pub stage: usize,
    /// Steps made in it.
    pub steps: u64,
}

impl Scene {
    /// The scene in which this stage ends now and another one begins with these settings, `key=value` as a stage may set them. It keeps
    /// what was left of the stage. Before the first step of a stage the settings become its own.
    ///
    /// # Errors
    /// When a stage cannot set this.
    pub fn changed(&self, at: StageProgress, set: &[String]) -> Result<Self, Refusal> {
        let refuse = |fault: Fault| Refusal::new(&self.source, fault);
        let settings = set.iter().map(|change| setting(change)).collect::<Result<Vec<_>, _>>().map_err(refuse)?;
        let text = self.with_stage(at, &settings);
        let files = |name: &str| self.file(name).map_err(|refusal| refusal.to_string());
        Self::from_text(&self.source.name, &text, &[], &files)
    }

    /// The scene with all files that it names.
    ///
    /// # Errors
    /// When memory runs out.
    pub fn with_its_files(&self) -> Result<SceneFiles, Refusal> {
        let tables = self.groups.iter().filter_map(|group| match &group.arrangement {
            Arrangement::File(path, _) => Some(path),
            _ => None,
        });
        let names = tables.chain(self.start.as_ref().map(|start| &start.path));
        let files = names.map(|name| Ok((name.clone(), self.file(name)?))).collect::<Result<_, Refusal>>()?;
        Ok(SceneFiles { source: self.source.clone(), files })
    }

    /// A file that the text of this scene names, written anew from what was read.
    ///
    /// # Errors
    /// When it names no such file, or memory runs out.
    pub fn file(&self, name: &str) -> Result<Vec<u8>, Refusal> {
        let refuse = |why: String| Refusal::new(&self.source, Fault::whole(format!("{name} {why}")));
        if let Some(start) = self.start.as_ref().filter(|start| start.path == name) {
            // The scene it came from is irrelevant: hash 0.
            return encode_packing(0, &start.state).map_err(|error| refuse(format!("cannot be written: {error}")));
        }
        let table = self.groups.iter().find_map(|group| match &group.arrangement {
            Arrangement::File(path, rows) if path == name => Some(table_text(rows, self.dimension)),
            _ => None,
        });
        table.map(String::into_bytes).ok_or_else(|| refuse("is not named by it".into()))
    }

    /// The text with another stage from here on.
    fn with_stage(&self, at: StageProgress, settings: &[(String, Value)]) -> String {
        let mut document: DocumentMut = self.source.text.parse().expect("it was read before");
        let mut stages = stages_of(&mut document, self.stages[0].end);
        let mut entry = stages.remove(at.stage);
        if at.steps == 0 {
            merge(&mut entry, settings);
            stages.insert(at.stage, entry);
        } else {
            let next = self.rest_of(at, &entry, settings);
            end_after(&mut entry, at.steps, self.stages[at.stage].end);
            stages.insert(at.stage, entry);
            stages.insert(at.stage + 1, next);
        }
        let mut list = ArrayOfTables::new();
        list.extend(stages);
        document.insert("stages", Item::ArrayOfTables(list));
        document.to_string()
    }

    /// The stage after this one: what is left of it, with other settings.
    fn rest_of(&self, at: StageProgress, entry: &Table, settings: &[(String, Value)]) -> Table {
        let plan = &self.stages[at.stage];
        let mut rest = Table::new();
        rest.insert("name", toml_edit::value(self.free_name(&plan.name)));
        match plan.end {
            StageEnd::Steps(most) => {
                let left = most - at.steps;
                if entry.contains_key("duration") {
                    rest.insert("duration", toml_edit::value(left as f64 * plan.numerics.step));
                } else {
                    rest.insert("steps", toml_edit::value(whole(left)));
                }
            }
            StageEnd::AtRest { max_steps, .. } => {
                let mut until = until_of(entry);
                until.insert("max_steps", whole((max_steps - at.steps).max(REST_STEPS.into())).into());
                rest.insert("until", toml_edit::value(until));
            }
        }
        merge(&mut rest, settings);
        rest
    }

    /// A name for a stage that none has yet.
    fn free_name(&self, name: &str) -> String {
        let base =
            name.rsplit_once('-').filter(|(_, number)| number.parse::<u32>().is_ok()).map_or(name, |(base, _)| base);
        let is_free = |name: &String| self.stages.iter().all(|stage| stage.name != *name);
        // Of so many names one is free.
        let mut names = (2..self.stages.len() + 3).map(|number| format!("{base}-{number}"));
        names.find(is_free).expect("there are fewer stages than names")
    }
}

/// `key=value` of a change.
fn setting(change: &str) -> Result<(String, Value), Fault> {
    let wrong = |why: &str| Fault::whole(format!("{change}: {why}")).help("solver.sweeps=80, pistons.lid.force=0.02");
    let (path, value) = change.split_once('=').ok_or_else(|| wrong("there is no = in it"))?;
    let keys = keys_of(path).ok_or_else(|| wrong("a key is missing, or is no key"))?;
    let value = read_value(value.trim()).map_err(|why| wrong(&why))?;
    Ok((keys.join("."), value.ok_or_else(|| wrong("there is no value behind the ="))?))
}

/// The stages of a document, one if it has none: then the steps move from `[time]` to it.
fn stages_of(document: &mut DocumentMut, end: StageEnd) -> Vec<Table> {
    match document.remove("stages") {
        Some(Item::ArrayOfTables(tables)) => tables.into_iter().collect(),
        Some(Item::Value(Value::Array(tables))) => tables
            .into_iter()
            .filter_map(|value| value.as_inline_table().cloned())
            .map(InlineTable::into_table)
            .collect(),
        _ => {
            let mut stage = Table::new();
            stage.insert("name", toml_edit::value("run"));
            let time = document.get_mut("time").and_then(Item::as_table_like_mut).expect("it was read before");
            let duration = time.remove("duration");
            time.remove("steps");
            match duration {
                Some(duration) => stage.insert("duration", duration),
                None => stage.insert("steps", toml_edit::value(whole(end.most_steps()))),
            };
            vec![stage]
        }
    }
}

/// Ends a stage after these steps. Where everything was stopped on the way to rest, it must be again.
fn end_after(entry: &mut Table, steps: u64, end: StageEnd) {
    let mut until = until_of(entry);
    for key in ["steps", "duration", "until"] {
        entry.remove(key);
    }
    match end {
        StageEnd::AtRest { stop_after: Some(first), .. } if steps >= first => {
            until.insert("max_steps", whole(steps).into());
            until.insert("otherwise", "continue".into());
            entry.insert("until", toml_edit::value(until));
        }
        _ => {
            entry.insert("steps", toml_edit::value(whole(steps)));
        }
    }
}

fn until_of(entry: &Table) -> InlineTable {
    let pairs = entry.get("until").and_then(Item::as_table_like).into_iter().flat_map(TableLike::iter);
    let pairs = pairs.filter_map(|(key, item)| Some((key.to_owned(), item.as_value()?.clone().decorated(" ", ""))));
    pairs.collect()
}

/// Adds settings to those of a stage. They replace what they contradict.
fn merge(entry: &mut Table, settings: &[(String, Value)]) {
    let mut all: Vec<(String, Value)> = Vec::new();
    if let Some(set) = entry.remove("set") {
        flatten("", &set, &mut all);
    }
    // What contradicts itself within the new ones is for the reader of the scene to refuse.
    all.retain(|(known, _)| settings.iter().all(|(key, _)| !replaces(key, known)));
    all.extend(settings.iter().cloned());
    let set: InlineTable = all.into_iter().map(|(key, value)| (key, value.decorated(" ", ""))).collect();
    entry.insert("set", toml_edit::value(set));
}

/// Whether a setting takes the place of an earlier one.
fn replaces(new: &str, old: &str) -> bool {
    let contradicts = |one: &str, others: &[&str]| {
        new.strip_suffix(one).is_some_and(|of| others.iter().any(|other| old.strip_suffix(other) == Some(of)))
    };
    new == old
        || contradicts(".force", &[".pressure", ".area"])
        || contradicts(".pressure", &[".force"])
        || contradicts("solver.sweeps", &["solver.tolerance", "solver.max_sweeps"])
        || contradicts("solver.tolerance", &["solver.sweeps"])
        || contradicts("solver.contact_time", &["solver.stiffness", "solver.damping", "solver.law", "solver.scale"])
        || contradicts("solver.contact_time", &["solver.tangent_stiffness", "solver.tangent_damping"])
        || contradicts("solver.stiffness", &["solver.contact_time"])
        || (new == "solver.kind" && old.starts_with("solver.") && !["solver.shock", "solver.start"].contains(&old))
}

fn flatten(path: &str, item: &Item, all: &mut Vec<(String, Value)>) {
    for (key, item) in item.as_table_like().into_iter().flat_map(TableLike::iter) {
        let name = if path.is_empty() { key.to_owned() } else { format!("{path}.{key}") };
        match item {
            item if item.is_table_like() => flatten(&name, item, all),
            Item::Value(value) => all.push((name, value.clone())),
            _ => {}
        }
    }
}

fn whole(steps: u64) -> i64 {
    i64::try_from(steps).expect("not more than the most steps")
}
