//! Any bytes as a checkpoint: refused or read, never a panic, never memory without bound. The check sum is made right, so
//! that what lies behind it is reached.
#![no_main]

use hardgrain::{ContactDynamics, Engine, GaussSeidel, Order, Plane, Stop};
use hardgrain_io::{PackingState, checkpoint};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|bytes: &[u8]| {
    let _ = checkpoint::decode::<PackingState>(bytes, 7, 1 << 20);
    // The same as the content of a checkpoint that is right from outside.
    let Ok(Ok(state)) = checkpoint::encode_plain(7, bytes).map(|whole| checkpoint::decode::<PackingState>(&whole, 7, 1 << 20)) else {
        return;
    };
    if let Some(mut packing) = state.packing::<Plane>() {
        let mut engine = ContactDynamics::new(0.5, GaussSeidel::new(Order::Forward, Stop::Sweeps(1)));
        let _ = engine.step(&mut packing);
    }
});
