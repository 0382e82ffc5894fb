//! Values that know where they were typed, and lists of numbers.

use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, SeqAccess, Visitor};
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

/// An optional value.
pub(crate) type May<T> = Option<At<T>>;

impl<'de, T: Deserialize<'de>> Deserialize<'de> for At<T> {
    fn deserialize<S: Deserializer<'de>>(source: S) -> Result<Self, S::Error> {
        let spanned = toml::Spanned::<T>::deserialize(source)?;
        let span = spanned.span();
        Ok(Self { value: spanned.into_inner(), span })
    }
}

/// The schema of the value itself.
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

/// Deserializes a kind of value by a visitor with these methods.
macro_rules! visited {
    ($kind:ty, $expected:literal, $($visit:item)*) => {
        impl<'de> Deserialize<'de> for $kind {
            fn deserialize<S: Deserializer<'de>>(source: S) -> Result<Self, S::Error> {
                struct KindVisitor;

                impl<'de> Visitor<'de> for KindVisitor {
                    type Value = $kind;

                    fn expecting(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
                        out.write_str($expected)
                    }

                    $($visit)*
                }

                source.deserialize_any(KindVisitor)
            }
        }
    };
}
pub(crate) use visited;

/// Gives a kind of value its schema, written where it is used.
macro_rules! schema {
    ($kind:ty $([$parameter:ident])?, $name:literal, $schema:tt) => {
        impl$(<const $parameter: u64>)? JsonSchema for $kind {
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
pub(crate) use schema;

/// One number or a list of them.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Scalars(pub Vec<f64>);

impl Scalars {
    /// The numbers of a list.
    pub(crate) fn of_list<'de, A: SeqAccess<'de>>(mut items: A) -> Result<Self, A::Error> {
        let mut numbers = Vec::new();
        while let Some(number) = items.next_element()? {
            numbers.push(number);
        }
        Ok(Self(numbers))
    }
}

schema!(Scalars, "numbers", { "anyOf": [{ "type": "number" }, { "type": "array", "items": { "type": "number" } }] });

visited! {
    Scalars, "a number or a list of numbers",

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Scalars, E> {
        Ok(Scalars(vec![value]))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Scalars, E> {
        Ok(Scalars(vec![value as f64]))
    }

    fn visit_seq<A: SeqAccess<'de>>(self, items: A) -> Result<Scalars, A::Error> {
        Scalars::of_list(items)
    }
}
