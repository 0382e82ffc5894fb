//! The documents of all other commands: studies, audits, experiments, forecasts.

use super::digest::document;
use super::runs::json;
use super::{DigestRows, Job, instruction_set};
use std::path::{Path, PathBuf};

/// The name of a row and the command line; `@` stands for the folder of scenes. Several commands run one after the other, and the last one is
/// digested.
const COMMANDS: &[(&str, &[&str])] = &[
    ("new", &["new --json"]),
    ("schema", &["schema"]),
    ("predict", &["predict --json"]),
    (
        "predict coloured",
        &["predict --order coloured --sweeps 100 --step 1e-4 --mass 4e-6 --diameter 1e-3 --length 0.1 --json"],
    ),
    ("calibrate", &["calibrate --stiffness 1e5 --damping 30 --mass 0.001 --json"]),
    ("calibrate soft", &["calibrate --scene @soft.toml --json"]),
    ("calibrate chain", &["calibrate --scene @chain.toml --json"]),
    ("audit chain", &["audit @chain.toml --set time.steps=600 --seeds 2 --no-check --json"]),
    ("audit chain by step", &["audit @chain.toml --set time.steps=300 --seeds 2 --by step --no-check --json"]),
    ("audit chain checked []", &["audit @chain.toml --set time.steps=600 --seeds 2 --json"]),
    ("sweep chain", &["sweep @chain.toml --set time.steps=300 --vary solver.sweeps=20,40 -o study --json"]),
    (
        "sweep chain on 2 threads",
        &["sweep @chain.toml --set time.steps=300 --vary solver.sweeps=20,40 --jobs 2 --threads 2 -o study --json"],
    ),
    ("resume", &["run @chain.toml --set time.steps=300 -o run", "resume run --json"]),
    (
        "solve []",
        &[
            "run @shear.toml --set time.duration= --set time.steps=1500 --save-problem 1450 -o run",
            "solve run/problem_000001450.mtx --tolerance 1e-6 --json",
        ],
    ),
    ("lab order", &["lab order --contacts 50 --samples 20 --json"]),
    ("lab chain", &["lab chain --grains 20 --sweeps 10 --seeds 2 --json"]),
    ("lab dispersion", &["lab dispersion --grains 20 --sweeps 10 --seeds 2 --modes 3 --json"]),
    ("lab soft", &["lab soft --grains 10 --sweeps 10 --seeds 2 --cycles 2 --json"]),
    ("lab packing", &["lab packing --discs 50 --json"]),
    ("lab packing in space", &["lab packing --dimension 3 --spheres 40 --friction 0.5 --json"]),
    ("lab piston", &["lab piston --discs 60 --packings 2 --sweeps 10,20 --json"]),
    ("lab piston soft", &["lab piston --soft --discs 40 --packings 1 --sweeps 10,20 --json"]),
    ("lab moduli", &["lab moduli --discs 60 --packings 1 --sweeps 10,20 --json"]),
    ("lab rigid-limit", &["lab rigid-limit --sizes 40,60 --packings 1 --json"]),
    ("lab rigid-limit rigid []", &["lab rigid-limit --sizes 40,60 --packings 1 --solver rigid --json"]),
    (
        "lab rigid-limit beside []",
        &["lab rigid-limit --sizes 40,60 --packings 1 --solver rigid --beside gauss-seidel,accelerated --json"],
    ),
    ("lab rigid-limit walls beside []", &["lab rigid-limit --sizes 40,60 --packings 1 --walls --beside rigid --json"]),
    ("reproduce", &["reproduce --quick pair order -o reproduction --json"]),
];

/// One job for each document.
pub(super) fn jobs<'a>(program: &'a Path, scenes: &Path) -> Vec<Job<'a>> {
    let jobs = COMMANDS.iter().map(|&(name, commands)| {
        let scenes = format!("{}/", scenes.display());
        Box::new(move |work: &Path| {
            let mut printed = Vec::new();
            for command in commands {
                let words: Vec<PathBuf> = command.split(' ').map(|word| word.replace('@', &scenes).into()).collect();
                printed = json(program, &words, work)?;
            }
            // Which instruction set the rigid solver has used.
            let name = name.replace("[]", &instruction_set());
            let digest = document(&printed).map_err(|why| format!("{name}: {why}"))?;
            Ok(DigestRows::from([(name, format!("document {digest}"))]))
        }) as Job<'a>
    });
    jobs.collect()
}
