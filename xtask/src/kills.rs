//! Kills runs at random moments and resumes them: the end must be the same, byte for byte, as if nothing had happened.

use std::collections::BTreeMap;
use std::error::Error;
use std::fs;
use std::io;
use std::path::Path;
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
pub fn torture(program: &Path, work: &Path, kills: u32, each: u32, seed: u64) -> Result<Kills, Box<dyn Error>> {
    fs::create_dir_all(work).map_err(|error| format!("{}: {error}", work.display()))?;
    let scene = work.join("scene-to-kill.toml");
    fs::write(&scene, SCENE)?;
    let began = Instant::now();
    let calm = work.join("calm");
    finish(begin(program, &scene, &calm)?, &calm)?;
    let span = began.elapsed();
    let expected = records(&calm)?;
    let mut stream = Seed(seed).stream(Purpose::Place, 0, 0);
    let mut done = Kills::default();
    while done.kills < kills {
        let folder = work.join(format!("killed-{}", done.runs));
        let times = each.min(kills - done.kills);
        done.while_saving += kill_often(program, &scene, &folder, (times, span), &mut stream)?;
        done.kills += times;
        compare(&expected, &records(&folder)?).map_err(|why| format!("{}: {why}", folder.display()))?;
        fs::remove_dir_all(&folder)?;
        done.runs += 1;
    }
    Ok(done)
}

/// Starts a run, kills and resumes it, and lets it end; how many kills came while a checkpoint was being written.
fn kill_often(
    program: &Path,
    scene: &Path,
    folder: &Path,
    (times, span): (u32, Duration),
    stream: &mut Stream,
) -> Result<u32, Box<dyn Error>> {
    let mut while_saving = 0;
    for _ in 0..times {
        let mut child = begin(program, scene, folder)?;
        std::thread::sleep(span.mul_f64(1.1 * stream.uniform() / f64::from(times)));
        // SIGKILL on Unix, which the program cannot catch.
        child.kill()?;
        child.wait()?;
        let saving = ["checkpoint.new.hg.draft", "checkpoint.new.hg"].iter().any(|name| folder.join(name).exists());
        while_saving += u32::from(saving);
    }
    finish(begin(program, scene, folder)?, folder)?;
    Ok(while_saving)
}

/// Resumes a run, or starts it if it was killed before its first checkpoint.
fn begin(program: &Path, scene: &Path, folder: &Path) -> Result<Child, String> {
    let mut command = Command::new(program);
    if folder.join("scene.toml").exists() {
        command.arg("resume").arg(folder);
    } else {
        command.arg("run").arg(scene).arg("-o").arg(folder);
    }
    let silent = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::piped());
    silent.spawn().map_err(|error| format!("{command:?}: {error}"))
}

fn finish(child: Child, folder: &Path) -> Result<(), Box<dyn Error>> {
    let output = child.wait_with_output()?;
    // 3: the run has ended, but not at rest.
    match output.status.code() {
        Some(0 | 3) => Ok(()),
        _ => {
            Err(format!("{}: {}: {}", folder.display(), output.status, String::from_utf8_lossy(&output.stderr)).into())
        }
    }
}

/// All records by name, and the hash of the end.
fn records(folder: &Path) -> io::Result<BTreeMap<String, Vec<u8>>> {
    let records = fs::read_dir(folder)?.map(|entry| {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        let bytes = fs::read(entry.path())?;
        let kept = match name.as_str() {
            // Wall-clock times differ; the state does not.
            "run.json" => hash_line(&bytes),
            "checkpoint.hg" | "checkpoint.previous.hg" => Vec::new(),
            _ => bytes,
        };
        Ok((name, kept))
    });
    records.collect()
}

fn hash_line(summary: &[u8]) -> Vec<u8> {
    let text = String::from_utf8_lossy(summary);
    text.lines().find(|line| line.contains("state_hash")).unwrap_or("no hash").trim().into()
}

fn compare(expected: &BTreeMap<String, Vec<u8>>, found: &BTreeMap<String, Vec<u8>>) -> Result<(), String> {
    let mut names = expected.keys().chain(found.keys());
    let Some(name) = names.find(|name| expected.get(*name) != found.get(*name)) else { return Ok(()) };
    Err(match (expected.contains_key(name), found.contains_key(name)) {
        (true, false) => format!("{name} is missing"),
        (true, true) => format!("{name} differs from the run that was never killed"),
        (false, _) => format!("{name} should not be there"),
    })
}
