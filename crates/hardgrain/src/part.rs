//! What a packing consists of: grains, pistons and walls, by number.

use std::fmt;

/// A part of a packing, by its number among its kind. Parts are ordered: grains, pistons, walls.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Part {
    /// A grain.
    Grain(u32),
    /// A piston.
    Piston(u32),
    /// A wall.
    Wall(u32),
}

impl Default for Part {
    /// The first grain.
    fn default() -> Self {
        Self::Grain(0)
    }
}

impl Part {
    /// Its kind, 0 for grains, 1 for pistons and 2 for walls, and its number.
    #[inline(always)]
    pub(crate) fn kind_and_index(self) -> [u32; 2] {
        match self {
            Self::Grain(index) => [0, index],
            Self::Piston(index) => [1, index],
            Self::Wall(index) => [2, index],
        }
    }
}

impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        let [kind, index] = self.kind_and_index();
        write!(out, "{} {index}", ["grain", "piston", "wall"][kind as usize])
    }
}

/// A count or an index in 32 bits.
#[inline]
pub(crate) fn number(count: usize) -> u32 {
    u32::try_from(count).expect("parts and contacts are counted in 32 bits")
}
