//! A radius as it was typed: one for all grains, or a distribution.

use super::at::{May, Scalars, visited};
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::{self, Deserialize, Deserializer, MapAccess, Visitor, value::MapAccessDeserializer};
use std::borrow::Cow;
use std::fmt;

/// One radius, or a distribution.
#[derive(Clone, Debug)]
pub(crate) enum Radius {
    Value(f64),
    Drawn(DistributionTable),
}

/// A distribution of radii: one of uniform, list and lognormal.
#[derive(Clone, Debug, Default, serde::Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
#[schemars(rename = "Drawn")]
pub(crate) struct DistributionTable {
    /// The least and the largest radius.
    pub uniform: May<Scalars>,
    /// The radii that occur.
    pub list: May<Scalars>,
    /// How often each of the list occurs, relative to the others. Default equally often.
    pub weights: May<Scalars>,
    /// The median radius, and the standard deviation of its logarithm.
    pub lognormal: May<Scalars>,
    /// The least and the largest radius of a lognormal distribution. Default three standard deviations.
    pub between: May<Scalars>,
}

visited! {
    Radius, "a number or a distribution such as { uniform = [0.5, 1.0] }",

    fn visit_f64<E: de::Error>(self, value: f64) -> Result<Radius, E> {
        Ok(Radius::Value(value))
    }

    fn visit_i64<E: de::Error>(self, value: i64) -> Result<Radius, E> {
        Ok(Radius::Value(value as f64))
    }

    fn visit_map<A: MapAccess<'de>>(self, entries: A) -> Result<Radius, A::Error> {
        DistributionTable::deserialize(MapAccessDeserializer::new(entries)).map(Radius::Drawn)
    }
}

impl JsonSchema for Radius {
    fn schema_name() -> Cow<'static, str> {
        "Radius".into()
    }

    fn json_schema(generator: &mut SchemaGenerator) -> Schema {
        let drawn = generator.subschema_for::<DistributionTable>();
        json_schema!({ "anyOf": [{ "type": "number", "exclusiveMinimum": 0 }, drawn] })
    }
}
