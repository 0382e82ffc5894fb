//! `audit` as a user sees it.

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn hardgrain(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hardgrain")).args(arguments).output().unwrap()
}

fn scene(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../scenes").join(name)
}

/// The JSON of an audit of a scene that comes with the program.
fn audit(name: &str, more: &[&str]) -> Value {
    let path = scene(name);
    let output = hardgrain(&[&["audit", path.to_str().unwrap(), "--json"], more].concat());
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn observed<'a>(audit: &'a Value, column: &str, what: &str) -> &'a Value {
    let all = audit["observed"].as_array().unwrap();
    let found = all.iter().find(|observed| observed["column"] == column && observed["what"] == what);
    found.unwrap_or_else(|| panic!("no {what} of {column} in {audit:#}"))
}

#[test]
fn a_bounce_is_physics() {
    let found = audit("bounce.toml", &["--seeds", "2"]);
    let all = found["observed"].as_array().unwrap();
    assert!(all.len() >= 8 && all.iter().all(|observed| observed["class"] == "converged"), "{found:#}");
    let told = hardgrain(&["audit", scene("bounce.toml").to_str().unwrap(), "--seeds", "1"]);
    assert!(String::from_utf8_lossy(&told.stdout).contains("physics: ball.x (mean)"), "{told:?}");
    // It does come back: half its speed is a quarter of its height.
    let height = observed(&found, "ball.x", "mean");
    assert!(height["values"][0]["value"].as_f64().unwrap() > 0.02, "{found:#}");
    // Shorter steps do change it, with their first power.
    let found = audit("bounce.toml", &["--seeds", "1", "--by", "step", "--set", "time.step=1e-3"]);
    assert_eq!(found["by"], "step");
    assert!(found["observed"].as_array().unwrap().iter().any(|observed| observed["class"] != "converged"), "{found:#}");
}

#[test]
fn a_blow_is_not_ringing() {
    let found = audit("cradle.toml", &["--seeds", "1"]);
    assert!(found["ring_at_times"].as_array().unwrap().is_empty(), "{found:#}");
    assert!(found["observed"].as_array().unwrap().iter().all(|observed| observed["class"] == "converged"), "{found:#}");
}

#[test]
fn ringing_that_vanishes_with_more_sweeps_is_named_so() {
    let path = scene("column.toml");
    let more = ["--set", "solver.sweeps=1000", "--no-check", "--seeds", "2"];
    let output = hardgrain(&[&["audit", path.to_str().unwrap()][..], &more].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(text.contains("what vanishes with more sweeps is an artefact of too few of them"), "{text}");
}

#[test]
fn the_ringing_of_a_chain_is_an_artefact_and_its_limit_is_the_rigid_one() {
    let found = audit("chain.toml", &[]);
    let frequency = observed(&found, "chain[-1].x", "frequency");
    assert_eq!(frequency["class"], "artefact", "{found:#}");
    assert!((frequency["exponent"]["value"].as_f64().unwrap() - 0.5).abs() < 0.05, "{frequency:#}");
    let damping = observed(&found, "chain[-1].x", "damping-time");
    assert!((damping["exponent"]["value"].as_f64().unwrap() + 1.0).abs() < 0.1, "{damping:#}");
    // As the experiment measures it.
    for (level, sweeps) in ["40", "80", "160"].into_iter().enumerate() {
        let lab = hardgrain(&["lab", "chain", "--sweeps", sweeps, "--seeds", "4", "--json"]);
        let lab: Value = serde_json::from_slice(&lab.stdout).unwrap();
        for (found, key, near) in [(frequency, "omega", 0.01), (damping, "tau", 0.03)] {
            let (found, lab) =
                (found["values"][level]["value"].as_f64().unwrap(), lab["measured"][key].as_f64().unwrap());
            assert!((found / lab - 1.0).abs() < near, "{sweeps} sweeps: {key} is {found}, in the experiment {lab}");
        }
    }
    let yielding = observed(&found, "chain[-1].x", "change");
    assert_eq!((&yielding["class"], &yielding["agrees"]), (&"artefact".into(), &true.into()), "{found:#}");
    assert!((yielding["rigid"]["value"].as_f64().unwrap() + 1.0).abs() < 1e-6, "{yielding:#}");
}

#[test]
fn the_ringing_of_a_piston_is_an_artefact_and_its_solid_fraction_is_not() {
    let fewer = [
        "--set",
        "grains.0.arrange.count=120",
        "--set",
        "grains.0.arrange.upper=[14,40]",
        "--set",
        "walls.2.point=[14.0,0.0]",
        "--set",
        "pistons.0.point=[0.0,40.0]",
        "--set",
        "pistons.0.mass=20",
    ];
    let found = audit("piston.toml", &fewer);
    assert_eq!(observed(&found, "lid.position", "frequency")["class"], "artefact", "{found:#}");
    assert_eq!(observed(&found, "lid.position", "damping-time")["class"], "artefact", "{found:#}");
    let response = observed(&found, "lid.position", "change");
    assert_eq!((&response["class"], &response["agrees"]), (&"artefact".into(), &true.into()), "{found:#}");
    let fraction = observed(&found, "solid_fraction", "mean");
    assert_eq!(fraction["class"], "converged", "{found:#}");
    let (value, error) = (&fraction["values"][2]["value"], &fraction["values"][2]["error"]);
    assert!((0.7..0.9).contains(&value.as_f64().unwrap()) && error.as_f64().unwrap() > 1e-4, "{fraction:#}");
}

#[test]
fn single_runs_of_a_drum_say_nothing_and_averages_are_compared() {
    let path = scene("drum.toml");
    let shorter = ["--seeds", "3", "--set", "time.duration=40", "--set", "solver.sweeps=20"];
    let output = hardgrain(&[&["audit", path.to_str().unwrap()][..], &shorter].concat());
    let text = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success() && text.contains("undecidable: single runs say nothing of charge.x"), "{text}");
    assert!(text.contains("verages over seeds") && text.contains("next: "), "{text}");
    assert!(!text.contains("rings"), "{text}");
}

#[test]
fn nonsense_is_refused_with_a_sentence() {
    let chain = scene("chain.toml");
    let chain = chain.to_str().unwrap();
    let refused = |more: &[&str], expected: &str| {
        let output = hardgrain(&[&["audit", chain], more].concat());
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(2) && text.contains(expected), "{more:?}: {text}");
        assert!(output.stdout.is_empty());
    };
    refused(&["--from", "nowhere"], "there is no stage `nowhere`; there is `run`");
    refused(&["--seeds", "0"], "--seeds");
    refused(&["--by", "luck"], "--by");
    let exactly = ["--set", "solver={ kind = \"pooling\" }", "--by", "sweeps"];
    refused(&exactly, "do not make a fixed number of sweeps");
    let missing = hardgrain(&["audit", "nowhere.toml"]);
    assert_eq!(missing.status.code(), Some(2));
}
