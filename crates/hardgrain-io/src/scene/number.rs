//! The kinds of numbers that scenes are made of, by their range.

use super::any::{Any, FromAny};
use super::at::{At, schema};
use super::fault::Fault;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::Deserialize;
use std::borrow::Cow;

/// Declares kinds of numbers, whole or not, by the range that the schema tells.
macro_rules! numbers {
    ($($(#[$about:meta])* $kind:ident $schema:tt)*) => {$(
        $(#[$about])*
        #[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
        pub(crate) struct $kind(pub f64);

        schema!($kind, "number", $schema);

        impl From<$kind> for f64 {
            fn from($kind(number): $kind) -> Self {
                number
            }
        }

        impl FromAny for $kind {
            fn from_any(value: &At<Any>) -> Result<Self, Fault> {
                value.number().map(Self)
            }
        }
    )*};
}

numbers! {
    /// Any number.
    Scalar { "type": "number" }
    /// A number above 0.
    Positive { "type": "number", "exclusiveMinimum": 0 }
    /// A number that is 0 or more.
    NotNegative { "type": "number", "minimum": 0 }
}

/// A whole number with a lower bound.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
pub(crate) struct Count<const LEAST: u64 = 0>(pub u64);

schema!(Count<LEAST> [LEAST], "count", { "type": "integer", "minimum": LEAST });

impl<const LEAST: u64> FromAny for Count<LEAST> {
    fn from_any(value: &At<Any>) -> Result<Self, Fault> {
        match value.value {
            Any::Whole(number) if number >= 0 => Ok(Self(number.unsigned_abs())),
            _ => Err(Fault::at(&value.span, "here belongs a whole number, 0 or more").help("40")),
        }
    }
}
