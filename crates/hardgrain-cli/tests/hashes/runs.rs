//! Every scene that stands in `scenes/`, with every solver that can run it.

use super::digest::{Fnv1a, digest_of, document};
use super::{DigestRows, Job, instruction_set};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

/// How long a scene runs, as keys that are set.
struct Length {
    scene: &'static str,
    keys: &'static [&'static str],
    /// Whether it is on a line, where pooling is exact.
    line: bool,
    /// What is set instead where the rigid solver takes over in the last stage; from the beginning it would take too long.
    late: &'static [&'static str],
}

impl Length {
    const fn new(scene: &'static str, keys: &'static [&'static str]) -> Self {
        Self { scene, keys, line: false, late: &[] }
    }

    const fn on_a_line(self) -> Self {
        Self { line: true, ..self }
    }

    /// The rigid solver takes over in a stage.
    const fn late(self, late: &'static [&'static str]) -> Self {
        Self { late, ..self }
    }
}

const LENGTHS: &[Length] = &[
    Length::new("bounce", &["time.duration=", "time.steps=14000"]).on_a_line(),
    Length::new("chain", &["time.steps=1200"]).on_a_line(),
    Length::new("column", &["time.steps=400"]).on_a_line(),
    Length::new("cradle", &["time.steps=1200"]).on_a_line(),
    Length::new("drum", &["time.duration=", "time.steps=800"]).late(&[
        "time.duration=",
        "stages=[{name=\"fall\",steps=800},{name=\"end\",steps=30,set={\"solver.kind\"=\"rigid\"}}]",
    ]),
    Length::new("incline", &["time.duration=", "time.steps=3000"]),
    Length::new("piston", &["stages.compress.until=", "stages.compress.steps=1500", "stages.ring.steps=100"]).late(&[
        "stages.compress.until=",
        "stages.compress.steps=1500",
        "stages.ring.steps=20",
        "stages.ring.set.solver.kind=rigid",
    ]),
    Length::new("sandpile", &["stages.pour.duration=", "stages.pour.steps=1000", "stages.settle.until.max_steps=100"])
        .late(&[
            "stages.pour.duration=",
            "stages.pour.steps=1000",
            "stages.settle.until=",
            "stages.settle.steps=20",
            "stages.settle.set={\"solver.kind\"=\"rigid\"}",
        ]),
    Length::new("shear", &["time.duration=", "time.steps=1500"]).late(&[
        "time.duration=",
        "stages=[{name=\"begin\",steps=1500},{name=\"end\",steps=30,set={\"solver.kind\"=\"rigid\"}}]",
    ]),
    Length::new(
        "silo",
        &[
            "stages.fill.duration=",
            "stages.fill.steps=1000",
            "stages.sink.duration=",
            "stages.sink.steps=50",
            "stages.settle.until.max_steps=100",
        ],
    )
    .late(&[
        "stages.fill.duration=",
        "stages.fill.steps=1000",
        "stages.sink.duration=",
        "stages.sink.steps=50",
        "stages.settle.until=",
        "stages.settle.steps=20",
        "stages.settle.set.solver.kind=rigid",
    ]),
    Length::new("soft", &["time.duration=", "time.steps=12000"]),
    Length::new("spheres", &["stages.compress.until.max_steps=400"]).late(&[
        "stages.compress.until=",
        "stages.compress.steps=20",
        "stages.compress.set={\"solver.kind\"=\"rigid\"}",
    ]),
];

/// One job for each scene, solver and number of threads.
pub(super) fn jobs<'a>(program: &'a Path, scenes: &Path) -> Result<Vec<Job<'a>>, String> {
    let mut jobs: Vec<Job<'a>> = Vec::new();
    for entry in fs::read_dir(scenes).map_err(|error| format!("{}: {error}", scenes.display()))? {
        let path = entry.map_err(|error| error.to_string())?.path();
        if path.extension().is_some_and(|extension| extension == "toml") {
            let name = path.file_stem().unwrap_or_default().to_string_lossy();
            let Some(length) = LENGTHS.iter().find(|length| length.scene == name) else {
                return Err(format!(
                    "{name}: say in crates/hardgrain-cli/tests/hashes/runs.rs how many steps of this scene are digested"
                ));
            };
            jobs.extend(solvers(length).into_iter().map(|(name, keys)| {
                let path = path.clone();
                Box::new(move |work: &Path| run(program, &path, &name, &keys, work)) as Job<'a>
            }));
        }
    }
    Ok(jobs)
}

/// What a scene runs with: a name and the keys that are set.
fn solvers(length: &Length) -> Vec<(String, Vec<String>)> {
    let named = |name: &str, keys: Vec<&str>| {
        (format!("{} {name}", length.scene), keys.into_iter().map(String::from).collect())
    };
    let with = |name: &str, key: &'static str| named(name, length.keys.iter().copied().chain([key]).collect());
    let mut all = vec![named("as it stands", length.keys.to_vec())];
    if length.scene != "soft" {
        all.push(with("coloured", "solver.order=coloured"));
        all.push(with("accelerated", "solver={kind=\"accelerated\",tolerance=1e-3,max_sweeps=2000}"));
        let rigid = format!("rigid {}", instruction_set());
        all.push(if length.late.is_empty() {
            with(&rigid, "solver={kind=\"rigid\"}")
        } else {
            named(&rigid, length.late.to_vec())
        });
    }
    if length.line {
        all.push(with("pooling", "solver={kind=\"pooling\"}"));
    }
    all
}

/// Runs on one thread and on two, which must agree.
fn run(program: &Path, scene: &Path, name: &str, keys: &[String], work: &Path) -> Result<DigestRows, String> {
    let mut check = vec!["check".into(), scene.into(), "--json".into()];
    let mut run = vec!["run".into(), scene.into(), "--json".into(), "-o".into(), "run".into(), "--force".into()];
    for words in [&mut check, &mut run] {
        words.extend(keys.iter().flat_map(|key| ["--set".into(), PathBuf::from(key)]));
    }
    let check = document(&json(program, &check, work)?)?;
    let mut digests = Vec::new();
    for threads in ["1", "2"] {
        let words: Vec<PathBuf> = run.iter().cloned().chain(["--threads".into(), threads.into()]).collect();
        let summary = json(program, &words, work)?;
        let report = document(&json(program, &["report".into(), "run".into(), "--json".into()], work)?)?;
        let state =
            serde_json::from_slice::<serde_json::Value>(&summary).map_err(|error| format!("{name}: {error}"))?;
        let state = state["state_hash"].as_str().ok_or_else(|| format!("{name}: no state_hash"))?.to_owned();
        let (series, frames) = records(&work.join("run"))?;
        let run = document(&summary)?;
        digests.push(format!("state {state} series {series} frames {frames} check {check} run {run} report {report}"));
    }
    if digests[0] != digests[1] {
        return Err(format!("{name}: one thread {}, two threads {}", digests[0], digests[1]));
    }
    Ok(DigestRows::from([(name.to_owned(), digests.swap_remove(0))]))
}

/// The digests of the series, and of all frames by name.
fn records(folder: &Path) -> Result<(String, String), String> {
    let read = |path: &Path| fs::read(path).map_err(|error| format!("{}: {error}", path.display()));
    let mut files = Vec::new();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        files.push(entry.map_err(|error| error.to_string())?.path());
    }
    files.retain(|path| path.extension().is_some_and(|extension| extension == "vtp" || extension == "pvd"));
    files.sort();
    let mut frames = Fnv1a::new();
    for path in &files {
        frames.add(path.file_name().unwrap_or_default().as_encoded_bytes());
        frames.add(&read(path)?);
    }
    Ok((digest_of(&read(&folder.join("series.csv"))?), frames.words()))
}

/// What the program prints on stdout.
pub(super) fn json(program: &Path, words: &[PathBuf], work: &Path) -> Result<Vec<u8>, String> {
    let output = Command::new(program).args(words).current_dir(work).stdin(Stdio::null()).output();
    let output = output.map_err(|error| format!("{}: {error}", program.display()))?;
    match output.status.code() {
        // 3: a run that missed its tolerance is digested as well.
        Some(0 | 3) => Ok(output.stdout),
        _ => Err(format!("{words:?}: {}: {}", output.status, String::from_utf8_lossy(&output.stderr))),
    }
}
