//! Words that stand for a choice, as they were typed. The comments are the descriptions in the JSON schema, and the names in
//! quotes its names.

use super::any::{Any, FromAny};
use super::at::At;
use super::fault::Fault;
use hardgrain::soft::{Integrator, Scale, SpringLaw};
use hardgrain::{Motion, Order, Shock};
use schemars::JsonSchema;
use serde::Deserialize;

/// Declares enums of words.
macro_rules! words {
    ($($(#[$about:meta])* enum $words:ident as $name:literal { $($(#[$note:meta])* $word:ident,)* })*) => {$(
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize, JsonSchema)]
        #[serde(rename_all = "kebab-case")]
        #[schemars(rename = $name)]
        $(#[$about])*
        pub(crate) enum $words { $($(#[$note])* $word,)* }

        impl FromAny for $words {
            fn from_any(value: &At<Any>) -> Result<Self, Fault> {
                value.word()
            }
        }
    )*};
}

/// Declares enums of words for the variants of an enum of the engine.
macro_rules! choices {
    ($($(#[$about:meta])* enum $words:ident as $name:literal for $choice:ty {
        $($(#[$note:meta])* $word:ident,)*
    })*) => {
        words! { $($(#[$about])* enum $words as $name { $($(#[$note])* $word,)* })* }

        $(impl From<$words> for $choice {
            fn from(word: $words) -> Self {
                match word { $($words::$word => Self::$word,)* }
            }
        })*
    };
}

words! {
    /// The arrangements.
    enum ArrangeWord as "ArrangeKind" { Row, Grid, Lattice, Loose, Ring, File, }

    /// The lattices.
    enum LatticeWord as "LatticeKind" { Square, Triangular, Fcc, }

    /// The solvers.
    enum SolverWord as "SolverKind" { GaussSeidel, Accelerated, Rigid, Pooling, Soft, }

    /// What happens where a stage has not come to rest.
    enum OtherwiseWord as "OtherwiseKind" { Stop, Continue, }

    /// Where a solve starts from.
    enum StartWord as "StartKind" { Warm, Cold, }
}

choices! {
    /// What decides how grains move.
    enum MotionWord as "Motion" for Motion { Free, Fixed, Prescribed, }

    /// The laws of soft contacts.
    enum LawWord as "LawKind" for SpringLaw { Linear, Hertz, }

    /// What the numbers of springs are counted in.
    enum ScaleWord as "ScaleKind" for Scale { Same, PerMass, }

    /// How soft grains go on.
    enum IntegratorWord as "IntegratorKind" for Integrator { VelocityVerlet, SemiImplicitEuler, }

    /// The orders of a sweep.
    enum OrderWord as "OrderKind" for Order {
        Parallel,
        RandomSweep,
        /// The random sweep for large packings: blocks that fit into a cache in random order, and random order in each.
        RandomBlocks,
        RandomSequential,
        Forward,
        Symmetric,
        /// Colour by colour: contacts of one colour share no grain, and several are relaxed at once.
        Coloured,
    }

    /// The shock laws.
    enum ShockWord as "ShockKind" for Shock { QuasiInelastic, FullGap, }
}
