//! Reads a file of Tiled and writes it again, byte for byte: `cargo run --example tiled-rewrite -- IN OUT`.

use std::error::Error;
use std::{env, fs};

use mapwright_tiled::Document;

fn main() -> Result<(), Box<dyn Error>> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [input, output] = &arguments[..] else { return Err("which file, where to?".into()) };
    let document = Document::from_bytes(&fs::read(input)?)?;
    fs::write(output, document.to_bytes()?)?;
    Ok(())
}
