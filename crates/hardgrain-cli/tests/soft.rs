//! Soft grains on the command line: the same scenes, records and checkpoints, and calibrations both ways.

mod bench;

use bench::{Bench, hash, interrupt, scene, text};
use serde_json::Value;

const SHORT: [&str; 6] =
    ["--set", "time.duration=", "--set", "time.steps=3000", "--set", "grains.spheres.arrange.count=150"];

fn number(value: &Value) -> f64 {
    value.as_f64().unwrap_or_else(|| panic!("{value} is no number"))
}

#[test]
fn a_soft_run_goes_on_with_the_same_bits_on_any_number_of_threads() {
    let bench = Bench::new("soft");
    let soft = scene("soft");
    for threads in ["1", "2", "7"] {
        bench.fine(&[&["run", &soft, "-o", threads, "--threads", threads], &SHORT[..]].concat());
    }
    let whole = hash(&bench, "1");
    assert_eq!([hash(&bench, "2"), hash(&bench, "7")], [whole.clone(), whole.clone()]);
    // Stopped in the middle.
    let arguments = [&["run", &soft, "-o", "stopped", "--set", "record.checkpoint.every=200"], &SHORT[..]].concat();
    let mut child = bench.command(&arguments).stderr(std::process::Stdio::null()).spawn().unwrap();
    bench.wait_for("stopped/checkpoint.previous.hg");
    interrupt(&child);
    let stopped = child.wait().unwrap().code();
    assert!(matches!(stopped, Some(130 | 0)), "{stopped:?}");
    bench.fine(&["resume", "stopped"]);
    assert_eq!(hash(&bench, "stopped"), whole);
    let summary: Value = serde_json::from_str(&bench.read("1/run.json")).unwrap();
    assert!(summary["rigidity"]["verdict"].as_str().unwrap().contains("springs of stiffness"), "{summary}");
    assert!(bench.names("1").iter().any(|name| name == "grains.pvd"));
}

#[test]
fn steps_that_are_too_long_are_refused_at_their_line() {
    let bench = Bench::new("unstable");
    let soft = scene("soft");
    let long = [&["run", &soft, "-o", "long", "--set", "time.step=0.004"], &SHORT[..]].concat();
    let refused = bench.hardgrain(&long);
    assert_eq!(refused.status.code(), Some(2), "{}", text(&refused.stderr));
    let said = text(&refused.stderr);
    assert!(said.contains("is unstable") && said.contains("soft.toml:29") && said.contains("or less"), "{said}");
    assert!(!bench.path("long").exists());
    assert_eq!(bench.hardgrain(&["check", &soft, "--set", "time.step=0.004"]).status.code(), Some(2));
    bench.fine(&[&long[..], &["--allow-unstable"]].concat());
    assert!(bench.read("long/scene.toml").contains("allow_unstable = true"));
}

#[test]
fn a_stage_may_be_soft_and_the_next_one_rigid() {
    let bench = Bench::new("both");
    let text = "format = 1\ndimension = 1\n[[grains]]\nlabel = \"row\"\nradius = 0.5\nmass = 1.0\n\
        arrange = { kind = \"row\", count = 10, first = [0.5], spacing = [1.0] }\n\
        [[walls]]\nlabel = \"wall\"\npoint = [0.0]\nnormal = [1.0]\n\
        [[forces]]\nlabel = \"push\"\non = \"row[-1]\"\nvalue = [-1.0]\n\
        [time]\nstep = 0.01\n[solver]\nkind = \"soft\"\nstiffness = 1000.0\ndamping = 30.0\n\
        [[stages]]\nname = \"soft\"\nuntil = { at_rest = 1e-6, max_steps = 100000 }\n\
        [[stages]]\nname = \"rigid\"\nsteps = 100\nset = { \"solver.kind\" = \"pooling\" }\n\
        [record]\nseries = { every = 1, columns = [\"stage\", \"row[-1].x\", \"wall.load\"] }\n";
    std::fs::write(bench.path("both.toml"), text).unwrap();
    bench.fine(&["run", "both.toml", "-o", "run"]);
    let series = bench.read("run/series.csv");
    let last = |stage: &str| -> Vec<f64> {
        let row = series.lines().rfind(|line| line.starts_with(stage)).unwrap();
        row.split(',').skip(1).map(|value| value.parse().unwrap()).collect()
    };
    // Ten contacts of 1/1000 each.
    let (soft, rigid) = (last("soft"), last("rigid"));
    assert!((soft[0] - 9.49).abs() < 1e-6 && (soft[1] - 1.0).abs() < 1e-5, "{soft:?}");
    assert!((rigid[0] - soft[0]).abs() < 1e-6 && (rigid[1] - 1.0).abs() < 1e-9, "{rigid:?}");
}

#[test]
fn scenes_are_calibrated_both_ways() {
    let bench = Bench::new("calibrate");
    let found = |arguments: &[&str]| -> Value {
        let output = bench.fine(&[&["calibrate", "--scene"], arguments, &["--json"]].concat());
        serde_json::from_slice(&output.stdout).unwrap()
    };
    // From the paper's chain to springs, and from these springs back.
    let chain = scene("chain");
    let springs = found(&[&chain]);
    assert_eq!(springs["imitation"], "soft");
    let (stiffness, damping) = (number(&springs["stiffness"]), number(&springs["damping"]));
    assert!((stiffness - 31.8977).abs() < 1e-3 && (damping - stiffness).abs() < 1e-9, "{springs}");
    let sets = [
        "solver.kind=soft".to_owned(),
        "solver.sweeps=".into(),
        "solver.order=".into(),
        "solver.shock=".into(),
        format!("solver.stiffness={stiffness}"),
        format!("solver.damping={damping}"),
        "time.step=0.002".into(),
    ];
    let mut arguments = vec![chain.as_str()];
    arguments.extend(sets.iter().flat_map(|set| ["--set", set]));
    let back = found(&arguments);
    assert_eq!((&back["imitation"], &back["sweeps_rounded"]), (&"rigid".into(), &40.0.into()));
    assert!((number(&back["step"]) - 1.0).abs() < 1e-9 && number(&back["rigid_seconds"]) > 0.0, "{back}");
    // Springs that bounce need fewer than one sweep, and nothing imitates springs without damping.
    let soft = scene("soft");
    let bouncing = found(&[&soft]);
    assert!(number(&bouncing["sweeps"]) < 1.0 && bouncing["rigid_seconds"].is_null(), "{bouncing}");
    assert!(bouncing["warnings"][0].as_str().unwrap().contains("These springs bounce"), "{bouncing}");
    let undamped = found(&[&soft, "--set", "contact.restitution=1.0"]);
    assert!(number(&undamped["sweeps"]) == 0.0 && undamped["rigid_seconds"].is_null(), "{undamped}");
    let elastic = found(&[&scene("bounce")]);
    assert!(elastic["warnings"][0].as_str().unwrap().contains("restitution"), "{elastic}");
    let creeping = bench.hardgrain(&["calibrate", "--scene", &chain, "--set", "solver.start=cold"]);
    assert!(text(&creeping.stderr).contains("creep") && creeping.status.code() == Some(2));
    let output = bench.hardgrain(&["calibrate", "--scene", &scene("cradle")]);
    assert!(text(&output.stderr).contains("tolerance") && output.status.code() == Some(2));
    assert_eq!(bench.hardgrain(&["calibrate", "--stiffness", "1.0"]).status.code(), Some(2));
    assert_eq!(bench.hardgrain(&["calibrate", "--scene", &soft, "--mass", "1.0"]).status.code(), Some(2));
}
