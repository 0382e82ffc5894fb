//! What the door says to good and bad arguments.

use std::process::{Command, Output};

fn xtask(arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_xtask"));
    command.args(arguments).output().expect("the binary starts")
}

#[test]
fn without_a_task_the_tasks_are_listed() {
    let output = xtask(&[]);
    assert_eq!(output.status.code(), Some(0));
    assert!(String::from_utf8_lossy(&output.stdout).contains("\n  tidy "));
}

#[test]
fn an_unknown_task_is_refused_with_the_list() {
    let output = xtask(&["tidier"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("there is no task `tidier`") && said.contains("\n  tidy "), "{said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn a_task_takes_no_arguments() {
    let output = xtask(&["tidy", "now"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("a task takes no arguments"));
}

#[test]
fn tidy_looks_at_the_files_and_says_how_many_complaints() {
    let output = xtask(&["tidy"]);
    let complaints = String::from_utf8_lossy(&output.stdout).lines().count();
    assert_eq!(output.status.code(), Some(i32::from(complaints > 0)));
    assert!(String::from_utf8_lossy(&output.stderr).ends_with(&format!("complaints: {complaints}\n")));
}
