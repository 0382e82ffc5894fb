//! `reproduce`: what is done is kept, what is asked is said, and the page opens in a browser.

mod bench;

use bench::page::opens;
use bench::{Bench, text};
use serde_json::Value;
use std::{env, fs};

fn claims(bench: &Bench, folder: &str) -> Vec<Value> {
    serde_json::from_str(&bench.read(&format!("{folder}/claims.json"))).unwrap()
}

#[test]
fn what_is_done_is_kept_and_goes_on() {
    let bench = Bench::new("reproduce-kept");
    bench.fine(&["reproduce", "--quick", "pair", "-o", "out"]);
    let first = claims(&bench, "out");
    assert_eq!(first.len(), 5);
    // As if the first run had been stopped after its first part.
    let second = bench.fine(&["reproduce", "--quick", "pair", "closing", "-o", "out"]);
    assert!(
        text(&second.stderr).contains("Two grains and the law of one contact: done earlier"),
        "{}",
        text(&second.stderr)
    );
    let both = claims(&bench, "out");
    assert_eq!(both[..5], first[..]);
    assert_eq!(both.len(), 9);
    for key in ["id", "claim", "section", "predicted", "measured", "uncertainty", "tolerance", "verdict", "reason"] {
        assert!(both.iter().all(|claim| claim.get(key).is_some()), "{key}");
    }
    // Another seed is another question, and so is a part whose file was damaged.
    let other = bench.fine(&["reproduce", "--quick", "pair", "--seed", "2", "-o", "out"]);
    assert!(!text(&other.stderr).contains("done earlier"), "{}", text(&other.stderr));
    fs::write(bench.path("out/parts/pair.quick.seed-2.json"), "{\"program\": 1").unwrap();
    let damaged = bench.fine(&["reproduce", "--quick", "pair", "--seed", "2", "-o", "out"]);
    assert!(!text(&damaged.stderr).contains("done earlier"), "{}", text(&damaged.stderr));
    let afresh = bench.fine(&["reproduce", "--quick", "pair", "--seed", "2", "--afresh", "-o", "out"]);
    assert!(!text(&afresh.stderr).contains("done earlier"), "{}", text(&afresh.stderr));
    assert!(
        bench.names("out/figures").contains(&"collision.svg".into())
            && bench.names("out/curves").contains(&"collision.csv".into())
    );
    assert_eq!(bench.read("out/claims.csv").lines().count(), 6);
    // And the first question is still answered.
    let again = bench.fine(&["reproduce", "--quick", "pair", "closing", "-o", "out"]);
    assert_eq!(text(&again.stderr).matches("done earlier").count(), 2, "{}", text(&again.stderr));
    assert_eq!(claims(&bench, "out"), both);
    // With its files, and no others.
    fs::remove_dir_all(bench.path("out/curves")).unwrap();
    fs::write(bench.path("out/figures/other.svg"), "").unwrap();
    bench.fine(&["reproduce", "--quick", "pair", "closing", "-o", "out"]);
    assert_eq!(bench.names("out/curves"), ["collision.csv", "softness.csv", "stopping.csv"]);
    assert_eq!(
        bench.names("out/figures"),
        ["collision.svg", "contacts.svg", "pair.svg", "softness.svg", "stopping.svg"]
    );
}

#[test]
fn the_same_seed_gives_the_same_files() {
    let bench = Bench::new("reproduce-same");
    for folder in ["one", "two"] {
        bench.fine(&["reproduce", "--quick", "closing", "chain", "-o", folder]);
    }
    for folder in ["curves", "figures"] {
        assert_eq!(bench.contents(&format!("one/{folder}")), bench.contents(&format!("two/{folder}")));
    }
    assert_eq!(bench.read("one/claims.json"), bench.read("two/claims.json"));
    assert_eq!(bench.read("one/index.html"), bench.read("two/index.html"));
}

#[test]
fn json_is_one_document_and_broken_physics_is_named() {
    let bench = Bench::new("reproduce-json");
    let output = bench.fine(&["reproduce", "--quick", "pair", "--break", "wall-mass", "-o", "out", "--json"]);
    let claims: Vec<Value> = serde_json::from_str(text(&output.stdout)).unwrap();
    let wall = claims.iter().find(|claim| claim["id"] == "force-of-a-wall").unwrap();
    assert_eq!(wall["verdict"], "refuted");
    assert!(bench.read("out/index.html").contains("broken on purpose: wall-mass"));
}

#[test]
fn nonsense_is_refused() {
    let bench = Bench::new("reproduce-nonsense");
    fs::write(bench.path("file"), "").unwrap();
    for (arguments, says) in [
        (&["reproduce", "nothing"][..], "pair"),
        (&["reproduce", "--quick", "--full"], "--full"),
        (&["reproduce", "--break", "something"], "cold-start"),
        (&["reproduce", "--quick", "pair", "-o", "file"], "is not a folder"),
        (&["reproduce", "--seed", "-1"], "-1"),
        (&["reproduce", "piston", "--break", "cold-start"], "piston cannot be broken; pair, order"),
    ] {
        let output = bench.hardgrain(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(says), "{arguments:?}: {}", text(&output.stderr));
    }
}

/// The page of a whole reproduction, if one is named; of a small one otherwise.
#[test]
fn the_page_opens_in_a_browser() {
    let bench = Bench::new("reproduce-page");
    let page = if let Ok(path) = env::var("HARDGRAIN_PAGE") {
        fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"))
    } else {
        bench.fine(&["reproduce", "--quick", "pair", "order", "chain", "closing", "-o", "out"]);
        bench.read("out/index.html")
    };
    for seen in opens(&bench, &page) {
        assert!(seen["figures"].as_u64().unwrap() >= 8 && seen["claims"].as_u64().unwrap() >= 15, "{seen}");
    }
}
