//! The number type of the contact law: one `f64`, or one for each lane of a SIMD register.

use std::fmt::Debug;
use std::ops::{Add, AddAssign, Div, Mul, Neg, Sub, SubAssign};

/// What can be added and subtracted: numbers and vectors.
pub trait Additive:
    Copy
    + Debug
    + Default
    + PartialEq
    + Send
    + Sync
    + 'static
    + Add<Output = Self>
    + Sub<Output = Self>
    + Neg<Output = Self>
    + AddAssign
    + SubAssign
{
}

impl Additive for f64 {}

/// A real number, or one for each of several contacts that are solved at the same time.
pub trait Real: Additive + Mul<Output = Self> + Div<Output = Self> {
    /// The same value in all lanes.
    fn splat(value: f64) -> Self;

    /// The larger of the two; the second where either is NaN.
    #[must_use]
    fn larger(self, other: Self) -> Self;

    /// The smaller of the two; the second where either is NaN.
    #[must_use]
    fn smaller(self, other: Self) -> Self;

    /// The square root.
    #[must_use]
    fn root(self) -> Self;

    /// This number where `condition` is above 0, and 0 elsewhere.
    #[must_use]
    fn where_positive(self, condition: Self) -> Self;

    /// The factor that shortens a vector of this squared length to `limit`: 1 where it is not longer.
    #[must_use]
    fn shortening(squared_length: Self, limit: Self) -> Self;

    /// The sum over all lanes, from the first to the last.
    fn total(self) -> f64;
}

impl Real for f64 {
    #[inline(always)]
    fn splat(value: f64) -> Self {
        value
    }

    // A comparison, since `f64::max` treats NaN specially and costs three instructions more.
    #[inline(always)]
    fn larger(self, other: Self) -> Self {
        if self > other { self } else { other }
    }

    #[inline(always)]
    fn smaller(self, other: Self) -> Self {
        if self < other { self } else { other }
    }

    #[inline(always)]
    fn root(self) -> Self {
        self.sqrt()
    }

    #[inline(always)]
    fn where_positive(self, condition: Self) -> Self {
        if condition > 0.0 { self } else { 0.0 }
    }

    // A branch: most contacts stick, and the square root and the division take longer than the rest of the law.
    #[inline(always)]
    fn shortening(squared_length: Self, limit: Self) -> Self {
        if squared_length > limit * limit { limit / squared_length.sqrt() } else { 1.0 }
    }

    #[inline(always)]
    fn total(self) -> f64 {
        self
    }
}
