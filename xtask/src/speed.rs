//! The speed of sweeps beside a hand-written loop over the same contacts, and the cost of the rest of a step. Whatever is compared
//! is measured alternately, in one run.

mod by_hand;
mod cases;
mod pressed;
mod steps;
mod turns;

use serde::Serialize;
pub use steps::steps_of_a_million;

/// What was measured. Times are medians.
#[derive(Debug, Serialize)]
pub struct Speed {
    /// Sweeps on one thread.
    pub cases: Vec<cases::Case>,
    /// Coloured sweeps on several.
    pub scaling: Vec<cases::ThreadScaling>,
    /// The search for pairs.
    pub detection: Vec<steps::Detection>,
    /// The memory of steps of a million spheres.
    pub memory: Vec<steps::PeakMemory>,
    /// Whole steps.
    pub steps: Vec<steps::StepCost>,
    /// Bandwidth of one thread that reads and writes more than any cache holds, in GB/s.
    pub bandwidth: f64,
}

/// Measures everything, which takes minutes, and prints each line as soon as it is known, unless `quiet`.
pub fn measure(quiet: bool) -> Speed {
    let say = |line: &str| {
        if !quiet {
            println!("{line}");
        }
    };
    let bandwidth = cases::bandwidth();
    say(&format!("memory: one thread reads and writes {bandwidth:.1} GB/s\n"));
    say(
        "sweeps on one thread, in ns for each contact, and how much longer a loop written by hand takes (medians of turns);",
    );
    say(
        "bytes that a contact moves; the share of the time that memory alone would take for them if no cache held them,",
    );
    say("and that instructions alone would take: for a few contacts that share no body, in the nearest cache");
    say(cases::HEAD);
    let cases = cases::all(bandwidth, &say);
    say("\ncoloured sweeps on several threads, and as many small problems, one for each, that share nothing");
    let scaling = cases::scaling(&say);
    say("\nwho may touch whom, searched from nothing, and how many sweeps in the natural order take as long");
    let detection = steps::detection(&say);
    say("\nmemory of steps of a million spheres");
    let memory = steps::memory(&say);
    say("\nwhole steps");
    let steps = steps::steps(&say);
    Speed { cases, scaling, detection, memory, steps, bandwidth }
}
