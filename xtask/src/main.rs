//! The command line of the chores. Exit codes: 0 fine, 1 complaints, 2 bad arguments.

use std::env;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use xtask::{hashes, kills, problems, speed, tidy, tree};

/// A chore and its name on the command line.
struct Chore {
    name: &'static str,
    purpose: &'static str,
    /// Takes the root of the repository and the argument behind the name.
    run: fn(&Path, Option<&str>) -> ExitCode,
}

const CHORES: &[Chore] = &[
    Chore { name: "tidy", purpose: "check the house rules that no compiler knows", run: |root, _| run_tidy(root) },
    Chore {
        name: "hashes",
        purpose: "digest the results of all scenes and solvers, and compare (--accept=WHY: renew the list)",
        run: run_hashes,
    },
    Chore {
        name: "kills",
        purpose: "kill runs N times (1000 if not said) and resume them: the end must be the same",
        run: run_kills,
    },
    Chore {
        name: "problems",
        purpose: "solve all contact problems of a folder, to 1e-4 and to 1e-8, by every method",
        run: run_problems,
    },
    Chore {
        name: "speed",
        purpose: "measure sweeps beside loops written by hand, and what steps cost (--json: as one object)",
        run: run_speed,
    },
];

const BAD_ARGUMENTS: u8 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    if arguments.is_empty() || arguments.iter().any(|argument| argument == "--help" || argument == "-h") {
        println!("{}", list_of_tasks());
        return ExitCode::SUCCESS;
    }
    let (name, argument) = match arguments.as_slice() {
        [name] => (name, None),
        [name, argument] if ["hashes", "kills", "problems", "speed"].contains(&name.as_str()) => {
            (name, Some(argument.as_str()))
        }
        _ => {
            return refuse(
                "a task takes no arguments, but for the number of kills, the folder of problems, `speed --json` and `hashes --accept=WHY`",
            );
        }
    };
    let Some(task) = CHORES.iter().find(|task| task.name == name) else {
        return refuse(&format!("there is no task `{name}`"));
    };
    let here = match env::current_dir() {
        Ok(here) => here,
        Err(error) => return refuse(&format!("the current folder cannot be read: {error}")),
    };
    match tree::root_above(&here) {
        Some(root) => (task.run)(&root, argument),
        None => refuse("no workspace with an xtask in it, here or above; go to the repository"),
    }
}

fn run_tidy(root: &Path) -> ExitCode {
    let files = match tree::read(root) {
        Ok(files) => files,
        Err(error) => {
            eprintln!("the tree cannot be read: {error}");
            return ExitCode::FAILURE;
        }
    };
    let complaints = tidy::complaints(&files);
    for complaint in &complaints {
        println!("{complaint}");
    }
    for complaint in tidy::COMING.iter().flat_map(|rule| rule(&files)) {
        eprintln!("soon: {complaint}");
    }
    let lines = tidy::size::lines_of_code(&files);
    for (package, lines) in &lines {
        eprintln!("{lines:>6} lines of code in {package}");
    }
    eprintln!("{:>6} lines of code outside tests in all", lines.values().sum::<usize>());
    eprintln!("tidy: {} files, complaints: {}", files.len(), complaints.len());
    if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

/// Builds the program and returns its path.
fn built(root: &Path) -> Option<PathBuf> {
    let status =
        Command::new(env!("CARGO")).args(["build", "--release", "-p", "hardgrain-cli"]).current_dir(root).status();
    status.is_ok_and(|status| status.success()).then(|| root.join("target/release/hardgrain"))
}

fn run_hashes(root: &Path, how: Option<&str>) -> ExitCode {
    let why = match how.map(|how| how.strip_prefix("--accept=").map(str::trim)) {
        None => None,
        Some(Some(why)) if !why.is_empty() => Some(why),
        Some(_) => return refuse("hashes: say why the bits are others, in a sentence: --accept=\"WHY\""),
    };
    let Some(program) = built(root) else { return ExitCode::FAILURE };
    match hashes::compare(&program, root, why) {
        Ok(told) => {
            eprintln!("hashes: {told}");
            ExitCode::SUCCESS
        }
        Err(told) => {
            eprintln!("hashes: {told}");
            ExitCode::FAILURE
        }
    }
}

fn run_problems(root: &Path, folder: Option<&str>) -> ExitCode {
    let Some(folder) = folder else { return refuse("problems: in which folder?") };
    let files = match problems::files(Path::new(folder)) {
        Ok(files) => files,
        Err(why) => return refuse(&format!("problems: {why}")),
    };
    let Some(program) = built(root) else { return ExitCode::FAILURE };
    let mut fine = true;
    for tolerance in ["1e-4", "1e-8"] {
        println!("to {tolerance}:");
        let solved = Command::new(&program).arg("solve").args(&files).args(["--tolerance", tolerance]).status();
        fine &= solved.is_ok_and(|status| status.success());
    }
    if fine { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_speed(_: &Path, how: Option<&str>) -> ExitCode {
    let json = match how {
        None => false,
        Some("--json") => true,
        Some(other) => {
            // `speed` starts itself with an order: only a fresh process knows its own peak of memory.
            let Some(order) = hardgrain::Order::ALL.into_iter().find(|order| order.name() == other) else {
                return refuse(&format!("speed: `{other}` is not --json"));
            };
            println!("{}", serde_json::to_string(&speed::steps_of_a_million(order)).expect("numbers and a name"));
            return ExitCode::SUCCESS;
        }
    };
    let speed = speed::measure(json);
    if json {
        println!("{}", serde_json::to_string_pretty(&speed).expect("numbers and names"));
    }
    ExitCode::SUCCESS
}

fn run_kills(root: &Path, number: Option<&str>) -> ExitCode {
    let number = match number.map(str::parse::<u32>) {
        None => 1000,
        Some(Ok(number)) => number,
        Some(Err(_)) => return refuse("kills: how many? That is no number"),
    };
    let Some(program) = built(root) else { return ExitCode::FAILURE };
    let work = root.join("target/kills");
    let _ = std::fs::remove_dir_all(&work);
    let seed = 1;
    match kills::torture(&program, &work, number, 10, seed) {
        Ok(done) => {
            println!(
                "kills: {}, {} of them while a checkpoint was being written; {} runs ended as if nothing had happened",
                done.kills, done.while_saving, done.runs
            );
            ExitCode::SUCCESS
        }
        Err(why) => {
            eprintln!("kills: {why}");
            ExitCode::FAILURE
        }
    }
}

fn refuse(reason: &str) -> ExitCode {
    eprintln!("{reason}\n\n{}", list_of_tasks());
    ExitCode::from(BAD_ARGUMENTS)
}

fn list_of_tasks() -> String {
    let lines = CHORES.iter().map(|task| format!("  {:8} {}", task.name, task.purpose));
    let lines: Vec<String> = lines.collect();
    format!("cargo xtask TASK, where TASK is one of\n{}", lines.join("\n"))
}
