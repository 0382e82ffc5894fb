//! Repeatable noise for tests.

use proptest::test_runner::{Config, RngSeed};

/// So many cases, the same ones every time: errors of five sigma do occur, and a test must not fail by chance.
pub(crate) fn config(cases: u32) -> Config {
    Config { cases, rng_seed: RngSeed::Fixed(2002), failure_persistence: None, ..Config::default() }
}

/// A small generator (splitmix).
pub(crate) struct Noise(pub(crate) u64);

impl Noise {
    fn uniform(&mut self) -> f64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((z ^ (z >> 31)) >> 11) as f64 / (1_u64 << 53) as f64
    }

    /// Mean 0, variance 1 (Box and Muller).
    pub(crate) fn normal(&mut self) -> f64 {
        let radius = (-2.0 * (1.0 - self.uniform()).ln()).sqrt();
        radius * (std::f64::consts::TAU * self.uniform()).cos()
    }
}
