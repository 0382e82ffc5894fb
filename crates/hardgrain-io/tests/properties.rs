//! Whatever comes in: no panic, no memory without bound; and what goes out comes back bit for bit.

use hardgrain::{
    ContactDynamics, Dimension, Engine, GaussSeidel, Grain, Line, Order, Packing, Piston, Plane, Space, Stop, Surface,
    Wall, in_dimension,
};
use hardgrain_io::checkpoint::{PACKING, SectionKind, Sections};
use hardgrain_io::{PackingState, Scene, checkpoint};
use proptest::prelude::*;
use std::fs;
use std::path::Path;
use std::sync::LazyLock;

static SCENES: LazyLock<Vec<String>> = LazyLock::new(|| {
    let folders = ["scenes", "tests/good", "tests/bad"].map(|name| Path::new(env!("CARGO_MANIFEST_DIR")).join(name));
    let files = folders.iter().flat_map(|folder| fs::read_dir(folder).unwrap()).map(|entry| entry.unwrap().path());
    let mut scenes: Vec<String> = files.filter_map(|path| fs::read_to_string(path).ok()).collect();
    scenes.sort();
    scenes
});

/// What a careless or malicious hand may put into a scene.
const PIECES: [&str; 30] = [
    "\n",
    "[",
    "]",
    "{",
    "}",
    "=",
    "\"",
    ",",
    ".",
    "#",
    "-",
    "0",
    "9",
    "e",
    "nan",
    "inf",
    "-inf",
    "1e308",
    "-1",
    "0.0",
    "true",
    "[[grains]]\n",
    "[solver]\n",
    "99999999999",
    "set = { gravity = [1] }\n",
    "\u{feff}",
    "ω",
    "\u{0}",
    "radius = 1e-300\n",
    "label = \"discs\"\n",
];

/// One edit: where, how much is taken away, what is put in.
fn edits() -> impl Strategy<Value = (usize, Vec<(f64, usize, usize)>)> {
    (0..SCENES.len(), prop::collection::vec((0.0..1.0, 0..12_usize, 0..=PIECES.len()), 1..6))
}

fn edited(scene: usize, edits: &[(f64, usize, usize)]) -> String {
    let mut letters: Vec<char> = SCENES[scene].chars().collect();
    for &(place, taken, piece) in edits {
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the length")]
        let start = (place * letters.len() as f64) as usize;
        let end = (start + taken).min(letters.len());
        let new: Vec<char> = PIECES.get(piece).map_or(Vec::new(), |piece| piece.chars().collect());
        letters.splice(start..end, new);
    }
    letters.into_iter().collect()
}

/// Reads a text as a scene and, if it is one and small, places its grains.
fn digest(text: &str, changes: &[String]) {
    let table = |_: &str| Ok("x,y,radius\n1,0.5,0.5\n".into());
    match Scene::from_text("scene.toml", text, changes, &table) {
        Err(refusal) => assert!(refusal.to_string().chars().count() < 600, "{refusal}"),
        Ok(scene) if scene.grain_count() < 2000 => in_dimension!(scene.dimension, D => drop(scene.packing::<D>())),
        Ok(_) => {}
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 5000, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn edited_scenes_never_panic((scene, edits) in edits()) {
        digest(&edited(scene, &edits), &[]);
    }

    #[test]
    fn any_text_never_panics(text in "\\PC{0,200}") {
        digest(&text, &[]);
    }

    #[test]
    fn any_change_never_panics(scene in 0..SCENES.len(), key in "[a-z.0-9\\[\\]]{0,30}", value in "\\PC{0,20}") {
        digest(&SCENES[scene], &[format!("{key}={value}")]);
    }
}

/// What a run of another version might add.
const NOTES: SectionKind = SectionKind::optional("notes", 1);

/// A packing in motion, with everything that a packing can have.
fn packing<D: Dimension>(seed: u64, count: u32, periodic: bool) -> Packing<D> {
    let axis = |axis: usize, value: f64| {
        <D::Vector<f64> as hardgrain::Components<f64>>::from_fn(|i| if i == axis { value } else { 0.0 })
    };
    let last = D::AXES - 1;
    let mut packing = Packing::<D>::new();
    packing.gravity = axis(last, -0.1);
    if periodic && D::AXES > 1 {
        packing.cell = packing.cell.periodic(0, -1.7, 40.3).unwrap();
    }
    let steel = packing.materials.named("steel").unwrap();
    packing.materials.set_default(Surface::rough(0.3).bouncing(0.2)).unwrap();
    packing.materials.set_pair(steel, steel, Surface::rough(0.1)).unwrap();
    let label = packing.labels.named("grains");
    packing.add_wall(Wall::new(axis(0, 0.0), axis(last, 1.0)).material(steel)).unwrap();
    packing.add_piston(Piston::new(axis(last, f64::from(count) * 2.0), axis(last, -1.0), 3.0).force(0.2)).unwrap();
    let mut chance = hardgrain::Seed(seed).stream(hardgrain::Purpose::Place, 0, 0);
    for i in 0..count {
        let place = <D::Vector<f64> as hardgrain::Components<f64>>::from_fn(|a| {
            if a == last { 1.5 * f64::from(i) + 0.6 } else { 0.2 * chance.uniform() + 0.3 }
        });
        let grain = Grain::new(place, 0.3 + 0.2 * chance.uniform()).label(label);
        packing.add(if i % 3 == 0 { grain.material(steel) } else { grain }).unwrap();
    }
    packing
}

fn round_trip<D: Dimension>(seed: u64, count: u32, steps: u32, periodic: bool) {
    let mut before = packing::<D>(seed, count, periodic);
    let engine = || ContactDynamics::new(0.5, GaussSeidel::new(Order::RandomSweep, Stop::Sweeps(10))).seed(seed);
    let mut first = engine();
    for _ in 0..steps {
        first.step(&mut before).unwrap();
    }
    let bytes = checkpoint::encode_packing(7, &PackingState::from_packing(&before)).unwrap();
    let mut after: Packing<D> = checkpoint::decode_packing(&bytes, 1 << 20).unwrap().packing().unwrap();
    assert_eq!(after, before);
    assert_eq!(after.state_hash(), before.state_hash());
    // And they go on together.
    let mut second = engine();
    for _ in 0..5 {
        first.step(&mut before).unwrap();
        second.step(&mut after).unwrap();
    }
    assert_eq!(after.state_hash(), before.state_hash());
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 200, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn packings_come_back_bit_for_bit(seed: u64, count in 1_u32..12, steps in 0_u32..40, periodic: bool) {
        round_trip::<Line>(seed, count, steps, periodic);
        round_trip::<Plane>(seed, count, steps, periodic);
        round_trip::<Space>(seed, count, steps, periodic);
    }

    #[test]
    fn damaged_checkpoints_never_panic(seed: u64, edits in prop::collection::vec((0.0..1.0, any::<u8>()), 1..8), mend: bool) {
        let mut bytes = checkpoint::encode_packing(7, &PackingState::from_packing(&packing::<Plane>(seed, 5, false))).unwrap();
        for (place, byte) in edits {
            #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "between 0 and the length")]
            let index = (place * bytes.len() as f64) as usize;
            bytes[index] = byte;
        }
        if mend {
            // A forger makes the sum right: what lies behind must hold by itself.
            let sum = crc32fast::hash(&[&bytes[8..12], &bytes[16..]].concat()).to_le_bytes();
            bytes[12..16].copy_from_slice(&sum);
        }
        if let Ok(state) = checkpoint::decode_packing(&bytes, 1 << 20) {
            // What is read may be nonsense; the engine refuses it in words.
            if let Some(mut packing) = state.packing::<Plane>() {
                let mut engine = ContactDynamics::new(0.5, GaussSeidel::new(Order::Forward, Stop::Sweeps(1)));
                let _ = engine.step(&mut packing);
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 100, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn sections_come_in_any_order_among_unknown_ones(
        seed: u64,
        order in Just([0_u8, 1, 2, 3]).prop_shuffle(),
        version: u32,
        unknown in prop::collection::vec(any::<u8>(), 0..300),
    ) {
        let state = PackingState::from_packing(&packing::<Space>(seed, 4, false));
        let other = SectionKind { name: "something-else", version, required: false };
        let numbers = vec![seed, 1, 2];
        let sections = order.iter().fold(Sections::default(), |sections, which| match which {
            0 => sections.with(&PACKING, &state).unwrap(),
            1 => sections.with(&NOTES, &numbers).unwrap(),
            2 => sections.with(&other, &unknown).unwrap(),
            _ => sections.with(&SectionKind::optional("empty", 3), &()).unwrap(),
        });
        let mut read = checkpoint::decode(&checkpoint::encode(7, &sections).unwrap(), Some(7), 1 << 20).unwrap();
        prop_assert_eq!(read.take::<Vec<u64>>(&NOTES).unwrap(), numbers);
        prop_assert_eq!(read.packing().unwrap(), state);
    }
}

#[test]
fn a_bomb_does_not_fill_the_memory() {
    // Hundred megabytes of nothing in a few kilobytes.
    let sections = Sections::default().with(&NOTES, &vec![0_u8; 100_000_000]).unwrap();
    let bytes = checkpoint::encode(7, &sections).unwrap();
    assert!(bytes.len() < 100_000);
    assert!(checkpoint::decode(&bytes, Some(7), 1 << 20).is_err());
    assert!(checkpoint::decode(&bytes, Some(7), 1 << 30).is_ok());
}
