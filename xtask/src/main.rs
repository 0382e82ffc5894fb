//! The command line of the chores. Exit codes: 0 fine, 1 complaints, 2 bad arguments.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use xtask::{kills, problems, speed, tidy, tree};

/// A chore: its name on the command line, what it is for, and what it does, given the root of the repository and the argument behind the name.
type Chore = (&'static str, &'static str, fn(&Path, Option<&str>) -> Result<(), ChoreFailure>);

const CHORES: [Chore; 5] = [
    ("tidy", "check the house rules that no compiler knows", run_tidy),
    ("hashes", "digest the results of all scenes and solvers, and compare (--accept=WHY: renew the list)", run_hashes),
    ("kills", "kill runs N times (1000 if not said) and resume them: the end must be the same", run_kills),
    ("problems", "solve all contact problems of a folder, to 1e-4 and to 1e-8, by every method", run_problems),
    ("speed", "measure sweeps beside loops written by hand, and what steps cost (--json: as one object)", run_speed),
];

/// Why a chore has failed.
enum ChoreFailure {
    /// Whatever there is to say has been said.
    Failed,
    BadArguments(String),
}

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.is_empty() || arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        println!("{}", list_of_tasks());
        return ExitCode::SUCCESS;
    }
    match run(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(ChoreFailure::Failed) => ExitCode::FAILURE,
        Err(ChoreFailure::BadArguments(reason)) => {
            eprintln!("{reason}\n\n{}", list_of_tasks());
            ExitCode::from(2)
        }
    }
}

fn run(arguments: &[String]) -> Result<(), ChoreFailure> {
    let (name, argument) = match arguments {
        [name] => (name, None),
        [name, argument] if name != "tidy" => (name, Some(argument.as_str())),
        _ => {
            return refuse(
                "a task takes no arguments, but for the number of kills, the folder of problems, `speed --json` and `hashes --accept=WHY`",
            );
        }
    };
    let Some((_, _, chore)) = CHORES.iter().find(|(known, ..)| known == name) else {
        return refuse(format!("there is no task `{name}`"));
    };
    let here = env::current_dir().or_else(|error| refuse(format!("the current folder cannot be read: {error}")))?;
    match tree::root_above(&here) {
        Some(root) => chore(&root, argument),
        None => refuse("no workspace with an xtask in it, here or above; go to the repository"),
    }
}

fn run_tidy(root: &Path, _: Option<&str>) -> Result<(), ChoreFailure> {
    let files = tree::read(root).or_else(|error| fail(&format!("the tree cannot be read: {error}")))?;
    let complaints = tidy::complaints(&files);
    for complaint in &complaints {
        println!("{complaint}");
    }
    let lines = tidy::size::lines_of_code(&files);
    for (package, lines) in &lines {
        eprintln!("{lines:>6} lines of code in {package}");
    }
    eprintln!("{:>6} lines of code outside tests in all", lines.values().sum::<usize>());
    eprintln!("tidy: {} files, complaints: {}", files.len(), complaints.len());
    succeed(complaints.is_empty())
}

/// Builds the program and returns its path.
fn built(root: &Path) -> Result<PathBuf, ChoreFailure> {
    let mut cargo = Command::new(env!("CARGO"));
    let status = cargo.args(["build", "--release", "-p", "hardgrain-cli"]).current_dir(root).status();
    succeed(status.is_ok_and(|status| status.success()))?;
    Ok(root.join("target/release/hardgrain"))
}

/// A test compares and renews, so that all tests together hold the digests, too.
fn run_hashes(root: &Path, how: Option<&str>) -> Result<(), ChoreFailure> {
    let mut cargo = Command::new(env!("CARGO"));
    cargo.args([
        "test",
        "-q",
        "--release",
        "-p",
        "hardgrain-cli",
        "--test",
        "hashes",
        "every_result_",
        "--",
        "--nocapture",
    ]);
    if let Some(how) = how {
        let why = how.strip_prefix("--accept=").map(str::trim).filter(|why| !why.is_empty());
        let Some(why) = why else {
            return refuse("hashes: say why the bits are others, in a sentence: --accept=\"WHY\"");
        };
        cargo.env("HARDGRAIN_ACCEPT_HASHES", why);
    }
    succeed(cargo.current_dir(root).status().is_ok_and(|status| status.success()))
}

fn run_problems(root: &Path, folder: Option<&str>) -> Result<(), ChoreFailure> {
    let Some(folder) = folder else { return refuse("problems: in which folder?") };
    let files = problems::files(Path::new(folder)).or_else(|why| refuse(format!("problems: {why}")))?;
    let program = built(root)?;
    let mut fine = true;
    for tolerance in ["1e-4", "1e-8"] {
        println!("to {tolerance}:");
        let solved = Command::new(&program).arg("solve").args(&files).args(["--tolerance", tolerance]).status();
        fine &= solved.is_ok_and(|status| status.success());
    }
    succeed(fine)
}

fn run_speed(_: &Path, how: Option<&str>) -> Result<(), ChoreFailure> {
    match how {
        None => {
            speed::measure(false);
        }
        Some("--json") => println!("{}", json(&speed::measure(true))),
        // `speed` starts itself with an order: only a fresh process knows its own peak of memory.
        Some(other) => match hardgrain::Order::ALL.into_iter().find(|order| order.name() == other) {
            Some(order) => println!("{}", json(&speed::steps_of_a_million(order))),
            None => return refuse(format!("speed: `{other}` is not --json")),
        },
    }
    Ok(())
}

fn json(found: &impl serde::Serialize) -> String {
    serde_json::to_string_pretty(found).expect("numbers and names")
}

fn run_kills(root: &Path, number: Option<&str>) -> Result<(), ChoreFailure> {
    let number = number.map_or(Ok(1000), str::parse).or_else(|_| refuse("kills: how many? That is no number"))?;
    let program = built(root)?;
    let work = root.join("target/kills");
    let _ = std::fs::remove_dir_all(&work);
    let done = kills::torture(&program, &work, number, 10, 1).or_else(|why| fail(&format!("kills: {why}")))?;
    println!(
        "kills: {}, {} of them while a checkpoint was being written; {} runs ended as if nothing had happened",
        done.kills, done.while_saving, done.runs
    );
    Ok(())
}

fn succeed(fine: bool) -> Result<(), ChoreFailure> {
    if fine { Ok(()) } else { Err(ChoreFailure::Failed) }
}

fn fail<T>(why: &str) -> Result<T, ChoreFailure> {
    eprintln!("{why}");
    Err(ChoreFailure::Failed)
}

fn refuse<T>(reason: impl Into<String>) -> Result<T, ChoreFailure> {
    Err(ChoreFailure::BadArguments(reason.into()))
}

fn list_of_tasks() -> String {
    let lines = CHORES.iter().map(|(name, purpose, _)| format!("\n  {name:8} {purpose}"));
    format!("cargo xtask TASK, where TASK is one of{}", lines.collect::<String>())
}
