//! Frames, read back by VTK itself, which is what ParaView reads with. Needs a Python with the `vtk` package: the one named
//! in HARDGRAIN_VTK_PYTHON, or `python3`.

mod bench;

use bench::{Bench, scene};
use serde_json::Value;
use std::process::Command;

/// Reads a .vtp file and prints its points and values as JSON; numbers as text, so that every digit arrives.
const READER: &str = r#"
import json, sys, vtk
from vtk.util.numpy_support import vtk_to_numpy
reader = vtk.vtkXMLPolyDataReader()
reader.SetFileName(sys.argv[1])
reader.Update()
data = reader.GetOutput()
values = data.GetPointData()
out = {"points": data.GetNumberOfPoints(), "vertices": data.GetNumberOfVerts(), "error": reader.GetErrorCode()}
out["time"] = data.GetFieldData().GetArray("TimeValue").GetValue(0)
out["position"] = vtk_to_numpy(data.GetPoints().GetData()).tolist() if out["points"] else []
for i in range(values.GetNumberOfArrays()):
    out[values.GetArrayName(i)] = vtk_to_numpy(values.GetArray(i)).tolist()
def text(value):
    return [text(item) for item in value] if isinstance(value, list) else repr(value)
print(json.dumps({name: text(value) for name, value in out.items()}))
"#;

fn python() -> Option<String> {
    let named = std::env::var("HARDGRAIN_VTK_PYTHON").unwrap_or_else(|_| "python3".into());
    let works = Command::new(&named).args(["-c", "import vtk"]).output().is_ok_and(|output| output.status.success());
    // Whoever names a Python means it.
    assert!(works || std::env::var("HARDGRAIN_VTK_PYTHON").is_err(), "{named} has no vtk");
    if !works {
        eprintln!(
            "\n*** SKIPPED: {named} has no vtk; frames were NOT read back. pip install vtk, or set HARDGRAIN_VTK_PYTHON ***\n"
        );
    }
    works.then_some(named)
}

fn read(python: &str, bench: &Bench, name: &str) -> Value {
    let output = Command::new(python).args(["-c", READER]).arg(bench.path(name)).output().unwrap();
    assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn number(value: &Value) -> f64 {
    value.as_str().unwrap().parse().unwrap()
}

fn numbers(value: &Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(number).collect()
}

/// The row of series.csv at a step, by heading.
fn row(bench: &Bench, folder: &str, step: usize) -> impl Fn(&str) -> f64 {
    let series = bench.read(&format!("{folder}/series.csv"));
    let lines: Vec<Vec<String>> = series.lines().map(|line| line.split(',').map(String::from).collect()).collect();
    move |name| {
        let column = lines[0].iter().position(|heading| heading == name).unwrap();
        lines[step + 1][column].parse().unwrap()
    }
}

#[test]
fn frames_of_spheres_are_read_with_their_values() {
    let Some(python) = python() else { return };
    let bench = Bench::new("paraview");
    let columns = "record.series.columns=[\"time\", \"contacts\", \"lid.load\", \"spheres[7].x\", \"spheres[7].y\", \"spheres[7].z\", \"spheres[7].vz\", \"spheres[7].spin_x\", \"spheres[7].load\"]";
    let sets = [
        columns,
        "record.series.every=1",
        "record.frames.every=150",
        "stages.compress.until=",
        "stages.compress.steps=300",
    ];
    let spheres = scene("spheres");
    let mut arguments = vec!["run", &spheres, "-o", "run"];
    arguments.extend(sets.iter().flat_map(|set| ["--set", set]));
    bench.fine(&arguments);
    for step in [0, 150, 300] {
        let value = row(&bench, "run", step);
        let grains = read(&python, &bench, &format!("run/grains_{step:09}.vtp"));
        assert_eq!(["points", "vertices", "error"].map(|name| number(&grains[name])), [300.0, 300.0, 0.0]);
        assert_eq!(number(&grains["time"]), value("time"));
        let position = numbers(&grains["position"][7]);
        assert_eq!(position, [value("spheres[7].x"), value("spheres[7].y"), value("spheres[7].z")]);
        assert_eq!(number(&grains["velocity"][7][2]), value("spheres[7].vz"));
        assert_eq!(number(&grains["spin"][7][0]), value("spheres[7].spin_x"));
        assert_eq!(numbers(&grains["load"])[7], value("spheres[7].load"));
        let radii = numbers(&grains["radius"]);
        assert!(radii.len() == 300 && radii.iter().all(|radius| (0.35..=0.5).contains(radius)));
        let contacts = read(&python, &bench, &format!("run/contacts_{step:09}.vtp"));
        assert_eq!(number(&contacts["points"]), value("contacts"));
        if step > 0 {
            on_the_lid(&contacts, value("lid.load"));
        }
    }
    let list = bench.read("run/contacts.pvd");
    assert_eq!(list.matches("<DataSet").count(), 3);
    assert!(list.contains("timestep=\"3") && list.contains("file=\"contacts_000000150.vtp\""), "{list}");
}

/// The contacts with the piston carry its load; every contact obeys Coulomb; sticking and sliding are told apart.
fn on_the_lid(contacts: &Value, load: f64) {
    let (normal, second) = (numbers(&contacts["normal_reaction"]), numbers(&contacts["second"]));
    let sum: f64 = normal.iter().zip(&second).filter(|(_, second)| **second == -1.0).map(|(normal, _)| normal).sum();
    assert!(load > 0.0 && (sum / load - 1.0).abs() < 1e-12, "{sum} {load}");
    let status = numbers(&contacts["status"]);
    assert!(status.contains(&1.0) && status.contains(&2.0));
    for (index, normal) in normal.iter().enumerate() {
        let tangent: f64 = numbers(&contacts["tangential_reaction"][index]).iter().map(|t| t * t).sum::<f64>().sqrt();
        let share = tangent / (0.3 * normal);
        assert!(share <= 1.0 + 1e-9, "{share}");
        assert_eq!(status[index] == 2.0, share >= 1.0 - 1e-9);
        assert!(number(&contacts["gap"][index]) < 0.01);
        let n: f64 = numbers(&contacts["normal"][index]).iter().map(|n| n * n).sum();
        assert!((n - 1.0).abs() < 1e-12);
    }
}

#[test]
fn frames_in_the_plane_and_on_the_line_are_read_too() {
    let Some(python) = python() else { return };
    let bench = Bench::new("flat");
    bench.fine(&["run", &scene("incline"), "-o", "plane", "--set", "time.duration=", "--set", "time.steps=200"]);
    let disc = read(&python, &bench, "plane/grains_000000200.vtp");
    assert_eq!(number(&disc["points"]), 1.0);
    let spin = numbers(&disc["spin"][0]);
    assert!(spin[0] == 0.0 && spin[1] == 0.0 && spin[2] < 0.0);
    let touching = read(&python, &bench, "plane/contacts_000000200.vtp");
    // It rolls: friction holds. Walls are numbered behind pistons, of which there is none.
    assert_eq!([&touching["points"], &touching["status"][0], &touching["second"][0]].map(number), [1.0, 1.0, -1.0]);
    bench.fine(&["run", &scene("chain"), "-o", "line", "--set", "time.steps=200"]);
    let chain = read(&python, &bench, "line/grains_000000200.vtp");
    assert_eq!(number(&chain["points"]), 50.0);
    assert!(numbers(&chain["position"][49])[1..] == [0.0, 0.0]);
}
