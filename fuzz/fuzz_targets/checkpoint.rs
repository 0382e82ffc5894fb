//! Any bytes as a checkpoint: refused or read, never a panic, never memory without bound. The check sum is made right, so
//! that what lies behind it is reached.
#![no_main]

use hardgrain::{ContactDynamics, Engine, GaussSeidel, Order, Plane, Stop};
use hardgrain_io::checkpoint::{self, PACKING, Sections};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = checkpoint::decode_packing(bytes, 1 << 20);
    // The same as the content of a checkpoint that is right from outside, and as that of its packing.
    let section = Sections::default().with_plain(&PACKING, bytes).and_then(|packing| checkpoint::encode(7, &packing));
    let whole = [checkpoint::encode_plain(7, bytes), section].into_iter().flatten();
    let Some(state) = whole.filter_map(|whole| checkpoint::decode_packing(&whole, 1 << 20).ok()).next() else { return };
    if let Some(mut packing) = state.packing::<Plane>() {
        let mut engine = ContactDynamics::new(0.5, GaussSeidel::new(Order::Forward, Stop::Sweeps(1)));
        let _ = engine.step(&mut packing);
    }
});
