//! Groups of grains: how many, how large, where and how they move.

use crate::scene::at::Span;
use crate::scene::distribution::Radii;
use crate::scene::values::Place;
use hardgrain::Motion;

/// More grains than this are refused before any memory is taken: with their contacts they would fill many gigabytes.
pub const LARGEST_PACKING: usize = 5_000_000;

/// A group of grains.
#[derive(Clone, Debug)]
pub struct Group {
    /// Its name; empty for none.
    pub label: String,
    /// How many grains.
    pub count: usize,
    /// Their radii; nothing where a file has them.
    pub radii: Option<Radii>,
    /// What they weigh.
    pub weight: MassPlan,
    /// Velocity at the start.
    pub velocity: Place,
    /// Angular velocity at the start.
    pub spin: Place,
    /// Free, fixed or prescribed.
    pub motion: Motion,
    /// Prescribed rotation of the whole group.
    pub rotation: Option<RotationPlan>,
    /// What they are made of; empty for nothing special.
    pub material: String,
    /// Allowed overlap at the start, relative to the smaller radius.
    pub overlap_allowed: f64,
    /// Where they are.
    pub arrangement: Arrangement,
    /// Where that was typed.
    pub span: Span,
    /// Where the radius was typed.
    pub radius_span: Span,
}

/// What grains weigh.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum MassPlan {
    /// Each this much.
    Mass(f64),
    /// So much per length, area or volume.
    Density(f64),
}

/// A rotation of a whole group about a point.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct RotationPlan {
    /// The point.
    pub centre: Place,
    /// Angular velocity: the first component in the plane, all three in space.
    pub rate: Place,
}

/// Where grains are.
#[derive(Clone, Debug)]
pub enum Arrangement {
    /// One behind the other.
    Row(RowPlan),
    /// In rows and columns.
    Grid(GridPlan),
    /// On a lattice.
    Lattice(GridPlan, LatticePlan),
    /// At random, without overlap.
    Loose(LoosePlan),
    /// On a circle.
    Ring(RingPlan),
    /// As a file says: its name, and a place and radius for each.
    File(String, Vec<(Place, Option<f64>)>),
    /// As they lie in the packing that the scene starts from.
    Start,
}

/// One behind the other.
#[derive(Clone, Copy, Debug)]
pub struct RowPlan {
    /// The first centre.
    pub first: Place,
    /// From one to the next.
    pub spacing: Place,
}

/// In rows and columns.
#[derive(Clone, Copy, Debug)]
pub struct GridPlan {
    /// How many along each axis.
    pub counts: [usize; 3],
    /// The first centre.
    pub first: Place,
    /// Distance along each axis.
    pub spacing: Place,
}

/// Which lattice.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LatticePlan {
    /// Rows upon each other.
    Square,
    /// Every other row moved by half a distance.
    Triangular,
    /// Cubes with a grain in the middle of each face.
    Fcc,
}

/// At random, without overlap, inside bounds.
#[derive(Clone, Copy, Debug)]
pub struct LoosePlan {
    /// Lower corner.
    pub lower: Place,
    /// Upper corner.
    pub upper: Place,
}

/// On a circle.
#[derive(Clone, Copy, Debug)]
pub struct RingPlan {
    /// Its centre.
    pub centre: Place,
    /// Its radius.
    pub radius: f64,
}
