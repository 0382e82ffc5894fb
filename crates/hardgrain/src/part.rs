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

impl fmt::Display for Part {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Grain(index) => write!(out, "grain {index}"),
            Self::Piston(index) => write!(out, "piston {index}"),
            Self::Wall(index) => write!(out, "wall {index}"),
        }
    }
}
