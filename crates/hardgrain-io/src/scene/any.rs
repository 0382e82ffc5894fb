//! Values whose kind is known only when their key has been read: what a stage sets.

use super::at::{At, Scalars, schema, visited};
use super::fault::{Fault, unknown_word};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::value::{Error, StrDeserializer};
use serde::de::{self, Deserialize, Deserializer, MapAccess, SeqAccess, Visitor};
use std::borrow::Cow;
use std::fmt;

/// Any value.
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
    /// The kind of this value in words.
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

visited! {
    Any, "a number, a text, a list of numbers or a table",

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
        Scalars::of_list(items).map(|Scalars(numbers)| Any::Numbers(numbers))
    }

    fn visit_map<A: MapAccess<'de>>(self, mut entries: A) -> Result<Any, A::Error> {
        let mut table = Vec::new();
        while let Some(entry) = entries.next_entry()? {
            table.push(entry);
        }
        Ok(Any::Table(table))
    }
}

/// A kind of value that a stage can set.
pub(crate) trait FromAny: Sized {
    /// The value if it is of this kind.
    fn from_any(value: &At<Any>) -> Result<Self, Fault>;
}

impl At<Any> {
    /// This value as one of the kind that its key takes.
    pub(crate) fn read<T: FromAny>(&self) -> Result<At<T>, Fault> {
        Ok(At { value: T::from_any(self)?, span: self.span.clone() })
    }

    /// This value as a number.
    pub(crate) fn number(&self) -> Result<f64, Fault> {
        match self.value {
            Any::Number(number) => Ok(number),
            Any::Whole(number) => Ok(number as f64),
            _ => self.wrong("a number"),
        }
    }

    fn wrong<T>(&self, wanted: &str) -> Result<T, Fault> {
        let message = format!("here belongs {wanted}, not {}", self.value.kind());
        Err(Fault::at(&self.span, message).help(format!("write {wanted}")))
    }

    /// One of the words that the typed layer knows.
    pub(crate) fn word<'a, T: Deserialize<'a>>(&'a self) -> Result<T, Fault> {
        let Any::Text(text) = &self.value else { return self.wrong("a word in \"quotes\"") };
        let read = T::deserialize(StrDeserializer::<Error>::new(text));
        read.map_err(|error| unknown_word(&error.to_string(), &self.span))
    }
}

impl FromAny for Scalars {
    fn from_any(value: &At<Any>) -> Result<Self, Fault> {
        match &value.value {
            Any::Numbers(numbers) => Ok(Self(numbers.clone())),
            Any::Number(_) | Any::Whole(_) => value.number().map(|number| Self(vec![number])),
            _ => value.wrong("a list of numbers"),
        }
    }
}

impl FromAny for bool {
    fn from_any(value: &At<Any>) -> Result<Self, Fault> {
        match value.value {
            Any::Flag(flag) => Ok(flag),
            _ => value.wrong("true or false"),
        }
    }
}
