//! Digests of bytes, and of JSON documents without what a clock has measured.

use serde_json::Value;

/// FNV-1a, 64 bits.
pub(super) struct Fnv1a(u64);

impl Fnv1a {
    pub(super) fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }

    pub(super) fn add(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
    }

    pub(super) fn words(&self) -> String {
        format!("{:016x}", self.0)
    }
}

/// The digest of these bytes in hexadecimal.
pub(super) fn digest_of(bytes: &[u8]) -> String {
    let mut digest = Fnv1a::new();
    digest.add(bytes);
    digest.words()
}

/// Keys whose values depend on the machine or on the clock.
const MEASURED: [&str; 6] = ["version", "threads", "wall_time", "cost", "cost_at_rest", "cheaper"];

/// The digest of a document.
pub(super) fn document(text: &[u8]) -> Result<String, String> {
    let mut value: Value = serde_json::from_slice(text).map_err(|error| format!("not JSON: {error}"))?;
    strip(&mut value);
    Ok(digest_of(value.to_string().as_bytes()))
}

/// Takes out what a clock has measured, and what says nothing: a field that comes later changes a digest only where it is not at its default.
fn strip(value: &mut Value) {
    match value {
        Value::Array(items) => {
            // Solvers that were tried are advised or not by how long they took.
            items.retain(|item| !item["action"].as_str().is_some_and(|action| action.contains("solver.kind")));
            items.iter_mut().for_each(strip);
        }
        Value::Object(fields) => {
            let written = fields.contains_key("frame_bytes");
            fields.retain(|key, _| {
                let measured = key.ends_with("seconds") || MEASURED.contains(&key.as_str());
                !(measured || written && key == "share")
            });
            fields.values_mut().for_each(strip);
            fields.retain(|_, value| !says_nothing(value));
        }
        _ => {}
    }
}

fn says_nothing(value: &Value) -> bool {
    match value {
        Value::Null | Value::Bool(false) => true,
        Value::Number(number) => number.as_f64() == Some(0.0),
        Value::String(text) => text.is_empty(),
        Value::Array(items) => items.is_empty(),
        Value::Object(fields) => fields.is_empty(),
        Value::Bool(true) => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn digest(text: &str) -> String {
        document(text.as_bytes()).unwrap()
    }

    #[test]
    fn what_a_clock_has_measured_does_not_count() {
        let bare = digest(r#"{"steps": 3, "records": {"frame_bytes": 7}}"#);
        let full = r#"{"steps": 3, "wall_time": 0.1, "running_seconds": 2, "records": {"frame_bytes": 7, "seconds": 1, "share": 0.5},
            "advice": [{"action": "use solver.kind = \"rigid\"", "cost": 2.0}]}"#;
        assert_eq!(digest(full), bare);
        assert_ne!(digest(r#"{"steps": 4, "records": {"frame_bytes": 7}}"#), bare);
        assert_ne!(digest(r#"{"steps": 3, "share": 0.5, "records": {"frame_bytes": 7}}"#), bare);
    }

    #[test]
    fn a_field_at_its_default_does_not_count() {
        let bare = digest(r#"{"a": 1}"#);
        assert_eq!(digest(r#"{"a": 1, "b": null, "c": 0.0, "d": [], "e": {"f": false, "g": ""}}"#), bare);
        assert_ne!(digest(r#"{"a": 1, "b": true}"#), bare);
    }

    #[test]
    fn what_is_no_document_is_refused() {
        assert!(document(b"{").unwrap_err().starts_with("not JSON"));
    }

    #[test]
    fn digests_are_those_of_the_algorithm() {
        assert_eq!([digest_of(b""), digest_of(b"a")], ["cbf29ce484222325", "af63dc4c8601ec8c"]);
    }
}
