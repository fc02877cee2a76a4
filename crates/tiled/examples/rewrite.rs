//! Moves every object of a map and changes nothing else: `cargo run --example tiled-rewrite -- IN OUT PIXELS`.

use std::error::Error;
use std::{env, fs};

use mapwright_tiled::Document;
use mapwright_tiled::edit::{Edit, Record};

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output, pixels] = &arguments[..] else { return Err("which file, where to, how far?".into()) };
    let pixels: f64 = pixels.parse()?;

    let document = Document::from_bytes(&fs::read(input)?)?;
    let mut edit = Edit::new(&document);
    for record in document.records() {
        if let Record::Object(object, _) = record {
            edit.set(object.item(), "x", object.x() + pixels)?;
        }
    }
    fs::write(output, edit.apply()?.to_bytes()?)?;
    Ok(())
}
