//! No bit of any result has changed: digests of all scenes with all solvers, on one thread and two, as `xtask/hashes.txt` has them.

use std::path::Path;

#[test]
fn every_result_has_the_bits_it_had() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize().unwrap();
    match xtask::hashes::compare(Path::new(env!("CARGO_BIN_EXE_hardgrain")), &root, None) {
        Ok(told) => println!("{told}"),
        Err(told) => panic!("{told}\nif it is meant: cargo xtask hashes --accept=\"WHY\""),
    }
}
