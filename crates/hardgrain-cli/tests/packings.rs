//! Packings from the command line: prepared, kept, used again, rung.

mod bench;

use bench::{Bench, hash, text};
use hardgrain_io::{PackingState, checkpoint};
use serde_json::Value;
use std::fs;
use std::path::Path;

fn json(bytes: &[u8]) -> Value {
    serde_json::from_slice(bytes).unwrap()
}

fn state(bench: &Bench, name: &str) -> PackingState {
    checkpoint::decode_packing(&fs::read(bench.path(name)).unwrap(), 1 << 30).unwrap()
}

#[test]
fn a_packing_is_prepared_described_kept_and_run_again() {
    let bench = Bench::new("packing");
    let said = bench.fine(&["lab", "packing", "--discs", "40", "--friction", "0.3", "-o", "out"]);
    let table = text(&said.stdout);
    for word in ["40 discs", "at rest after", "solid fraction", "without rattlers", "vertical stress", "gauss-seidel"] {
        assert!(table.contains(word), "{word}: {table}");
    }
    let names = bench.names("out");
    for name in ["packing.hg", "packing.json", "packing.network.svg", "ring.toml", "scene.toml"] {
        assert!(names.iter().any(|known| known == name), "{name}: {names:?}");
    }
    let result = json(bench.read("out/packing.json").as_bytes());
    assert!(result["measured"]["unbalanced"].as_f64().unwrap() < 1e-9);
    assert_eq!(result["measured"]["solver"], "gauss-seidel");
    let picture = bench.read("out/packing.network.svg");
    assert_eq!(picture.matches("<circle").count(), 40);
    assert!(picture.starts_with("<svg") && picture.matches("<line").count() > 40);
    // The recipe is a scene: a run of it ends with the same bits.
    bench.fine(&["run", "out/scene.toml", "-o", "run"]);
    assert_eq!(state(&bench, "run/checkpoint.hg"), state(&bench, "out/packing.hg"));
    // And another scene starts from it.
    bench.fine(&["run", "out/ring.toml", "-o", "ring"]);
    let series = bench.read("ring/series.csv");
    let places: Vec<f64> =
        series.lines().skip(1).map(|line| line.split(',').nth(1).unwrap().parse().unwrap()).collect();
    let swing = places.iter().fold(0.0_f64, |most, place| most.max(place - places[0]));
    assert!(swing > 0.0 && swing < 1e-4, "{swing}");
    // What it started from lies in its folder: it can be run from there, wherever the packing has gone.
    fs::remove_file(bench.path("out/packing.hg")).unwrap();
    bench.fine(&["run", "ring/scene.toml", "-o", "again"]);
    let hash = |name: &str| json(bench.read(name).as_bytes())["state_hash"].clone();
    assert_eq!(hash("ring/run.json"), hash("again/run.json"));
}

/// Every key of every object once: a reader of JSON keeps one of two and loses the other without a word.
#[test]
fn no_result_has_a_key_twice() {
    let bench = Bench::new("keys");
    for arguments in [
        &["lab", "packing", "--discs", "20", "--json"][..],
        &["lab", "piston", "--discs", "20", "--packings", "1", "--sweeps", "5", "--json"],
        &["lab", "moduli", "--discs", "20", "--packings", "1", "--sweeps", "5", "--json"],
        &["lab", "rigid-limit", "--sizes", "20", "--packings", "1", "--json"],
        &["lab", "chain", "--seeds", "2", "--grains", "10", "--json"],
        &["lab", "order", "--samples", "2", "--json"],
        &["lab", "dispersion", "--grains", "6", "--modes", "2", "--json"],
        &["predict", "--json"],
        &["calibrate", "--stiffness", "1", "--damping", "2", "--mass", "1", "--json"],
    ] {
        let said = bench.fine(arguments);
        let document = text(&said.stdout);
        assert_eq!(keys(&json(&said.stdout)), document.matches("\":").count(), "{arguments:?}: {document}");
    }
}

fn keys(value: &Value) -> usize {
    match value {
        Value::Object(object) => object.len() + object.values().map(keys).sum::<usize>(),
        Value::Array(list) => list.iter().map(keys).sum(),
        _ => 0,
    }
}

#[test]
fn a_scene_starts_from_the_checkpoint_of_another_and_says_what_does_not_fit() {
    let bench = Bench::new("start");
    bench.fine(&["lab", "packing", "--spheres", "8", "--dimension", "3", "-o", "out"]);
    bench.fine(&["run", "out/ring.toml", "-o", "ring"]);
    let scene = bench.read("out/ring.toml");
    let from_ring = scene.replace("packing.hg", "../ring/checkpoint.hg");
    fs::write(bench.path("out/on.toml"), &from_ring).unwrap();
    bench.fine(&["run", "out/on.toml", "-o", "on"]);
    for (change, why) in [
        (("count = 8", "count = 9"), "this packing has 8 grains, the scene 9"),
        (("label = \"lid\"", "label = \"top\""), "this packing has `lid` where the scene has `top`"),
        (("\"packing.hg\"", "\"nowhere.hg\""), "nowhere.hg cannot be read"),
        (("\"packing.hg\"", "\"ring.toml\""), "ring.toml is no checkpoint of hardgrain"),
    ] {
        let bad =
            scene.replace(change.0, change.1).replace("lid.", if change.1.contains("top") { "top." } else { "lid." });
        fs::write(bench.path("out/bad.toml"), bad).unwrap();
        let refused = bench.hardgrain(&["run", "out/bad.toml", "-o", "bad"]);
        assert_eq!(refused.status.code(), Some(2));
        let said = text(&refused.stderr);
        assert!(said.contains(why) && said.contains("bad.toml:6"), "{said}");
        assert!(!bench.path("bad").exists());
    }
    // A packing that is cut short.
    let bytes = fs::read(bench.path("out/packing.hg")).unwrap();
    fs::write(bench.path("out/packing.hg"), &bytes[..bytes.len() / 2]).unwrap();
    let refused = bench.hardgrain(&["check", "out/ring.toml"]);
    assert_eq!(refused.status.code(), Some(2));
    assert!(text(&refused.stderr).contains("packing.hg is damaged"), "{}", text(&refused.stderr));
}

#[test]
fn the_piston_has_the_promised_keys_and_the_shelf_saves_time() {
    let bench = Bench::new("piston");
    let arguments =
        ["lab", "piston", "--discs", "80", "--sweeps", "4,8,16", "--packings", "2", "--keep", "kept", "--json"];
    let first = json(&bench.fine(&arguments).stdout);
    assert_eq!(first["experiment"], "piston");
    assert_eq!(first["settings"]["friction"], 0.05);
    assert_eq!(
        (first["predicted"]["omega_exponent"].as_f64(), first["predicted"]["tau_exponent"].as_f64()),
        (Some(0.5), Some(-1.0))
    );
    for key in ["omega_exponent", "tau_exponent", "omega_exponent_stderr", "tau_exponent_stderr"] {
        assert!(first["measured"][key].is_f64(), "{key}: {}", first["measured"]);
    }
    let rows = first["rows"].as_array().unwrap();
    assert_eq!(rows.iter().map(|row| row["sweeps"].as_u64().unwrap()).collect::<Vec<_>>(), [4, 8, 16]);
    assert_eq!(bench.names("kept").len(), 2);
    assert_eq!(json(&bench.fine(&arguments).stdout), first);
    // Files and figures.
    let said = bench.fine(&[
        "lab",
        "piston",
        "--discs",
        "80",
        "--sweeps",
        "4,8,16",
        "--packings",
        "2",
        "--keep",
        "kept",
        "-o",
        "out",
    ]);
    for word in ["exponent of N_I", "springs", "cold", "full gap", "quarter wave"] {
        assert!(text(&said.stdout).contains(word), "{word}: {}", text(&said.stdout));
    }
    for name in
        ["piston.csv", "piston.svg", "piston.ringing.svg", "piston.shape.svg", "piston.network.svg", "piston.json"]
    {
        assert!(!bench.read(&format!("out/{name}")).is_empty());
    }
    assert!(bench.read("out/piston.csv").starts_with("sweeps,seed,step,place,fit\n4,1,0,0,"));
}

#[test]
fn moduli_and_the_rigid_limit_have_their_keys() {
    let bench = Bench::new("moduli");
    let result =
        json(&bench.fine(&["lab", "moduli", "--discs", "80", "--sweeps", "4,8", "--packings", "1", "--json"]).stdout);
    assert!(result["measured"]["speed_ratio"].is_f64() && result["measured"]["speed_ratio_stderr"].is_null());
    assert!(result["rows"][0]["longitudinal"]["modulus"].is_f64() && result["rows"][0]["contact_normal"].is_f64());
    let result = json(&bench.fine(&["lab", "rigid-limit", "--dimension", "1", "--sizes", "10,20,40", "--json"]).stdout);
    for key in ["work_exponent", "sweeps_exponent", "length_exponent"] {
        assert!(result["measured"][key].is_f64(), "{key}");
    }
    assert_eq!(result["settings"]["solver"], "gauss-seidel");
    assert_eq!(result["rows"].as_array().unwrap().len(), 3);
    let chain = ["lab", "rigid-limit", "--dimension", "1", "--sizes", "10,20,40", "--solver", "accelerated", "--json"];
    let result = json(&bench.fine(&chain).stdout);
    assert_eq!(result["settings"]["solver"], "accelerated");
    assert!(result["running"]["work_exponent"].is_f64() && result["rows"][0]["running"].is_f64());
    bench.fine(&["lab", "rigid-limit", "--dimension", "3", "--sizes", "20,40,60", "--packings", "1", "-o", "out"]);
    assert!(bench.read("out/rigid-limit.svg").contains("fit, L<tspan"));
}

#[test]
fn nonsense_is_refused_with_the_flag_to_blame() {
    let bench = Bench::new("nonsense");
    for (arguments, flag) in [
        (&["lab", "piston", "--discs", "0"][..], "--discs"),
        (&["lab", "piston", "--dimension", "4"], "--dimension"),
        (&["lab", "piston", "--friction", "-1"], "--friction"),
        (&["lab", "piston", "--sweeps", "0"], "--sweeps"),
        (&["lab", "piston", "--packings", "0"], "--packings"),
        (&["lab", "piston", "--load-step", "nan"], "--load-step"),
        (&["lab", "packing", "--ratio", "0.5"], "--ratio"),
        (&["lab", "packing", "--pressure", "-1"], "--pressure"),
        (&["lab", "packing", "--piston-mass", "0"], "--piston-mass"),
        (&["lab", "moduli", "--load-step", "0.5"], "--load-step"),
        (&["lab", "rigid-limit", "--tolerance", "0.9"], "--tolerance"),
        (&["lab", "rigid-limit", "--solver", "magic"], "--solver"),
        (&["lab", "rigid-limit", "--sizes", "1"], "--sizes"),
        (&["lab", "rigid-limit", "--solver", "magic"], "--solver"),
    ] {
        let refused = bench.hardgrain(arguments);
        assert_eq!(refused.status.code(), Some(2), "{arguments:?}");
        assert!(text(&refused.stderr).contains(flag), "{arguments:?}: {}", text(&refused.stderr));
    }
}

#[test]
fn runs_that_wrote_format_4_go_on_to_the_same_bits() {
    let bench = Bench::new("format-4");
    // With the hashes that the version which wrote them came to.
    for (name, end) in [("line", "e457f1870ebd6c93"), ("plane", "4ae08b0def012431"), ("space", "773a203f6e2dc6e1")] {
        let old = Path::new(env!("CARGO_MANIFEST_DIR")).join("../hardgrain-io/tests/format4").join(name);
        fs::create_dir(bench.path(name)).unwrap();
        for entry in fs::read_dir(old).unwrap() {
            let file = entry.unwrap();
            fs::copy(file.path(), bench.path(name).join(file.file_name())).unwrap();
        }
        bench.fine(&["run", &format!("{name}/scene.toml"), "-o", "afresh"]);
        bench.fine(&["resume", name]);
        assert_eq!([hash(&bench, name), hash(&bench, "afresh")], [end; 2], "{name}");
        assert_eq!(bench.read(&format!("{name}/series.csv")), bench.read("afresh/series.csv"));
        let format = |file: &str| fs::read(bench.path(name).join(file)).unwrap()[8];
        assert_eq!((format("checkpoint.previous.hg"), format("checkpoint.hg")), (4, 5), "{name}");
        fs::remove_dir_all(bench.path("afresh")).unwrap();
    }
}
