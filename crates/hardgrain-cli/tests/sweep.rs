//! Parameter studies as a user sees them.

mod bench;

use bench::page::opens;
use bench::{Bench, scene, text};
use serde_json::Value;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::time::Duration;

/// Two numbers of sweeps and three seeds of a short chain.
const SMALL: [&str; 8] =
    ["--vary", "solver.sweeps=20,40", "--vary", "seed=1..3", "--set", "time.steps=400", "--set", "record.frames="];

fn sweep<'a>(scene: &'a str, folder: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    [&["sweep", scene, "-o", folder][..], more].concat()
}

/// Every finished run of a study by its name, with what it says of itself.
fn finished(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let Ok(entries) = fs::read_dir(folder.join("runs")) else { return BTreeMap::new() };
    let entries = entries.map(|entry| entry.unwrap());
    let summary = |entry: &fs::DirEntry| fs::read(entry.path().join("run.json")).ok();
    entries.filter_map(|entry| Some((entry.file_name().to_str()?.to_owned(), summary(&entry)?))).collect()
}

#[test]
fn a_study_is_one_command_and_goes_on_where_it_was() {
    let bench = Bench::new("study");
    let chain = scene("chain");
    let output = bench.fine(&sweep(&chain, "study", &SMALL));
    let said = text(&output.stdout);
    assert!(said.contains("6 of 6 runs done") && said.contains("all runs have the same physics"), "{said}");
    let table = bench.read("study/summary.csv");
    let lines: Vec<&str> = table.lines().collect();
    assert_eq!(lines.len(), 7, "{table}");
    assert!(lines[0].starts_with("solver.sweeps,seed,run,status,last:chain[-1].x,"), "{table}");
    assert!(lines[1].starts_with("20,1,\"solver.sweeps=20,seed=1\",done,"), "{table}");
    assert!(lines[6].starts_with("40,3,\"solver.sweeps=40,seed=3\",done,"), "{table}");
    // A run of a study is a run.
    bench.fine(&[
        "run",
        &chain,
        "-o",
        "alone",
        "--set",
        "solver.sweeps=40",
        "--set",
        "seed=3",
        "--set",
        "time.steps=400",
    ]);
    let hash = |file: &str| serde_json::from_str::<Value>(&bench.read(file)).unwrap()["state_hash"].clone();
    let own = hash("study/runs/solver.sweeps=40,seed=3/run.json");
    assert_eq!(own, hash("alone/run.json"));
    assert!(lines[6].contains(own.as_str().unwrap()), "{table}");
    // Once more, nothing happens; with more values, only those are run.
    let before = finished(&bench.path("study"));
    bench.fine(&sweep(&chain, "study", &SMALL));
    assert_eq!((finished(&bench.path("study")), bench.read("study/summary.csv")), (before.clone(), table.clone()));
    let more = ["--vary", "solver.sweeps=20,40,80", SMALL[2], SMALL[3], SMALL[4], SMALL[5], SMALL[6], SMALL[7]];
    bench.fine(&sweep(&chain, "study", &more));
    let after = finished(&bench.path("study"));
    assert!(after.len() == 9 && before.iter().all(|(name, summary)| after[name] == *summary));
    // It is no run, and no run destroys it.
    for command in [&["resume", "study"][..], &["report", "study"], &["run", &chain, "-o", "study", "--force"]] {
        let output = bench.hardgrain(command);
        let said = text(&output.stderr);
        assert!(output.status.code() == Some(2) && said.contains("study holds a study"), "{command:?}: {said}");
    }
    // Everything that a run says of itself can be looked at.
    let summary: Value = serde_json::from_str(&bench.read("alone/run.json")).unwrap();
    for key in summary.as_object().unwrap().keys().filter(|key| *key != "seed") {
        bench.fine(&["sweep", "--gather", "study", "--observe", key]);
    }
    // Something else can be looked at later.
    bench.fine(&[
        "sweep",
        "--gather",
        "study",
        "--observe",
        "mean:kinetic_energy",
        "--observe",
        "max:overlap_max@0..100",
    ]);
    assert!(bench.read("study/summary.csv").contains("status,mean:kinetic_energy,max:overlap_max@0..100,physics"));
}

#[test]
fn the_table_has_exponents_and_a_page() {
    let bench = Bench::new("study-page");
    let chain = scene("chain");
    let looks = ["--observe", "omega:chain[-1].x", "--observe", "tau:chain[-1].x", "--json"];
    let vary = ["--vary", "solver.sweeps=20..80*2", "--vary", "seed=1..3", "--set", "record.frames="];
    let output = bench.fine(&sweep(&chain, "study", &[&vary[..], &looks].concat()));
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    for (observed, exponent) in [("omega:chain[-1].x", 0.5), ("tau:chain[-1].x", -1.0)] {
        let law = found["laws"].as_array().unwrap().iter().find(|law| law["observed"] == observed).unwrap();
        assert!((law["exponent"].as_f64().unwrap() - exponent).abs() < 0.03, "{law}");
    }
    for seen in opens(&bench, &bench.read("study/index.html")) {
        assert_eq!(seen["figures"], 2, "ω and τ against sweeps: {seen}");
    }
}

#[test]
fn a_kill_at_any_moment_loses_no_finished_run() {
    let bench = Bench::new("study-kills");
    let chain = scene("chain");
    let vary = [
        "--vary",
        "solver.sweeps=20,40,80",
        "--vary",
        "seed=1..10",
        "--set",
        "record.frames=",
        "--set",
        "time.steps=6000",
    ];
    bench.fine(&sweep(&chain, "whole", &vary));
    let mut known = BTreeMap::new();
    for kill in 0..20_u64 {
        let mut child =
            bench.command(&sweep(&chain, "killed", &vary)).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
        // Anything between at once and a few runs later.
        std::thread::sleep(Duration::from_millis(10 + kill * 7919 % 190));
        child.kill().unwrap();
        child.wait().unwrap();
        let now = finished(&bench.path("killed"));
        assert!(known.iter().all(|(name, summary)| now.get(name) == Some(summary)), "kill {kill}");
        known = now;
    }
    bench.fine(&["sweep", "--resume", "killed"]);
    assert_eq!(bench.read("killed/summary.csv"), bench.read("whole/summary.csv"));
    let after = finished(&bench.path("killed"));
    assert!(known.iter().all(|(name, summary)| after[name] == *summary), "what was finished was run again");
}

#[test]
fn failures_are_listed_and_not_fatal() {
    let bench = Bench::new("study-failures");
    let chain = scene("chain");
    // Grains that are too large overlap where they are placed.
    let vary = ["--vary", "grains.chain.radius=0.5,0.7", "--vary", "seed=1,2", "--set", "time.steps=50"];
    let output = bench.fine(&sweep(&chain, "study", &vary));
    let said = text(&output.stdout);
    assert!(said.contains("2 of 4 runs done, 2 failed") && said.contains("a study of physics"), "{said}");
    let table = bench.read("study/summary.csv");
    let failed: Vec<&str> = table.lines().filter(|line| line.contains(",failed,")).collect();
    assert!(failed.len() == 2 && failed.iter().all(|line| line.contains("overlap")), "{table}");
    let hopeless = ["--vary", "grains.chain.radius=0.7,0.8", "--set", "time.steps=50"];
    assert_eq!(bench.hardgrain(&sweep(&chain, "hopeless", &hopeless)).status.code(), Some(1));
}

#[test]
fn what_is_damaged_is_made_again_or_named() {
    let bench = Bench::new("study-damage");
    let chain = scene("chain");
    bench.fine(&sweep(&chain, "study", &SMALL));
    let table = bench.read("study/summary.csv");
    // A summary comes back from the last checkpoint; a series does not.
    let runs = bench.path("study/runs");
    fs::write(runs.join("solver.sweeps=20,seed=1/run.json"), "{").unwrap();
    bench.fine(&["sweep", "--resume", "study"]);
    assert_eq!(bench.read("study/summary.csv"), table);
    let series = runs.join("solver.sweeps=20,seed=2/series.csv");
    let half =
        fs::read_to_string(&series).unwrap().lines().take(200).fold(String::new(), |text, line| text + line + "\n");
    fs::write(&series, half).unwrap();
    let said = bench.fine(&["sweep", "--gather", "study"]);
    assert!(
        text(&said.stdout).contains("seed=2 damaged: its series.csv is not as the run has written it"),
        "{}",
        text(&said.stdout)
    );
    let whole = fs::read_to_string(runs.join("solver.sweeps=20,seed=3/series.csv")).unwrap();
    fs::write(runs.join("solver.sweeps=20,seed=3/series.csv"), &whole[..whole.len() - 4]).unwrap();
    let said = bench.fine(&["sweep", "--gather", "study"]);
    assert!(
        text(&said.stdout).contains("4 of 6 runs done, 2 damaged"),
        "a number that was cut: {}",
        text(&said.stdout)
    );
    fs::write(runs.join("solver.sweeps=20,seed=3/series.csv"), whole).unwrap();
    // A run that cannot even say that it failed.
    fs::remove_dir_all(runs.join("solver.sweeps=40,seed=3")).unwrap();
    fs::write(runs.join("solver.sweeps=40,seed=3"), "in the way").unwrap();
    let said = bench.fine(&["sweep", "--resume", "study"]);
    assert!(text(&said.stdout).contains("4 of 6 runs done, 1 failed, 1 damaged"), "{}", text(&said.stdout));
    assert!(bench.read("study/summary.csv").contains(",failed,"));
    assert_eq!(bench.hardgrain(&["sweep", "--resume", "study", "--only", "6"]).status.code(), Some(1));
}

#[test]
fn another_start_is_another_study() {
    let bench = Bench::new("study-start");
    let place = |name: &str, x: f64| fs::write(bench.path(name), format!("x\n0.5\n{x}\n")).unwrap();
    place("grains.csv", 1.5);
    let text_of = "format = 1\ndimension = 1\n[[grains]]\nlabel = \"row\"\nradius = 0.5\nmass = 1.0\n\
                   arrange = { kind = \"file\", path = \"grains.csv\" }\n[[walls]]\npoint = [0.0]\nnormal = [1.0]\n\
                   [time]\nstep = 0.1\nsteps = 10\n[solver]\nsweeps = 5\n";
    fs::write(bench.path("row.toml"), text_of).unwrap();
    let go = |values: &'static str| ["sweep", "row.toml", "--vary", values, "-o", "study"];
    bench.fine(&go("solver.sweeps=5,10"));
    bench.fine(&go("solver.sweeps=5,10,20"));
    place("grains.csv", 1.75);
    let output = bench.hardgrain(&go("solver.sweeps=5,10,20,40"));
    let said = text(&output.stderr);
    assert!(
        output.status.code() == Some(2)
            && said.contains("a study of another scene (what it calls grains_of_group_0.csv differs)"),
        "{said}"
    );
}

#[test]
fn commands_for_others_make_the_same_table() {
    let bench = Bench::new("study-list");
    let chain = scene("chain");
    bench.fine(&sweep(&chain, "here", &SMALL));
    let list = bench.fine(&sweep(&chain, "there", &[&SMALL[..], &["--list"]].concat()));
    let commands: Vec<&str> = text(&list.stdout).lines().collect();
    assert_eq!(commands.len(), 6, "{commands:?}");
    let gathered = bench.fine(&["sweep", "--gather", "there"]);
    assert!(text(&gathered.stdout).contains("0 of 6 runs done, 6 missing"), "{}", text(&gathered.stdout));
    // Backwards, from elsewhere, and one of them twice.
    for command in commands.iter().rev().chain([&commands[2]]) {
        let output = Command::new("sh").args(["-c", command]).current_dir("/").output().unwrap();
        assert!(output.status.success(), "{command}: {}", text(&output.stderr));
    }
    bench.fine(&["sweep", "--gather", "there"]);
    assert_eq!(bench.read("there/summary.csv"), bench.read("here/summary.csv"));
    // The script of a scheduler says the same.
    let script = bench.fine(&sweep(&chain, "there", &[&SMALL[..], &["--slurm", "--block", "4"]].concat()));
    assert!(text(&script.stdout).contains("6 runs in 2 tasks"), "{}", text(&script.stdout));
    let script = bench.read("there/study.sbatch");
    assert!(script.contains("#SBATCH --array=1-2\n") && script.contains("#SBATCH --requeue\n"), "{script}");
    fs::remove_dir_all(bench.path("there/runs/solver.sweeps=40,seed=3")).unwrap();
    let output =
        Command::new("bash").arg(bench.path("there/study.sbatch")).env("SLURM_ARRAY_TASK_ID", "2").output().unwrap();
    assert!(output.status.success(), "{}", text(&output.stderr));
    bench.fine(&["sweep", "--gather", "there"]);
    assert_eq!(bench.read("there/summary.csv"), bench.read("here/summary.csv"));
}

#[test]
fn two_studies_in_one_folder_are_kept_apart() {
    let bench = Bench::new("study-lock");
    let chain = scene("chain");
    let long = ["--vary", "seed=1..4", "--set", "time.steps=100000000", "--set", "record="];
    let mut child =
        bench.command(&sweep(&chain, "study", &long)).stderr(Stdio::null()).stdout(Stdio::null()).spawn().unwrap();
    bench.wait_for("study/runs");
    for second in [
        sweep(&chain, "study", &long),
        vec!["sweep", "--resume", "study"],
        vec!["sweep", "--resume", "study", "--only", "2"],
    ] {
        let output = bench.hardgrain(&second);
        assert_eq!(output.status.code(), Some(2), "{second:?}");
        assert!(text(&output.stderr).contains("is in use"), "{}", text(&output.stderr));
    }
    let gathered = bench.fine(&["sweep", "--gather", "study"]);
    assert!(text(&gathered.stdout).contains("not over yet"), "{}", text(&gathered.stdout));
    child.kill().unwrap();
    child.wait().unwrap();
    let other = ["--vary", "seed=1..4", "--set", "time.steps=30", "--set", "record="];
    let output = bench.hardgrain(&sweep(&chain, "study", &other));
    assert!(
        output.status.code() == Some(2) && text(&output.stderr).contains("another scene"),
        "{}",
        text(&output.stderr)
    );
}

#[test]
fn nonsense_is_refused_with_a_sentence() {
    let bench = Bench::new("study-nonsense");
    let chain = scene("chain");
    for (more, why) in [
        (
            &["--vary", "solver.swoops=1,2"][..],
            "solver.swoops=1 does not fit the scene: there is no key `swoops` here did you mean `sweeps`?",
        ),
        (&["--vary", "format=1,2"], "read-only"),
        (&["--vary", "record.series.every=1,2"], "read-only"),
        (&["--vary", "seed="], "there are no values"),
        (&["--vary", "seed=1..200000"], "that would be 200000 runs; say --yes"),
        (&["--vary", "seed=1..1000", "--vary", "solver.sweeps=1..1000"], "that would be 1000000 runs"),
        (&["--vary", "seed=1,2", "--vary", "seed=3,4"], "varied twice"),
        (&["--vary", "solver.sweeps=10,many"], "solver.sweeps=many does not fit the scene"),
        (
            &["--vary", "seed=1,2", "--observe", "omega:lid.position"],
            "no column `lid.position`; it has: time, chain[-1].x",
        ),
        (&["--vary", "seed=1,2", "--observe", "median:time"], "`median` is not known; there is: last, mean"),
        (&["--vary", "seed=1,2", "--observe", "mean:time@ring"], "there is no stage `ring`"),
        (&["--vary", "seed=1,2", "--observe", "kinetc_energy"], "run.json has no key `kinetc_energy`; it has: version"),
        (&["--vary", "seed=1,2", "--jobs", "100000"], "runs at a time are too many"),
        (&["--vary", "seed=1,2", "--only", "1"], "it goes with --resume"),
        (&["--vary", "\"title\"=a,b"], "read-only"),
        (&["--vary", "seed=1..3", "--vary", "solver.swepes=1"], "--vary solver.swepes=1 does not fit"),
        (&["--vary", "grains.chain.mass=1,2", "--vary", "grains.0.mass=1,2"], "change the same thing"),
        (&["--vary", "contact.friction=0,0.0"], "0.0 is there twice"),
        (&["--vary", "seed=1,2", "--observe", "seed"], "it is varied, and in the table anyway"),
        (&["--vary", "seed=1,2", "--observe", "steps", "--observe", "steps"], "it is there twice"),
        (&[], "nothing is varied"),
    ] {
        let output = bench.hardgrain(&sweep(&chain, "study", more));
        assert_eq!(output.status.code(), Some(2), "{more:?}");
        let said = text(&output.stderr);
        assert!(said.replace('\n', " ").contains(why), "{more:?}: {said}");
        assert!(!bench.path("study").exists(), "{more:?}");
    }
    for arguments in [&["sweep", "--gather", "nowhere"][..], &["sweep", "--resume", "nowhere"], &["sweep"]] {
        assert_eq!(bench.hardgrain(arguments).status.code(), Some(2), "{arguments:?}");
    }
    let dry = bench.fine(&sweep(&chain, "study", &[&SMALL[..], &["--dry-run"]].concat()));
    let said = text(&dry.stdout);
    assert!(
        said.contains("solver.sweeps=20,seed=1\n")
            && said.contains("6 runs; a study of numerics")
            && said.contains("cost: "),
        "{said}"
    );
    assert!(!bench.path("study").exists());
}
