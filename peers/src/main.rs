//! Hardgrain beside rapier: the same settled boxes and the same pushed row, in one run.
//!
//! `--json` prints one object instead of tables; `--quick` leaves the boxes of 10 000 out.

mod chain;
mod clock;
mod codes;
mod ours;
mod overlap;
mod rapier;
mod scene;
mod settled;
mod table;
mod turns;
mod verdict;

use hardgrain::{Plane, Space};
use scene::{Code, Scene};
use serde::Serialize;
use std::env;
use std::process::ExitCode;
use std::time::Instant;

/// Everything that was measured.
#[derive(Debug, Serialize)]
struct Peers {
    rapier_compiled_for: &'static str,
    chain: Vec<chain::Compressed>,
    boxes: Vec<Boxed>,
}

/// One box and what the codes have made of it.
#[derive(Debug, Serialize)]
struct Boxed {
    kind: &'static str,
    grains: usize,
    steps: usize,
    codes: Vec<turns::Measured>,
    verdict: verdict::Verdict,
}

fn main() -> ExitCode {
    let (mut json, mut quick) = (false, false);
    for argument in env::args().skip(1) {
        match argument.as_str() {
            "--json" => json = true,
            "--quick" => quick = true,
            _ => {
                eprintln!("there is no `{argument}`: only --json and --quick");
                return ExitCode::from(2);
            }
        }
    }
    // Tables come as soon as they are there; the object at the end.
    let say = |text: String| {
        if !json {
            println!("{text}");
        }
    };
    let peers = compare(if quick { &[1_000] } else { &[1_000, 10_000] }, say);
    if json {
        println!("{}", serde_json::to_string_pretty(&peers).expect("plain numbers"));
    }
    ExitCode::SUCCESS
}

fn compare(sizes: &[usize], say: impl Fn(String)) -> Peers {
    eprintln!("the row of discs");
    let chain = chain::compress();
    say(format!("{}\n\n{}", table::build_line(), table::chain_table(&chain)));
    let mut boxes = Vec::new();
    for &grains in sizes {
        for in_space in [false, true] {
            let boxed = if in_space {
                boxed("spheres", grains, settled::settled::<Space>, codes::space)
            } else {
                boxed("discs", grains, settled::settled::<Plane>, codes::plane)
            };
            say(format!("\n{}", table::box_table(&boxed)));
            boxes.push(boxed);
        }
    }
    Peers { rapier_compiled_for: table::width(), chain, boxes }
}

fn boxed(
    kind: &'static str,
    grains: usize,
    settle: fn(usize) -> Scene,
    codes: fn(&Scene) -> Vec<Box<dyn Code>>,
) -> Boxed {
    eprintln!("{grains} {kind}: settling");
    let start = Instant::now();
    let scene = settle(grains);
    eprintln!("{grains} {kind}: settled in {:.0} s; all codes in turns", start.elapsed().as_secs_f64());
    let measured = turns::measure(&scene, &mut codes(&scene));
    let peer = if scene.axes == 2 { "rapier2d f64" } else { "rapier3d f64" };
    let verdict = verdict::judge(&measured, peer);
    Boxed { kind, grains, steps: turns::TURNS * turns::STEPS, codes: measured, verdict }
}
