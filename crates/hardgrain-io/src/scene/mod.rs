//! Scenes: a page of TOML becomes a packing, stages and records.
//!
//! Three layers. *Typed* (`typed`) keeps the place of every value, *checked* (`plan`, made by `check`) is what the values
//! mean, *placed* (`place`) is the packing. Everything outside works with the checked [`Scene`] alone.

#![allow(clippy::ref_option, reason = "keys that may be left out are passed on as their tables hold them")]

mod any;
mod at;
mod builtin;
mod change;
mod check;
mod column;
mod distribution;
mod edit;
mod fault;
mod fingerprint;
mod layout;
mod number;
mod place;
mod plan;
mod radius;
mod read;

mod typed;
mod values;
mod words;
mod write;

pub use at::Span;
pub use builtin::{BuiltinScene, builtin};
pub use change::StageProgress;
pub use column::{Column, Field, Quantity, Subject};
pub use distribution::Radii;
pub use edit::keys_of;
pub use fault::{Fault, Refusal, Source};
pub use fingerprint::{Fingerprints, mixed};
pub use plan::*;
pub use read::{ReadFile, read_text};
pub use values::Place;

use serde::{Deserialize, Serialize};
use std::path::Path;

impl Scene {
    /// Reads a scene, with changes `key=value` as if they had been typed there.
    ///
    /// # Errors
    /// The first thing wrong with it.
    pub fn read(path: &Path, changes: &[String]) -> Result<Self, Refusal> {
        let text = read_text(path)?;
        let folder = path.parent().unwrap_or(Path::new("")).to_owned();
        let name = path.display().to_string();
        Self::from_text(&name, &text, changes, &|file| read::read_file(&folder.join(file)))
    }

    /// A built-in scene, with changes as in [`Scene::read`].
    ///
    /// # Errors
    /// When there is none of this name, or with the first thing wrong after the changes.
    pub fn builtin(name: &str, changes: &[String]) -> Result<Self, Refusal> {
        let Some(found) = builtin().iter().find(|scene| scene.name == name) else {
            let names: Vec<&str> = builtin().iter().map(|scene| scene.name).collect();
            let fault = Fault::whole("is no built-in scene").help(format!("there are: {}", names.join(", ")));
            return Err(Refusal::new(&Source { name: name.into(), text: String::new(), changes: Vec::new() }, fault));
        };
        let alone = |_: &str| Err("cannot be read: a built-in scene has no folder".into());
        Self::from_text(&format!("{name}.toml"), found.text, changes, &alone)
    }

    /// Reads and checks the text of a scene. `files` reads the files that it names: tables of grains, a packing.
    ///
    /// # Errors
    /// The first thing wrong with it.
    pub fn from_text(name: &str, text: &str, changes: &[String], files: ReadFile<'_>) -> Result<Self, Refusal> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let mut source = Source { name: name.into(), text: text.into(), changes: Vec::new() };
        if !changes.is_empty() {
            source.text = edit::edited(text, changes).map_err(|fault| Refusal::new(&source, fault))?;
            source.changes = changes.to_vec();
        }
        Self::from_source(&source, files)
    }

    fn from_source(source: &Source, files: ReadFile<'_>) -> Result<Self, Refusal> {
        let scene = read::parse(&source.text).and_then(|typed| check::check(&typed, source, files));
        scene.map_err(|fault| Refusal::new(source, fault))
    }

    /// Makes it the scene as it is stored elsewhere: under another name, with this text, in which the files have other names.
    pub fn store_as(&mut self, name: &str, text: &str, names: &[(String, String)]) {
        self.source = Source { name: name.into(), text: text.into(), changes: Vec::new() };
        let paths = self.groups.iter_mut().filter_map(|group| match &mut group.arrangement {
            Arrangement::File(path, _) => Some(path),
            _ => None,
        });
        for path in paths.chain(self.start.as_mut().map(|start| &mut start.path)) {
            if let Some((_, new)) = names.iter().find(|(old, _)| old == path) {
                path.clone_from(new);
            }
        }
    }

    /// The text with other names for the files that it names.
    pub fn with_files(&self, names: &[(String, String)]) -> String {
        edit::with_files(&self.source.text, names)
    }
}

/// A scene with the files that it names, for where no folder has them.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct SceneFiles {
    /// The effective text with its name.
    pub source: Source,
    /// Names, as they stand in the text, and bytes.
    pub files: Vec<(String, Vec<u8>)>,
}

impl SceneFiles {
    /// The scene, with the hash that it had.
    ///
    /// # Errors
    /// The first thing wrong with it.
    pub fn scene(&self) -> Result<Scene, Refusal> {
        let read = |name: &str| {
            let found = self.files.iter().find(|(known, _)| known == name);
            found.map(|(_, bytes)| bytes.clone()).ok_or_else(|| "cannot be read: it was not kept with the scene".into())
        };
        Scene::from_source(&self.source, &read)
    }
}

/// The JSON schema of scenes, for editors.
pub fn schema() -> serde_json::Value {
    schemars::schema_for!(typed::SceneTable).to_value()
}
