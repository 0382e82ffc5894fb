//! Any bytes as a scene: a message or a packing, never a panic, never memory without bound.
#![no_main]

use hardgrain::{Line, Plane, Space};
use hardgrain_io::Scene;
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let Ok(text) = std::str::from_utf8(bytes) else { return };
    let table = |_: &str| Ok("x,y,z,radius\n1,0.5,0,0.5\n".into());
    let Ok(scene) = Scene::from_text("scene.toml", text, &[], &table) else { return };
    if scene.grain_count() > 1000 {
        return;
    }
    match scene.dimension {
        1 => drop(scene.packing::<Line>()),
        2 => drop(scene.packing::<Plane>()),
        _ => drop(scene.packing::<Space>()),
    }
});
