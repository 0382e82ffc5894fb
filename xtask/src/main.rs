//! The door: which chore was asked for, and with which exit code it ends (0 fine, 1 complaints, 2 bad arguments).

use std::env;
use std::path::Path;
use std::process::ExitCode;

use xtask::{tidy, tree};

/// A chore that can be asked for by name.
struct Task {
    name: &'static str,
    purpose: &'static str,
    run: fn(&Path) -> ExitCode,
}

const TASKS: &[Task] = &[Task { name: "tidy", purpose: "check the house rules that no compiler knows", run: run_tidy }];

const BAD_ARGUMENTS: u8 = 2;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [name] = arguments.as_slice() else {
        if arguments.is_empty() {
            println!("{}", list_of_tasks());
            return ExitCode::SUCCESS;
        }
        return refuse("a task takes no arguments");
    };
    let Some(task) = TASKS.iter().find(|task| task.name == name) else {
        return refuse(&format!("there is no task `{name}`"));
    };
    let here = match env::current_dir() {
        Ok(here) => here,
        Err(error) => return refuse(&format!("the current folder cannot be read: {error}")),
    };
    match tree::root_above(&here) {
        Some(root) => (task.run)(&root),
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

fn refuse(reason: &str) -> ExitCode {
    eprintln!("{reason}\n\n{}", list_of_tasks());
    ExitCode::from(BAD_ARGUMENTS)
}

fn list_of_tasks() -> String {
    let lines = TASKS.iter().map(|task| format!("  {:8} {}", task.name, task.purpose));
    let lines: Vec<String> = lines.collect();
    format!("cargo xtask TASK, where TASK is one of\n{}", lines.join("\n"))
}
