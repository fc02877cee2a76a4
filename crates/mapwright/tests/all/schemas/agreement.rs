//! Mutated dumps: a schema rejects exactly those that cannot be built.

use std::collections::HashSet;

use mapwright::{AnyDocument, Error, ReadOptions};
use serde_json::{Value as Json, json};

use super::{formats, samples, validator};

/// Errors about constraints between fields, which schemas do not express.
const MEANING: &[&str] = &[
    // Bytes that should be a file, or a part of one.
    "not an external term",
    "are not a term",
    "not a DMX file",
    "not a map:",
    // Texts that are no key or block.
    "the data is no map:",
    "not a Gamestudio map",
    // Texts that are no word of a Quake map, and faces without their numbers.
    "the data is no map",
    "168 bytes needed",
    // Terms that cannot be written.
    "the same key twice",
    "float is not finite",
    // Sizes that are said twice.
    "the fields of the header take more bytes",
    "more cells than the",
    " cells, expected ",
    "invalid number of cells",
    "line breaks have",
    "exact layout",
    // Texts that are no file of Tiled.
    "the text ends early",
    "has no end",
    "unexpected ",
    "not a file of Tiled",
    "occurs twice",
    "XML cannot store",
    "the character ",
    // The place of an entry in the tree.
    "of an entry is too deep",
];

/// Number of path segments that decide whether two places are of the same kind. Terms nest without limit.
const NEAR: usize = 7;

/// Finds the places of a dump as JSON pointers, one of each new kind.
fn places(json: &Json, pointer: &str, kind: &mut Vec<String>, seen: &mut HashSet<String>, found: &mut Vec<String>) {
    let (name, children): (String, Vec<(String, String, &Json)>) = match json {
        Json::Object(fields) => {
            // The type of an attribute determines the type of its value.
            let of = fields.get("type").and_then(Json::as_str).unwrap_or_default();
            let below = |name: &String| format!("{name}{of}");
            let names: Vec<&str> = fields.keys().map(String::as_str).collect();
            let children = fields.iter().map(|(name, value)| (name.clone(), below(name), value)).collect();
            (format!("{{{}}}", names.join(",")), children)
        }
        Json::Array(items) => {
            let children = items.iter().enumerate().map(|(index, value)| (index.to_string(), "*".to_owned(), value));
            (format!("[{}]", items.len().min(3)), children.collect())
        }
        Json::Null => ("null".to_owned(), Vec::new()),
        Json::Bool(_) => ("bool".to_owned(), Vec::new()),
        Json::Number(number) => (if number.is_f64() { "float" } else { "int" }.to_owned(), Vec::new()),
        Json::String(_) => ("string".to_owned(), Vec::new()),
    };
    kind.push(name);
    let near = kind.len().saturating_sub(NEAR);
    if seen.insert(kind[near..].join("/")) {
        found.push(pointer.to_owned());
    }
    kind.pop();
    for (name, of, value) in children {
        kind.push(of);
        let escaped = name.replace('~', "~0").replace('/', "~1");
        places(value, &format!("{pointer}/{escaped}"), kind, seen, found);
        kind.pop();
    }
}

/// Other values for a place, most of which do not fit.
fn alternatives(json: &Json) -> Vec<Json> {
    let mut others = vec![Json::Null, json!(true), json!(7), json!(-7), json!(1.5), json!(5_000_000_000_u64)];
    others.extend([json!("text"), json!("00ff"), json!([]), json!({})]);
    match json {
        Json::Array(items) => {
            others.push(items.iter().skip(1).cloned().collect());
            others.push(items.iter().chain(items.last()).cloned().collect());
        }
        Json::Object(fields) => {
            for name in fields.keys() {
                let mut without = fields.clone();
                without.remove(name);
                others.push(without.into());
            }
            let mut with = fields.clone();
            with.insert("nobody_knows".to_owned(), json!(1));
            others.push(with.into());
        }
        _ => {}
    }
    others.retain(|other| other != json);
    others
}

fn build(json: &Json) -> Result<(), Error> {
    AnyDocument::from_dump(json.to_string().as_bytes(), &ReadOptions::default()).map(drop)
}

#[test]
fn schemas_accept_what_is_built() {
    let mut wrong = Vec::new();
    for format in formats() {
        let validator = validator(format);
        let mut samples = samples::samples(format);
        // Equal changes are tried in the smallest sample.
        samples.sort_by_key(|(_, json)| json.to_string().len());
        let (mut seen, mut tried, mut refused) = (HashSet::new(), 0, 0);
        for (name, sample) in &samples {
            let mut found = Vec::new();
            places(sample, "", &mut Vec::new(), &mut seen, &mut found);
            for pointer in found {
                for other in alternatives(sample.pointer(&pointer).unwrap()) {
                    let mut changed = sample.clone();
                    *changed.pointer_mut(&pointer).unwrap() = other.clone();
                    tried += 1;
                    let place = || format!("{format}: {name}: {pointer}: {:.200}", other.to_string());
                    match (build(&changed), validator.is_valid(&changed)) {
                        (Ok(()), true) => {}
                        (Err(_), false) => refused += 1,
                        (Ok(()), false) => wrong.push(format!("built, but refused by the schema: {}", place())),
                        (Err(error), true) => {
                            let error = error.to_string();
                            if !MEANING.iter().any(|meaning| error.contains(meaning)) {
                                wrong.push(format!("accepted by the schema, but {error}: {}", place()));
                            }
                        }
                    }
                }
            }
        }
        println!("{format}: {tried} changes, {refused} of them refused");
        // The dump of a JSON file has few fields.
        assert!(refused > 60, "{format}: {refused} of {tried}");
    }
    assert!(wrong.is_empty(), "{}:\n{}", wrong.len(), wrong[..wrong.len().min(60)].join("\n"));
}
