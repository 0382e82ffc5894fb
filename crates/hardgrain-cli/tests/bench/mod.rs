//! A folder to work in, and the program in it.

#![allow(dead_code, unreachable_pub, reason = "each test file uses some of it")]

pub mod page;
pub mod schema;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output};
use std::time::{Duration, Instant};

/// A folder that is gone when the test is over.
pub struct Bench(PathBuf);

impl Bench {
    pub fn new(name: &str) -> Self {
        let path = std::env::temp_dir().join(format!("hardgrain-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).unwrap();
        Self(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_hardgrain"));
        command.current_dir(&self.0).args(arguments);
        command
    }

    pub fn hardgrain(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// A command that must succeed.
    pub fn fine(&self, arguments: &[&str]) -> Output {
        let output = self.hardgrain(arguments);
        assert_eq!(output.status.code(), Some(0), "{arguments:?}: {}", text(&output.stderr));
        output
    }

    pub fn read(&self, name: &str) -> String {
        fs::read_to_string(self.path(name)).unwrap_or_else(|error| panic!("{name}: {error}"))
    }

    pub fn names(&self, folder: &str) -> Vec<String> {
        self.contents(folder).into_keys().collect()
    }

    pub fn contents(&self, folder: &str) -> BTreeMap<String, Vec<u8>> {
        let entries = fs::read_dir(self.path(folder)).unwrap().map(|entry| entry.unwrap());
        let name = |entry: &fs::DirEntry| entry.file_name().to_string_lossy().into_owned();
        entries.map(|entry| (name(&entry), fs::read(entry.path()).unwrap_or_default())).collect()
    }

    pub fn wait_for(&self, name: &str) {
        let began = Instant::now();
        while !self.path(name).exists() {
            assert!(began.elapsed() < Duration::from_secs(60), "{name} does not come");
            std::thread::sleep(Duration::from_millis(5));
        }
    }
}

impl Drop for Bench {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// A built-in scene, by its name.
pub fn scene(name: &str) -> String {
    // As a user types it, through the link: lengths of lines in messages hang on it.
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    root.join(format!("scenes/{name}.toml")).to_str().unwrap().into()
}

pub fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

/// The hash with which a run ended.
pub fn hash(bench: &Bench, folder: &str) -> String {
    let summary: serde_json::Value = serde_json::from_str(&bench.read(&format!("{folder}/run.json"))).unwrap();
    summary["state_hash"].as_str().unwrap().into()
}

/// Ctrl-C.
pub fn interrupt(child: &Child) {
    assert!(Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap().success());
}
