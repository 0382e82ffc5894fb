//! Scene files, good and bad. Each bad one begins with the line and the message that are expected of it:
//! `# expect LINE: message`.

use hardgrain::{Dimension, Line, Plane, Space, in_dimension};
use hardgrain_io::checkpoint::{self, SCENE, Sections};
use hardgrain_io::scene::{Fingerprints, SceneFiles, builtin};
use hardgrain_io::{Refusal, Scene};
use miette::GraphicalReportHandler;
use std::fs;
use std::path::{Path, PathBuf};

fn files(folder: &str) -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path());
    let mut files: Vec<PathBuf> = entries.filter(|path| path.extension().is_some_and(|kind| kind == "toml")).collect();
    files.sort();
    files
}

/// Reads a scene and places its grains.
fn read(path: &Path) -> Result<Scene, Refusal> {
    let scene = Scene::read(path, &[])?;
    in_dimension!(scene.dimension, D => scene.packing::<D>().map(drop)?);
    Ok(scene)
}

fn drawn(refusal: &Refusal) -> String {
    let mut text = String::new();
    GraphicalReportHandler::new().render_report(&mut text, refusal).unwrap();
    text
}

#[test]
fn good_scenes_are_read_and_placed() {
    let files = [files("tests/good"), files("scenes")].concat();
    assert!(files.len() >= 24, "{}", files.len());
    for path in files {
        if let Err(refusal) = read(&path) {
            panic!("{}: {}", path.display(), drawn(&refusal));
        }
    }
}

#[test]
fn bad_scenes_are_refused_with_line_message_and_advice() {
    let files = files("tests/bad");
    assert!(files.len() >= 60, "{}", files.len());
    let mut wrong = Vec::new();
    for path in files {
        let text = fs::read_to_string(&path).unwrap();
        let (line, message) = text.lines().next().unwrap().strip_prefix("# expect ").unwrap().split_once(": ").unwrap();
        let name = path.file_name().unwrap().display();
        match read(&path) {
            Ok(_) => wrong.push(format!("{name} was taken")),
            Err(refusal) => {
                let found = (refusal.line().map_or("0".into(), |line| line.to_string()), drawn(&refusal));
                let said = refusal.to_string();
                // The message names what is wrong, the place and the remedy, and stays short.
                let fine =
                    found.0 == line && said.contains(message) && found.1.contains("help: ") && found.1.len() < 2500;
                if !fine {
                    wrong.push(format!("{name}: expected line {line}: {message}\nfound line {}:{}", found.0, found.1));
                }
            }
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn the_scene_of_the_readme_is_one_and_lines_may_end_as_on_windows() {
    let readme = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("../../README.md")).unwrap();
    let scene = readme.split("```toml\n").nth(1).unwrap().split("```").next().unwrap();
    let no_tables = |_: &str| Err("no tables here".into());
    for text in [scene.to_owned(), scene.replace('\n', "\r\n"), format!("\u{feff}{scene}")] {
        let scene = Scene::from_text("README.md", &text, &[], &no_tables).unwrap();
        assert_eq!(scene.packing::<Plane>().unwrap().grains.len(), 10);
    }
    // The line is right there too.
    let bad = scene.replace("sweeps = 40", "sweeps = 0").replace('\n', "\r\n");
    let line = bad.split("sweeps = 0").next().unwrap().lines().count() + 1;
    assert_eq!(Scene::from_text("README.md", &bad, &[], &no_tables).unwrap_err().line(), Some(line));
}

fn refused(name: &str, bytes: &[u8], message: &str) {
    let folder = std::env::temp_dir().join(format!("hardgrain-bad-{}", std::process::id()));
    fs::create_dir_all(&folder).unwrap();
    let path = folder.join(name);
    fs::write(&path, bytes).unwrap();
    let refusal = read(&path).expect_err(name);
    let text = drawn(&refusal);
    fs::remove_file(&path).unwrap();
    assert!(refusal.to_string().contains(message), "{name}: {text}");
    assert!(text.contains(name) && text.contains("help: ") && text.len() < 2500, "{name}: {text}");
}

#[test]
fn files_that_are_no_scenes_are_refused() {
    refused("zeros.toml", &vec![0; 100_000], "byte 0 is zero");
    refused("empty.toml", b"", "is empty");
    refused("blank.toml", b" \n\t\n", "is empty");
    refused("latin.toml", b"format = 1\ntitle = \"K\xf6rner\"\n", "line 2 has a byte that is no letter");
    refused(
        "brackets.toml",
        "a = ".bytes().chain(vec![b'['; 100_000]).collect::<Vec<_>>().as_slice(),
        "this is not TOML",
    );
    refused("braces.toml", "a = {b=".repeat(10_000).as_bytes(), "this is not TOML");
    refused("tables.toml", "[a.".repeat(100_000).as_bytes(), "this is not TOML");
    refused("large.toml", "# nothing\n".repeat(200_000).as_bytes(), "larger than 1 MiB");
    let long_line = format!("format = 1\nseed = \"{}\"\n", "x".repeat(500_000));
    refused("long_line.toml", long_line.as_bytes(), "is a text; here belongs a whole number");
    let long_key = format!("format = 1\n{} = 1\n", "x".repeat(500_000));
    refused("long_key.toml", long_key.as_bytes(), "there is no key `xxx");
    let refusal = read(Path::new("nowhere/scene.toml")).unwrap_err();
    assert!(refusal.to_string().contains("nowhere/scene.toml: cannot be read"), "{refusal}");
    assert!(read(&std::env::temp_dir()).unwrap_err().to_string().contains("cannot be read"));
}

#[test]
fn tables_of_grains_are_read_beside_the_scene() {
    let scene = read(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good/file.toml")).unwrap();
    let packing = scene.packing::<Plane>().unwrap();
    let places: Vec<[f64; 2]> = packing.grains.iter().map(|grain| grain.position.0).collect();
    assert_eq!(places, [[1.0, 0.5], [2.5, 0.5], [1.5, 2.0]]);
}

const ROW: &str = "format = 1\ndimension = 1\nseed = 1\n[[grains]]\nlabel = \"row\"\nradius = 0.5\nmass = 1.0\n\
                     arrange = { kind = \"row\", count = 3, first = [0.5], spacing = [1.0] }\n[time]\nstep = 0.5\nduration = 10.0\n\
                     [solver]\nsweeps = 10\n";

fn fingerprints(changes: &[&str]) -> Fingerprints {
    let changes: Vec<String> = changes.iter().map(|&change| change.into()).collect();
    Scene::from_text("scene", ROW, &changes, &|_| Err(String::new())).unwrap().fingerprints()
}

#[test]
fn what_is_physics_and_what_is_not() {
    let first = fingerprints(&[]);
    for neither in
        ["title=\"other\"", "seed=2", "grains.row.mass=1", "time.duration=10", "record.series={ columns = [\"time\"] }"]
    {
        assert_eq!(fingerprints(&[neither]), first, "{neither}");
    }
    for numerics in ["solver.sweeps=20", "solver.order=forward", "time.step=0.25", "solver.kind=rigid"] {
        let found = fingerprints(if numerics.ends_with("rigid") {
            &["solver.sweeps=", "solver.kind=rigid"]
        } else {
            std::slice::from_ref(&numerics)
        });
        assert!(found.physics == first.physics && found.numerics != first.numerics, "{numerics}");
    }
    for physics in ["grains.row.mass=2.0", "contact.friction=0.1", "time.duration=20.0", "grains.row.arrange.count=4"] {
        let found = fingerprints(&[physics]);
        assert!(found.physics != first.physics && found.numerics == first.numerics, "{physics}");
    }
    // The same settings of a stage, written in two ways.
    let with = |set: &str| {
        let stages = format!("stages=[{{ name = \"a\", steps = 5, set = {set} }}]");
        fingerprints(&["time.duration=", &stages])
    };
    let (quoted, plain) = (with("{ \"solver.sweeps\" = 20 }"), with("{ solver.sweeps = 20 }"));
    assert_eq!(quoted, plain);
    let other = with("{ solver.sweeps = 40 }");
    assert!(other.physics == plain.physics && other.numerics != plain.numerics);
    // The same number of steps of another length is another duration.
    let counted = fingerprints(&["time.duration=", "time.steps=20"]);
    assert_eq!(counted, first);
    let shorter = fingerprints(&["time.duration=", "time.steps=20", "time.step=0.25"]);
    assert!(shorter.physics != first.physics && shorter.numerics != first.numerics);
}

#[test]
fn built_in_scenes_are_the_files_in_their_folder() {
    let mut names: Vec<String> = builtin().iter().map(|scene| format!("{}.toml", scene.name)).collect();
    names.sort();
    let file_name = |path: PathBuf| path.file_name().unwrap().to_str().unwrap().to_owned();
    assert_eq!(names, files("scenes").into_iter().map(file_name).collect::<Vec<_>>());
    for known in builtin() {
        let scene = Scene::builtin(known.name, &["seed=7".into()]).unwrap();
        assert_eq!((scene.title.as_str(), scene.seed), (known.title(), 7));
        assert!(!scene.title.is_empty(), "{}", known.name);
    }
    let refusal = Scene::builtin("moon", &[]).unwrap_err();
    assert_eq!(refusal.to_string(), "moon: is no built-in scene");
    assert!(refusal.fault().help.starts_with("there are: chain, piston, "), "{}", refusal.fault().help);
}

#[test]
fn solvers_go_by_the_name_that_was_typed() {
    for (name, keys, words) in [
        ("gauss-seidel", "sweeps = 20", "20 sweeps, random-sweep"),
        ("accelerated", "tolerance = 0.01\nmax_sweeps = 50", "accelerated sweeps to a force error of 1e-2, 50 at most"),
        ("rigid", "tolerance = 1e-8\nmax_sweeps = 50", "rigid to 1e-8; if that fails 50 accelerated sweeps at most"),
        ("pooling", "", "pooling, exact"),
        (
            "soft",
            "contact_time = 1.0\n[contact]\nrestitution = 0.5",
            "soft grains, collisions that take 1e0, velocity Verlet",
        ),
    ] {
        let text = format!(
            "format = 1\ndimension = 1\n[[grains]]\nradius = 0.5\nmass = 1.0\n\
             arrange = {{ kind = \"row\", count = 2, first = [0.5], spacing = [1.0] }}\n\
             [time]\nstep = 0.01\nsteps = 1\n[solver]\nkind = \"{name}\"\n{keys}\n"
        );
        let scene = Scene::from_text(name, &text, &[], &|_| Err("none".into())).unwrap();
        let kind = scene.stages[0].numerics.solver.kind;
        assert_eq!((kind.name(), kind.words().as_str()), (name, words));
        assert_eq!(
            (kind.fixed_sweeps().is_some(), kind.order().is_some()),
            (name == "gauss-seidel", name == "gauss-seidel")
        );
        assert_eq!((kind.is_rigid(), kind.is_soft()), (name == "rigid", name == "soft"));
    }
}

#[test]
fn a_scene_travels_with_the_files_that_it_names() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/good/file.toml");
    let scene = Scene::read(&path, &["seed=11".into()]).unwrap();
    let table = fs::read(path.with_file_name("places.csv")).unwrap();
    let kept = SceneFiles { source: scene.source.clone(), files: vec![("places.csv".into(), table)] };
    let sections = Sections::default().with(&SCENE, &kept).unwrap();
    let bytes = checkpoint::encode(scene.hash(), &sections).unwrap();
    let read: SceneFiles = checkpoint::decode(&bytes, None, 1 << 20).unwrap().take(&SCENE).unwrap();
    assert_eq!(read, kept);
    let again = read.scene().unwrap();
    assert_eq!((again.hash(), again.source), (scene.hash(), scene.source));
    let refusal = SceneFiles { files: Vec::new(), ..kept }.scene().unwrap_err();
    assert!(refusal.to_string().contains("places.csv: cannot be read"), "{refusal}");
}

/// The hash of the state after ten steps of a run, as the version that wrote format 4 has it.
fn format_4<D: Dimension>(name: &str, hash: u64) {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/format4").join(name);
    let bytes = fs::read(folder.join("checkpoint.hg")).unwrap();
    assert_eq!(bytes[8], 4);
    let state = checkpoint::decode_packing(&bytes, 1 << 20).unwrap();
    let packing = state.packing::<D>().unwrap();
    assert_eq!(packing.state_hash(), hash, "{name}");
    assert!(!packing.memory.is_empty());
    // The scene is still the one that the checkpoint belongs to, also where it starts from a packing of that format.
    let scene = Scene::read(&folder.join("scene.toml"), &[]).unwrap();
    assert_eq!(bytes[16..24], scene.hash().to_le_bytes(), "{name}");
    assert!(checkpoint::decode(&bytes, Some(scene.hash()), 1 << 20).is_ok());
}

#[test]
fn checkpoints_of_format_4_are_read() {
    format_4::<Line>("line", 0xf3ce_82cb_e646_c69d);
    format_4::<Plane>("plane", 0xa42e_6eb5_64c6_fdda);
    format_4::<Space>("space", 0x5386_7f0d_a723_c336);
}
