//! What stages set acts, and stays; when a stage is at rest.

mod bench;

use bench::{Bench, text};
use serde_json::Value;
use std::fs;

/// A disc above the ground in a box with a lid far above.
const SCENE: &str = r#"format = 1
dimension = 2
gravity = [0.0, -1.0]

[[grains]]
label = "disc"
radius = 0.5
mass = 2.0
arrange = { kind = "row", count = 1, first = [0.0, 2.5] }

[[walls]]
label = "ground"
point = [0.0, 0.0]
normal = [0.0, 1.0]

[[pistons]]
label = "lid"
point = [0.0, 100.0]
normal = [0.0, -1.0]
mass = 3.0

[[forces]]
label = "push"
on = "disc"
value = [0.0, 0.0]

[contact]
friction = 0.5

[time]
step = 0.01

[solver]
order = "forward"
sweeps = 20

[record]
series = { columns = ["time", "stage", "disc.x", "disc.y", "disc.vx", "disc.vy", "lid.speed", "lid.position"] }
"#;

/// Runs the scene with more behind it, and gives the named column.
fn run(more: &str) -> impl Fn(&str) -> Vec<f64> {
    let bench = Bench::new(&format!("stages-{}", more.len()));
    fs::write(bench.path("scene.toml"), format!("{SCENE}{more}")).unwrap();
    bench.fine(&["run", "scene.toml", "-o", "run"]);
    let rows: Vec<Vec<String>> =
        bench.read("run/series.csv").lines().map(|line| line.split(',').map(String::from).collect()).collect();
    move |name| {
        let column = rows[0].iter().position(|heading| heading == name).unwrap();
        rows[1..].iter().map(|row| row[column].parse().unwrap_or(f64::NAN)).collect()
    }
}

fn near(found: f64, expected: f64) {
    assert!((found - expected).abs() < 1e-9 * expected.abs().max(1.0), "{found} instead of {expected}");
}

#[test]
fn forces_gravity_and_pistons_obey_and_what_is_set_stays_set() {
    let series = run(r#"
[[stages]]
name = "fly"
steps = 100
set = { gravity = [0.0, 0.0], "forces.push.value" = [4.0, 0.0], "pistons.lid.force" = 6.0 }

[[stages]]
name = "on"
steps = 100
set = { "pistons.lid.pressure" = 3.0, "pistons.lid.area" = 4.0, "pistons.lid.mass" = 6.0 }

[[stages]]
name = "back"
steps = 100
set = { "forces.push.value" = [-4.0, 0.0], "pistons.lid.speed" = -1.0, "time.step" = 0.02 }

[[stages]]
name = "force"
steps = 1
set = { "pistons.lid.force" = 0.0, "pistons.lid.speed" = 0.0 }

[[stages]]
name = "again"
steps = 100
set = { "pistons.lid.pressure" = 6.0 }
"#);
    let (vx, speed, time) = (series("disc.vx"), series("lid.speed"), series("time"));
    // F/m t of the disc, of the lid with force and mass of each stage.
    near(vx[100], 2.0);
    near(vx[200], 4.0);
    near(vx[300], 4.0 - 2.0 * 2.0);
    near(speed[100], 2.0);
    near(speed[200], 2.0 + 12.0 / 6.0);
    near(speed[300], -1.0 + 2.0 * 2.0);
    near(time[300], 4.0);
    // The area is still 4.
    near(speed[401], 2.0 * 6.0 * 4.0 / 6.0);
    near(series("disc.vy")[300], 0.0);
}

#[test]
fn walls_move_and_carry_along_when_told_to() {
    let series = run(r#"
[[stages]]
name = "fall"
steps = 400
set = { "pistons.lid.force" = -3.0 }            # holds the lid against its weight

[[stages]]
name = "belt"
steps = 1000
set = { "walls.ground.velocity" = [0.3, 0.1] }
"#);
    // The belt takes the disc along: it ends rolling, at a third of the speed of the belt, and is lifted.
    near(series("disc.vy")[1400], 0.1);
    near(series("disc.vx")[1400], 0.1);
    near(series("disc.y")[1400], 0.5 + 10.0 * 0.1);
}

#[test]
fn a_pair_with_half_of_its_own_takes_the_other_half_from_all() {
    let series = run(r#"
[[contact.pairs]]
between = ["disc", "ground"]
friction = 0.3

[[stages]]
name = "dull"
steps = 1

[[stages]]
name = "lively"
steps = 400
set = { "contact.restitution" = 0.5 }
"#);
    let (height, speed) = (series("disc.y"), series("disc.vy"));
    let bounced = speed.iter().position(|&v| v > 0.0).expect("it bounces");
    let top = height[bounced..].iter().copied().fold(0.0, f64::max);
    // A quarter of the two units it fell.
    assert!((top - 1.0).abs() < 0.03, "{top}");
}

#[test]
fn rest_takes_a_hundred_calm_steps_and_solvers_can_be_changed() {
    let bench = Bench::new("rest");
    let stages = r#"
[[stages]]
name = "settle"
until = { at_rest = 1e-3, max_steps = 5000 }
set = { "solver.kind" = "gauss-seidel", "pistons.lid.force" = 3.0, gravity = [0.0, -1.0] }

[[stages]]
name = "hold"
steps = 10
set = { "solver.tolerance" = 1e-10, "solver.max_sweeps" = 50 }
"#;
    // A lid on the disc, so that something is loaded twice.
    let scene =
        SCENE.replace("point = [0.0, 100.0]", "point = [0.0, 3.1]").replace("\"lid.position\"", "\"unbalanced\"");
    fs::write(bench.path("scene.toml"), scene + stages).unwrap();
    let check = bench.fine(&["check", "scene.toml"]);
    // What is set stays set: the order too.
    let said = text(&check.stdout);
    assert!(said.contains("20 sweeps, forward") && said.contains("residual of 1e-10, 50 at most, forward"), "{said}");
    bench.fine(&["run", "scene.toml", "-o", "run"]);
    let summary: Value = serde_json::from_str(&bench.read("run/run.json")).unwrap();
    let steps = usize::try_from(summary["stages"][0]["steps"].as_u64().unwrap()).unwrap();
    assert_eq!(summary["stages"][0]["at_rest"], true);
    let series = bench.read("run/series.csv");
    let unbalanced: Vec<f64> =
        series.lines().skip(1).map(|row| row.rsplit(',').next().unwrap().parse().unwrap_or(f64::NAN)).collect();
    let calm = |range: std::ops::Range<usize>| unbalanced[range].iter().all(|&force| force < 1e-3);
    assert!(calm(steps - 99..steps + 1) && !calm(steps - 100..steps), "{steps}");
}
