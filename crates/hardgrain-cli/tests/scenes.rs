//! The built-in scenes do what their first lines promise.

mod bench;

use bench::{Bench, scene};

/// A series by heading.
struct Series(Vec<Vec<String>>);

impl Series {
    /// Runs a scene with changes and reads its series.
    fn run(bench: &Bench, name: &str, sets: &[&str]) -> Self {
        let path = scene(name);
        let folder = format!("{name}-{}", sets.len());
        let mut arguments = vec!["run", &path, "-o", &folder];
        arguments.extend(sets.iter().flat_map(|set| ["--set", set]));
        bench.fine(&arguments);
        Self(
            bench
                .read(&format!("{folder}/series.csv"))
                .lines()
                .map(|line| line.split(',').map(String::from).collect())
                .collect(),
        )
    }

    fn texts(&self, heading: &str) -> Vec<&str> {
        let column = self.0[0].iter().position(|known| known == heading).unwrap_or_else(|| panic!("no {heading}"));
        self.0[1..].iter().map(|row| row[column].as_str()).collect()
    }

    fn column(&self, heading: &str) -> Vec<f64> {
        self.texts(heading).iter().map(|value| value.parse().unwrap_or(f64::NAN)).collect()
    }

    fn last(&self, heading: &str) -> f64 {
        *self.column(heading).last().unwrap()
    }
}

fn near(found: f64, expected: f64, tolerance: f64) {
    assert!((found / expected - 1.0).abs() < tolerance, "{found} instead of {expected}");
}

#[test]
fn a_ball_with_restitution_one_half_rises_to_a_quarter() {
    let height = Series::run(&Bench::new("bounce"), "bounce", &[]).column("ball.x");
    let tops: Vec<f64> = height.windows(3).filter(|w| w[1] >= w[0] && w[1] > w[2]).map(|w| w[1] - 0.01).collect();
    near(tops[0], 0.25, 0.002);
    near(tops[1], 0.0625, 0.004);
}

#[test]
fn a_disc_rolls_with_two_thirds_of_the_acceleration_or_slides() {
    let bench = Bench::new("incline");
    let slope = 30.0_f64.to_radians();
    let rolling = Series::run(&bench, "incline", &[]);
    near(rolling.last("disc.vx") / slope.cos(), 10.0 * 2.0 / 3.0 * slope.sin(), 1e-9);
    near(rolling.last("disc.spin"), -2.0 * rolling.last("disc.vx") / slope.cos(), 1e-9);
    near(rolling.last("incline.load"), slope.cos(), 1e-9);
    let sliding = Series::run(&bench, "incline", &["contact.friction=0.1"]);
    near(sliding.last("disc.vx") / slope.cos(), 10.0 * (slope.sin() - 0.1 * slope.cos()), 1e-9);
}

#[test]
fn a_column_rings_unless_the_solver_is_exact() {
    let bench = Bench::new("column");
    let soft = Series::run(&bench, "column", &[]).column("ground.load");
    let largest = soft.iter().copied().fold(0.0, f64::max);
    assert!(soft[1] < 10.0 && largest > 33.0, "{} {largest}", soft[1]);
    near(*soft.last().unwrap(), 30.0, 1e-6);
    let exact = ["solver.kind=pooling", "solver.sweeps=", "solver.order="];
    let rigid = Series::run(&bench, "column", &exact).column("ground.load");
    assert!(rigid[1..].iter().all(|load| (load - 30.0).abs() < 1e-9));
}

#[test]
fn a_sandpile_comes_to_rest_and_the_floor_carries_it() {
    let series = Series::run(&Bench::new("sandpile"), "sandpile", &[]);
    assert_eq!(series.texts("stage").last(), Some(&"settle"));
    // 150 discs of mean square radius (0.4² + 0.4·0.5 + 0.5²)/3.
    let weight = 150.0 * std::f64::consts::PI * 0.61 / 3.0;
    near(series.last("floor.force_y"), -weight, 0.05);
    assert!(series.last("sand.y") > 1.0);
}

#[test]
fn rough_walls_carry_half_of_a_silo() {
    let bench = Bench::new("silo");
    let rough = Series::run(&bench, "silo", &[]);
    let walls = rough.last("left.force_y") + rough.last("right.force_y");
    let weight = rough.last("bottom.load") - walls;
    // Discs of radius 0.4 to 0.6 weigh 4 r².
    near(weight, 300.0 * 4.0 * (0.16 + 0.24 + 0.36) / 3.0, 0.05);
    assert!(rough.last("bottom.load") < 0.6 * weight, "{} of {weight}", rough.last("bottom.load"));
    let smooth = Series::run(&bench, "silo", &["contact.pairs.0.friction=0", "contact.pairs.1.friction=0"]);
    near(smooth.last("bottom.load"), weight, 0.02);
}

#[test]
fn a_drum_carries_its_charge_aside() {
    let bench = Bench::new("drum");
    let columns =
        "record.series.columns=[\"time\", \"charge.x\", \"charge.y\", \"drum[0].x\", \"drum[0].y\", \"drum[7].spin\"]";
    let series = Series::run(&bench, "drum", &[columns]);
    // It turns anticlockwise, so the bottom moves to the right and the charge with it.
    let later = &series.column("charge.x")[400..];
    let mean = later.iter().sum::<f64>() / later.len() as f64;
    assert!(mean > 1.0 && series.last("charge.y") < -2.0, "{mean} {}", series.last("charge.y"));
    // The ring stays round and turns as told: 60 × 0.05 radians.
    let (x, y): (f64, f64) = (series.last("drum[0].x"), series.last("drum[0].y"));
    near(x.hypot(y), 10.0, 1e-9);
    near(y.atan2(x), 3.0, 1e-5);
    assert_eq!(series.last("drum[7].spin"), 0.05);
}

#[test]
fn shear_needs_a_force_against_the_motion() {
    let series = Series::run(&Bench::new("shear"), "shear", &[]);
    let mean = |heading: &str| {
        let values = &series.column(heading)[200..];
        values.iter().sum::<f64>() / values.len() as f64
    };
    let (shear, pressure) = (mean("top.force_x"), mean("top.force_y"));
    assert!(pressure > 0.0 && (0.1..0.7).contains(&(-shear / pressure)), "{shear} {pressure}");
}

#[test]
fn spheres_rest_under_the_pressure_of_their_lid() {
    let series = Series::run(&Bench::new("spheres"), "spheres", &[]);
    near(series.last("lid.load"), 36.0, 1e-4);
    assert!(series.last("unbalanced") < 1e-4);
    // They fill the box to the solid fraction of dense spheres, less what the walls of a box seven grains wide take; the
    // place along the downward normal is minus the height.
    let radius_cubed = (0.5_f64.powi(4) - 0.35_f64.powi(4)) / (4.0 * 0.15);
    let fraction = 300.0 * 4.0 / 3.0 * std::f64::consts::PI * radius_cubed / (36.0 * -series.last("lid.position"));
    assert!((0.45..0.6).contains(&fraction), "{fraction}");
}

#[test]
fn only_the_last_ball_of_the_cradle_leaves() {
    let series = Series::run(&Bench::new("cradle"), "cradle", &[]);
    for ball in ["first.vx", "row[0].vx", "row[1].vx", "row[2].vx"] {
        assert!(series.last(ball).abs() < 1e-9, "{ball} {}", series.last(ball));
    }
    near(series.last("row[3].vx"), 1.0, 1e-9);
}

#[test]
fn records_cost_little() {
    let bench = Bench::new("cost");
    let steps = ["stages.compress.until=", "stages.compress.steps=1600", "stages.ring.steps=800"];
    // A row each step, a frame each hundred, and four checkpoints.
    let records = ["record.frames.every=100", "record.checkpoint.every=800"];
    Series::run(&bench, "piston", &[steps.as_slice(), &records].concat());
    let summary: serde_json::Value = serde_json::from_str(&bench.read("piston-5/run.json")).unwrap();
    let share = summary["records"]["share"].as_f64().unwrap();
    assert!(share < 0.05, "{share}");
}
