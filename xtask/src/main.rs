//! The door: which chore was asked for, and with which exit code it ends (0 fine, 1 complaints, 2 bad arguments).

use std::env;
use std::path::Path;
use std::process::{Command, ExitCode};

use xtask::{kills, tidy, tree};

/// A chore that can be asked for by name.
struct Task {
    name: &'static str,
    purpose: &'static str,
    /// Where the repository is, and a number if one was given.
    run: fn(&Path, Option<u32>) -> ExitCode,
}

const TASKS: &[Task] = &[
    Task { name: "tidy", purpose: "check the house rules that no compiler knows", run: |root, _| run_tidy(root) },
    Task {
        name: "kills",
        purpose: "kill runs N times (1000 if not said) and resume them: the end must be the same",
        run: run_kills,
    },
];

const BAD_ARGUMENTS: u8 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let (name, number) = match arguments.as_slice() {
        [] => {
            println!("{}", list_of_tasks());
            return ExitCode::SUCCESS;
        }
        [name] => (name, None),
        [name, number] if name == "kills" && number.parse::<u32>().is_ok() => (name, number.parse().ok()),
        _ => return refuse("a task takes no arguments, but for the number of kills"),
    };
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        return refuse(&format!("there is no task `{name}`"));
    };
    let here = match env::current_dir() {
        Ok(here) => here,
        Err(error) => return refuse(&format!("the current folder cannot be read: {error}")),
    };
    match tree::root_above(&here) {
        Some(root) => (task.run)(&root, number),
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
    eprintln!("tidy: {} files, complaints: {}", files.len(), complaints.len());
    if complaints.is_empty() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}

fn run_kills(root: &Path, number: Option<u32>) -> ExitCode {
    let built =
        Command::new(env!("CARGO")).args(["build", "--release", "-p", "hardgrain-cli"]).current_dir(root).status();
    if !built.is_ok_and(|status| status.success()) {
        return ExitCode::FAILURE;
    }
    let (program, work) = (root.join("target/release/hardgrain"), root.join("target/kills"));
    let _ = std::fs::remove_dir_all(&work);
    let seed = 1;
    match kills::torture(&program, &work, number.unwrap_or(1000), 10, seed) {
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
    let lines = TASKS.iter().map(|task| format!("  {:8} {}", task.name, task.purpose));
    let lines: Vec<String> = lines.collect();
    format!("cargo xtask TASK, where TASK is one of\n{}", lines.join("\n"))
}
