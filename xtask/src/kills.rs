//! Kills runs at random moments and resumes them: the end must be the same, byte for byte, as if nothing had happened.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use hardgrain::{Purpose, Seed, Stream};

/// A scene that is over within a second and writes all the time: friction, a piston, two stages, bounces, frames, and a
/// checkpoint after every step, so that many kills fall into the writing of one.
const SCENE: &str = include_str!("kills.toml");

/// What a torture has done.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kills {
    /// Kills.
    pub kills: u32,
    /// Kills while a checkpoint was being written.
    pub while_saving: u32,
    /// Runs that ended properly afterwards.
    pub runs: u32,
}

/// Kills runs of the program `kills` times in all and each run up to `each` times, in folders below `work`. The moments follow from
/// the seed and the speed of the machine.
///
/// # Errors
/// Names the first run that did not end as it should.
pub fn torture(program: &Path, work: &Path, kills: u32, each: u32, seed: u64) -> Result<Kills, String> {
    fs::create_dir_all(work).map_err(|error| format!("{}: {error}", work.display()))?;
    let scene = work.join("scene-to-kill.toml");
    fs::write(&scene, SCENE).map_err(|error| error.to_string())?;
    let began = Instant::now();
    let calm = work.join("calm");
    finish(&mut start(program, &scene, &calm)?, &calm)?;
    let span = began.elapsed();
    let expected = files(&calm)?;
    let mut stream = Seed(seed).stream(Purpose::Place, 0, 0);
    let mut done = Kills::default();
    while done.kills < kills {
        let folder = work.join(format!("killed-{}", done.runs));
        let times = each.min(kills - done.kills);
        kill_often(program, &scene, &folder, (times, span), &mut stream, &mut done)?;
        compare(&expected, &files(&folder)?).map_err(|why| format!("{}: {why}", folder.display()))?;
        fs::remove_dir_all(&folder).map_err(|error| error.to_string())?;
        done.runs += 1;
    }
    Ok(done)
}

/// Starts a run, kills and resumes it, and lets it end.
fn kill_often(
    program: &Path,
    scene: &Path,
    folder: &Path,
    (times, span): (u32, Duration),
    stream: &mut Stream,
    done: &mut Kills,
) -> Result<(), String> {
    for _ in 0..times {
        let mut child = begin(program, scene, folder)?;
        std::thread::sleep(span.mul_f64(1.1 * stream.uniform() / f64::from(times)));
        // SIGKILL on Unix, which the program cannot catch.
        child.kill().map_err(|error| error.to_string())?;
        child.wait().map_err(|error| error.to_string())?;
        done.kills += 1;
        let saving = ["checkpoint.new.hg.draft", "checkpoint.new.hg"].iter().any(|name| folder.join(name).exists());
        done.while_saving += u32::from(saving);
    }
    finish(&mut begin(program, scene, folder)?, folder)
}

/// Resumes a run, or starts it if it was killed before its first checkpoint.
fn begin(program: &Path, scene: &Path, folder: &Path) -> Result<Child, String> {
    if folder.join("scene.toml").exists() { resume(program, folder) } else { start(program, scene, folder) }
}

fn start(program: &Path, scene: &Path, folder: &Path) -> Result<Child, String> {
    spawn(Command::new(program).arg("run").arg(scene).arg("-o").arg(folder))
}

fn resume(program: &Path, folder: &Path) -> Result<Child, String> {
    spawn(Command::new(program).arg("resume").arg(folder))
}

fn spawn(command: &mut Command) -> Result<Child, String> {
    let silent = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    silent.spawn().map_err(|error| format!("{command:?}: {error}"))
}

fn finish(child: &mut Child, folder: &Path) -> Result<(), String> {
    let mut message = String::new();
    if let Some(mut errors) = child.stderr.take() {
        std::io::Read::read_to_string(&mut errors, &mut message).map_err(|error| error.to_string())?;
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    // 3: the run has ended, but not at rest.
    match status.code() {
        Some(0 | 3) => Ok(()),
        _ => Err(format!("{}: {status}: {message}", folder.display())),
    }
}

/// All records by name, and the hash of the end.
fn files(folder: &Path) -> Result<BTreeMap<String, Vec<u8>>, String> {
    let mut files = BTreeMap::new();
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path: PathBuf = entry.map_err(|error| error.to_string())?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        let bytes = fs::read(&path).map_err(|error| format!("{name}: {error}"))?;
        let kept = match name.as_str() {
            // Wall-clock times differ; the state does not.
            "run.json" => hash_line(&bytes),
            "checkpoint.hg" | "checkpoint.previous.hg" => Vec::new(),
            _ => bytes,
        };
        files.insert(name, kept);
    }
    Ok(files)
}

fn hash_line(summary: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(summary);
    text.lines().find(|line| line.contains("state_hash")).unwrap_or("no hash").trim().into()
}

fn compare(expected: &BTreeMap<String, Vec<u8>>, found: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    for (name, bytes) in expected {
        match found.get(name) {
            None => return Err(format!("{name} is missing")),
            Some(other) if other != bytes => return Err(format!("{name} differs from the run that was never killed")),
            Some(_) => {}
        }
    }
    match found.keys().find(|name| !expected.contains_key(*name)) {
        Some(extra) => Err(format!("{extra} should not be there")),
        None => Ok(()),
    }
}
