//! What a run says of its own rigidity, held against what it does.

mod bench;

use bench::page::opens;
use bench::{Bench, scene, text};
use hardgrain_analysis::{DampedSine, Fit, FitSettings, Samples};
use serde_json::Value;
use std::f64::consts::PI;
use std::fs;

const ORDERS: [&str; 7] =
    ["parallel", "random-sweep", "random-blocks", "random-sequential", "forward", "symmetric", "coloured"];

fn rigidity(bench: &Bench, folder: &str) -> Value {
    let summary: Value = serde_json::from_str(&bench.read(&format!("{folder}/run.json"))).unwrap();
    summary["rigidity"].clone()
}

fn number(from: &Value, key: &str) -> f64 {
    from[key].as_f64().unwrap_or_else(|| panic!("no {key} in {from}"))
}

/// Runs a scene with some settings; what it says of its rigidity.
fn run(bench: &Bench, scene: &str, set: &[&str]) -> Value {
    let mut arguments = vec!["run", scene, "-o", "run", "--force", "--threads", "1"];
    for set in set {
        arguments.extend(["--set", set]);
    }
    let output = bench.hardgrain(&arguments);
    assert!(matches!(output.status.code(), Some(0 | 3)), "{set:?}: {}", text(&output.stderr));
    rigidity(bench, "run")
}

fn near(said: f64, measured: f64, share: f64, what: &str) {
    assert!((said / measured - 1.0).abs() < share, "{what}: said {said}, measured {measured}");
}

#[test]
fn a_chain_rings_as_its_report_says() {
    let bench = Bench::new("chain-rings");
    for order in ORDERS {
        // An odd number of parallel sweeps lets short waves grow.
        for sweeps in [if order == "parallel" { 6 } else { 5 }, 40, 320] {
            let name = format!("{order}, {sweeps} sweeps");
            let (sweeping, visiting) = (format!("solver.sweeps={sweeps}"), format!("solver.order={order}"));
            let steps = format!("time.steps={}", if sweeps < 40 { 12_000 } else { 2000 });
            let said = run(&bench, &scene("chain"), &[&sweeping, &visiting, &steps]);
            let sweeps = sweeps.to_string();
            let lab = bench.fine(&["lab", "chain", "--order", order, "--sweeps", &sweeps, "--seeds", "3", "--json"]);
            let lab: Value = serde_json::from_slice(&lab.stdout).unwrap();
            let omega = number(&lab["measured"], "omega");
            near(number(&said, "omega"), omega, 0.02, &format!("{name}: ω"));
            // A row of 50 masses between springs, with the lattice of steps taken out of ω.
            let free = (-2.0 * omega.cos().ln()).sqrt();
            let stiffness = (free / (2.0 * (PI / 200.0).sin())).powi(2);
            near(number(&said, "apparent_stiffness"), stiffness, 0.02, &format!("{name}: stiffness"));
            near(number(&said, "apparent_sound_speed"), stiffness.sqrt(), 0.02, &format!("{name}: speed of sound"));
            assert_eq!(said["basis"], "contacts", "{name}");
        }
    }
}

/// The motion of the lid in the last stage.
fn ringing(bench: &Bench, from: usize) -> Fit {
    let series = bench.read("run/series.csv");
    let places: Vec<f64> =
        series.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    let places = &places[places.len() - 400 + from..];
    let settings = FitSettings { frequency_max: PI / 2.0, odds: 100.0, ..FitSettings::default() };
    DampedSine::fit(Samples::new(0.0, 1.0, places), settings).unwrap()
}

#[test]
fn a_packing_rings_as_its_report_says() {
    let bench = Bench::new("packing-rings");
    let piston = fs::read_to_string(scene("piston")).unwrap();
    let small = piston
        .replace(
            "count = 1000, lower = [0.0, 0.0], upper = [42.0, 100.0]",
            "count = 200, lower = [0.0, 0.0], upper = [18.0, 50.0]",
        )
        .replace("[42.0, 0.0]", "[18.0, 0.0]")
        .replace("[0.0, 100.0]", "[0.0, 50.0]")
        .replace("mass = 50.0", "mass = 10.0")
        .replace("frames = { every = 200 }\n", "");
    assert_eq!(small.matches("18.0").count(), 2, "the scene has changed: {small}");
    // Compressed once, and rung from there.
    let [head, compress, last] = small.split("[[stages]]").collect::<Vec<_>>()[..] else { panic!("{small}") };
    let (_, records) = last.split_once("\n# ---").unwrap();
    fs::write(bench.path("compress.toml"), format!("{head}[[stages]]{compress}\n# ---{records}")).unwrap();
    bench.fine(&["run", "compress.toml", "-o", "compressed", "--threads", "1"]);
    let rung = format!("start = \"compressed/checkpoint.hg\"\n{head}[[stages]]{last}");
    let ring = "set = { \"pistons.lid.force\" = 0.01001";
    assert!(rung.contains(ring), "the scene has changed: {rung}");
    for order in ORDERS {
        for sweeps in [if order == "parallel" { 6 } else { 5 }, 12, 40] {
            let name = format!("{order}, {sweeps} sweeps");
            let changed = format!("{ring}, \"solver.order\" = \"{order}\", \"solver.sweeps\" = {sweeps}");
            fs::write(bench.path("rung.toml"), rung.replace(ring, &changed)).unwrap();
            let said = run(&bench, "rung.toml", &[]);
            let tau = number(&said, "tau");
            assert!(tau > 2.0, "{name}: what fades within two steps leaves nothing to fit: {tau}");
            // By then only the slowest wave is left.
            let later = (10..200).find(|&step| f64::from(step) > 1.5 * tau).unwrap_or(200);
            let fit = ringing(&bench, later.try_into().unwrap());
            near(number(&said, "omega"), fit.curve.frequency, 0.15, &format!("{name}: ω"));
        }
    }
}

#[test]
fn converged_grains_are_called_rigid() {
    let bench = Bench::new("called-rigid");
    let column = scene("column");
    for way in [
        ["solver.kind=pooling", "solver.sweeps=", "solver.order="],
        ["solver.kind=rigid", "solver.sweeps=", "solver.order="],
        ["solver.kind=accelerated", "solver.sweeps=", "solver.order="],
        ["solver.tolerance=1e-10", "solver.sweeps=", "solver.max_sweeps=100000"],
    ] {
        let said = run(&bench, &column, &[way[0], way[1], way[2], "time.steps=100"]);
        assert_eq!(said["verdict"], "rigid", "{way:?}: {said}");
        assert!(said["warnings"].as_array().unwrap().is_empty(), "{said}");
        assert_eq!(said["advice"][0]["action"], "nothing needs to change", "{said}");
    }
    let said =
        run(&bench, &scene("chain"), &["solver.kind=pooling", "solver.sweeps=", "solver.order=", "solver.shock="]);
    assert_eq!(said["verdict"], "rigid");
    // Rigid grains that do not bounce give nothing back; those of forty sweeps half of what they take.
    let share = |said: &Value| number(&said["energy"], "given_back") / number(&said["energy"], "taken");
    assert!(share(&said) < 1e-9, "{said}");
    let said = run(&bench, &scene("chain"), &[]);
    assert!((0.3..0.8).contains(&share(&said)), "{said}");
}

#[test]
fn what_is_known_to_go_wrong_is_said() {
    let bench = Bench::new("goes-wrong");
    let warned = |set: &[&str]| {
        let said = run(&bench, &scene("column"), set);
        said["warnings"].as_array().unwrap().iter().map(|line| line.as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(warned(&[]), [""; 0]);
    let cold = warned(&["solver.start=cold"]);
    assert!(cold.len() == 1 && cold[0].starts_with("creep:"), "{cold:?}");
    let full = warned(&["solver.shock=full-gap"]);
    assert!(full[0].starts_with("explosion:"), "{full:?}");
}

#[test]
fn what_goes_wrong_in_an_early_stage_is_said_with_its_name() {
    let bench = Bench::new("early-stage");
    let chain = fs::read_to_string(scene("chain")).unwrap();
    for (key, wrong, right, word) in [
        ("start", "cold", "warm", "creep (stage first)"),
        ("shock", "full-gap", "quasi-inelastic", "explosion (stage first)"),
    ] {
        let stages = format!(
            "\n[[stages]]\nname = \"first\"\nsteps = 300\nset = {{ \"solver.{key}\" = \"{wrong}\" }}\n\
             [[stages]]\nname = \"second\"\nsteps = 300\nset = {{ \"solver.{key}\" = \"{right}\" }}\n"
        );
        let staged = chain.replace("\nsteps = 2000", "") + &stages;
        assert_ne!(staged.len(), chain.len() + stages.len(), "the scene has changed");
        fs::write(bench.path("staged.toml"), staged).unwrap();
        let said = run(&bench, "staged.toml", &[]);
        assert!(said["warnings"][0].as_str().unwrap().starts_with(word), "{said}");
        assert_eq!(said["advice"][0]["aim"], "before all else", "{said}");
    }
}

#[test]
fn what_creeps_or_grows_is_not_called_springs_and_no_false_alarm_is_given() {
    let bench = Bench::new("no-springs");
    let cold = run(&bench, &scene("chain"), &["solver.start=cold"]);
    assert!(cold["verdict"].as_str().unwrap().starts_with("soft: creeps") && cold["omega"].is_null(), "{cold}");
    assert_eq!(cold["advice"][0]["action"], "set solver.start = \"warm\"", "{cold}");
    // Whatever little is left in each step adds up.
    let slowly = run(&bench, &scene("chain"), &["solver.start=cold", "solver.sweeps=8000", "time.steps=100"]);
    assert!(slowly["warnings"][0].as_str().unwrap().starts_with("creep:"), "{slowly}");
    let even = run(&bench, &scene("chain"), &["solver.order=parallel", "solver.sweeps=100"]);
    assert_eq!(even["advice"][0]["action"], "use 118 parallel sweeps", "never an odd number: {even}");
    let odd = ["solver.order=parallel", "solver.sweeps=5", "time.steps=300"];
    let grown = run(&bench, &scene("chain"), &odd);
    assert!(grown["warnings"][0].as_str().unwrap().starts_with("collapse:"), "{grown}");
    assert!(grown["verdict"].as_str().unwrap().starts_with("soft: short waves grow"), "{grown}");
    let checked = bench.fine(&["check", &scene("chain"), "--set", odd[0], "--set", odd[1]]);
    assert!(text(&checked.stdout).contains("warning: collapse:"), "{}", text(&checked.stdout));
    // Nothing creeps where every step is right, and nothing explodes where nothing overlaps.
    let bounce = run(&bench, &scene("bounce"), &["solver.start=cold"]);
    let rigid = ["solver.kind=rigid", "solver.sweeps=", "solver.order=", "solver.shock=full-gap", "time.steps=200"];
    let pushed = run(&bench, &scene("chain"), &rigid);
    for said in [bounce, pushed] {
        assert!(said["warnings"].as_array().unwrap().is_empty() && said["verdict"] == "rigid", "{said}");
    }
}

#[test]
fn a_run_is_not_judged_by_its_last_step_alone() {
    let bench = Bench::new("last-step");
    let missing = ["solver.sweeps=", "solver.tolerance=1e-6", "solver.max_sweeps=40"];
    let said = run(&bench, &scene("chain"), &missing);
    let forty = run(&bench, &scene("chain"), &[]);
    assert!(said["verdict"].as_str().unwrap().starts_with("soft: behaves like springs of stiffness 31.90"), "{said}");
    for key in ["omega", "tau"] {
        near(number(&said, key), number(&forty, key), 1e-6, key);
    }
    assert!(said["advice"][0]["action"].as_str().unwrap().ends_with("in place of solver.tolerance"), "{said}");
    let apart = run(&bench, &scene("chain"), &["forces=", "time.steps=5"]);
    assert!(apart["verdict"].as_str().unwrap().starts_with("nothing touches"), "{apart}");
    let restless = run(&bench, &scene("sandpile"), &["stages.settle.until.max_steps=200"]);
    let advice = restless["advice"][0]["action"].as_str().unwrap();
    assert!(advice.contains("did not come to rest"), "{restless}");
}

#[test]
fn who_follows_the_advice_gets_what_it_promises() {
    let bench = Bench::new("advice");
    for sweeps in ["solver.sweeps=5", "solver.sweeps=40"] {
        let said = run(&bench, &scene("chain"), &[sweeps]);
        let advice = said["advice"].as_array().unwrap();
        let use_more = |aim: &str| {
            let found = advice.iter().find(|advice| advice["aim"].as_str().unwrap().contains(aim));
            let action = found.unwrap_or_else(|| panic!("no {aim} in {said}"))["action"].as_str().unwrap();
            format!("solver.sweeps={}", action.split(' ').nth(1).unwrap())
        };
        let less = run(&bench, &scene("chain"), &[&use_more("overlaps below 0.1 %")]);
        assert!(number(&less["overlap"], "mean") < 1e-3, "{less}");
        let rigid = run(&bench, &scene("chain"), &[&use_more("right to 1 %")]);
        assert_eq!(rigid["verdict"], "rigid", "{rigid}");
    }
}

#[test]
fn energy_is_accounted_for() {
    let bench = Bench::new("energy");
    // A wall of speed 2 hits a grain of mass 3: it puts in m V², half of it stays.
    let hit = "format = 1\ndimension = 1\n[[grains]]\nlabel = \"ball\"\nradius = 0.5\nmass = 3.0\n\
               arrange = { kind = \"row\", count = 1, first = [2.0], spacing = [1.0] }\n\
               [[walls]]\nlabel = \"ram\"\npoint = [0.0]\nnormal = [1.0]\nvelocity = [2.0]\n\
               [time]\nstep = 0.01\nsteps = 200\n[solver]\nsweeps = 5\n";
    fs::write(bench.path("hit.toml"), hit).unwrap();
    let said = run(&bench, "hit.toml", &[]);
    let energy = &said["energy"];
    for (key, expected) in [("put_in", 12.0), ("end", 6.0), ("taken", 6.0), ("given_back", 0.0), ("start", 0.0)] {
        assert!((number(energy, key) - expected).abs() < 1e-9, "{key}: {energy}");
    }
    // What flies freely costs contacts nothing.
    let said = run(&bench, &scene("bounce"), &["time.step=0.01", "time.duration=0.4"]);
    assert_eq!((number(&said["energy"], "taken"), number(&said["energy"], "given_back")), (0.0, 0.0), "{said}");
    assert!(number(&said["energy"], "put_in") > 0.2 && said["warnings"].as_array().unwrap().is_empty(), "{said}");
    // Elastic balls give back what they take, and a ball that falls gets its weight times the way.
    let said = run(&bench, &scene("cradle"), &[]);
    near(number(&said["energy"], "given_back"), number(&said["energy"], "taken"), 1e-9, "cradle");
    let said = run(&bench, &scene("bounce"), &[]);
    near(
        number(&said["energy"], "put_in"),
        number(&said["energy"], "taken") - number(&said["energy"], "given_back"),
        1e-9,
        "bounce",
    );
}

#[test]
fn a_report_is_what_the_run_said() {
    let bench = Bench::new("report");
    let run = bench.fine(&["run", &scene("column"), "-o", "column"]);
    let report = bench.fine(&["report", "column"]);
    assert_eq!(text(&run.stdout), text(&report.stdout));
    assert!(text(&report.stdout).contains("next: for forces right to 1 %"), "{}", text(&report.stdout));
    let json: Value = serde_json::from_slice(&bench.fine(&["report", "column", "--json"]).stdout).unwrap();
    assert_eq!(json, rigidity(&bench, "column"));
    for (folder, expected) in [("nowhere", "there is no run in nowhere"), (".", "there is no run")] {
        let output = bench.hardgrain(&["report", folder]);
        assert_eq!(output.status.code(), Some(2));
        assert!(text(&output.stderr).contains(expected), "{}", text(&output.stderr));
    }
    fs::remove_file(bench.path("column/run.json")).unwrap();
    let output = bench.hardgrain(&["report", "column"]);
    assert!(text(&output.stderr).contains("is not over; `hardgrain resume column`"), "{}", text(&output.stderr));
    fs::write(bench.path("column/run.json"), "{\"version\": 3}").unwrap();
    let output = bench.hardgrain(&["report", "column"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("is not what this version"), "{}", text(&output.stderr));
}

#[test]
fn the_page_of_a_report_opens_in_a_browser() {
    let bench = Bench::new("report-page");
    bench.fine(&["run", &scene("incline"), "-o", "run", "--set", "time.duration=1.0"]);
    bench.fine(&["report", "run"]);
    for seen in opens(&bench, &bench.read("run/report.html")) {
        assert_eq!(seen["figures"], 4, "energy, overlap, convergence, network: {seen}");
    }
    let page = bench.read("run/report.html");
    for part in ["id=\"verdict\"", "id=\"advice\"", "id=\"numbers\"", "id=\"loads\"", "id=\"course\""] {
        assert!(page.contains(part), "{part}");
    }
    // Every number has a unit, or says what it is a share of.
    let table = page.split("class=\"numbers\"").nth(1).unwrap().split("</table>").next().unwrap();
    let rows: Vec<&str> = table.split("<tr>").skip(2).collect();
    assert!(rows.len() > 15 && rows.iter().all(|row| !row.contains("<td></td>")), "{table}");
    // Without its checkpoint there is still the table, and a word about the rest.
    fs::remove_file(bench.path("run/checkpoint.hg")).unwrap();
    bench.fine(&["report", "run"]);
    let page = bench.read("run/report.html");
    assert!(page.contains("No figures: the checkpoint") && page.contains("id=\"numbers\""), "{page}");
    // A new run takes an old report away.
    bench.fine(&["run", &scene("incline"), "-o", "run", "--set", "time.duration=0.1", "--force"]);
    assert!(!bench.path("run/report.html").exists());
}
