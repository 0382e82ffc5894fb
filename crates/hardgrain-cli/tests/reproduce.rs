//! `reproduce`: what is done is kept, what is asked is said, and the page opens in a browser.

mod bench;

use bench::{Bench, text};
use serde_json::Value;
use std::process::Command;
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

/// Looks at a page in a frame of this width; nothing if there is no browser.
fn looked_at(bench: &Bench, page: &str, width: u32) -> Option<Value> {
    let browser = env::var("HARDGRAIN_CHROMIUM").unwrap_or("chromium".into());
    // In a frame a page has the width of the frame, however wide a window must be.
    let content = serde_json::to_string(page).unwrap().replace("</", "<\\/").replace("<!--", "<\\!--");
    let looker = include_str!("bench/look.html").replace("WIDTH", &width.to_string()).replace("CONTENT", &content);
    let file = bench.path(&format!("look-{width}.html"));
    fs::write(&file, looker).unwrap();
    let quiet = ["--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update"];
    let output = Command::new(&browser)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-sync",
            "--enable-logging=stderr",
            "--dump-dom",
        ])
        .args(quiet)
        .args(["--virtual-time-budget=20000", "--window-size=1600,1000"])
        .arg(format!("--user-data-dir={}", bench.path(&format!("browser-{width}")).display()))
        .arg(format!("file://{}", file.display()))
        .output();
    let output = match output {
        Ok(output) => output,
        Err(error) => {
            eprintln!("\nSKIPPED: the page was not looked at, there is no {browser} ({error}); install chromium\n");
            return None;
        }
    };
    let says: Vec<&str> = text(&output.stderr).lines().filter(|line| line.contains("CONSOLE")).collect();
    assert!(says.is_empty(), "{says:?}");
    let whole = String::from_utf8_lossy(&output.stdout).into_owned();
    let seen = whole.split("<pre id=\"seen\">").nth(1).and_then(|rest| rest.split("</pre>").next());
    let seen = seen.unwrap_or_else(|| panic!("the browser says nothing: {}", text(&output.stderr)));
    let seen = seen.replace("&quot;", "\"").replace("&lt;", "<").replace("&gt;", ">").replace("&amp;", "&");
    Some(serde_json::from_str(&seen).unwrap_or_else(|error| panic!("{error}: {seen}")))
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
    for outside in ["src=", "http-equiv", "@import", "url(", "<script"] {
        assert!(!page.contains(outside), "{outside}");
    }
    for width in [400, 1400] {
        let Some(seen) = looked_at(&bench, &page, width) else { return };
        assert_eq!(seen["view"], width, "{seen}");
        assert!(seen["width"].as_u64().unwrap() <= u64::from(width), "{seen}");
        for nothing in ["empty", "loaded", "beyond", "lost", "errors"] {
            assert_eq!(seen[nothing].as_array().map(Vec::len), Some(0), "{nothing} at {width}: {seen}");
        }
        assert!(seen["figures"].as_u64().unwrap() >= 8 && seen["claims"].as_u64().unwrap() >= 15, "{seen}");
        assert_eq!(seen["nonsense"], false, "{seen}");
    }
}
