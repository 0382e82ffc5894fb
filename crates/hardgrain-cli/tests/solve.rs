//! `solve` from the outside.

use std::path::Path;
use std::process::{Command, Output};

fn hardgrain(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hardgrain")).args(arguments).output().expect("the program starts")
}

/// Two contacts of one body that slides, in the plane.
const MATRIX: &str =
    "%%MatrixMarket matrix coordinate real general\n4 4 6\n1 1 1.0\n2 2 1.0\n3 3 1.0\n4 4 1.0\n2 4 1.0\n4 2 1.0\n";
const REST: &str = "dimension 2\ncontacts 2\nq\n-1\n4\n-2\n4\nmu\n0.5\n0.5\n";

fn written(folder: &Path, matrix: &str, rest: &str) -> String {
    std::fs::write(folder.join("two.mtx"), matrix).unwrap();
    std::fs::write(folder.join("two.txt"), rest).unwrap();
    folder.join("two.mtx").display().to_string()
}

fn folder(name: &str) -> std::path::PathBuf {
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::create_dir_all(&folder).unwrap();
    folder
}

#[test]
fn every_method_solves_and_says_how_well() {
    let folder = folder("solve-every");
    let file = written(&folder, MATRIX, REST);
    let out = hardgrain(&["solve", &file, "--json", "-o", &folder.join("r").display().to_string()]);
    assert!(out.status.success());
    let answers: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    let answers = answers.as_array().unwrap();
    assert_eq!(answers.len(), 3);
    for answer in answers {
        assert_eq!(answer["status"], "converged");
        let work = answer["sweeps"].as_u64().unwrap() + answer["factorisations"].as_u64().unwrap();
        assert!(answer["error"].as_f64().unwrap() <= 1e-8 && work > 0);
        let name = format!("two.{}.r.txt", answer["method"].as_str().unwrap());
        let text = std::fs::read_to_string(folder.join("r").join(name)).unwrap();
        let numbers: Vec<f64> = text.lines().map(|line| line.parse().unwrap()).collect();
        // Both slide: r_N = −q_N, r_T = −μ r_N.
        for (number, right) in numbers.iter().zip([1.0, -0.5, 2.0, -1.0]) {
            assert!((number - right).abs() < 1e-7, "{numbers:?}");
        }
    }
    let text = hardgrain(&["solve", &file, "--method", "accelerated"]);
    let text = String::from_utf8(text.stdout).unwrap();
    assert!(text.contains("2 contacts") && text.contains("accelerated") && !text.contains("gauss-seidel"), "{text}");
}

#[test]
fn what_is_no_problem_is_refused_with_its_place() {
    let folder = folder("solve-bad");
    let bad: [(&str, &str, &str); 8] = [
        ("", REST, "two.mtx, line 1"),
        ("no matrix\n", REST, "the first line"),
        (&MATRIX.replace("4 4 6", "6 6 6"), REST, "W is 6 × 6, but q has 4 numbers"),
        (&MATRIX.replace("4 2 1.0\n", ""), REST, "the file ends where an entry of W should follow"),
        (&MATRIX.replace("4 2 1.0", "4 2 nan"), REST, "line 8: a number of W is NaN"),
        (MATRIX, &REST.replace("dimension 2", "dimension 4"), "1, 2 or 3"),
        (MATRIX, &REST.replace("0.5\n0.5", "0.5\n-0.5"), "the friction of contact 1 is -0.5"),
        (&MATRIX.replace("1 1 1.0", "1 1 0.0"), REST, "does not give way"),
    ];
    for (matrix, rest, sentence) in bad {
        let out = hardgrain(&["solve", &written(&folder, matrix, rest)]);
        let said = String::from_utf8(out.stderr).unwrap();
        assert_eq!(out.status.code(), Some(2), "{said}");
        assert!(said.contains(sentence), "{said}");
    }
    assert_eq!(hardgrain(&["solve", "nowhere.mtx"]).status.code(), Some(2));
    assert_eq!(hardgrain(&["solve", "x.mtx", "--tolerance", "nan"]).status.code(), Some(2));
}

#[test]
fn one_bad_file_does_not_spoil_the_others() {
    let (good, other) = (folder("solve-good"), folder("solve-other"));
    let (file, bad) = (written(&good, MATRIX, REST), written(&other, "no matrix\n", REST));
    let out = hardgrain(&["solve", &bad, &file, "--json"]);
    assert_eq!(out.status.code(), Some(2));
    let said = String::from_utf8(out.stderr).unwrap();
    assert!(said.contains("the first line") && said.contains("1 of 2 files"), "{said}");
    let answers: serde_json::Value = serde_json::from_slice(&out.stdout).unwrap();
    assert_eq!(answers.as_array().unwrap().len(), 3);
    // Equal names would overwrite each other.
    let twice = hardgrain(&["solve", &file, &file, "-o", &good.join("r").display().to_string()]);
    assert_eq!(twice.status.code(), Some(2));
    assert!(String::from_utf8(twice.stderr).unwrap().contains("called two") && !good.join("r").exists());
}

#[test]
fn what_has_no_answer_ends_with_a_status() {
    let folder = folder("solve-none");
    let matrix = "%%MatrixMarket matrix coordinate real symmetric\n2 2 3\n1 1 1.0\n2 2 1.0\n2 1 -1.0\n";
    let file = written(&folder, matrix, "dimension 1\ncontacts 2\nq\n-1\n-1\nmu\n0\n0\n");
    let out = hardgrain(&["solve", &file, "--max-sweeps", "200"]);
    assert!(out.status.success());
    assert_eq!(String::from_utf8(out.stdout).unwrap().matches("not converged").count(), 3);
}

#[test]
fn the_problem_of_a_step_can_be_saved_and_solved() {
    let folder = folder("solve-saved");
    let _ = std::fs::remove_dir_all(folder.join("run"));
    let (scene, out) = (folder.join("column.toml").display().to_string(), folder.join("run").display().to_string());
    let _ = std::fs::remove_file(&scene);
    assert!(hardgrain(&["new", "column", "-o", &scene]).status.success());
    // Nothing is written before what is asked for can be.
    for (step, complaint) in [("0", "no step 0"), ("1000000000", "no step 1000000000")] {
        let refused = hardgrain(&["run", &scene, "-o", &out, "--save-problem", step]);
        assert_eq!(refused.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&refused.stderr).contains(complaint));
        assert!(!folder.join("run").exists());
    }
    let soft =
        ["run", &scene, "-o", &out, "--save-problem", "2", "--set", "solver={kind=\"soft\",stiffness=1e5,damping=10}"];
    let refused = hardgrain(&soft);
    assert_eq!(refused.status.code(), Some(2), "{}", String::from_utf8_lossy(&refused.stderr));
    let made = hardgrain(&[
        "run",
        &scene,
        "-o",
        &out,
        "--save-problem",
        "1",
        "--save-problem",
        "20",
        "--set",
        "time.steps=25",
    ]);
    assert!(made.status.success(), "{}", String::from_utf8_lossy(&made.stderr));
    let file = folder.join("run/problem_000000020.mtx").display().to_string();
    let solved = hardgrain(&["solve", &file, "--json"]);
    let answers: serde_json::Value = serde_json::from_slice(&solved.stdout).unwrap();
    assert_eq!(answers[0]["contacts"], 30);
    assert!(answers.as_array().unwrap().iter().all(|answer| answer["status"] == "converged"), "{answers}");
    // A run that is over writes no more, and says of which.
    let over = hardgrain(&["resume", &out, "--save-problem", "20", "--save-problem", "7", "--save-problem", "30"]);
    let said = String::from_utf8_lossy(&over.stderr);
    assert!(over.status.success() && said.contains("step 7 was made before") && !said.contains("step 20 "), "{said}");
    assert!(said.contains("no contact problem of step 30"), "{said}");
    // A new run takes the old one's problems away.
    assert!(hardgrain(&["run", &scene, "-o", &out, "--force", "--set", "time.steps=25"]).status.success());
    assert!(!Path::new(&file).exists());
}
