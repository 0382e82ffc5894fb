//! `run`, `resume`, `check`, `new` and `schema` as a user types them, and everything that may come in between.

mod bench;

use bench::schema::{errors, second_reader_agrees};
use bench::{Bench, hash, scene, text};
use serde_json::Value;
use std::fs;
use std::path::Path;
use std::process::Stdio;

/// Whether a file is of this kind.
fn is(name: &str, kind: &str) -> bool {
    Path::new(name).extension().is_some_and(|extension| extension == kind)
}

#[test]
fn a_run_leaves_what_it_promises() {
    let bench = Bench::new("leaves");
    let output = bench.hardgrain(&["run", &scene("chain"), "-o", "chain", "--json"]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let printed: Value = serde_json::from_slice(&output.stdout).unwrap();
    let kept: Value = serde_json::from_str(&bench.read("chain/run.json")).unwrap();
    assert_eq!(printed, kept);
    for key in ["version", "seed", "threads", "steps", "wall_time", "state_hash", "rigidity"] {
        assert!(kept.get(key).is_some(), "no {key}");
    }
    for key in ["sweeps", "reach", "length", "apparent_stiffness", "apparent_sound_speed", "residual", "verdict"] {
        assert!(kept["rigidity"].get(key).is_some(), "no rigidity.{key}");
    }
    assert_eq!(kept["steps"], 2000);
    assert_eq!(kept["state_hash"].as_str().unwrap().len(), 16);
    // The paper's numbers: κ = q m N_I/h², and forty sweeps do not make fifty grains rigid.
    assert!((kept["rigidity"]["apparent_stiffness"].as_f64().unwrap() - 31.8977).abs() < 1e-3);
    assert!(kept["rigidity"]["verdict"].as_str().unwrap().starts_with("soft"));
    // The effective scene is the scene, comments and all.
    assert_eq!(bench.read("chain/scene.toml"), fs::read_to_string(scene("chain")).unwrap());
    let series = bench.read("chain/series.csv");
    let lines: Vec<&str> = series.lines().collect();
    assert_eq!(lines[0], "time,chain[-1].x,kinetic_energy,overlap_max,residual");
    // Before the first step there is no residual.
    assert_eq!(lines[1], "0,50.5,0,,");
    assert_eq!(lines.len(), 2002);
    assert!(lines[2001].starts_with("2000,49."), "{}", lines[2001]);
    let frames = bench.names("chain").iter().filter(|name| is(name, "vtp")).count();
    assert_eq!(frames, 42);
    assert_eq!(bench.read("chain/grains.pvd").matches("<DataSet").count(), 21);
    assert!(bench.names("chain").iter().all(|name| !name.contains("draft") && !name.contains("new.hg")));
}

#[test]
fn a_finished_run_is_left_alone() {
    let bench = Bench::new("finished");
    bench.fine(&["run", &scene("cradle"), "-o", "run"]);
    let before = bench.contents("run");
    let output = bench.fine(&["resume", "run"]);
    assert!(text(&output.stderr).contains("is finished: 2000 steps"), "{}", text(&output.stderr));
    assert_eq!(bench.contents("run"), before);
    // Nor does a new run take its place, unless it is told to.
    let output = bench.hardgrain(&["run", &scene("bounce"), "-o", "run"]);
    assert_eq!(output.status.code(), Some(2));
    let said = text(&output.stderr);
    assert!(said.contains("holds a run already") && said.contains("--force") && said.contains("hardgrain resume run"));
    assert_eq!(bench.contents("run"), before);
    fs::write(bench.path("run/notes.txt"), "mine").unwrap();
    bench.fine(&["run", &scene("bounce"), "-o", "run", "--force"]);
    assert_ne!(bench.contents("run"), before);
    assert_eq!(bench.read("run/notes.txt"), "mine");
}

#[test]
fn set_changes_what_is_run_and_is_blamed() {
    let bench = Bench::new("set");
    let arguments = ["run", &scene("chain"), "-o", "run", "--set", "solver.sweeps=80", "--set", "time.steps=10"];
    bench.fine(&arguments);
    let kept = bench.read("run/scene.toml");
    assert!(kept.contains("sweeps = 80               # N_I"), "{kept}");
    let summary: Value = serde_json::from_str(&bench.read("run/run.json")).unwrap();
    assert_eq!((&summary["steps"], &summary["rigidity"]["sweeps"]), (&10.into(), &80.0.into()));
    for (change, expected) in [
        ("solver.sweps=80", "there is no key `sweps`"),
        ("solver.sweeps=0", "sweeps must be between 1"),
        ("solver.sweeps=", "neither sweeps nor a tolerance"),
        ("grains.chian.radius=1", "there is no `chian` in grains"),
        ("solver", "there is no = in it"),
    ] {
        let output = bench.hardgrain(&["run", &scene("chain"), "-o", "other", "--set", change]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{change}: {said}");
        assert!(said.contains(expected) && said.contains(&format!("--set {change}")), "{change}: {said}");
        assert!(!bench.path("other").exists(), "{change}: something was written");
    }
}

#[test]
fn bad_scenes_write_nothing_and_exit_2() {
    let bench = Bench::new("bad");
    let bad = fs::read_to_string(scene("chain")).unwrap().replace("spacing = [1.0]", "spacing = [0.9]");
    fs::write(bench.path("bad.toml"), bad).unwrap();
    for command in ["run", "check"] {
        let output = bench.hardgrain(&[command, "bad.toml"]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{said}");
        assert!(said.contains("bad.toml:13:") && said.contains("overlap by 0.1"), "{said}");
        assert!(output.stdout.is_empty());
    }
    assert_eq!(bench.names("."), ["bad.toml"]);
    for nonsense in
        [&["run", "nowhere.toml"][..], &["resume", "nowhere"], &["run", "."], &["resume", "."], &["new", "moon"]]
    {
        let output = bench.hardgrain(nonsense);
        assert_eq!(output.status.code(), Some(2), "{nonsense:?}: {}", text(&output.stderr));
    }
    assert_eq!(bench.names("."), ["bad.toml"]);
}

#[test]
fn any_number_of_threads_gives_the_same_bytes() {
    let bench = Bench::new("threads");
    let short = ["--set", "time.duration=", "--set", "time.steps=150", "--set", "record.frames.every=50"];
    let mut seen = Vec::new();
    for threads in ["1", "2", "7"] {
        let mut arguments = vec!["run", "", "-o", threads, "--threads", threads];
        let drum = scene("drum");
        arguments[1] = &drum;
        arguments.extend(short);
        bench.fine(&arguments);
        let mut files = bench.contents(threads);
        let summary: Value = serde_json::from_slice(&files.remove("run.json").unwrap()).unwrap();
        assert_eq!(summary["threads"].as_u64().unwrap().to_string(), threads);
        files.retain(|name, _| !is(name, "hg"));
        seen.push((summary["state_hash"].clone(), files));
    }
    assert!(seen[0] == seen[1] && seen[1] == seen[2]);
}

#[test]
fn rest_or_a_tolerance_that_is_missed_is_exit_3() {
    let bench = Bench::new("missed");
    let piston = scene("piston");
    let small = ["--set", "grains.discs.arrange.count=20", "--set", "stages.compress.until.max_steps=100"];
    let output = bench.hardgrain(&[&["run", &piston, "-o", "rest"], &small[..]].concat());
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    assert!(text(&output.stderr).contains("stage compress did not come to rest; later stages were not run"));
    let summary: Value = serde_json::from_str(&bench.read("rest/run.json")).unwrap();
    assert_eq!((&summary["steps"], &summary["fulfilled"]), (&100.into(), &false.into()));
    let again = bench.hardgrain(&["resume", "rest"]);
    assert_eq!(again.status.code(), Some(3), "{}", text(&again.stderr));

    let hard = ["--set", "solver.sweeps=", "--set", "solver.tolerance=1e-12", "--set", "solver.max_sweeps=3"];
    let output =
        bench.hardgrain(&[&["run", &scene("column"), "-o", "tolerance", "--set", "time.steps=5"], &hard[..]].concat());
    assert_eq!(output.status.code(), Some(3), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("5 of 5 steps did not converge"), "{}", text(&output.stdout));
    // A fixed number of sweeps asks for nothing.
    bench.fine(&["run", &scene("column"), "-o", "fixed", "--set", "time.steps=5", "--set", "solver.sweeps=1"]);
}

#[test]
fn two_writers_are_kept_apart_and_ctrl_c_can_be_resumed() {
    let bench = Bench::new("writers");
    let long = ["run", &scene("piston"), "-o", "run", "--set", "grains.discs.arrange.count=100"];
    let mut first = bench.command(&long).stderr(Stdio::piped()).spawn().unwrap();
    bench.wait_for("run/checkpoint.hg");
    for second in [&long[..], &["resume", "run"], &[&long[..], &["--force"]].concat()] {
        let output = bench.hardgrain(second);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains("is in use"), "{}", text(&output.stderr));
    }
    // Not even by removing the file.
    #[cfg(target_os = "linux")]
    {
        fs::remove_file(bench.path("run/.lock")).unwrap();
        assert!(text(&bench.hardgrain(&["resume", "run"]).stderr).contains("is in use"));
    }
    bench::interrupt(&first);
    let status = first.wait().unwrap();
    let mut said = String::new();
    std::io::Read::read_to_string(&mut first.stderr.take().unwrap(), &mut said).unwrap();
    assert_eq!(status.code(), Some(130), "{said}");
    assert!(said.contains("checkpoint written; `hardgrain resume run` goes on"), "{said}");
    assert!(!bench.path("run/run.json").exists());
    // The lock ends with its holder; the file that is left means nothing.
    bench.fine(&["resume", "run"]);
    bench.fine(&[&long[..3], &["calm"], &long[4..]].concat());
    assert_eq!(hash(&bench, "run"), hash(&bench, "calm"));
    assert_eq!(bench.read("run/series.csv"), bench.read("calm/series.csv"));
}

#[test]
fn killed_at_twenty_random_moments_the_end_is_the_same() {
    let bench = Bench::new("kills");
    let program = Path::new(env!("CARGO_BIN_EXE_hardgrain"));
    let done = xtask::kills::torture(program, &bench.path("work"), 20, 4, 20_261_115).unwrap();
    assert_eq!((done.kills, done.runs), (20, 5));
    // Every step ends with a checkpoint, so that some kills fall into the writing of one.
    assert!(done.while_saving > 0);
}

#[test]
fn a_scene_that_is_killed_before_its_first_checkpoint_starts_again() {
    let bench = Bench::new("early");
    bench.fine(&["run", &scene("cradle"), "-o", "calm"]);
    fs::create_dir(bench.path("early")).unwrap();
    fs::copy(scene("cradle"), bench.path("early/scene.toml")).unwrap();
    fs::write(bench.path("early/.lock"), "").unwrap();
    fs::write(bench.path("early/series.csv"), "half a hea").unwrap();
    fs::write(bench.path("early/checkpoint.new.hg.draft"), "half").unwrap();
    bench.fine(&["resume", "early"]);
    assert_eq!(hash(&bench, "early"), hash(&bench, "calm"));
    assert_eq!(bench.read("early/series.csv"), bench.read("calm/series.csv"));
}

#[test]
fn checkpoints_that_are_no_good_are_refused_and_the_one_before_is_offered() {
    let bench = Bench::new("checkpoints");
    let chain = scene("chain");
    // The newest is of step 1000, the one before of step 900.
    let sets = ["--set", "time.steps=1000", "--set", "record.checkpoint.every=300"];
    let run = |name: &str, more: &[&str]| bench.fine(&[&["run", &chain, "-o", name], &sets[..], more].concat());
    run("calm", &[]);
    let good = fs::read(bench.path("calm/checkpoint.hg")).unwrap();
    let mut flipped = good.clone();
    flipped[good.len() / 2] ^= 4;
    let mut newer = good.clone();
    newer[8] = 77;
    let sum = crc32fast::hash(&[&newer[8..12], &newer[16..]].concat()).to_le_bytes();
    newer[12..16].copy_from_slice(&sum);
    run("other", &["--set", "seed=2"]);
    let foreign = fs::read(bench.path("other/checkpoint.hg")).unwrap();
    for (name, bytes, why) in [
        ("cut", &good[..good.len() - 7], "is damaged"),
        ("stub", &good[..10], "is cut short"),
        ("empty", &[][..], "is cut short"),
        ("flipped", &flipped, "is damaged: its check sum is wrong"),
        ("newer", &newer, "has format 77"),
        ("foreign", &foreign, "belongs to another scene"),
        ("picture", b"\x89PNG....", "is no checkpoint"),
    ] {
        run(name, &[]);
        fs::remove_file(bench.path(&format!("{name}/run.json"))).unwrap();
        fs::write(bench.path(&format!("{name}/checkpoint.hg")), bytes).unwrap();
        let output = bench.hardgrain(&["resume", name]);
        let said = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{name}: {said}");
        assert!(
            said.contains(why) && said.contains(&format!("(step 900): `hardgrain resume {name} --previous`")),
            "{name}: {said}"
        );
        let before = fs::read(bench.path(&format!("{name}/checkpoint.previous.hg"))).unwrap();
        bench.fine(&["resume", name, "--previous"]);
        // The good one was kept until there was a better one, and the bad one is there to be looked at.
        assert_eq!(fs::read(bench.path(&format!("{name}/checkpoint.passed-over.hg"))).unwrap(), bytes);
        assert_eq!(fs::read(bench.path(&format!("{name}/checkpoint.previous.hg"))).unwrap(), before);
        assert_eq!(bench.read(&format!("{name}/series.csv")), bench.read("calm/series.csv"));
        assert_eq!(hash(&bench, name), hash(&bench, "calm"));
    }
    // A scene that was changed, a table that is gone.
    fs::remove_file(bench.path("calm/run.json")).unwrap();
    let changed = bench.read("calm/scene.toml").replace("-0.05", "-0.06");
    fs::write(bench.path("calm/scene.toml"), changed).unwrap();
    let output = bench.hardgrain(&["resume", "calm"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("scene.toml beside it was changed"), "{}", text(&output.stderr));
    fs::remove_file(bench.path("other/run.json")).unwrap();
    fs::write(bench.path("other/series.csv"), "time\n").unwrap();
    let output = bench.hardgrain(&["resume", "other"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(text(&output.stderr).contains("it has 5 bytes, and had"), "{}", text(&output.stderr));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_stops_the_run_and_leaves_a_good_checkpoint() {
    let bench = Bench::new("full");
    let column = scene("column");
    let frequent = ["--set", "record.checkpoint={ every = 10 }", "--set", "time.steps=3000"];
    // No file may grow beyond 64 kB: to the program that is a disk without room.
    let program = env!("CARGO_BIN_EXE_hardgrain");
    let line = format!("trap '' XFSZ; ulimit -f 64; exec {program} run {column} -o run \"$@\"");
    let mut shell = std::process::Command::new("bash");
    let output = shell.current_dir(bench.path(".")).args(["-c", &line, "bash"]).args(frequent).output().unwrap();
    let said = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    assert!(said.contains("cannot write run/series.csv") && said.contains("`hardgrain resume run` goes on"), "{said}");
    assert!(!bench.path("run/run.json").exists());
    bench.fine(&["resume", "run"]);
    bench.fine(&[&["run", &column, "-o", "calm"], &frequent[..]].concat());
    assert_eq!(hash(&bench, "run"), hash(&bench, "calm"));
    assert_eq!(bench.read("run/series.csv"), bench.read("calm/series.csv"));
    // And a folder that cannot be made.
    fs::write(bench.path("file"), "").unwrap();
    for folder in ["file", "file/below"] {
        let output = bench.hardgrain(&["run", &column, "-o", folder]);
        assert!(matches!(output.status.code(), Some(1 | 2)), "{folder}");
        assert!(text(&output.stderr).contains(folder), "{}", text(&output.stderr));
    }
}

#[test]
fn tables_of_grains_travel_with_the_run() {
    let bench = Bench::new("tables");
    fs::write(bench.path("three.csv"), "x,radius\n0.5,0.5\n1.6,0.5\n2.45,0.3333333333333333\n").unwrap();
    let chain = fs::read_to_string(scene("column")).unwrap();
    let row = "radius = 0.5\nmass = 1.0\narrange = { kind = \"row\", count = 30, first = [0.5], spacing = [1.0] }";
    let file = "mass = 1.0\narrange = { kind = \"file\", path = \"three.csv\" }";
    assert!(chain.contains(row));
    fs::write(bench.path("three.toml"), chain.replace(row, file)).unwrap();
    bench.fine(&["run", "three.toml", "-o", "run"]);
    fs::remove_file(bench.path("three.csv")).unwrap();
    // What lies in the folder can be run again by itself, and gives the same.
    bench.fine(&["run", "run/scene.toml", "-o", "again"]);
    assert_eq!(hash(&bench, "run"), hash(&bench, "again"));
}

#[test]
fn new_writes_scenes_that_check_and_the_schema_knows_them() {
    let bench = Bench::new("new");
    let list: Value = serde_json::from_slice(&bench.fine(&["new", "--json"]).stdout).unwrap();
    let names: Vec<&str> = list.as_array().unwrap().iter().map(|entry| entry["name"].as_str().unwrap()).collect();
    assert!(names.len() >= 11, "{names:?}");
    let schema: Value = serde_json::from_slice(&bench.fine(&["schema"]).stdout).unwrap();
    let mut documents = Vec::new();
    for name in names {
        bench.fine(&["new", name]);
        let file = format!("{name}.toml");
        assert_eq!(bench.hardgrain(&["new", name]).status.code(), Some(2), "{name} was overwritten");
        let check: Value = serde_json::from_slice(&bench.fine(&["check", &file, "--json"]).stdout).unwrap();
        assert!(check["grains"].as_u64().unwrap() > 0 && check["forecast"]["verdict"].is_string());
        let mut value: Value = toml::from_str(&bench.read(&file)).unwrap();
        assert_eq!(errors(&schema, &value), [""; 0], "{name}");
        documents.push(value.clone());
        // The schema refuses what the reader refuses.
        value["solver"]["sweps"] = 3.into();
        assert!(!errors(&schema, &value).is_empty());
        documents.push(value);
    }
    second_reader_agrees(&bench, &schema, &documents);
    let listed = bench.fine(&["new"]);
    assert!(text(&listed.stdout).contains("chain") && text(&listed.stdout).contains("Fifty grains against a wall"));
    for shell in ["bash", "zsh", "fish"] {
        assert!(text(&bench.fine(&["completions", shell]).stdout).contains("resume"));
    }
}

#[test]
fn check_forecasts_what_the_theory_says() {
    let bench = Bench::new("check");
    let check: Value = serde_json::from_slice(&bench.fine(&["check", &scene("chain"), "--json"]).stdout).unwrap();
    let predicted: Value = serde_json::from_slice(&bench.fine(&["predict", "--json"]).stdout).unwrap();
    for (ours, theirs) in [
        ("reach", "reach"),
        ("apparent_stiffness", "stiffness"),
        ("apparent_sound_speed", "sound_speed"),
        ("omega", "omega"),
        ("tau", "tau"),
        ("sweeps_to_reach", "sweeps_for_rigidity"),
    ] {
        let (a, b) = (check["forecast"][ours].as_f64().unwrap(), predicted[theirs].as_f64().unwrap());
        assert!((a / b - 1.0).abs() < 1e-3, "{ours}: {a} {b}");
    }
    let said = bench.fine(&["check", &scene("chain")]);
    assert!(text(&said.stdout).contains("soft: a step carries forces 5.6 grains far"), "{}", text(&said.stdout));
    let rigid = bench.fine(&["check", &scene("chain"), "--set", "solver.sweeps=20000"]);
    assert!(text(&rigid.stdout).contains("\nrigid: "), "{}", text(&rigid.stdout));
}

#[test]
fn the_examples_in_the_help_work() {
    let bench = Bench::new("examples");
    for name in ["chain", "piston"] {
        bench.fine(&["new", name]);
    }
    let mut tried = 0;
    for command in ["check", "run", "resume", "schema", "completions"] {
        let help = bench.fine(&[command, "--help"]);
        let help = text(&help.stdout).replace('\n', " ");
        let examples = help.split("Example").nth(1).unwrap().split("Usage:").next().unwrap();
        for example in examples.split("hardgrain ").skip(1) {
            let line = example.trim().trim_end_matches(',').split(" > ").next().unwrap();
            bench.fine(&line.split_whitespace().collect::<Vec<_>>());
            tried += 1;
        }
    }
    assert_eq!(tried, 6);
    // `new` as well, where nothing has been written yet.
    let fresh = Bench::new("examples-of-new");
    for line in ["new", "new silo", "new chain -o my-chain.toml"] {
        assert!(text(&fresh.fine(&["new", "--help"]).stdout).replace('\n', " ").contains(line));
        fresh.fine(&line.split_whitespace().collect::<Vec<_>>());
    }
    assert_eq!(fresh.names("."), ["my-chain.toml", "silo.toml"]);
}

#[test]
fn files_of_the_user_are_left_alone() {
    let bench = Bench::new("user");
    fs::create_dir(bench.path("mine")).unwrap();
    for name in ["notes.draft", "grains.csv", "photo_000000001.vtp"] {
        fs::write(bench.path(&format!("mine/{name}")), "mine").unwrap();
    }
    bench.fine(&["run", &scene("cradle"), "-o", "mine"]);
    bench.fine(&["run", &scene("cradle"), "-o", "mine", "--force"]);
    for name in ["notes.draft", "grains.csv", "photo_000000001.vtp"] {
        assert_eq!(bench.read(&format!("mine/{name}")), "mine");
    }
    // Anything that a run would overwrite stops it.
    for name in ["grains_000000777.vtp", "series.csv", "grains_of_group_0.csv", "contacts.pvd"] {
        let folder = format!("with-{name}");
        fs::create_dir(bench.path(&folder)).unwrap();
        fs::write(bench.path(&format!("{folder}/{name}")), "mine").unwrap();
        let output = bench.hardgrain(&["run", &scene("cradle"), "-o", &folder]);
        assert_eq!(output.status.code(), Some(2), "{name}");
        assert!(text(&output.stderr).contains(name));
        assert_eq!(bench.read(&format!("{folder}/{name}")), "mine");
        assert_eq!(bench.names(&folder), [name]);
    }
    // A folder with a scene in it is no run yet.
    fs::create_dir(bench.path("scene")).unwrap();
    fs::copy(scene("cradle"), bench.path("scene/scene.toml")).unwrap();
    let output = bench.hardgrain(&["resume", "scene"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("holds no run"), "{}", text(&output.stderr));
    assert_eq!(bench.names("scene"), ["scene.toml"]);
}

#[test]
fn a_finished_run_needs_neither_checkpoints_nor_the_right_to_write() {
    let bench = Bench::new("over");
    bench.fine(&["run", &scene("cradle"), "-o", "run"]);
    for name in ["checkpoint.hg", "checkpoint.previous.hg", ".lock"] {
        fs::remove_file(bench.path(&format!("run/{name}"))).unwrap();
    }
    let before = bench.contents("run");
    for arguments in [&["resume", "run"][..], &["resume", "run", "--previous"]] {
        let output = bench.fine(arguments);
        assert!(text(&output.stderr).contains("is finished"), "{}", text(&output.stderr));
        assert_eq!(bench.contents("run"), before);
    }
}

#[test]
fn a_table_of_grains_that_was_changed_is_another_scene() {
    let bench = Bench::new("changed-table");
    fs::write(bench.path("three.csv"), "x,radius\n0.5,0.5\n1.6,0.5\n2.45,0.3\n").unwrap();
    let text_of = "format = 1\ndimension = 1\ngravity = [-1.0]\n\
        grains = [{ label = \"three\", arrange = { kind = \"file\", path = \"three.csv\" } }] # in one line\n\
        [[walls]]\npoint = [0.0]\nnormal = [1.0]\n[time]\nstep = 0.01\nsteps = 50\n[solver]\nsweeps = 9\n\
        [record]\nseries = { columns = [\"three[-1].x\"] }\ncheckpoint = { every = 20 }\n";
    fs::write(bench.path("three.toml"), text_of).unwrap();
    bench.fine(&["run", "three.toml", "-o", "run"]);
    assert!(bench.read("run/scene.toml").contains("path = \"grains_of_group_0.csv\" } }] # in one line"));
    fs::remove_file(bench.path("run/run.json")).unwrap();
    let table = bench.read("run/grains_of_group_0.csv");
    for changed in [format!("{table}9.5,0.5\n"), table.replace("3e-1", "2e-1")] {
        assert_ne!(changed, table);
        fs::write(bench.path("run/grains_of_group_0.csv"), changed).unwrap();
        let output = bench.hardgrain(&["resume", "run"]);
        assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        assert!(text(&output.stderr).contains("belongs to another scene"), "{}", text(&output.stderr));
    }
    fs::write(bench.path("run/grains_of_group_0.csv"), table).unwrap();
    bench.fine(&["resume", "run"]);
}

#[test]
fn a_run_can_be_replaced_by_its_own_scene() {
    let bench = Bench::new("itself");
    bench.fine(&["run", &scene("cradle"), "-o", "run"]);
    let before = hash(&bench, "run");
    bench.fine(&["run", "run/scene.toml", "-o", "run", "--force"]);
    assert_eq!(hash(&bench, "run"), before);
    // A summary that says nothing is written again.
    fs::write(bench.path("run/run.json"), "{").unwrap();
    let output = bench.hardgrain(&["resume", "run"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is damaged; remove it"), "{}", text(&output.stderr));
    fs::remove_file(bench.path("run/run.json")).unwrap();
    bench.fine(&["resume", "run"]);
    assert_eq!(hash(&bench, "run"), before);
}
