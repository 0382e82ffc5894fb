//! Whether a document obeys a JSON schema: the keywords that ours uses, and a panic at any other. A second reader, Python's `jsonschema`,
//! judges the same documents where it is installed.

use super::Bench;
use serde_json::{Map, Value};
use std::fs;
use std::process::Command;

/// What is wrong with a document; nothing if it obeys.
pub fn errors(schema: &Value, document: &Value) -> Vec<String> {
    Schema { root: schema }.errors(schema, document, "")
}

struct Schema<'a> {
    root: &'a Value,
}

impl Schema<'_> {
    fn errors(&self, schema: &Value, value: &Value, place: &str) -> Vec<String> {
        let rules = match schema {
            Value::Bool(true) => return Vec::new(),
            Value::Object(rules) => rules,
            other => panic!("{other} is no schema"),
        };
        rules.iter().flat_map(|(keyword, rule)| self.broken(rules, (keyword, rule), value, place)).collect()
    }

    fn broken(
        &self,
        rules: &Map<String, Value>,
        (keyword, rule): (&str, &Value),
        value: &Value,
        place: &str,
    ) -> Vec<String> {
        let obeys = |rule: &Value| self.errors(rule, value, place).is_empty();
        let listed = |rule: &Value| rule.as_array().unwrap().iter().filter(|rule| obeys(rule)).count();
        // A limit holds for numbers only.
        let compared =
            |holds: fn(f64, f64) -> bool| value.as_f64().is_none_or(|number| holds(number, rule.as_f64().unwrap()));
        let fine = match keyword {
            "$schema" | "$defs" | "title" | "description" => true,
            "$ref" => {
                let target = self.root.pointer(rule.as_str().unwrap().strip_prefix('#').unwrap()).unwrap();
                return self.errors(target, value, place);
            }
            "type" => match rule {
                Value::String(name) => is_a(value, name),
                names => names.as_array().unwrap().iter().any(|name| is_a(value, name.as_str().unwrap())),
            },
            "enum" => rule.as_array().unwrap().contains(value),
            "const" => rule == value,
            "anyOf" => listed(rule) > 0,
            "oneOf" => listed(rule) == 1,
            "minimum" => compared(|number, limit| number >= limit),
            "maximum" => compared(|number, limit| number <= limit),
            "exclusiveMinimum" => compared(|number, limit| number > limit),
            "exclusiveMaximum" => compared(|number, limit| number < limit),
            "required" => {
                let there = |name: &Value| value.get(name.as_str().unwrap()).is_some();
                !value.is_object() || rule.as_array().unwrap().iter().all(there)
            }
            "items" => {
                let items = value.as_array().into_iter().flatten().enumerate();
                return items.flat_map(|(i, item)| self.errors(rule, item, &format!("{place}/{i}"))).collect();
            }
            "properties" => {
                let known = value
                    .as_object()
                    .into_iter()
                    .flatten()
                    .filter_map(|(name, value)| Some((name, value, rule.get(name)?)));
                return known
                    .flat_map(|(name, value, rule)| self.errors(rule, value, &format!("{place}/{name}")))
                    .collect();
            }
            "additionalProperties" => {
                let known = |name: &str| rules.get("properties").is_some_and(|known| known.get(name).is_some());
                let others = value.as_object().into_iter().flatten().filter(|(name, _)| !known(name));
                return match rule {
                    Value::Bool(false) => others.map(|(name, _)| format!("{place}/{name}: unknown")).collect(),
                    rule => {
                        others.flat_map(|(name, value)| self.errors(rule, value, &format!("{place}/{name}"))).collect()
                    }
                };
            }
            other => panic!("this reader does not know the keyword {other}"),
        };
        if fine { Vec::new() } else { vec![format!("{place}: {value} breaks {keyword} {rule}")] }
    }
}

fn is_a(value: &Value, name: &str) -> bool {
    match name {
        "null" => value.is_null(),
        "boolean" => value.is_boolean(),
        "string" => value.is_string(),
        "array" => value.is_array(),
        "object" => value.is_object(),
        "number" => value.is_number(),
        "integer" => value.as_f64().is_some_and(|number| number.fract() == 0.0),
        other => panic!("this reader does not know the type {other}"),
    }
}

/// Reads a schema and a list of documents; prints for each whether it obeys.
const SECOND_READER: &str = r"
import json, sys, jsonschema
schema, documents = (json.load(open(name)) for name in sys.argv[1:])
jsonschema.Draft202012Validator.check_schema(schema)
validator = jsonschema.Draft202012Validator(schema)
print(json.dumps([validator.is_valid(document) for document in documents]))
";

/// Whether the second reader agrees on which documents obey; it is passed over, loudly, where it is not installed.
pub fn second_reader_agrees(bench: &Bench, schema: &Value, documents: &[Value]) {
    let named = std::env::var("HARDGRAIN_VTK_PYTHON").unwrap_or_else(|_| "python3".into());
    let there =
        Command::new(&named).args(["-c", "import jsonschema"]).output().is_ok_and(|output| output.status.success());
    if !there {
        assert!(std::env::var("HARDGRAIN_VTK_PYTHON").is_err(), "{named} has no jsonschema");
        eprintln!(
            "\n*** SKIPPED: {named} has no jsonschema; no second reader has judged the schema. pip install jsonschema ***\n"
        );
        return;
    }
    let files = [("schema.json", schema.clone()), ("documents.json", Value::from(documents))].map(|(name, value)| {
        fs::write(bench.path(name), value.to_string()).unwrap();
        bench.path(name)
    });
    let output = Command::new(&named).args(["-c", SECOND_READER]).args(files).output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let theirs: Vec<bool> = serde_json::from_slice(&output.stdout).unwrap();
    let ours: Vec<bool> = documents.iter().map(|document| errors(schema, document).is_empty()).collect();
    assert_eq!(ours, theirs);
}
