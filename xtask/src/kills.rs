//! Kills runs at random moments and resumes them: the end must be the same, byte for byte, as if nothing had happened.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// A scene that is over within a second and writes all the time: friction, a piston, two stages, bounces, frames, and a
/// checkpoint after every step, so that many kills fall into the writing of one.
const SCENE: &str = r#"format = 1
title = "Made to be killed"
dimension = 2
seed = 3
gravity = [0.0, -0.01]

[[grains]]
label = "discs"
radius = { uniform = [0.3, 0.5] }
arrange = { kind = "loose", count = 60, lower = [0.0, 0.0], upper = [10.0, 14.0] }

[[walls]]
label = "base"
point = [0.0, 0.0]
normal = [0.0, 1.0]

[[walls]]
label = "left"
point = [0.0, 0.0]
normal = [1.0, 0.0]

[[walls]]
label = "right"
point = [10.0, 0.0]
normal = [-1.0, 0.0]

[[pistons]]
label = "lid"
point = [0.0, 14.0]
normal = [0.0, -1.0]
mass = 5.0
pressure = 0.01

[contact]
friction = 0.3
restitution = 0.3

[time]
step = 0.5

[solver]
sweeps = 20

[[stages]]
name = "fall"
steps = 250

[[stages]]
name = "press"
until = { at_rest = 0.9, max_steps = 250 }
set = { "pistons.lid.pressure" = 0.02, "solver.sweeps" = 30 }

[record]
series = { every = 1, columns = ["step", "time", "stage", "lid.position", "kinetic_energy", "residual", "unbalanced"] }
frames = { every = 20 }
checkpoint = { every = 1 }
"#;

/// What came of it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Kills {
    /// How often a run was killed.
    pub kills: u32,
    /// How often that was while a checkpoint was being written.
    pub while_saving: u32,
    /// How many runs came to their end afterwards.
    pub runs: u32,
}

/// Kills so many runs of the given program, each up to `each` times, in folders below `work`. The moments follow from the
/// seed and from how fast the machine is.
///
/// # Errors
/// A sentence on the first run that did not end as it should.
pub fn torture(program: &Path, work: &Path, kills: u32, each: u32, seed: u64) -> Result<Kills, String> {
    fs::create_dir_all(work).map_err(|error| format!("{}: {error}", work.display()))?;
    let scene = work.join("scene-to-kill.toml");
    fs::write(&scene, SCENE).map_err(|error| error.to_string())?;
    let began = Instant::now();
    let calm = work.join("calm");
    finish(&mut start(program, &scene, &calm)?, &calm)?;
    let span = began.elapsed();
    let expected = files(&calm)?;
    let mut chance = Chance(seed);
    let mut done = Kills::default();
    while done.kills < kills {
        let folder = work.join(format!("killed-{}", done.runs));
        let times = each.min(kills - done.kills);
        kill_often(program, &scene, &folder, (times, span), &mut chance, &mut done)?;
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
    chance: &mut Chance,
    done: &mut Kills,
) -> Result<(), String> {
    for _ in 0..times {
        let mut child = begin(program, scene, folder)?;
        std::thread::sleep(span.mul_f64(1.1 * chance.next() / f64::from(times)));
        // On Unix this is SIGKILL: the program has no say in it.
        child.kill().map_err(|error| error.to_string())?;
        child.wait().map_err(|error| error.to_string())?;
        done.kills += 1;
        let saving = ["checkpoint.new.hg.draft", "checkpoint.new.hg"].iter().any(|name| folder.join(name).exists());
        done.while_saving += u32::from(saving);
    }
    finish(&mut begin(program, scene, folder)?, folder)
}

/// Goes on with a run, or starts it if it was killed before it had begun.
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
    let mut said = String::new();
    if let Some(mut errors) = child.stderr.take() {
        std::io::Read::read_to_string(&mut errors, &mut said).map_err(|error| error.to_string())?;
    }
    let status = child.wait().map_err(|error| error.to_string())?;
    // 3: it did not come to rest, which is as good an end as any.
    match status.code() {
        Some(0 | 3) => Ok(()),
        _ => Err(format!("{}: {status}: {said}", folder.display())),
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
            // Times of the computer differ; the state does not.
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

/// Random moments, by the splitmix generator.
struct Chance(u64);

impl Chance {
    /// Between 0 and 1.
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut x = (self.0 ^ (self.0 >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((x ^ (x >> 31)) >> 11) as f64 / 9_007_199_254_740_992.0
    }
}
