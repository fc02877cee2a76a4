//! Prints the elements of a DMX file, binary or text, and its findings: `cargo run --example dmx-dump -- FILE`.

use std::error::Error;
use std::{env, fs};

use mapwright_dmx::{Document, Reference, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let path = env::args().nth(1).ok_or("which file?")?;
    let document = Document::from_bytes(&fs::read(path)?)?;
    println!("{:?}", document.header);
    for element in document.iter() {
        println!("{element:?} {}", element.guid().map_or_else(String::new, |guid| guid.to_string()));
        for (name, value) in element.attributes() {
            println!("    {} = {}", name.escape_ascii(), shown(&document, value));
        }
    }
    for finding in document.validate() {
        println!("{finding}");
    }
    Ok(())
}

/// A value in short: arrays by how much there is in them.
fn shown(document: &Document, value: &Value) -> String {
    match value {
        Value::String(id) => format!("\"{}\"", document.string(*id).escape_ascii()),
        Value::Element(Reference::Element(id)) => format!("element {}", id.0),
        Value::Element(Reference::External(id)) => format!("external {}", document.string(*id).escape_ascii()),
        Value::Binary(bytes) => format!("{} bytes", bytes.len()),
        value => match value.array_len() {
            Some(count) => format!("{count} × {}", value.value_type().name()),
            None => format!("{value:?}"),
        },
    }
}
