//! A 64-bit digest of numbers: equal sequences have equal digests, on any machine.

/// Digests words one after the other. The finaliser of the splitmix generator mixes every bit into every other.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Digest(u64);

impl Default for Digest {
    fn default() -> Self {
        Self(0x9e37_79b9_7f4a_7c15)
    }
}

impl Digest {
    pub(crate) fn word(&mut self, word: u64) {
        let mut x = (self.0 ^ word).wrapping_add(0x9e37_79b9_7f4a_7c15);
        x = (x ^ (x >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        x = (x ^ (x >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        self.0 = x ^ (x >> 31);
    }

    pub(crate) fn numbers(&mut self, numbers: &[f64]) {
        for number in numbers {
            self.word(number.to_bits());
        }
    }

    pub(crate) fn counts(&mut self, counts: &[usize]) {
        for &count in counts {
            self.word(count as u64);
        }
    }

    pub(crate) fn integers(&mut self, numbers: [i32; 3]) {
        for number in numbers {
            self.word(u64::from(number.cast_unsigned()));
        }
    }

    pub(crate) fn finish(self) -> u64 {
        self.0
    }
}
