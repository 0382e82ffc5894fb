//! The commands as a user types them: keys of the JSON, exit codes, files, sentences.

use serde_json::Value;
use std::path::PathBuf;
use std::process::{Command, Output};

fn hardgrain(arguments: &str) -> Output {
    Command::new(env!("CARGO_BIN_EXE_hardgrain")).args(arguments.split_whitespace()).output().unwrap()
}

fn json(arguments: &str) -> Value {
    let output = hardgrain(&format!("{arguments} --json"));
    assert!(output.status.success(), "{arguments}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap_or_else(|error| panic!("{arguments}: {error}"))
}

fn text(bytes: &[u8]) -> &str {
    std::str::from_utf8(bytes).unwrap()
}

fn has(value: &Value, keys: &[&str]) {
    for key in keys {
        let found = key.split('.').try_fold(value, |value, part| value.get(part));
        assert!(found.is_some(), "no {key} in {value}");
    }
}

fn number(value: &Value, key: &str) -> f64 {
    key.split('.').fold(value, |value, part| &value[part]).as_f64().unwrap_or_else(|| panic!("{key} in {value}"))
}

#[test]
fn predict_has_the_closed_forms() {
    let paper = json("predict");
    let keys = "q diffusion sound_speed critical_wavenumber critical_wavelength stiffness damping reach omega tau \
                sweeps_for_rigidity lattice.omega lattice.tau";
    has(&paper, &keys.split_whitespace().collect::<Vec<_>>());
    assert!((number(&paper, "omega") - 0.176_731).abs() < 1e-6);
    assert!((number(&paper, "lattice.omega") - 0.176_968).abs() < 1e-6);
    let given = json("predict --order parallel --sweeps 100 --step 0.01 --mass 2 --diameter 0.1 --length 5");
    assert!((number(&given, "stiffness") - 0.5 * 2.0 * 100.0 / 1e-4).abs() < 1e-6);
    assert!((number(&given, "sound_speed") - 50.0_f64.sqrt() * 0.1 / 0.01).abs() < 1e-9);
    assert!((number(&given, "sweeps_for_rigidity") - 5000.0).abs() < 1e-9);
    let percent = 4.0 / std::f64::consts::PI.powi(2) * 5000.0 * 100.0_f64.ln();
    assert!((number(&given, "sweeps_for_percent") / percent - 1.0).abs() < 1e-12);
    assert_eq!(given["warnings"], serde_json::json!([]));
    // Odd numbers of parallel sweeps let waves grow.
    assert!(json("predict --order parallel --sweeps 41")["warnings"][0].as_str().unwrap().contains("even number"));
    // Beyond k_c there is no frequency, but the lattice has one.
    let short = json("predict --sweeps 1000 --length 5");
    assert!(short["omega"].is_null() && short["lattice"]["omega"].is_f64());
    assert!(text(&hardgrain("predict --sweeps 1000 --length 5").stdout).contains("gone within a step"));
}

#[test]
fn calibrate_inverts_predict() {
    let springs = json("predict --sweeps 40 --step 0.02 --mass 3");
    let (kappa, gamma) = (number(&springs, "stiffness"), number(&springs, "damping"));
    let found = json(&format!("calibrate --stiffness {kappa} --damping {gamma} --mass 3"));
    has(&found, &["step", "sweeps", "sweeps_rounded", "stiffness", "damping", "warnings"]);
    assert!((number(&found, "step") - 0.02).abs() < 1e-12 && (number(&found, "sweeps") - 40.0).abs() < 1e-9);
    assert_eq!((found["sweeps_rounded"].as_u64(), found["warnings"].as_array().unwrap().len()), (Some(40), 0));
    // Parallel sweeps must be even.
    let parallel = json("calibrate --stiffness 1e5 --damping 30 --mass 0.00106 --order parallel");
    assert_eq!(parallel["sweeps_rounded"].as_u64(), Some(16));
    let weak = json("calibrate --stiffness 100 --damping 0.1 --mass 1");
    assert!(weak["warnings"][0].as_str().unwrap().starts_with("fewer than one sweep"));
    assert_eq!(number(&weak, "sweeps_rounded"), 1.0);
}

#[test]
fn the_lab_speaks_json() {
    let order = json("lab order --order forward --contacts 100 --samples 10 --seed 3");
    has(&order, &["experiment", "settings", "predicted.q", "measured.q", "measured.q_stderr", "measured.q_long_run"]);
    let chain = json("lab chain --grains 20 --seeds 2 --seed 5");
    let keys = "experiment settings.seed predicted.omega predicted.tau lattice.omega lattice.tau measured.omega \
                measured.tau measured.omega_stderr measured.tau_stderr measured.fit_residual measured.transient";
    has(&chain, &keys.split_whitespace().collect::<Vec<_>>());
    assert_eq!((&chain["experiment"], &chain["settings"]["order"]), (&"chain".into(), &"random-sweep".into()));
    let dispersion = json("lab dispersion --grains 20 --sweeps 20 --modes 15 --seeds 10");
    let modes = dispersion["modes"].as_array().unwrap();
    assert_eq!(modes.len(), 15);
    for mode in modes {
        let keys = "mode k predicted.omega predicted.tau lattice.omega lattice.tau measured.omega measured.tau label";
        has(mode, &keys.split_whitespace().collect::<Vec<_>>());
    }
    assert!(modes[0]["measured"]["omega"].is_f64());
    let gone = &modes[14];
    assert!(gone["measured"]["omega"].is_null() && gone["measured"]["tau"].is_null());
    assert_eq!(gone["label"], "gone within a step");
    let scaling = json("lab chain --grains 20 --seeds 3 --sweeps 20,40,80");
    has(&scaling, &["measured.omega_exponent", "measured.tau_exponent_stderr", "predicted.tau_exponent"]);
    assert_eq!(scaling["rows"].as_array().unwrap().len(), 3);
    assert_eq!(scaling["settings"]["sweeps"], serde_json::json!([20, 40, 80]));
}

#[test]
fn equal_seeds_print_equal_bytes() {
    let once = hardgrain("lab chain --grains 20 --seeds 3 --seed 9 --json");
    assert_eq!(once.stdout, hardgrain("lab chain --grains 20 --seeds 3 --seed 9 --json").stdout);
    assert_ne!(once.stdout, hardgrain("lab chain --grains 20 --seeds 3 --seed 10 --json").stdout);
}

#[test]
fn the_dispersion_says_where_the_paper_holds() {
    let output = hardgrain("lab dispersion --seeds 20 --modes 8");
    let said = text(&output.stdout);
    assert!(said.contains("The paper's ω(k) holds within 1 % up to"), "{said}");
    assert!(said.contains("The paper's τ(k) holds") && said.contains("goes on to π/(2h)"), "{said}");
    // With few parallel sweeps it does not.
    let said = hardgrain("lab dispersion --order parallel --sweeps 4");
    assert!(text(&said.stdout).contains("The paper's τ(k) does not hold"), "{}", text(&said.stdout));
    // What was not measured is not claimed.
    assert!(!text(&hardgrain("lab dispersion --modes 1 --seeds 5").stdout).contains("goes on to"));
}

#[test]
fn files_are_written_where_they_were_asked_for() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("lab/deep");
    let _ = std::fs::remove_dir_all(&folder);
    for (arguments, name) in [
        ("lab chain --grains 20 --seeds 2", "chain"),
        ("lab dispersion --grains 10 --seeds 2", "dispersion"),
        ("lab order --contacts 50 --samples 1", "order"),
        ("lab chain --grains 1", "chain"),
        ("lab chain --grains 5 --steps 60", "chain"),
        ("lab chain --grains 20 --seeds 2 --sweeps 20,40", "chain"),
        ("lab dispersion --grains 2", "dispersion"),
        ("lab order --order forward", "order"),
    ] {
        let output = hardgrain(&format!("{arguments} -o {}", folder.display()));
        assert!(output.status.success());
        let read = |extension: &str| std::fs::read_to_string(folder.join(format!("{name}.{extension}"))).unwrap();
        let (svg, csv) = (read("svg"), read("csv"));
        assert!(svg.starts_with("<svg") && svg.trim_end().ends_with("</svg>") && !svg.contains("NaN"));
        let columns = csv.lines().next().unwrap().split(',').count();
        assert!(csv.lines().count() > 10 && csv.lines().all(|line| line.split(',').count() == columns));
        assert!(serde_json::from_str::<Value>(&read("json")).is_ok());
    }
}

#[test]
fn nonsense_gets_exit_code_two_and_a_sentence() {
    for (arguments, expected) in [
        ("lab chain --grains 0", "--grains: 0 is not between 1 and"),
        ("lab chain --sweeps 0", "--sweeps: 0 is not"),
        ("lab chain --sweeps 40,0", "--sweeps: 0 is not"),
        ("lab chain --force -2", "--force: -2 is not a finite number above 0"),
        ("lab chain --grains -2", "invalid value '-2'"),
        ("lab chain --order parallel --sweeps 5", "take an even number"),
        ("lab chain --order sideways", "possible values: parallel, random-sweep"),
        ("lab dispersion --grains 10 --modes 11", "--modes: 11 modes, but 10 grains have only 10"),
        ("lab dispersion --grains 0", "--grains"),
        ("lab order --contacts 1", "--contacts: 1 is not between 20 and"),
        ("predict --mass -1", "--mass: -1 is not a finite number above 0"),
        ("predict --sweeps 0", "--sweeps: 0 sweeps"),
        ("predict --length 0.5", "shorter than one grain"),
        ("calibrate --stiffness 1 --damping 0 --mass 1", "--damping: 0 is not"),
        ("lab chain --force 1e-300", "press harder"),
        ("lab chain -o Cargo.toml", "Cargo.toml is not a folder"),
        ("lab quantum", "unrecognized subcommand"),
    ] {
        let output = hardgrain(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments}");
        assert!(output.stdout.is_empty(), "{arguments}");
        let said = text(&output.stderr);
        assert!(said.contains(expected), "{arguments}: {said}");
    }
}

#[test]
fn what_was_not_measured_is_explained() {
    let said = |arguments: &str| text(&hardgrain(arguments).stdout).to_string();
    assert!(said("lab chain --steps 10").contains("the run ended before the transient did"));
    assert!(said("lab chain --grains 20 --seeds 2 --sweeps 20,40").contains("three different numbers of sweeps"));
    let failed = hardgrain("lab chain --force 30");
    assert_eq!(failed.status.code(), Some(1));
    assert!(text(&failed.stderr).contains("more sweeps"), "{}", text(&failed.stderr));
    let few = json("lab dispersion --order random-sequential --sweeps 1 --modes 12 --seeds 10");
    for mode in few["modes"].as_array().unwrap() {
        assert_ne!(mode["measured"]["omega"].is_null(), mode["reason"].is_null(), "{mode}");
    }
}

#[test]
fn help_teaches_by_example() {
    for command in [
        "predict",
        "calibrate",
        "lab chain",
        "lab dispersion",
        "lab order",
        "reproduce",
        "new",
        "check",
        "run",
        "resume",
        "schema",
        "completions",
    ] {
        let output = hardgrain(&format!("{command} --help"));
        assert!(text(&output.stdout).contains("Example"), "{command}");
        assert!(text(&output.stdout).contains("hardgrain "), "{command}");
    }
}
