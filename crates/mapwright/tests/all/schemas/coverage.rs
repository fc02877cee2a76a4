//! Coverage of schemas by the samples.

use mapwright::Format;
use serde_json::Value as Json;

use super::{formats, samples, schema};

/// The places of all properties in a schema, as JSON pointers.
pub(crate) fn properties(schema: &Json) -> Vec<String> {
    let mut found = Vec::new();
    walk(schema, "", &mut found);
    found
}

fn walk(json: &Json, pointer: &str, found: &mut Vec<String>) {
    let children: Vec<(String, &Json)> = match json {
        Json::Object(fields) => fields.iter().map(|(name, value)| (name.clone(), value)).collect(),
        Json::Array(items) => items.iter().enumerate().map(|(index, value)| (index.to_string(), value)).collect(),
        _ => return,
    };
    // Conditions and alternatives only constrain properties that are declared elsewhere.
    let is_list = pointer.ends_with("/properties") && !pointer.contains("/if/") && !pointer.contains("/then/");
    let is_list = is_list && !pointer.contains("/oneOf/");
    for (name, value) in children {
        let below = format!("{pointer}/{name}");
        if is_list {
            found.push(below.clone());
        }
        walk(value, &below, found);
    }
}

/// Properties that no sample has: without them, the schema still accepts every sample.
fn uncovered_properties(format: Format) -> Vec<String> {
    let schema = schema(format);
    let samples: Vec<Json> = samples::samples(format).into_iter().map(|(_, json)| json).collect();
    let mut untried = properties(&schema);
    untried.retain(|pointer| {
        let mut without = schema.clone();
        *without.pointer_mut(pointer).unwrap() = Json::Bool(false);
        let validator = jsonschema::validator_for(&without).unwrap();
        samples.iter().all(|sample| validator.is_valid(sample))
    });
    untried
}

#[test]
fn schemas_are_covered_by_samples() {
    let untried: Vec<String> = formats()
        .flat_map(|format| uncovered_properties(format).into_iter().map(move |place| format!("{format}: {place}")))
        .collect();
    assert!(untried.is_empty(), "{untried:#?}");
}
