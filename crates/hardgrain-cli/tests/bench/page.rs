//! Pages, looked at in a browser.

use super::{Bench, text};
use serde_json::Value;
use std::process::Command;
use std::{env, fs};

/// Opens a page in a narrow and in a wide frame: it needs nothing from outside, nothing is empty, sticks out or leads nowhere.
/// What was seen; nothing if there is no browser.
pub fn opens(bench: &Bench, page: &str) -> Vec<Value> {
    for outside in ["src=", "http-equiv", "@import", "url(", "<script"] {
        assert!(!page.contains(outside), "{outside}");
    }
    let mut all = Vec::new();
    for width in [400, 1400] {
        let Some(seen) = looked_at(bench, page, width) else { return all };
        assert_eq!(seen["view"], width, "{seen}");
        assert!(seen["width"].as_u64().unwrap() <= u64::from(width), "{seen}");
        for nothing in ["empty", "loaded", "beyond", "lost", "errors"] {
            assert_eq!(seen[nothing].as_array().map(Vec::len), Some(0), "{nothing} at {width}: {seen}");
        }
        assert_eq!(seen["nonsense"], false, "{seen}");
        all.push(seen);
    }
    all
}

/// Looks at a page in a frame of this width; nothing if there is no browser.
fn looked_at(bench: &Bench, page: &str, width: u32) -> Option<Value> {
    let browser = env::var("HARDGRAIN_CHROMIUM").unwrap_or("chromium".into());
    // In a frame a page has the width of the frame, however wide a window must be.
    let content = serde_json::to_string(page).unwrap().replace("</", "<\\/").replace("<!--", "<\\!--");
    let looker = include_str!("look.html").replace("WIDTH", &width.to_string()).replace("CONTENT", &content);
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
