//! Replaces a string wherever it is the value of an attribute and leaves everything else as it is:
//! `cargo run --example dmx-rewrite -- IN OUT FROM TO`.

use std::error::Error;
use std::{env, fs};

use mapwright_dmx::{Document, Value};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output, from, to] = &arguments[..] else { return Err("which file, where to, what, by what?".into()) };

    let mut document = Document::from_bytes(&fs::read(input)?)?;
    document.edit(|document| {
        let to = document.intern(to);
        let Document { elements, strings, .. } = document;
        for attribute in elements.iter_mut().flat_map(|element| &mut element.attributes) {
            match &mut attribute.value {
                Value::String(id) if strings.get(*id) == from.as_bytes() => *id = to,
                Value::StringArray(ids) => {
                    ids.iter_mut().filter(|id| strings.get(**id) == from.as_bytes()).for_each(|id| *id = to);
                }
                _ => {}
            }
        }
    });
    fs::write(output, document.to_bytes()?)?;
    Ok(())
}
