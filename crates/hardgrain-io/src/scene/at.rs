//! Values that know where they were typed, and the plain kinds of values that scenes are made of.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

/// A place in the text of a scene, in bytes.
pub type Span = Range<usize>;

/// A value and where it stands.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct At<T> {
    /// What was typed.
    pub value: T,
    /// Where.
    pub span: Span,
}

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<S: Deserializer<'de>>(source: S) -> Result<Self, S::Error> {
        let spanned = toml::Spanned::<T>::deserialize(source)?;
        let span = spanned.span();
        Ok(Self { value: spanned.into_inner(), span })
    }
}

/// The schema of what stands there.
impl<T: JsonSchema> JsonSchema for At<T> {
    fn inline_schema() -> bool {
        T::inline_schema()
    }

    fn schema_name() -> Cow<'static, str> {
        T::schema_name()
    }

    fn schema_id() -> Cow<'static, str> {
        T::schema_id()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        T::json_schema(generator)
    }
}

/// Gives a kind of value its schema, written where it is used.
macro_rules! schema {
    ($kind:ty, $name:literal, $schema:tt) => {
        impl JsonSchema for $kind {
            fn inline_schema() -> bool {
                true
            }

            fn schema_name() -> Cow<'static, str> {
                $name.into()
            }

            fn json_schema(_: &mut SchemaGenerator) -> Schema {
                json_schema!($schema)
            }
        }
    };
}

/// A number, whole or not.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Number(pub f64);

/// A whole number, 0 or more.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Count(pub u64);

/// One number or a list of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Numbers(pub Vec<f64>);

schema!(Number, "number", { "type": "number" });
schema!(Count, "count", { "type": "integer", "minimum": 0 });
schema!(Numbers, "numbers", { "anyOf": [{ "type": "number" }, { "type": "array", "items": { "type": "number" } }] });

struct NumberVisitor;

impl Visitor<'_> for NumberVisitor {
    type Value = Number;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a number")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Number, E> {
        Ok(Number(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Number, E> {
        Ok(Number(value as f64))
    }
}

impl<'de> Deserialize<'de> for Number {
    fn deserialize<S: Deserializer<'de>>(source: S) -> Result<Self, S::Error> {
        source.deserialize_any(NumberVisitor)
    }
}

struct CountVisitor;

impl Visitor<'_> for CountVisitor {
    type Value = Count;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a whole number, 0 or more")
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Count, E> {
        u64::try_from(value).map(Count).map_err(|_| E::invalid_value(de::Unexpected::Signed(value), &self))
    }

    fn visit_u64<E: de::Error>(self, value: u64) -> Result<Count, E> {
        Ok(Count(value))
    }
}

impl<'de> Deserialize<'de> for Count {
    fn deserialize<S: Deserializer<'de>>(source: S) -> Result<Self, S::Error> {
        source.deserialize_any(CountVisitor)
    }
}

struct NumbersVisitor;

impl<'de> Visitor<'de> for NumbersVisitor {
    type Value = Numbers;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a number or a list of numbers")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Numbers, E> {
        Ok(Numbers(vec![value]))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Numbers, E> {
        Ok(Numbers(vec![value as f64]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, mut items: A) -> Result<Numbers, A::Error> {
        let mut numbers = Vec::new();
        while let Some(Number(number)) = items.next_element()? {
            numbers.push(number);
        }
        Ok(Numbers(numbers))
    }
}

impl<'de> Deserialize<'de> for Numbers {
    fn deserialize<S: Deserializer<'de>>(source: S) -> Result<Self, S::Error> {
        source.deserialize_any(NumbersVisitor)
    }
}

/// Any value: what a stage sets is known only when its key has been read.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Any {
    /// A whole number.
    Whole(i64),
    /// A number that is not whole.
    Number(f64),
    /// True or false.
    Flag(bool),
    /// A text.
    Text(String),
    /// A list of numbers.
    Numbers(Vec<f64>),
    /// A table, in the order it was typed.
    Table(Vec<(At<String>, At<Any>)>),
}

impl Any {
    /// What kind of value this is, in words.
    pub(crate) fn kind(&self) -> &'static str {
        match self {
            Self::Whole(_) | Self::Number(_) => "a number",
            Self::Flag(_) => "true or false",
            Self::Text(_) => "a text",
            Self::Numbers(_) => "a list of numbers",
            Self::Table(_) => "a table",
        }
    }
}

schema!(Any, "any", { "type": ["number", "boolean", "string", "array", "object"] });

struct AnyVisitor;

impl<'de> Visitor<'de> for AnyVisitor {
    type Value = Any;

    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("a number, a text, a list of numbers or a table")
    }

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Any, E> {
        Ok(Any::Number(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Any, E> {
        Ok(Any::Whole(value))
    }

    fn visit_bool<E: de::Error>(self, value: bool) -> Result<Any, E> {
        Ok(Any::Flag(value))
    }

    fn visit_str<E: de::Error>(self, value: &str) -> Result<Any, E> {
        Ok(Any::Text(value.to_owned()))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Any, A::Error> {
        NumbersVisitor.visit_seq(items).map(|Numbers(numbers)| Any::Numbers(numbers))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Any, A::Error> {
        let mut table = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            table.push(entry);
        }
        Ok(Any::Table(table))
    }
}

impl<'de> Deserialize<'de> for Any {
    fn deserialize<S: Deserializer<'de>>(source: S) -> Result<Self, S::Error> {
        source.deserialize_any(AnyVisitor)
    }
}
