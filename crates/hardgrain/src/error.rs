//! Errors: invalid input and numbers that are no longer finite, with the place, the value and the remedy.

use crate::part::Part;
use std::fmt;

/// An invalid packing or setting.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum InputError {
    /// A number outside its range, or NaN.
    Range {
        /// The quantity.
        what: &'static str,
        /// Its grain, piston or wall, if it has one.
        place: Option<Part>,
        /// Its value.
        value: f64,
        /// The allowed values.
        allowed: &'static str,
    },
    /// A wall or piston whose normal has no direction.
    NoDirection {
        /// The wall or piston.
        place: Part,
    },
    /// A packing without grains.
    Empty,
    /// More grains than can be numbered.
    TooMany,
    /// Two grains with the same centre, which have no normal.
    Coincident {
        /// The grain with the lower number.
        first: u32,
        /// The other one.
        second: u32,
    },
    /// A grain outside the periodic cell.
    OutsideCell {
        /// The grain.
        grain: u32,
        /// The axis.
        axis: usize,
        /// Its coordinate there.
        value: f64,
    },
    /// A periodic cell so narrow that a grain could touch another one from both sides.
    NarrowCell {
        /// The axis.
        axis: usize,
        /// The width of the cell.
        width: f64,
        /// The width that it must exceed.
        needed: f64,
    },
    /// A wall or piston that crosses a periodic axis.
    WallAcrossPeriod {
        /// The wall or piston.
        place: Part,
        /// The periodic axis.
        axis: usize,
    },
    /// A grain whose centre lies behind a wall or piston.
    Behind {
        /// The grain.
        grain: u32,
        /// The wall or piston.
        place: Part,
        /// The distance behind it.
        depth: f64,
    },
    /// A grain between two opposite walls or pistons whose distance is smaller than its diameter.
    Squeezed {
        /// The grain.
        grain: u32,
        /// The walls or pistons.
        between: [Part; 2],
        /// Their distance.
        room: f64,
        /// The grain's diameter.
        diameter: f64,
    },
    /// A problem that asks for something its solver does not know.
    UnknownToSolver {
        /// The solver.
        solver: &'static str,
        /// What it does not know.
        what: &'static str,
        /// What to use instead.
        instead: &'static str,
    },
    /// A step that is too long for soft grains.
    Unstable {
        /// The step.
        step: f64,
        /// The longest stable step.
        largest: f64,
    },
}

impl InputError {
    /// A number out of range that belongs to no part of the packing.
    pub fn range(what: &'static str, value: f64, allowed: &'static str) -> Self {
        Self::Range { what, place: None, value, allowed }
    }
}

impl fmt::Display for InputError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Range { what, place: None, value, allowed } => write!(out, "{what} is {value}; it must be {allowed}"),
            Self::Range { what, place: Some(place), value, allowed } => {
                write!(out, "{what} of {place} is {value}; it must be {allowed}")
            }
            Self::NoDirection { place } => {
                write!(out, "the normal of {place} has no direction; give a finite vector that is not zero")
            }
            Self::Empty => write!(out, "the packing has no grains; add at least one"),
            Self::TooMany => write!(out, "more than 2147483647 grains, pistons or walls cannot be told apart"),
            Self::Coincident { first, second } => {
                write!(out, "grains {first} and {second} have the same centre; move one of them")
            }
            Self::OutsideCell { grain, axis, value } => {
                write!(out, "grain {grain} lies at {value} on axis {axis}, outside the periodic cell; move it inside")
            }
            Self::NarrowCell { axis, width, needed } => write!(
                out,
                "the cell is {width} wide on axis {axis}: a grain could touch the same neighbour from both sides; make it wider than {needed}"
            ),
            Self::WallAcrossPeriod { place, axis } => {
                write!(out, "{place} blocks axis {axis}, which is periodic; turn its normal or open the cell")
            }
            Self::Behind { grain, place, depth } => {
                write!(
                    out,
                    "the centre of grain {grain} lies {depth} behind {place}; move it to the side the normal points to"
                )
            }
            Self::Squeezed { grain, between: [a, b], room, diameter } => {
                write!(out, "{a} and {b} leave {room} for grain {grain}, which needs {diameter}; move them apart")
            }
            Self::UnknownToSolver { solver, what, instead } => {
                write!(out, "{solver} does not know {what}; use {instead}")
            }
            Self::Unstable { step, largest } => write!(
                out,
                "a step of {step} is too long for the springs that act now and would blow up; the largest allowed one is {largest:.4e} \
                 (what is heavier or softer bears more, and so does a piston with fewer contacts)"
            ),
        }
    }
}

impl std::error::Error for InputError {}

/// Why a step could not be made. The packing is unchanged.
#[derive(Clone, Debug, PartialEq)]
pub struct StepError {
    /// The step that failed, counted from 0.
    pub step: u64,
    /// The reason.
    pub failure: Failure,
}

impl StepError {
    /// Whether the step was cancelled, by a [`CancelToken`](crate::CancelToken).
    pub fn is_cancelled(&self) -> bool {
        self.failure == Failure::Cancelled
    }
}

/// The reason for a failed step.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// An invalid packing or setting.
    Input(InputError),
    /// A number that is infinite or NaN.
    NotFinite {
        /// The quantity: position, velocity, force …
        what: &'static str,
        /// The part of the packing that it belongs to.
        place: Part,
    },
    /// It was cancelled, by a [`CancelToken`](crate::CancelToken).
    Cancelled,
}

impl From<InputError> for Failure {
    fn from(error: InputError) -> Self {
        Self::Input(error)
    }
}

impl fmt::Display for StepError {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.failure {
            Failure::Input(error) => write!(out, "step {}: {error}", self.step),
            Failure::NotFinite { what, place } => write!(
                out,
                "step {}: the {what} of {place} is no longer a finite number; look for a huge force, a tiny mass or the full-gap shock law",
                self.step
            ),
            Failure::Cancelled => write!(out, "step {} was cancelled; the packing is as it was before it", self.step),
        }
    }
}

impl std::error::Error for StepError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.failure {
            Failure::Input(error) => Some(error),
            Failure::NotFinite { .. } | Failure::Cancelled => None,
        }
    }
}
